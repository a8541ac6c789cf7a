//! A chain as loops: its source is one counted loop, in whose body each item passes through the
//! stages to what is done with it.

use proc_macro2::{Ident, Span};
use syn::{Expr, Lifetime, Pat, Stmt, parse_quote_spanned, spanned::Spanned};

use super::{
    Made, Names, Refusal, bare,
    build::{self, Marks},
    flow::{Driver, Flow, Indexed, Order, Stage, closure},
    into_flow,
    item::Item,
    sources,
};

/// What an item is given to: the rest of the loop's body.
pub type Rest<'r> = dyn FnMut(&mut Loops, Item) -> Made<Expr> + 'r;

/// A chain while it becomes loops.
pub struct Loops<'n> {
    pub names: &'n mut Names,
    /// Where the chain stands.
    pub span: Span,
    /// Attributes and label of the loops.
    pub marks: Marks,
    /// Whether the chain has more than one loop.
    is_nested: bool,
    /// What leaves the chain.
    pub(super) exit: Exit,
    /// The blocks that are left.
    pub(super) left: Vec<Ident>,
}

/// The block around the loops of a chain; nothing where a `break` leaves its only loop.
pub type Exit = Option<Lifetime>;

/// The stages that a chain has, or those that are left of a chain around it.
#[derive(Clone, Copy)]
struct Group<'s> {
    stages: &'s [Stage],
    exit: &'s Exit,
}

/// Whether a chain has more than one loop.
pub fn is_nested(flow: &Flow) -> bool {
    matches!(flow.driver, Driver::Both { .. } | Driver::Called(_))
        || flow
            .stages
            .iter()
            .any(|stage| matches!(stage, Stage::FlatMap(_) | Stage::Flatten))
}

impl<'n> Loops<'n> {
    pub fn new(names: &'n mut Names, flow: &Flow, marks: Marks, span: Span) -> Self {
        Self {
            names,
            span,
            marks,
            is_nested: is_nested(flow),
            exit: None,
            left: Vec::new(),
        }
    }

    /// The statements that run a chain, and do with each item what `rest` makes.
    pub fn run(&mut self, flow: &Flow, rest: &mut Rest) -> Made<Vec<Stmt>> {
        let exit = self.exit_of_flow();
        self.exit = exit.clone();
        self.drive(flow, exit, &[], rest)
    }

    /// What leaves the chain.
    pub fn leave(&mut self) -> Expr {
        let exit = self.exit.clone();
        self.left_by(&exit)
    }

    fn exit_of_flow(&mut self) -> Exit {
        let span = self.span;
        self.is_nested
            .then(|| lifetime(self.names.fresh("chain", span)))
    }

