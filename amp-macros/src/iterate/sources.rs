//! What a chain starts with: ranges, the elements of arrays and views, neighbours among these, and
//! the functions of `std::iter`.

use std::rc::Rc;

use proc_macro2::{Literal, Span};
use syn::{Expr, ExprMethodCall, Local, Pat, Stmt, parse_quote_spanned, spanned::Spanned};

pub use super::own_sources::METHODS;
use super::{
    Made, Names, Refusal, bare,
    called::Yield,
    flow::{Driver, Flow, Indexed, Stage, closure, reference},
    item::Item,
    of_variable, passed_on,
    pieces::neighbours,
    place::{By, kept, length_of, place},
    range, recognise, separated,
};
use crate::language::name::path_key;

/// The functions of `std::iter`.
pub const FUNCTIONS: &[&str] = &["once", "repeat", "repeat_n", "successors", "from_fn", "zip"];

/// What makes an iterator of what implements `IntoIterator`.
pub const INTO_ITER: &str = "__amp_into_iter";

/// The function that makes an iterator of one that makes the next item.
pub const FROM_FN: &str = "std::iter::from_fn";

/// `from_fn` of a function that makes values to which the items refer.
pub const REFERENCES_FROM_FN: &str = "__amp_references_from_fn";

/// The same of a function that makes the items of both ends: from the back if it is called with `true`.
pub const FROM_ENDS: &str = "__amp_from_ends";
pub const REFERENCES_FROM_ENDS: &str = "__amp_references_from_ends";

/// The functions that other sugar calls.
const OWN_FUNCTIONS: &[&str] = &[
    INTO_ITER,
    REFERENCES_FROM_FN,
    FROM_ENDS,
    REFERENCES_FROM_ENDS,
];

/// The function of `std::iter` that a call calls, or the one that other sugar calls.
pub fn function_of_iter(expr: &Expr) -> Option<(&'static str, Vec<&Expr>)> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = bare(&call.func) else {
        return None;
    };
    let name = path_key(&path.path);
    if let Some(name) = OWN_FUNCTIONS.iter().find(|known| **known == name) {
        return Some((name, call.args.iter().collect()));
    }
    let name = name.strip_prefix("::").unwrap_or(&name);
    let name = ["std::iter::", "core::iter::", "iter::"]
        .iter()
        .find_map(|module| name.strip_prefix(module))?;
    let name = FUNCTIONS.iter().find(|known| **known == name)?;
    Some((name, call.args.iter().collect()))
}

impl Flow {
    /// The chain that a source and its adapters, the innermost first, are.
    pub fn of(source: &Expr, adapters: &[&ExprMethodCall], names: &mut Names) -> Made<Self> {
        if let Some(f) = adapters.first().and_then(|adapter| adapter.args.first()) {
            names.windows = count_of(closure(f).and_then(|f| f.inputs.first()));
        }
        let mut flow = flow(source, names)?;
        names.windows = None;
        if range::by_reference(bare(source), names).is_some() {
            range::check(adapters)?;
        }
        for adapter in adapters {
            flow.pass(adapter, names)?;
        }
        Ok(flow)
    }
}

/// How many elements a pattern takes apart.
pub fn count_of(pattern: Option<&Pat>) -> Option<usize> {
    match pattern? {
        Pat::Reference(reference) => count_of(Some(&reference.pat)),
        Pat::Paren(paren) => count_of(Some(&paren.pat)),
        Pat::Slice(slice) => {
            let is_one = |part: &Pat| !matches!(part, Pat::Rest(_));
            slice.elems.iter().all(is_one).then_some(slice.elems.len())
        }
        _ => None,
    }
}

impl Flow {
    /// Takes what names slices and other sources out of the setup, with what it needs: items refer to them.
    pub fn take_slices(&mut self) -> Vec<Stmt> {
        let names_slice = |statement: &Stmt| {
            matches!(statement, Stmt::Local(Local { pat: Pat::Ident(name), .. })
                if SOURCES.iter().any(|known| name.ident.to_string().starts_with(known)))
        };
        let count = self.setup.iter().rposition(names_slice);
        self.setup
            .drain(..count.map_or(0, |last| last + 1))
            .collect()
    }
}

/// What the names of slices, and of other sources and their indices, begin with.
const SOURCES: [&str; 2] = ["__amp_slice_", "__amp_source_"];

/// The chain of a call of a function that returns an iterator.
fn of_call(source: &Expr, names: &mut Names) -> Option<Flow> {
    let parts = names.iterator_of_call(source)?;
    let mut setup = Vec::new();
    let call = passed_on::written(source, &mut setup, names);
    Some(Flow::alone(setup, Driver::Called(Yield { call, parts })))
}

