//! Helpers with references: their bodies are put where they are called, with the place
//! behind each reference in the reference's stead.
//!
//! So a reference needs no pointer, whatever memory the place is in, and every check
//! sees what is really read and written. The indices on the way to a place are computed
//! once, by the call.

use std::collections::HashMap;

use amp_spirv::tree::{self, ExprKind};
use syn::Expr;

use super::{
    FnLower, bundle,
    frame::{Exit, Frame},
    load, local_place, sequence,
    slice::Slice,
    usize_literal,
};
use crate::infer::{FunctionDef, Program, Ty};

/// Whether a function is put where it is called.
pub fn is_inlined(program: &Program, function: &FunctionDef) -> bool {
    let stands_for_another = |ty: &Ty| match ty {
        Ty::Reference { .. } | Ty::Bundle(_) | Ty::Closure(_) => true,
        Ty::Param(index) => program.type_params[*index].closure.is_some(),
        _ => false,
    };
    let mut params = function.params.iter();
    let keeps = |ty: &Ty| program.holds_kept_slice(ty);
    matches!(function.result, Ty::View(_) | Ty::Reference { .. })
        || keeps(&function.result)
        || params.clone().any(|param| keeps(&param.ty))
        || params.any(|param| stands_for_another(&param.ty))
}

impl<'p> FnLower<'_, 'p> {
    /// The call of an inlined helper.
    pub(super) fn inline(
        &mut self,
        index: usize,
        arguments: &[&Expr],
        span: tree::Span,
    ) -> tree::Expr {
        let mut statements = Vec::new();
        let callee = &self.program.functions[index];
        let result = self.consts.ty(&callee.result);
        let frame = self.opened(index, arguments, result, &mut statements);
        let value = self.put(frame, span, |lower| lower.block(&callee.item.block));
        sequence(statements, value)
    }

    /// The view that an inlined helper returns; what the helper does goes into `statements`.
    pub(super) fn returned_view(
        &mut self,
        index: usize,
        arguments: &[&Expr],
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Expr {
        let callee = &self.program.functions[index];
        // Nothing leaves such a helper early.
        let frame = self.opened(index, arguments, tree::Type::Unit, statements);
        let caller = std::mem::replace(&mut self.frame, frame);
        let view = self.last_view(&callee.item.block, statements);
        self.frame = caller;
        view
    }

    /// A helper's body as it stands in the caller.
    pub(super) fn opened(
        &mut self,
        index: usize,
        arguments: &[&Expr],
        result: tree::Type,
        statements: &mut Vec<tree::Statement>,
    ) -> Frame<'p> {
        let callee = &self.program.functions[index];
        let first_local = self.locals.len() as u32;
        for (position, local) in callee.typed.locals.iter().enumerate() {
            let ty = match &local.ty {
                // These are no variables: something of the caller stands for them.
                Ty::Reference { .. } => tree::Type::Unit,
                Ty::View(_) if position < callee.params.len() => tree::Type::Unit,
                ty => self.consts.ty(ty),
            };
            let span = self.spans.add(local.span);
            self.locals.push(tree::Local {
                name: local.name.clone(),
                ty,
                span,
            });
        }
        let mut references = HashMap::new();
        let mut slices = HashMap::new();
        let mut params = HashMap::new();
        let mut bundles = HashMap::new();
        let mut closures = HashMap::new();
        for (position, (param, argument)) in callee.params.iter().zip(arguments).enumerate() {
            let local = tree::LocalId(first_local + position as u32);
            match &param.ty {
                ty if bundle::taken(ty).is_some() => {
                    let own = tree::LocalId(position as u32);
                    bundles.insert(own, self.passed_bundle(argument));
                }
                Ty::Reference { target, .. } if matches!(**target, Ty::Slice(_)) => {
                    let slice = self.slice(argument, statements);
                    let own = tree::LocalId(position as u32);
                    let changes = callee.typed.assigned_slices.contains(&own);
                    let span = self.span(*argument);
                    slices.insert(local, self.named_as(slice, changes, span, statements));
                }
                Ty::Reference { .. } => {
                    let mut place = self.borrowed(argument, statements);
                    let own = tree::LocalId(position as u32);
                    if callee.typed.assigned_references.contains(&own) {
                        place = self.reassigned(place, statements);
                    }
                    references.insert(local, place);
                }
                Ty::View(_) => {
                    let view = self.named_view(argument, statements);
                    params.insert(tree::LocalId(position as u32), view);
                }
                Ty::Closure(index) => {
                    closures.insert(*index, self.closure(*index));
                }
                Ty::Barrier => {}
                _ => {
                    let value = Some(self.expr(argument));
                    statements.push(tree::Statement::Let { local, value });
                }
            }
        }
        let label = self.next_label;
        let first_label = label + 1;
        self.next_label = first_label + callee.typed.labels_used;
        let label = tree::LabelId(label);
        Frame {
            function: callee,
            first_local,
            first_label,
            first_tile_static: self.tile_statics[index],
            references,
            slices,
            params,
            bundles,
            closures,
            exit: Some(Exit {
                label,
                result,
                taken: false,
            }),
            choice: None,
        }
    }

    /// The place behind an argument that is a reference. A value that has no place gets
    /// one.
    pub(super) fn borrowed(
        &mut self,
        argument: &Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Place {
        let inner = match argument {
            Expr::Reference(reference) => &*reference.expr,
            other => other,
        };
        let outer = std::mem::take(&mut self.pending);
        let place = self.place(inner);
        statements.append(&mut std::mem::replace(&mut self.pending, outer));
        let Some(mut place) = place else {
            let value = self.plain_value(inner);
            let (ty, span) = (value.ty.clone(), value.span);
            let local = self.temporary("borrowed", ty.clone(), span);
            let value = Some(value);
            statements.push(tree::Statement::Let { local, value });
            return local_place(local, ty, span);
        };
        if let tree::Root::Element { index, .. } = &mut place.root {
            self.once(index, statements);
        }
        for projection in &mut place.projections {
            if let tree::Projection::Index(index) = projection {
                self.once(index, statements);
            }
        }
        self.unassigned(place, statements)
    }

    /// `&[]`: no element of an array, since devices have no empty ones.
    pub(super) fn empty_slice(
        &mut self,
        element: tree::Type,
        span: tree::Span,
        statements: &mut Vec<tree::Statement>,
    ) -> Slice {
        let ty = tree::Type::Array(Box::new(element), tree::Len::Literal(1));
        let local = self.temporary("nothing", ty.clone(), span);
        statements.push(tree::Statement::Let { local, value: None });
        let array = Slice::whole(local_place(local, ty, span));
        self.first_of(array, usize_literal(0, span), statements)
    }

    /// A variable for a value.
    pub(super) fn named(
        &mut self,
        name: &str,
        value: tree::Expr,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::LocalId {
        let local = self.temporary(name, value.ty.clone(), value.span);
        let value = Some(value);
        statements.push(tree::Statement::Let { local, value });
        local
    }

    /// A value that is used more than once.
    pub(super) fn kept(
        &mut self,
        value: tree::Expr,
        name: &str,
        statements: &mut Vec<tree::Statement>,
    ) -> tree::Expr {
        if matches!(value.kind, ExprKind::Literal(_) | ExprKind::Const(_)) {
            return value;
        }
        let (ty, span) = (value.ty.clone(), value.span);
        let local = self.named(name, value, statements);
        load(local_place(local, ty, span))
    }

    /// Computes an index here, and leaves its variable where it stands.
    pub(super) fn once(&mut self, index: &mut tree::Expr, statements: &mut Vec<tree::Statement>) {
        if matches!(index.kind, ExprKind::Literal(_) | ExprKind::Const(_)) {
            return;
        }
        let (ty, span) = (index.ty.clone(), index.span);
        let local = self.temporary("place", ty.clone(), span);
        let value = Some(std::mem::replace(index, load(local_place(local, ty, span))));
        statements.push(tree::Statement::Let { local, value });
    }
}
