//! Assignments to one element for each thread of a row, which are written for the whole row at once:
//!
//! ```text
//! a[i] = x;                    values[thread] = x;                    a.set_along(&row, i, values);
//! a[i] += x;                   values[thread] = old[thread] + x;      a.set_along(&row, i, values);
//! if x > a[i] {                chosen[thread] = x > old[thread];      a.set_along_where(&row, i, values, chosen);
//!     a[i] = x;                values[thread] = x;
//! }
//! ```
//!
//! A thread whose condition does not hold writes nothing: another thread may write there.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Expr, Stmt, spanned::Spanned};

use super::{
    assignment::{Assignment, assignment_mut},
    emit::{Emit, numbered, row, thread},
    hoist::Parts,
    region::{Region, Stored},
};
use crate::expand::place::own;
use crate::visit::{Visit, VisitMut};

impl Emit<'_, '_> {
    /// The assignment whose places are written at the end of a region.
    pub(super) fn stored(
        &mut self,
        stmt: &mut Stmt,
        region: &Region,
        kind: Stored,
        parts: &mut Parts,
    ) {
        let Some(assignment) = assignment_mut(stmt) else {
            return;
        };
        let Assignment {
            place,
            value,
            operator,
            condition,
        } = assignment;
        let (row, thread) = (row(), thread());
        let place = own_place(place);
        let (span, key) = (place.span(), self.host.id(place));
        let reads = self.shapes.read(|read| read.visit_expr(place));
        parts.of_row.extend(reads);
        let chosen = condition.map(|condition| {
            let condition = self.of_thread(condition, region, parts);
            let chosen = self.room(&format!("chosen_{}", region.id), parts);
            parts
                .statements
                .extend(quote!(#chosen[#thread] = #condition;));
            chosen
        });
        let at_hand = match operator {
            None => self.at_hand(value, region),
            Some(_) => None,
        };
        let computed = self.of_thread(value, region, parts);
        let Expr::Index(index) = place else { return };
        match kind {
            Stored::Elements => self.host.visit_expr_mut(&mut index.expr),
            Stored::Items => self.host.place(&mut index.expr),
        }
        self.host.visit_expr_mut(&mut index.index);
        let (base, index) = (&index.expr, &index.index);
        let values = match at_hand {
            Some(values) => values,
            None => {
                let values = self.room(&format!("stored_{}", region.id), parts);
                let computed = match operator {
                    None => computed,
                    Some(operator) => {
                        let (old, scratch) = (numbered("old", region.id), self.scratch());
                        parts.old = match kind {
                            Stored::Elements => quote_spanned! {span=>
                                let #old = #base.along(&#row, #index, &mut #scratch);
                            },
                            Stored::Items => quote_spanned! {span=>
                                let #old = #row.items(&#base, #index, &mut #scratch);
                            },
                        };
                        let value = own("__amp_value");
                        let (left, right) = (quote!(#old[#thread]), quote!(#value));
                        let operation = self.host.operation(key, operator, &left, &right, span);
                        let changed = operation.unwrap_or_else(|| {
                            let symbol: TokenStream = operator.symbol().parse().unwrap_or_default();
                            quote_spanned!(span=> #left #symbol #right)
                        });
                        quote_spanned!(span=> { let #value = #computed; #changed })
                    }
                };
                parts
                    .statements
                    .extend(quote!(#values[#thread] = #computed;));
                values
            }
        };
        parts.stored = match (kind, chosen) {
            (Stored::Elements, None) => {
                quote_spanned!(span=> #base.set_along(&#row, #index, #values);)
            }
            (Stored::Elements, Some(chosen)) => {
                quote_spanned!(span=> #base.set_along_where(&#row, #index, #values, #chosen);)
            }
            (Stored::Items, _) => {
                quote_spanned!(span=> #row.set_items(&mut #base, #index, #values);)
            }
        };
    }

    /// An expression that each thread evaluates.
    fn of_thread(&mut self, expr: &mut Expr, region: &Region, parts: &mut Parts) -> TokenStream {
        self.hoist(region, parts).visit_expr_mut(expr);
        parts
            .of_thread
            .extend(self.shapes.read(|read| read.visit_expr(expr)));
        self.host.visit_expr_mut(expr);
        quote!(#expr)
    }

    /// Room for a value of each thread of a row.
    fn room(&mut self, name: &str, parts: &mut Parts) -> proc_macro2::Ident {
        let (name, row, scratch) = (own(&format!("__amp_{name}")), row(), self.scratch());
        parts
            .room
            .extend(quote!(let #name = #row.room(&mut #scratch);));
        name
    }
}

/// The place without parentheses.
fn own_place(place: &mut Expr) -> &mut Expr {
    match place {
        Expr::Paren(paren) => own_place(&mut paren.expr),
        Expr::Group(group) => own_place(&mut group.expr),
        place => place,
    }
}
