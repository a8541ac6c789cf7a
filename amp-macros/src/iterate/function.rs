//! The functions that adapters and ends are given: a closure's body stands where it is called, a
//! function that has a name is called by it.

use proc_macro2::Ident;
use syn::{
    Expr, ExprClosure, Member, Pat, Path, ReturnType, parse_quote_spanned, spanned::Spanned,
};

use super::bare;
use super::{
    Made, Names, Refusal, build,
    flow::{Func, closure},
    item::{Item, Scope},
};
use crate::visit::{Leaves, Visit};

impl Names {
    /// What a function makes of a reference to a place.
    pub fn of_place(&mut self, f: &Func, place: Expr, mutable: bool) -> Expr {
        let item = Item::Place { place, mutable };
        let made = self.applied(f, &[(&item, false)]);
        made.unwrap_or_else(|refusal| refusal.call())
    }

    /// What a function without parameters makes.
    pub fn of_nothing(&mut self, f: &Func) -> Expr {
        let made = self.applied(f, &[]);
        made.unwrap_or_else(|refusal| refusal.call())
    }

    /// What a function makes of items, each by reference if it is `true`.
    pub(super) fn applied(&mut self, f: &Func, items: &[(&Item, bool)]) -> Made<Expr> {
        let (scope, value) = self.apply(f, items)?;
        scope.around(value)
    }

    /// The key that a function finds of an item, by its value where it, or a part of it, is a reference.
    pub(super) fn key(&mut self, f: &Func, item: &Item) -> Made<Expr> {
        let Some(written) = closure(f) else {
            return self.applied(f, &[(item, true)]);
        };
        let pattern = match written.inputs.first() {
            Some(Pat::Reference(pattern)) => Some(&*pattern.pat),
            pattern => pattern,
        };
        let key = pattern.and_then(|pattern| of_body(&written.body, pattern, item));
        if let Some(key) = key.filter(|key| key.refers() && !key.is_slice()) {
            return Ok(key.read(f.span()));
        }
        let mut written = written.clone();
        if let Some(Pat::Reference(pattern)) = written.inputs.first() {
            read_parts(&mut written.body, &pattern.pat, item);
        }
        self.applied(&Expr::Closure(written), &[(item, true)])
    }

