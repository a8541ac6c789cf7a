//! One exported item, and the macro that exports it.
//!
//! An entry travels as tokens: `id { kind state { item } { "path" "id" .. } { constant .. } }`,
//! where the last part may be missing. Most of those
//! that arrive only travel on with the item that asked, so they stay sealed until their content
//! is needed.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, HashMap, HashSet},
    rc::Rc,
    sync::{Mutex, PoisonError},
};

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Visibility, spanned::Spanned};

use super::chain;
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
    /// An `#[amp_const]`, of which the item is the type.
    Constant,
}

/// An item that kernels elsewhere can see.
#[derive(Clone)]
pub struct Entry {
    /// Unique across crates.
    pub id: String,
    /// What it is.
    pub kind: EntryKind,
    /// Its own compilation failed: items that use it stay silent about it.
    pub broken: bool,
    /// The item as the user wrote it.
    pub item: TokenStream,
    /// Ids by the paths that the item uses.
    pub names: Vec<(String, String)>,
    /// The constants that a compiled function has for its callers: those who know them need
    /// nothing of its body.
    pub constants: Option<Vec<Ident>>,
}

impl Entry {
    /// What stands behind the id.
    fn content(&self) -> Group {
        let item = &self.item;
        let kind = match self.kind {
            EntryKind::Function => format_ident!("function"),
            EntryKind::Struct => format_ident!("structure"),
            EntryKind::Enum => format_ident!("enumeration"),
            EntryKind::Impl => format_ident!("implementation"),
            EntryKind::Trait => format_ident!("interface"),
            EntryKind::Constant => format_ident!("constant"),
        };
        let state = if self.broken {
            format_ident!("broken")
        } else {
            format_ident!("sound")
        };
        let names = self.names.iter().map(|(path, id)| quote!(#path #id));
        let constants = self.constants.iter().map(|names| quote!({ #(#names)* }));
        let content = quote!(#kind #state { #item } { #(#names)* } #(#constants)*);
        Group::new(Delimiter::Brace, content)
    }

    /// Reads the content of an entry; what cannot be read is broken.
    fn read(id: String, content: TokenStream) -> Self {
        let parts: Vec<TokenTree> = content.into_iter().collect();
        let (kind, broken, item, names, rest) = match &*parts {
            [
                TokenTree::Ident(kind),
                TokenTree::Ident(state),
                TokenTree::Group(item),
                TokenTree::Group(names),
                rest @ ..,
            ] => (
                kind.to_string(),
                state == "broken",
                item.stream(),
                self::names(names.stream()),
                rest,
            ),
            _ => (String::new(), true, TokenStream::new(), Vec::new(), &[][..]),
        };
        let constants = rest.first().map(|names| {
            let names = match names {
                TokenTree::Group(names) => names.stream(),
                _ => TokenStream::new(),
            };
            let names = names.into_iter().filter_map(|name| match name {
                TokenTree::Ident(name) => Some(name),
                _ => None,
            });
            names.collect()
        });
        Self {
            id,
            kind: match kind.as_str() {
                "function" => EntryKind::Function,
                "enumeration" => EntryKind::Enum,
                "implementation" => EntryKind::Impl,
                "interface" => EntryKind::Trait,
                "constant" => EntryKind::Constant,
                _ => EntryKind::Struct,
            },
            broken,
            item,
            names,
            constants,
        }
    }
}

/// A function with an empty body, and its body.
pub fn apart(function: TokenStream) -> (TokenStream, Option<TokenStream>) {
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    let body = match tokens.last_mut() {
        Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
            let empty = Group::new(Delimiter::Brace, TokenStream::new());
            Some(TokenTree::from(std::mem::replace(body, empty)).into())
        }
        _ => None,
    };
    (tokens.into_iter().collect(), body)
}

/// An entry that is read when its content is needed.
#[derive(Clone)]
pub struct Sealed(Rc<SealedEntry>);

struct SealedEntry {
    id: String,
    /// The id as it travels.
    name: Ident,
    content: Group,
    entry: OnceCell<Entry>,
}

impl Sealed {
    /// Its id.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The entry itself.
    pub fn open(&self) -> &Entry {
        let SealedEntry {
            id, content, entry, ..
        } = &*self.0;
        entry.get_or_init(|| Entry::read(id.clone(), content.stream()))
    }

    /// The entries in what a macro has handed out, in order.
    pub fn all(tokens: TokenStream) -> Vec<Self> {
        let mut tokens = tokens.into_iter();
        let mut entries = Vec::new();
        while let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(content))) =
            (tokens.next(), tokens.next())
        {
            entries.push(Self(Rc::new(SealedEntry {
                id: name.to_string(),
                name,
                content,
                entry: OnceCell::new(),
            })));
        }
        entries
    }
}

impl From<Entry> for Sealed {
    fn from(entry: Entry) -> Self {
        Self(Rc::new(SealedEntry {
            id: entry.id.clone(),
            name: Ident::new(&entry.id, Span::call_site()),
            content: entry.content(),
            entry: OnceCell::from(entry),
        }))
    }
}

impl ToTokens for Sealed {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let SealedEntry { name, content, .. } = &*self.0;
        tokens.extend(quote!(#name #content));
    }
}

/// The texts of literals: paths and ids, which have nothing to escape.
pub fn texts(literals: TokenStream) -> impl Iterator<Item = String> {
    let text = |literal: TokenTree| literal.to_string().trim_matches('"').to_owned();
    literals.into_iter().map(text)
}

/// `"path" "id"` pairs.
pub fn names(literals: TokenStream) -> Vec<(String, String)> {
    let mut texts = texts(literals);
    std::iter::from_fn(|| texts.next().zip(texts.next())).collect()
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

/// The number that an id becomes as the argument of a type.
pub fn number(id: &str) -> u64 {
    hash(id)
}

/// An id for the item called `name` that starts with `keyword`: a macro may be given either
/// and have the other one.
pub fn unique_id(keyword: impl Spanned, name: &Ident, repetition: u32) -> String {
    let of_cargo = |name| std::env::var(name).unwrap_or_default();
    let krate = of_cargo("CARGO_CRATE_NAME");
    // A program may have the name of its library and share files with it, and a crate may be
    // there in two versions.
    let (binary, version) = (of_cargo("CARGO_BIN_NAME"), of_cargo("CARGO_PKG_VERSION"));
    let (keyword, place) = (place(keyword.span()), place(name.span()));
    let hash = hash(&format!(
        "{keyword} {place} {repetition} {binary} {version}"
    ));
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

/// The macro that hands an item, and what it needs, to macros that ask under `name`.
pub fn export(name: &Ident, visibility: &Visibility, own: Entry, needed: &Closure) -> TokenStream {
    let hidden = Ident::new(&format!("__amp_{}", own.id), Span::call_site());
    let public = matches!(visibility, Visibility::Public(_));
    let macro_export = public.then(|| quote!(#[macro_export]));
    let others = needed.others(&own.id);
    let others = quote!(#(#others)*);
    let own = Sealed::from(own);
    let supplier = chain::supplier(&hidden, &quote!([#own #others]));
    quote! {
        #[doc(hidden)]
        #macro_export
        #supplier
        #[doc(hidden)]
        #[allow(unused_imports)]
        #visibility use #hidden as #name;
    }
}

/// What has been imported: the items by id, and the ids by path.
#[derive(Clone, Default)]
pub struct Closure {
    /// Ids by the paths that the task's own item uses.
    pub names: Vec<(String, String)>,
    /// Items in order of arrival.
    pub entries: Vec<Sealed>,
}

impl Closure {
    /// All items but one, which may need itself.
    pub fn others<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Sealed> {
        self.entries.iter().filter(move |entry| entry.id() != id)
    }

    /// The items by id.
    pub fn by_id(&self) -> HashMap<&str, &Sealed> {
        by_id(&self.entries)
    }

    /// Files what the macros of the missing paths have supplied.
    pub fn file(&mut self, missing: Vec<String>, supplied: impl Iterator<Item = TokenStream>) {
        let ids = self.entries.iter().map(|entry| entry.id().to_owned());
        let mut known: HashSet<String> = ids.collect();
        for (path, tokens) in missing.into_iter().zip(supplied) {
            let entries = Sealed::all(tokens);
            if let Some(own) = entries.first() {
                self.names.push((path, own.id().to_owned()));
            }
            let new = entries.into_iter();
            self.entries
                .extend(new.filter(|entry| known.insert(entry.id().to_owned())));
        }
    }
}

/// Entries by id.
pub fn by_id(entries: &[Sealed]) -> HashMap<&str, &Sealed> {
    entries.iter().map(|entry| (entry.id(), entry)).collect()
}
