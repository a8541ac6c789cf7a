//! Methods of `Option` that return references, where the reference is used at once: as the `match` of the place
//! that it refers to.
//!
//! ```text
//! best.as_ref().is_none_or(f)          match &best { Some(x) => f(x), None => true }
//! match best.as_mut() { .. }           match &mut best { .. }
//! *slot.get_or_insert(0) += 1;         if slot.is_none() { slot = Some(0); } match &mut slot { .. }
//! ```

use proc_macro2::{Ident, Span};
use syn::{
    Expr, ExprMatch, ExprMethodCall, Local, Pat, Stmt, UnOp, parse_quote_spanned, spanned::Spanned,
};

use crate::iterate::{Names, assigned, bare, value_first};

/// What an expression is written as that uses such a reference.
pub fn plain(expr: &Expr, names: &mut Names) -> Option<Expr> {
    match expr {
        Expr::Match(choice) => matched(choice),
        Expr::MethodCall(call) => method(call, names),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            read(&unary.expr).or_else(|| inserted(&unary.expr, None, names))
        }
        Expr::Field(field) => {
            let value = read(&field.base)?;
            let mut field = field.clone();
            *field.base = value;
            Some(Expr::Field(field))
        }
        // `*option.get_or_insert(value) += 1`
        assignment => match bare(assigned(assignment)?) {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                inserted(&unary.expr, Some(assignment), names)
            }
            _ => None,
        },
    }
}

/// `let Some(x) = option.as_ref() else { .. };`
pub fn of_local(local: &mut Local) {
    if let Some(init) = &mut local.init
        && is_case(&local.pat)
        && let Some(place) = referred(&init.expr)
    {
        *init.expr = place;
    }
}

/// `&option` of `option.as_ref()`, and `&mut option` of `option.as_mut()`.
fn referred(expr: &Expr) -> Option<Expr> {
    let (place, mutable) = option(expr)?;
    let span = expr.span();
    Some(match mutable {
        false => parse_quote_spanned!(span=> &#place),
        true => parse_quote_spanned!(span=> &mut #place),
    })
}

/// The `Option` that such a method is called on, and whether what is in it may be written.
fn option(expr: &Expr) -> Option<(&Expr, bool)> {
    let Expr::MethodCall(call) = bare(expr) else {
        return None;
    };
    let mutable = match &*call.method.to_string() {
        "as_ref" => false,
        "as_mut" => true,
        _ => return None,
    };
    let is_named = matches!(
        bare(&call.receiver),
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_)
    );
    (call.args.is_empty() && is_named).then_some((&call.receiver, mutable))
}

/// Whether a pattern is a case of `Option`.
fn is_case(pattern: &Pat) -> bool {
    match pattern {
        Pat::TupleStruct(case) => case.path.is_ident("Some"),
        Pat::Ident(ident) => ident.ident == "None",
        Pat::Guard(guarded) => is_case(&guarded.pat),
        _ => false,
    }
}

fn matched(choice: &ExprMatch) -> Option<Expr> {
    let place = referred(&choice.expr)?;
    if !choice.arms.iter().any(|arm| is_case(&arm.pat)) {
        return None;
    }
    let mut choice = choice.clone();
    *choice.expr = place;
    Some(Expr::Match(choice))
}

fn method(call: &ExprMethodCall, names: &mut Names) -> Option<Expr> {
    let place = referred(&call.receiver)?;
    let (of, mutable) = option(&call.receiver)?;
    let span = call.method.span();
    let arguments: Vec<&Expr> = call.args.iter().collect();
    let item = names.fresh("behind", span);
    let mut applied = |f: &Expr| names.of_place(f, parse_quote_spanned!(span=> *#item), mutable);
    let (there, otherwise): (Expr, Expr) = match (&*call.method.to_string(), &*arguments) {
        ("is_some" | "is_none", []) => {
            let method = &call.method;
            return Some(parse_quote_spanned!(span=> #of.#method()));
        }
        ("copied" | "cloned", []) => return Some(of.clone()),
        ("map", [f]) => {
            let value = applied(f);
            (
                parse_quote_spanned!(span=> ::core::option::Option::Some(#value)),
                parse_quote_spanned!(span=> ::core::option::Option::None),
            )
        }
        ("and_then", [f]) => (
            applied(f),
            parse_quote_spanned!(span=> ::core::option::Option::None),
        ),
        ("is_some_and", [f]) => (applied(f), parse_quote_spanned!(span=> false)),
        ("is_none_or", [f]) => (applied(f), parse_quote_spanned!(span=> true)),
        ("map_or", [default, f]) => {
            let value = applied(f);
            let kept = names.fresh("default", span);
            return Some(parse_quote_spanned! {span=> {
                let #kept = #default;
                match #place {
                    ::core::option::Option::Some(#item) => #value,
                    ::core::option::Option::None => #kept,
                }
            }});
        }
        _ => return None,
    };
    Some(parse_quote_spanned! {span=>
        match #place {
            ::core::option::Option::Some(#item) => #there,
            ::core::option::Option::None => #otherwise,
        }
    })
}

/// The value of `option.as_ref().unwrap()`.
fn read(expr: &Expr) -> Option<Expr> {
    let Expr::MethodCall(call) = bare(expr) else {
        return None;
    };
    let (of, mutable) = option(&call.receiver)?;
    if mutable || call.method != "unwrap" && call.method != "expect" {
        return None;
    }
    let mut call = call.clone();
    *call.receiver = of.clone();
    Some(Expr::MethodCall(call))
}

/// What is behind `option.get_or_insert(value)` or `option.insert(value)`, to read it, or to assign to it as `whole` does.
fn inserted(expr: &Expr, whole: Option<&Expr>, names: &mut Names) -> Option<Expr> {
    let Expr::MethodCall(call) = bare(expr) else {
        return None;
    };
    let span = call.method.span();
    let of = match bare(&call.receiver) {
        of @ (Expr::Path(_) | Expr::Field(_)) => of,
        _ => return None,
    };
    let given = call.args.first().filter(|_| call.args.len() == 1)?;
    let [value, item] = ["value", "behind"].map(|name| names.fresh(name, span));
    let is_replaced = call.method == "insert";
    let (before, made) = match &*call.method.to_string() {
        "get_or_insert" | "insert" => (
            Some(kept(&value, given, span)),
            parse_quote_spanned!(span=> #value),
        ),
        "get_or_insert_with" => (None, names.of_nothing(given)),
        _ => return None,
    };
    // `insert` replaces what is there.
    let emptied: Option<Stmt> =
        is_replaced.then(|| parse_quote_spanned!(span=> #of = ::core::option::Option::None;));
    let Some(whole) = whole else {
        return Some(parse_quote_spanned! {span=> {
            #before
            #emptied
            match #of {
                ::core::option::Option::Some(#item) => #item,
                ::core::option::Option::None => {
                    let #item = #made;
                    #[allow(unused_assignments)]
                    {
                        #of = ::core::option::Option::Some(#item);
                    }
                    #item
                }
            }
        }});
    };
    let place = parse_quote_spanned!(span=> *#item);
    let (first, whole) = value_first(whole, place, names)?;
    Some(parse_quote_spanned! {span=> {
        #first
        #before
        #emptied
        if #of.is_none() {
            #of = ::core::option::Option::Some(#made);
        }
        match &mut #of {
            ::core::option::Option::Some(#item) => { #whole }
            ::core::option::Option::None => {}
        }
    }})
}

fn kept(name: &Ident, value: &Expr, span: Span) -> Stmt {
    parse_quote_spanned!(span=> let #name = #value;)
}
