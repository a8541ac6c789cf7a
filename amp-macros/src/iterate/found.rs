//! What is done with the item that a chain has found, where that is a reference: it is told by its
//! position, and named again where it is used.

use proc_macro2::Span;
use syn::{
    BinOp, Expr, ExprBinary, ExprMethodCall, ExprTry, Local, Member, Pat, Stmt, UnOp,
    parse_quote_spanned, spanned::Spanned,
};

use super::bare;
use super::{
    Made, Names, Refusal, build,
    drive::{none, some},
    ended,
    ends::{End, Found, some_pattern},
    item::Item,
    place::is_behind,
};
use crate::language::name::path_key;

/// What an expression is written as that uses such an item.
pub fn rewrite(expr: &Expr, names: &mut Names) -> Option<Made<Expr>> {
    let span = expr.span();
    match expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => read(&unary.expr, span, names),
        Expr::Field(_) => read(expr, span, names),
        Expr::MethodCall(call) => method(call, names),
        Expr::Binary(binary) => compared(binary, names),
        _ => None,
    }
}

/// `a.first() == Some(&x)`, which compares what the references are to.
fn compared(binary: &ExprBinary, names: &mut Names) -> Option<Made<Expr>> {
    let is_call = |side: &Expr| matches!(bare(side), Expr::MethodCall(_));
    let is_comparison = matches!(
        binary.op,
        BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
    );
    if !is_comparison || !is_call(&binary.left) && !is_call(&binary.right) {
        return None;
    }
    let sides = [&binary.left, &binary.right].map(|side| found(side, names));
    let of_other = sides.iter().flatten().next()?.as_ref();
    let of_other = of_other
        .ok()
        .map(|found| (found.item.clone(), found.borrowed));
    let mut compared = binary.clone();
    for (side, found) in [&mut compared.left, &mut compared.right]
        .into_iter()
        .zip(sides)
    {
        let span = side.span();
        let made = match found {
            None => {
                let (item, borrowed) = of_other.as_ref()?;
                Ok(written_option(side, (item, *borrowed), names)?)
            }
            Some(Ok(found)) if found.item.is_slice() => return None,
            Some(found) => found.and_then(|found| {
                let read = parse_quote_spanned!(span=> #side.copied());
                of_found(&read, "copied", &found, span, names)
            }),
        };
        match made {
            Ok(option) => **side = option,
            Err(refusal) => return Some(Err(refusal)),
        }
    }
    Some(Ok(Expr::Binary(compared)))
}

/// `None`, and `Some(&x)` as `Some(x)`, as it is compared with such an item.
fn written_option(option: &Expr, item: (&Item, bool), names: &Names) -> Option<Expr> {
    match bare(option) {
        Expr::Path(path) if path_key(&path.path) == "None" => Some(option.clone()),
        Expr::Call(call) => {
            let Expr::Path(path) = bare(&call.func) else {
                return None;
            };
            let mut option = call.clone();
            let inner = option.args.first_mut()?;
            *inner = referred(inner, item, names)?;
            (path_key(&path.path) == "Some").then_some(Expr::Call(option))
        }
        _ => None,
    }
}

/// What the references in a value are to, where they stand for those in an item.
fn referred(value: &Expr, (item, borrowed): (&Item, bool), names: &Names) -> Option<Expr> {
    let value = bare(value);
    match (value, item) {
        (Expr::Reference(reference), _) if borrowed => {
            referred(&reference.expr, (item, false), names)
        }
        _ if borrowed => None,
        (Expr::Reference(reference), Item::Place { .. }) => Some((*reference.expr).clone()),
        (name, Item::Place { .. }) if names.known.is_reference(name) => {
            Some(parse_quote_spanned!(name.span()=> (*#name)))
        }
        (Expr::Tuple(tuple), Item::Tuple(items)) if tuple.elems.len() == items.len() => {
            let mut tuple = tuple.clone();
            for (part, item) in tuple.elems.iter_mut().zip(items) {
                *part = referred(part, (item, false), names)?;
            }
            Some(Expr::Tuple(tuple))
        }
        (_, Item::Value(_)) => Some(value.clone()),
        _ => None,
    }
}

/// A `let` of such an item, which keeps no reference.
pub fn kept(local: &Local, names: &mut Names) -> Option<Made<Expr>> {
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    if !matches!(local.pat, Pat::Ident(_)) {
        return None;
    }
    let Ok((_, Item::Place { .. })) = unwrapped(&init.expr, names)? else {
        return None;
    };
    Some(Err(Refusal::new(
        init.expr.span(),
        "a reference to an item, kept in a variable",
        "copy the item: `let x = *a.iter().max().unwrap();`",
    )))
}

/// `let Some(x) = item else { .. };`, which names the item behind it.
pub fn kept_or(local: &Local, names: &mut Names) -> Option<Vec<Stmt>> {
    let init = local.init.as_ref()?;
    let (_, otherwise) = init.diverge.as_ref()?;
    let Pat::TupleStruct(case) = &local.pat else {
        return None;
    };
    let inner = case
        .elems
        .first()
        .filter(|_| path_key(&case.path) == "Some")?;
    let Ok(found) = found(&init.expr, names)? else {
        return None;
    };
    let span = local.let_token.span;
    let inner = match inner {
        // A reference to the item itself.
        Pat::Reference(pattern) if found.borrowed => &*pattern.pat,
        _ if found.borrowed => return None,
        inner => inner,
    };
    let (taken, item) = found.taken(names, span);
    let mut naming = naming(inner, &item, span, names)?;
    let (some, told): (Pat, _) = (some_pattern(&taken, span), &found.told);
    let mut statements = found.slices;
    statements.push(parse_quote_spanned!(span=> let #some = (#told) else #otherwise;));
    statements.append(&mut naming);
    Some(statements)
}

/// `let x = chain.unwrap();` and the like, which name the item behind it, or its parts.
pub fn kept_unwrapped(local: &Local, names: &mut Names) -> Option<Vec<Stmt>> {
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let Ok((mut statements, item)) = unwrapped(&init.expr, names)? else {
        return None;
    };
    if !item.refers() {
        return None;
    }
    statements.append(&mut naming(&local.pat, &item, local.let_token.span, names)?);
    Some(statements)
}

/// Statements that give what an item refers to the names of a pattern.
fn naming(pattern: &Pat, item: &Item, span: Span, names: &mut Names) -> Option<Vec<Stmt>> {
    let (mut bound, mut renamed) = (Vec::new(), Vec::new());
    named(pattern, item, (&mut bound, &mut renamed), span, names)?;
    bound.append(&mut renamed);
    Some(bound)
}

/// Statements that name what an item refers to, and then those that give it the names of a pattern, which
/// may hide what the first refer to.
fn named(
    pattern: &Pat,
    item: &Item,
    (bound, renamed): (&mut Vec<Stmt>, &mut Vec<Stmt>),
    span: Span,
    names: &mut Names,
) -> Option<()> {
    let (pattern, value) = match (pattern, item) {
        (Pat::Wild(_), _) => return Some(()),
        (Pat::Paren(paren), _) => return named(&paren.pat, item, (bound, renamed), span, names),
        (Pat::Tuple(tuple), Item::Tuple(parts)) if tuple.elems.len() == parts.len() => {
            for (pattern, part) in tuple.elems.iter().zip(parts) {
                named(pattern, part, (bound, renamed), span, names)?;
            }
            return Some(());
        }
        (Pat::Reference(pattern), Item::Place { place, .. }) => (&*pattern.pat, place.clone()),
        (Pat::Ident(_), Item::Value(value)) => (pattern, value.clone()),
        (Pat::Ident(_), Item::Place { .. } | Item::Neighbours(_)) => (pattern, item.passed(span)),
        _ => return None,
    };
    let name = names.fresh("named", span);
    bound.push(parse_quote_spanned!(span=> let #name = #value;));
    renamed.push(parse_quote_spanned!(span=> let #pattern = #name;));
    Some(())
}

/// The value of an item, or of a part of it.
fn read(expr: &Expr, span: Span, names: &mut Names) -> Option<Made<Expr>> {
    let value = part(expr, names)?;
    Some(value.map(|(statements, item)| build::within(statements, item.read(span), span)))
}

pub(super) fn part(expr: &Expr, names: &mut Names) -> Option<Made<(Vec<Stmt>, Item)>> {
    let Expr::Field(field) = bare(expr) else {
        return unwrapped(expr, names);
    };
    let whole = part(&field.base, names)?;
    Some(whole.map(|(statements, item)| {
        let item = match (&item, &field.member) {
            (Item::Tuple(parts), Member::Unnamed(at))
                if let Some(part) = parts.get(at.index as usize) =>
            {
                part.clone()
            }
            _ => {
                let (base, member, span) = (item.read(field.span()), &field.member, field.span());
                Item::Value(parse_quote_spanned!(span=> #base.#member))
            }
        };
        (statements, item)
    }))
}

/// `chain.unwrap()` and the like: the item, and what is computed before.
fn unwrapped(expr: &Expr, names: &mut Names) -> Option<Made<(Vec<Stmt>, Item)>> {
    if let Expr::Try(asked) = bare(expr) {
        let (chain, or) = match bare(&asked.expr) {
            Expr::MethodCall(or) if or.method == "ok_or" || or.method == "ok_or_else" => {
                (&*or.receiver, Some(or))
            }
            chain => (chain, None),
        };
        return Some(found(chain, names)?.and_then(|found| or_left(&found, or, asked, names)));
    }
    let Expr::MethodCall(call) = bare(expr) else {
        return None;
    };
    let name = call.method.to_string();
    let default = match (&*name, call.args.first().map(bare)) {
        ("unwrap" | "expect", _) => None,
        ("unwrap_or", Some(Expr::Reference(default))) => Some(&*default.expr),
        _ => return None,
    };
    let found = found(&call.receiver, names)?;
    if let Ok(Found {
        borrowed: true,
        item,
        ..
    }) = &found
        && item.refers()
    {
        return Some(Err(Refusal::new(
            call.method.span(),
            "a reference to a reference",
            "copy the item: `it.peek().copied().unwrap()`",
        )));
    }
    Some(found.map(|found| {
        let span = call.method.span();
        let (pattern, item) = found.taken(names, span);
        let told = &found.told;
        if let (Some(default), Item::Place { .. }) = (default, &item) {
            let value = names.fresh("value", span);
            let arms = vec![
                (some_pattern(&pattern, span), item.read(span)),
                (none(span), default.clone()),
            ];
            let choice = build::choice(told.clone(), arms, span);
            let mut statements = found.slices.clone();
            statements.push(parse_quote_spanned!(span=> let #value = #choice;));
            return (statements, Item::Value(parse_quote_spanned!(span=> #value)));
        }
        let mut unwrapped = call.clone();
        let name = names.fresh("found", span);
        *unwrapped.receiver = parse_quote_spanned!(span=> #name);
        let mut statements = found.slices.clone();
        statements.push(parse_quote_spanned!(span=> let #name = #told;));
        statements.push(parse_quote_spanned!(span=> let #pattern = #unwrapped;));
        (statements, item)
    }))
}

/// `chain?`, or `chain.ok_or(error)?`, which leaves the function where there is no item.
fn or_left(
    found: &Found,
    or: Option<&ExprMethodCall>,
    asked: &ExprTry,
    names: &mut Names,
) -> Made<(Vec<Stmt>, Item)> {
    let span = asked.question_token.span();
    if found.borrowed && found.item.refers() {
        return Err(Refusal::new(
            span,
            "a reference to a reference",
            "copy the item: `it.peek().copied()?`",
        ));
    }
    let (pattern, item) = found.taken(names, span);
    let (name, told) = (names.fresh("found", span), &found.told);
    let mut statements = found.slices.clone();
    statements.push(parse_quote_spanned!(span=> let #name = #told;));
    let mut asked = asked.clone();
    *asked.expr = parse_quote_spanned!(span=> #name);
    if let Some(or) = or {
        let mut or = or.clone();
        *or.receiver = parse_quote_spanned!(span=> #name);
        *asked.expr = Expr::MethodCall(or);
    }
    statements.push(parse_quote_spanned!(span=> let #pattern = #asked;));
    Ok((statements, item))
}

/// What a chain finds, if that is a reference.
pub(super) fn found(expr: &Expr, names: &mut Names) -> Option<Made<Found>> {
    let Expr::MethodCall(call) = bare(expr) else {
        return None;
    };
    match ended(call, names)? {
        Ok(End::Item(found)) => Some(Ok(*found)),
        Ok(End::Value(_)) => None,
        Err(refusal) => Some(Err(refusal)),
    }
}

/// The value of an `Option` of a reference's method.
fn method(call: &ExprMethodCall, names: &mut Names) -> Option<Made<Expr>> {
    let (span, name) = (call.method.span(), call.method.to_string());
    let known = [
        "copied",
        "cloned",
        "is_some",
        "is_none",
        "map",
        "map_or",
        "and_then",
        "is_some_and",
        "is_none_or",
    ];
    if !known.contains(&&*name) {
        return read(&Expr::MethodCall(call.clone()), span, names);
    }
    let found = match found(&call.receiver, names)? {
        Ok(found) => found,
        Err(refusal) => return Some(Err(refusal)),
    };
    Some(of_found(call, &name, &found, span, names))
}

pub(super) fn of_found(
    call: &ExprMethodCall,
    name: &str,
    found: &Found,
    span: Span,
    names: &mut Names,
) -> Made<Expr> {
    let (pattern, item) = found.taken(names, span);
    let pattern = some_pattern(&pattern, span);
    let arguments: Vec<&Expr> = call.args.iter().collect();
    let (is, is_not): (Expr, Expr) = (
        parse_quote_spanned!(span=> true),
        parse_quote_spanned!(span=> false),
    );
    let mut before = Vec::new();
    let mut applied = |f: &Expr| names.applied(f, &[(&item, found.borrowed)]);
    let (there, otherwise) = match (name, &*arguments) {
        ("copied" | "cloned", []) => (some(&item.read(span), span), none(span)),
        ("is_some", []) => (is, is_not),
        ("is_none", []) => (is_not, is),
        ("map", [f]) => (some(&applied(f)?, span), none(span)),
        ("and_then", [f]) => (applied(f)?, none(span)),
        ("is_some_and", [f]) => (applied(f)?, is_not),
        ("is_none_or", [f]) => (applied(f)?, is),
        ("map_or", [default, f]) => {
            let there = applied(f)?;
            let name = names.fresh("default", span);
            before.push(parse_quote_spanned!(span=> let #name = #default;));
            (there, parse_quote_spanned!(span=> #name))
        }
        _ => {
            return Err(Refusal::new(
                span,
                format!("`{name}` with {} arguments", arguments.len()),
                "write it as Rust's `Option` has it",
            ));
        }
    };
    let arms = vec![(pattern, there), (none(span), otherwise)];
    let (told, kept) = (&found.told, names.fresh("found", span));
    let mut statements = found.slices.clone();
    statements.push(parse_quote_spanned!(span=> let #kept = #told;));
    statements.append(&mut before);
    let choice = build::choice(parse_quote_spanned!(span=> #kept), arms, span);
    Ok(build::within(statements, choice, span))
}

impl Found {
    /// What is found as an `Option<&T>`, which is a value.
    pub(super) fn value(&self, call: &ExprMethodCall, names: &mut Names) -> Made<Expr> {
        let span = call.method.span();
        let is_read = match &self.item {
            // A reference to a copy would not leave the block.
            Item::Place { place, mutable } => !mutable && !is_behind(place),
            Item::Neighbours(of) => !of.mutable && of.count.is_none(),
            _ => false,
        };
        if self.borrowed || !is_read {
            return Err(Refusal::new(
                span,
                format!("`{}` of such references, kept as an `Option`", call.method),
                "copy the item, `.copied()`, or take it apart: `if let Some(x) = ..`",
            ));
        }
        let (pattern, item) = self.taken(names, span);
        let (told, kept) = (&self.told, names.fresh("found", span));
        let mut statements = self.slices.clone();
        statements.push(parse_quote_spanned!(span=> let #kept = #told;));
        let arms = vec![
            (some_pattern(&pattern, span), some(&item.passed(span), span)),
            (none(span), none(span)),
        ];
        let choice = build::choice(parse_quote_spanned!(span=> #kept), arms, span);
        Ok(build::within(statements, choice, span))
    }
}

/// Whether a call finds an item that is a reference.
pub fn finds(call: &ExprMethodCall, names: &mut Names) -> bool {
    matches!(ended(call, names), Some(Ok(End::Item(_))))
}
