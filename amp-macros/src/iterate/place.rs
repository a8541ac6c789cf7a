//! Places that a chain names again and again: their indices are computed once, and what is no place gets one.

use proc_macro2::{Ident, Literal, Span};
use syn::{Attribute, Expr, ExprGroup, Stmt, parse_quote_spanned, spanned::Spanned, token::Group};

use super::{Names, bare, marked::OWN};

/// How an element is yielded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Value,
    Reference { mutable: bool },
}

/// A place that can be named again and again, and what makes it one.
pub fn place(expr: &Expr, by: By, names: &mut Names) -> (Vec<Stmt>, Expr) {
    let mut setup = Vec::new();
    let place = match by {
        By::Value => kept(expr, &mut setup, names),
        By::Reference { mutable } => fixed(expr, mutable, &mut setup, names),
    };
    (setup, place)
}

/// The attribute of an index that is evaluated again and again.
const REPEATED: &str = "__amp_repeated";

/// Whether an attribute marks an index that is evaluated again and again.
pub fn is_repeated(attribute: &Attribute) -> bool {
    attribute.path().is_ident(REPEATED)
}

/// The attribute of a `match` whose only arm matches, which has been tested.
const TESTED: &str = "__amp_tested";

/// That attribute.
pub fn tested(span: Span) -> Attribute {
    let name = Ident::new(TESTED, span);
    parse_quote_spanned!(span=> #[#name])
}

/// Whether an attribute marks a `match` whose only arm matches, which rustc does not know.
pub fn is_tested(attribute: &Attribute) -> bool {
    attribute.path().is_ident(TESTED)
}

/// A copy of a value.
pub fn kept(expr: &Expr, setup: &mut Vec<Stmt>, names: &mut Names) -> Expr {
    let span = expr.span();
    let name = names.fresh("source", span);
    setup.push(parse_quote_spanned!(span=> let #name = #expr;));
    parse_quote_spanned!(span=> #name)
}

/// The place with its indices computed; what is no place gets one.
fn fixed(expr: &Expr, mutable: bool, setup: &mut Vec<Stmt>, names: &mut Names) -> Expr {
    match bare(expr) {
        // Rust visits what it is before the loop, whatever it is assigned there.
        Expr::Path(_) if !mutable && names.known.is_assigned_slice(expr) => {
            let name = names.fresh("slice", expr.span());
            setup.push(parse_quote_spanned!(expr.span()=> let #name = #expr;));
            parse_quote_spanned!(expr.span()=> #name)
        }
        Expr::Path(_) => expr.clone(),
        Expr::Field(field) => {
            let mut field = field.clone();
            *field.base = fixed(&field.base, mutable, setup, names);
            Expr::Field(field)
        }
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
            fixed(&unary.expr, mutable, setup, names)
        }
        // A slice has a name, for its bounds to be computed once.
        Expr::Index(index) if matches!(bare(&index.index), Expr::Range(_)) => {
            let span = expr.span();
            let mut index = index.clone();
            // Rust lets an array that is written live as long as what uses the slice.
            if matches!(bare(&index.expr), Expr::Array(_) | Expr::Repeat(_)) {
                *index.expr = kept(&index.expr, setup, names);
            }
            let name = names.fresh("slice", span);
            setup.push(match mutable {
                true => parse_quote_spanned!(span=> let #name = &mut #index;),
                false => parse_quote_spanned!(span=> let #name = &#index;),
            });
            parse_quote_spanned!(span=> #name)
        }
        Expr::Index(index) => {
            let mut index = index.clone();
            *index.expr = fixed(&index.expr, mutable, setup, names);
            if !matches!(&*index.index, Expr::Lit(_)) {
                *index.index = kept(&index.index, setup, names);
            }
            let mark = Ident::new(REPEATED, expr.span());
            index
                .attrs
                .push(parse_quote_spanned!(expr.span()=> #[#mark]));
            // The attribute is of this index, wherever it is put.
            Expr::Group(ExprGroup {
                attrs: Vec::new(),
                group_token: Group(expr.span()),
                expr: Box::new(Expr::Index(index)),
            })
        }
        // It may be what a function returns by reference.
        Expr::Call(_) | Expr::MethodCall(_) => {
            let name = names.fresh("slice", expr.span());
            setup.push(parse_quote_spanned!(expr.span()=> let #name = #expr;));
            parse_quote_spanned!(expr.span()=> #name)
        }
        _ => kept(expr, setup, names),
    }
}

/// The length of a place that is visited by a method, which may have an argument.
pub fn length_of(
    place: &Expr,
    method: (&str, Option<&Expr>),
    setup: &mut Vec<Stmt>,
    span: Span,
    names: &mut Names,
) -> Expr {
    let length = names.fresh("length", span);
    let (name, argument) = method;
    let name = Ident::new(&format!("{OWN}{name}"), span);
    let argument = argument.map(|_| Literal::usize_suffixed(0)).into_iter();
    setup.push(parse_quote_spanned!(span=> let #length = #place.#name(#(#argument),*);));
    parse_quote_spanned!(span=> #length)
}

/// What a place is a part of.
fn root(place: &Expr) -> &Expr {
    match place {
        Expr::Index(index) => root(&index.expr),
        Expr::Field(field) => root(&field.base),
        Expr::Group(group) => root(&group.expr),
        other => other,
    }
}

/// Whether a place is one behind a reference that has a name: no position tells it.
pub(super) fn is_behind(place: &Expr) -> bool {
    matches!(root(place), Expr::Unary(_))
}
