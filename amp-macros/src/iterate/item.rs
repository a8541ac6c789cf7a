//! What a chain passes from one part to the next, and how patterns bind it.
//!
//! An item is what Rust's iterator yields, as far as syntax tells: a value, a reference to a place,
//! or a tuple of items. A reference stays the place that it names, so nothing is stored, and a
//! pair of references needs no type.

use proc_macro2::{Ident, Span};
use syn::{Expr, Pat, Stmt, Type, parse_quote_spanned, spanned::Spanned};

use super::bare;
use super::{
    Made, Names, Refusal, build,
    meaning::Meaning,
    place::{is_behind, tested},
};
use crate::visit::{self, Visit};

/// What a chain yields.
#[derive(Clone)]
pub enum Item {
    /// A value: an expression without effects.
    Value(Expr),
    /// A reference to a place.
    Place {
        place: Expr,
        mutable: bool,
    },
    Neighbours(Box<Neighbours>),
    Tuple(Vec<Item>),
}

/// A reference to elements next to each other: the array, the first one's position, and how many
/// there are.
#[derive(Clone)]
pub struct Neighbours {
    pub base: Expr,
    pub start: Expr,
    pub length: Expr,
    pub mutable: bool,
    /// How many elements it always has: that of an array.
    pub count: Option<Expr>,
}

/// What stands around a body for its names to mean something.
#[derive(Default)]
pub struct Scope {
    /// The names that are bound here.
    bound: Vec<Ident>,
    /// What reads places that these names would hide.
    before: Vec<Step>,
    steps: Vec<Step>,
    meanings: Vec<(Ident, Meaning)>,
    /// The names are bound for another body, too, so that this one may leave some unused.
    is_repeated: bool,
    /// What the names are bound in is reached only if slices have the lengths that patterns want.
    pub(super) has_lengths: bool,
}

enum Step {
    Statement(Stmt),
    /// `match value { pattern => .. }`
    Match(Pat, Expr),
    /// The same of a value that matches.
    Tested(Pat, Expr),
}

impl Neighbours {
    /// The element at a position among them.
    pub fn at(&self, position: &Expr, span: Span) -> Item {
        let (base, start) = (&self.base, &self.start);
        Item::Place {
            place: parse_quote_spanned!(span=> #base[#start + #position]),
            mutable: self.mutable,
        }
    }
}

impl Item {
    /// Whether the item, or a part of it, is a reference.
    pub fn refers(&self) -> bool {
        match self {
            Item::Value(_) => false,
            Item::Place { .. } | Item::Neighbours(_) => true,
            Item::Tuple(parts) => parts.iter().any(Item::refers),
        }
    }

    /// The item as an operand or argument: a value, or what is read behind a reference.
    pub fn read(&self, span: Span) -> Expr {
        match self {
            Item::Value(value) => value.clone(),
            Item::Place { place, .. } => place.clone(),
            Item::Neighbours(_) => self.passed(span),
            Item::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.read(span));
                parse_quote_spanned!(span=> (#(#parts,)*))
            }
        }
    }

    /// Whether it is a slice, or has one in it.
    pub fn is_slice(&self) -> bool {
        match self {
            Item::Neighbours(_) => true,
            Item::Tuple(parts) => parts.iter().any(Item::is_slice),
            Item::Value(_) | Item::Place { .. } => false,
        }
    }

