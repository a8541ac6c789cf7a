//! [`Hoist`]: takes what is computed once a row out of the statements that each thread runs; and the [`Parts`]
//! that a region comes to.

use std::collections::HashSet;

use amp_spirv::tree::LocalId;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, spanned::Spanned};

use super::{
    emit::{Emit, numbered, row, thread},
    region::{Hoisted, Region},
    shape::Shapes,
};
use crate::expand::host_version::HostVersion;
use crate::visit::{self, Visit, VisitMut};

/// What is computed once a row.
#[derive(Default)]
pub(super) struct Once {
    /// Its value, or the method that is called with each thread's index.
    value: TokenStream,
    each: Option<Each>,
}

/// An index that is evaluated for several threads of a row.
struct Each {
    /// Where a fault is.
    span: Span,
    index: TokenStream,
    reads: HashSet<LocalId>,
    scratch: Ident,
}

impl Once {
    pub(super) fn tokens(&self, emit: &Emit<'_, '_>) -> TokenStream {
        let value = &self.value;
        let Some(Each {
            span,
            index,
            reads,
            scratch,
        }) = &self.each
        else {
            return value.clone();
        };
        let (row, thread, known) = (row(), thread(), emit.of_one(reads));
        quote_spanned!(*span=> #value(&#row, |#thread| { #known #index }, &mut #scratch))
    }
}

/// The parts of a region.
#[derive(Default)]
pub(super) struct Parts {
    /// What is computed once a row, by its place in [`Region::hoisted`].
    pub(super) hoisted: Vec<Once>,
    /// What each thread does.
    pub(super) statements: TokenStream,
    /// What is written at the end, and what the same elements have before.
    pub(super) stored: TokenStream,
    pub(super) old: TokenStream,
    /// Room for that.
    pub(super) room: TokenStream,
    /// The variables that the row reads, and those that each thread reads.
    pub(super) of_row: HashSet<LocalId>,
    pub(super) of_thread: HashSet<LocalId>,
    /// The variables that have their value before the rows.
    pub(super) initialised: HashSet<LocalId>,
}

pub(super) fn hoisted_name(region: &Region, at: usize) -> Ident {
    format_ident!(
        "__amp_hoisted_{}_{at}",
        region.id,
        span = Span::mixed_site()
    )
}

/// See the module's documentation.
pub(super) struct Hoist<'h, 'a> {
    pub(super) region: &'h Region,
    pub(super) host: &'h mut HostVersion<'a>,
    pub(super) shapes: &'h Shapes<'a>,
    pub(super) scratches: &'h mut usize,
    pub(super) parts: &'h mut Parts,
}

impl Hoist<'_, '_> {
    /// A row of elements, one for each thread, at such an index of such a place.
    fn elements(&mut self, kind: Hoisted, index: &mut syn::ExprIndex) -> Once {
        let span = index.span();
        let reads = |expr: &Expr| self.shapes.read(|read| read.visit_expr(expr));
        let (of_base, of_index) = (reads(&index.expr), reads(&index.index));
        self.parts.of_row.extend(of_base);
        self.host.visit_expr_mut(&mut index.expr);
        self.host.visit_expr_mut(&mut index.index);
        let scratch = numbered("scratch", *self.scratches);
        *self.scratches += 1;
        let (row, base, index) = (row(), &index.expr, &index.index);
        if kind == Hoisted::Clamped {
            let each = Each {
                span,
                index: index.to_token_stream(),
                reads: of_index,
                scratch,
            };
            return Once {
                value: quote_spanned!(span=> #base.along_clamped),
                each: Some(each),
            };
        }
        self.parts.of_row.extend(of_index);
        let value = match kind {
            Hoisted::Items => quote_spanned!(span=> #row.items(&#base, #index, &mut #scratch)),
            _ => quote_spanned!(span=> #base.along(&#row, #index, &mut #scratch)),
        };
        Once { value, each: None }
    }
}

impl VisitMut for Hoist<'_, '_> {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let id = self.host.id(expr);
        let mut hoisted = self.region.hoisted.iter();
        let Some(at) = hoisted.position(|(of, _)| *of == id) else {
            visit::visit_expr_mut(self, expr);
            return;
        };
        let name = hoisted_name(self.region, at);
        let (once, replaced) = match (self.region.hoisted[at].1, &mut *expr) {
            (kind, Expr::Index(index)) if kind != Hoisted::Value => {
                let thread = thread();
                (self.elements(kind, index), quote!(#name[#thread]))
            }
            _ => {
                let reads = self.shapes.read(|read| read.visit_expr(expr));
                self.parts.of_row.extend(reads);
                self.host.visit_expr_mut(expr);
                let value = expr.to_token_stream();
                (Once { value, each: None }, quote!(#name))
            }
        };
        self.parts.hoisted[at] = once;
        *expr = Expr::Verbatim(replaced);
    }
}
