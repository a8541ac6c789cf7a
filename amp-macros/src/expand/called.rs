//! Functions that return iterators and closures: their calls are written out when the functions are known, and
//! the host has them as the user wrote them (see `sugar::returned`).

use std::rc::Rc;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::{ImplItem, Item, ItemFn, parse_quote};

use crate::{
    attribute::{has_attribute, is_one},
    import::{Closure, EntryKind, Task, TaskItem, apart, implementation},
    iterate::{Called, own_sources},
    language::returned,
    sugar,
};

/// The task of a function whose calls of functions that return iterators and closures are written out.
pub(super) fn of_task(task: &Task) -> Task {
    let mut task = task.clone();
    if let TaskItem::Kernel(item) | TaskItem::Function(item) = &mut task.item {
        sugar::returned::rewrite_called(item, &Rc::new(imported(&task.closure)));
    }
    task
}

/// The functions of an item that the host has as the user wrote them.
pub(super) fn as_written(written: &Item, member: &Item) -> Option<Item> {
    match (written, member) {
        (Item::Fn(written), Item::Fn(member)) if returned::is_of_host(&member.sig) => {
            let mut written = written.clone();
            written
                .attrs
                .retain(|attribute| !is_one(attribute, &["amp_fn"]));
            let is_kernel = has_attribute(&written.attrs, "amp_kernel");
            (!is_kernel).then(|| Item::Fn(of_host(written)))
        }
        (Item::Impl(written), Item::Impl(member)) => {
            let is_anew = |name: &Ident| {
                let anew = format!("{}{name}", returned::METHOD);
                member
                    .items
                    .iter()
                    .any(|part| matches!(part, ImplItem::Fn(it) if it.sig.ident == anew))
            };
            let mut written = written.clone();
            written.attrs.clear();
            written.items.retain_mut(|part| match part {
                ImplItem::Fn(function) => {
                    sugar::unmark_matches(&mut function.block);
                    function.attrs.push(parse_quote!(#[allow(dead_code)]));
                    function.sig.constness.is_some() || is_anew(&function.sig.ident)
                }
                _ => false,
            });
            (!written.items.is_empty()).then_some(Item::Impl(written))
        }
        _ => None,
    }
}

/// A function that the host has as the user wrote it, but that the types of its parameters have the names by
/// which kernels pass them.
pub(super) fn of_host(mut written: ItemFn) -> ItemFn {
    sugar::unmark_matches(&mut written.block);
    if written.sig.constness.is_none() {
        sugar::name_parameters(&mut written.sig);
    }
    written
}

/// Writes out what the items of a module call that returns iterators and closures.
pub(super) fn of_module(items: &mut [Item], outside: &Closure) {
    let mut called = imported(outside);
    for item in &*items {
        match item {
            Item::Fn(function) => called.own_function(function),
            Item::Impl(block) => called.block(block, true),
            Item::Struct(item) => called.structure(item),
            _ => {}
        }
    }
    let called = Rc::new(called);
    for item in &mut *items {
        match item {
            Item::Fn(function) => sugar::returned::rewrite_called(function, &called),
            Item::Impl(block) => {
                for part in &mut block.items {
                    if let ImplItem::Fn(function) = part {
                        let mut plain = implementation::alone(function);
                        sugar::returned::rewrite_called(&mut plain, &called);
                        function.block = *plain.block;
                    }
                }
            }
            _ => {}
        }
    }
    own_sources::unmark(items);
}

/// Those that an item calls which has imported these.
fn imported(closure: &Closure) -> Called {
    let mut called = Called::default();
    let entries = closure.by_id();
    for (path, id) in &closure.names {
        if let Some(entry) = entries.get(&**id)
            && entry.open().kind == EntryKind::Function
            && mentions(entry.open().item.clone(), 1)
            && let Ok(function) = syn::parse2::<ItemFn>(apart(entry.open().item.clone()).0)
        {
            called.function(path.trim_start_matches("self::"), &function.sig);
        }
    }
    let is_iterator = |item: TokenStream| {
        let mut tokens = item.into_iter();
        tokens.any(|token| matches!(token, TokenTree::Ident(name) if name == "Iterator"))
    };
    let blocks = closure.entries.iter().map(|entry| entry.open());
    let mut blocks = blocks.filter(|entry| entry.kind == EntryKind::Impl);
    // A method of one type is told from that of another by what all blocks have.
    let has_returned =
        blocks.any(|block| is_iterator(block.item.clone()) || mentions(block.item.clone(), 2));
    for entry in &closure.entries {
        let entry = entry.open();
        if entry.kind == EntryKind::Impl
            && has_returned
            && let Ok(block) = syn::parse2(entry.item.clone())
        {
            called.block(&block, false);
        }
        if entry.kind == EntryKind::Struct
            && let Ok(item) = syn::parse2(entry.item.clone())
        {
            called.structure(&item);
        }
    }
    called
}

/// Whether tokens have, at some depth of braces and parentheses, a name of what has been written anew.
fn mentions(tokens: TokenStream, depth: usize) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => {
            let is_method = name.to_string().starts_with(returned::METHOD);
            name == "Range" || is_method || returned::is_added(&name)
        }
        TokenTree::Group(group) => {
            let is_body = group.delimiter() == Delimiter::Brace && depth == 1;
            depth > 0 && !is_body && mentions(group.stream(), depth - 1)
        }
        _ => false,
    })
}
