//! Chains of iterators, written as the loops that they are.
//!
//! `a.iter().map(f).sum()` becomes one counted loop over the positions of `a`, in whose body each
//! element passes through `map` to the sum: nothing is stored, and closures stand where they are
//! called. So inference, `lower` and the host version see loops, `let`s and `match`es alone. This
//! is done by syntax, which tells a chain by its source. What cannot be written out becomes a
//! refusal, a call of [`REFUSED`] that inference reports.
//!
//! What only types tell are methods that no name of the user's can mean: the length of an array
//! or view is `a.__amp_iter()`, and `infer::iterator` has the others.
//!
//! Left to inference is a `for` over a range or an array that needs none of this.

mod alike;
mod body;
mod build;
mod called;
mod choice;
mod closures;
mod collected;
mod compared;
mod cycle;
mod drive;
mod element;
mod ends;
mod flow;
mod found;
mod function;
mod given;
mod item;
mod jumps;
mod kept;
mod known;
mod made;
mod marked;
mod meaning;
mod mentioned;
mod moved;
mod operators;
mod own;
pub mod own_sources;
mod parts;
mod passed;
mod passed_on;
mod peekable;
mod pieces;
mod place;
mod range;
mod remainder;
mod result;
mod round;
mod separated;
mod settled;
mod shape;
mod signatures;
mod slice_elements;
mod slice_pattern;
mod slice_value;
mod sliced;
mod sources;
mod stored;
mod summed;
mod taken;
mod unfolded;
mod waiting;
mod within;
mod yielded;
mod zip;

use std::{collections::HashMap, rc::Rc};

use proc_macro2::{Ident, Literal, Span};
use syn::{
    Expr, ExprMacro, ExprMethodCall, ItemFn, LitStr, Local, Macro, Pat, Stmt, Token, Type,
    parse::Parser, parse_quote_spanned, punctuated::Punctuated, spanned::Spanned,
};

use self::{
    closures::MadeBy,
    ends::{End, end, is_end},
    flow::Flow,
    kept::Kept,
    known::Known,
};

/// The expression without parentheses.
pub fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => bare(&paren.expr),
        Expr::Group(group) => bare(&group.expr),
        other => other,
    }
}

pub use self::{
    body::has_reference,
    build::both,
    called::Called,
    collected::of_result as name_collected,
    element::is_of_halves,
    found::finds,
    marked::own,
    mentioned::mentioned_by,
    passed::takes_items,
    place::{is_repeated, is_tested},
    slice_elements::rest_name,
    slice_pattern::pattern_of,
    sources::{FROM_ENDS, FROM_FN, REFERENCES_FROM_ENDS, REFERENCES_FROM_FN},
    stored::{assigned, value_first},
};

/// The macro that a refusal is a call of.
pub const REFUSED: &str = "__amp_refused";

/// Why a chain cannot be written out.
pub struct Refusal {
    place: Span,
    message: String,
    help: String,
    /// Whether it is to be tried again when the functions that are called are known.
    later: bool,
}

type Made<T> = Result<T, Refusal>;

impl Refusal {
    fn new(place: Span, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            place,
            message: message.into(),
            help: help.into(),
            later: false,
        }
    }

    /// What only the functions tell that are called.
    fn later(place: Span) -> Self {
        Self {
            later: true,
            ..Self::new(place, "", "")
        }
    }

    /// What a chain is written as now, if that is known.
    fn now<T>(made: Made<T>) -> Option<Made<T>> {
        match made {
            Err(refusal) if refusal.later => None,
            made => Some(made),
        }
    }

    /// What inference reports.
    fn call(&self) -> Expr {
        let name = Ident::new(REFUSED, self.place);
        let (message, help) = (Literal::string(&self.message), Literal::string(&self.help));
        let mac = parse_quote_spanned!(self.place=> #name!(#message, #help));
        Expr::Macro(ExprMacro {
            attrs: Vec::new(),
            mac,
        })
    }
}

/// What stands for an expression that inference refuses with these words.
pub fn refused(place: Span, message: &str, help: &str) -> Expr {
    Refusal::new(place, message, help).call()
}

/// The place, message and help of a refusal, if a macro is one.
pub fn refusal(mac: &Macro) -> Option<(Span, String, String)> {
    if !mac.path.is_ident(REFUSED) {
        return None;
    }
    let texts = Punctuated::<LitStr, Token![,]>::parse_terminated;
    let texts = texts.parse2(mac.tokens.clone()).ok()?;
    let texts: Vec<String> = texts.iter().map(LitStr::value).collect();
    let [message, help] = texts.try_into().ok()?;
    Some((mac.path.span(), message, help))
}

/// Whether a method makes an iterator of a slice, where its name is the user's.
pub fn is_of_slices(name: &str) -> bool {
    sources::METHODS.contains(&name) && name != "into_iter"
        || element::METHODS.contains(&name)
        || separated::METHODS.contains(&name)
}

