//! What the closure of a `map` makes, where that is a reference, or a tuple with one.
//!
//! ```text
//! map(|i| &a[i])               for each `i` the place `a[i]`
//! map(|(i, x)| (i + 1, x))     the value `i + 1`, and the place that `x` is
//! ```
//!
//! Left out are closures with statements, and references to what they compute.

use syn::{
    Expr, ExprClosure, Ident, Pat, ReturnType, Stmt, UnOp, parse_quote_spanned, spanned::Spanned,
};

use super::{
    Made, Names, bare,
    flow::closure,
    function::{of_body, projected},
    item::Item,
    mentioned::declared,
};

/// An item, and what is computed for it.
type Referring = (Vec<Stmt>, Item);

impl Names {
    /// What a function makes of an item, if that is or has a reference.
    pub(super) fn referring(&mut self, f: &Expr, item: &Item) -> Option<Made<Referring>> {
        let f = closure(f)?;
        if let Some(item) = projected(f, item) {
            return Some(Ok((Vec::new(), item)));
        }
        let pattern = f.inputs.first().filter(|_| f.inputs.len() == 1)?;
        if !refers(&f.body, pattern, item) {
            return None;
        }
        let mut making = Making {
            f,
            pattern,
            item,
            statements: Vec::new(),
            names: self,
        };
        Some(match making.item(&f.body)? {
            Ok(item) => Ok((making.statements, item)),
            Err(refusal) => Err(refusal),
        })
    }
}

/// Whether what a closure makes is or has a reference.
fn refers(body: &Expr, pattern: &Pat, item: &Item) -> bool {
    match bare(body) {
        Expr::Reference(reference) => reference.mutability.is_none(),
        Expr::Tuple(tuple) => tuple.elems.iter().any(|part| refers(part, pattern, item)),
        body => of_body(body, pattern, item).is_some_and(|part| part.refers()),
    }
}

struct Making<'a> {
    f: &'a ExprClosure,
    /// The closure's parameter, and what it is.
    pattern: &'a Pat,
    item: &'a Item,
    statements: Vec<Stmt>,
    names: &'a mut Names,
}

impl Making<'_> {
    /// The item that a part of the body is; nothing if that is left out.
    fn item(&mut self, body: &Expr) -> Option<Made<Item>> {
        match bare(body) {
            Expr::Tuple(tuple) => {
                let parts = tuple.elems.iter().map(|part| self.item(part));
                let parts: Option<Made<Vec<Item>>> = parts.collect();
                Some(parts?.map(Item::Tuple))
            }
            Expr::Reference(reference) => {
                let place = self.place(&reference.expr)?;
                Some(place.map(|place| Item::Place {
                    place,
                    mutable: false,
                }))
            }
            body => match of_body(body, self.pattern, self.item) {
                Some(part) if part.refers() => Some(Ok(part)),
                _ => Some(self.value(body).map(Item::Value)),
            },
        }
    }

    /// A place, whose indices are computed once.
    fn place(&mut self, expr: &Expr) -> Option<Made<Expr>> {
        let span = expr.span();
        Some(match bare(expr) {
            Expr::Index(index) if !matches!(bare(&index.index), Expr::Range(_)) => {
                let base = match self.place(&index.expr)? {
                    Ok(base) => base,
                    refused => return Some(refused),
                };
                let at = self.value(&index.index);
                at.map(|at| parse_quote_spanned!(span=> #base[#at]))
            }
            Expr::Field(field) => {
                let member = &field.member;
                let base = self.place(&field.base)?;
                base.map(|base| parse_quote_spanned!(span=> #base.#member))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                return self.place(&unary.expr);
            }
            Expr::Path(path) => {
                let name = path.path.get_ident();
                match of_body(expr, self.pattern, self.item) {
                    Some(Item::Place { place, .. }) => Ok(place),
                    Some(_) => return None,
                    None if name.is_some_and(|name| self.is_bound(name)) => return None,
                    None => Ok(expr.clone()),
                }
            }
            _ => return None,
        })
    }

    fn is_bound(&self, name: &Ident) -> bool {
        declared(self.f).contains(&name.to_string())
    }

    /// A value that the closure computes.
    fn value(&mut self, body: &Expr) -> Made<Expr> {
        let span = body.span();
        let mut f = self.f.clone();
        f.output = ReturnType::Default;
        *f.body = body.clone();
        let (scope, value) = self.names.apply(&Expr::Closure(f), &[(self.item, false)])?;
        // Each part uses some of the closure's names.
        let value = scope.repeated(true).around(value)?;
        let name = self.names.fresh("part", span);
        self.statements
            .push(parse_quote_spanned!(span=> let #name = #value;));
        Ok(parse_quote_spanned!(span=> #name))
    }
}
