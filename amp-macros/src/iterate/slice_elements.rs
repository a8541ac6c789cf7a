//! What the patterns of slices name: elements, as references to read or to write or as values, and parts.
//!
//! ```text
//! [a, b, rest @ ..] of a slice to read     let a = &s[0]; let b = &s[1]; let rest = &s[2..length];
//! [a, .., b] of one to write               let (a, s) = s.split_at_mut(1); let a = &mut a[0]; let b = &mut s[length - 2];
//! ```
//!
//! What is written is split off, so that rustc sees that no two names refer to the same. An element that is tested
//! and taken apart, `[Some(x), ..]`, is tested first, and matched for its names where the test holds. Left out are
//! such elements as values, and `ref mut` among names that are values.

use proc_macro2::{Literal, Span};
use syn::{Expr, Pat, PatIdent, PatSlice, Path, Stmt, parse_quote_spanned, spanned::Spanned};

use super::{
    Made, Names, Refusal, bare,
    element::halves_of,
    item::{Item, Neighbours, Scope},
    place::{By, length_of, place},
};
use crate::{
    language::name::{is_type_name, standard_case},
    visit::{self, Visit},
};

/// The name that stands for what a pattern leaves out.
pub fn rest_name(part: &Pat) -> Option<&PatIdent> {
    match part {
        Pat::Ident(name) if matches!(&name.subpat, Some((_, rest)) if matches!(**rest, Pat::Rest(_))) => {
            Some(name)
        }
        _ => None,
    }
}

/// Whether a pattern takes a slice apart.
pub fn is_of_slice(pattern: &Pat) -> bool {
    match pattern {
        Pat::Slice(_) => true,
        Pat::Paren(paren) => is_of_slice(&paren.pat),
        Pat::Reference(reference) => is_of_slice(&reference.pat),
        Pat::Ident(name) => matches!(&name.subpat, Some((_, part)) if is_of_slice(part)),
        Pat::Or(choice) => choice.cases.iter().any(is_of_slice),
        _ => false,
    }
}