    pub(super) fn apply(&mut self, f: &Func, items: &[(&Item, bool)]) -> Made<(Scope, Expr)> {
        if let Some(written) = closure(f) {
            let (scope, value) = self.entered(written, items)?;
            return Ok((scope, self.closed(written, value)));
        }
        let span = f.span();
        if let Some(closure) = self.closure_of_call(f) {
            if let Expr::Macro(_) = closure {
                return Ok((Scope::default(), closure));
            }
            return self.apply(&closure, items);
        }
        if self.is_later(f) {
            return Err(Refusal::later(span));
        }
        if !matches!(bare(f), Expr::Path(_)) {
            return Err(Refusal::new(
                span,
                "a function of an iterator that is neither a closure nor a name",
                "write a closure: `|x| ..`",
            ));
        }
        let mut scope = Scope::default();
        let mut arguments = Vec::new();
        for (item, borrowed) in items {
            if *borrowed && item.refers() {
                return Err(Refusal::new(
                    span,
                    "a function that takes a reference to a reference",
                    "write a closure: `|x| f(x)`",
                ));
            }
            let passed = item.passed(span);
            arguments.push(match borrowed {
                false => passed,
                true => {
                    let name = self.fresh("kept", span);
                    scope.push(parse_quote_spanned!(span=> let #name = #passed;));
                    parse_quote_spanned!(span=> &#name)
                }
            });
        }
        Ok((scope, parse_quote_spanned!(span=> #f(#(#arguments),*))))
    }

    /// A closure's body where its parameters mean these items.
    pub(super) fn entered(
        &mut self,
        written: &ExprClosure,
        items: &[(&Item, bool)],
    ) -> Made<(Scope, Expr)> {
        let span = written.body.span();
        if let Some(token) = &written.asyncness {
            return Err(Refusal::new(
                token.span(),
                "an `async` closure in a kernel",
                "remove `async`",
            ));
        }
        if written.inputs.len() != items.len() {
            let (wanted, found) = (items.len(), written.inputs.len());
            let plural = if wanted == 1 { "" } else { "s" };
            return Err(Refusal::new(
                span,
                format!("this closure has {wanted} parameter{plural}, found {found}"),
                "a tuple is one parameter: `|(a, b)| ..`",
            ));
        }
        let mut scope = Scope::of(&written.inputs);
        for (pattern, (item, borrowed)) in written.inputs.iter().zip(items) {
            scope.bind(self, pattern, item, *borrowed)?;
        }
        Ok((scope, (*written.body).clone()))
    }

    /// A closure's body as a value: its `return` and `?` leave it alone.
    fn closed(&mut self, written: &ExprClosure, body: Expr) -> Expr {
        let span = body.span();
        let mut leaves = Leaves::default();
        leaves.visit_expr(&body);
        if leaves.0 {
            let name = self.fresh("body", span);
            let output = &written.output;
            let body = build::of_block(build::as_block(body, span), None);
            return build::called(&name, output, &body, span);
        }
        let ReturnType::Type(_, ty) = &written.output else {
            return body;
        };
        let name = self.fresh("value", span);
        parse_quote_spanned!(span=> { let #name: #ty = #body; #name })
    }
}

/// The item that a closure passes on, where its body is no more than names of its parameter's
/// references.
pub fn projected(written: &ExprClosure, item: &Item) -> Option<Item> {
    let pattern = written.inputs.first()?;
    let found = of_body(&written.body, pattern, item)?;
    found.refers().then_some(found)
}

/// The item that an expression is, where it is no more than names of a parameter.
pub(super) fn of_body(body: &Expr, pattern: &Pat, item: &Item) -> Option<Item> {
    match bare(body) {
        Expr::Path(path) => named(path.path.get_ident()?, pattern, item),
        Expr::Tuple(tuple) => {
            let parts = tuple.elems.iter().map(|part| of_body(part, pattern, item));
            Some(Item::Tuple(parts.collect::<Option<_>>()?))
        }
        Expr::Field(field) => match (of_body(&field.base, pattern, item)?, &field.member) {
            (Item::Tuple(parts), Member::Unnamed(at)) => parts.get(at.index as usize).cloned(),
            _ => None,
        },
        // A reference to a field of what a reference names.
        Expr::Reference(reference) if reference.mutability.is_none() => {
            let Expr::Field(field) = bare(&reference.expr) else {
                return None;
            };
            let Item::Place { place, mutable } = of_body(&field.base, pattern, item)? else {
                return None;
            };
            let member = &field.member;
            let place = parse_quote_spanned!(field.span()=> #place.#member);
            Some(Item::Place { place, mutable })
        }
        _ => None,
    }
}

/// Has the parts of a key that are references be what these refer to.
fn read_parts(key: &mut Expr, pattern: &Pat, item: &Item) {
    match key {
        Expr::Paren(paren) => read_parts(&mut paren.expr, pattern, item),
        Expr::Tuple(tuple) => {
            let parts = tuple.elems.iter_mut();
            parts.for_each(|part| read_parts(part, pattern, item));
        }
        // `Reverse(x)`
        Expr::Call(call) if matches!(&*call.func, Expr::Path(f) if is_reverse(&f.path)) => {
            let parts = call.args.iter_mut();
            parts.for_each(|part| read_parts(part, pattern, item));
        }
        name @ Expr::Path(_) => {
            if let Some(Item::Place { .. }) = of_body(name, pattern, item) {
                *name = parse_quote_spanned!(name.span()=> *#name);
            }
        }
        _ => {}
    }
}

fn is_reverse(path: &Path) -> bool {
    path.segments
        .last()
        .is_some_and(|last| last.ident == "Reverse")
}

/// What a name of a pattern is bound to.
fn named(name: &Ident, pattern: &Pat, item: &Item) -> Option<Item> {
    match (pattern, item) {
        (Pat::Paren(paren), _) => named(name, &paren.pat, item),
        (Pat::Ident(ident), _) if ident.ident == *name && ident.subpat.is_none() => {
            Some(item.clone())
        }
        (Pat::Reference(reference), Item::Place { place, .. }) => {
            named(name, &reference.pat, &Item::Value(place.clone()))
        }
        (Pat::Tuple(tuple), Item::Tuple(parts)) if tuple.elems.len() == parts.len() => {
            let mut parts = tuple.elems.iter().zip(parts);
            parts.find_map(|(pattern, item)| named(name, pattern, item))
        }
        _ => None,
    }
}
