//! A `match` of what chains have found, alone or side by side in a tuple, where that is a reference.

use syn::{Arm, Expr, ExprMatch, Pat, Stmt, parse_quote_spanned, spanned::Spanned};

use super::{
    Made, Names, Refusal, bare, build,
    ends::{Found, some_pattern},
    found::found,
    item::{Item, Scope},
    parts,
    slice_pattern::{self, slot},
};
use crate::{
    language::name::path_key,
    visit::{self, Visit},
};

/// What the `match` is written as.
pub fn rewrite(choice: &ExprMatch, names: &mut Names) -> Option<Made<Expr>> {
    let one = std::slice::from_ref(&*choice.expr);
    let (scrutinees, is_tuple): (Vec<&Expr>, bool) = match bare(&choice.expr) {
        Expr::Tuple(tuple) => (tuple.elems.iter().collect(), true),
        _ => (one.iter().collect(), false),
    };
    let mut columns = Vec::new();
    for part in &scrutinees {
        columns.push(match found(part, names) {
            Some(Ok(found)) => Some(found),
            Some(Err(refusal)) => return Some(Err(refusal)),
            None => None,
        });
    }
    if columns.iter().all(Option::is_none) {
        return None;
    }
    Some(matched(choice, &scrutinees, &columns, is_tuple, names))
}