/// `let name = &place;`, or `let Some(name) = &place else { .. };` of a place that has been tested.
fn named(part: &Pat, item: &Item, otherwise: Option<&Expr>) -> Stmt {
    let span = part.span();
    match (part, otherwise) {
        (Pat::Paren(paren), _) => named(&paren.pat, item, otherwise),
        (part, Some(otherwise)) if Parts::of(part).may_fail => {
            let value = item.passed(span);
            parse_quote_spanned! {span=>
                #[allow(irrefutable_let_patterns)]
                let #part = #value else #otherwise;
            }
        }
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

/// The slice that is taken apart: a name of it, its length, and whether it is written.
#[derive(Clone)]
pub struct Whole {
    base: Expr,
    pub length: Expr,
    mutable: bool,
}

/// What a pattern becomes.
pub struct Apart {
    /// The lengths that it matches.
    pub lengths: Pat,
    /// Whether its elements match.
    pub test: Option<Expr>,
    /// What splits the parts off that are written.
    split: Vec<Stmt>,
    /// The patterns that name something, each with what it names.
    parts: Vec<(Pat, Item)>,
}

impl Apart {
    fn of_lengths(lengths: Pat) -> Self {
        Self {
            lengths,
            test: None,
            split: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The statements that declare the names; what tested elements would do `otherwise`.
    pub fn declared(self, otherwise: Option<&Expr>) -> impl Iterator<Item = Stmt> {
        let named = self
            .parts
            .into_iter()
            .map(move |(part, item)| named(&part, &item, otherwise));
        self.split.into_iter().chain(named)
    }

    /// Adds to a scope that the names mean what they stand for.
    pub fn bind(&self, scope: &mut Scope, names: &mut Names) -> Made<()> {
        for split in &self.split {
            scope.push(split.clone());
        }
        for (part, item) in &self.parts {
            match item {
                // The borrow ends with the last use of the name.
                Item::Place { mutable: true, .. } if matches!(part, Pat::Ident(_)) => {
                    scope.push(named(part, item, None));
                }
                item if Parts::of(part).may_fail => scope.take_apart(part, item),
                item => scope.bind(names, &without_part(part), item, false)?,
            }
        }
        Ok(())
    }
}

impl Whole {
    /// A name for the slice that a reference refers to, which no pattern hides.
    pub fn of(value: &Expr, span: Span, names: &mut Names) -> (Vec<Stmt>, Self) {
        let mutable = names.known.is_writable(value);
        let value = match bare(value) {
            Expr::Reference(reference) => &*reference.expr,
            value => value,
        };
        let whole = match bare(value) {
            Expr::Index(index) if matches!(bare(&index.index), Expr::Range(_)) => value.clone(),
            value => parse_quote_spanned!(span=> #value[..]),
        };
        let (mut statements, base) = place(&whole, By::Reference { mutable }, names);
        let length = length_of(&base, ("length", None), &mut statements, span, names);
        let whole = Self {
            base,
            length,
            mutable,
        };
        (statements, whole)
    }

    /// The slice where nothing is written.
    pub fn to_read(&self) -> Self {
        Self {
            mutable: false,
            ..self.clone()
        }
    }

    /// What is between the first and the last elements, so many of each.
    pub fn rest(&self, first: usize, last: usize, span: Span) -> Item {
        let (length, named) = (&self.length, Literal::usize_suffixed(first + last));
        let first = Literal::usize_suffixed(first);
        Item::Neighbours(Box::new(Neighbours {
            base: self.base.clone(),
            start: parse_quote_spanned!(span=> #first),
            length: parse_quote_spanned!(span=> (#length - #named)),
            mutable: self.mutable,
            count: None,
        }))
    }

    /// What a pattern of the reference becomes.
    pub fn apart(&self, pattern: &Pat, names: &mut Names) -> Made<Apart> {
        let span = pattern.span();
        match pattern {
            Pat::Paren(paren) => self.apart(&paren.pat, names),
            Pat::Wild(_) => Ok(Apart::of_lengths(pattern.clone())),
            Pat::Slice(slice) => self.elements(slice, By::Reference { mutable: false }, names),
            Pat::Reference(reference) if let Pat::Slice(slice) = &*reference.pat => {
                self.elements(slice, By::Value, names)
            }
            Pat::Ident(name) if name.subpat.is_none() && !is_type_name(&name.ident.to_string()) => {
                Ok(Apart {
                    parts: vec![(pattern.clone(), self.rest(0, 0, span))],
                    ..Apart::of_lengths(parse_quote_spanned!(span=> _))
                })
            }
            Pat::Ident(name)
                if !self.mutable
                    && let Some((_, part)) = &name.subpat
                    && is_of_slice(part) =>
            {
                let mut apart = self.apart(part, names)?;
                let all = self.rest(0, 0, span);
                apart.parts.insert(0, (without_part(pattern), all));
                Ok(apart)
            }
            Pat::Or(choice) => {
                let mut cases = choice.cases.iter().map(|case| self.apart(case, names));
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

    /// What a pattern of the slice becomes, whose names are references or values.
    pub fn elements(&self, pattern: &PatSlice, by: By, names: &mut Names) -> Made<Apart> {
        let span = pattern.bracket_token.span.open();
        let is_rest = |part: &Pat| matches!(part, Pat::Rest(_)) || rest_name(part).is_some();
        let rest = pattern.elems.iter().position(is_rest);
        let count = pattern.elems.len();
        let wanted = Literal::usize_suffixed(count - usize::from(rest.is_some()));
        let mut apart = Apart::of_lengths(match rest {
            Some(_) => parse_quote_spanned!(span=> #wanted..),
            None => parse_quote_spanned!(span=> #wanted),
        });
        let is_written = self.mutable && by != By::Value;
        let by = match is_written {
            true => By::Reference { mutable: true },
            false => by,
        };
        // What has not been split off, and where it starts.
        let (mut left, mut start) = (self.base.clone(), Position::FromStart(0));
        let has_names = |part: &Pat| rest_name(part).is_some() || Parts::of(part).names > 0;
        let last = pattern.elems.iter().rposition(has_names);
        for (position, part) in pattern.elems.iter().enumerate() {
            let span = part.span();
            let (at, end) = match rest {
                Some(rest) if position == rest => (
                    Position::FromStart(position),
                    Position::FromEnd(count - 1 - position),
                ),
                Some(rest) if position > rest => (
                    Position::FromEnd(count - position),
                    Position::FromEnd(count - position - 1),
                ),
                _ => (
                    Position::FromStart(position),
                    Position::FromStart(position + 1),
                ),
            };
            let (mut base, mut from) = (self.base.clone(), Position::FromStart(0));
            let tested = self.element(&base, from, at, span);
            if is_written && has_names(part) {
                (base, from) = (left.clone(), start);
                if Some(position) != last {
                    let middle = self.distance(start, end, span);
                    let split = &mut apart.split;
                    let [one, others] = halves_of(&left, &middle, true, split, span, names);
                    base = parse_quote_spanned!(span=> #one);
                    left = parse_quote_spanned!(span=> #others);
                    start = end;
                }
            }
            if Some(position) != rest {
                let place = self.element(&base, from, at, span);
                apart.element(part, (&tested, &place), by)?;
            } else if let Some(name) = rest_name(part) {
                if name.by_ref.is_none() && by == By::Value {
                    return Err(Refusal::new(
                        span,
                        "a name for a part of a slice as a value",
                        "match the reference, without `*` and `&`",
                    ));
                }
                let item = Item::Neighbours(Box::new(Neighbours {
                    base,
                    start: self.distance(from, at, span),
                    length: self.distance(at, end, span),
                    mutable: is_written,
                    count: None,
                }));
                apart.parts.push((without_ref(name), item));
            }
        }
        Ok(apart)
    }

    /// An element of a part of the slice that starts at a position.
    fn element(&self, base: &Expr, from: Position, at: Position, span: Span) -> Expr {
        let index = self.distance(from, at, span);
        parse_quote_spanned!(span=> #base[#index])
    }

    /// How far it is from one position to a later one.
    fn distance(&self, from: Position, to: Position, span: Span) -> Expr {
        use Position::{FromEnd, FromStart};
        let (counted_back, number) = match (from, to) {
            (FromStart(from), FromStart(to)) => (false, to - from),
            (FromEnd(from), FromEnd(to)) => (false, from - to),
            (FromStart(from), FromEnd(to)) => (true, from + to),
            // What is named last starts behind what is named first.
            (FromEnd(_), FromStart(_)) => (false, 0),
        };
        let (length, literal) = (&self.length, Literal::usize_suffixed(number));
        match (counted_back, number) {
            (true, 0) => length.clone(),
            (true, _) => parse_quote_spanned!(span=> (#length - #literal)),
            (false, _) => parse_quote_spanned!(span=> #literal),
        }
    }
}

/// A position in a slice of any length.
#[derive(Clone, Copy, PartialEq)]
enum Position {
    FromStart(usize),
    FromEnd(usize),
}

impl Apart {
    /// What the pattern of an element becomes: of one place it is tested, of the other it has names.
    fn element(&mut self, pattern: &Pat, (tested, place): (&Expr, &Expr), by: By) -> Made<()> {
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
            Pat::Paren(paren) => return self.element(&paren.pat, (tested, place), by),
            Pat::Ident(name) if name.by_ref.is_some() && name.mutability.is_none() => {
                let by = By::Reference { mutable: false };
                return self.element(&without_ref(name), (tested, place), by);
            }
            Pat::Ident(name) if name.by_ref.is_some() => {
                return Err(Refusal::new(
                    span,
                    "`ref mut` in the pattern of a slice",
                    "match the reference, without `*`, `&mut` and `ref mut`: the names refer to what is written",
                ));
            }
            Pat::Reference(_) => {
                return Err(Refusal::new(
                    span,
                    "`&` before an element in the pattern of a slice",
                    "the names refer to the elements already: leave it out",
                ));
            }
            // rustc does not see that the parts of an element that is indexed are apart.
            _ if parts.names > 1 && !parts.may_fail && by == By::Reference { mutable: true } => {
                self.parts.push((pattern.clone(), item));
            }
            _ if let Some(within) = of_parts(pattern)
                && (parts.names < 2 || by != By::Reference { mutable: true }) =>
            {
                for (part, of) in within {
                    self.element(part, (&of(tested), &of(place)), by)?;
                }
            }
            Pat::Ident(PatIdent {
                subpat: Some((_, part)),
                ..
            }) if Parts::of(part).names == 0 => {
                self.tested(part, tested, span);
                self.parts.push((pattern.clone(), item));
            }
            _ if parts.names == 0 => self.tested(pattern, tested, span),
            _ if !parts.may_fail => self.parts.push((pattern.clone(), item)),
            _ if by == By::Value => {
                return Err(Refusal::new(
                    span,
                    "an element that is tested and taken apart as a value",
                    "match the reference to the slice, without `*` and `&`, or name the element, `[x, ..]`, and `match` it",
                ));
            }
            _ => {
                self.tested(pattern, tested, span);
                self.parts.push((pattern.clone(), item));
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
                #[allow(unused_variables)]
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

/// The patterns of all parts of a tuple or an array, each with what the part of a place is.
fn of_parts(pattern: &Pat) -> Option<Vec<(&Pat, impl Fn(&Expr) -> Expr)>> {
    let (parts, is_tuple) = match pattern {
        Pat::Tuple(tuple) => (&tuple.elems, true),
        Pat::Slice(array) => (&array.elems, false),
        _ => return None,
    };
    let is_rest = |part: &Pat| matches!(part, Pat::Rest(_)) || rest_name(part).is_some();
    let all = parts.iter().enumerate().map(move |(position, part)| {
        let (span, literal) = (part.span(), Literal::usize_unsuffixed(position));
        let of = move |place: &Expr| -> Expr {
            match is_tuple {
                true => parse_quote_spanned!(span=> #place.#literal),
                false => parse_quote_spanned!(span=> #place[#literal]),
            }
        };
        (part, of)
    });
    (!parts.iter().any(is_rest)).then(|| all.collect())
}

/// What syntax tells of the pattern of an element.
#[derive(Default)]
struct Parts {
    names: usize,
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
            Pat::Ident(_) => self.names += 1,
            Pat::TupleStruct(case) => self.may_fail |= is_case(&case.path),
            Pat::Struct(case) => self.may_fail |= is_case(&case.path),
            Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Or(_) => self.may_fail = true,
            _ => {}
        }
        visit::visit_pat(self, pattern);
    }
}

/// Whether a path in a pattern is that of a case of an enum, by what it looks like.
fn is_case(path: &Path) -> bool {
    let mut names = path
        .segments
        .iter()
        .rev()
        .map(|name| name.ident.to_string());
    let is_standard = names
        .next()
        .is_some_and(|name| standard_case(&name).is_some());
    is_standard || names.next().is_some_and(|owner| is_type_name(&owner))
}