    pub(super) fn left_by(&mut self, exit: &Exit) -> Expr {
        let span = self.span;
        let Some(label) = exit else {
            return parse_quote_spanned!(span=> break);
        };
        self.left.push(label.ident.clone());
        parse_quote_spanned!(span=> break #label)
    }

    /// The statements of a chain, whose items pass through its stages and those around it.
    fn drive(
        &mut self,
        flow: &Flow,
        exit: Exit,
        around: &[Group],
        rest: &mut Rest,
    ) -> Made<Vec<Stmt>> {
        let mut groups = vec![Group {
            stages: &flow.stages,
            exit: &exit,
        }];
        groups.extend(around);
        let mut statements = flow.setup.clone();
        let loops = self.loops(flow, &groups, rest)?;
        match &exit {
            Some(label) if self.left.contains(&label.ident) => {
                let block = build::block(loops, None, self.span);
                let block = build::of_block(block, Some(label.clone()));
                statements.push(build::statement(block, self.span));
            }
            _ => statements.extend(loops),
        }
        Ok(statements)
    }

    /// The loops of a chain without its setup.
    fn loops(&mut self, flow: &Flow, groups: &[Group], rest: &mut Rest) -> Made<Vec<Stmt>> {
        let span = self.span;
        if let Driver::Both { parts, alike, .. } = &flow.driver {
            let [one, two] = &**parts;
            let mut statements = Vec::new();
            if *alike {
                statements.push(self.alike(one, two)?);
            }
            for part in [one, two] {
                let exit = self.exit_of_flow();
                statements.extend(self.drive(part, exit, groups, rest)?);
            }
            return Ok(statements);
        }
        let mut body = self.heads(groups);
        let mut marks = self.marks.clone();
        if self.is_nested {
            marks.label = None;
        }
        let mut passed =
            |loops: &mut Loops<'_>, item: Item| -> Made<Expr> { loops.pass(groups, item, rest) };
        match &flow.driver {
            Driver::Range { range, order } => {
                let name = self.names.fresh("number", span);
                let item = Item::Value(parse_quote_spanned!(span=> #name));
                let inner = passed(self, item)?;
                let Some(start) = &range.start else {
                    return Ok(Vec::new());
                };
                if range.end.is_none() {
                    let next = self.names.fresh("next", span);
                    body.push(parse_quote_spanned!(span=> let #name = #next;));
                    body.push(parse_quote_spanned!(span=> #next = #name + 1;));
                    body.push(Stmt::Expr(inner, None));
                    let body = build::block(body, None, span);
                    return Ok(vec![
                        parse_quote_spanned!(span=> let mut #next = #start;),
                        build::statement(build::endless(&marks, body, span), span),
                    ]);
                }
                body.push(Stmt::Expr(inner, None));
                let mut plain = range.clone();
                plain.attrs.clear();
                let range = ordered(parse_quote_spanned!(span=> (#plain)), order, span);
                let body = build::block(body, None, span);
                let counted = build::counted(&marks, &name, range, body, span);
                Ok(vec![build::statement(counted, span)])
            }
            Driver::Indexed(indexed) => {
                let at = self.names.fresh("at", span);
                let position: Expr = parse_quote_spanned!(span=> #at);
                let (statements, item) = (indexed.at)(self.names, position);
                body.extend(statements);
                body.push(Stmt::Expr(passed(self, item)?, None));
                let body = build::block(body, None, span);
                let Indexed { length, order, .. } = indexed;
                let range = ordered(parse_quote_spanned!(span=> (0..#length)), order, span);
                let counted = build::counted(&marks, &at, range, body, span);
                Ok(vec![build::statement(counted, span)])
            }
            Driver::Once(value) => {
                let at = self.names.fresh("once", span);
                body.push(Stmt::Expr(passed(self, Item::Value(value.clone()))?, None));
                let body = build::block(body, None, span);
                let range = parse_quote_spanned!(span=> 0..1_u32);
                let counted = build::counted(&marks, &at, range, body, span);
                Ok(vec![build::statement(counted, span)])
            }
            Driver::Repeat(value) => {
                body.push(Stmt::Expr(passed(self, Item::Value(value.clone()))?, None));
                let body = build::block(body, None, span);
                Ok(vec![build::statement(
                    build::endless(&marks, body, span),
                    span,
                )])
            }
            Driver::Next { next, first, f, .. } => {
                let name = self.names.fresh("item", span);
                let item: Expr = parse_quote_spanned!(span=> #name);
                let following = match first {
                    true => {
                        let (scope, value) =
                            self.names.apply(f, &[(&Item::Value(item.clone()), true)])?;
                        Some(scope.around(value)?)
                    }
                    false => None,
                };
                let inner = passed(self, Item::Value(item.clone()))?;
                // The successor is computed when the item is taken.
                let taken = match following {
                    Some(following) => build::block(
                        vec![
                            parse_quote_spanned!(span=> #next = #following;),
                            Stmt::Expr(inner, None),
                        ],
                        None,
                        span,
                    ),
                    None => build::as_block(inner, span),
                };
                let value: Expr = match first {
                    true => parse_quote_spanned!(span=> #next),
                    false => {
                        let (scope, value) = self.names.apply(f, &[])?;
                        scope.around(value)?
                    }
                };
                let leave: Expr = parse_quote_spanned!(span=> break);
                let choice = build::choice(
                    value,
                    vec![
                        (some(&item, span), build::of_block(taken, None)),
                        (none(span), leave),
                    ],
                    span,
                );
                body.push(Stmt::Expr(choice, None));
                let body = build::block(body, None, span);
                Ok(vec![build::statement(
                    build::endless(&marks, body, span),
                    span,
                )])
            }
            Driver::Called(of) => {
                let (parameters, item) = of.item(self.names, span);
                let inner = passed(self, item)?;
                let ends = over(groups, span).into_iter().map(|(is_over, _)| is_over);
                let call = self.called(of, &parameters, inner, ends.collect())?;
                body.extend(call);
                Ok(body)
            }
            Driver::Both { .. } => Ok(Vec::new()),
        }
    }

    /// What has to hold before another item is asked for.
    fn heads(&mut self, groups: &[Group]) -> Vec<Stmt> {
        let span = self.span;
        let mut heads = Vec::new();
        for (is_over, exit) in over(groups, span) {
            let leave = self.left_by(exit);
            heads.push(parse_quote_spanned!(span=> if #is_over { #leave }));
        }
        heads
    }

    /// An item on its way through the stages.
    fn pass(&mut self, groups: &[Group], item: Item, rest: &mut Rest) -> Made<Expr> {
        let span = self.span;
        let Some((group, around)) = groups.split_first() else {
            return rest(self, item);
        };
        let Some((stage, later)) = group.stages.split_first() else {
            return self.pass(around, item, rest);
        };
        let exit = group.exit;
        let mut groups = groups.to_vec();
        groups[0].stages = later;
        let later = &*groups;
        let nothing: Expr = parse_quote_spanned!(span=> {});
        Ok(match stage {
            Stage::At(at) => {
                let (statements, item) = at(self.names, item.read(span));
                let rest = self.pass(later, item, rest)?;
                build::within(statements, rest, span)
            }
            Stage::Map(f) if let Some(made) = self.names.referring(f, &item) => {
                let (statements, item) = made?;
                let rest = self.pass(later, item, rest)?;
                build::within(statements, rest, span)
            }
            Stage::Map(f) => {
                let value = self.names.applied(f, &[(&item, false)])?;
                let name = self.names.fresh("item", value.span());
                let item = Item::Value(parse_quote_spanned!(span=> #name));
                let rest = self.pass(later, item, rest)?;
                let kept = parse_quote_spanned!(span=> let #name = #value;);
                build::within(vec![kept], rest, span)
            }
            Stage::Filter(f) => {
                let condition = self.names.applied(f, &[(&item, true)])?;
                let rest = self.pass(later, item, rest)?;
                build::choose(condition, rest, None, span)
            }
            Stage::FilterMap(f) | Stage::MapWhile(f) | Stage::Scan(f, _) => {
                let mut given = vec![(&item, false)];
                let state = match stage {
                    Stage::Scan(_, state) => Some(Item::Place {
                        place: parse_quote_spanned!(span=> #state),
                        mutable: true,
                    }),
                    _ => None,
                };
                given.splice(..0, state.as_ref().map(|state| (state, false)));
                let value = self.names.applied(f, &given)?;
                let name = self.names.fresh("item", value.span());
                let named: Expr = parse_quote_spanned!(span=> #name);
                let rest = self.pass(later, Item::Value(named.clone()), rest)?;
                let otherwise = match stage {
                    Stage::MapWhile(_) | Stage::Scan(..) => self.left_by(exit),
                    _ => nothing,
                };
                let arms = vec![(some(&named, span), rest), (none(span), otherwise)];
                build::choice(value, arms, span)
            }
            Stage::Inspect(f) => {
                let value = self.names.applied(f, &[(&item, true)])?;
                let rest = self.pass(later, item, rest)?;
                build::within(vec![build::statement(value, span)], rest, span)
            }
            Stage::TakeWhile(f, over) => {
                let condition = self.names.applied(f, &[(&item, true)])?;
                let rest = self.pass(later, item, rest)?;
                let mut leave = self.left_by(exit);
                if let Some(over) = over {
                    leave = parse_quote_spanned!(span=> { #over = true; #leave });
                }
                build::choose(condition, rest, Some(leave), span)
            }
            Stage::SkipWhile(f, skips) => {
                let condition = self.names.applied(f, &[(&item, true)])?;
                let rest = self.pass(later, item, rest)?;
                let condition = parse_quote_spanned!(span=> #skips && (#condition));
                let end = parse_quote_spanned!(span=> #skips = false;);
                let rest = build::within(vec![end], rest, span);
                build::choose(condition, nothing, Some(rest), span)
            }
            Stage::Copied(place) => {
                let Item::Place { place, .. } = &item else {
                    return Err(Refusal::new(
                        *place,
                        "`copied` of items that are values",
                        "leave it out",
                    ));
                };
                let name = self.names.fresh("item", span);
                let kept = parse_quote_spanned!(span=> let #name = #place;);
                let item = Item::Value(parse_quote_spanned!(span=> #name));
                let rest = self.pass(later, item, rest)?;
                build::within(vec![kept], rest, span)
            }
            Stage::Enumerate(counter) => {
                let name = self.names.fresh("count", span);
                let statements = vec![
                    parse_quote_spanned!(span=> let #name = #counter;),
                    parse_quote_spanned!(span=> #counter = #name + 1;),
                ];
                let count = Item::Value(parse_quote_spanned!(span=> #name));
                let item = Item::Tuple(vec![count, item]);
                let rest = self.pass(later, item, rest)?;
                build::within(statements, rest, span)
            }
            Stage::Take(left) => {
                let rest = self.pass(later, item, rest)?;
                let taken = parse_quote_spanned!(span=> #left = #left - 1;);
                build::within(vec![taken], rest, span)
            }
            Stage::Skip(left) | Stage::StepBy(left, _) => {
                let mut rest = self.pass(later, item, rest)?;
                if let Stage::StepBy(_, last) = stage {
                    let again = parse_quote_spanned!(span=> #left = #last;);
                    rest = build::within(vec![again], rest, span);
                }
                let condition = parse_quote_spanned!(span=> #left > 0);
                let skipped = parse_quote_spanned!(span=> { #left = #left - 1; });
                build::choose(condition, skipped, Some(rest), span)
            }
            Stage::Partner(..) => self.pass(later, item, rest)?,
            Stage::Zip(other, pulled) => {
                let (mut statements, second) = self.pulled(other, pulled, exit)?;
                let mut outer = |loops: &mut Loops<'_>, second: Item| {
                    let item = Item::Tuple(vec![item.clone(), second]);
                    loops.pass(later, item, rest)
                };
                let rest = self.through(&other.stages, second, &mut outer)?;
                statements.push(Stmt::Expr(rest, None));
                build::of_block(build::block(statements, None, span), None)
            }
            Stage::FlatMap(f) => {
                let named: Expr;
                let f = match bare(f) {
                    Expr::Path(_) => {
                        named = parse_quote_spanned!(f.span()=> |it| #f(it));
                        &named
                    }
                    f => f,
                };
                let Some(written) = closure(f) else {
                    return Err(Refusal::new(
                        f.span(),
                        "a function of an iterator that is neither a closure nor a name",
                        "write the iterator into a closure: `|x| (0..x)`",
                    ));
                };
                let (mut scope, value) = self.names.entered(written, &[(&item, false)])?;
                let (before, last) = build::split(value);
                before.into_iter().for_each(|it| scope.push(it));
                let inner = into_flow(&last, self.names)?;
                let exit = self.exit_of_flow();
                let statements = self.drive(&inner, exit, later, rest)?;
                scope.around(build::of_block(build::block(statements, None, span), None))?
            }
            Stage::Flatten => {
                let inner = sources::within(&item, span, self.names)?;
                let exit = self.exit_of_flow();
                let statements = self.drive(&inner, exit, later, rest)?;
                build::of_block(build::block(statements, None, span), None)
            }
        })
    }

    /// An item through stages, to the rest.
    pub fn through(&mut self, stages: &[Stage], item: Item, rest: &mut Rest) -> Made<Expr> {
        // None of these stages leaves.
        let exit = None;
        let group = Group {
            stages,
            exit: &exit,
        };
        self.pass(&[group], item, rest)
    }
}

/// What tells that no other item is wanted, and what leaves the chain then.
fn over<'g>(groups: &[Group<'g>], span: Span) -> Vec<(Expr, &'g Exit)> {
    let stages = groups
        .iter()
        .flat_map(|group| group.stages.iter().map(|stage| (stage, group.exit)));
    let over = stages.filter_map(|(stage, exit)| {
        let is_over = match stage {
            Stage::Take(left) => parse_quote_spanned!(span=> #left == 0),
            Stage::Partner(count, length) => parse_quote_spanned!(span=> !(#count < #length)),
            _ => return None,
        };
        Some((is_over, exit))
    });
    over.collect()
}

pub fn lifetime(ident: Ident) -> Lifetime {
    Lifetime {
        apostrophe: ident.span(),
        ident,
    }
}

/// A range with its order.
fn ordered(range: Expr, order: &[Order], span: Span) -> Expr {
    order.iter().fold(range, |range, order| match order {
        Order::Rev => parse_quote_spanned!(span=> #range.rev()),
        Order::StepBy(step) => parse_quote_spanned!(span=> #range.step_by(#step)),
    })
}

/// `Some(value)` as a pattern or value that no name of the user's hides.
pub fn some<T: FromTokens>(value: &Expr, span: Span) -> T {
    T::from_tokens(quote::quote_spanned!(span=> ::core::option::Option::Some(#value)))
}

/// `None`
pub fn none<T: FromTokens>(span: Span) -> T {
    T::from_tokens(quote::quote_spanned!(span=> ::core::option::Option::None))
}

/// A pattern or expression.
pub trait FromTokens {
    fn from_tokens(tokens: proc_macro2::TokenStream) -> Self;
}

impl FromTokens for Expr {
    fn from_tokens(tokens: proc_macro2::TokenStream) -> Self {
        syn::parse_quote!(#tokens)
    }
}

impl FromTokens for Pat {
    fn from_tokens(tokens: proc_macro2::TokenStream) -> Self {
        syn::parse_quote!(#tokens)
    }
}
