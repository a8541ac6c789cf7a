//! The body that is being lowered: a function's own, or one that is put into it.
//!
//! A body that is put into another keeps its own tables, which number its variables,
//! labels and tile_static variables from zero. Its frame says which of the function's
//! they are, and what stands for the parameters that are no variables there.

use std::collections::HashMap;

use amp_spirv::tree;
use syn::{Expr, ExprClosure, PatIdent};

use super::{FnLower, slice::Slice};
use crate::infer::{FunctionDef, Node, Resolved};

/// See the module's documentation.
#[derive(Clone)]
pub(super) struct Frame<'p> {
    /// Whose tables the syntax nodes are keys of.
    pub function: &'p FunctionDef,
    /// The function's variable that the body's first one is.
    pub first_local: u32,
    /// The function's label that the body's first one is.
    pub first_label: u32,
    /// The module's tile_static variable that the body's first one is.
    pub first_tile_static: u32,
    /// The places behind parameters that are references, by variable of the function.
    pub references: HashMap<tree::LocalId, tree::Place>,
    /// The slices behind those that refer to one, by variable of the function.
    pub slices: HashMap<tree::LocalId, Slice>,
    /// The function's variables that the body's parameters are, where these have others
    /// than their own: the caller's views, or parameters behind a bundle's.
    pub params: HashMap<tree::LocalId, tree::LocalId>,
    /// What stands for the body's bundles, by variable of the body.
    pub bundles: HashMap<tree::LocalId, Part>,
    /// Closures that were passed to the body.
    pub closures: HashMap<usize, Closure<'p>>,
    /// What `return` leaves, where it is not the function.
    pub exit: Option<Exit>,
    /// The places among which the body chooses one to write.
    pub choice: Option<Choice>,
}

/// The places that a body may return, to write.
#[derive(Clone)]
pub(super) struct Choice {
    /// The variable for a copy of the one that is chosen.
    pub copy: tree::Place,
    /// Those that have been found.
    pub places: Vec<tree::Place>,
    /// What declares the variables that they name.
    pub variables: Vec<tree::Statement>,
}

/// The end of a body that stands in another.
#[derive(Clone)]
pub(super) struct Exit {
    /// The block that a `return` leaves.
    pub label: tree::LabelId,
    /// Type of the result.
    pub result: tree::Type,
    /// Whether anything leaves it.
    pub taken: bool,
}

impl<'p> Frame<'p> {
    /// A function's own body; its parameters are this many in the module.
    pub fn own(function: &'p FunctionDef, params: u32, first_tile_static: u32) -> Self {
        Frame {
            function,
            first_local: params - function.params.len() as u32,
            first_label: 0,
            first_tile_static,
            references: HashMap::new(),
            slices: HashMap::new(),
            params: HashMap::new(),
            bundles: HashMap::new(),
            closures: HashMap::new(),
            exit: None,
            choice: None,
        }
    }

    pub fn local(&self, local: tree::LocalId) -> tree::LocalId {
        match self.params.get(&local) {
            Some(param) => *param,
            None => tree::LocalId(self.first_local + local.0),
        }
    }
}

impl<'p> FnLower<'_, 'p> {
    /// A body as it stands in another: a block, which has a label if anything leaves it early.
    pub(super) fn put(
        &mut self,
        frame: Frame<'p>,
        span: tree::Span,
        body: impl FnOnce(&mut Self) -> tree::Block,
    ) -> tree::Expr {
        let outer = std::mem::replace(&mut self.frame, frame);
        let body = body(self);
        let frame = std::mem::replace(&mut self.frame, outer);
        let (kind, ty) = match frame.exit {
            Some(Exit {
                label,
                result,
                taken: true,
            }) => (tree::ExprKind::LabelledBlock(label, Box::new(body)), result),
            _ => {
                let ty = body.ty.clone();
                (tree::ExprKind::Block(Box::new(body)), ty)
            }
        };
        tree::Expr { kind, ty, span }
    }

    /// What the path at a node means, in numbers of the function and the module.
    pub(super) fn resolved(&self, node: impl Node) -> Option<Resolved> {
        let frame = &self.frame;
        Some(match frame.function.typed.of(node).path? {
            Resolved::Local(local) => Resolved::Local(frame.local(local)),
            Resolved::TileStatic(tree::TileStaticId(id)) => {
                Resolved::TileStatic(tree::TileStaticId(frame.first_tile_static + id))
            }
            meaning @ (Resolved::Const(_)
            | Resolved::Known(_)
            | Resolved::Variant { .. }
            | Resolved::Case { .. }
            | Resolved::Unit) => meaning,
        })
    }

    /// The variable that a pattern declares.
    pub(super) fn declared(&self, ident: &PatIdent) -> Option<tree::LocalId> {
        let local = self.frame.function.typed.of(ident).local?;
        Some(self.frame.local(local))
    }

    /// The label of a loop, a labelled block or a jump.
    pub(super) fn label(&self, expr: &Expr) -> Option<tree::LabelId> {
        let tree::LabelId(label) = self.frame.function.typed.of(expr).label?;
        Some(tree::LabelId(self.frame.first_label + label))
    }

    /// Where a `break` or `continue` leads.
    pub(super) fn target(&self, jump: &Expr) -> tree::LabelId {
        match self.label(jump) {
            Some(label) => label,
            None => unreachable!("inference refuses jumps that lead nowhere"),
        }
    }

    /// `return value`
    pub(super) fn leave(&mut self, value: Option<tree::Expr>) -> tree::ExprKind {
        let value = value.map(Box::new);
        match &mut self.frame.exit {
            Some(exit) => {
                exit.taken = true;
                tree::ExprKind::Break(exit.label, value)
            }
            None => tree::ExprKind::Return(value),
        }
    }

    /// What `panic!` does after its message: leaves with zero.
    pub(super) fn leave_with_zero(&mut self, span: tree::Span) -> tree::Expr {
        let expr = |kind, ty| tree::Expr { kind, ty, span };
        let kind = match self.frame.exit.clone() {
            None => tree::ExprKind::Panic,
            Some(exit) => {
                let zero = match exit.result {
                    tree::Type::Unit | tree::Type::Never => None,
                    ty => Some(expr(tree::ExprKind::Zero, ty)),
                };
                self.leave(zero)
            }
        };
        expr(kind, tree::Type::Never)
    }
}

/// What stands for a bundle or a part of one.
#[derive(Clone)]
pub(super) enum Part {
    /// A view, by its name.
    View(tree::LocalId),
    /// A value, where it lies. It is never assigned.
    Value(tree::Place),
    /// A bundle, with its parts in the order of the fields.
    Bundle(usize, Vec<Part>),
}

/// A closure, and the body whose variables it sees.
#[derive(Clone)]
pub(super) struct Closure<'p> {
    pub syntax: &'p ExprClosure,
    pub frame: Frame<'p>,
}
