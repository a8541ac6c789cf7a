//! Atomic operations in the twin.
//!
//! Their place never becomes a reference: other threads use it at the same time. It
//! becomes a [`Shared`](../../amp_runtime/cpu/atomic/struct.Shared.html), which goes into
//! the place step by step as the user wrote it: `shared_element(i)`, `shared()` of a
//! tile_static variable or of a helper's reference, `field(|x| &mut x.f)`, `at(i)`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, spanned::Spanned, visit_mut::VisitMut};

use super::twin::{Twin, run_time};
use crate::infer::{AtomicFunction, Ty, key};

impl Twin<'_> {
    pub(super) fn atomic(&mut self, expr: &mut Expr, function: AtomicFunction) {
        let Expr::Call(call) = expr else { return };
        let mut arguments = call.args.iter_mut();
        let Some(place) = arguments.next() else {
            return;
        };
        let place = referenced(place);
        // A fault is one of the place, and so is its location.
        let span = place.span();
        let shared = self.shared(place);
        let mut rest = Vec::new();
        for argument in arguments {
            self.visit_expr_mut(argument);
            rest.push(&*argument);
        }
        let function = run_time(function.name, span);
        *expr = Expr::Verbatim(quote_spanned!(span=> #function(#shared #(, #rest)*)));
    }

    /// The handle of a place that other threads see.
    fn shared(&mut self, place: &mut Expr) -> TokenStream {
        let span = place.span();
        match place {
            Expr::Paren(paren) => self.shared(&mut paren.expr),
            Expr::Group(group) => self.shared(&mut group.expr),
            Expr::Unary(unary) => self.shared(&mut unary.expr),
            Expr::Field(field) => {
                let base = self.shared(&mut field.base);
                let member = &field.member;
                quote_spanned!(span=> #base.field(|whole| &mut whole.#member))
            }
            Expr::Index(index) => {
                let of_view = matches!(
                    self.function.typed.types.get(&key(&*index.expr)),
                    Some(Ty::View(_))
                );
                if of_view {
                    self.visit_expr_mut(&mut index.expr);
                    self.visit_expr_mut(&mut index.index);
                    let (view, index) = (&index.expr, &index.index);
                    return quote_spanned!(span=> #view.shared_element(#index));
                }
                let base = self.shared(&mut index.expr);
                self.visit_expr_mut(&mut index.index);
                let index = &index.index;
                quote_spanned!(span=> #base.at(#index))
            }
            // Inference lets nothing else through but the name of a tile_static variable or
            // of a reference.
            variable => quote!(#variable.shared()),
        }
    }
}

/// The place in `&mut place`.
fn referenced(argument: &mut Expr) -> &mut Expr {
    match argument {
        Expr::Paren(paren) => referenced(&mut paren.expr),
        Expr::Group(group) => referenced(&mut group.expr),
        Expr::Reference(reference) => &mut reference.expr,
        place => place,
    }
}
