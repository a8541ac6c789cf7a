//! References to values: parameters of helpers that name a place of the caller.
//!
//! A reference is no value. It is made by `&x` or `&mut x` where a helper is called,
//! passed on by its name, and read and written through `*`; it is never kept, and never
//! returned. So each call has one place behind each reference, which `lower` puts in the
//! reference's stead. That no two of them overlap is for rustc to prove, on the host version.

use amp_spirv::diagnostic::Code;
use syn::{Expr, ExprReference, ItemFn, TypeReference};

use super::{
    context::FnCx,
    node::bare,
    program::ParamDef,
    ty::{Kind, Ty},
    type_expr::{TypeScope, read_type},
};
use crate::report::Report;

/// The type of a helper's parameter that is written as a reference to a value.
pub fn parameter(reference: &TypeReference, scope: &mut impl TypeScope) -> Ty {
    if let Some(lifetime) = &reference.lifetime {
        scope.report().error_help(
            Code::Signature,
            lifetime,
            "kernel code has no lifetimes",
            "leave it out: `&T` or `&mut T`",
        );
    }
    let target = read_type(&reference.elem, scope);
    let help = match &target {
        Ty::Error => return Ty::Error,
        Ty::Tiled(_) => "a tiled index is passed by value",
        Ty::Barrier => "take the barrier as `&TileBarrier`",
        Ty::Unit | Ty::Never => "it has no value; leave the parameter out",
        _ => {
            return Ty::Reference {
                mutable: reference.mutability.is_some(),
                target: Box::new(target),
            };
        }
    };
    scope.report().error_help(
        Code::Reference,
        reference,
        "a reference to this type cannot be a parameter",
        help,
    );
    Ty::Error
}

/// Why a place behind a reference cannot be assigned; `whole` if it is the reference
/// itself that is.
pub fn unwritable(mutable: bool, whole: bool) -> Option<(&'static str, &'static str)> {
    if whole {
        Some((
            "a reference cannot be assigned",
            "assign what it refers to: `*x = value`",
        ))
    } else if !mutable {
        Some((
            "what a `&T` refers to cannot be assigned",
            "take the parameter as `&mut T`",
        ))
    } else {
        None
    }
}

/// Refuses a function that holds a place by reference while others of its tile run.
pub fn check_waiting(item: &ItemFn, params: &[ParamDef], report: &mut Report) {
    let waits = |param: &ParamDef| matches!(param.ty, Ty::Tiled(_) | Ty::Barrier);
    // The fields of a bundle never change.
    let refers = |param: &ParamDef| match &param.ty {
        Ty::Reference { target, .. } => !matches!(**target, Ty::Bundle(_)),
        _ => false,
    };
    if params.iter().any(waits) && params.iter().any(refers) {
        report.error_help(
            Code::Implementation,
            &item.sig.ident,
            "a function of an `impl` block with a reference and a tile",
            "take `self` by value, or write an `#[amp_fn]`: others may change the place at a barrier",
        );
    }
}

