//! Views that helpers return.
//!
//! Such a view is made of the one view, or struct with views, that the helper takes, so that
//! it is known whose elements it has. It is what the body ends with, not what an early
//! `return` gives, and the caller names it by a `let`.

use amp_spirv::diagnostic::Code;
use syn::{Block, Expr, ItemFn, Stmt, Type};

use super::{
    bundle,
    context::FnCx,
    node::bare,
    program::ParamDef,
    ty::Ty,
    type_expr::{TypeScope, read_view_path},
};
use crate::attribute::TaskKind;

/// The parameter that a returned view is made of: the first, if a method is called on it,
/// else the only one that can be.
pub fn source(params: &[ParamDef]) -> Option<usize> {
    let can_be = |param: &ParamDef| match &param.ty {
        Ty::View(_) => true,
        Ty::Reference { target, .. } => matches!(**target, Ty::Bundle(_)),
        _ => false,
    };
    if params.first().is_some_and(|first| first.ident == "self") {
        return params.first().filter(|first| can_be(first)).map(|_| 0);
    }
    let mut found = params.iter().enumerate().filter(|(_, param)| can_be(param));
    match (found.next(), found.next()) {
        (Some((position, _)), None) => Some(position),
        _ => None,
    }
}

/// The type of a helper's result, if that is a view.
pub fn result(
    ty: &Type,
    item: &ItemFn,
    params: &[ParamDef],
    kind: TaskKind,
    scope: &mut impl TypeScope,
) -> Option<Ty> {
    let (path, mutable) = bundle::view_path(ty)?;
    if kind == TaskKind::Kernel {
        return None;
    }
    let generics = &item.sig.generics;
    if generics.type_params().next().is_some() || generics.const_params().next().is_some() {
        scope.report().error_help(
            Code::ViewValue,
            ty,
            "a view that a generic helper returns",
            "return what the view is made with, such as its origin and extent",
        );
        return Some(Ty::Error);
    }
    let of = source(params).map(|position| &params[position].ty);
    let (message, help) = match of {
        None => (
            "a returned view must be made of one parameter",
            "take one view, or one struct with views by reference, and everything else as values",
        ),
        Some(Ty::View(of)) if mutable && !of.mutable => (
            "a writable view made of one that is only read",
            "take the view as `&mut ArrayViewMut<T, N>`, or return an `ArrayView<'_, T, N>`",
        ),
        Some(Ty::Reference { mutable: false, .. }) if mutable => (
            "a writable view made of what is only read",
            "take the struct as `&mut`, or return an `ArrayView<'_, T, N>`",
        ),
        Some(_) => return Some(read_view_path(path, mutable, scope)),
    };
    scope
        .report()
        .error_help(Code::Signature, ty, message, help);
    Some(Ty::Error)
}

impl FnCx<'_> {
    /// Whether an expression makes a view that a `let` can name.
    pub fn makes_view(&self, expr: &Expr) -> bool {
        let expr = bare(expr);
        match expr {
            Expr::Block(block) => block.label.is_none() && self.ends_with_view(&block.block),
            _ => self.is_derived(expr) || self.is_returned(expr),
        }
    }

    /// Whether an expression calls a helper that returns a view.
    pub fn is_returned(&self, expr: &Expr) -> bool {
        self.typed.of(expr).helper().is_some() && matches!(self.typed.ty(expr), Ty::View(_))
    }

    fn ends_with_view(&self, block: &Block) -> bool {
        match block.stmts.last() {
            Some(Stmt::Expr(value, None)) => self.makes_view(value),
            _ => false,
        }
    }

    /// Refuses a panic in a helper that returns a view: it would have none to return.
    pub fn check_panic(&mut self, place: &Expr) {
        if matches!(self.result, Ty::View(_)) {
            self.report.error_help(
                Code::ViewValue,
                place,
                "a panic in a helper that returns a view",
                "check before it is called; a part that does not lie in its view is a fault",
            );
        }
    }

    /// Refuses a slice, a view or a struct with views as a statement: naming it does nothing.
    pub fn check_statement(&mut self, expr: &Expr, ty: &Ty) {
        if let Ty::Slice(_) = self.unifier.shallow(ty) {
            self.slice_value(expr);
        }
        if matches!(self.unifier.shallow(ty), Ty::View(_)) || self.is_bundle(ty) {
            self.report.error_help(
                Code::ViewValue,
                expr,
                "a view as a statement, which does nothing",
                "index it, name it by `let`, or leave it out",
            );
        }
    }

    /// Checks what a helper that returns a view ends with.
    pub fn check_returned(&mut self, item: &ItemFn, found: &Ty) {
        let is_view = matches!(self.result, Ty::View(_));
        let is_possible = match self.unifier.shallow(found) {
            Ty::View(_) => true,
            // A panic has been reported.
            Ty::Never => self.report.is_clean(),
            _ => false,
        };
        if is_view && is_possible && !self.ends_with_view(&item.block) {
            self.report.error_help(
                Code::ViewValue,
                super::cause::ValueOf(&item.block),
                "this helper does not end with a view that it makes",
                "end with what is made of a view: `a.section(origin, extent)`",
            );
        }
    }
}
