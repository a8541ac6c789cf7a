//! What stands for the members of a module that is not compiled.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ImplItem, Item, ItemFn};

use super::is_ours;
use crate::{
    attribute::{Arguments, has_attribute as has, is_one},
    expand::{enumeration, helper, instances, structure},
    import::{self, Closure, Task, TaskItem, implementation},
};

/// What stands for a member that is not compiled.
pub(super) fn stub(member: &Item, module: &Task) -> TokenStream {
    let task = |item| Task {
        arguments: Arguments::default(),
        item,
        closure: Closure::default(),
        missing: Vec::new(),
        id: import::id_of(member, module.repetition),
        repetition: module.repetition,
    };
    match member {
        Item::Fn(function) => {
            let is_kernel = has(&function.attrs, "amp_kernel");
            let mut function: ItemFn = function.clone();
            function
                .attrs
                .retain(|attribute| !is_ours(attribute) && !is_one(attribute, &["amp_kernel"]));
            match is_kernel {
                true => instances::stub(&Arguments::of(member), &function),
                false => helper::stub(&task(TaskItem::Function(function.clone())), &function),
            }
        }
        Item::Struct(item) => {
            let mut item = item.clone();
            item.attrs.retain(|attribute| !is_ours(attribute));
            structure::stub(&task(TaskItem::Struct(item.clone())), &item)
        }
        Item::Enum(item) => {
            let mut item = item.clone();
            item.attrs.retain(|attribute| !is_ours(attribute));
            enumeration::stub(&task(TaskItem::Enum(item.clone())), &item)
        }
        Item::Impl(block) => {
            let of_reference = implementation::referred(block).is_some();
            let mut block = block.clone();
            for part in &mut block.items {
                if let ImplItem::Fn(function) = part {
                    let generics = &function.sig.generics.clone();
                    let own = helper::Own {
                        generics,
                        of_reference,
                    };
                    let function = helper::within_block(implementation::alone(function), own);
                    let stub = helper::diverging(&function);
                    *part = ImplItem::Verbatim(stub);
                }
            }
            quote!(#block)
        }
        other => quote!(#other),
    }
}
