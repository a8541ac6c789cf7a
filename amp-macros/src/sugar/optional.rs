//! Methods of `Option` that return references, where the reference is used at once: as the `match` of the place
//! that it refers to; and `unwrap` by its path, which only callers can have, as the method.
//!
//! ```text
//! best.as_ref().is_none_or(f)          match &best { Some(x) => f(x), None => true }
//! match best.as_mut() { .. }           match &mut best { .. }
//! match best { Some(&x) => .. }         match best.copied() { Some(x) => .. }
//! f(best.as_ref())                     f(match &best { Some(x) => Some(x), None => None })
//! a.map(Option::unwrap)                a.map(|x| x.unwrap())
//! ```

use proc_macro2::{Ident, Span};
use syn::{
    Expr, ExprMatch, ExprMethodCall, ExprPath, Local, Pat, PatIdent, UnOp, parse_quote_spanned,
    spanned::Spanned,
};

use crate::{
    iterate::{Names, bare},
    language::name::is_type_name,
    visit::Visit,
};

/// What an expression is written as that uses such a reference.
pub fn plain(expr: &Expr, names: &mut Names) -> Option<Expr> {
    match expr {
        Expr::Match(choice) => matched(choice).or_else(|| copied(choice)),
        Expr::MethodCall(call) => method(call, names).or_else(|| kept_whole(expr, names)),
        Expr::Call(call) => {
            let (method, arguments) = (unwrapping(&call.func)?, &call.args);
            let value = arguments.first().filter(|_| arguments.len() == 1)?;
            Some(parse_quote_spanned!(call.span()=> (#value).#method()))
        }
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => read(&unary.expr),
        Expr::Field(field) => {
            let value = read(&field.base)?;
            let mut field = field.clone();
            *field.base = value;
            Some(Expr::Field(field))
        }
        _ => None,
    }
}

/// `Option::unwrap` where it is an argument.
pub fn of_argument(argument: &mut Expr) {
    if let Some(method) = unwrapping(argument) {
        let item = Ident::new("__amp_item", Span::mixed_site());
        *argument = parse_quote_spanned!(method.span()=> |#item| #item.#method());
    }
}

/// The method that such a path names.
fn unwrapping(function: &Expr) -> Option<&Ident> {
    let Expr::Path(ExprPath {
        qself: None, path, ..
    }) = bare(function)
    else {
        return None;
    };
    let mut names = path.segments.iter().rev().map(|segment| &segment.ident);
    let (method, of) = (names.next()?, names.next()?);
    let is_known = match &*of.to_string() {
        "Option" => method == "unwrap",
        "Result" => method == "unwrap" || method == "unwrap_err",
        _ => false,
    };
    is_known.then_some(method)
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

/// `match option { Some(&x) => .. }` of an `Option` of a reference as `match option.copied() { Some(x) => .. }`.
fn copied(choice: &ExprMatch) -> Option<Expr> {
    let mut choice = choice.clone();
    let mut is_by_value = false;
    for arm in &mut choice.arms {
        match &mut arm.pat {
            Pat::Guard(guarded) => is_by_value |= by_value(&mut guarded.pat)?,
            pattern => is_by_value |= by_value(pattern)?,
        }
    }
    *choice.expr = copy_of(&choice.expr);
    is_by_value.then_some(Expr::Match(choice))
}

/// Has a pattern take the value; whether it had a `&`. Nothing if it names the reference.
fn by_value(pattern: &mut Pat) -> Option<bool> {
    if let Pat::Or(choice) = pattern {
        let mut cases = choice.cases.iter_mut();
        return cases.try_fold(false, |found, case| Some(found | by_value(case)?));
    }
    match behind(pattern) {
        Some(inner) => {
            *pattern = inner;
            Some(true)
        }
        None => (!has_names(pattern)).then_some(false),
    }
}

/// `let Some(&x) = option else { .. };`
pub fn copied_local(local: &mut Local) {
    if let Some(init) = &mut local.init
        && let Some(inner) = behind(&local.pat)
    {
        *init.expr = copy_of(&init.expr);
        local.pat = inner;
    }
}

/// What stands behind the `&` in `Some(&x)`, in the same case.
fn behind(pattern: &Pat) -> Option<Pat> {
    let Pat::TupleStruct(case) = pattern else {
        return None;
    };
    let [part] = &*case.elems.iter().collect::<Vec<_>>() else {
        return None;
    };
    let (path, value) = (&case.path, referred_by(part)?);
    path.is_ident("Some")
        .then(|| parse_quote_spanned!(part.span()=> #path(#value)))
}

/// The pattern that stands behind a `&`, or those behind the `&`s between `|`.
fn referred_by(pattern: &Pat) -> Option<Pat> {
    match pattern {
        Pat::Reference(reference) if reference.mutability.is_none() => {
            Some((*reference.pat).clone())
        }
        Pat::Or(choice) => {
            let cases = choice.cases.iter().map(referred_by);
            let cases: Vec<Pat> = cases.collect::<Option<_>>()?;
            Some(parse_quote_spanned!(pattern.span()=> #(#cases)|*))
        }
        _ => None,
    }
}

fn copy_of(option: &Expr) -> Expr {
    parse_quote_spanned!(option.span()=> (#option).copied())
}

/// Whether a pattern names a part.
fn has_names(pattern: &Pat) -> bool {
    struct Named(bool);
    impl Visit<'_> for Named {
        fn visit_pat_ident(&mut self, name: &PatIdent) {
            self.0 |= !is_type_name(&name.ident.to_string());
        }
    }
    let mut named = Named(false);
    named.visit_pat(pattern);
    named.0
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

/// `option.as_ref()` where it is a value.
fn kept_whole(expr: &Expr, names: &mut Names) -> Option<Expr> {
    let (place, mutable) = option(expr)?;
    let (span, item) = (expr.span(), names.fresh("behind", expr.span()));
    (!mutable).then(|| {
        parse_quote_spanned! {span=>
            match &#place {
                ::core::option::Option::Some(#item) => ::core::option::Option::Some(#item),
                ::core::option::Option::None => ::core::option::Option::None,
            }
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