/// The chain of a source alone.
fn flow(source: &Expr, names: &mut Names) -> Made<Flow> {
    if let Some(flow) = of_variable(source, names) {
        return flow;
    }
    if let Some(flow) = names.flow_of_closure(source) {
        return flow;
    }
    if let Some(flow) = of_call(source, names) {
        return Ok(flow);
    }
    if names.is_range(source) {
        return Ok(range::of_value(source, names));
    }
    if let Some(rest) = range::by_reference(bare(source), names) {
        return Ok(range::rest(rest, names));
    }
    match bare(source) {
        Expr::Range(range) => {
            if range.start.is_none() {
                return Err(Refusal::new(
                    range.span(),
                    "a range without a start",
                    "write it: `0..n`",
                ));
            }
            let (range, order) = (range.clone(), Vec::new());
            Ok(Flow::alone(Vec::new(), Driver::Range { range, order }))
        }
        Expr::MethodCall(call) => of_method(call, names),
        other => match function_of_iter(other) {
            Some((name, arguments)) => of_function(name, &arguments, other.span(), names),
            None => into_flow(other, names),
        },
    }
}

/// The chain of what implements `IntoIterator`.
pub fn into_flow(expr: &Expr, names: &mut Names) -> Made<Flow> {
    if let Some((source, adapters)) = recognise(expr, names) {
        return Flow::of(source, &adapters, names);
    }
    if names.is_later(expr) {
        return Err(Refusal::later(expr.span()));
    }
    match reference(expr) {
        Some(reference) => {
            let mutable = reference.mutability.is_some();
            let by = By::Reference { mutable };
            elements(&reference.expr, by, "length", expr.span(), names)
        }
        None => {
            let by = match names.known.is_reference(expr) {
                true => By::Reference {
                    mutable: names.known.is_writable(expr),
                },
                false => By::Value,
            };
            elements(expr, by, "length", expr.span(), names)
        }
    }
}

