//! Slices that patterns take apart: the length is matched, and the names stand for elements and parts.
//!
//! ```text
//! match a { [] => e, [x, rest @ ..] => f }    match len { 0 => e, 1.. => { let x = &a[0]; let rest = &a[1..len]; f } }
//! ```
//!
//! So rustc proves of the lengths that no one is left out. What is tested of elements does not count there.
//! Left out are slices that are no references, and names for elements that are written.

use proc_macro2::{Literal, Span};
use syn::{
    Arm, Expr, ExprMatch, Local, Pat, PatGuard, PatIdent, PatSlice, Stmt, Token,
    parse_quote_spanned, spanned::Spanned,
};

use super::{
    Made, Names, Refusal, bare, build,
    item::{Item, Neighbours, Scope},
    slice_value,
    sources::{By, length_of, place},
};
use crate::{
    language::name::{is_type_name, standard_case},
    visit::{self, Visit},
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
    if !is_lent(&init.expr, names) || !names.known.is_slice(&init.expr) {
        return None;
    }
    match &init.diverge {
        Some((_, otherwise)) if names.known.is_unsized(&init.expr) => {
            let by = By::Reference { mutable: false };
            Some(or_leave((pattern, by), &init.expr, otherwise, names))
        }
        None if !names.known.is_unsized(&init.expr) => {
            rest_of_array(local, pattern, &init.expr, names).map(Ok)
        }
        _ => None,
    }
}

