//! What a chain starts with: ranges, the elements of arrays and views, neighbours among these, and
//! the functions of `std::iter`.

use std::rc::Rc;

use proc_macro2::{Ident, Literal, Span};
use syn::{
    Attribute, Expr, ExprGroup, ExprMethodCall, Local, Pat, Stmt, parse_quote_spanned,
    spanned::Spanned, token::Group,
};

use super::{
    Made, Names, OWN, Refusal, bare,
    called::{self, Yield},
    flow::{Driver, Flow, Indexed, closure, reference},
    item::{Item, Neighbours},
    of_variable, range, recognise,
};
use crate::language::name::path_key;

/// How an element is yielded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Value,
    Reference { mutable: bool },
}

/// The methods that make an iterator of an array or view.
pub const METHODS: &[&str] = &[
    "iter",
    "iter_mut",
    "into_iter",
    "windows",
    "chunks",
    "chunks_exact",
    "chunks_mut",
    "chunks_exact_mut",
    "array_windows",
];

/// The functions of `std::iter`.
pub const FUNCTIONS: &[&str] = &["once", "repeat", "repeat_n", "successors", "from_fn", "zip"];

/// The function of `std::iter` that a call calls.
pub fn function_of_iter(expr: &Expr) -> Option<(&'static str, Vec<&Expr>)> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = bare(&call.func) else {
        return None;
    };
    let name = path_key(&path.path);
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
    let call = called::written(source, &mut setup, names);
    Some(Flow::alone(setup, Driver::Called(Yield { call, parts })))
}

/// The chain of a source alone.
fn flow(source: &Expr, names: &mut Names) -> Made<Flow> {
    if let Some(flow) = of_variable(source, names) {
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
        Some(count) => neighbours((&name, Some(count)), &call.receiver, count, by, span, names),
    }
}

/// A place that can be named again and again, and what makes it one.
pub fn place(expr: &Expr, by: By, names: &mut Names) -> (Vec<Stmt>, Expr) {
    let mut setup = Vec::new();
    let place = match by {
        By::Value => kept(expr, &mut setup, names),
        By::Reference { mutable } => fixed(expr, mutable, &mut setup, names),
    };
    (setup, place)
}

/// The attribute of an index that is evaluated again and again.
const REPEATED: &str = "__amp_repeated";

/// Whether an attribute marks an index that is evaluated again and again.
pub fn is_repeated(attribute: &Attribute) -> bool {
    attribute.path().is_ident(REPEATED)
}

