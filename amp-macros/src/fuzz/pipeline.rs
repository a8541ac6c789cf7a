//! The attributes as rustc runs them: the macros of items are asked for their tokens, and hand
//! them to `resume` or `gather`.

use std::collections::HashMap;

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::{Item, LitByteStr};

use super::{
    corpus::{attributes, marked},
    spirv,
};
use crate::{
    attribute::TaskKind,
    expand,
    import::{self},
    language::name::path_key,
};

/// What became of an item.
pub enum Outcome {
    /// No attribute could be given such an item.
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
    /// `[entries]` by name of the item, and what groups supply.
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

    /// The last expansion of an item; an error with the path that no item exports, nothing if
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

    /// What rustc makes of an expansion that asks for items, or of a module with such an
    /// expansion in it; an error if one of them is not exported.
    fn answered(&self, expansion: &TokenStream) -> Option<Result<TokenStream, String>> {
        let file = syn::parse2::<syn::File>(expansion.clone()).ok()?;
        let (items, answered) = self.answered_in(file.items)?;
        Some(answered.map(|()| quote::quote!(#(#items)*)))
    }

    /// The same for the first of some items.
    fn answered_in(&self, mut items: Vec<Item>) -> Option<(Vec<Item>, Result<(), String>)> {
        let groups: HashMap<String, TokenStream> = items.iter().filter_map(supplied).collect();
        for at in 0..items.len() {
            let answer = match &mut items[at] {
                Item::Macro(call) if call.ident.is_none() => match self.run_chain(call, &groups)? {
                    Ok(answer) => Item::Verbatim(answer),
                    Err(missing) => return Some((items, Err(missing))),
                },
                Item::Mod(module) => {
                    let Some((brace, inner)) = module.content.take() else {
                        continue;
                    };
                    let answered = self.answered_in(inner.clone());
                    let is_asking = answered.is_some();
                    let (inner, result) = answered.unwrap_or((inner, Ok(())));
                    module.content = Some((brace, inner));
                    match (is_asking, result) {
                        (false, _) => continue,
                        (true, Ok(())) => return Some((items, Ok(()))),
                        (true, error) => return Some((items, error)),
                    }
                }
                _ => continue,
            };
            items[at] = answer;
            return Some((items, Ok(())));
        }
        None
    }

    /// Asks the macros of a chain one after the other, and runs the one at its end; nothing if
    /// the call does not belong to a chain.
    fn run_chain(
        &self,
        call: &syn::ItemMacro,
        groups: &HashMap<String, TokenStream>,
    ) -> Option<Result<TokenStream, String>> {
        let mut name = call.mac.path.segments.last()?.ident.to_string();
        let mut path = path_key(&call.mac.path);
        let mut tokens = call.mac.tokens.clone().into_iter();
        let TokenTree::Group(later) = tokens.next()? else {
            return None;
        };
        let mut later = later.stream().into_iter();
        let mut given: TokenStream = tokens.collect();
        while let Some(TokenTree::Group(next)) = later.next() {
            let Some(supplied) = self.exports.get(&name).or_else(|| groups.get(&name)) else {
                return Some(Err(path));
            };
            given.extend(supplied.clone());
            name = next.stream().into_iter().last()?.to_string();
            path = path_key(&syn::parse2(next.stream()).ok()?);
        }
        match name.as_str() {
            "resume" => Some(Ok(expand::resume(quote::quote!([] #given)))),
            "gather" => Some(Ok(import::gather(quote::quote!([] #given)))),
            _ => None,
        }
    }

    /// What a text expands to.
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
    /// What a kernel in an expression expands to: the block, and the kernel in it.
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

/// What the macros in an expansion supply to others, by the names of the items.
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
            Item::Macro(_) => hidden.extend(supplied(&item)),
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

/// A macro and what it appends to what it is given: `{ [$($later)*] $($given)* supplied }`.
fn supplied(item: &Item) -> Option<(String, TokenStream)> {
    let Item::Macro(item) = item else { return None };
    let body = item
        .mac
        .tokens
        .clone()
        .into_iter()
        .filter_map(group)
        .last()?;
    let call = body.stream().into_iter().filter_map(group).last()?;
    // Behind `[..] $(..)*`.
    let supplied = call.stream().into_iter().skip(4).collect();
    Some((item.ident.as_ref()?.to_string(), supplied))
}

fn group(token: TokenTree) -> Option<Group> {
    match token {
        TokenTree::Group(group) => Some(group),
        _ => None,
    }
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
