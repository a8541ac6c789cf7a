//! Iterators that are `peekable` behind adapters: the item that has been looked at waits in a variable.
//!
//! ```text
//! let mut it = a.iter().filter(f).peekable();      let mut rest = a.iter().filter(f);
//! it.peek()                                        { if !is_peeked { peeked = rest.next(); is_peeked = true; } peeked }
//! it.next()                                        if is_peeked { is_peeked = false; peeked } else { rest.next() }
//! ```
//!
//! What it refers to is copied, where the items are references. Those whose next item a position tells need no variable
//! (see `kept`).

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use syn::{Expr, ExprMethodCall, Local, Pat, Stmt, parse_quote_spanned};

use super::{
    Made, Names, bare,
    drive::none,
    ends::{End, Found},
    flow::Stage,
    item::Item,
    kept::{self, Kept, Named, Peeked, Source},
    sources::{referring, taking},
    taken::{self, TAKE},
};

/// The `let` of such an iterator.
pub fn declared(local: &Local, names: &mut Names) -> Option<Made<Vec<Stmt>>> {
    let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init) else {
        return None;
    };
    let Expr::MethodCall(call) = bare(&init.expr) else {
        return None;
    };
    if call.method != "peekable" || !call.args.is_empty() || init.diverge.is_some() {
        return None;
    }
    let plain = match kept::declared(local, names)? {
        Ok(plain) => plain,
        Err(refusal) => return Some(Err(refusal)),
    };
    let of_plain = declared_by(&plain, names)?;
    let is_told = matches!(
        of_plain.source,
        Source::Positions { .. } | Source::Numbers { .. }
    );
    let is_copied = |stage: &Stage| matches!(stage, Stage::Copied(_));
    if is_told && of_plain.stages.iter().all(is_copied) {
        return Some(Ok(plain));
    }
    Some(made(name.ident.clone(), call, &of_plain, names))
}

/// The iterator that statements declare.
fn declared_by(statements: &[Stmt], names: &Names) -> Option<Rc<Kept>> {
    let Some(Stmt::Local(Local {
        pat: Pat::Ident(left),
        ..
    })) = statements.last()
    else {
        return None;
    };
    let (_, kept) = names.kept.get(&left.ident.to_string())?;
    Some(kept.clone())
}

fn made(name: Ident, call: &ExprMethodCall, plain: &Kept, names: &mut Names) -> Made<Vec<Stmt>> {
    let (span, chain) = (name.span(), &call.receiver);
    let [rest, is_peeked, peeked, left] =
        ["rest", "is_peeked", "peeked", "left"].map(|name| names.fresh(name, span));
    let local = parse_quote_spanned!(span=> let mut #rest = #chain;);
    let inner = match &local {
        Stmt::Local(local) => kept::declared(local, names).transpose()?,
        _ => None,
    };
    let inner_of = inner.as_ref().and_then(|inner| declared_by(inner, names));
    let take = Ident::new(if inner.is_some() { TAKE } else { "next" }, span);
    let mut next = call.clone();
    next.method = Ident::new("next", span);
    let refers = match inner_of {
        Some(kept) => {
            let named = Named { kept, hidden: None };
            matches!(taken::next(&named, &next, names)?, End::Item(_))
        }
        None => false,
    };
    let mut statements = inner.unwrap_or_else(|| vec![local]);
    let nothing: Expr = none(span);
    statements.push(parse_quote_spanned!(span=> let mut #is_peeked = false;));
    statements.push(parse_quote_spanned!(span=> let mut #peeked = #nothing;));
    statements.push(parse_quote_spanned!(span=> let mut #left = 0..0_usize;));
    let next: Expr = parse_quote_spanned!(span=> #rest.#take());
    let f = parse_quote_spanned! {span=>
        || if #is_peeked { #is_peeked = false; #peeked } else { #next }
    };
    let kept = Kept {
        left: left.clone(),
        source: Source::Stateful(taking(f, span, names)),
        stages: refers.then(|| referring(span)).into_iter().collect(),
        is_peekable: true,
        is_lent: false,
        mentioned: plain.mentioned.clone(),
        remainder: None,
        has_own: true,
        over: Vec::new(),
        peeked: Some(Peeked {
            is_peeked,
            peeked,
            next,
            refers,
        }),
    };
    let kept = (name.to_string(), Rc::new(kept));
    names.kept.insert(left.to_string(), kept);
    Ok(statements)
}

impl Peeked {
    /// The next item, if there is one, which stays there.
    pub(super) fn peek(&self, span: Span, names: &mut Names) -> Found {
        let Self {
            is_peeked,
            peeked,
            next,
            refers,
        } = self;
        let told = parse_quote_spanned! {span=> {
            if !#is_peeked {
                #peeked = #next;
                #is_peeked = true;
            }
            #peeked
        }};
        let item = names.fresh("item", span);
        let item = match refers {
            true => Item::Place {
                place: parse_quote_spanned!(span=> *#item),
                mutable: false,
            },
            false => Item::Value(parse_quote_spanned!(span=> #item)),
        };
        Found {
            told,
            item,
            slices: Vec::new(),
            borrowed: true,
        }
    }
}
