//! Names that are no variables of their own types: what they mean is written into the body where they are
//! bound, such as `pair.1` as the name of the second part.

use proc_macro2::Ident;
use syn::{Expr, Member, UnOp, parse_quote_spanned, spanned::Spanned};

use super::{Made, Refusal, bare};
use crate::visit::{self, VisitMut};

/// What a name means that is no variable of its own type.
pub enum Meaning {
    /// A reference to a reference. `*name` is written as the name, which is a reference.
    Twice,
    /// A tuple: the names of its parts.
    Parts(Vec<Ident>),
}

impl Meaning {
    /// Writes what a name means into a body.
    pub fn write(&self, name: &Ident, body: &mut Expr) -> Made<()> {
        let mut meant = Meant {
            name,
            meaning: self,
            refused: None,
        };
        meant.visit_expr_mut(body);
        meant.refused.map_or(Ok(()), Err)
    }
}

struct Meant<'a> {
    name: &'a Ident,
    meaning: &'a Meaning,
    refused: Option<Refusal>,
}

impl Meant<'_> {
    fn is_named(&self, expr: &Expr) -> bool {
        matches!(bare(expr), Expr::Path(path) if path.path.is_ident(self.name))
    }
}

impl VisitMut for Meant<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match (&*expr, self.meaning) {
            (Expr::Unary(unary), Meaning::Twice)
                if matches!(unary.op, UnOp::Deref(_)) && self.is_named(&unary.expr) =>
            {
                *expr = (*unary.expr).clone();
            }
            (Expr::Field(field), Meaning::Parts(parts)) if self.is_named(&field.base) => {
                let Member::Unnamed(position) = &field.member else {
                    return;
                };
                if let Some(part) = parts.get(position.index as usize) {
                    let mut part = part.clone();
                    part.set_span(part.span().located_at(field.span()));
                    *expr = parse_quote_spanned!(field.span()=> #part);
                }
            }
            (Expr::Path(_), Meaning::Parts(_)) if self.is_named(expr) => {
                self.refused.get_or_insert_with(|| {
                    Refusal::new(
                        expr.span(),
                        "a pair of references as a whole",
                        "take it apart, `|(a, b)| ..`, or name its parts: `pair.0`",
                    )
                });
            }
            _ => visit::visit_expr_mut(self, expr),
        }
    }

    fn visit_pat_ident_mut(&mut self, ident: &mut syn::PatIdent) {
        if ident.ident == *self.name {
            let name = &ident.ident;
            self.refused = Some(Refusal::new(
                ident.ident.span(),
                format!("another `{name}` in the closure whose parameter has this name"),
                "give one of them another name",
            ));
        }
    }
}
