//! Calls of a module's own macros where items stand: `impl_bits!(u8, u16);` becomes the `impl` blocks that it stands
//! for, so that kernels see these.
//!
//! The macro is one that the module defines, before the call, and the only one of its name. All other calls, and
//! those that no rule takes, are left to rustc, and what they stand for is no part of kernels.

use syn::{File, Item, parse::Parser};

use super::{Definition, MOST, count, transcription::Transcription};
use crate::import;

/// Writes the items of a module out that its macros make.
pub fn of_module(items: Vec<Item>) -> Vec<Item> {
    let known = Definition::of_module(&items);
    if known.is_empty() {
        return items;
    }
    let mut defined: Vec<String> = Vec::new();
    let mut open: Vec<Item> = items.into_iter().rev().collect();
    let mut all = Vec::new();
    let (mut calls, mut written) = (0, 0);
    while let Some(item) = open.pop() {
        if let Some(name) = import::macro_name(&item) {
            defined.push(name.to_string());
        }
        let definition = known.iter().find(|known| is_call(&item, known));
        let definition = definition.filter(|known| defined.contains(&known.name));
        match definition.and_then(|known| expanded(&item, known, calls)) {
            Some((made, length)) if written + length < MOST => {
                calls += 1;
                written += length;
                open.extend(made.into_iter().rev());
            }
            _ => all.push(item),
        }
    }
    all
}

fn is_call(item: &Item, known: &Definition) -> bool {
    matches!(item, Item::Macro(call) if call.attrs.is_empty() && call.mac.path.is_ident(&known.name))
}

/// The items that a call stands for, and how many tokens it counts for.
fn expanded(item: &Item, known: &Definition, number: usize) -> Option<(Vec<Item>, usize)> {
    let Item::Macro(call) = item else { return None };
    let transcription = Transcription::of(&known.rules, &call.mac, number)?;
    let length = 1 + count(transcription.tokens.clone());
    let parse = |input: syn::parse::ParseStream| input.parse::<File>();
    let mut items = parse.parse2(transcription.tokens.clone()).ok()?.items;
    transcription.settle_items(&mut items, &call.mac.tokens);
    Some((items, length))
}
