//! Methods that the loops of chains call, and of which only types tell what they are.

use proc_macro2::Ident;

/// The name of a method that only types tell: without its mark, if it has one.
pub fn own(method: &Ident) -> Option<String> {
    let name = method.to_string();
    name.strip_prefix(OWN).map(str::to_owned)
}

/// What the names of these methods begin with.
pub const OWN: &str = "__amp_";
