//! One exported item, and the macro that exports it.
//!
//! An entry travels as tokens: `{ "id" kind state { item } { {path} "id" .. } }`.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{
    LitStr, Token, Visibility, braced,
    parse::{Parse, ParseStream},
    spanned::Spanned,
};

use super::task::Closure;
use crate::position::{self, Position};

/// What an [`Entry`] exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// An `#[amp_fn]`.
    Function,
    /// An `#[amp_struct]`.
    Struct,
    /// An `#[amp_enum]`.
    Enum,
    /// An `impl` block of an `#[amp_module]`.
    Impl,
    /// A trait of an `#[amp_module]`.
    Trait,
}

/// An item that kernels elsewhere can see.
#[derive(Clone)]
pub struct Entry {
    /// Unique across crates.
    pub id: String,
    /// What it is.
    pub kind: EntryKind,
    /// Its own compilation failed: whoever uses it stays silent about it.
    pub broken: bool,
    /// The item as the user wrote it.
    pub item: TokenStream,
    /// Ids by the paths that the item uses.
    pub names: Vec<(String, String)>,
}

impl ToTokens for Entry {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Entry { id, item, .. } = self;
        let kind = match self.kind {
            EntryKind::Function => format_ident!("function"),
            EntryKind::Struct => format_ident!("structure"),
            EntryKind::Enum => format_ident!("enumeration"),
            EntryKind::Impl => format_ident!("implementation"),
            EntryKind::Trait => format_ident!("interface"),
        };
        let state = if self.broken {
            format_ident!("broken")
        } else {
            format_ident!("sound")
        };
        let names = self.names.iter().map(|(path, id)| quote!(#path #id));
        tokens.extend(quote!({ #id #kind #state { #item } { #(#names)* } }));
    }
}

impl Parse for Entry {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let content;
        braced!(content in input);
        let id: LitStr = content.parse()?;
        let kind: Ident = content.parse()?;
        let state: Ident = content.parse()?;
        let item;
        braced!(item in content);
        let names;
        braced!(names in content);
        Ok(Self {
            id: id.value(),
            kind: match kind.to_string().as_str() {
                "function" => EntryKind::Function,
                "enumeration" => EntryKind::Enum,
                "implementation" => EntryKind::Impl,
                "interface" => EntryKind::Trait,
                _ => EntryKind::Struct,
            },
            broken: state == "broken",
            item: item.parse()?,
            names: parse_names(&names)?,
        })
    }
}

/// Parses `"path" "id"` pairs to the end.
pub fn parse_names(input: ParseStream) -> syn::Result<Vec<(String, String)>> {
    let mut names = Vec::new();
    while !input.is_empty() {
        let path: LitStr = input.parse()?;
        let id: LitStr = input.parse()?;
        names.push((path.value(), id.value()));
    }
    Ok(names)
}

/// A number for a place in the source that other places do not have, nor the same one when
/// a macro repeats it: FNV-1a of file, line, column and expansion.
pub fn place_hash(span: Span) -> u64 {
    hash(&place(span))
}

fn place(span: Span) -> String {
    let Position { file, line, column } = position::start(span);
    let expansion = position::expansion(span).unwrap_or_default();
    format!("{file}:{line}:{column}{expansion}")
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// How many items of this name have stood in its place before: a macro can repeat an item with
/// all its tokens, and what these name around it can differ.
pub fn repetition(name: &Ident) -> u32 {
    static STARTED: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
    let place = format!("{name} {}", place(name.span()));
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    let times = started.entry(place).or_default();
    *times += 1;
    *times - 1
}

/// An id for the item called `name` that starts with `keyword`: a macro may be given either
/// and have the other one.
pub fn unique_id(keyword: impl Spanned, name: &Ident, repetition: u32) -> String {
    let krate = std::env::var("CARGO_CRATE_NAME").unwrap_or_default();
    let (keyword, place) = (place(keyword.span()), place(name.span()));
    let hash = hash(&format!("{keyword} {place} {repetition}"));
    let name = name.to_string();
    format!("{krate}_{hash:016x}_{}", name.trim_start_matches("r#"))
}

/// The id of a function that stands in the `impl` block `block`.
pub fn method_id(block: &str, name: &Ident) -> String {
    format!("{block}_{}", name.to_string().trim_start_matches("r#"))
}

/// The name by which a type has an `impl` block among its names: no path.
pub fn block_name(number: usize) -> String {
    format!("impl {number}")
}

/// Whether a name is one of [`block_name`].
pub fn is_block(name: &str) -> bool {
    name.starts_with("impl ")
}

/// The macro that hands an item, and what it needs, to whoever asks under `name`.
pub fn export(name: &Ident, visibility: &Visibility, own: Entry, needed: &Closure) -> TokenStream {
    let hidden = Ident::new(&format!("__amp_{}", own.id), Span::call_site());
    let others = needed.others(&own.id);
    let public = matches!(visibility, Visibility::Public(_));
    let macro_export = public.then(|| quote!(#[macro_export]));
    let dollar = <Token![$]>::default();
    quote! {
        #[doc(hidden)]
        #macro_export
        #[allow(unused_macros)]
        macro_rules! #hidden {
            (#dollar callback:path, #dollar (#dollar task:tt)*) => {
                #dollar callback! { [#own #(#others)*] #dollar (#dollar task)* }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        #visibility use #hidden as #name;
    }
}
