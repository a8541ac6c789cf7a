//! Elements of an item that is found: `grid.get(y).and_then(|row| row.get(x))`.
//!
//! The element is told by its position and by that of the item. Left out are positions that depend on the item.

use proc_macro2::Ident;
use syn::{Expr, ExprMethodCall, Pat};

use super::{
    Made, Names, bare, build,
    drive::none,
    element,
    ends::{End, Found, some_pattern},
    flow::closure,
    found::found,
    item::Item,
    mentioned::mentioned,
};

/// `grid.get(y).and_then(|row| row.get(x))`: an element of the item that is found first.
pub fn ended(call: &ExprMethodCall, names: &mut Names) -> Option<Made<End>> {
    let f = call.args.first().and_then(closure)?;
    let (Pat::Ident(name), Expr::MethodCall(inner)) = (f.inputs.first()?, bare(&f.body)) else {
        return None;
    };
    let method = inner.method.to_string();
    let is_element = element::METHODS.contains(&&*method) && !method.starts_with("split");
    let mentions = |expr| mentioned(expr).contains(&name.ident.to_string());
    if call.method != "and_then" || !is_element || inner.args.iter().any(mentions) {
        return None;
    }
    let outer = match found(&call.receiver, names)? {
        Ok(outer) if !outer.borrowed => outer,
        Ok(_) => return None,
        Err(refusal) => return Some(Err(refusal)),
    };
    let span = call.method.span();
    let (pattern, Item::Place { place, .. }) = outer.taken(names, span) else {
        return None;
    };
    let mut inner = inner.clone();
    *inner.receiver = of_item(&inner.receiver, &name.ident, &place)?;
    let mutable = method.ends_with("_mut");
    let found = match element::found(&inner, &inner.receiver, mutable, names) {
        Ok(End::Item(found)) => found,
        other => return Some(other),
    };
    let told = build::within(found.slices, found.told, span);
    let arms = vec![
        (some_pattern(&pattern, span), told),
        (none(span), none(span)),
    ];
    Some(Ok(End::Item(Box::new(Found {
        told: build::choice(outer.told, arms, span),
        slices: outer.slices,
        ..*found
    }))))
}

/// `a.and_then(|x| x.get(i).copied())` as `a.and_then(|x| x.get(i)).copied()`.
pub fn copied_outside(expr: &Expr) -> Option<Expr> {
    let Expr::MethodCall(call) = expr else {
        return None;
    };
    let f = call.args.first().and_then(closure)?;
    let Expr::MethodCall(copied) = bare(&f.body) else {
        return None;
    };
    let Expr::MethodCall(element) = bare(&copied.receiver) else {
        return None;
    };
    let is_copied = copied.method == "copied" || copied.method == "cloned";
    let is_element = element::METHODS.contains(&&*element.method.to_string());
    if call.method != "and_then" || !is_copied || !is_element {
        return None;
    }
    let (mut call, mut f) = (call.clone(), f.clone());
    *f.body = Expr::MethodCall(element.clone());
    call.args = std::iter::once(Expr::Closure(f)).collect();
    let mut copied = copied.clone();
    *copied.receiver = Expr::MethodCall(call);
    Some(Expr::MethodCall(copied))
}

/// A name, or a field of it, as the place that it is a reference to.
fn of_item(expr: &Expr, name: &Ident, place: &Expr) -> Option<Expr> {
    match bare(expr) {
        Expr::Path(path) if path.path.is_ident(name) => Some(place.clone()),
        Expr::Field(field) => {
            let mut field = field.clone();
            *field.base = of_item(&field.base, name, place)?;
            Some(Expr::Field(field))
        }
        _ => None,
    }
}
