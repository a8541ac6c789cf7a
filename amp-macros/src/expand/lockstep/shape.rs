//! [`Shapes`]: how what a kernel computes differs between the threads of a group.
//!
//! The answers are for the whole function: a variable has one shape, whatever is assigned to it and
//! wherever (`walk`).

use std::collections::{HashMap, HashSet};

use amp_spirv::tree::{LocalId, Scalar};
use syn::{BinOp, Block, Expr, Lit, Local, Pat, PatIdent, Stmt};

use super::quiet::Quiet;
use crate::infer::{Callee, FunctionDef, NodeId, Resolved, Ty, bare};
use crate::visit::{self, Visit};

/// How a value differs between the threads that compute it together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The same in all threads of a group.
    Uniform,
    /// The same in all threads of a row.
    Row,
    /// A `usize` that is one more in each thread of a row than in the one before it.
    Step,
    /// A `usize` that is the same in each thread of a row as in the one before it, or one more.
    Clamped,
    /// It may be anything.
    Varying,
}

impl Shape {
    /// Whether it is the same in all threads of a row.
    pub(super) fn is_of_row(self) -> bool {
        matches!(self, Shape::Uniform | Shape::Row)
    }

    /// The shape of what is computed from two values.
    pub(super) fn and(self, other: Shape) -> Shape {
        match (self, other) {
            (Shape::Uniform, Shape::Uniform) => Shape::Uniform,
            (one, other) if one.is_of_row() && other.is_of_row() => Shape::Row,
            _ => Shape::Varying,
        }
    }

    /// The shape of what an operator makes of two `usize`s.
    fn moved(self, operator: &BinOp, by: Shape) -> Shape {
        match (self, operator, by) {
            (Shape::Step, BinOp::Add(_) | BinOp::Sub(_), by) if by.is_of_row() => Shape::Step,
            (start, BinOp::Add(_), Shape::Step) if start.is_of_row() => Shape::Step,
            (Shape::Clamped, BinOp::Add(_) | BinOp::Sub(_), by) if by.is_of_row() => Shape::Clamped,
            (start, BinOp::Add(_), Shape::Clamped) if start.is_of_row() => Shape::Clamped,
            _ => self.and(by),
        }
    }

    /// The shape of what is one value or the other.
    pub(super) fn or(self, other: Shape) -> Shape {
        match self == other {
            true => self,
            false => self.and(other),
        }
    }
}

/// The shape of an index: that of all components but the last, and that of the last.
pub(super) type Point = (Shape, Shape);

/// See the module's documentation.
pub(super) struct Shapes<'a> {
    pub(super) function: &'a FunctionDef,
    pub(super) quiet: Quiet<'a>,
    pub(super) tiled: bool,
    /// Nothing of what has not been assigned to yet.
    pub(super) locals: Vec<Option<Shape>>,
    /// The indices that variables are which are never assigned to.
    pub(super) points: HashMap<LocalId, Point>,
    /// What control flow leaves each loop.
    pub(super) loops: HashMap<NodeId, Shape>,
    /// The variables that are assigned to after their declaration.
    pub(super) assigned: HashSet<LocalId>,
    pub(super) changed: bool,
}

/// The names of a pattern.
struct Names<'a>(Vec<&'a PatIdent>);

