//! What items of an `#[amp_module]` cannot be.

use std::collections::HashSet;

use amp_spirv::diagnostic::Code;
use syn::{Attribute, ImplItem, Item, ItemImpl};

use super::is_one;
use crate::{
    import::{implementation, local_key},
    infer,
    report::Report,
};

/// Traits of the standard library that have to do with references, allocation, `Option`
/// or closures.
const HOST_TRAITS: &[&str] = &[
    "AsMut",
    "AsRef",
    "Borrow",
    "BorrowMut",
    "Clone",
    "Debug",
    "Deref",
    "DerefMut",
    "Display",
    "Drop",
    "Error",
    "Extend",
    "FromIterator",
    "FromStr",
    "Hash",
    "Index",
    "IndexMut",
    "IntoIterator",
    "Iterator",
    "Ord",
    "Product",
    "Sum",
    "TryFrom",
    "TryInto",
];

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
    if let Item::Impl(block) = member {
        for part in &block.items {
            all.extend(match part {
                ImplItem::Fn(part) => part.attrs.iter(),
                ImplItem::Const(part) => part.attrs.iter(),
                ImplItem::Type(part) => part.attrs.iter(),
                _ => [].iter(),
            });
        }
    }
    for attribute in all {
        if is_one(attribute, &["cfg", "cfg_attr"]) {
            report.error_help(
                Code::Implementation,
                attribute,
                "an item of an `#[amp_module]` that is there under a condition",
                "the others would not know; put the `cfg` on a module, and write two of these",
            );
        }
    }
}

/// Refuses what a block cannot be; `own` are the names of the module's items.
pub(super) fn block(block: &ItemImpl, own: &HashSet<String>, report: &mut Report) {
    let of_parameter = implementation::self_path(block).and_then(|path| {
        let mut parameters = block.generics.type_params();
        parameters.find(|parameter| path.is_ident(&parameter.ident))
    });
    if let Some(parameter) = block.generics.lifetimes().next() {
        let help = match implementation::self_path(block) {
            Some(path) if infer::has_lifetime(&block.self_ty) => {
                format!("write `impl {}<'_>`", local_key(path))
            }
            _ => "its functions take and give values: leave references out of the type".to_owned(),
        };
        report.error_help(
            Code::Implementation,
            parameter,
            "an `impl` block of an `#[amp_module]` has no lifetimes",
            help,
        );
    } else if let Some(parameter) = of_parameter {
        report.error_help(
            Code::Implementation,
            &block.self_ty,
            format!("an `impl` block for whatever type `{}` is", parameter.ident),
            "write one block for each type",
        );
    } else if implementation::self_path(block).is_none() {
        report.error_help(
            Code::Implementation,
            &block.self_ty,
            "kernels have methods of structs, enums and scalars",
            "implement it for a type that has a name, or write an `#[amp_fn]`",
        );
    }
    if let Some((path, _)) = &block.trait_
        && let Some(name) = implementation::trait_name(block)
        && HOST_TRAITS.contains(&name.as_str())
        && !own.contains(&local_key(path))
    {
        let (message, help) = match name.as_str() {
            "Drop" => (
                "a type of kernels has no destructor".to_owned(),
                "leave the `impl` block out: kernels copy their values, and a type that is \
                 `Copy` cannot be `Drop`; what owns something belongs to the host",
            ),
            name => (
                format!("`{name}` has functions that kernels cannot have"),
                "move the `impl` block out of the `#[amp_module]`: an `impl` may stand anywhere \
                 in the crate",
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
