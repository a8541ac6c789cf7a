//! The compiled kernel as a Rust expression.

use amp_spirv::artifact::{Artifact, Embedded};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// An expression of type `Embedded` that can stand in a `static`.
pub fn tokens(artifact: &Artifact) -> TokenStream {
    let spirv = Literal::byte_string(&artifact.spirv);
    let facts = Literal::byte_string(&Embedded::facts(artifact));
    quote!(::amp::__private::Embedded::new(#spirv, #facts))
}
