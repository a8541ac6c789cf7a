//! Atomic operations in the host version.
//!
//! Their place becomes a `Shared` (see `place`), a tile_static one too.

use quote::quote_spanned;
use syn::{Expr, spanned::Spanned};

use super::host_version::{HostVersion, run_time};
use crate::language::atomic::AtomicFunction;
use crate::visit::VisitMut;

impl HostVersion<'_> {
    pub(super) fn atomic(&mut self, expr: &mut Expr, function: AtomicFunction) {
        let Expr::Call(call) = expr else { return };
        let mut arguments = call.args.iter_mut();
        let Some(place) = arguments.next() else {
            return;
        };
        let place = referenced(place);
        // A fault is one of the place, and so is its location.
        let span = place.span();
        let shared = self.shared(place, true);
        let mut rest = Vec::new();
        for argument in arguments {
            self.visit_expr_mut(argument);
            rest.push(&*argument);
        }
        let function = run_time(function.name, span);
        *expr = Expr::Verbatim(quote_spanned!(span=> #function(#shared #(, #rest)*)));
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
