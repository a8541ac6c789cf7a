//! Methods of one's own types by the names of those that make iterators of arrays: `bag.iter()`.
//!
//! Only the type of what a method is called on tells which is meant. So the calls of a module with such a method get
//! another name until its functions are known, by which chains wait. Then a variable, parameter or `self` whose
//! declaration tells its type has its own method, and all others have that of arrays.

use std::collections::HashSet;

use proc_macro2::Ident;
use syn::{Expr, ImplItem, Item, ReturnType, Signature, Type, TypeParamBound};

use crate::visit::{self, VisitMut};

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
    "rchunks",
    "rchunks_mut",
    "array_windows",
];

/// What begins the name of a call that waits, and of one of an own method, whose type and name follow.
pub const WAITS: &str = "__amp_waits_";
const OWNED: &str = "__amp_owned_";
const BETWEEN: &str = "__of__";

/// Whether a method may be named like one of arrays.
pub fn is_doubtful(name: &str) -> bool {
    METHODS.contains(&name)
}

/// Lets the calls of a module wait that may be of such methods.
pub fn mark(items: &mut [Item]) {
    let mut names = HashSet::new();
    for item in &*items {
        let Item::Impl(block) = item else { continue };
        let functions = block.items.iter().filter_map(|part| match part {
            ImplItem::Fn(function) if block.trait_.is_none() => Some(&function.sig),
            _ => None,
        });
        let own = functions.filter(|sig| is_doubtful(&sig.ident.to_string()));
        let own = own.filter(|sig| sig.receiver().is_some() && returns_iterator(sig));
        names.extend(own.map(|sig| sig.ident.to_string()));
    }
    if !names.is_empty() {
        let mut renamed =
            Renamed(|name: &str| names.contains(name).then(|| format!("{WAITS}{name}")));
        items
            .iter_mut()
            .for_each(|item| renamed.visit_item_mut(item));
    }
}

/// Gives the calls their names again that are of no chain.
pub fn unmark(items: &mut [Item]) {
    let mut renamed = Renamed(|name: &str| {
        let waits = name.strip_prefix(WAITS);
        waits
            .or(owned(name).map(|(_, name)| name))
            .map(str::to_owned)
    });
    items
        .iter_mut()
        .for_each(|item| renamed.visit_item_mut(item));
}

/// Whether a call waits.
pub fn waits(method: &Ident) -> bool {
    method.to_string().starts_with(WAITS)
}

/// The name of the call of a type's own method.
pub fn own_name(of: &str, method: &str) -> String {
    format!("{OWNED}{of}{BETWEEN}{method}")
}

/// The type and the name of an own method by the name of its call.
pub fn owned(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix(OWNED)?.split_once(BETWEEN)
}

/// Gives calls other names.
struct Renamed<F>(F);

impl<F: Fn(&str) -> Option<String>> VisitMut for Renamed<F> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::MethodCall(call) = expr
            && let Some(name) = (self.0)(&call.method.to_string())
        {
            call.method = Ident::new(&name, call.method.span());
        }
        visit::visit_expr_mut(self, expr);
    }
}

fn returns_iterator(signature: &Signature) -> bool {
    let ReturnType::Type(_, output) = &signature.output else {
        return false;
    };
    let Type::ImplTrait(output) = &**output else {
        return false;
    };
    output.bounds.iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last();
            last.is_some_and(|last| last.ident.to_string().ends_with("Iterator"))
        }
        _ => false,
    })
}
