//! A chain as far as its end: where the items come from, and what they pass through.
//!
//! What has a length and can be asked for the item at a position is `Indexed`: `zip`, `enumerate`,
//! `skip`, `take`, `step_by` and `rev` of it are arithmetic on positions. Everything else is a stage
//! that each item passes through.

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use syn::{
    Expr, ExprClosure, ExprMethodCall, ExprRange, ExprReference, Stmt, parse_quote_spanned,
    spanned::Spanned,
};

use super::{Made, Names, Refusal, called::Yield, into_flow, item::Item};

/// A chain.
#[derive(Clone)]
pub struct Flow {
    /// What is computed before the first item.
    pub setup: Vec<Stmt>,
    pub driver: Driver,
    pub stages: Vec<Stage>,
}

/// What yields the items.
#[derive(Clone)]
pub enum Driver {
    /// `a..b`, `a..=b`, `a..`, with `rev` and `step_by`.
    Range {
        range: ExprRange,
        order: Vec<Order>,
    },
    Indexed(Indexed),
    /// `once(x)`: at most one item.
    Once(Expr),
    /// `repeat(x)`
    Repeat(Expr),
    /// What is not yet `None` of a function: the variable of an `Option` that holds the next
    /// item, and what follows it.
    Next {
        next: Ident,
        first: bool,
        f: Expr,
        /// The same from the other end, if that is known.
        back: Option<Expr>,
    },
    /// What a function yields that returns an iterator.
    Called(Yield),
    /// One after the other.
    Both {
        parts: Box<[Flow; 2]>,
        /// Whether the items are numbers without a type of their own: of both, or of one.
        untyped: bool,
        alike: bool,
    },
}

/// A change of the order in which a loop counts.
#[derive(Clone)]
pub enum Order {
    Rev,
    StepBy(Expr),
}

/// What has the item at each position below a length.
#[derive(Clone)]
pub struct Indexed {
    pub length: Expr,
    pub order: Vec<Order>,
    /// Whether Rust's `zip` asks it for items by their positions, too: then no closure runs for an
    /// item without a partner.
    pub by_position: bool,
    /// Whether it begins again at its end, which only `take` and `zip` give it.
    pub endless: bool,
    /// The item at a position, and what is computed for it.
    pub at: Rc<At>,
}

/// What makes the item at a position, and the statements that compute it.
pub type At = dyn Fn(&mut Names, Expr) -> (Vec<Stmt>, Item);

/// A function that an adapter is given.
pub type Func = Expr;

/// What an item passes through.
#[derive(Clone)]
pub enum Stage {
    /// What is at the position that comes.
    At(Rc<At>),
    Map(Func),
    Filter(Func),
    FilterMap(Func),
    Inspect(Func),
    /// Of an iterator that is kept, with whether it is over.
    TakeWhile(Func, Option<Ident>),
    /// Whether items are still skipped.
    SkipWhile(Func, Ident),
    MapWhile(Func),
    /// The state.
    Scan(Func, Ident),
    FlatMap(Func),
    Flatten,
    /// The values behind the references.
    Copied(Span),
    /// The counter of the items before.
    Enumerate(Ident),
    /// How many items are left to take, skip, or pass over.
    Take(Ident),
    Skip(Ident),
    StepBy(Ident, Ident),
    Zip(Box<Flow>, Pulled),
    /// Whether there is a partner for another item: the counter and the length of these.
    Partner(Ident, Expr),
}

/// How `zip` advances its second iterator.
#[derive(Clone)]
pub enum Pulled {
    /// By a counter of positions.
    Position(Ident),
    /// By what remains of a range; and whether it is at its end, if it is closed.
    Range {
        start: Ident,
        end: Option<Ident>,
        is_done: Option<Ident>,
        reversed: bool,
    },
    /// By taking the items one by one out of an iterator that is kept under a name, and where it stands.
    Kept(Ident, Span),
    /// Never.
    Same,
}

