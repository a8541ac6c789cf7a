//! The items of an `#[amp_module]`, and what each of them needs of the others.
//!
//! A type needs its `impl` blocks, so that code that names the type has its methods; blocks
//! for types of elsewhere are needed by all functions of the module, and by their trait.
//! So members need each other in circles, and an [`Entry`] may lead back to itself.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Attribute, Item, ItemEnum, ItemImpl, ItemStruct, ItemTrait, Path, TraitItem};

use super::{
    entry::{Closure, Entry, EntryKind, Sealed, block_name, by_id, unique_id},
    implementation,
    paths::{Paths, collect},
};
use crate::{
    attribute::{Arguments, ELEMENT, PADDED, has_attribute, is_one, marks},
    language::{
        method::is_library_path,
        name::{local_key, path_key},
    },
    visit::{self, Visit},
};

/// The type of a module that has the constants of all its functions.
pub const CARRIER: &str = "__AmpConstants";

/// The same as text.
pub fn name_of(item: &Item) -> Option<String> {
    Some(ident_of(item)?.to_string())
}

/// The name of an item that kernels can name.
pub fn ident_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Fn(function) => Some(&function.sig.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        _ => None,
    }
}

/// The name of the macro that an item defines.
pub fn macro_name(item: &Item) -> Option<&Ident> {
    let Item::Macro(item) = item else { return None };
    item.ident
        .as_ref()
        .filter(|_| item.mac.path.is_ident("macro_rules"))
}

/// The id of an item that kernels can name.
pub fn id_of(item: &Item, repetition: u32) -> String {
    match item {
        Item::Fn(item) => unique_id(item.sig.fn_token, &item.sig.ident, repetition),
        Item::Struct(item) => unique_id(item.struct_token, &item.ident, repetition),
        Item::Enum(item) => unique_id(item.enum_token, &item.ident, repetition),
        Item::Trait(item) => unique_id(item.trait_token, &item.ident, repetition),
        Item::Const(item) => unique_id(item.const_token, &item.ident, repetition),
        _ => String::new(),
    }
}

/// The attributes of an item that can have ours.
pub fn attributes_of(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    match item {
        Item::Fn(function) => Some(&mut function.attrs),
        Item::Struct(item) => Some(&mut item.attrs),
        Item::Enum(item) => Some(&mut item.attrs),
        _ => None,
    }
}

/// An item of the module.
pub struct Member {
    /// The item itself.
    pub item: Item,
    /// Its id; for a block that of the block.
    pub id: String,
    /// Ids by the paths that it uses, and the `impl` blocks that belong to it.
    pub names: Vec<(String, String)>,
    /// The id of the trait that a block implements, if it is one of a module.
    pub of_trait: Option<String>,
}

impl Member {
    /// The items of a module, of which some need what these names mean outside of it.
    pub fn all(items: Vec<Item>, outside: &[(String, String)], repetition: u32) -> Vec<Self> {
        let mut members: Vec<Member> = items
            .into_iter()
            .enumerate()
            .map(|(number, item)| Member::of(number, item, repetition))
            .collect();
        resolve(&mut members, outside);
        members
    }

    fn of(number: usize, item: Item, repetition: u32) -> Self {
        let id = match &item {
            // Blocks that a macro repeats stand in one place.
            Item::Impl(block) => {
                let name = Ident::new(&format!("block{number}"), block.impl_token.span);
                unique_id(block.impl_token, &name, repetition)
            }
            item => id_of(item, repetition),
        };
        Self {
            item,
            id,
            names: Vec::new(),
            of_trait: None,
        }
    }

    /// Whether it is a kernel.
    pub fn is_kernel(&self) -> bool {
        matches!(&self.item, Item::Fn(function) if has_attribute(&function.attrs, "amp_kernel"))
    }

