//! Parts of arrays, slices and views, one after the other: `windows`, `chunks`, `chunks_exact`, `rchunks` and their like.
//!
//! Each is a start and a length, which its position tells.

use std::rc::Rc;

use proc_macro2::Span;
use syn::{Expr, parse_quote_spanned};

use super::{
    Made, Names,
    flow::{Driver, Flow, Indexed},
    item::{Item, Neighbours},
    place::{By, length_of, place},
};

/// The chain of the parts of a length that a method makes.
pub fn neighbours(
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
    let from_end = name.starts_with("rchunks");
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
                if from_end {
                    // What is behind it, and then where it starts.
                    let [end, first, count] =
                        ["end", "start", "length"].map(|name| names.fresh(name, span));
                    statements
                        .push(parse_quote_spanned!(span=> let #end = #of_base - #start * #kept;));
                    statements
                        .push(parse_quote_spanned!(span=> let #first = #end - #end.min(#kept);));
                    statements.push(parse_quote_spanned!(span=> let #count = #end - #first;));
                    start = parse_quote_spanned!(span=> #first);
                    length = parse_quote_spanned!(span=> #count);
                } else if !overlap {
                    let name = names.fresh("start", span);
                    statements.push(parse_quote_spanned!(span=> let #name = #start * #kept;));
                    start = parse_quote_spanned!(span=> #name);
                }
                if !overlap && !is_exact && !from_end {
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
