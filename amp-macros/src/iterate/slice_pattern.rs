//! Slices that patterns take apart: the length is matched, and the names stand for elements and parts.
//!
//! ```text
//! match a { [] => e, [x, rest @ ..] => f }    match len { 0 => e, 1.. => { let x = &a[0]; let rest = &a[1..len]; f } }
//! ```
//!
//! Those of a tuple are matched side by side: `match (a, b) { ([], _) => e, (_, [y, ..]) => f }`.
//! So rustc proves of the lengths that no one is left out. What is tested of elements does not count there.
//! Left out are slices that are no references.

use syn::{
    Arm, Expr, ExprMatch, ExprTuple, Local, Pat, PatGuard, PatIdent, PatSlice, Stmt, Token,
    parse_quote_spanned, spanned::Spanned,
};

use super::{
    Made, Names, Refusal, bare, build,
    item::Scope,
    place::By,
    slice_elements::{Whole, is_of_slice, rest_name},
    slice_value,
};

/// A `match` of a slice, or of several side by side, as one of their lengths.
pub fn matched(choice: &ExprMatch, names: &mut Names) -> Option<Made<Expr>> {
    if let Some(lent) = slice_value::lent(choice, names) {
        return matched(&lent, names);
    }
    let (value, is_slice) = (bare(&choice.expr), |value: &Expr| {
        is_lent(value, names) && names.known.is_unsized(value)
    });
    match value {
        Expr::Tuple(tuple) if tuple.elems.iter().any(is_slice) => {
            Some(of_tuple(choice, tuple, names))
        }
        value if is_slice(value) => {
            let has_slices = choice.arms.iter().any(|arm| is_of_slice(pattern_of(arm).0));
            has_slices.then(|| {
                let span = choice.match_token.span;
                let (statements, whole) = Whole::of(&choice.expr, span, names);
                let length = whole.length.clone();
                let plain = of_lengths(choice, length, &[(None, whole)], names)?;
                Ok(build::within(statements, plain, span))
            })
        }
        value if is_lent(value, names) && !names.known.is_writable(value) => {
            let mut patterns = choice.arms.iter().map(|arm| pattern_of(arm).0);
            let has_rest = patterns.any(|pattern| named_rest(pattern).is_some());
            has_rest.then(|| rests_of_array(choice, names))
        }
        _ => None,
    }
}

/// The position of a rest with a name in the pattern of an array, its name, and how many elements are behind it.
fn named_rest(pattern: &Pat) -> Option<(usize, &PatIdent, usize)> {
    let Pat::Slice(array) = pattern else {
        return None;
    };
    let mut parts = array.elems.iter().enumerate();
    let (position, name) = parts.find_map(|(at, part)| Some((at, rest_name(part)?)))?;
    Some((position, name, array.elems.len() - 1 - position))
}

/// A `match` of an array behind a reference to read, the rests of which are slices.
fn rests_of_array(choice: &ExprMatch, names: &mut Names) -> Made<Expr> {
    let span = choice.match_token.span;
    let (statements, whole) = Whole::of(&choice.expr, span, names);
    let mut plain = choice.clone();
    for arm in &mut plain.arms {
        let (pattern, guard) = pattern_of(arm);
        let Some((position, name, behind)) = named_rest(pattern) else {
            continue;
        };
        let guard = guard.map(|(token, guard)| (*token, guard.clone()));
        let item = whole.rest(position, behind, name.span());
        let named = Pat::Ident(PatIdent {
            subpat: None,
            ..name.clone()
        });
        let (mut unnamed, is_guarded) = (pattern.clone(), guard.is_some());
        if let Pat::Slice(array) = &mut unnamed {
            array.elems[position] = parse_quote_spanned!(name.span()=> ..);
        }
        let mut around = |inside: &Expr| {
            let mut scope = Scope::of([pattern]).repeated(is_guarded);
            scope.bind(names, &named, &item, false)?;
            scope.around(inside.clone())
        };
        let body = around(&arm.body)?;
        let guard = guard.map(|(token, guard)| Ok((token, around(&guard)?)));
        let guard = guard.transpose()?;
        *arm.body = body;
        arm.pat = guarded(unnamed, guard);
    }
    Ok(build::within(statements, Expr::Match(plain), span))
}