/// Whether an expression is a reference.
fn is_lent(expr: &Expr, names: &Names) -> bool {
    match bare(expr) {
        Expr::Reference(reference) => reference.mutability.is_none(),
        name => names.known.is_reference(name),
    }
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
        let apart = whole.apart(&pattern)?;
        let mut condition = apart.test.clone();
        let mut scope = || Ok(apart.scope(&pattern, names)?.repeated(guard.is_some()));
        *arm.body = scope()?.around((*arm.body).clone())?;
        if let Some((if_token, guard)) = &guard {
            let guard = scope()?.around(guard.clone())?;
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
    let apart = whole.elements(pattern, by)?;
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
    let named = apart.parts.iter().map(|(part, item)| named(part, item));
    statements.extend(named);
    Ok(statements)
}

/// The rest of an array behind a reference is a slice.
fn rest_of_array(
    local: &Local,
    pattern: &PatSlice,
    value: &Expr,
    names: &mut Names,
) -> Option<Vec<Stmt>> {
    let position = pattern
        .elems
        .iter()
        .position(|part| rest_name(part).is_some())?;
    let span = pattern.elems[position].span();
    let (mut statements, whole) = Whole::of(value, span, names);
    let mut unnamed = local.clone();
    let Pat::Slice(elements) = &mut unnamed.pat else {
        return None;
    };
    elements.elems[position] = parse_quote_spanned!(span=> ..);
    let rest = whole.rest(position, pattern.elems.len() - 1 - position, span);
    statements.push(Stmt::Local(unnamed));
    statements.push(named(&pattern.elems[position], &rest));
    Some(statements)
}

/// The name that stands for what a pattern leaves out.
pub fn rest_name(part: &Pat) -> Option<&PatIdent> {
    match part {
        Pat::Ident(name) if matches!(&name.subpat, Some((_, rest)) if matches!(**rest, Pat::Rest(_))) => {
            Some(name)
        }
        _ => None,
    }
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

/// Whether a pattern takes a slice apart.
fn is_of_slice(pattern: &Pat) -> bool {
    match pattern {
        Pat::Slice(_) => true,
        Pat::Paren(paren) => is_of_slice(&paren.pat),
        Pat::Reference(reference) => is_of_slice(&reference.pat),
        Pat::Ident(name) => matches!(&name.subpat, Some((_, part)) if is_of_slice(part)),
        Pat::Or(choice) => choice.cases.iter().any(is_of_slice),
        _ => false,
    }
}

/// `let name = &place;`
fn named(part: &Pat, item: &Item) -> Stmt {
    let span = part.span();
    match (part, item) {
        (Pat::Paren(paren), _) => named(&paren.pat, item),
        _ => {
            let (pattern, value) = (without_part(part), item.passed(span));
            parse_quote_spanned!(span=> let #pattern = #value;)
        }
    }
}

/// A name without what stands behind its `@`.
fn without_part(pattern: &Pat) -> Pat {
    match pattern {
        Pat::Ident(name) => Pat::Ident(PatIdent {
            subpat: None,
            ..name.clone()
        }),
        other => other.clone(),
    }
}

/// A name without its `ref`.
fn without_ref(name: &PatIdent) -> Pat {
    Pat::Ident(PatIdent {
        by_ref: None,
        ..name.clone()
    })
}

/// The slice that is taken apart: a name of it, and its length.
struct Whole {
    base: Expr,
    length: Expr,
}

/// What a pattern becomes.
struct Apart {
    /// The lengths that it matches.
    lengths: Pat,
    /// Whether its elements match.
    test: Option<Expr>,
    /// The patterns that name something, each with what it names.
    parts: Vec<(Pat, Item)>,
}

impl Apart {
    fn of_lengths(lengths: Pat) -> Self {
        Self {
            lengths,
            test: None,
            parts: Vec::new(),
        }
    }

    /// A scope where the names mean what they stand for.
    fn scope(&self, pattern: &Pat, names: &mut Names) -> Made<Scope> {
        let mut scope = Scope::of([pattern]);
        for (part, item) in &self.parts {
            scope.bind(names, &without_part(part), item, false)?;
        }
        Ok(scope)
    }
}

impl Whole {
    /// A name for the slice that a reference refers to, which no pattern hides.
    fn of(value: &Expr, span: Span, names: &mut Names) -> (Vec<Stmt>, Self) {
        let value = match bare(value) {
            Expr::Reference(reference) => &*reference.expr,
            value => value,
        };
        let whole = match bare(value) {
            Expr::Index(index) if matches!(bare(&index.index), Expr::Range(_)) => value.clone(),
            value => parse_quote_spanned!(span=> #value[..]),
        };
        let (mut statements, base) = place(&whole, By::Reference { mutable: false }, names);
        let length = length_of(&base, ("length", None), &mut statements, span, names);
        (statements, Self { base, length })
    }

    /// What is between the first and the last elements, so many of each.
    fn rest(&self, first: usize, last: usize, span: Span) -> Item {
        let (length, named) = (&self.length, Literal::usize_suffixed(first + last));
        let first = Literal::usize_suffixed(first);
        Item::Neighbours(Box::new(Neighbours {
            base: self.base.clone(),
            start: parse_quote_spanned!(span=> #first),
            length: parse_quote_spanned!(span=> (#length - #named)),
            mutable: false,
            count: None,
        }))
    }

    fn apart(&self, pattern: &Pat) -> Made<Apart> {
        let span = pattern.span();
        match pattern {
            Pat::Paren(paren) => self.apart(&paren.pat),
            Pat::Wild(_) => Ok(Apart::of_lengths(pattern.clone())),
            Pat::Slice(slice) => self.elements(slice, By::Reference { mutable: false }),
            Pat::Reference(reference) if let Pat::Slice(slice) = &*reference.pat => {
                self.elements(slice, By::Value)
            }
            Pat::Ident(name) if name.subpat.is_none() && !is_type_name(&name.ident.to_string()) => {
                Ok(Apart {
                    parts: vec![(pattern.clone(), self.rest(0, 0, span))],
                    ..Apart::of_lengths(parse_quote_spanned!(span=> _))
                })
            }
            Pat::Or(choice) => {
                let mut cases = choice.cases.iter().map(|case| self.apart(case));
                let cases: Vec<Apart> = cases.by_ref().collect::<Made<_>>()?;
                if cases
                    .iter()
                    .any(|case| case.test.is_some() || !case.parts.is_empty())
                {
                    return Err(Refusal::new(
                        span,
                        "several slices in one pattern, with names or tests of elements",
                        "write an arm for each",
                    ));
                }
                let lengths = cases.iter().map(|case| &case.lengths);
                Ok(Apart::of_lengths(
                    parse_quote_spanned!(span=> #(#lengths)|*),
                ))
            }
            _ => Err(Refusal::new(
                span,
                "this pattern for a slice",
                "take it apart by `[a, b, ..]`, whose names refer to its elements, or name it as it is",
            )),
        }
    }

    fn elements(&self, pattern: &PatSlice, by: By) -> Made<Apart> {
        let span = pattern.bracket_token.span.open();
        let is_rest = |part: &Pat| matches!(part, Pat::Rest(_)) || rest_name(part).is_some();
        let rest = pattern.elems.iter().position(is_rest);
        let count = pattern.elems.len();
        let wanted = Literal::usize_suffixed(count - usize::from(rest.is_some()));
        let lengths = match rest {
            Some(_) => parse_quote_spanned!(span=> #wanted..),
            None => parse_quote_spanned!(span=> #wanted),
        };
        let mut apart = Apart::of_lengths(lengths);
        for (position, part) in pattern.elems.iter().enumerate() {
            let (span, base, length) = (part.span(), &self.base, &self.length);
            let place = match rest {
                Some(rest) if position == rest => {
                    let name = rest_name(part);
                    if name.is_some_and(|name| name.by_ref.is_none()) && by == By::Value {
                        return Err(Refusal::new(
                            span,
                            "a name for a part of a slice as a value",
                            "match the reference, without `*` and `&`",
                        ));
                    }
                    if let Some(name) = name {
                        let item = self.rest(position, count - 1 - position, span);
                        apart.parts.push((without_ref(name), item));
                    }
                    continue;
                }
                Some(rest) if position > rest => {
                    let from_end = Literal::usize_suffixed(count - position);
                    parse_quote_spanned!(span=> #base[#length - #from_end])
                }
                _ => {
                    let position = Literal::usize_suffixed(position);
                    parse_quote_spanned!(span=> #base[#position])
                }
            };
            apart.element(part, &place, by)?;
        }
        Ok(apart)
    }
}

impl Apart {
    /// What the pattern of an element becomes.
    fn element(&mut self, pattern: &Pat, place: &Expr, by: By) -> Made<()> {
        let span = pattern.span();
        let parts = Parts::of(pattern);
        let item = match by {
            By::Value => Item::Value(place.clone()),
            By::Reference { mutable } => Item::Place {
                place: place.clone(),
                mutable,
            },
        };
        match pattern {
            Pat::Paren(paren) => return self.element(&paren.pat, place, by),
            Pat::Ident(name) if name.by_ref.is_some() && name.mutability.is_none() => {
                let by = By::Reference { mutable: false };
                return self.element(&without_ref(name), place, by);
            }
            Pat::Reference(_) => {
                return Err(Refusal::new(
                    span,
                    "`&` before an element in the pattern of a slice",
                    "the names refer to the elements already: leave it out",
                ));
            }
            Pat::Tuple(tuple) if tuple.elems.iter().all(|part| !matches!(part, Pat::Rest(_))) => {
                for (position, part) in tuple.elems.iter().enumerate() {
                    let position = syn::Index {
                        index: position as u32,
                        span,
                    };
                    let place = parse_quote_spanned!(span=> #place.#position);
                    self.element(part, &place, by)?;
                }
            }
            Pat::Ident(PatIdent {
                subpat: Some((_, part)),
                ..
            }) if !Parts::of(part).has_names => {
                self.tested(part, place, span);
                self.parts.push((pattern.clone(), item));
            }
            _ if !parts.has_names => self.tested(pattern, place, span),
            _ if !parts.may_fail => self.parts.push((pattern.clone(), item)),
            _ => {
                return Err(Refusal::new(
                    span,
                    "an element that is tested and taken apart in the pattern of a slice",
                    "name the element, `[x, ..]`, and `match` it",
                ));
            }
        }
        Ok(())
    }

    fn tested(&mut self, pattern: &Pat, place: &Expr, span: Span) {
        if let Pat::Wild(_) = pattern {
            return;
        }
        let test: Expr = parse_quote_spanned! {span=>
            match #place {
                #pattern => true,
                #[allow(unreachable_patterns)]
                _ => false,
            }
        };
        self.test = Some(match self.test.take() {
            Some(tests) => parse_quote_spanned!(span=> #tests && #test),
            None => test,
        });
    }
}

/// What syntax tells of the pattern of an element.
#[derive(Default)]
struct Parts {
    has_names: bool,
    may_fail: bool,
}

impl Parts {
    fn of(pattern: &Pat) -> Self {
        let mut parts = Self::default();
        parts.visit_pat(pattern);
        parts
    }
}

impl Visit<'_> for Parts {
    fn visit_pat(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Ident(name) if is_type_name(&name.ident.to_string()) => self.may_fail = true,
            Pat::Ident(_) => self.has_names = true,
            Pat::TupleStruct(case) => {
                let name = case.path.segments.last().map(|last| last.ident.to_string());
                self.may_fail |= name.is_some_and(|name| standard_case(&name).is_some());
            }
            Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Or(_) => self.may_fail = true,
            _ => {}
        }
        visit::visit_pat(self, pattern);
    }
}
