//! Places in the host version.
//!
//! A variable of the thread, and a tile_static one, is Rust's own place. Elements of views, and
//! what a helper's references name, may be used by other threads of the system at the same time.
//! So they never become references: such a place is a
//! [`Shared`](../../amp_runtime/cpu/shared/struct.Shared.html), which goes into
//! the place step by step as the user wrote it, and is loaded and stored.
//!
//! ```text
//! a[i].weights[k]         a.place(i).field(|whole| &mut whole.weights).at(k).load()
//! a[i] = x                { let value = x; a.place_mut(i).store(value); }
//! *x += y                 { let value = y; match x.place_mut() { place => place.store(..) } }
//! helper(&mut a[i])       helper(a.place_mut(i).named())
//! a[i].method()           (*a.place_mut(i).writing()).method()
//! ```

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, spanned::Spanned};

use super::host_version::HostVersion;
use crate::infer::{Node, Resolved, Ty, bare};
use crate::visit::VisitMut;

/// A name of the host version's own. Not by the user's span: that may be one of a `macro_rules!`,
/// where a variable is seen only by names of the same expansion.
pub(super) fn own(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// Whether an index takes a slice.
pub(super) fn is_range(index: &Expr) -> bool {
    matches!(bare(index), Expr::Range(_))
}

impl HostVersion<'_> {
    pub(super) fn is_view(&self, expr: &Expr) -> bool {
        matches!(self.function.typed.ty(expr), Ty::View(_))
    }

    /// Whether an expression is a place that other threads of the system may use: an element of
    /// a view, what a reference names, or a part of either.
    pub(super) fn is_shared(&self, place: &Expr) -> bool {
        let place = bare(place);
        match place {
            Expr::Field(field) => self.is_shared(&field.base),
            Expr::Unary(unary) => {
                matches!(unary.op, syn::UnOp::Deref(_)) && self.is_shared(&unary.expr)
            }
            Expr::Index(_) if self.is_own_index(place) => false,
            Expr::Index(index) => self.is_view(&index.expr) || self.is_shared(&index.expr),
            Expr::Path(_) if self.is_tile_static(place) => !self.in_lockstep,
            Expr::Path(_) => self.is_reference(place),
            _ => false,
        }
    }

    fn is_tile_static(&self, path: impl Node) -> bool {
        matches!(
            self.function.typed.of(path).path,
            Some(Resolved::TileStatic(_))
        )
    }

    /// Whether a path is the name of a `Ref` or `RefMut`. A method's parameters are Rust's own
    /// references.
    pub(super) fn is_reference(&self, path: impl Node) -> bool {
        let typed = &self.function.typed;
        let Some(Resolved::Local(local)) = typed.of(path).path else {
            return false;
        };
        let position = local.0 as usize;
        let is_own = typed.places.contains(&local)
            || self.own_references.contains(&local)
            || self.function.is_member && position < self.function.params.len();
        // A struct with views is behind Rust's own reference too.
        let is_value = match &typed.locals[position].ty {
            Ty::Reference { target, .. } => !matches!(**target, Ty::Bundle(_)),
            _ => false,
        };
        is_value && !is_own
    }

    /// The `Shared` of a place that other threads see.
    pub(super) fn shared(&mut self, place: &mut Expr, mutable: bool) -> TokenStream {
        let span = place.span();
        match place {
            Expr::Paren(paren) => self.shared(&mut paren.expr, mutable),
            Expr::Group(group) => self.shared(&mut group.expr, mutable),
            Expr::Unary(unary) => self.shared(&mut unary.expr, mutable),
            Expr::Field(field) => {
                let base = self.shared(&mut field.base, mutable);
                let (whole, member) = (own("whole"), &field.member);
                quote_spanned!(span=> #base.field(|#whole| &mut #whole.#member))
            }
            Expr::Index(index) => {
                let of_view = self.is_view(&index.expr);
                let base = match of_view {
                    true => {
                        self.visit_expr_mut(&mut index.expr);
                        let view = &index.expr;
                        quote!(#view)
                    }
                    false => self.shared(&mut index.expr, mutable),
                };
                let is_slice = is_range(&index.index);
                let reads = !matches!(bare(&index.index), Expr::Lit(_) | Expr::Path(_));
                let of_name = matches!(bare(&index.expr), Expr::Path(_));
                self.visit_expr_mut(&mut index.index);
                let index = &index.index;
                // The index of `s[s[0]] += 1` is read before `s` is borrowed.
                if mutable && reads && of_name && !of_view && !is_slice {
                    let at = own("__amp_at");
                    return quote_spanned!(span=> (match #index { #at => #base.at(#at) }));
                }
                match (of_view, mutable) {
                    (true, true) if is_slice => quote_spanned!(span=> #base.slice_mut(#index)),
                    (true, false) if is_slice => quote_spanned!(span=> #base.slice(#index)),
                    _ if is_slice => quote_spanned!(span=> #base.part(#index)),
                    (false, _) => quote_spanned!(span=> #base.at(#index)),
                    (true, false) => quote_spanned!(span=> #base.place(#index)),
                    (true, true) => quote_spanned!(span=> #base.place_mut(#index)),
                }
            }
            // The name of a reference, or of a tile_static variable.
            name if mutable => quote_spanned!(span=> #name.place_mut()),
            name => quote_spanned!(span=> #name.place()),
        }
    }

    /// The value at a place that other threads see.
    pub(super) fn loaded(&mut self, place: &mut Expr) -> Expr {
        let span = place.span();
        let shared = self.shared(place, false);
        Expr::Verbatim(quote_spanned!(span=> #shared.load()))
    }

    /// `place = value`, where Rust evaluates the value first.
    pub(super) fn stored(&mut self, place: &mut Expr, value: &Expr) -> Expr {
        let span = place.span();
        let shared = self.shared(place, true);
        let name = own("__amp_value");
        // So that rustc's error for a value of the wrong type shows where the value is written.
        let mut stored = name.clone();
        stored.set_span(name.span().located_at(value.span()));
        Expr::Verbatim(quote_spanned! {span=> {
            let #name = #value;
            #shared.store(#stored);
        }})
    }

    /// A place of Rust's own that is written: array elements on the way become `at_mut`, with
    /// every index evaluated before anything is borrowed.
    pub(super) fn place(&mut self, expr: &mut Expr) {
        let indices = self.place_behind(expr);
        if !indices.is_empty() {
            let span = expr.span();
            *expr = Expr::Verbatim(quote_spanned!(span=> *{ #(#indices)* &mut #expr }));
        }
    }

    /// Like `place`, with the statements that evaluate its indices apart.
    pub(super) fn place_behind(&mut self, expr: &mut Expr) -> Vec<TokenStream> {
        let mut indices = Vec::new();
        self.place_part(expr, &mut indices);
        indices
    }

    pub(super) fn place_part(&mut self, expr: &mut Expr, indices: &mut Vec<TokenStream>) {
        let this = self.id(expr);
        match expr {
            Expr::Paren(paren) => self.place_part(&mut paren.expr, indices),
            Expr::Group(group) => self.place_part(&mut group.expr, indices),
            Expr::Field(field) => self.place_part(&mut field.base, indices),
            Expr::Index(_) if self.is_own_index(&*expr) => self.own_index(expr, Some(indices)),
            Expr::Index(index) => {
                let span = index.span();
                let is_lent = self.is_lent(&index.expr);
                let indexing = self.indexing(index, true);
                self.place_part(&mut index.expr, indices);
                self.visit_expr_mut(&mut index.index);
                let (base, position) = (&index.expr, &index.index);
                // What is lent ends with the block that the statements would need.
                if is_lent {
                    let position = quote!(#position);
                    *expr = Expr::Verbatim(self.indexed(this, (base, &position), indexing, span));
                    return;
                }
                let name = Ident::new(&format!("__amp_{}", indices.len()), Span::call_site());
                indices.push(quote_spanned!(span=> let #name = #position;));
                let name = quote!(#name);
                *expr = Expr::Verbatim(self.indexed(this, (base, &name), indexing, span));
            }
            _ => self.visit_expr_mut(expr),
        }
    }
}
