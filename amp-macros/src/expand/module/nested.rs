//! Types that bodies of an `#[amp_module]` declare: they stand beside the functions, with their blocks.
//!
//! ```text
//! fn f() { struct Frame { .. } impl Frame { .. } .. }     struct Frame { .. } impl Frame { .. } fn f() { .. }
//! ```
//!
//! A name means the same then, as nothing in the module mentions it but the block. Left where they are, and refused, are types
//! whose name the module has elsewhere, those declared under a condition, and those that mention another item of
//! the body.

use std::collections::{HashMap, HashSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Block, Ident, Item, Stmt, UseTree};

use crate::{
    attribute::has_attribute as has,
    visit::{self, VisitMut},
};

/// Moves such types, with their blocks, to the items that kernels see; `outside` are the others of the module.
pub(super) fn take_out(items: &mut Vec<Item>, outside: &[Item]) {
    let outside = names_in(quote!(#(#outside)*));
    let mentioned: Vec<HashMap<String, usize>> = items.iter().map(names_in).collect();
    let mut taken = Vec::new();
    for (position, item) in items.iter_mut().enumerate() {
        if !matches!(item, Item::Fn(_) | Item::Impl(_) | Item::Trait(_)) {
            continue;
        }
        let others = mentioned.iter().enumerate();
        let others = others.filter(|(other, _)| *other != position);
        let others = others.map(|(_, names)| names).chain([&outside]);
        let mut bodies = Bodies {
            elsewhere: others.flat_map(HashMap::keys).collect(),
            here: &mentioned[position],
            taken: Vec::new(),
        };
        match item {
            Item::Fn(function) => bodies.visit_block_mut(&mut function.block),
            item => bodies.visit_item_mut(item),
        }
        taken.append(&mut bodies.taken);
    }
    items.append(&mut taken);
}

struct Bodies<'a> {
    /// What other items of the module mention.
    elsewhere: HashSet<&'a String>,
    /// How often the item with the body mentions each name.
    here: &'a HashMap<String, usize>,
    taken: Vec<Item>,
}

impl VisitMut for Bodies<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let within = names_in(&*block);
        let found = movable(block, |name| {
            self.elsewhere.contains(name) || self.here.get(name) != within.get(name)
        });
        for statement in std::mem::take(&mut block.stmts) {
            match statement {
                Stmt::Item(item) if belongs(&item, &found) => self.taken.push(item),
                other => block.stmts.push(other),
            }
        }
        visit::visit_block_mut(self, block);
    }
}

/// The names of the types of a block that can stand outside.
fn movable(block: &Block, is_taken: impl Fn(&String) -> bool) -> HashSet<String> {
    let items = || {
        block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(item) => Some(item),
            _ => None,
        })
    };
    let is_type = |item: &&Item| match item {
        Item::Struct(item) => !has(&item.attrs, "cfg"),
        Item::Enum(item) => !has(&item.attrs, "cfg"),
        _ => false,
    };
    let types = items().filter(is_type).filter_map(name_of);
    let mut found: HashSet<String> = types
        .map(Ident::to_string)
        .filter(|name| !is_taken(name))
        .collect();
    let mut own = HashSet::new();
    for item in items() {
        own.extend(declared(item));
    }
    // What cannot move keeps back what mentions it.
    loop {
        let stays = |name: &String| own.contains(name) && !found.contains(name);
        let kept: HashSet<String> = items()
            .filter(|item| belongs(item, &found))
            .filter(|item| names_in(item).keys().any(stays))
            .flat_map(|item| names_in(item).into_keys())
            .filter(|name| found.contains(name))
            .collect();
        if kept.is_empty() {
            return found;
        }
        found.retain(|name| !kept.contains(name));
    }
}

/// Whether an item is one of the types, or a block of one.
fn belongs(item: &Item, types: &HashSet<String>) -> bool {
    match item {
        Item::Impl(block) => names_in(&block.self_ty).keys().any(|it| types.contains(it)),
        item => name_of(item).is_some_and(|name| types.contains(&name.to_string())),
    }
}

/// The name of a type.
fn name_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Struct(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        _ => None,
    }
}

/// The names that an item declares.
fn declared(item: &Item) -> Vec<String> {
    fn imported(tree: &UseTree, names: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => imported(&path.tree, names),
            UseTree::Name(name) => names.push(name.ident.to_string()),
            UseTree::Rename(name) => names.push(name.rename.to_string()),
            UseTree::Group(group) => group.items.iter().for_each(|it| imported(it, names)),
            UseTree::Glob(_) => {}
        }
    }
    let ident = match item {
        Item::Use(item) => {
            let mut names = Vec::new();
            imported(&item.tree, &mut names);
            return names;
        }
        Item::Const(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Macro(item) => item.ident.as_ref(),
        item => name_of(item),
    };
    ident.into_iter().map(Ident::to_string).collect()
}

/// How often the tokens of a node have each name.
fn names_in(node: impl ToTokens) -> HashMap<String, usize> {
    fn collect(tokens: TokenStream, names: &mut HashMap<String, usize>) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => *names.entry(name.to_string()).or_default() += 1,
                TokenTree::Group(group) => collect(group.stream(), names),
                _ => {}
            }
        }
    }
    let mut names = HashMap::new();
    collect(node.to_token_stream(), &mut names);
    names
}
