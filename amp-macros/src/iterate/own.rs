//! Variables of one's own types that implement `Iterator`: items are taken out of them by their `next`.
//!
//! Which types these are is known when the program's functions are. `next` itself is a method as any other. Left out
//! are fields and elements of such types.

use syn::{Expr, ExprMethodCall, parse_quote_spanned, spanned::Spanned};

use super::{
    Made, Names, bare,
    ends::{self, End},
    flow::{Flow, reference},
    range,
    sources::taking_at_both_ends,
};

/// The methods that such a type has itself.
pub const METHODS: [&str; 2] = ["next", "next_back"];

/// The variable, and whether a copy of it is visited: the types of kernels are copied.
fn source<'e>(expr: &'e Expr, names: &Names) -> Option<(&'e Expr, bool)> {
    let expr = bare(expr);
    let (variable, is_copied) = match expr {
        Expr::MethodCall(call) if call.args.is_empty() => match &*call.method.to_string() {
            "by_ref" => (bare(&call.receiver), false),
            "clone" => (bare(&call.receiver), true),
            _ => (expr, true),
        },
        Expr::Path(_) => {
            let is_lent = is_self(expr) && !names.known.owns_self();
            (expr, !names.known.is_reference(expr) && !is_lent)
        }
        Expr::Reference(_) => {
            let reference = reference(expr).filter(|it| it.mutability.is_some())?;
            (bare(&reference.expr), false)
        }
        made => (made, true),
    };
    let is_place = is_copied || matches!(variable, Expr::Path(_));
    (is_place && names.known.is_own_iterator(variable)).then_some((variable, is_copied))
}

fn is_self(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("self"))
}

/// Whether a chain begins with such a variable.
pub fn is_source(expr: &Expr, names: &Names) -> bool {
    source(expr, names).is_some()
}

impl Names {
    /// Whether a method is one that such a variable has itself, by the name of an adapter or an end.
    pub(super) fn is_own_method(&self, call: &ExprMethodCall) -> bool {
        let name = call.method.to_string();
        self.called
            .as_ref()
            .is_some_and(|called| called.is_own_method(&name))
            && self.known.is_own_iterator(&call.receiver)
            && !self.known.is_reference(&call.receiver)
    }
}

/// The chain of what it yields.
pub fn flow(expr: &Expr, names: &mut Names) -> Option<Flow> {
    let (variable, is_copied) = source(expr, names)?;
    let span = expr.span();
    let mut setup = Vec::new();
    let mut taken = variable.clone();
    if is_copied {
        let name = names.fresh("source", span);
        setup.push(parse_quote_spanned!(span=> let mut #name = #variable;));
        taken = parse_quote_spanned!(span=> #name);
    }
    let f = parse_quote_spanned!(span=> || #taken.next());
    let has_back = names.called.as_ref().is_some_and(|it| it.has_next_back());
    let back = has_back.then(|| parse_quote_spanned!(span=> || #taken.next_back()));
    let driver = taking_at_both_ends(f, back, span, names);
    Some(Flow::alone(setup, driver))
}

/// What takes items out of the variable itself: `rng.any(f)`, `rng.nth(2)`.
pub fn ended(call: &ExprMethodCall, names: &mut Names) -> Option<Made<End>> {
    let name = call.method.to_string();
    let variable = bare(&call.receiver);
    let takes = range::LEAVES_RANGE.contains(&&*name) || name == "nth";
    if !takes || !matches!(variable, Expr::Path(_)) || !names.known.is_own_iterator(variable) {
        return None;
    }
    let span = call.method.span();
    let flow = flow(&parse_quote_spanned!(span=> #variable.by_ref()), names)?;
    Some(ends::end(call, &flow, names))
}
