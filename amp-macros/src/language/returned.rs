//! The names in functions that return iterators and closures, or take iterators, as `sugar::returned` and `sugar::taken`
//! write them anew; and what functions the host has as the user wrote them.

use proc_macro2::Ident;
use quote::format_ident;
use syn::{FnArg, Pat, Signature};

/// The parameter that is called with each item.
pub const EACH: &str = "__amp_each";

/// What the names of a closure's parameters begin with, where its function has them.
pub const ARGUMENT: &str = "__amp_of_closure_";

/// What the names of parameters begin with that make the next item of an iterator which the user takes, and of an
/// iterator of references.
pub const TAKEN: &str = "__amp_taken_";
pub const TAKEN_BY_REFERENCE: &str = "__amp_taken_by_reference_";

/// What follows in the names of those that make items of both ends: from the back if they are called with `true`.
pub const AT_BOTH_ENDS: &str = "at_both_ends_";

/// How a function takes an iterator.
#[derive(Clone, Copy)]
pub struct Taken {
    /// Whether it is one of references.
    pub by_reference: bool,
    pub at_both_ends: bool,
}

/// How the parameter of this name stands for an iterator that the user takes, if it does.
pub fn taken(name: &Ident) -> Option<Taken> {
    let name = name.to_string();
    name.starts_with(TAKEN).then(|| Taken {
        by_reference: name.starts_with(TAKEN_BY_REFERENCE),
        at_both_ends: name.contains(AT_BOTH_ENDS),
    })
}

/// What the names of type parameters begin with that are the types of such items.
pub const ITEM: &str = "__AmpItem";

/// What the name of a method begins with that has been written so.
pub const METHOD: &str = "__kernel_";

/// Whether a function has been written so.
pub fn is_written(signature: &Signature) -> bool {
    signature
        .inputs
        .iter()
        .any(|input| name_of(input).is_some())
}

/// Whether a function is given what is done with each item of an iterator.
pub fn yields(signature: &Signature) -> bool {
    let given = signature.inputs.iter().filter_map(name_of);
    given.into_iter().any(|name| name == EACH)
}

/// Whether the host has a helper as the user wrote it, under the same name: what has been written anew,
/// and what rustc computes constants with, for which no fault can be noted.
pub fn is_of_host(signature: &Signature) -> bool {
    let is_const = signature.constness.is_some();
    is_const || is_written(signature) && !signature.ident.to_string().starts_with(METHOD)
}

/// The name of a method that kernels call in the stead of a constant one.
pub fn of_const(name: &Ident) -> Ident {
    format_ident!("__host_version_{name}", span = name.span())
}

/// The name of a parameter that has been written so.
pub fn name_of(input: &FnArg) -> Option<&Ident> {
    let FnArg::Typed(typed) = input else {
        return None;
    };
    let Pat::Ident(name) = &*typed.pat else {
        return None;
    };
    is_added(&name.ident).then_some(&name.ident)
}

/// Whether the parameter of this name is one that has been written so.
pub fn is_added(name: &Ident) -> bool {
    let name = name.to_string();
    name == EACH || name.starts_with(ARGUMENT) || name.starts_with(TAKEN)
}

/// Whether a parameter stands for an iterator that the user takes.
pub fn is_taken(name: &Ident) -> bool {
    name.to_string().starts_with(TAKEN)
}
