//! What items of an `#[amp_module]`, and those compiled like them, cannot be.

use std::collections::HashSet;

use amp_spirv::diagnostic::Code;
use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::{Attribute, GenericParam, ImplItem, Item, ItemImpl, Meta, TraitItem, Type};

use super::host;
use crate::{
    attribute::{find_attribute as find, is_one},
    import::implementation,
    infer,
    language::name::local_key,
    report::Report,
};

/// Traits of std that have to do with references and allocation, beside those that the host has alone.
const OTHER_TRAITS: &[&str] = &["Clone", "Deref", "DerefMut", "Drop", "TryInto"];

/// Takes our attributes off a block or a trait and its functions, which all are kernels' here.
pub(super) fn unmark(member: &mut Item, report: &mut Report) {
    let mut all = match member {
        Item::Impl(block) => {
            let parts = block.items.iter_mut().filter_map(|part| match part {
                ImplItem::Fn(function) => Some(&mut function.attrs),
                _ => None,
            });
            parts.chain([&mut block.attrs]).collect()
        }
        Item::Trait(item) => {
            let parts = item.items.iter_mut().filter_map(|part| match part {
                TraitItem::Fn(function) => Some(&mut function.attrs),
                _ => None,
            });
            parts.chain([&mut item.attrs]).collect()
        }
        _ => Vec::new(),
    };
    for attributes in &mut all {
        if let Some(Meta::List(list)) = find(attributes, "amp_fn").map(|own| &own.meta) {
            report.error_help(
                Code::AttributeArgument,
                list,
                "`#[amp_fn]` has no arguments for the functions of a type or trait",
                "leave them out, or write a function without a type",
            );
        }
        if let Some(kernel) = find(attributes, "amp_kernel") {
            report.error_help(
                Code::AttributeArgument,
                kernel,
                "a kernel among functions that kernels call",
                "write it in an `impl` block without `#[amp_fn]`, or without a type",
            );
        }
        attributes.retain(|attribute| !is_one(attribute, &["amp_fn", "amp_kernel"]));
    }
}

