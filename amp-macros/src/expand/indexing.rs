//! Indexing of a thread's own values in the host version: an element or a slice as a place.
//!
//! ```text
//! array[i] = x            (*host_version::at_mut(&mut array, i)) = x
//! &array[i..]             &(*host_version::part(&array, i..))
//! points[i], of a T       (*host_version::bounded::at_or(&points, i, || zero))
//! ```
//!
//! Out of bounds is a fault. Elements of views and of what references name are in
//! [`place`](super::place).

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, ExprIndex};

use super::{host_version::HostVersion, place::is_range, types};
use crate::infer::{NodeId, Ty, unbounded};

/// How a place is indexed.
#[derive(Clone, Copy)]
pub(super) struct Indexing {
    takes_slice: bool,
    /// What is indexed is an `Option` or a `Result` with a value, which a chain visits: this case.
    case: Option<usize>,
    mutable: bool,
}

impl HostVersion<'_> {
    /// How an expression indexes, before its parts are rewritten.
    pub(super) fn indexing(&self, expr: &ExprIndex, mutable: bool) -> Indexing {
        let base = self.function.typed.ty(&expr.expr);
        Indexing {
            takes_slice: is_range(&expr.index),
            case: self.program.visited_case(base),
            mutable,
        }
    }

    /// `base[index]` of the type of the expression `of`, an element or a slice, as the place that it names.
    pub(super) fn indexed(
        &self,
        of: NodeId,
        (base, index): (&Expr, &TokenStream),
        indexing: Indexing,
        span: Span,
    ) -> TokenStream {
        let Indexing {
            takes_slice,
            case,
            mutable,
        } = indexing;
        let and = match mutable {
            true => quote_spanned!(span=> &mut),
            false => quote_spanned!(span=> &),
        };
        if let Some(case) = case {
            let name = Ident::new(if mutable { "as_mut" } else { "as_ref" }, span);
            return match case {
                1 => quote_spanned!(span=> (*::core::option::Option::#name(#and #base).unwrap())),
                _ => {
                    quote_spanned!(span=> (*::core::result::Result::#name(#and #base).ok().unwrap()))
                }
            };
        }
        let name = match (takes_slice, mutable) {
            (true, true) => "part_mut",
            (true, false) => "part",
            (false, true) => "at_mut",
            (false, false) => "at",
        };
        let kept;
        let ty = match self.function.typed.ty(of) {
            Ty::Slice(element) if !takes_slice => {
                kept = self.program.kept_slice_of(element);
                &kept
            }
            Ty::Slice(element) => element,
            Ty::Reference { target, .. } if let Ty::Slice(element) = &**target => {
                kept = self.program.kept_slice_of(element);
                &kept
            }
            ty => ty,
        };
        let zero = match self.function.typed.of(of).reads_first {
            true => Some(quote!((#base)[0])),
            false => types::zero(self.program, ty).filter(|_| !takes_slice),
        };
        let is_own = zero.is_some()
            || unbounded(self.program, ty).is_some()
            || takes_slice && self.program.without_zero(ty).is_some();
        let name = match zero {
            Some(_) => format_ident!("{name}_or", span = span),
            None => Ident::new(name, span),
        };
        let zero = zero.map(|zero| quote!(, || #zero));
        let module = is_own.then(|| quote!(bounded::));
        quote_spanned! {span=>
            (*::amp::__private::host_version::#module #name(#and #base, #index #zero))
        }
    }
}
