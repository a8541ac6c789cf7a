//! Iterators that variables are: `let mut it = a.iter().copied();`, and then `it.next()`, `for x in it`,
//! `it.by_ref().take(2)`, `it.peek()`.
//!
//! ```text
//! let mut it = a.iter().map(f);         let slice = &a[..]; let mut left = 0..slice.len();
//! while let Some(x) = it.next() { .. }  while let Some(i) = left.next() { let x = f(&slice[i]); .. }
//! ```
//!
//! What the chain computes before its first item stands at the `let`, with the variables that its adapters
//! count with. What is left of its source is a range, which Rust moves where the iterator is moved; the
//! adapters and their closures stand in each use, so the names that they mention must mean the same there. What functions
//! return is `unfolded` before.

use std::{collections::HashSet, rc::Rc};

use proc_macro2::Ident;
use syn::{
    Expr, ExprMethodCall, ExprRange, Local, Pat, RangeLimits, Stmt, parse_quote_spanned,
    spanned::Spanned,
};

use super::{
    Made, Names, Refusal, bare,
    drive::{none, some},
    flow::{At, Driver, Flow, Indexed, Order, Stage, closure},
    mentioned::{mentioned, mentioned_by},
    moved, recognise, remainder,
    sources::{self, taking, taking_at_both_ends},
};

/// An iterator that a variable is.
pub struct Kept {
    /// The range of what is left.
    pub left: Ident,
    pub source: Source,
    pub stages: Vec<Stage>,
    pub is_peekable: bool,
    /// Whether it is a reference to an iterator, whose name takes items out of it.
    pub is_lent: bool,
    /// The names that its chain mentions.
    pub mentioned: Rc<HashSet<String>>,
    /// The slice of what is behind the parts that it visits.
    pub remainder: Option<Ident>,
    /// Whether it has variables of its own, which a copy of it would share.
    pub has_own: bool,
    /// The item that has been looked at.
    pub peeked: Option<Peeked>,
    /// The variables that tell that no other item comes, whatever is left.
    pub over: Vec<Ident>,
}

/// The item that has been looked at, if no position tells it.
pub struct Peeked {
    /// Whether there is one, and that, if the iterator is not at its end.
    pub is_peeked: Ident,
    pub peeked: Ident,
    /// What takes the item that follows.
    pub next: Expr,
    /// Whether the items are references.
    pub refers: bool,
}

/// What the items are made of.
pub enum Source {
    /// What is at the positions that are left.
    Positions { at: Rc<At>, by_position: bool },
    /// The numbers that are left.
    Numbers { reversed: bool },
    /// What keeps its state in variables of its own.
    Stateful(Driver),
    /// What can only be visited as a whole.
    Whole(Driver),
}

/// What the names of the ranges of what is left begin with.
pub const LEFT: &str = "__amp_left_";

/// The `let` of an iterator, whose name means it from then on.
pub fn declared(local: &Local, names: &mut Names) -> Option<Made<Vec<Stmt>>> {
    let Pat::Ident(name) = &local.pat else {
        return None;
    };
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    if name.by_ref.is_some() || name.subpat.is_some() {
        return None;
    }
    let (chain, last) = match bare(&init.expr) {
        Expr::MethodCall(call) if call.args.is_empty() => match &*call.method.to_string() {
            "peekable" => (&*call.receiver, Last::Peekable),
            // What is lent otherwise is kept under another name.
            "by_ref" if sources::function_of_iter(bare(&call.receiver)).is_some() => {
                (&*call.receiver, Last::Lent)
            }
            _ => (&*init.expr, Last::Adapter),
        },
        chain => (chain, Last::Adapter),
    };
    let is_peekable = matches!(last, Last::Peekable);
    let (source, adapters) = recognise(chain, names)?;
    let is_range = names.is_range(source) || matches!(source, Expr::Range(_));
    let is_value = is_range || names.known.is_own_iterator(source);
    // A range that includes its end is kept if items may be taken out of it.
    let is_kept = matches!(source, Expr::Range(range) if range.end.is_none()
        || name.mutability.is_some() && matches!(range.limits, RangeLimits::Closed(_)));
    if adapters.is_empty() && is_value && !is_kept && !is_peekable {
        return None;
    }
    Some(made(name, (source, &adapters), last, names))
}

/// What a chain that is kept ends with.
enum Last {
    Peekable,
    Lent,
    Adapter,
}

