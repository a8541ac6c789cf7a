//! Marked items of a module, or of a block, that are compiled together, because one of them is an `impl`
//! block or a trait.
//!
//! A type needs its methods, and they need the type, but an attribute sees one item. The file tells
//! which marked items its module has, and in which order: all but the last hand their tokens to the last one,
//! which compiles them as an `#[amp_module]` does. An item that a macro writes, or that is there under a
//! condition, is not among them.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Attribute, Block, ImplItem, Item, Stmt, parse::Parser};

use super::{
    File,
    outline::{self, Outline},
};
use crate::{
    attribute::{TaskKind, has_attribute},
    import::{chain, entry, member::name_of},
    position,
};

/// Where an item stands among those that it is compiled with.
pub struct Cluster {
    /// What its macros have in their names, and no others.
    id: u64,
    position: usize,
    len: usize,
}

impl Cluster {
    /// The items that an item is compiled with, if there are any.
    pub fn of(item: &Item) -> Option<Self> {
        let span = span_of(item)?;
        if position::expansion(span).is_some() {
            return None;
        }
        let file = File::of(span)?;
        let braced = file.has_clusters.then(|| file.braced())?;
        let (start, text) = braced.around(&position::start(span))?;
        let mut clusters = file.clusters.borrow_mut();
        let keys = clusters.entry(start).or_insert_with(|| keys(text));
        let (keys, key) = (keys.as_ref()?, key(item)?);
        let mut own = keys.iter().enumerate().filter(|(_, known)| **known == key);
        let (position, _) = own.next()?;
        own.next().is_none().then(|| Self {
            id: entry::number(&format!("{} {start}", file.path.display())),
            position,
            len: keys.len(),
        })
    }

    /// What stands in the place of an item, given with its attribute: a macro that hands it on, or
    /// if it is the last, the call that compiles all.
    pub fn hand_on(&self, item: &TokenStream) -> TokenStream {
        if self.position + 1 < self.len {
            return chain::supplier(&self.supplier(self.position), &quote!([#item]));
        }
        let earlier: Vec<syn::Path> = (0..self.position)
            .map(|position| self.supplier(position).into())
            .collect();
        let last = quote!(::amp::__private::compile_together);
        chain::ask(&earlier, &last, &quote!({ #item }), false)
    }

    fn supplier(&self, position: usize) -> Ident {
        let name = format!("__amp_item_{:016x}_{position}", self.id);
        Ident::new(&name, Span::call_site())
    }
}

/// The items that [`Cluster::hand_on`] has given to the last of them.
pub fn together(tokens: TokenStream) -> syn::Result<Vec<Item>> {
    let mut groups = tokens.into_iter().skip(1).filter_map(|token| match token {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let last = groups.next().unwrap_or_default();
    // Its attribute comes from a macro; the user has written its end.
    let own = last.clone().into_iter().last();
    let own = own.map_or_else(Span::call_site, |token| token.span());
    groups
        .map(|earlier| as_written(earlier, own))
        .chain([last.clone()])
        .map(syn::parse2)
        .collect()
}

/// Tokens that a macro has handed on, as if they were written where they stand: as those of `own`.
fn as_written(tokens: TokenStream, own: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        let span = token.span().resolved_at(own);
        if let TokenTree::Group(group) = &mut token {
            *group = Group::new(group.delimiter(), as_written(group.stream(), own));
        }
        token.set_span(span);
        token
    });
    tokens.collect()
}

/// The keys of those items of a module or block that are compiled together.
fn keys(text: &str) -> Option<Vec<String>> {
    let items = match Outline::of(text) {
        Some(outline) => outline.items,
        None => {
            let block = Block::parse_within.parse2(outline::tokens(text)?).ok()?;
            let items = block.into_iter().filter_map(|statement| match statement {
                Stmt::Item(item) => Some(item),
                _ => None,
            });
            items.collect()
        }
    };
    let is_one = |item: &&Item| is_marked(item) && !is_conditional(item);
    let members: Vec<&Item> = items.iter().filter(is_one).collect();
    let is_cluster = members.iter().any(|item| needs_others(item));
    is_cluster.then(|| members.into_iter().filter_map(key).collect())
}

/// Whether an item is a block or a trait that is compiled together with others.
pub(super) fn needs_others(item: &Item) -> bool {
    matches!(item, Item::Impl(_) | Item::Trait(_)) && is_marked(item)
}

/// Whether an item has the attribute by which it is compiled together with others.
fn is_marked(item: &Item) -> bool {
    let kind = match item {
        Item::Struct(_) => TaskKind::Struct,
        Item::Enum(_) => TaskKind::Enum,
        _ => TaskKind::Function,
    };
    attributes(item).is_some_and(|own| has_attribute(own, kind.attribute()))
}

fn is_conditional(item: &Item) -> bool {
    let own = attributes(item).unwrap_or_default();
    ["cfg", "cfg_attr"]
        .iter()
        .any(|name| has_attribute(own, name))
}

fn attributes(item: &Item) -> Option<&[Attribute]> {
    Some(match item {
        Item::Fn(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => return None,
    })
}

fn span_of(item: &Item) -> Option<Span> {
    Some(match item {
        Item::Impl(block) => block.impl_token.span,
        item => crate::import::ident_of(item)?.span(),
    })
}

/// What tells an item from the others of its module: its name, of a block its head and its parts.
fn key(item: &Item) -> Option<String> {
    let Item::Impl(block) = item else {
        return name_of(item);
    };
    let names = block.items.iter().map(|part| match part {
        ImplItem::Fn(part) => part.sig.ident.clone(),
        ImplItem::Const(part) => part.ident.clone(),
        ImplItem::Type(part) => part.ident.clone(),
        _ => format_ident!("_"),
    });
    let (generics, ty) = (&block.generics, &block.self_ty);
    let of_trait = block.trait_.iter().map(|(path, _)| path);
    Some(quote!(impl #generics #(#of_trait)* for #ty { #(#names)* }).to_string())
}