/// The names of the variables that are made, each once in a function.
#[derive(Default)]
pub struct Names {
    next: usize,
    /// The type of the `let` that the chain is the value of.
    expected: Option<Type>,
    /// What syntax tells of the variables.
    pub known: Known,
    /// How many elements the pattern takes apart that what `array_windows` yields is bound to.
    windows: Option<usize>,
    /// The functions that return iterators and closures, once the program's are known.
    called: Option<Rc<Called>>,
    /// The iterators that variables are, with their names, by the variables of what is left of them.
    kept: HashMap<String, (String, Rc<Kept>)>,
    /// The closures that make iterators, by variables that stand for them.
    closures: HashMap<String, MadeBy>,
    /// How many calls have been unfolded.
    unfolded: usize,
    /// The variables that closures have copies of.
    copied: Vec<Ident>,
}

impl Names {
    /// The names for a function.
    pub fn of(function: &ItemFn) -> Self {
        Self {
            known: Known::of(function, None),
            ..Self::default()
        }
    }

    /// The names for a function that has been written once.
    pub fn with_called(function: &ItemFn, called: &Rc<Called>) -> Self {
        Self {
            // Other names than before.
            next: 100_000,
            called: Some(called.clone()),
            known: Known::of(function, Some(called.clone())),
            ..Self::default()
        }
    }

    /// Notes what a `let` tells of its variable.
    pub fn declare(&mut self, local: &Local) {
        self.known.declare(local);
        if let Pat::Ident(left) = &local.pat
            && let Some((name, kept)) = self.kept.get(&left.ident.to_string())
        {
            let mentioned = kept.mentioned.clone();
            self.known.declare_chain(name, &left.ident, mentioned);
        }
        if let Pat::Ident(left) = &local.pat
            && let Some(made) = self.closures.get(&left.ident.to_string())
        {
            self.known
                .declare_chain(&made.name, &left.ident, made.mentioned.clone());
        }
        if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && init.diverge.is_none()
            && self.is_range(&init.expr)
        {
            self.known.declare_range(&name.ident);
        }
    }