fn made(
    name: &syn::PatIdent,
    (source, adapters): (&Expr, &[&ExprMethodCall]),
    last: Last,
    names: &mut Names,
) -> Made<Vec<Stmt>> {
    let span = name.ident.span();
    let functions = adapters.iter().flat_map(|call| &call.args);
    for f in functions.filter_map(closure) {
        if let Some(token) = &f.capture
            && let Some(name) = mentioned_by(f)
                .into_iter()
                .find(|it| names.known.is_mutable_reference(it))
        {
            return Err(Refusal::new(
                token.span,
                format!(
                    "a `move` closure of an iterator that is kept in a variable, with the reference `{name}`"
                ),
                "leave out `move`",
            ));
        }
    }
    let mut all = match names.kept(source) {
        Some(named) => (*named.kept.mentioned).clone(),
        // The bounds of a range are computed before, as numbers of items are.
        None if matches!(bare(source), Expr::Range(_)) => HashSet::new(),
        None => mentioned(source),
    };
    let used_later =
        |call: &&&ExprMethodCall| !matches!(&*call.method.to_string(), "skip" | "take" | "step_by");
    let used_later = adapters.iter().filter(used_later);
    all.extend(used_later.flat_map(|call| &call.args).flat_map(mentioned));
    names.windows = None;
    let mut source = source.clone();
    let (mut before, remainder) = match adapters {
        [] => remainder::kept(&mut source, names).unzip(),
        _ => (None, None),
    };
    let flow = Flow::of(&borrowed(&source), adapters, names)?;
    let Flow {
        mut setup,
        driver,
        mut stages,
    } = flow;
    let mut over = Vec::new();
    for stage in &mut stages {
        if let (Stage::TakeWhile(_, is_over), Some(_)) = (stage, &name.mutability) {
            let flag = names.fresh("is_over", span);
            setup.push(parse_quote_spanned!(span=> let mut #flag = false;));
            over.push(flag.clone());
            *is_over = Some(flag);
        }
    }
    let nothing: Expr = parse_quote_spanned!(span=> 0..0_usize);
    // What is not `mut` is visited as a whole.
    let is_taken = name.mutability.is_some();
    let (left_of, source) = match driver {
        Driver::Called(_) => {
            return Err(Refusal::new(
                source.span(),
                "an iterator that a function returns, kept in a variable or passed to a function",
                "keep it in the `#[amp_module]` of the function, or use it where it stands: `for x in evens(n)`, \
                 `evens(n).sum::<u32>()`",
            ));
        }
        Driver::Indexed(indexed) if !indexed.endless => {
            let Indexed {
                length,
                by_position,
                at,
                ..
            } = indexed.plain(names, &mut setup, span);
            let positions = Source::Positions { at, by_position };
            (parse_quote_spanned!(span=> 0..#length), positions)
        }
        Driver::Range { range, order }
            if matches!(&*order, [] | [Order::Rev])
                && range.end.is_some()
                && matches!(range.limits, RangeLimits::HalfOpen(_)) =>
        {
            let reversed = !order.is_empty();
            (Expr::Range(range), Source::Numbers { reversed })
        }
        Driver::Range { range, order }
            if is_taken && let Some(taking) = closed(&range, &order, &mut setup, names) =>
        {
            (nothing, Source::Stateful(taking))
        }
        Driver::Range { range, .. } if range.end.is_none() => {
            let start = range
                .start
                .unwrap_or_else(|| parse_quote_spanned!(span=> 0));
            let (next, number) = (names.fresh("next", span), names.fresh("number", span));
            setup.push(parse_quote_spanned!(span=> let mut #next = #start;));
            let item: Expr = some(&parse_quote_spanned!(span=> #number), span);
            let f =
                parse_quote_spanned!(span=> || { let #number = #next; #next = #number + 1; #item });
            (nothing, Source::Stateful(taking(f, span, names)))
        }
        driver @ (Driver::Repeat(_) | Driver::Next { .. }) => (nothing, Source::Stateful(driver)),
        mut driver => {
            fix(&mut driver, &mut setup, names);
            (nothing, Source::Whole(driver))
        }
    };
    let has_own = setup.iter().any(moved::is_copy);
    let left = names.fresh("left", span);
    let mut pattern = name.clone();
    pattern.ident = left.clone();
    setup.push(parse_quote_spanned!(span=> let #pattern = #left_of;));
    let mut statements = before.take().unwrap_or_default();
    statements.append(&mut setup);
    let kept = Kept {
        left: left.clone(),
        source,
        stages,
        is_peekable: matches!(last, Last::Peekable),
        is_lent: matches!(last, Last::Lent),
        mentioned: Rc::new(all),
        remainder,
        has_own,
        peeked: None,
        over,
    };
    let kept = (name.ident.to_string(), Rc::new(kept));
    names.kept.insert(left.to_string(), kept);
    Ok(statements)
}

/// What takes the numbers of a range that includes its end, one by one.
fn closed(
    range: &ExprRange,
    order: &[Order],
    setup: &mut Vec<Stmt>,
    names: &mut Names,
) -> Option<Driver> {
    let (RangeLimits::Closed(_), Some(start), Some(end)) = (range.limits, &range.start, &range.end)
    else {
        return None;
    };
    let is_reversed = match order {
        [] => false,
        [Order::Rev] => true,
        _ => return None,
    };
    let span = range.span();
    let [first, last, is_left, number] =
        ["first", "last", "is_left", "number"].map(|name| names.fresh(name, span));
    setup.push(parse_quote_spanned!(span=> let mut #first = #start;));
    setup.push(parse_quote_spanned!(span=> let mut #last = #end;));
    setup.push(parse_quote_spanned!(span=> let mut #is_left = #first <= #last;));
    let (item, nothing): (Expr, Expr) = (
        some(&parse_quote_spanned!(span=> #number), span),
        none(span),
    );
    let next = |taken: &Ident, next: Stmt| -> Expr {
        parse_quote_spanned! {span=> || if #is_left {
            let #number = #taken;
            if #first < #last { #next } else { #is_left = false; }
            #item
        } else {
            #nothing
        }}
    };
    let mut front = next(&first, parse_quote_spanned!(span=> #first = #number + 1;));
    let mut back = next(&last, parse_quote_spanned!(span=> #last = #number - 1;));
    if is_reversed {
        std::mem::swap(&mut front, &mut back);
    }
    Some(taking_at_both_ends(front, Some(back), span, names))
}

/// The source with a slice of the place that it visits, which Rust has borrowed from then on.
fn borrowed(source: &Expr) -> Expr {
    let mut source = source.clone();
    if let Expr::MethodCall(call) = &mut source
        && call.method != "into_iter"
        && match bare(&call.receiver) {
            Expr::Path(path) => path.path.get_ident().is_some_and(is_variable),
            Expr::Field(_) => true,
            _ => false,
        }
    {
        let (place, span) = (&call.receiver, call.receiver.span());
        *call.receiver = parse_quote_spanned!(span=> #place[..]);
    }
    source
}

/// Whether a name is not one of a constant.
fn is_variable(name: &Ident) -> bool {
    name.to_string().chars().any(char::is_lowercase)
}

/// Computes the bounds of ranges.
fn fix(driver: &mut Driver, setup: &mut Vec<Stmt>, names: &mut Names) {
    match driver {
        Driver::Range { range, .. } => {
            let span = range.span();
            let mut fixed = Vec::new();
            for bound in range.start.iter_mut().chain(&mut range.end) {
                let name = names.fresh("bound", span);
                setup.push(parse_quote_spanned!(span=> let #name = #bound;));
                **bound = parse_quote_spanned!(span=> #name);
                fixed.push(name);
            }
            if let [start, end] = &*fixed {
                // A comparison, so that both have one type.
                setup.push(parse_quote_spanned!(span=> let _ = #start == #end;));
            }
        }
        Driver::Both { parts, .. } => {
            for part in &mut **parts {
                fix(&mut part.driver, setup, names);
            }
        }
        _ => {}
    }
}

/// An iterator where its name stands.
pub struct Named {
    pub kept: Rc<Kept>,
    /// What its chain mentions and has been declared anew.
    pub hidden: Option<String>,
}

impl Names {
    /// The iterator that a name is.
    pub(super) fn kept(&self, expr: &Expr) -> Option<Named> {
        let chain = self.known.chain(expr)?;
        let (_, kept) = self.kept.get(&chain.left)?;
        Some(Named {
            kept: kept.clone(),
            hidden: chain.hidden.clone(),
        })
    }
}
