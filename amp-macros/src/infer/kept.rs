//! References to read as values: what an `Option<&T>` has in it.
//!
//! Nothing changes a place that such a reference names, so on a device it is what is at the place; the host
//! version has a reference, for rustc to prove this. It is made by `Some(&place)`, from any reference to read,
//! and is looked behind where a reference is. Left out are references to write, and to slices.

use amp_spirv::diagnostic::Code;
use syn::{Expr, ExprCall, GenericArgument, PathArguments, Type};

use super::{
    context::FnCx,
    node::bare,
    program::Program,
    ty::Ty,
    type_expr::{TypeScope, read_type},
};
use crate::language::name::{KEPT, path_key, standard_type};

/// What is wrong with a reference into a copy of what other threads may use.
pub const KEPT_FROM_SHARED: &str = "a reference that a function returns, into memory that other \
     threads may use, is kept";

/// The type that is written as `Option<&T>`, if one is.
pub fn option(ty: &Type, scope: &mut impl TypeScope) -> Option<Ty> {
    let Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    let [GenericArgument::Type(Type::Reference(reference))] =
        &*arguments.args.iter().collect::<Vec<_>>()
    else {
        return None;
    };
    let key = path_key(&path.path);
    let is_option = standard_type(&key).is_some_and(|(name, _)| name == "Option");
    let is_kept = reference.mutability.is_none() && !matches!(*reference.elem, Type::Slice(_));
    if !is_option || !is_kept || scope.meaning(&key).is_some() {
        return None;
    }
    let target = read_type(&reference.elem, scope);
    let kept = scope.program_mut().core_type(KEPT, [&target])?;
    scope.program_mut().core_type("Option", [&kept])
}

impl Program {
    /// What a reference that is a value refers to.
    pub fn kept<'t>(&self, ty: &'t Ty) -> Option<&'t Ty> {
        match ty {
            Ty::Struct(_, applied) if self.core_name(ty) == Some(KEPT) => applied.types.first(),
            _ => None,
        }
    }

    /// Whether a type has such a reference in it.
    pub fn holds_kept(&self, ty: &Ty) -> bool {
        self.kept(ty).is_some() || ty.parts().any(|part| self.holds_kept(part))
    }
}

impl FnCx<'_> {
    /// Type of `Some(&place)`, if a call is one of these; `wanted` is that of its argument.
    pub fn some_of_reference(&mut self, call: &ExprCall, wanted: &[Ty]) -> bool {
        let (Expr::Path(path), [argument], [wanted]) =
            (&*call.func, &*call.args.iter().collect::<Vec<_>>(), wanted)
        else {
            return false;
        };
        if !path_key(&path.path).ends_with("Some") || !self.refers(argument) {
            return false;
        }
        let found = match argument {
            slice if self.wanted_slices.contains_key(&self.typed.id(*slice)) => self.expr(slice),
            Expr::Reference(reference) => self.borrowed(argument, reference),
            argument => self.expr(argument),
        };
        let found = self.unifier.shallow(&found);
        if !found.is_reference() {
            self.expect(&found, wanted, *argument);
        } else if let Some(kept) = self.kept_slice_type(&found) {
            if self.expect(&kept, wanted, *argument) {
                self.keep_slice(argument, &found, &kept);
            }
        } else if let Some(kept) = self.program.core_type(KEPT, [found.target()]) {
            let agrees = self.expect(&kept, wanted, *argument);
            self.keep(argument, &found, agrees);
        }
        true
    }

    /// Makes a reference a value, if it agrees with what is wanted; whether it may be one.
    pub fn keep(&mut self, argument: &Expr, found: &Ty, agrees: bool) -> bool {
        let Ty::Reference { mutable, target } = found else {
            return false;
        };
        let target = self.unifier.shallow(target);
        let refused = if *mutable {
            Some((
                "a `&mut` reference in an `Option`",
                "keep the index, `Some(i)`, and refer to the place where it is written",
            ))
        } else if matches!(target, Ty::Slice(_)) || self.is_bundle(&target) {
            Some((
                "a reference to a slice, or to a struct with views, in an `Option`",
                "keep where it starts and ends: `Some(i..j)`",
            ))
        } else if self.may_change(argument) {
            Some((
                "a reference to a place that other threads may change, kept as an `Option`",
                "keep the index, `Some(i)`, or the value, `Some(a[i])`",
            ))
        } else if self.is_lent(argument) {
            Some((KEPT_FROM_SHARED, "keep the index, or the value"))
        } else {
            None
        };
        if let Some((message, help)) = refused {
            self.report
                .error_help(Code::Reference, argument, message, help);
        }
        let is_kept = agrees && refused.is_none();
        self.typed.note(argument).is_kept = is_kept;
        is_kept
    }

    /// What is behind a reference that is a value, if a type is one.
    pub fn behind_kept(&mut self, owner: &Expr, found: &Ty) -> Option<Ty> {
        let target = self.program.kept(&self.unifier.shallow(found))?.clone();
        let target = self.unifier.shallow(&target);
        for node in [owner, bare(owner)] {
            self.typed.note(node).ty = Some(target.clone());
        }
        self.typed.note(bare(owner)).dereferenced = true;
        Some(target)
    }

    /// Refuses to assign a reference that a function finds in a copy of what other threads may use.
    pub fn check_kept(&mut self, ty: &Ty, value: &Expr) {
        let ty = self.unifier.deep(ty);
        if self.program.holds_kept(&ty) && self.finds_lent(value) {
            self.report.error_help(
                Code::Reference,
                value,
                KEPT_FROM_SHARED,
                "name it by a `let`, keep the index, or copy the value: `find(..).copied()`",
            );
        }
    }

    fn finds_lent(&self, value: &Expr) -> bool {
        let value = bare(value);
        let found = self.typed.of(value).helper().is_some_and(|index| {
            let is_own = !self.program.is_standard(index);
            is_own
                && self
                    .program
                    .holds_kept(&self.program.functions[index].result)
        });
        let is_shared = |argument: &Expr| match bare(argument) {
            Expr::Reference(reference) => self.names_shared(&reference.expr),
            argument => self.names_shared(argument),
        };
        match value {
            Expr::MethodCall(call) if found => {
                is_shared(&call.receiver) || call.args.iter().any(is_shared)
            }
            Expr::MethodCall(call) => self.finds_lent(&call.receiver),
            Expr::Call(call) => found && call.args.iter().any(is_shared),
            _ => false,
        }
    }
}