/// A copy of a value.
fn kept(expr: &Expr, setup: &mut Vec<Stmt>, names: &mut Names) -> Expr {
    let span = expr.span();
    let name = names.fresh("source", span);
    setup.push(parse_quote_spanned!(span=> let #name = #expr;));
    parse_quote_spanned!(span=> #name)
}

/// The place with its indices computed; what is no place gets one.
fn fixed(expr: &Expr, mutable: bool, setup: &mut Vec<Stmt>, names: &mut Names) -> Expr {
    match bare(expr) {
        // Rust visits what it is before the loop, whatever it is assigned there.
        Expr::Path(_) if !mutable && names.known.is_assigned_slice(expr) => {
            let name = names.fresh("slice", expr.span());
            setup.push(parse_quote_spanned!(expr.span()=> let #name = #expr;));
            parse_quote_spanned!(expr.span()=> #name)
        }
        Expr::Path(_) => expr.clone(),
        Expr::Field(field) => {
            let mut field = field.clone();
            *field.base = fixed(&field.base, mutable, setup, names);
            Expr::Field(field)
        }
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
            fixed(&unary.expr, mutable, setup, names)
        }
        // A slice has a name, for its bounds to be computed once.
        Expr::Index(index) if matches!(bare(&index.index), Expr::Range(_)) => {
            let span = expr.span();
            let mut index = index.clone();
            // Rust lets an array that is written live as long as what uses the slice.
            if matches!(bare(&index.expr), Expr::Array(_) | Expr::Repeat(_)) {
                *index.expr = kept(&index.expr, setup, names);
            }
            let name = names.fresh("slice", span);
            setup.push(match mutable {
                true => parse_quote_spanned!(span=> let #name = &mut #index;),
                false => parse_quote_spanned!(span=> let #name = &#index;),
            });
            parse_quote_spanned!(span=> #name)
        }
        Expr::Index(index) => {
            let mut index = index.clone();
            *index.expr = fixed(&index.expr, mutable, setup, names);
            if !matches!(&*index.index, Expr::Lit(_)) {
                *index.index = kept(&index.index, setup, names);
            }
            let mark = Ident::new(REPEATED, expr.span());
            index
                .attrs
                .push(parse_quote_spanned!(expr.span()=> #[#mark]));
            // The attribute is of this index, wherever it is put.
            Expr::Group(ExprGroup {
                attrs: Vec::new(),
                group_token: Group(expr.span()),
                expr: Box::new(Expr::Index(index)),
            })
        }
        // It may be what a function returns by reference.
        Expr::Call(_) | Expr::MethodCall(_) => {
            let name = names.fresh("slice", expr.span());
            setup.push(parse_quote_spanned!(expr.span()=> let #name = #expr;));
            parse_quote_spanned!(expr.span()=> #name)
        }
        _ => kept(expr, setup, names),
    }
}

/// The length of a place that is visited by a method, which may have an argument.
pub fn length_of(
    place: &Expr,
    method: (&str, Option<&Expr>),
    setup: &mut Vec<Stmt>,
    span: Span,
    names: &mut Names,
) -> Expr {
    let length = names.fresh("length", span);
    let (name, argument) = method;
    let name = Ident::new(&format!("{OWN}{name}"), span);
    let argument = argument.map(|_| Literal::usize_suffixed(0)).into_iter();
    setup.push(parse_quote_spanned!(span=> let #length = #place.#name(#(#argument),*);));
    parse_quote_spanned!(span=> #length)
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

fn neighbours(
    (method, argument): (&str, Option<&Expr>),
    expr: &Expr,
    count: &Expr,
    by: By,
    span: Span,
    names: &mut Names,
) -> Made<Flow> {
    let (mut setup, base) = place(expr, by, names);
    let of_base = length_of(&base, (method, argument), &mut setup, span, names);
    let mutable = by == By::Reference { mutable: true };
    let kept = names.fresh("neighbours", span);
    let length = names.fresh("length", span);
    setup.push(parse_quote_spanned!(span=> let #kept: usize = #count;));
    let name = match method {
        "array_windows" => "windows",
        method => method,
    };
    let all: Expr = match name {
        "windows" => {
            parse_quote_spanned!(span=> if #kept > #of_base { 0 } else { #of_base - #kept + 1 })
        }
        "chunks_exact" | "chunks_exact_mut" => parse_quote_spanned!(span=> #of_base / #kept),
        _ => parse_quote_spanned!(span=> (#of_base + #kept - 1) / #kept),
    };
    if name == "windows" {
        // None of no elements, as Rust has it.
        setup.push(parse_quote_spanned!(span=> let _ = #of_base / #kept;));
    }
    setup.push(parse_quote_spanned!(span=> let #length: usize = #all;));
    let array = (method == "array_windows").then(|| count.clone());
    let (overlap, is_exact) = (name == "windows", name.starts_with("chunks_exact"));
    Ok(Flow::alone(
        setup,
        Driver::Indexed(Indexed {
            length: parse_quote_spanned!(span=> #length),
            order: Vec::new(),
            by_position: true,
            endless: false,
            at: Rc::new(move |names, at| {
                let mut statements = Vec::new();
                let mut start = at;
                let mut length: Expr = parse_quote_spanned!(span=> #kept);
                if !overlap {
                    let name = names.fresh("start", span);
                    statements.push(parse_quote_spanned!(span=> let #name = #start * #kept;));
                    start = parse_quote_spanned!(span=> #name);
                }
                if !overlap && !is_exact {
                    let name = names.fresh("length", span);
                    statements.push(parse_quote_spanned! {span=>
                        let #name = if #of_base - #start < #kept { #of_base - #start } else { #kept };
                    });
                    length = parse_quote_spanned!(span=> #name);
                }
                let item = Item::Neighbours(Box::new(Neighbours {
                    base: base.clone(),
                    start,
                    length,
                    mutable,
                    count: array.clone(),
                }));
                (statements, item)
            }),
        }),
    ))
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
                f: (*f).clone(),
            }
        }
        ("from_fn", [f]) => Driver::Next {
            next: names.fresh("next", span),
            first: false,
            f: (*f).clone(),
        },
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