fn of_method(call: &ExprMethodCall, names: &mut Names) -> Made<Flow> {
    let span = call.method.span();
    let name = call.method.to_string();
    let (by, wanted) = match &*name {
        "iter" => (By::Reference { mutable: false }, 0),
        "iter_mut" => (By::Reference { mutable: true }, 0),
        "into_iter" => match reference(&call.receiver) {
            Some(_) => return into_flow(&call.receiver, names),
            None => (By::Value, 0),
        },
        "array_windows" => (By::Reference { mutable: false }, 0),
        name => {
            let mutable = name.ends_with("_mut");
            (By::Reference { mutable }, 1)
        }
    };
    if call.args.len() != wanted {
        let message = format!("`{name}` with {} arguments", call.args.len());
        let help = match wanted {
            0 => "leave them out",
            _ if separated::METHODS.contains(&&*name) => {
                "it takes a closure: `a.split(|x| *x == 0)`"
            }
            _ => "it takes a number of elements",
        };
        return Err(Refusal::new(span, message, help));
    }
    match call.args.first() {
        None if name == "array_windows" => {
            let count = match &call.turbofish {
                Some(arguments) if arguments.args.len() == 1 => {
                    let count = &arguments.args[0];
                    parse_quote_spanned!(span=> #count)
                }
                _ if let Some(count) = names.windows => {
                    let count = Literal::usize_unsuffixed(count);
                    parse_quote_spanned!(span=> #count)
                }
                _ => {
                    return Err(Refusal::new(
                        span,
                        "`array_windows` without its length",
                        "write it: `a.array_windows::<3>()`",
                    ));
                }
            };
            neighbours((&name, None), &call.receiver, &count, by, span, names)
        }
        None => elements(&call.receiver, by, &name, span, names),
        Some(f) if separated::METHODS.contains(&&*name) => {
            separated::flow(&name, &call.receiver, f, by, span, names)
        }
        Some(count) => neighbours((&name, Some(count)), &call.receiver, count, by, span, names),
    }
}

fn elements(expr: &Expr, by: By, method: &str, span: Span, names: &mut Names) -> Made<Flow> {
    let (mut setup, base) = place(expr, by, names);
    let length = length_of(&base, (method, None), &mut setup, span, names);
    Ok(Flow::alone(
        setup,
        Driver::Indexed(Indexed {
            length,
            order: Vec::new(),
            by_position: true,
            endless: false,
            at: Rc::new(move |_, at| {
                let place = parse_quote_spanned!(span=> #base[#at]);
                let item = match by {
                    By::Value => Item::Value(place),
                    By::Reference { mutable } => Item::Place { place, mutable },
                };
                (Vec::new(), item)
            }),
        }),
    ))
}

/// The elements of what an item is, as `flatten` has them.
pub fn within(item: &Item, span: Span, names: &mut Names) -> Made<Flow> {
    match item {
        Item::Place { place, mutable } => {
            let by = By::Reference { mutable: *mutable };
            elements(place, by, "length", span, names)
        }
        Item::Value(value) => elements(value, By::Value, "length", span, names),
        Item::Neighbours(of) => {
            let (length, of) = (of.length.clone(), of.clone());
            Ok(Flow::alone(
                Vec::new(),
                Driver::Indexed(Indexed {
                    length,
                    order: Vec::new(),
                    by_position: true,
                    endless: false,
                    at: Rc::new(move |_, at| (Vec::new(), of.at(&at, span))),
                }),
            ))
        }
        _ => Err(Refusal::new(
            span,
            "`flatten` of items that are no arrays or `Option`s",
            "write the inner loop: `for row in a.iter() { for x in row.iter() { .. } }`",
        )),
    }
}

fn of_function(name: &str, arguments: &[&Expr], span: Span, names: &mut Names) -> Made<Flow> {
    let mut setup = Vec::new();
    let driver = match (name, arguments) {
        ("once", [value]) => Driver::Once(kept(value, &mut setup, names)),
        ("repeat", [value]) => Driver::Repeat(kept(value, &mut setup, names)),
        ("repeat_n", [value, count]) => {
            let value = kept(value, &mut setup, names);
            let length = names.fresh("length", span);
            setup.push(parse_quote_spanned!(span=> let #length: usize = #count;));
            Driver::Indexed(Indexed {
                length: parse_quote_spanned!(span=> #length),
                order: Vec::new(),
                by_position: false,
                endless: false,
                at: Rc::new(move |_, _| (Vec::new(), Item::Value(value.clone()))),
            })
        }
        ("successors", [first, f]) => {
            let next = names.fresh("next", span);
            setup.push(parse_quote_spanned!(span=> let mut #next = #first;));
            Driver::Next {
                next,
                first: true,
                f: names.moved(f, &mut setup),
                back: None,
            }
        }
        ("from_fn", [f]) => {
            let f = names.moved(f, &mut setup);
            taking(f, span, names)
        }
        (INTO_ITER, [source]) => return into_flow(source, names),
        (FROM_ENDS, [f]) => of_ends(f, span, names),
        (REFERENCES_FROM_FN | REFERENCES_FROM_ENDS, [f]) => {
            let driver = match name {
                REFERENCES_FROM_FN => taking((*f).clone(), span, names),
                _ => of_ends(f, span, names),
            };
            let mut flow = Flow::alone(setup, driver);
            flow.stages.push(referring(span));
            return Ok(flow);
        }
        ("zip", [one, two]) => {
            let mut flow = into_flow(one, names)?;
            flow.zip(two, names, span)?;
            return Ok(flow);
        }
        _ => {
            return Err(Refusal::new(
                span,
                format!("`{name}` with {} arguments", arguments.len()),
                "kernels have `once(x)`, `repeat(x)`, `repeat_n(x, n)`, `successors(first, f)`, \
                 `from_fn(f)` and `zip(a, b)` of `std::iter`",
            ));
        }
    };
    Ok(Flow::alone(setup, driver))
}

/// What makes references to the values that come.
pub fn referring(span: Span) -> Stage {
    Stage::At(Rc::new(move |names, value| {
        let name = names.fresh("source", span);
        let item = Item::Place {
            place: parse_quote_spanned!(span=> *#name),
            mutable: false,
        };
        let refers = parse_quote_spanned!(span=> let #name = &#value;);
        (vec![refers], item)
    }))
}

/// What takes items of both ends by a function that is told which.
fn of_ends(f: &Expr, span: Span, names: &mut Names) -> Driver {
    let front = parse_quote_spanned!(span=> || #f(false));
    let back = parse_quote_spanned!(span=> || #f(true));
    taking_at_both_ends(front, Some(back), span, names)
}

/// What takes items by a function.
pub fn taking(f: Expr, span: Span, names: &mut Names) -> Driver {
    taking_at_both_ends(f, None, span, names)
}

/// What takes items by a function, and from the other end by another, if that is known.
pub fn taking_at_both_ends(f: Expr, back: Option<Expr>, span: Span, names: &mut Names) -> Driver {
    Driver::Next {
        next: names.fresh("next", span),
        first: false,
        f,
        back,
    }
}
