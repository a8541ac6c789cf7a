//! The attributes as rustc runs them: an item's macro is asked for its tokens, and hands
//! them to `resume`.

use std::collections::HashMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Item, LitByteStr};

use super::{
    corpus::{attributes, marked},
    spirv,
};
use crate::{expand, import::TaskKind};

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
        let tokens = quote::quote!(#item);
        let mut expansion = match kind {
            TaskKind::Module => expand::start_module(arguments, tokens),
            _ => expand::start(kind, arguments, tokens),
        };
        for _ in 0..MOST_IMPORTS {
            match self.answered(&expansion) {
                None => return Some(Ok(expansion)),
                Some(Ok(answered)) => expansion = answered,
                Some(Err(name)) => return Some(Err(name)),
            }
        }
        panic!("imports of {MOST_IMPORTS} items");
    }

    /// What rustc makes of an expansion that asks for an item, or of a module with such an
    /// expansion in it; an error if nobody exports that item.
    fn answered(&self, expansion: &TokenStream) -> Option<Result<TokenStream, String>> {
        if let Some((name, task)) = request(expansion) {
            return Some(match self.exports.get(&name) {
                Some(entries) => Ok(expand::resume(quote::quote!(#entries #task))),
                None => Err(name),
            });
        }
        let mut module = syn::parse2::<syn::ItemMod>(expansion.clone()).ok()?;
        let (_, items) = module.content.as_ref()?;
        let (at, answer) = items.iter().enumerate().find_map(|(at, item)| {
            let Item::Macro(call) = item else {
                return None;
            };
            Some((at, self.answered(&quote::quote!(#call))?))
        })?;
        Some(answer.map(|answer| {
            if let Some((_, items)) = &mut module.content {
                items[at] = Item::Verbatim(answer);
            }
            quote::quote!(#module)
        }))
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

impl World {
    /// What becomes of a kernel in an expression: of the block, and of the kernel in it.
    pub fn expand_expression(&self, text: &str) -> Outcome {
        let Ok(tokens) = text.parse::<TokenStream>() else {
            return Outcome::NoItem;
        };
        let block = expand::expression::expand(tokens);
        match syn::parse2::<syn::ExprBlock>(block.clone()) {
            Err(error) => Outcome::Wrong(format!("it expands to no block: {error}\n{block}")),
            Ok(block) => match block.block.stmts.first() {
                Some(syn::Stmt::Item(item @ Item::Fn(_))) => match self.run(&named(item)) {
                    None | Some(Err(_)) => Outcome::NoItem,
                    Some(Ok(expansion)) => judge(&expansion),
                },
                _ => judge(&quote::quote!(const _: () = #block;)),
            },
        }
    }
}

/// An item whose attribute has the name that users write.
fn named(item: &Item) -> Item {
    let mut item = item.clone();
    for attribute in attributes(&mut item).into_iter().flatten() {
        if let syn::Meta::Path(path) = &mut attribute.meta
            && let Some(last) = path.segments.last().cloned()
        {
            *path = last.into();
        }
    }
    item
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
    let mut modules = Vec::new();
    artifacts(expansion.clone(), &mut modules);
    match modules.iter().find_map(|words| spirv::check(words).err()) {
        Some(error) => Outcome::Wrong(error),
        None => Outcome::Accepted,
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
    let mut items: Vec<Item> = file.items.into_iter().rev().collect();
    while let Some(item) = items.pop() {
        match item {
            Item::Mod(module) => {
                let inner = module.content.into_iter().flat_map(|(_, items)| items);
                items.extend(inner.collect::<Vec<_>>().into_iter().rev());
            }
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

/// The modules of compiled kernels: the strings of bytes that begin as SPIR-V does.
fn artifacts(tokens: TokenStream, found: &mut Vec<Vec<u8>>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => artifacts(group.stream(), found),
            TokenTree::Literal(literal) if literal.to_string().starts_with("b\"") => {
                let bytes = syn::parse2::<LitByteStr>(TokenTree::Literal(literal).into());
                found.extend(
                    bytes
                        .map(|it| it.value())
                        .ok()
                        .filter(|it| it.starts_with(&[0x03, 0x02, 0x23, 0x07])),
                );
            }
            _ => {}
        }
    }
}