/// A `match` of a tuple with slices in it, what stands before one of these computed first.
fn of_tuple(choice: &ExprMatch, tuple: &ExprTuple, names: &mut Names) -> Made<Expr> {
    let span = choice.match_token.span;
    let mut lengths = tuple.clone();
    let (mut statements, mut slices) = (Vec::new(), Vec::new());
    for (position, value) in lengths.elems.iter_mut().enumerate() {
        if is_lent(value, names) && names.known.is_unsized(value) {
            let (named, whole) = Whole::of(value, span, names);
            statements.extend(named);
            *value = whole.length.clone();
            slices.push((Some(position), whole));
        } else if !matches!(bare(value), Expr::Reference(_) | Expr::Path(_)) {
            let name = names.fresh("part", span);
            statements.push(parse_quote_spanned!(span=> let #name = #value;));
            *value = parse_quote_spanned!(span=> #name);
        }
    }
    let plain = of_lengths(choice, Expr::Tuple(lengths), &slices, names)?;
    Ok(build::within(statements, plain, span))
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

/// A `match` of lengths, each of a slice that a part of the patterns takes apart, or the pattern as a whole.
fn of_lengths(
    choice: &ExprMatch,
    lengths: Expr,
    slices: &[(Option<usize>, Whole)],
    names: &mut Names,
) -> Made<Expr> {
    let span = choice.match_token.span;
    let mut plain = choice.clone();
    *plain.expr = lengths;
    plain.arms = choice.arms.iter().flat_map(alternatives).collect();
    for arm in &mut plain.arms {
        let (pattern, guard) = pattern_of(arm);
        let guard = guard.map(|(token, guard)| (*token, guard.clone()));
        let mut lengths = pattern.clone();
        let mut condition: Option<Expr> = None;
        let mut scope = Scope::of([pattern]).repeated(guard.is_some());
        // A guard writes nothing.
        let mut read = Scope::of([pattern]).repeated(true);
        for (position, whole) in slices {
            let Some(pattern) = slot(&mut lengths, *position)? else {
                continue;
            };
            let apart = whole.apart(pattern, names)?;
            apart.bind(&mut scope, names)?;
            if guard.is_some() {
                let apart = whole.to_read().apart(pattern, names)?;
                apart.bind(&mut read, names)?;
            }
            *pattern = apart.lengths;
            condition = match (condition, apart.test) {
                (Some(one), Some(other)) => Some(build::both(one, other, span)),
                (one, other) => one.or(other),
            };
        }
        *arm.body = scope.around((*arm.body).clone())?;
        if let Some((if_token, guard)) = guard {
            let guard = read.around(guard)?;
            condition = Some(match condition {
                Some(test) => build::both(test, guard, if_token.span),
                None => guard,
            });
        }
        let condition = condition.map(|condition| (Token![if](span), condition));
        arm.pat = guarded(lengths, condition);
    }
    Ok(Expr::Match(plain))
}

/// The part of an arm's pattern at a position of a tuple, or the pattern as a whole, if it is no wildcard.
pub fn slot(pattern: &mut Pat, position: Option<usize>) -> Made<Option<&mut Pat>> {
    let refused = |pattern: &Pat| {
        Refusal::new(
            pattern.span(),
            "this pattern for what stands side by side",
            "write the tuple, with a pattern for each part: `(a, b)`",
        )
    };
    match (pattern, position) {
        (Pat::Guard(guarded), _) => slot(&mut guarded.pat, position),
        (Pat::Wild(_), _) => Ok(None),
        (pattern, None) => Ok(Some(pattern)),
        (Pat::Tuple(tuple), Some(position)) => {
            match tuple.elems.iter().find(|it| matches!(it, Pat::Rest(_))) {
                Some(rest) => Err(refused(rest)),
                None => Ok(tuple.elems.get_mut(position)),
            }
        }
        (other, Some(_)) => Err(refused(other)),
    }
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
            Pat::Tuple(parts) => parts.elems.iter().any(has_elements),
            // Of tuples alone: it names a part.
            Pat::Ident(_) => true,
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
    statements.extend(apart.declared(Some(otherwise)));
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
        statements.extend(apart.declared(None));
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
