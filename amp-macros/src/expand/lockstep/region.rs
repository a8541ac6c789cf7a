//! [`Region`]: statements that run for one thread after the other, and what is done for a whole row of
//! threads before and after them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use amp_spirv::tree::{BinaryOp, LocalId, Scalar};
use syn::{Expr, Stmt};

use super::{
    assignment::{Assignment, assignment},
    shape::{Shape, Shapes},
};
use crate::infer::{BinaryKind, NodeId, Resolved, Ty, bare};
use crate::visit::{self, Visit};

/// See the module's documentation.
pub(super) struct Region {
    pub(super) id: usize,
    /// The statements of the block that it stands in.
    pub(super) statements: Range<usize>,
    /// Those of them that every region repeats.
    pub(super) derived: HashSet<usize>,
    /// What is read before.
    pub(super) hoisted: Vec<(NodeId, Hoisted)>,
    /// Its last statement is an assignment to elements that are written afterwards.
    pub(super) stored: Option<Stored>,
    /// Whether a thread may fault, or do more than change variables.
    pub(super) acts: bool,
    /// Whether it matters for that which thread it is.
    pub(super) enters: bool,
    /// Whether threads may return from the kernel in it.
    pub(super) returns: bool,
    pub(super) declared: HashSet<LocalId>,
    pub(super) used: HashSet<LocalId>,
    pub(super) assigned: HashSet<LocalId>,
}

/// What is computed once a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hoisted {
    /// A value that is the same in the whole row.
    Value,
    /// An element of a view for each thread, one behind the other.
    Elements,
    /// The same, but that some threads at the ends may have the same element.
    Clamped,
    /// The same of an array or tile_static variable.
    Items,
}

/// What is written for a whole row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// Elements of a view.
    Elements,
    /// Those of a tile_static array.
    Items,
}

impl Region {
    pub(super) fn new(id: usize, statements: Range<usize>) -> Self {
        Region {
            id,
            statements,
            derived: HashSet::new(),
            hoisted: Vec::new(),
            stored: None,
            acts: false,
            enters: false,
            returns: false,
            declared: HashSet::new(),
            used: HashSet::new(),
            assigned: HashSet::new(),
        }
    }

    /// Whether a statement can be its next: nothing that is to be read before the region may be changed in
    /// it, nor a fault of another place come before.
    pub(super) fn takes(&self, scan: &Scan<'_, '_>) -> bool {
        let has_items = self.hoisted.iter().any(|(_, it)| *it == Hoisted::Items);
        let is_own =
            |local: &LocalId| self.declared.contains(local) || self.assigned.contains(local);
        let reads = !scan.hoisted.is_empty() || scan.stored.is_some();
        let changed = reads && self.acts || scan.writes_tile && has_items;
        !changed && !scan.read.iter().any(is_own)
    }

    /// Notes the variables of a statement.
    pub(super) fn add(&mut self, shapes: &Shapes<'_>, stmt: &Stmt) {
        let mut variables = Variables {
            shapes,
            region: self,
        };
        variables.visit_stmt(stmt);
    }
}

struct Variables<'r, 'a> {
    shapes: &'r Shapes<'a>,
    region: &'r mut Region,
}

impl Variables<'_, '_> {
    fn assigns(&mut self, place: &Expr) {
        self.region.assigned.extend(self.shapes.variable(place));
    }
}

impl<'ast> Visit<'ast> for Variables<'_, '_> {
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
        let local = self.shapes.function.typed.of(ident).local;
        self.region.declared.extend(local);
        visit::visit_pat_ident(self, ident);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Path(_) => self.region.used.extend(self.shapes.local(expr)),
            Expr::Assign(assign) => self.assigns(&assign.left),
            Expr::Binary(binary) => {
                if let BinaryKind::Assign(_) = BinaryKind::of(&binary.op) {
                    self.assigns(&binary.left);
                }
            }
            Expr::Reference(reference) if reference.mutability.is_some() => {
                self.assigns(&reference.expr);
            }
            Expr::MethodCall(call) if self.shapes.assigns_to_receiver(expr) => {
                self.assigns(&call.receiver);
            }
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}