    /// The member as others see it; no other member can use a kernel.
    pub fn entry(&self) -> Option<Entry> {
        let (kind, item) = match &self.item {
            Item::Fn(_) if self.is_kernel() => return None,
            Item::Fn(function) => {
                let mut bare = function.clone();
                bare.attrs = marks(&Arguments::of(&self.item), function);
                (EntryKind::Function, quote!(#bare))
            }
            Item::Struct(item) => (EntryKind::Struct, bare_struct(item)),
            Item::Enum(item) => (EntryKind::Enum, bare_enum(item)),
            Item::Trait(item) => (EntryKind::Trait, bare_trait(item)),
            Item::Impl(block) => {
                let mut bare = block.clone();
                bare.attrs = implementation::mark(self.of_trait.as_deref());
                (EntryKind::Impl, quote!(#bare))
            }
            _ => return None,
        };
        Some(Entry {
            id: self.id.clone(),
            kind,
            broken: false,
            item,
            names: self.names.clone(),
            // Members may call each other in a circle, which only their bodies tell.
            constants: None,
        })
    }
}

/// Says what the paths of each member mean, and which blocks it has.
fn resolve(members: &mut [Member], outside: &[(String, String)]) {
    let own: HashMap<String, String> = members
        .iter()
        .filter(|member| !member.is_kernel())
        .filter_map(|member| Some((name_of(&member.item)?, member.id.clone())))
        .collect();
    let mut blocks: HashMap<String, Vec<(String, String)>> = HashMap::new();
    let mut of_nobody = Vec::new();
    for (number, member) in members.iter().enumerate() {
        let Item::Impl(block) = &member.item else {
            continue;
        };
        let named = (block_name(number), member.id.clone());
        let mut of_type = false;
        for name in header(block) {
            if let Some(id) = own.get(&name) {
                let is_trait = block
                    .trait_
                    .as_ref()
                    .is_some_and(|(path, _)| local_key(path) == name);
                of_type |= !is_trait;
                blocks.entry(id.clone()).or_default().push(named.clone());
            }
        }
        if !of_type {
            of_nobody.push(named);
        }
    }
    for member in members {
        let Paths {
            needed,
            built_ins,
            owners,
        } = collect(&member.item, &Arguments::of(&member.item));
        let id_of = |path: &Path| {
            let key = path_key(path);
            let imported = outside.iter().find(|(known, _)| *known == key);
            let id = own.get(&local_key(path)).or(imported.map(|(_, id)| id))?;
            Some((key, id.clone()))
        };
        for path in needed.into_iter().chain(built_ins).chain(owners) {
            member.names.extend(id_of(&path));
        }
        if let Item::Impl(block) = &member.item
            && let Some((path, _)) = &block.trait_
        {
            member.of_trait = id_of(path).map(|(_, id)| id);
        }
        let library = outside.iter().filter(|(path, _)| is_library_path(path));
        member.names.extend(library.cloned());
        // Who asks for a constant of elsewhere gets it from there.
        member
            .names
            .sort_by_key(|(_, id)| own.values().any(|own| own == id));
        member
            .names
            .extend(blocks.remove(&member.id).into_iter().flatten());
        if !matches!(
            member.item,
            Item::Struct(_) | Item::Enum(_) | Item::Trait(_)
        ) {
            member.names.extend(of_nobody.iter().cloned());
        }
        if let Item::Impl(_) = member.item
            && !member.names.iter().any(|(_, id)| *id == member.id)
        {
            let own = (block_name(usize::MAX), member.id.clone());
            member.names.push(own);
        }
    }
}

/// The paths in what stands before the body of a block.
fn header(block: &ItemImpl) -> Vec<String> {
    struct Paths(Vec<String>);
    impl<'ast> Visit<'ast> for Paths {
        fn visit_path(&mut self, path: &'ast Path) {
            let key = local_key(path);
            if !self.0.contains(&key) {
                self.0.push(key);
            }
            visit::visit_path(self, path);
        }
    }
    let mut paths = Paths(Vec::new());
    paths.visit_type(&block.self_ty);
    if let Some((path, _)) = &block.trait_ {
        paths.visit_path(path);
    }
    paths.0
}

/// The entries that these names lead to.
pub fn closure_of(names: &[(String, String)], entries: &[Sealed]) -> Closure {
    let by_id = by_id(entries);
    let mut seen = HashSet::new();
    let mut open: Vec<&str> = names.iter().rev().map(|(_, id)| id.as_str()).collect();
    let mut reached = Vec::new();
    while let Some(id) = open.pop() {
        if let Some(entry) = by_id.get(id)
            && seen.insert(id)
        {
            reached.push((*entry).clone());
            let names = entry.open().names.iter().rev();
            open.extend(names.map(|(_, id)| id.as_str()));
        }
    }
    Closure {
        names: names.to_vec(),
        entries: reached,
    }
}

/// A struct as it travels: with its derives, since these give it operators.
pub fn bare_struct(item: &ItemStruct) -> TokenStream {
    let mut bare = item.clone();
    bare.attrs
        .retain(|attribute| is_one(attribute, &["derive", ELEMENT, PADDED]));
    for field in &mut bare.fields {
        field.attrs.clear();
    }
    quote!(#bare)
}

/// An enum as it travels: with what says its values, operators and default.
pub fn bare_enum(item: &ItemEnum) -> TokenStream {
    let told = ["repr", "derive"];
    let mut bare = item.clone();
    bare.attrs
        .retain(|attribute| told.iter().any(|name| attribute.path().is_ident(name)));
    for variant in &mut bare.variants {
        variant
            .attrs
            .retain(|attribute| attribute.path().is_ident("default"));
        for field in &mut variant.fields {
            field.attrs.clear();
        }
    }
    quote!(#bare)
}

/// A trait as it travels: what it declares, without the bodies that it supplies.
pub fn bare_trait(item: &ItemTrait) -> TokenStream {
    let mut bare = item.clone();
    bare.attrs.clear();
    for part in &mut bare.items {
        match part {
            TraitItem::Fn(part) => {
                part.attrs.clear();
                part.default = None;
                part.semi_token = Some(syn::Token![;](part.sig.fn_token.span));
            }
            TraitItem::Const(part) => part.default = None,
            _ => {}
        }
    }
    quote!(#bare)
}
