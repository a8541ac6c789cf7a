//! How macros hand out entries one after the other.
//!
//! Every exported macro is a *supplier*. It appends its entries to what it is given, and invokes
//! the macro that is next in the list before that:
//!
//! ```text
//! a! { [{b} {c} {resume}] {task} [] }        emitted by an attribute
//! b! { [{c} {resume}] {task} [] [a's] }      what `a!` turns it into
//! c! { [{resume}] {task} [] [a's] [b's] }
//! resume! { [] {task} [] [a's] [b's] [c's] }
//! ```
//!
//! rustc limits how deep such invocations nest ([`LONGEST`]). Of a longer list, a chain of its
//! own asks each part first and ends with `gather!`, which defines a supplier of all that has
//! come. It stands before the chain that then asks it: the two are items side by side, so that
//! neither nests in the other, and a `macro_rules!` is visible to the items after it, in modules
//! and in blocks.

use std::sync::atomic::{AtomicUsize, Ordering};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Path, PathArguments, Token};

/// How many suppliers one chain asks. rustc allows macros to nest 128 deep; a compilation that
/// turns out to need functions of the library begins another chain where the first has ended.
pub const LONGEST: usize = 32;

/// A `macro_rules!` that supplies some tokens to the macros that ask.
pub fn supplier(name: &Ident, supplied: &TokenStream) -> TokenStream {
    let dollar = <Token![$]>::default();
    quote! {
        #[allow(unused_macros)]
        macro_rules! #name {
            ([{ #dollar (#dollar next:tt)* } #dollar (#dollar later:tt)*] #dollar (#dollar given:tt)*) => {
                #dollar (#dollar next)*! { [#dollar (#dollar later)*] #dollar (#dollar given)* #supplied }
            };
        }
    }
}

/// Asks the suppliers at some paths, and hands `given` and what they supply, in their order, to
/// the macro `last`. In an `impl` block no macro can be defined: all must fit into one chain.
pub fn ask(paths: &[Path], last: &TokenStream, given: &TokenStream, in_block: bool) -> TokenStream {
    let mut suppliers: Vec<TokenStream> = paths.iter().map(macro_path).collect();
    let mut before = TokenStream::new();
    while suppliers.len() > LONGEST && !in_block {
        suppliers = suppliers
            .chunks(LONGEST)
            .map(|part| {
                let gathered = group_name();
                let last = quote!(::amp::__private::gather);
                before.extend(chain(part, &last, &quote!({ #gathered })));
                gathered.into_token_stream()
            })
            .collect();
    }
    let chain = chain(&suppliers, last, given);
    quote!(#before #chain)
}

fn chain(suppliers: &[TokenStream], last: &TokenStream, given: &TokenStream) -> TokenStream {
    let Some((first, later)) = suppliers.split_first() else {
        return quote!(#last! { [] #given });
    };
    quote!(#first! { [#({ #later })* { #last }] #given })
}

/// Defines the supplier of what a chain has gathered.
pub fn gather(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().skip(1);
    let name = tokens.next().and_then(|token| match token {
        TokenTree::Group(group) => syn::parse2::<Ident>(group.stream()).ok(),
        _ => None,
    });
    name.map_or_else(TokenStream::new, |name| supplier(&name, &tokens.collect()))
}

/// The macro of an item, which is named without generic arguments.
fn macro_path(path: &Path) -> TokenStream {
    let mut path = path.clone();
    for segment in &mut path.segments {
        segment.arguments = PathArguments::None;
    }
    path.into_token_stream()
}

/// A name that no other group has: one that hides another is ambiguous to rustc.
fn group_name() -> Ident {
    static GROUPS: AtomicUsize = AtomicUsize::new(0);
    let number = GROUPS.fetch_add(1, Ordering::Relaxed);
    format_ident!("__amp_group_{number}", span = Span::call_site())
}