    /// `a.as_slice()` as `&a[..]`.
    pub fn as_slice(&self, call: &ExprMethodCall) -> Option<Expr> {
        let (span, of) = (call.method.span(), &call.receiver);
        if !call.args.is_empty() || !self.known.is_slice(of) {
            return None;
        }
        match &*call.method.to_string() {
            "as_slice" => Some(parse_quote_spanned!(span=> &#of[..])),
            "as_mut_slice" => Some(parse_quote_spanned!(span=> &mut #of[..])),
            _ => None,
        }
    }

    /// A name that nothing else has.
    pub fn fresh(&mut self, name: &str, span: Span) -> Ident {
        self.next += 1;
        let name = format!("__amp_{name}_{}", self.next);
        Ident::new(&name, span.resolved_at(Span::mixed_site()))
    }
}

/// The adapters between a source and an end.
pub const ADAPTERS: &[&str] = &[
    "map",
    "filter",
    "filter_map",
    "enumerate",
    "zip",
    "rev",
    "step_by",
    "skip",
    "take",
    "take_while",
    "skip_while",
    "map_while",
    "scan",
    "chain",
    "flat_map",
    "flatten",
    "inspect",
    "cycle",
    "copied",
    "cloned",
    "into_iter",
    "fuse",
];

/// The source of a chain and its adapters, the innermost first, if an expression is a chain.
fn recognise<'a>(expr: &'a Expr, names: &Names) -> Option<(&'a Expr, Vec<&'a ExprMethodCall>)> {
    let expr = bare(expr);
    if taken::is_used(expr, names)
        || own::is_source(expr, names)
        || names.iterator_of_call(expr).is_some()
        || names.body_of_closure(expr).is_some()
        || names.is_range(expr)
        || range::by_reference(expr, names).is_some()
    {
        return Some((expr, Vec::new()));
    }
    match expr {
        Expr::Range(_) => Some((expr, Vec::new())),
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            if ADAPTERS.contains(&&*name)
                && !names.is_own_method(call)
                && let Some((source, mut adapters)) = recognise(&call.receiver, names)
            {
                adapters.push(call);
                return Some((source, adapters));
            }
            let is_separated =
                || separated::METHODS.contains(&&*name) && element::may_be_slice(call, names);
            (sources::METHODS.contains(&&*name) || is_separated()).then(|| (expr, Vec::new()))
        }
        Expr::Call(_) => sources::function_of_iter(expr).map(|_| (expr, Vec::new())),
        _ => None,
    }
}

/// The chain of what is left of an iterator that a variable is.
fn of_variable(source: &Expr, names: &mut Names) -> Option<Made<Flow>> {
    let kept = taken::flow(source, names);
    kept.or_else(|| own::flow(source, names).map(Ok))
}

/// The chain of what implements `IntoIterator`.
fn into_flow(expr: &Expr, names: &mut Names) -> Made<Flow> {
    sources::into_flow(expr, names)
}

/// Whether chains have a method.
pub fn is_known(name: &str) -> bool {
    ADAPTERS.contains(&name) || is_end(name)
}

/// What a chain is written as, if an expression ends one.
pub fn rewrite(expr: &Expr, names: &mut Names) -> Option<Expr> {
    let made = match expr {
        Expr::ForLoop(round) if let Some(visited) = names.known.visited(&round.expr) => {
            let mut round = round.clone();
            *round.expr = visited;
            round::plain(&round, names)?
        }
        Expr::ForLoop(round) => round::plain(round, names)?,
        Expr::Index(index) => return names.part_by_range(index),
        Expr::Path(_) => return taken::misused(expr, names),
        _ => value(expr, names)?,
    };
    let made = Refusal::now(made)?;
    Some(made.unwrap_or_else(|refusal| refusal.call()))
}

/// The same of the value of a `let`.
pub fn of_local(local: &Local, names: &mut Names) -> Option<Expr> {
    if let (Pat::Type(typed), Some(init)) = (&local.pat, &local.init)
        && let Expr::MethodCall(call) = &*init.expr
    {
        names.expected = Some((*typed.ty).clone());
        let made = ended(call, names);
        names.expected = None;
        return match Refusal::now(made?)? {
            Ok(End::Value(value)) => Some(value),
            Ok(End::Item(_)) => None,
            Err(refusal) => Some(refusal.call()),
        };
    }
    let made = Refusal::now(found::kept(local, names)?)?;
    Some(made.unwrap_or_else(|refusal| refusal.call()))
}

/// What a `let` is written as that declares more than one reference, or one that may not be there.
pub fn several(local: &Local, names: &mut Names) -> Option<Vec<Stmt>> {
    let made = element::halves(local, names)
        .or_else(|| found::kept_or(local, names))
        .or_else(|| found::kept_unwrapped(local, names))
        .map(Ok)
        .or_else(|| closures::declared(local, names).map(Ok))
        .or_else(|| slice_pattern::taken_apart(local, names))
        .or_else(|| peekable::declared(local, names))
        .or_else(|| kept::declared(local, names))?;
    let made = Refusal::now(made)?;
    Some(made.unwrap_or_else(|refusal| {
        let mut refused = local.clone();
        let call = refusal.call();
        refused.pat = parse_quote_spanned!(refusal.place=> _);
        refused.init = Some(syn::LocalInit {
            eq_token: Token![=](refusal.place),
            expr: Box::new(call),
            diverge: None,
        });
        vec![Stmt::Local(refused)]
    }))
}

fn value(expr: &Expr, names: &mut Names) -> Option<Made<Expr>> {
    let copied = within::copied_outside(expr);
    let made = copied.and_then(|copied| found::rewrite(&copied, names));
    let made = made.or_else(|| stored::rewrite(expr, names));
    if let Some(made) = made.or_else(|| found::rewrite(expr, names)) {
        return Some(made);
    }
    if let Expr::Match(choice) = expr {
        return choice::rewrite(choice, names).or_else(|| slice_pattern::matched(choice, names));
    }
    let Expr::MethodCall(call) = expr else {
        return None;
    };
    let slices = remainder::plain(call, names).or_else(|| element::both_halves(call, names));
    if slices.is_some() {
        return slices;
    }
    Some(match ended(call, names)? {
        Ok(End::Value(value)) => Ok(value),
        Ok(End::Item(found)) => found.value(call, names),
        Err(refusal) => Err(refusal),
    })
}

/// The end of a chain, if a call is one.
fn ended(call: &ExprMethodCall, names: &mut Names) -> Option<Made<End>> {
    if names.is_own_method(call) {
        return None;
    }
    let made = taken::ended(call, names).or_else(|| own::ended(call, names));
    if let Some(made) = made.or_else(|| within::ended(call, names)) {
        return Some(made);
    }
    let value = summed::plain(call, names).map(Ok);
    if let Some(made) = value.or_else(|| collected::plain(call, names)) {
        return Some(made.map(End::Value));
    }
    let name = call.method.to_string();
    if let Some((source, mutable)) = element::of(call, names) {
        return Some(element::found(call, source, mutable, names));
    }
    if !is_end(&name) {
        return None;
    }
    let (source, adapters) = recognise(&call.receiver, names)?;
    let is_method = match adapters.is_empty() {
        true if names.is_range(source) => range::OF_RANGES.contains(&&*name),
        true => own::METHODS.contains(&&*name) && names.known.is_own_iterator(source),
        false => false,
    };
    if is_method {
        return None;
    }
    if range::by_reference(source, names).is_some()
        && let Err(refusal) = range::check(&[call])
    {
        return Some(Err(refusal));
    }
    let leaves_range = range::LEAVES_RANGE.contains(&&*name) && adapters.is_empty();
    let flow = match leaves_range && names.is_place_of_range(source) {
        true => Ok(range::rest(source, names)),
        false => {
            let f = call.args.first().and_then(flow::closure);
            names.windows = sources::count_of(f.and_then(|f| f.inputs.first()));
            Flow::of(source, &adapters, names)
        }
    };
    Some(flow.and_then(|mut flow| {
        let slices = flow.take_slices();
        Ok(match end(call, &flow, names)? {
            End::Value(value) => End::Value(build::within(slices, value, call.method.span())),
            End::Item(mut found) => {
                found.slices = slices;
                End::Item(found)
            }
        })
    }))
}

#[cfg(test)]
mod tests;