impl<'a> Visit<'a> for Names<'a> {
    fn visit_pat_ident(&mut self, ident: &'a PatIdent) {
        self.0.push(ident);
        visit::visit_pat_ident(self, ident);
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

impl<'a> Shapes<'a> {
    pub(super) fn of_local(&self, local: LocalId) -> Shape {
        self.locals[local.0 as usize].unwrap_or(Shape::Uniform)
    }

    /// How the control flow differs that leaves a loop.
    pub(super) fn leaves(&self, at: NodeId) -> Shape {
        self.loops.get(&at).copied().unwrap_or(Shape::Uniform)
    }

    /// The variable that a path names.
    pub(super) fn local(&self, expr: &Expr) -> Option<LocalId> {
        match self.function.typed.of(bare(expr)).path {
            Some(Resolved::Local(local)) => Some(local),
            _ => None,
        }
    }

    /// The variable that a place is, or is a part of.
    fn root(&self, place: &Expr) -> Option<LocalId> {
        match bare(place) {
            Expr::Field(field) => self.root(&field.base),
            Expr::Index(index) => self.root(&index.expr),
            Expr::Unary(unary) => self.root(&unary.expr),
            path @ Expr::Path(_) => self.local(path),
            _ => None,
        }
    }

    /// The same, unless its parts are those of a view.
    pub(super) fn variable(&self, place: &Expr) -> Option<LocalId> {
        let has_views = |local: &LocalId| {
            let ty = &self.function.typed.locals[local.0 as usize].ty;
            matches!(ty.target(), Ty::View(_) | Ty::Bundle(_))
        };
        self.root(place).filter(|local| !has_views(local))
    }

    /// The variables that are read in what `walk` goes over.
    pub(super) fn read(&self, walk: impl FnOnce(&mut Read<'_, 'a>)) -> HashSet<LocalId> {
        let mut read = Read {
            shapes: self,
            found: HashSet::new(),
        };
        walk(&mut read);
        read.found
    }

    /// The variables that a pattern declares.
    pub(super) fn declared(&self, pattern: &Pat) -> Vec<LocalId> {
        let mut names = Names(Vec::new());
        names.visit_pat(pattern);
        let local = |name: &&PatIdent| self.function.typed.of(*name).local;
        names.0.iter().filter_map(local).collect()
    }

    fn row(&self) -> Shape {
        match self.tiled {
            true => Shape::Row,
            false => Shape::Uniform,
        }
    }

    /// The shape of an index of a view.
    pub(super) fn point(&self, expr: &Expr) -> Option<Point> {
        let expr = bare(expr);
        let own = (self.row(), Shape::Step);
        match expr {
            Expr::Path(_) => {
                let local = self.local(expr)?;
                if local == LocalId(0) {
                    return Some(own);
                }
                match self.function.typed.ty(expr) {
                    Ty::Scalar(_) => Some((Shape::Uniform, self.of_local(local))),
                    _ => self.points.get(&local).copied(),
                }
            }
            Expr::Field(field) if self.local(&field.base) == Some(LocalId(0)) => {
                let syn::Member::Named(name) = &field.member else {
                    return None;
                };
                match name.to_string().as_str() {
                    "global" | "local" => Some(own),
                    "tile" | "tile_origin" => Some((Shape::Uniform, Shape::Uniform)),
                    _ => None,
                }
            }
            Expr::Array(array) => {
                let mut parts = array.elems.iter().map(|part| self.shape(part));
                let last = parts.next_back()?;
                Some((parts.fold(Shape::Uniform, Shape::and), last))
            }
            Expr::MethodCall(call)
                if self.function.typed.of(expr).callee == Some(Callee::Components) =>
            {
                self.point(&call.receiver)
            }
            Expr::Binary(binary) if matches!(self.function.typed.ty(expr), Ty::Index(_)) => {
                let (left, right) = (self.point(&binary.left)?, self.point(&binary.right)?);
                Some((left.0.and(right.0), left.1.moved(&binary.op, right.1)))
            }
            _ => match self.function.typed.ty(expr) {
                Ty::Scalar(_) => Some((Shape::Uniform, self.shape(expr))),
                _ => None,
            },
        }
    }

    /// The shape of a value.
    pub(super) fn shape(&self, expr: &Expr) -> Shape {
        let expr = bare(expr);
        let typed = &self.function.typed;
        match expr {
            Expr::Lit(_) => Shape::Uniform,
            Expr::Path(_) => match typed.of(expr).path {
                Some(Resolved::Local(LocalId(0))) => Shape::Varying,
                Some(Resolved::Local(local)) => self.of_local(local),
                _ => Shape::Uniform,
            },
            Expr::Field(field) if self.local(&field.base) == Some(LocalId(0)) => {
                let point = self.point(expr);
                point.map_or(Shape::Varying, |(rest, last)| rest.and(last))
            }
            Expr::Field(field) => self.shape(&field.base).and(Shape::Uniform),
            Expr::Unary(unary) if typed.of(unary).callee.is_none() => {
                self.shape(&unary.expr).and(Shape::Uniform)
            }
            Expr::Cast(cast) => match (typed.ty(&cast.expr), typed.ty(expr)) {
                (from, to) if from == to => self.shape(&cast.expr),
                _ => self.shape(&cast.expr).and(Shape::Uniform),
            },
            Expr::Binary(binary) if typed.of(binary).callee.is_none() => {
                let (left, right) = (self.shape(&binary.left), self.shape(&binary.right));
                match *typed.ty(expr) == Ty::Scalar(Scalar::Usize) {
                    true => left.moved(&binary.op, right),
                    false => left.and(right),
                }
            }
            Expr::Index(index) => self.of_element(index),
            Expr::Tuple(tuple) => self.of_all(tuple.elems.iter()),
            Expr::Array(array) => self.of_all(array.elems.iter()),
            Expr::Repeat(repeat) => self.shape(&repeat.expr).and(Shape::Uniform),
            Expr::Struct(made) => {
                let rest = made.rest.as_deref();
                self.of_all(made.fields.iter().map(|field| &field.expr).chain(rest))
            }
            Expr::Call(call) if self.depends_on_arguments(expr) => self.of_all(call.args.iter()),
            Expr::MethodCall(call) if self.is_clamped(call, expr) => Shape::Clamped,
            Expr::MethodCall(call) if self.depends_on_arguments(expr) => {
                let receiver = match self.point(&call.receiver) {
                    Some((rest, last)) => rest.and(last),
                    None => self.shape(&call.receiver),
                };
                receiver.and(self.of_all(call.args.iter()))
            }
            Expr::If(branch) => {
                let value = |block: &Block| match block.stmts.as_slice() {
                    [Stmt::Expr(value, None)] => self.shape(value),
                    _ => Shape::Varying,
                };
                let otherwise = branch.else_branch.as_ref();
                let otherwise = otherwise.map_or(Shape::Varying, |(_, it)| self.shape(it));
                let branches = value(&branch.then_branch).and(otherwise);
                self.shape(&branch.cond).and(branches)
            }
            Expr::Block(block) => match block.block.stmts.as_slice() {
                [Stmt::Expr(value, None)] => self.shape(value).and(Shape::Uniform),
                _ => Shape::Varying,
            },
            Expr::Range(range) => self.of_all(range.start.iter().chain(&range.end).map(|it| &**it)),
            _ => Shape::Varying,
        }
    }

    /// Whether a call keeps a number that grows with the threads between bounds that they have in common.
    fn is_clamped(&self, call: &syn::ExprMethodCall, expr: &Expr) -> bool {
        let clamps = ["min", "max", "clamp", "saturating_add", "saturating_sub"];
        self.depends_on_arguments(expr)
            && *self.function.typed.ty(expr) == Ty::USIZE
            && clamps.iter().any(|name| call.method == name)
            && matches!(self.shape(&call.receiver), Shape::Step | Shape::Clamped)
            && call.args.iter().all(|bound| self.shape(bound).is_of_row())
    }

    fn of_all<'e>(&self, parts: impl Iterator<Item = &'e Expr>) -> Shape {
        parts
            .map(|part| self.shape(part))
            .fold(Shape::Uniform, Shape::and)
    }

    /// The shape of the numbers that a `for` counts through.
    pub(super) fn range(&self, expr: &Expr) -> Shape {
        match bare(expr) {
            Expr::MethodCall(call) if call.method == "rev" || call.method == "step_by" => self
                .range(&call.receiver)
                .and(self.of_all(call.args.iter())),
            range @ Expr::Range(_) => self.shape(range),
            _ => Shape::Varying,
        }
    }

    fn of_element(&self, index: &syn::ExprIndex) -> Shape {
        let typed = &self.function.typed;
        match typed.ty(&index.expr) {
            Ty::Index(rank) => {
                let Some((rest, last)) = self.point(&index.expr) else {
                    return self.shape(&index.expr).and(self.shape(&index.index));
                };
                match component(&index.index) {
                    Some(at) if at + 1 == *rank => last,
                    Some(_) => rest,
                    None => rest.and(last).and(self.shape(&index.index)),
                }
            }
            Ty::View(_) => match self.point(&index.index) {
                Some((rest, last)) => rest.and(last).and(self.shape(&index.expr)),
                None => Shape::Varying,
            },
            _ => self.shape(&index.expr).and(self.shape(&index.index)),
        }
    }

    /// Whether a method may assign to its receiver.
    pub(super) fn assigns_to_receiver(&self, call: &Expr) -> bool {
        match self.function.typed.of(call).callee {
            Some(Callee::Helper(index)) => !self.quiet.is_quiet_helper(index),
            Some(Callee::Unwrap(_)) => true,
            _ => false,
        }
    }

    /// Whether a call does nothing but compute a value from its arguments.
    fn depends_on_arguments(&self, call: &Expr) -> bool {
        let callee = &self.function.typed.of(call).callee;
        if let Some(Callee::Helper(index)) = *callee {
            return self.quiet.is_quiet_helper(index);
        }
        matches!(
            callee,
            Some(
                Callee::Math(_)
                    | Callee::Vector(_)
                    | Callee::ViewExtent
                    | Callee::ViewSize { .. }
                    | Callee::ExtentSize
                    | Callee::ExtentContains
                    | Callee::Components
                    | Callee::IndexFrom
                    | Callee::ArrayLength(_)
                    | Callee::TupleStruct
                    | Callee::Case { .. }
                    | Callee::Copy
                    | Callee::Convert
                    | Callee::Default
            )
        )
    }

    /// Whether each region can compute a `let` anew: it is an index, computed from the thread's own.
    pub(super) fn is_derived(&self, local: &Local) -> bool {
        let Some(init) = &local.init else {
            return false;
        };
        let variables = &self.function.typed.locals;
        let is_own = |id: &LocalId| {
            let name = &variables[id.0 as usize].name;
            let same = variables.iter().filter(|other| other.name == *name);
            same.count() == 1
                && !self.assigned.contains(id)
                && (self.of_local(*id) != Shape::Varying || self.points.contains_key(id))
        };
        let declared = self.declared(&local.pat);
        init.diverge.is_none()
            && !declared.is_empty()
            && declared.iter().all(is_own)
            && self.quiet.is_arithmetic(&init.expr)
    }

    /// Whether some variables of a `let` are the same in all threads: what these do together reads them.
    pub(super) fn is_mixed(&self, stmt: &Stmt) -> bool {
        let Stmt::Local(local) = stmt else {
            return false;
        };
        let declared = self.declared(&local.pat);
        let mut shapes = declared.iter().map(|local| self.of_local(*local));
        shapes.any(|shape| shape == Shape::Uniform)
    }

    pub(super) fn raise(&mut self, local: LocalId, shape: Shape) {
        let known = &mut self.locals[local.0 as usize];
        let raised = Some(known.map_or(shape, |known| known.or(shape)));
        self.changed |= *known != raised;
        *known = raised;
    }
}

/// Finds the variables that are read.
pub(super) struct Read<'r, 'a> {
    shapes: &'r Shapes<'a>,
    found: HashSet<LocalId>,
}

impl<'ast> Visit<'ast> for Read<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        if let Expr::Path(_) = expr {
            self.found.extend(self.shapes.local(expr));
        }
        visit::visit_expr(self, expr);
    }
}

/// The number that an index is, if it is a literal.
fn component(expr: &Expr) -> Option<u32> {
    match bare(expr) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => number.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}