    /// The item as Rust has it, references included.
    pub fn passed(&self, span: Span) -> Expr {
        match self {
            Item::Value(value) => value.clone(),
            Item::Place {
                place,
                mutable: false,
            } => parse_quote_spanned!(span=> &#place),
            Item::Place {
                place,
                mutable: true,
            } => parse_quote_spanned!(span=> &mut #place),
            Item::Neighbours(of) => {
                let Neighbours {
                    base,
                    start,
                    length,
                    mutable,
                    ..
                } = &**of;
                match mutable {
                    false => parse_quote_spanned!(span=> &#base[#start..#start + #length]),
                    true => parse_quote_spanned!(span=> &mut #base[#start..#start + #length]),
                }
            }
            Item::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.passed(span));
                parse_quote_spanned!(span=> (#(#parts,)*))
            }
        }
    }

    /// The values that tell the item where its names are out of scope: positions for references, and copies of what
    /// closures are given.
    pub fn told(&self) -> Vec<Expr> {
        fn positions(place: &Expr, found: &mut Vec<Expr>) {
            match bare(place) {
                Expr::Index(index) => {
                    positions(&index.expr, found);
                    found.push((*index.index).clone());
                }
                Expr::Field(field) => positions(&field.base, found),
                _ => {}
            }
        }
        let mut found = Vec::new();
        match self {
            Item::Value(value) => found.push(value.clone()),
            Item::Place {
                place,
                mutable: false,
            } if is_behind(place) => {
                found.push(place.clone());
            }
            Item::Place { place, .. } => positions(place, &mut found),
            Item::Neighbours(of) => {
                positions(&of.base, &mut found);
                found.extend([of.start.clone(), of.length.clone()]);
            }
            Item::Tuple(parts) => found.extend(parts.iter().flat_map(Item::told)),
        }
        found
    }

    /// The item that such values tell.
    pub fn retold(&self, values: &mut impl Iterator<Item = Expr>) -> Item {
        fn renewed(place: &Expr, values: &mut impl Iterator<Item = Expr>) -> Expr {
            match place {
                Expr::Group(group) => {
                    let mut group = group.clone();
                    *group.expr = renewed(&group.expr, values);
                    Expr::Group(group)
                }
                Expr::Paren(paren) => renewed(&paren.expr, values),
                Expr::Index(index) => {
                    let mut index = index.clone();
                    *index.expr = renewed(&index.expr, values);
                    if let Some(value) = values.next() {
                        *index.index = value;
                    }
                    Expr::Index(index)
                }
                Expr::Field(field) => {
                    let mut field = field.clone();
                    *field.base = renewed(&field.base, values);
                    Expr::Field(field)
                }
                other => other.clone(),
            }
        }
        match self {
            Item::Value(old) => Item::Value(values.next().unwrap_or_else(|| old.clone())),
            Item::Place {
                place,
                mutable: false,
            } if is_behind(place) => Item::Place {
                place: values.next().unwrap_or_else(|| place.clone()),
                mutable: false,
            },
            Item::Place { place, mutable } => Item::Place {
                place: renewed(place, values),
                mutable: *mutable,
            },
            Item::Neighbours(of) => Item::Neighbours(Box::new(Neighbours {
                base: renewed(&of.base, values),
                start: values.next().unwrap_or_else(|| of.start.clone()),
                length: values.next().unwrap_or_else(|| of.length.clone()),
                mutable: of.mutable,
                count: of.count.clone(),
            })),
            Item::Tuple(parts) => {
                Item::Tuple(parts.iter().map(|part| part.retold(values)).collect())
            }
        }
    }
}

impl Scope {
    /// A scope where patterns bind names.
    pub fn of<'a>(patterns: impl IntoIterator<Item = &'a Pat>) -> Self {
        struct Bound(Vec<Ident>);
        impl Visit<'_> for Bound {
            fn visit_pat_ident(&mut self, pattern: &syn::PatIdent) {
                self.0.push(pattern.ident.clone());
                visit::visit_pat_ident(self, pattern);
            }
        }
        let mut bound = Bound(Vec::new());
        patterns.into_iter().for_each(|it| bound.visit_pat(it));
        Self {
            bound: bound.0,
            ..Self::default()
        }
    }

    /// Whether a place is one of a variable that a name bound here hides.
    fn hides(&self, place: &Expr) -> bool {
        match bare(place) {
            Expr::Index(index) => self.hides(&index.expr),
            Expr::Field(field) => self.hides(&field.base),
            Expr::Unary(unary) => self.hides(&unary.expr),
            Expr::Path(path) => self.bound.iter().any(|name| path.path.is_ident(name)),
            _ => true,
        }
    }

    /// Takes an item apart by a pattern that has been tested.
    pub fn take_apart(&mut self, pattern: &Pat, item: &Item) {
        let value = item.passed(pattern.span());
        self.steps.push(Step::Tested(pattern.clone(), value));
    }

    /// Adds a statement.
    pub fn push(&mut self, statement: Stmt) {
        self.steps.push(Step::Statement(statement));
    }

    /// The scope where it is that of a guard or of the body that a guard leads to: a name may be used in
    /// one of them only.
    pub fn repeated(self, is_repeated: bool) -> Self {
        Self {
            is_repeated,
            ..self
        }
    }

    /// A body where the names mean what they were bound to.
    pub fn around(self, mut body: Expr) -> Made<Expr> {
        for (name, meaning) in self.meanings {
            meaning.write(&name, &mut body)?;
        }
        let span = body.span();
        let mut statements = Vec::new();
        let steps = self.before.into_iter().chain(self.steps);
        let unused = || {
            self.is_repeated
                .then(|| parse_quote_spanned!(span=> #[allow(unused_variables)]))
        };
        for step in steps.collect::<Vec<_>>().into_iter().rev() {
            let (pattern, value, mark) = match step {
                Step::Statement(mut statement) => {
                    if let Stmt::Local(local) = &mut statement {
                        local.attrs.extend(unused());
                    }
                    statements.push(statement);
                    continue;
                }
                Step::Match(pattern, value) => (pattern, value, None),
                Step::Tested(pattern, value) => (pattern, value, Some(tested(span))),
            };
            statements.reverse();
            let inner = build::within(std::mem::take(&mut statements), body, span);
            body = build::choice(value, vec![(pattern, inner)], span);
            if let Expr::Match(choice) = &mut body {
                choice.attrs.extend(mark);
                let arms = choice.arms.iter_mut();
                arms.for_each(|arm| arm.attrs.extend(unused()));
            }
        }
        statements.reverse();
        Ok(build::within(statements, body, span))
    }

    /// The scope where the lengths of slices have been compared with patterns.
    pub fn of_lengths(self) -> Self {
        Self {
            has_lengths: true,
            ..self
        }
    }

    /// Binds a pattern to an item, or to a reference to it if it is `borrowed`.
    pub fn bind(
        &mut self,
        names: &mut Names,
        pattern: &Pat,
        item: &Item,
        borrowed: bool,
    ) -> Made<()> {
        let span = pattern.span();
        match (pattern, item) {
            (Pat::Paren(paren), _) => self.bind(names, &paren.pat, item, borrowed),
            (Pat::Wild(_), _) => Ok(()),
            (Pat::Type(typed), _) => {
                self.has_type(&typed.ty, item, borrowed)?;
                self.bind(names, &typed.pat, item, borrowed)
            }
            (Pat::Reference(reference), _) if borrowed => {
                self.bind(names, &reference.pat, item, false)
            }
            (Pat::Reference(reference), Item::Place { place, .. }) => {
                self.bind(names, &reference.pat, &Item::Value(place.clone()), false)
            }
            (Pat::Reference(reference), Item::Neighbours(_)) => {
                self.bind(names, &reference.pat, item, false)
            }
            (Pat::Tuple(tuple), Item::Tuple(parts)) => {
                let rest = tuple
                    .elems
                    .iter()
                    .position(|part| matches!(part, Pat::Rest(_)));
                let written = tuple.elems.len() - usize::from(rest.is_some());
                let fits = match rest {
                    Some(_) => written <= parts.len(),
                    None => written == parts.len(),
                };
                if !fits {
                    return Err(Refusal::new(
                        span,
                        format!(
                            "a tuple of {} parts is taken apart into {written}",
                            parts.len()
                        ),
                        "name each part, or write `_` for it",
                    ));
                }
                let skipped = parts.len() - written;
                let mut parts = parts.iter();
                for part in &tuple.elems {
                    if let Pat::Rest(_) = part {
                        parts.by_ref().take(skipped).for_each(drop);
                    } else if let Some(item) = parts.next() {
                        self.bind(names, part, item, borrowed)?;
                    }
                }
                Ok(())
            }
            (Pat::Slice(slice), Item::Neighbours(of)) => self.elements(names, slice, of),
            (Pat::Ident(ident), Item::Tuple(parts)) if ident.subpat.is_none() => {
                if !item.refers() {
                    let whole = item.read(span);
                    return self.value(names, pattern, whole, borrowed);
                }
                let mut parts_named = Vec::new();
                for part in parts {
                    let name = names.fresh("part", span);
                    let pattern: Pat = parse_quote_spanned!(span=> #name);
                    self.bind(names, &pattern, part, false)?;
                    parts_named.push(name);
                }
                let meaning = Meaning::Parts(parts_named);
                self.meanings.push((ident.ident.clone(), meaning));
                Ok(())
            }
            (_, Item::Value(value)) => self.value(names, pattern, value.clone(), borrowed),
            (_, Item::Place { .. } | Item::Neighbours(_)) => {
                if borrowed && let Pat::Ident(ident) = pattern {
                    self.meanings.push((ident.ident.clone(), Meaning::Twice));
                }
                let hides = match item {
                    Item::Place { place, .. } => self.hides(place),
                    Item::Neighbours(of) => self.hides(&of.base),
                    _ => false,
                };
                let mut value = item.passed(span);
                // A slice has a variable for its name.
                let step = |pattern: Pat, value: Expr| match item {
                    Item::Neighbours(_) => {
                        Step::Statement(parse_quote_spanned!(span=> let #pattern = #value;))
                    }
                    _ => Step::Match(pattern, value),
                };
                if hides {
                    let name = names.fresh("named", span);
                    let first = parse_quote_spanned!(span=> #name);
                    self.before.push(step(first, value));
                    value = parse_quote_spanned!(span=> #name);
                }
                self.steps.push(step(pattern.clone(), value));
                Ok(())
            }
            (_, Item::Tuple(_)) => Err(Refusal::new(
                span,
                "a pair of an iterator that is not taken apart by its parts",
                "write a pattern for each part: `(a, b)`",
            )),
        }
    }

    fn value(&mut self, names: &mut Names, pattern: &Pat, value: Expr, borrowed: bool) -> Made<()> {
        let span = pattern.span();
        let value = match &value {
            Expr::Index(_) | Expr::Field(_) | Expr::Path(_) if self.hides(&value) => {
                let name = names.fresh("read", span);
                let first = parse_quote_spanned!(span=> let #name = #value;);
                self.before.push(Step::Statement(first));
                parse_quote_spanned!(span=> #name)
            }
            _ => value,
        };
        if !borrowed {
            // A `let` has alternatives in parentheses only.
            let pattern = match pattern {
                Pat::Or(_) => parse_quote_spanned!(span=> (#pattern)),
                _ => pattern.clone(),
            };
            self.push(parse_quote_spanned!(span=> let #pattern = #value;));
            return Ok(());
        }
        let kept = match &value {
            Expr::Path(_) => value,
            value => {
                let name = names.fresh("kept", span);
                self.push(parse_quote_spanned!(span=> let #name = #value;));
                parse_quote_spanned!(span=> #name)
            }
        };
        let value = parse_quote_spanned!(span=> &#kept);
        self.steps.push(Step::Match(pattern.clone(), value));
        Ok(())
    }

    /// Has inference compare a type that is written with an item's.
    fn has_type(&mut self, ty: &Type, item: &Item, borrowed: bool) -> Made<()> {
        let span = ty.span();
        let mut ty = ty;
        let is_reference = |item: &Item| matches!(item, Item::Place { .. });
        for _ in 0..usize::from(borrowed) + usize::from(is_reference(item)) {
            let Type::Reference(reference) = ty else {
                return Err(Refusal::new(
                    span,
                    "the type of a value, where the item is a reference",
                    "write `&T`, or leave the type out",
                ));
            };
            ty = &reference.elem;
        }
        if !matches!(item, Item::Tuple(_) | Item::Neighbours(_)) {
            let value = item.read(span);
            self.push(parse_quote_spanned!(span=> let _: #ty = #value;));
        }
        Ok(())
    }
}