impl FnCx<'_> {
    /// Type of `&x` or `&mut x` as an argument.
    pub fn borrowed(&mut self, argument: &Expr, reference: &ExprReference) -> Ty {
        let mut found = self.passed_view(&reference.expr, true);
        let mutable = reference.mutability.is_some();
        if let Ty::View(view) = &mut found {
            view.mutable &= mutable;
        }
        let refused = match self.unifier.shallow(&found) {
            Ty::View(_) | Ty::Barrier | Ty::Closure(_) | Ty::Error | Ty::Never => None,
            Ty::Param(index) if self.program.type_params[index].closure.is_some() => None,
            Ty::Reference { .. } => Some((
                "a reference to a reference",
                "a reference is passed on by its name: `helper(x)`",
            )),
            Ty::Bundle(_) => {
                let target = Box::new(self.known_bundle(&reference.expr, found));
                let refused = mutable && !self.lends(&reference.expr);
                if *target == Ty::Error || refused {
                    return Ty::Error;
                }
                let ty = Ty::Reference { mutable, target };
                self.typed.note(argument).ty = Some(ty.clone());
                return ty;
            }
            Ty::Tiled(_) | Ty::Unit => Some((
                "a reference to something that is passed by value",
                "leave the `&` out",
            )),
            target => {
                let target = Box::new(target);
                let ty = Ty::Reference { mutable, target };
                self.typed.note(argument).ty = Some(ty.clone());
                if mutable && !self.writable(&reference.expr) {
                    self.unifier.poison(&ty);
                    return Ty::Error;
                }
                return ty;
            }
        };
        if let Some((message, help)) = refused {
            self.report
                .error_help(Code::Reference, argument, message, help);
            return Ty::Error;
        }
        self.typed.note(argument).ty = Some(found.clone());
        found
    }

    /// An argument that is a reference already: it has a name.
    pub fn reference_by_name(&mut self, argument: &Expr, ty: Ty) -> Ty {
        if matches!(self.unifier.shallow(&ty), Ty::Reference { .. })
            && !matches!(argument, Expr::Path(_))
        {
            self.report.error_help(
                Code::Reference,
                argument,
                "a reference that depends on more than its name",
                "pass it on by its name, or choose before the place is named",
            );
            return Ty::Error;
        }
        ty
    }

    /// Refuses a reference where a value is wanted.
    pub fn not_a_reference(&mut self, expr: &Expr, ty: Ty) -> Ty {
        if !matches!(self.unifier.shallow(&ty), Ty::Reference { .. }) {
            return ty;
        }
        self.report.error_help(
            Code::Reference,
            expr,
            "a reference is not a value",
            "read what it refers to: `*x`",
        );
        Ty::Error
    }

    /// Type of an operand of arithmetic, which looks behind a `&T` to a number, as Rust does.
    pub fn operand(&mut self, operand: &Expr) -> Ty {
        let found = self.expr(operand);
        let is_number = match self.unifier.shallow(&found) {
            Ty::Reference {
                mutable: false,
                target,
            } => match self.unifier.shallow(&target) {
                Ty::Scalar(_) => true,
                Ty::Var(var) => self.unifier.kind(var) != Kind::Any,
                _ => false,
            },
            _ => false,
        };
        match is_number {
            true => self.behind(operand, found),
            false => self.kept(operand, found),
        }
    }

    /// Type of `*inner`.
    pub fn dereference(&mut self, expr: &Expr, inner: &Expr) -> Ty {
        let found = self.expr(inner);
        match self.unifier.shallow(&found) {
            Ty::Reference { target, .. } => {
                let named = self.reference_by_name(bare(inner), found);
                if named == Ty::Error {
                    return Ty::Error;
                }
                *target
            }
            Ty::Error => Ty::Error,
            other => {
                let help = match other {
                    Ty::View(_) => "views are indexed as they are: `a[i]`",
                    _ => "it is a value already: leave the `*` out",
                };
                let message = format!(
                    "{} is dereferenced, which is no reference",
                    self.show(&other)
                );
                self.unifier.poison(&other);
                self.report.error_help(Code::Reference, expr, message, help);
                Ty::Error
            }
        }
    }

    /// Type of what a field, an element or a method is taken of: as Rust does, it looks
    /// behind a reference.
    pub fn owner_of(&mut self, owner: &Expr) -> Ty {
        let found = self.expr(owner);
        self.behind(owner, found)
    }

    /// What is behind an expression's type, if it is a reference.
    fn behind(&mut self, owner: &Expr, found: Ty) -> Ty {
        let found = self.unifier.shallow(&found);
        let Ty::Reference { target, .. } = &found else {
            return found;
        };
        let name = bare(owner);
        if self.reference_by_name(name, found.clone()) == Ty::Error {
            return Ty::Error;
        }
        let target = self.unifier.shallow(target);
        for node in [owner, name] {
            self.typed.note(node).ty = Some(target.clone());
        }
        self.typed.note(name).dereferenced = true;
        target
    }
}
