//! The attributes as rustc runs them: an item's macro is asked for its tokens, and hands
//! them to `resume`.

use std::collections::HashMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Item, LitByteStr};

use super::{
    corpus::{attributes, marked},
    spirv,
};
use crate::expand;

/// What became of an item.
pub enum Outcome {
    /// It is none that an attribute could be given.
    NoItem,
    /// It has errors, each with a code.
    Refused,
    /// It was compiled.
    Accepted,
    /// What came out cannot be.
    Wrong(String),
}

/// Steps after which an import has gone in a circle.
const MOST_IMPORTS: usize = 1000;

/// The items of a file, as their macros export them.
#[derive(Default)]
pub struct World {
    /// `[entries]` by name of the item.
    exports: HashMap<String, TokenStream>,
}

impl World {
    /// Expands the items until no more of them can be.
    pub fn new(items: &[Item]) -> Self {
        let mut world = World::default();
        let mut waiting: Vec<&Item> = items.iter().collect();
        loop {
            let before = waiting.len();
            waiting.retain(|item| match world.run(item) {
                Some(Ok(expansion)) => {
                    world.exports.extend(exports(&expansion));
                    false
                }
                Some(Err(_)) => true,
                None => false,
            });
            if waiting.len() == before {
                return world;
            }
        }
    }

    /// The last expansion of an item; an error if it needs what nobody exports, nothing if
    /// it is not annotated.
    pub fn run(&self, item: &Item) -> Option<Result<TokenStream, String>> {
        let mut item = item.clone();
        let attributes = attributes(&mut item)?;
        let (kind, arguments) = marked(attributes)?;
        attributes.retain(|it| !it.path().is_ident(kind.attribute()));
        let mut expansion = expand::start(kind, arguments, quote::quote!(#item));
        for _ in 0..MOST_IMPORTS {
            let Some((name, task)) = request(&expansion) else {
                return Some(Ok(expansion));
            };
            let Some(entries) = self.exports.get(&name) else {
                return Some(Err(name));
            };
            expansion = expand::resume(quote::quote!(#entries #task));
        }
        panic!("imports of {MOST_IMPORTS} items");
    }

    /// What becomes of a text.
    pub fn expand(&self, text: &str) -> Outcome {
        let Ok(item) = syn::parse_str::<Item>(text) else {
            return Outcome::NoItem;
        };
        match self.run(&item) {
            None | Some(Err(_)) => Outcome::NoItem,
            Some(Ok(expansion)) => judge(&expansion),
        }
    }
}

/// Whether what came out can be given to rustc.
pub fn judge(expansion: &TokenStream) -> Outcome {
    if let Err(error) = syn::parse2::<syn::File>(expansion.clone()) {
        return Outcome::Wrong(format!(
            "it expands to what is no Rust: {error}\n{expansion}"
        ));
    }
    let text = expansion.to_string();
    if text.contains("compile_error") {
        return match text.contains("\"[AMP") {
            true => Outcome::Refused,
            false => Outcome::Wrong(format!("an error has no code: {text}")),
        };
    }
    match artifact(expansion.clone()).map(|words| spirv::check(&words)) {
        Some(Err(error)) => Outcome::Wrong(error),
        _ => Outcome::Accepted,
    }
}

/// `path! { ::amp::__private::resume, { task } }`: the path's last name, and the task.
fn request(expansion: &TokenStream) -> Option<(String, TokenStream)> {
    let call = syn::parse2::<syn::ItemMacro>(expansion.clone()).ok()?;
    let name = call.mac.path.segments.last()?.ident.to_string();
    let task = call.mac.tokens.into_iter().last()?;
    matches!(&task, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
        .then(|| (name, task.into()))
}

/// What the macros in an expansion hand out: `$callback! { [entries] $($task)* }`.
fn exports(expansion: &TokenStream) -> Vec<(String, TokenStream)> {
    let Ok(file) = syn::parse2::<syn::File>(expansion.clone()) else {
        return Vec::new();
    };
    let mut hidden = HashMap::new();
    let mut exports = Vec::new();
    for item in file.items {
        match item {
            Item::Macro(item) => {
                if let (Some(name), Some(entries)) = (item.ident, entries(item.mac.tokens)) {
                    hidden.insert(name.to_string(), entries);
                }
            }
            Item::Use(item) => {
                if let syn::UseTree::Rename(rename) = &item.tree
                    && let Some(entries) = hidden.get(&rename.ident.to_string())
                {
                    exports.push((rename.rename.to_string(), entries.clone()));
                }
            }
            _ => {}
        }
    }
    exports
}

/// The first group in brackets.
fn entries(tokens: TokenStream) -> Option<TokenStream> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            Some(TokenTree::Group(group).into())
        }
        TokenTree::Group(group) => entries(group.stream()),
        _ => None,
    })
}

/// The module of a compiled kernel: its first string of bytes.
fn artifact(tokens: TokenStream) -> Option<Vec<u8>> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => artifact(group.stream()),
        TokenTree::Literal(literal) if literal.to_string().starts_with("b\"") => {
            let bytes = syn::parse2::<LitByteStr>(TokenTree::Literal(literal).into()).ok()?;
            Some(bytes.value())
        }
        _ => None,
    })
}