fn matched(
    choice: &ExprMatch,
    of: &[&Expr],
    columns: &[Option<Found>],
    is_tuple: bool,
    names: &mut Names,
) -> Made<Expr> {
    let span = choice.match_token.span;
    let mut plain = choice.clone();
    if is_tuple {
        plain.arms = apart(plain.arms);
    }
    let mut scrutinees: Vec<Expr> = of.iter().map(|part| (*part).clone()).collect();
    let mut slices: Vec<Stmt> = Vec::new();
    let mut told = Vec::new();
    for (position, found) in columns.iter().enumerate() {
        let Some(found) = found else { continue };
        let mut patterns = Vec::new();
        for arm in &mut plain.arms {
            patterns.extend(slot(&mut arm.pat, is_tuple.then_some(position))?);
        }
        let scrutinee = &mut scrutinees[position];
        if let Some(copies) = copied(&patterns, found) {
            let patterns = patterns.into_iter().zip(copies);
            patterns.for_each(|(pattern, copy)| *pattern = copy);
            for _ in 0..references(found) {
                *scrutinee = parse_quote_spanned!(span=> #scrutinee.copied());
            }
            continue;
        }
        *scrutinee = found.told.clone();
        slices.extend(found.slices.iter().cloned());
        told.push((position, found));
    }
    for arm in &mut plain.arms {
        let mut bound: Vec<(Pat, Item, bool)> = Vec::new();
        for (position, found) in &told {
            let Some(pattern) = slot(&mut arm.pat, is_tuple.then_some(*position))? else {
                continue;
            };
            let Some(inner) = inner(pattern)? else {
                continue;
            };
            let (taken, item) = found.taken(names, pattern.span());
            *pattern = some_pattern(&taken, pattern.span());
            parts::want_lengths(pattern, &inner, &item);
            bound.push((inner, item, found.borrowed));
        }
        let is_guarded = slice_pattern::pattern_of(arm).1.is_some();
        let mut around = |inside: &Expr| {
            let mut scope = Scope::of(bound.iter().map(|(pattern, ..)| pattern)).of_lengths();
            for (pattern, item, borrowed) in &bound {
                scope.bind(names, pattern, item, *borrowed)?;
            }
            scope.repeated(is_guarded).around(inside.clone())
        };
        let (pattern, guard) = slice_pattern::pattern_of(arm);
        let guard = guard.map(|(token, guard)| (*token, guard.clone()));
        let pattern = pattern.clone();
        *arm.body = around(&arm.body)?;
        let guard = guard.map(|(token, guard)| Ok((token, around(&guard)?)));
        arm.pat = slice_pattern::guarded(pattern, guard.transpose()?);
    }
    *plain.expr = match (is_tuple, &*scrutinees) {
        (false, [one]) => one.clone(),
        (_, all) => parse_quote_spanned!(span=> (#(#all,)*)),
    };
    Ok(build::within(slices, Expr::Match(plain), span))
}

/// The arms with one for each of several tuples.
fn apart(arms: Vec<Arm>) -> Vec<Arm> {
    let each = |arm: Arm| match slice_pattern::pattern_of(&arm) {
        (Pat::Or(all), guard) => {
            let guard = guard.map(|(token, guard)| (*token, guard.clone()));
            let cases = all.cases.iter().map(|case| Arm {
                pat: slice_pattern::guarded(case.clone(), guard.clone()),
                ..arm.clone()
            });
            cases.collect()
        }
        _ => vec![arm],
    };
    arms.into_iter().flat_map(each).collect()
}

fn refused(pattern: &Pat) -> Refusal {
    Refusal::new(
        pattern.span(),
        "this pattern for the item of an iterator",
        "match `Some(x)` and `None`, or copy the item: `.copied()`",
    )
}

/// What a pattern has in `Some(..)`, if that is what it is.
fn inner(pattern: &Pat) -> Made<Option<Pat>> {
    match pattern {
        Pat::TupleStruct(case) if path_key(&case.path) == "Some" => {
            let inner = case.elems.first();
            match inner {
                Some(inner) if may_fail(inner) => Err(Refusal::new(
                    inner.span(),
                    "a pattern that may not match, with a name for a reference in it",
                    "copy the item, `.copied()`, or what is named: `Some(&(x @ 0..=9))`",
                )),
                inner => Ok(inner.cloned()),
            }
        }
        Pat::Ident(ident) if ident.ident == "None" => Ok(None),
        Pat::Wild(_) => Ok(None),
        other => Err(refused(other)),
    }
}

/// Whether a pattern has literals or ranges in it.
fn may_fail(pattern: &Pat) -> bool {
    struct Fails(bool);
    impl Visit<'_> for Fails {
        fn visit_pat(&mut self, pattern: &Pat) {
            self.0 |= matches!(pattern, Pat::Lit(_) | Pat::Range(_));
            visit::visit_pat(self, pattern);
        }
    }
    let mut fails = Fails(false);
    fails.visit_pat(pattern);
    fails.0
}

/// How many references an item is behind.
fn references(found: &Found) -> usize {
    let is_place = matches!(found.item, Item::Place { .. });
    usize::from(is_place) + usize::from(found.borrowed)
}

/// The patterns of the items themselves, if all take copies: `Some(&b'x')`, `Some(b'x')`.
fn copied(patterns: &[&mut Pat], found: &Found) -> Option<Vec<Pat>> {
    if let Item::Neighbours(_) | Item::Tuple(_) = found.item {
        return None;
    }
    let patterns = patterns.iter();
    patterns
        .map(|pattern| copy(pattern, references(found)))
        .collect()
}

fn copy(pattern: &Pat, count: usize) -> Option<Pat> {
    let mut pattern = pattern.clone();
    match &mut pattern {
        Pat::TupleStruct(case) if path_key(&case.path) == "Some" => {
            for inner in &mut case.elems {
                *inner = behind(inner, count)?;
            }
        }
        Pat::Or(all) => {
            for case in &mut all.cases {
                *case = copy(case, count)?;
            }
        }
        Pat::Ident(ident) if ident.ident == "None" => {}
        Pat::Wild(_) => {}
        _ => return None,
    }
    Some(pattern)
}

/// What a pattern takes behind as many references.
fn behind(pattern: &Pat, count: usize) -> Option<Pat> {
    match pattern {
        pattern if count == 0 || !names_any(pattern) => Some(without_references(pattern).clone()),
        Pat::Reference(reference) => behind(&reference.pat, count - 1),
        Pat::Paren(paren) => behind(&paren.pat, count),
        _ => None,
    }
}

fn without_references(pattern: &Pat) -> &Pat {
    match pattern {
        Pat::Reference(reference) => without_references(&reference.pat),
        pattern => pattern,
    }
}

/// Whether a pattern binds a name.
fn names_any(pattern: &Pat) -> bool {
    struct Names(bool);
    impl Visit<'_> for Names {
        fn visit_pat_ident(&mut self, _: &syn::PatIdent) {
            self.0 = true;
        }
    }
    let mut names = Names(false);
    names.visit_pat(pattern);
    names.0
}
