//! Slices that patterns take apart: the length is matched, and the names stand for elements and parts.
//!
//! ```text
//! match a { [] => e, [x, rest @ ..] => f }    match len { 0 => e, 1.. => { let x = &a[0]; let rest = &a[1..len]; f } }
//! ```
//!
//! So rustc proves of the lengths that no one is left out. What is tested of elements does not count there.
//! Left out are slices that are no references.

use syn::{Arm, Expr, ExprMatch, Local, Pat, PatGuard, PatSlice, Stmt, Token, parse_quote_spanned};

use super::{
    Made, Names, bare, build,
    place::By,
    slice_elements::{Whole, is_of_slice, rest_name},
    slice_value,
};

/// A `match` of a slice, as one of its length.
pub fn matched(choice: &ExprMatch, names: &mut Names) -> Option<Made<Expr>> {
    if let Some(lent) = slice_value::lent(choice, names) {
        return matched(&lent, names);
    }
    let value = &choice.expr;
    let has_slices = choice.arms.iter().any(|arm| is_of_slice(pattern_of(arm).0));
    let is_slice = is_lent(value, names) && names.known.is_unsized(value);
    (has_slices && is_slice).then(|| of_length(choice, names))
}

/// `let [a, b, ..] = slice else { .. };`, and `let [a, rest @ ..] = &array;`.
pub fn taken_apart(local: &Local, names: &mut Names) -> Option<Made<Vec<Stmt>>> {
    let (Pat::Slice(pattern), Some(init)) = (&local.pat, &local.init) else {
        return None;
    };
    if let (Some(slice), Some((_, otherwise))) =
        (slice_value::behind(&init.expr, names), &init.diverge)
    {
        return Some(or_leave((pattern, By::Value), slice, otherwise, names));
    }
    if !is_lent(&init.expr, names) {
        return None;
    }
    match &init.diverge {
        Some((_, otherwise)) if names.known.is_unsized(&init.expr) => {
            let by = By::Reference { mutable: false };
            Some(or_leave((pattern, by), &init.expr, otherwise, names))
        }
        // A pattern that always matches takes an array apart.
        None if !names.known.is_unsized(&init.expr) => {
            rest_of_array(local, pattern, &init.expr, names)
        }
        _ => None,
    }
}

/// Whether an expression is a reference.
fn is_lent(expr: &Expr, names: &Names) -> bool {
    matches!(bare(expr), Expr::Reference(_)) || names.known.is_reference(expr)
}

fn of_length(choice: &ExprMatch, names: &mut Names) -> Made<Expr> {
    let span = choice.match_token.span;
    let (statements, whole) = Whole::of(&choice.expr, span, names);
    let mut plain = choice.clone();
    *plain.expr = whole.length.clone();
    plain.arms = choice.arms.iter().flat_map(alternatives).collect();
    for arm in &mut plain.arms {
        let (pattern, guard) = pattern_of(arm);
        let guard = guard.map(|(token, guard)| (*token, guard.clone()));
        let pattern = pattern.clone();
        let apart = whole.apart(&pattern, names)?;
        let mut condition = apart.test.clone();
        let scope = apart.scope(&pattern, names)?.repeated(guard.is_some());
        *arm.body = scope.around((*arm.body).clone())?;
        if let Some((if_token, guard)) = &guard {
            // A guard writes nothing.
            let read = whole.to_read().apart(&pattern, names)?;
            let scope = read.scope(&pattern, names)?.repeated(true);
            let guard = scope.around(guard.clone())?;
            let span = if_token.span;
            condition = Some(match condition {
                Some(test) => build::both(test, guard, span),
                None => guard,
            });
        }
        let condition = condition.map(|condition| (Token![if](span), condition));
        arm.pat = guarded(apart.lengths, condition);
    }
    Ok(build::within(statements, Expr::Match(plain), span))
}

/// An arm, or if its pattern has several slices with names or tests of elements, an arm for each.
fn alternatives(arm: &Arm) -> Vec<Arm> {
    let (pattern, guard) = pattern_of(arm);
    fn has_elements(case: &Pat) -> bool {
        match case {
            Pat::Reference(reference) => has_elements(&reference.pat),
            Pat::Slice(slice) => {
                let mut parts = slice.elems.iter();
                !parts.all(|part| matches!(part, Pat::Wild(_) | Pat::Rest(_)))
            }
            _ => false,
        }
    }
    match pattern {
        Pat::Or(choice) if choice.cases.iter().any(has_elements) => {
            let cases = choice.cases.iter();
            let guard = || guard.map(|(token, guard)| (*token, guard.clone()));
            cases
                .map(|case| Arm {
                    pat: guarded(case.clone(), guard()),
                    ..arm.clone()
                })
                .collect()
        }
        _ => vec![arm.clone()],
    }
}

fn or_leave(
    (pattern, by): (&PatSlice, By),
    value: &Expr,
    otherwise: &Expr,
    names: &mut Names,
) -> Made<Vec<Stmt>> {
    let span = pattern.bracket_token.span.open();
    let (mut statements, whole) = Whole::of(value, span, names);
    let apart = whole.elements(pattern, by, names)?;
    let (length, lengths) = (&whole.length, &apart.lengths);
    let test = apart.test.clone().map(|test| (Token![if](span), test));
    let fits = guarded(lengths.clone(), test);
    statements.push(parse_quote_spanned! {span=>
        match #length {
            #fits => {}
            #[allow(unreachable_patterns)]
            _ => #otherwise,
        }
    });
    statements.extend(apart.declared());
    Ok(statements)
}

/// The rest of an array behind a reference is a slice. rustc proves that the array has what is named.
fn rest_of_array(
    local: &Local,
    pattern: &PatSlice,
    value: &Expr,
    names: &mut Names,
) -> Option<Made<Vec<Stmt>>> {
    pattern.elems.iter().find_map(rest_name)?;
    let span = pattern.bracket_token.span.open();
    let mut unnamed = local.clone();
    let nothing: Pat = parse_quote_spanned!(span=> _);
    if let (Pat::Slice(elements), Some(init)) = (&mut unnamed.pat, &mut unnamed.init) {
        for part in &mut elements.elems {
            *part = match rest_name(part) {
                Some(_) => parse_quote_spanned!(span=> ..),
                None => nothing.clone(),
            };
        }
        *init.expr = match bare(value) {
            Expr::Reference(reference) => (*reference.expr).clone(),
            name => parse_quote_spanned!(span=> *#name),
        };
    }
    let (named, whole) = Whole::of(value, span, names);
    let mut statements = vec![Stmt::Local(unnamed)];
    statements.extend(named);
    let by = By::Reference { mutable: false };
    Some(whole.elements(pattern, by, names).map(|apart| {
        statements.extend(apart.declared());
        statements
    }))
}

/// The pattern of an arm, and its guard.
pub fn pattern_of(arm: &Arm) -> (&Pat, Option<(&Token![if], &Expr)>) {
    match &arm.pat {
        Pat::Guard(guarded) => (&guarded.pat, Some((&guarded.if_token, &guarded.guard))),
        pattern => (pattern, None),
    }
}

/// A pattern with a guard, if there is one.
pub fn guarded(pattern: Pat, guard: Option<(Token![if], Expr)>) -> Pat {
    let Some((if_token, guard)) = guard else {
        return pattern;
    };
    Pat::Guard(PatGuard {
        attrs: Vec::new(),
        pat: Box::new(pattern),
        if_token,
        guard: Box::new(guard),
    })
}
