//! [`By`]: how methods take what they are called on, and what Rust tries on the way to them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

use crate::infer::{FunctionDef, Resolved, Ty, bare};

/// How a method takes what it is called on, and how that is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum By {
    Value,
    Shared,
    Exclusive,
}

impl By {
    pub(super) fn of(ty: Option<&Ty>) -> Self {
        match ty {
            Some(Ty::Reference { mutable: true, .. }) => Self::Exclusive,
            Some(Ty::Reference { .. }) => Self::Shared,
            _ => Self::Value,
        }
    }

    /// How the receiver of a call is held.
    pub(super) fn held(receiver: &Expr, function: &FunctionDef) -> Self {
        let receiver = bare(receiver);
        let Some(Resolved::Local(local)) = function.typed.of(receiver).path else {
            return Self::Value;
        };
        let local = local.0 as usize;
        match function.typed.locals.get(local).map(|local| &local.ty) {
            // A view is a parameter by reference.
            Some(Ty::View(view)) if local < function.params.len() => match view.mutable {
                true => Self::Exclusive,
                false => Self::Shared,
            },
            ty => Self::of(ty),
        }
    }

    pub(super) fn to(self) -> TokenStream {
        match self {
            Self::Value => quote!(),
            Self::Shared => quote!(&),
            Self::Exclusive => quote!(&mut),
        }
    }

    /// What Rust tries for a receiver that is held like this, before the type that has the method.
    pub(super) fn before(self, taken: Self) -> &'static [&'static str] {
        match (self, taken) {
            (Self::Value, Self::Shared) => &[""],
            (Self::Value, Self::Exclusive) => &["", "&"],
            (Self::Shared, Self::Value) => &["&", "&&", "&mut &"],
            (Self::Exclusive, Self::Value) => &["&mut", "& &mut", "&mut &mut"],
            (Self::Exclusive, Self::Shared) => &["&mut", "& &mut", "&mut &mut", ""],
            _ => &[],
        }
    }

    /// The same of an array, for a method of slices.
    pub(super) fn before_slice(self) -> &'static [&'static str] {
        match self {
            Self::Value => &["", "&", "&mut"],
            Self::Shared => &["&", "&&", "&mut &", "", "&mut"],
            Self::Exclusive => &["&mut", "& &mut", "&mut &mut", "", "&"],
        }
    }
}
