//! Ranges that are values, as sources of chains and as parts of slices.
//!
//! Some ends leave the range behind the last item that they ask for: these take the items out of the variable
//! one by one. Others have a copy of its bounds.

use syn::{Expr, ExprIndex, ExprMethodCall, parse_quote_spanned, spanned::Spanned};

use super::{
    Made, Names, Refusal, bare,
    flow::{Driver, Flow},
};

/// The ends that ranges have as methods.
pub const OF_RANGES: [&str; 4] = ["len", "next", "next_back", "nth"];

/// The chain of a range that is a value.
pub fn of_value(source: &Expr, names: &mut Names) -> Flow {
    let (span, value) = (source.span(), names.fresh("source", source.span()));
    let setup = vec![parse_quote_spanned!(span=> let #value = #source;)];
    let range = parse_quote_spanned!(span=> #value.start..#value.end);
    let order = Vec::new();
    Flow::alone(setup, Driver::Range { range, order })
}

/// The ends that leave the range itself behind the last item that they ask for.
pub const LEAVES_RANGE: [&str; 8] = [
    "any",
    "all",
    "find",
    "find_map",
    "position",
    "rposition",
    "try_fold",
    "try_for_each",
];

/// The chain of what is left of a range that a variable is.
pub fn rest(range: &Expr, names: &mut Names) -> Flow {
    let span = range.span();
    let next = names.fresh("next", span);
    let f = parse_quote_spanned!(span=> || #range.next());
    let back = parse_quote_spanned!(span=> || #range.next_back());
    Flow::alone(
        Vec::new(),
        Driver::Next {
            next,
            first: false,
            f,
            back: Some(back),
        },
    )
}

/// The variable of a range whose items a chain takes out of it, `r.by_ref()`.
pub fn by_reference<'a>(expr: &'a Expr, names: &Names) -> Option<&'a Expr> {
    match expr {
        Expr::MethodCall(call) if call.method == "by_ref" && call.args.is_empty() => {
            let range = bare(&call.receiver);
            names.is_place_of_range(range).then_some(range)
        }
        _ => None,
    }
}

/// Refuses what Rust asks the range for by `nth`, which leaves a range behind that nothing else does.
pub fn check(calls: &[&ExprMethodCall]) -> Made<()> {
    let by_nth = |call: &&&ExprMethodCall| {
        ["skip", "step_by", "nth"]
            .iter()
            .any(|name| call.method == name)
    };
    match calls.iter().find(by_nth) {
        Some(call) => Err(Refusal::new(
            call.method.span(),
            format!("`{}` of items that are taken out of a range", call.method),
            "call `r.nth(n)` on the range itself",
        )),
        None => Ok(()),
    }
}

impl Names {
    /// `a[r]` of a range `r` as the part between its bounds.
    pub fn part_by_range(&self, index: &ExprIndex) -> Option<Expr> {
        let range = match bare(&index.index) {
            Expr::MethodCall(call) if call.method == "clone" => bare(&call.receiver),
            range => range,
        };
        if !self.is_place_of_range(range) {
            return None;
        }
        let (of, span) = (&index.expr, index.index.span());
        Some(parse_quote_spanned!(span=> #of[#range.start..#range.end]))
    }
}
