//! Parts of slices that a function separates: `split`, `split_inclusive` and `chunk_by`.
//!
//! ```text
//! a.split(f)      let mut start = 0; from_fn(|| { .. Some((start, length)) }).map(|(s, n)| &a[s..s + n])
//! ```
//!
//! Left out are their ends from the back, and counts of parts, `splitn`.

use std::rc::Rc;

use proc_macro2::Span;
use syn::{Expr, Stmt, parse_quote_spanned};

use super::{
    Made, Names,
    flow::{Driver, Flow, Func, Stage},
    item::{Item, Neighbours},
    place::{By, length_of, place},
};

/// The methods.
pub const METHODS: &[&str] = &[
    "split",
    "split_mut",
    "split_inclusive",
    "split_inclusive_mut",
    "chunk_by",
    "chunk_by_mut",
];

/// The chain of such parts.
pub fn flow(
    method: &str,
    expr: &Expr,
    f: &Func,
    by: By,
    span: Span,
    names: &mut Names,
) -> Made<Flow> {
    let (mut setup, base) = place(expr, by, names);
    let length = length_of(&base, (method, None), &mut setup, span, names);
    let [start, is_done, first, end, next] =
        ["start", "done", "first", "end", "next"].map(|name| names.fresh(name, span));
    let item = |at: Expr| Item::Place {
        place: parse_quote_spanned!(span=> #base[#at]),
        mutable: false,
    };
    let (at, before) = (
        item(parse_quote_spanned!(span=> #end)),
        item(parse_quote_spanned!(span=> #end - 1)),
    );
    setup.push(parse_quote_spanned!(span=> let mut #start: usize = 0;));
    let is_split = matches!(method, "split" | "split_mut");
    let (is_over, search): (Expr, Stmt) = if is_split {
        // What is behind the last separator is a part, even of nothing.
        setup.push(parse_quote_spanned!(span=> let mut #is_done = false;));
        let separates = names.applied(f, &[(&at, false)])?;
        let search = parse_quote_spanned! {span=>
            while #end < #length {
                if #separates {
                    break;
                }
                #end = #end + 1;
            }
        };
        (parse_quote_spanned!(span=> #is_done), search)
    } else {
        let search = if method.starts_with("chunk_by") {
            let belongs = names.applied(f, &[(&before, false), (&at, false)])?;
            parse_quote_spanned! {span=>
                loop {
                    #end = #end + 1;
                    if #end >= #length {
                        break;
                    }
                    if !#belongs {
                        break;
                    }
                }
            }
        } else {
            let separates = names.applied(f, &[(&before, false)])?;
            parse_quote_spanned! {span=>
                while #end < #length {
                    #end = #end + 1;
                    if #separates {
                        break;
                    }
                }
            }
        };
        (parse_quote_spanned!(span=> #start >= #length), search)
    };
    let onwards: Stmt = match is_split {
        true => parse_quote_spanned! {span=>
            if #end < #length {
                #start = #end + 1;
            } else {
                #is_done = true;
            }
        },
        false => parse_quote_spanned!(span=> #start = #end;),
    };
    let f = parse_quote_spanned! {span=> ||
        if #is_over {
            ::core::option::Option::None
        } else {
            let #first = #start;
            let mut #end = #start;
            #search
            #onwards
            ::core::option::Option::Some((#first, #end - #first))
        }
    };
    let driver = Driver::Next {
        next,
        first: false,
        f,
        back: None,
    };
    let mut flow = Flow::alone(setup, driver);
    let mutable = by == By::Reference { mutable: true };
    flow.stages.push(Stage::At(Rc::new(move |names, at| {
        let [start, length] = ["start", "length"].map(|name| names.fresh(name, span));
        let parts = parse_quote_spanned!(span=> let (#start, #length): (usize, usize) = #at;);
        let item = Item::Neighbours(Box::new(Neighbours {
            base: base.clone(),
            start: parse_quote_spanned!(span=> #start),
            length: parse_quote_spanned!(span=> #length),
            mutable,
            count: None,
        }));
        (vec![parts], item)
    })));
    Ok(flow)
}
