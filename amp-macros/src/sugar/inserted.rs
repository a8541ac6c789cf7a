//! `insert`, `get_or_insert` and `get_or_insert_with` of an `Option`: it is filled, and then its part is a place.
//!
//! ```text
//! *slot.get_or_insert(0) += 1;         if slot.is_none() { slot = Some(0); } match &mut slot { .. }
//! let x = slot.get_or_insert_with(f);  if slot.is_none() { slot = Some(f()); } let Some(x) = &mut slot else { .. };
//! ```
//!
//! The `Option` is a variable, or a field or element of one. Left out are such references as arguments and results, and
//! those of `insert` that no `*` stands before, since sets of one's own have a method of this name.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Expr, Pat, Stmt, UnOp, parse_quote_spanned, spanned::Spanned};

use crate::iterate::{Names, assigned, bare, value_first};

/// What an expression is written as that uses such a reference.
pub fn plain(expr: &Expr, names: &mut Names) -> Option<Expr> {
    match expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            Some(Filled::new(&unary.expr, true, names)?.value())
        }
        Expr::Field(field) => {
            let value = Filled::new(&field.base, false, names)?.value();
            let mut field = field.clone();
            *field.base = value;
            Some(Expr::Field(field))
        }
        // `option.get_or_insert_with(Sum::new).add(x)`
        Expr::MethodCall(call) => {
            let mut called = call.clone();
            let filled = behind(&mut called.receiver, names)?;
            let statements = filled.named(&filled.item);
            Some(parse_quote_spanned!(call.span()=> { #(#statements)* #called }))
        }
        assignment => {
            let mut place = assigned(assignment)?.clone();
            let filled = behind(&mut place, names)?;
            let (first, whole) = value_first(assignment, place, names)?;
            let (statements, of, item) = (filled.statements(), &filled.of, &filled.item);
            Some(parse_quote_spanned! {assignment.span()=> {
                #first
                #(#statements)*
                match &mut #of {
                    ::core::option::Option::Some(#item) => { #whole }
                    ::core::option::Option::None => {}
                }
            }})
        }
    }
}

/// `let x = option.get_or_insert(value);` and `option.get_or_insert(value);`
pub fn of_statement(statement: &Stmt, names: &mut Names) -> Option<Vec<Stmt>> {
    match statement {
        Stmt::Local(local) => {
            let Pat::Ident(name) = &local.pat else {
                return None;
            };
            let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
            Some(Filled::new(&init.expr, false, names)?.named(name))
        }
        Stmt::Expr(expr, Some(_)) => Some(Filled::new(expr, false, names)?.statements()),
        _ => None,
    }
}

/// An `Option` that such a method gives a value.
struct Filled {
    /// What is evaluated before.
    before: Vec<Stmt>,
    of: Expr,
    made: Expr,
    is_replaced: bool,
    /// A name for its part.
    item: Ident,
}

impl Filled {
    /// What an expression fills, if it is a call of such a method.
    fn new(expr: &Expr, is_read_through: bool, names: &mut Names) -> Option<Self> {
        let Expr::MethodCall(call) = bare(expr) else {
            return None;
        };
        let given = call.args.first().filter(|_| call.args.len() == 1)?;
        let span = call.method.span();
        let mut before = Vec::new();
        let of = twice(&call.receiver, &mut before, names)?;
        let is_replaced = call.method == "insert" && is_read_through;
        let made = if call.method == "get_or_insert_with" {
            names.of_nothing(given)
        } else if is_replaced || call.method == "get_or_insert" {
            let value = names.fresh("value", span);
            before.push(parse_quote_spanned!(span=> let #value = #given;));
            parse_quote_spanned!(span=> #value)
        } else {
            return None;
        };
        let item = names.fresh("behind", span);
        Some(Self {
            before,
            of,
            made,
            is_replaced,
            item,
        })
    }

    /// What the method does.
    fn statements(&self) -> Vec<Stmt> {
        let (of, made, span) = (&self.of, &self.made, self.item.span());
        let filling: Stmt = parse_quote_spanned!(span=> #of = ::core::option::Option::Some(#made););
        let mut statements = self.before.clone();
        statements.push(match self.is_replaced {
            true => filling,
            false => parse_quote_spanned!(span=> if #of.is_none() { #filling }),
        });
        statements
    }

    /// The same, and a name for the reference that the method returns. That there is none does not happen.
    fn named(&self, name: &impl ToTokens) -> Vec<Stmt> {
        let (of, span) = (&self.of, self.item.span());
        let mut statements = self.statements();
        statements.push(parse_quote_spanned! {span=>
            let ::core::option::Option::Some(#name) = &mut #of else { loop {} };
        });
        statements
    }

    /// The same, and the value that the reference leads to.
    fn value(&self) -> Expr {
        let Self {
            before,
            of,
            made,
            is_replaced,
            item,
        } = self;
        let span = item.span();
        let found: Expr = match is_replaced {
            true => parse_quote_spanned!(span=> #made),
            false => parse_quote_spanned! {span=>
                match #of {
                    ::core::option::Option::Some(#item) => #item,
                    ::core::option::Option::None => #made,
                }
            },
        };
        parse_quote_spanned! {span=> {
            #(#before)*
            let #item = #found;
            #[allow(unused_assignments)]
            {
                #of = ::core::option::Option::Some(#item);
            }
            #item
        }}
    }
}

/// Has a place that starts with such a reference start with a name for the part.
fn behind(place: &mut Expr, names: &mut Names) -> Option<Filled> {
    let (filled, is_read_through) = match place {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            (Filled::new(&unary.expr, true, names), true)
        }
        _ => (Filled::new(place, false, names), false),
    };
    if let Some(filled) = filled {
        let (item, span) = (&filled.item, filled.item.span());
        *place = match is_read_through {
            true => parse_quote_spanned!(span=> *#item),
            false => parse_quote_spanned!(span=> #item),
        };
        return Some(filled);
    }
    match place {
        Expr::Field(field) => behind(&mut field.base, names),
        Expr::Index(index) => behind(&mut index.expr, names),
        Expr::Paren(inner) => behind(&mut inner.expr, names),
        _ => None,
    }
}

/// A place that can be named twice: its indices have names.
fn twice(place: &Expr, before: &mut Vec<Stmt>, names: &mut Names) -> Option<Expr> {
    let mut place = bare(place).clone();
    match &mut place {
        Expr::Path(_) => {}
        Expr::Field(field) => *field.base = twice(&field.base, before, names)?,
        Expr::Index(index) => {
            *index.expr = twice(&index.expr, before, names)?;
            let (at, span) = (&index.index, index.index.span());
            let kept = names.fresh("at", span);
            before.push(parse_quote_spanned!(span=> let #kept = #at;));
            *index.index = parse_quote_spanned!(span=> #kept);
        }
        _ => return None,
    }
    Some(place)
}