/// Whether a condition has a `let`.
fn has_let(condition: &Expr) -> bool {
    match bare(condition) {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// What a statement of a region reads and writes that a row can read and write at once.
pub(super) struct Scan<'s, 'a> {
    shapes: &'s Shapes<'a>,
    pub(super) hoisted: Vec<(NodeId, Hoisted)>,
    pub(super) stored: Option<Stored>,
    /// Whether what is left can fault or does more than change variables.
    pub(super) acts: bool,
    /// Whether it matters for that which thread it is: one that faults is told.
    pub(super) enters: bool,
    /// The variables that what is hoisted reads.
    pub(super) read: HashSet<LocalId>,
    /// Whether it writes to tile_static variables while it runs.
    pub(super) writes_tile: bool,
    conditional: bool,
}

impl<'s, 'a> Scan<'s, 'a> {
    pub(super) fn of(shapes: &'s Shapes<'a>, stmt: &Stmt) -> Self {
        let mut scan = Scan {
            shapes,
            hoisted: Vec::new(),
            stored: None,
            acts: false,
            enters: false,
            read: HashSet::new(),
            writes_tile: false,
            conditional: false,
        };
        if let Some(assignment) = assignment(stmt)
            && let Some(stored) = scan.stores(&assignment)
        {
            if let Some(condition) = assignment.condition {
                scan.expr(condition);
            }
            scan.expr(assignment.value);
            // Its value comes first, its own fault last.
            scan.reads(assignment.place);
            scan.stored = Some(stored);
            return scan;
        }
        match stmt {
            Stmt::Local(local) => {
                if let Some(init) = &local.init {
                    scan.expr(&init.expr);
                    if let Some((_, otherwise)) = &init.diverge {
                        scan.sometimes(otherwise);
                    }
                }
            }
            Stmt::Expr(expr, _) => scan.expr(expr),
            Stmt::Item(_) => {}
            Stmt::Macro(_) => scan.acts_as_thread(true),
        }
        TileWrites(&mut scan).visit_stmt(stmt);
        if scan.writes_tile {
            scan.hoisted
                .retain(|(_, hoisted)| *hoisted != Hoisted::Items);
        }
        scan
    }

    /// How a row is written at once whose threads assign so.
    fn stores(&self, assignment: &Assignment<&Expr>) -> Option<Stored> {
        let Expr::Index(index) = bare(assignment.place) else {
            return None;
        };
        let is_quiet = |expr: &Expr| !self.shapes.quiet.may_act(expr);
        if !is_quiet(&index.index) || !self.updates_quietly(assignment) {
            return None;
        }
        if let Some(condition) = assignment.condition
            && (has_let(condition) || !is_quiet(assignment.value))
        {
            return None;
        }
        Some(match self.of_row(assignment.place)? {
            Hoisted::Elements => Stored::Elements,
            Hoisted::Items if assignment.condition.is_none() => Stored::Items,
            _ => return None,
        })
    }

    /// Whether what an assignment computes of an old value is an operation of numbers that does not fault.
    fn updates_quietly(&self, assignment: &Assignment<&Expr>) -> bool {
        let typed = &self.shapes.function.typed;
        let is_float = |scalar: &Scalar| scalar.is_float();
        match (assignment.operator, typed.ty(assignment.place)) {
            (None, _) => true,
            (Some(BinaryOp::Div | BinaryOp::Rem), Ty::Scalar(scalar)) => is_float(scalar),
            (Some(_), Ty::Scalar(_)) => true,
            _ => false,
        }
    }

    /// How a row of elements is read at once.
    fn of_row(&self, place: &Expr) -> Option<Hoisted> {
        let Expr::Index(index) = bare(place) else {
            return None;
        };
        match self.shapes.function.typed.ty(&index.expr) {
            Ty::View(_) if self.shapes.shape(&index.expr) == Shape::Uniform => {
                let (rest, last) = self.shapes.point(&index.index)?;
                match last {
                    Shape::Step if rest.is_of_row() => Some(Hoisted::Elements),
                    Shape::Clamped if rest.is_of_row() => Some(Hoisted::Clamped),
                    _ => None,
                }
            }
            Ty::Array(..) if self.is_tile_static(&index.expr) => {
                let (base, at) = (
                    self.shapes.shape(&index.expr),
                    self.shapes.shape(&index.index),
                );
                (base.is_of_row() && at == Shape::Step).then_some(Hoisted::Items)
            }
            _ => None,
        }
    }

    /// Whether a place is one of the tile.
    fn is_tile_static(&self, place: &Expr) -> bool {
        match bare(place) {
            Expr::Index(index) => self.is_tile_static(&index.expr),
            Expr::Field(field) => self.is_tile_static(&field.base),
            path @ Expr::Path(_) => matches!(
                self.shapes.function.typed.of(path).path,
                Some(Resolved::TileStatic(_))
            ),
            _ => false,
        }
    }

    fn reads(&mut self, expr: &Expr) {
        self.read
            .extend(self.shapes.read(|read| read.visit_expr(expr)));
    }

    /// Goes over an expression in the order in which it is evaluated.
    fn expr(&mut self, expr: &Expr) {
        let this = bare(expr);
        if !self.conditional && !self.acts {
            let hoisted = match self.of_row(this) {
                Some(hoisted) if !self.shapes.quiet.may_act(index_of(this)) => Some(hoisted),
                _ => {
                    let is_once = self.shapes.shape(this).is_of_row();
                    (is_once && self.shapes.quiet.may_act(this)).then_some(Hoisted::Value)
                }
            };
            if let Some(hoisted) = hoisted {
                self.reads(this);
                let id = self.shapes.function.typed.id(this);
                self.hoisted.push((id, hoisted));
                return;
            }
        }
        match this {
            Expr::Assign(assign) => {
                self.expr(&assign.right);
                self.place(&assign.left);
                return;
            }
            Expr::Binary(binary) => match BinaryKind::of(&binary.op) {
                BinaryKind::Assign(_) => {
                    self.expr(&binary.right);
                    self.place(&binary.left);
                }
                BinaryKind::Lazy(_) => {
                    self.expr(&binary.left);
                    self.sometimes(&binary.right);
                }
                BinaryKind::Plain(_) => {
                    self.expr(&binary.left);
                    self.expr(&binary.right);
                }
            },
            Expr::Unary(unary) => self.expr(&unary.expr),
            Expr::Cast(cast) => self.expr(&cast.expr),
            Expr::Field(field) => self.expr(&field.base),
            Expr::Reference(reference) => self.place(&reference.expr),
            Expr::Index(index) => {
                self.place(&index.expr);
                self.expr(&index.index);
            }
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.expr(part)),
            Expr::Array(array) => array.elems.iter().for_each(|part| self.expr(part)),
            Expr::Call(call) => call.args.iter().for_each(|part| self.expr(part)),
            Expr::MethodCall(call) => {
                match self.shapes.assigns_to_receiver(this) {
                    true => self.sometimes(&call.receiver),
                    false => self.expr(&call.receiver),
                }
                call.args.iter().for_each(|part| self.expr(part));
            }
            Expr::If(branch) => {
                self.expr(&branch.cond);
                let around = std::mem::replace(&mut self.conditional, true);
                branch
                    .then_branch
                    .stmts
                    .iter()
                    .for_each(|stmt| self.inner(stmt));
                if let Some((_, otherwise)) = &branch.else_branch {
                    self.expr(otherwise);
                }
                self.conditional = around;
            }
            Expr::Block(block) => {
                let around = std::mem::replace(&mut self.conditional, true);
                block.block.stmts.iter().for_each(|stmt| self.inner(stmt));
                self.conditional = around;
            }
            Expr::Path(_) | Expr::Lit(_) => {}
            // Loops, whose rounds are one thread's; and whatever else there is.
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) | Expr::Match(_) => {
                self.acts_as_thread(true);
            }
            other => self.sometimes(other),
        }
        match self.shapes.quiet.is_atomic(this) {
            true => self.acts = true,
            false => self.acts_as_thread(self.shapes.quiet.acts(this)),
        }
    }

    /// A thread may fault, or do what its number is asked for.
    fn acts_as_thread(&mut self, acts: bool) {
        self.acts |= acts;
        self.enters |= acts;
    }

    fn inner(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Local(local) => {
                if let Some(init) = &local.init {
                    self.expr(&init.expr);
                }
            }
            Stmt::Expr(expr, _) => self.expr(expr),
            Stmt::Item(_) => {}
            Stmt::Macro(_) => self.acts_as_thread(true),
        }
    }

    /// What may not be evaluated, or in another order.
    fn sometimes(&mut self, expr: &Expr) {
        self.acts_as_thread(self.shapes.quiet.may_act(expr));
    }

    /// A place, which is not read as a whole.
    fn place(&mut self, place: &Expr) {
        match bare(place) {
            Expr::Index(index) => {
                // A variable is not accessed before its index is known.
                match bare(&index.expr) {
                    Expr::Path(_) => {
                        self.expr(&index.index);
                        self.place(&index.expr);
                    }
                    base => {
                        self.place(base);
                        self.expr(&index.index);
                    }
                }
                self.acts_as_thread(self.shapes.quiet.acts(bare(place)));
            }
            Expr::Field(field) => self.place(&field.base),
            // A tile_static variable is the threads' of the tile.
            path @ Expr::Path(_) => self.acts |= self.is_tile_static(path),
            other => self.expr(other),
        }
    }
}

