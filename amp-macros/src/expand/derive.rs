//! Derives of the user's types: proof that each that means something to kernels is the standard
//! library's.
//!
//! A kernel knows them by their names alone, which an import may give to the derive of another
//! crate. So beside the type there is one that derives the same where all of the standard
//! library's are imported by a glob: a name is ambiguous unless both scopes mean the same derive.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Attribute;

use crate::infer;

/// Those whose functions a kernel computes by itself. `Copy` and `Eq` have none.
const COMPUTED: &[&str] = &["Clone", "Default", "PartialEq", "PartialOrd"];

/// What compiles if these attributes derive what they seem to.
pub(super) fn proof(attributes: &[Attribute]) -> TokenStream {
    let mut derived = infer::derived(attributes);
    derived.retain(|path| COMPUTED.contains(&&*infer::name_of(path)));
    if derived.is_empty() {
        return TokenStream::new();
    }
    let imports = derived.iter().filter(|path| path.get_ident().is_none());
    let names = derived
        .iter()
        .filter_map(|path| Some(&path.segments.last()?.ident));
    let has = |name: &str| names.clone().any(|derived| derived == name);
    let implied = (has("PartialOrd") && !has("PartialEq")).then(|| quote!(::core::cmp::PartialEq));
    quote! {
        #[allow(dead_code, unused_imports, clippy::all)]
        const _: () = {
            #(use #imports;)*
            const _: () = {
                use ::amp::__private::derives::*;
                #[derive(#(#names,)* #implied)]
                struct Derived;
            };
        };
    }
}