/// Refuses items, and parts of blocks, that are there under a condition.
pub(super) fn conditions(member: &Item, report: &mut Report) {
    let own = match member {
        Item::Fn(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        _ => return,
    };
    let mut all: Vec<&Attribute> = own.iter().collect();
    match member {
        Item::Impl(block) => all.extend(block.items.iter().flat_map(|part| match part {
            ImplItem::Fn(part) => part.attrs.iter(),
            ImplItem::Const(part) => part.attrs.iter(),
            ImplItem::Type(part) => part.attrs.iter(),
            _ => [].iter(),
        })),
        Item::Trait(item) => all.extend(item.items.iter().flat_map(|part| match part {
            TraitItem::Fn(part) => part.attrs.iter(),
            TraitItem::Const(part) => part.attrs.iter(),
            TraitItem::Type(part) => part.attrs.iter(),
            _ => [].iter(),
        })),
        _ => {}
    }
    for attribute in all {
        if is_one(attribute, &["cfg", "cfg_attr"]) {
            report.error_help(
                Code::Implementation,
                attribute,
                "kernels cannot tell whether this is there: it has a condition",
                "the others would not know; put the `cfg` on a module, and write two of these",
            );
        }
    }
}

/// Refuses a function of a trait, for whatever a type is applied to, beside one of the same name
/// for some of it: generic code, which is compiled for each type that it is called with, would mean
/// the other one for these.
pub(super) fn overlaps(members: &[Item], report: &mut Report) {
    let blocks = || {
        members.iter().filter_map(|member| match member {
            Item::Impl(block) => Some(block),
            _ => None,
        })
    };
    let owner = |block| {
        let of_reference = implementation::referred(block).is_some();
        implementation::self_path(block).map(|path| (local_key(path), of_reference))
    };
    let head = |block: &ItemImpl| {
        let (params, clause) = (&block.generics.params, &block.generics.where_clause);
        let ty = &block.self_ty;
        quote!(#params #ty #clause).to_string()
    };
    let interface = |block: &ItemImpl| block.trait_.as_ref().map(|(path, _)| local_key(path));
    for general in blocks().filter(|block| block.trait_.is_some() && is_generic(block)) {
        // Of two blocks of one trait, Rust has the types tell, in generic code, too.
        let others = blocks().filter(|other| interface(other) != interface(general));
        let others = others.filter(|other| owner(other) == owner(general));
        for other in others.filter(|other| head(other) != head(general)) {
            let mut both = names(other).filter(|name| names(general).any(|known| known == *name));
            if let Some(name) = both.next() {
                let ty = |block: &ItemImpl| block.self_ty.to_token_stream().to_string();
                report.error_help(
                    Code::Implementation,
                    name,
                    format!(
                        "`{}` has this function for every `{}`, too: generic code could not tell \
                         which of them it means",
                        implementation::trait_name(general).unwrap_or_default(),
                        ty(general).replace(' ', "")
                    ),
                    "rename one of them",
                );
            }
        }
    }
}

fn is_generic(block: &ItemImpl) -> bool {
    let mut params = block.generics.params.iter();
    params.any(|param| !matches!(param, GenericParam::Lifetime(_)))
}

/// The names of a block's functions.
fn names(block: &ItemImpl) -> impl Iterator<Item = &Ident> {
    block.items.iter().filter_map(|part| match part {
        ImplItem::Fn(function) => Some(&function.sig.ident),
        _ => None,
    })
}

/// Refuses fields that are references, of structs whose names it gives.
pub(super) fn fields(members: &[Item], report: &mut Report) -> HashSet<String> {
    let mut refused = HashSet::new();
    for member in members {
        let Item::Struct(item) = member else { continue };
        for field in &item.fields {
            let Type::Reference(reference) = &field.ty else {
                continue;
            };
            let (message, help) = match &*reference.elem {
                Type::Slice(_) if reference.mutability.is_none() => continue,
                Type::Slice(_) => (
                    "a slice to write in a struct of kernels",
                    "keep the position alone, `struct Writer { pos: usize }`, and hand the slice to the functions: \
                     `fn push(&mut self, out: &mut [u8], byte: u8)`; or keep the array itself",
                ),
                _ => (
                    "a reference in a struct of kernels",
                    "keep the value, or the index of what it refers to, and hand the reference to the functions",
                ),
            };
            report.error_help(Code::UnsupportedType, &field.ty, message, help);
            refused.insert(item.ident.to_string());
        }
    }
    refused
}

/// Refuses what a block cannot be; `own` are the names of the module's items, `borrowing` those of its types that
/// borrow.
pub(super) fn block(
    block: &ItemImpl,
    (own, borrowing): (&HashSet<String>, &HashSet<String>),
    report: &mut Report,
) {
    let path = implementation::self_path(block);
    let borrows = path.is_some_and(|path| borrowing.contains(&local_key(path)));
    let of_parameter = implementation::self_path(block).and_then(|path| {
        let mut parameters = block.generics.type_params();
        parameters.find(|parameter| path.is_ident(&parameter.ident))
    });
    if let Some(parameter) = block.generics.lifetimes().next().filter(|_| !borrows) {
        let help = match implementation::self_path(block) {
            Some(path) if infer::has_lifetime(&block.self_ty) => {
                format!("write `impl {}<'_>`", local_key(path))
            }
            _ => "its functions take and give values: leave references out of the type".to_owned(),
        };
        report.error_help(
            Code::Implementation,
            parameter,
            "an `impl` block of kernels has no lifetimes",
            help,
        );
    } else if let Some(parameter) = of_parameter {
        report.error_help(
            Code::Implementation,
            &block.self_ty,
            format!("an `impl` block for whatever type `{}` is", parameter.ident),
            "write one block for each type",
        );
    } else if implementation::self_path(block).is_none() && !implementation::is_made_of_parts(block)
    {
        report.error_help(
            Code::Implementation,
            &block.self_ty,
            "kernels have methods of structs, enums and scalars",
            "implement it for a type that has a name, or write an `#[amp_fn]`; of references there are \
             operators: `impl Add<&V> for &V`",
        );
    }
    if let Some((path, _)) = &block.trait_
        && let Some(name) = implementation::trait_name(block)
        && (host::TRAITS.contains(&&*name) || OTHER_TRAITS.contains(&&*name))
        && !own.contains(&local_key(path))
    {
        let (message, help) = match name.as_str() {
            "Drop" => (
                "a type of kernels has no destructor".to_owned(),
                "leave the `impl` block out: kernels copy their values, and a type that is \
                 `Copy` cannot be `Drop`; what owns something belongs to the host",
            ),
            "Clone" => (
                "kernels copy values instead of cloning them".to_owned(),
                "derive `Clone`, or write in an `#[amp_module]` that it is the same: \
                 `fn clone(&self) -> Self { *self }`",
            ),
            name => (
                format!("`{name}` has functions that kernels cannot have"),
                "write this `impl` block for the host alone: without `#[amp_fn]`, and outside of an \
                 `#[amp_module]`",
            ),
        };
        report.error_help(Code::Implementation, path, message, help);
    }
    if block.trait_.is_some()
        && infer::has_lifetime(&block.self_ty)
        && let Some(constant) = block
            .items
            .iter()
            .find(|part| matches!(part, ImplItem::Const(_)))
    {
        report.error_help(
            Code::Implementation,
            constant,
            "a constant of a trait for a struct with views",
            "make it a constant of the struct, in an `impl` block without a trait",
        );
    }
    for part in &block.items {
        if let ImplItem::Macro(_) | ImplItem::Verbatim(_) = part {
            report.error_help(
                Code::Implementation,
                part,
                "something other than a function, constant or type in an `impl` block",
                "write out what it stands for",
            );
        }
    }
}