impl Stage {
    /// Whether every item that comes leaves, as one.
    pub fn is_one_to_one(&self) -> bool {
        matches!(
            self,
            Stage::At(_)
                | Stage::Map(_)
                | Stage::Inspect(_)
                | Stage::Copied(_)
                | Stage::Partner(..)
        )
    }

    /// Whether the order of the items does not matter to it.
    pub(super) fn has_no_order(&self) -> bool {
        self.is_one_to_one() || matches!(self, Stage::Filter(_) | Stage::FilterMap(_))
    }
}

impl Indexed {
    /// The same without an order of its own.
    pub fn plain(self, names: &mut Names, setup: &mut Vec<Stmt>, span: Span) -> Self {
        let mut plain = Self {
            order: Vec::new(),
            ..self.clone()
        };
        for order in self.order {
            plain.by_position = false;
            plain = match order {
                Order::Rev => plain.backwards(),
                Order::StepBy(step) => {
                    let length = names.fresh("length", span);
                    let old = &plain.length;
                    setup.push(
                        parse_quote_spanned!(span=> let #length = (#old + #step - 1) / #step;),
                    );
                    let step = step.clone();
                    plain.moved(
                        parse_quote_spanned!(span=> #length),
                        move |at| parse_quote_spanned!(span=> #at * #step),
                        span,
                    )
                }
            };
        }
        plain
    }

    fn backwards(self) -> Self {
        let (length, span) = (self.length.clone(), self.length.span());
        self.moved(
            length.clone(),
            move |at| parse_quote_spanned!(span=> #length - 1 - #at),
            span,
        )
    }

    /// The items at other positions.
    pub(super) fn moved(
        self,
        length: Expr,
        to: impl Fn(Expr) -> Expr + 'static,
        span: Span,
    ) -> Self {
        let before = self.at;
        Self {
            length,
            order: Vec::new(),
            by_position: self.by_position,
            endless: self.endless,
            at: Rc::new(move |names, at| {
                let name = names.fresh("at", span);
                let to = to(at);
                let mut statements: Vec<Stmt> = vec![parse_quote_spanned!(span=> let #name = #to;)];
                let (more, item) = before(names, parse_quote_spanned!(span=> #name));
                statements.extend(more);
                (statements, item)
            }),
        }
    }
}

impl Flow {
    /// What a source yields, without adapters.
    pub fn alone(setup: Vec<Stmt>, driver: Driver) -> Self {
        Self {
            setup,
            driver,
            stages: Vec::new(),
        }
    }

    /// A variable of the chain.
    fn keep(&mut self, names: &mut Names, name: &str, value: &Expr) -> Ident {
        let span = value.span();
        let kept = names.fresh(name, span);
        self.setup
            .push(parse_quote_spanned!(span=> let #kept = #value;));
        kept
    }

    pub(super) fn counter(&mut self, names: &mut Names, name: &str, value: &Expr) -> Ident {
        let span = value.span();
        let counter = names.fresh(name, span);
        self.setup
            .push(parse_quote_spanned!(span=> let mut #counter: usize = #value;));
        counter
    }

    /// Adds an adapter.
    pub(super) fn pass(&mut self, call: &ExprMethodCall, names: &mut Names) -> Made<()> {
        let span = call.method.span();
        let name = call.method.to_string();
        let wanted = match &*name {
            "enumerate" | "rev" | "copied" | "cloned" | "flatten" | "into_iter" | "by_ref"
            | "fuse" | "cycle" => 0,
            "scan" => 2,
            _ => 1,
        };
        if call.args.len() != wanted {
            let help = match wanted {
                0 => "leave the arguments out",
                1 => "it takes one argument",
                _ => "it takes two arguments",
            };
            let message = format!("`{name}` with {} arguments", call.args.len());
            return Err(Refusal::new(span, message, help));
        }
        let arguments: Vec<Expr> = call
            .args
            .iter()
            .map(|it| names.moved(it, &mut self.setup))
            .collect();
        let f = || arguments.first().unwrap_or(&call.receiver).clone();
        let stage = match &*name {
            "map" => Stage::Map(f()),
            "filter" => Stage::Filter(f()),
            "filter_map" => Stage::FilterMap(f()),
            "inspect" => Stage::Inspect(f()),
            "take_while" => Stage::TakeWhile(f(), None),
            "map_while" => Stage::MapWhile(f()),
            "scan" => {
                let state = names.fresh("state", span);
                let start = f();
                self.setup
                    .push(parse_quote_spanned!(span=> let mut #state = #start;));
                Stage::Scan(arguments[1].clone(), state)
            }
            "flat_map" => Stage::FlatMap(f()),
            "flatten" => Stage::Flatten,
            "skip_while" => {
                let skips = names.fresh("skips", span);
                self.setup
                    .push(parse_quote_spanned!(span=> let mut #skips = true;));
                Stage::SkipWhile(f(), skips)
            }
            "copied" | "cloned" => Stage::Copied(span),
            "into_iter" | "fuse" => return Ok(()),
            "cycle" => return self.cycle(names, span),
            "rev" => return self.reversed(span),
            "enumerate" => {
                self.numbered(names, span);
                return Ok(());
            }
            "zip" => return self.zip(&f(), names, span),
            "chain" => {
                let mut other = into_flow(&f(), names)?;
                let (one, two) = (self.is_untyped(names), other.is_untyped(names));
                let mut setup = std::mem::take(&mut self.setup);
                let driver = Driver::Once(parse_quote_spanned!(span=> ()));
                let mut first = std::mem::replace(
                    self,
                    Flow {
                        setup: Vec::new(),
                        driver,
                        stages: Vec::new(),
                    },
                );
                first.setup = Vec::new();
                setup.extend(other.setup.iter().cloned());
                let other = Flow {
                    setup: Vec::new(),
                    ..other
                };
                self.setup = setup;
                self.driver = Driver::Both {
                    parts: Box::new([first, other]),
                    untyped: one && two,
                    alike: one != two,
                };
                return Ok(());
            }
            "skip" | "take" | "step_by" => return self.count(&name, &f(), names, span),
            _ => {
                return Err(Refusal::new(
                    span,
                    format!("`{name}` of an iterator in a kernel"),
                    "write the loop: `for x in .. { .. }`",
                ));
            }
        };
        self.stages.push(stage);
        Ok(())
    }

    pub fn reversed(&mut self, span: Span) -> Made<()> {
        if !self.stages.iter().all(Stage::has_no_order) {
            return Err(Refusal::new(
                span,
                "`rev` behind an adapter that counts or ends",
                "put `rev` before it, or count down: `for i in (0..n).rev()`",
            ));
        }
        match &mut self.driver {
            Driver::Range { range, .. } if range.end.is_none() => {
                return Err(Refusal::new(
                    span,
                    "`rev` of a range without an end",
                    "give it an end: `(a..b).rev()`",
                ));
            }
            Driver::Range { order, .. } => order.push(Order::Rev),
            Driver::Indexed(indexed) if !indexed.endless => indexed.order.push(Order::Rev),
            Driver::Once(_) | Driver::Repeat(_) => {}
            Driver::Both { parts, .. } => {
                for part in &mut **parts {
                    part.reversed(span)?;
                }
                parts.reverse();
            }
            Driver::Called(_) => {
                return Err(Refusal::new(
                    span,
                    "`rev` of an iterator that a function returns",
                    "let the function return the iterator reversed",
                ));
            }
            Driver::Next {
                f,
                back: Some(back),
                ..
            } => std::mem::swap(f, back),
            Driver::Next { .. } | Driver::Indexed(_) => {
                return Err(Refusal::new(
                    span,
                    "`rev` of an iterator without an end",
                    "count down: `for i in (0..n).rev()`",
                ));
            }
        }
        Ok(())
    }

    /// Each item with its position.
    pub fn numbered(&mut self, names: &mut Names, span: Span) {
        let mut setup = Vec::new();
        if let Some(indexed) = self.bare_indexed() {
            let indexed = indexed.plain(names, &mut setup, span);
            let before = indexed.at.clone();
            self.setup.extend(setup);
            self.driver = Driver::Indexed(Indexed {
                at: Rc::new(move |names, at| {
                    let (statements, item) = before(names, at.clone());
                    (statements, Item::Tuple(vec![Item::Value(at), item]))
                }),
                ..indexed
            });
            return;
        }
        let zero = parse_quote_spanned!(span=> 0);
        let counter = self.counter(names, "count", &zero);
        self.stages.push(Stage::Enumerate(counter));
    }

    /// The source, if it has positions and nothing changes its items.
    pub(super) fn bare_indexed(&self) -> Option<Indexed> {
        match &self.driver {
            Driver::Indexed(indexed) if self.stages.is_empty() => Some(indexed.clone()),
            _ => None,
        }
    }

    pub(super) fn is_endless(&self) -> bool {
        matches!(&self.driver, Driver::Indexed(Indexed { endless: true, .. }))
    }

    fn count(&mut self, name: &str, number: &Expr, names: &mut Names, span: Span) -> Made<()> {
        let kept = names.fresh(name, span);
        self.setup
            .push(parse_quote_spanned!(span=> let #kept: usize = #number;));
        let number: Expr = parse_quote_spanned!(span=> #kept);
        let is_open = matches!(&self.driver, Driver::Range { range, .. } if range.end.is_none());
        // What is left out need not be copied.
        let is_bare = self.stages.iter().all(|it| matches!(it, Stage::Copied(_)));
        if name == "step_by"
            && is_bare
            && !is_open
            && !self.is_endless()
            && let Driver::Range { order, .. } | Driver::Indexed(Indexed { order, .. }) =
                &mut self.driver
        {
            order.push(Order::StepBy(number));
            return Ok(());
        }
        if let Driver::Indexed(indexed) = &self.driver
            && is_bare
            && name != "step_by"
        {
            let mut setup = Vec::new();
            let indexed = indexed.clone().plain(names, &mut setup, span);
            let old = indexed.length.clone();
            let least = names.fresh("least", span);
            setup.push(parse_quote_spanned! {span=>
                let #least = if #number < #old { #number } else { #old };
            });
            let driver = if name == "take" {
                let length = parse_quote_spanned!(span=> #least);
                Indexed {
                    length,
                    by_position: false,
                    endless: false,
                    ..indexed
                }
            } else {
                let length = names.fresh("length", span);
                setup.push(parse_quote_spanned!(span=> let #length = #old - #least;));
                indexed.moved(
                    parse_quote_spanned!(span=> #length),
                    move |at| parse_quote_spanned!(span=> #at + #least),
                    span,
                )
            };
            self.setup.extend(setup);
            self.driver = Driver::Indexed(driver);
            return Ok(());
        }
        let stage = match name {
            "take" => Stage::Take(self.counter(names, "left", &number)),
            "skip" => Stage::Skip(self.counter(names, "left", &number)),
            _ => {
                let zero = parse_quote_spanned!(span=> 0);
                let left = self.counter(names, "left", &zero);
                let last = parse_quote_spanned!(span=> #number - 1);
                Stage::StepBy(left, self.keep(names, "last", &last))
            }
        };
        self.stages.push(stage);
        Ok(())
    }
}

/// The closure that an adapter is given, if it is written there.
pub fn closure(f: &Func) -> Option<&ExprClosure> {
    match super::bare(f) {
        Expr::Closure(closure) => Some(closure),
        _ => None,
    }
}

/// `&x` and `&mut x`.
pub fn reference(expr: &Expr) -> Option<&ExprReference> {
    match super::bare(expr) {
        Expr::Reference(reference) => Some(reference),
        _ => None,
    }
}