/// Finds writes to tile_static variables.
struct TileWrites<'w, 's, 'a>(&'w mut Scan<'s, 'a>);

impl<'ast> Visit<'ast> for TileWrites<'_, '_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let written = match expr {
            Expr::Assign(assign) => Some(&*assign.left),
            Expr::Binary(binary) => Some(&*binary.left),
            Expr::Reference(reference) => Some(&*reference.expr),
            Expr::MethodCall(call) => Some(&*call.receiver),
            _ => None,
        };
        let is_written = match expr {
            Expr::Binary(binary) => matches!(BinaryKind::of(&binary.op), BinaryKind::Assign(_)),
            Expr::MethodCall(_) => self.0.shapes.assigns_to_receiver(expr),
            _ => true,
        };
        self.0.writes_tile |=
            is_written && written.is_some_and(|place| self.0.is_tile_static(place));
        visit::visit_expr(self, expr);
    }
}

fn index_of(place: &Expr) -> &Expr {
    match place {
        Expr::Index(index) => &index.index,
        other => other,
    }
}

/// The variables that live in several regions.
pub(super) fn crossing(regions: &[&Region], shapes: &Shapes<'_>) -> HashSet<LocalId> {
    let mut first: HashMap<LocalId, usize> = HashMap::new();
    let mut crossing = HashSet::new();
    for region in regions {
        let locals = region
            .declared
            .iter()
            .chain(&region.used)
            .chain(&region.assigned);
        for local in locals {
            let index = *first.entry(*local).or_insert(region.id);
            if index != region.id {
                crossing.insert(*local);
            }
        }
    }
    crossing.retain(|local| shapes.of_local(*local) != Shape::Uniform);
    crossing
}
