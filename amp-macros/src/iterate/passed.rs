//! Calls of functions that take iterators, which `sugar::taken` has written anew: with a closure that takes the
//! next item.
//!
//! ```text
//! mean(x.iter().copied())      { let mut it = x.iter().copied(); mean(|| it.next()) }
//! number(&mut it)              number(|| it.next())
//! ```
//!
//! Which functions these are is known when the program's functions are. But an iterator that a variable is can be nothing
//! else where an argument stands.

use proc_macro2::{Ident, Span};
use syn::{Expr, ExprClosure, Stmt, parse_quote_spanned, spanned::Spanned};

use super::{
    ADAPTERS, Made, Names, Refusal, bare, build,
    ends::is_end,
    kept::{self, LEFT},
    mentioned::mentioned_by,
    passed_on, recognise, refused,
    sources::INTO_ITER,
    taken::{self, BACK, TAKE, TAKE_REFERENCE, TAKE_VALUE},
};
use crate::language::returned::Taken;

/// Whether a closure is one that takes items out of an iterator that a variable is.
pub fn takes_items(f: &ExprClosure) -> bool {
    f.inputs.is_empty() && mentioned_by(f).iter().any(|name| name.starts_with(LEFT))
}

/// How the next item is taken.
#[derive(Clone, Copy)]
struct Take {
    method: &'static str,
    at_both_ends: bool,
}

impl Take {
    fn of(taken: Taken) -> Self {
        Self {
            method: match taken.by_reference {
                true => TAKE_REFERENCE,
                false => TAKE_VALUE,
            },
            at_both_ends: taken.at_both_ends,
        }
    }

    /// The closure that takes it out of a variable.
    fn of_variable(self, variable: &Expr, span: Span, names: &mut Names) -> Expr {
        let front = Ident::new(self.method, span);
        if !self.at_both_ends {
            return parse_quote_spanned!(span=> || #variable.#front());
        }
        let back = Ident::new(&format!("{}{BACK}", self.method), span);
        let is_back = names.fresh("is_back", span);
        parse_quote_spanned! {span=>
            |#is_back: bool| if #is_back { #variable.#back() } else { #variable.#front() }
        }
    }
}

impl Names {
    /// What a call is written as that has iterators as arguments.
    pub fn with_taken(&mut self, expr: &Expr) -> Option<Expr> {
        let (is_method, name, arguments) = match expr {
            Expr::Call(call) => (false, None, &call.args),
            Expr::MethodCall(call) => (true, Some(call.method.to_string()), &call.args),
            _ => return None,
        };
        let is_adapter = |name: &String| ADAPTERS.contains(&&**name) || is_end(name);
        if name.as_ref().is_some_and(is_adapter) {
            return None;
        }
        let called = self.called.clone();
        let known = called.as_ref().and_then(|called| called.taken_by(expr));
        let taken: Vec<Option<Take>> = match known {
            Some(taken) => {
                let arguments = taken.iter().skip(usize::from(is_method));
                arguments.map(|taken| taken.map(Take::of)).collect()
            }
            None => {
                let take = Take {
                    method: TAKE,
                    at_both_ends: false,
                };
                let is_kept = |argument| self.begins_with_kept(argument).then_some(take);
                arguments.iter().map(is_kept).collect()
            }
        };
        let is_passed = |argument: &Expr| matches!(bare(argument), Expr::Closure(_));
        let is_of_front = |(argument, take): &(&Expr, &Option<Take>)| {
            take.is_some_and(|take| take.at_both_ends)
                && matches!(bare(argument), Expr::Closure(f) if f.inputs.is_empty())
        };
        if let Some((argument, _)) = arguments.iter().zip(&taken).find(is_of_front) {
            return Some(refused(
                argument.span(),
                "an iterator in a variable, passed to a function that takes items from both its ends",
                "pass the chain where it stands: `ends(x.iter())`",
            ));
        }
        let mut new = arguments.iter().zip(&taken);
        let is_new = new.any(|(argument, take)| take.is_some() && !is_passed(argument));
        // What a function returns that takes iterators is written later.
        let is_later = known.is_none() || self.returns(expr);
        let named = passed_on::named(expr).filter(|_| !is_later);
        if !is_new && named.is_none() {
            return None;
        }
        let (mut setup, mut call) = (Vec::new(), named.unwrap_or_else(|| expr.clone()));
        let arguments = match &mut call {
            Expr::Call(call) => &mut call.args,
            Expr::MethodCall(call) => &mut call.args,
            _ => return None,
        };
        for (argument, take) in arguments.iter_mut().zip(taken) {
            if let Some(take) = take
                && !is_passed(argument)
            {
                match self.take(argument, take, &mut setup) {
                    Ok(closure) => *argument = closure,
                    Err(refusal) => return Some(refusal.call()),
                }
            } else if is_new && !passed_on::is_fixed(argument, self) {
                let (span, name) = (argument.span(), self.fresh("source", argument.span()));
                setup.push(parse_quote_spanned!(span=> let #name = #argument;));
                *argument = parse_quote_spanned!(span=> #name);
            }
        }
        Some(build::within(setup, call, expr.span()))
    }

    /// Whether an argument is a chain of an iterator that a variable is.
    fn begins_with_kept(&self, argument: &Expr) -> bool {
        recognise(argument, self).is_some_and(|(source, _)| taken::is_used(source, self))
    }

    /// What takes the next item out of what an argument is an iterator of.
    fn take(&mut self, argument: &Expr, take: Take, setup: &mut Vec<Stmt>) -> Made<Expr> {
        let span = argument.span();
        match self.lent(argument) {
            Some((variable, true)) => Ok(take.of_variable(&variable, span, self)),
            Some((variable, false)) => {
                let next = Take {
                    method: "next",
                    ..take
                };
                Ok(next.of_variable(&variable, span, self))
            }
            None => {
                let (name, into) = (self.fresh("iterator", span), Ident::new(INTO_ITER, span));
                let local = parse_quote_spanned!(span=> let mut #name = #into(#argument););
                let Stmt::Local(local) = local else {
                    return Err(Refusal::later(span));
                };
                if self.is_unfolded(argument) {
                    setup.push(Stmt::Local(local));
                    return Ok(parse_quote_spanned!(span=> &mut #name));
                }
                setup.extend(
                    kept::declared(&local, self)
                        .transpose()?
                        .unwrap_or_default(),
                );
                let variable = parse_quote_spanned!(span=> #name);
                Ok(take.of_variable(&variable, span, self))
            }
        }
    }

    /// The variable that is passed by `&mut`, and whether it is an iterator that is kept.
    fn lent(&self, argument: &Expr) -> Option<(Expr, bool)> {
        let variable = match bare(argument) {
            Expr::Reference(reference) if reference.mutability.is_some() => &reference.expr,
            Expr::MethodCall(call) if call.args.is_empty() && call.method == "by_ref" => {
                &call.receiver
            }
            name @ Expr::Path(_) if self.known.is_writable(name) => name,
            name if self.kept(name).is_some_and(|it| it.kept.is_lent) => name,
            _ => return None,
        };
        let is_kept = self.kept(variable).is_some();
        let is_own = self.known.is_own_iterator(variable) || self.is_range(variable);
        (is_kept || is_own).then(|| (bare(variable).clone(), is_kept))
    }
}
