//! `#[amp_enum]`: the enum with a fixed representation, its use as an argument, and its
//! export.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemEnum;

use super::{
    claim, derive,
    structure::{has_layout, missing_derives},
};
use crate::{
    import::{EntryKind, Task, bare_enum, export},
    infer,
    report::Report,
};

/// The expansion of an enum.
pub fn expand(task: &Task, item: &ItemEnum) -> TokenStream {
    let mut report = Report::default();
    let program = infer::build(task, &mut report);
    let Some(definition) = program.enums.last() else {
        return quote!(#item);
    };
    let broken = !report.is_clean();
    let export = export_of(task, item, broken);
    if broken {
        let errors = report.to_tokens();
        return quote!(#errors #item #export);
    }
    let added = ["clone::Clone", "marker::Copy", "cmp::PartialEq", "cmp::Eq"];
    let added = missing_derives(&item.attrs, &added);
    let derives = derive::proof(&item.attrs);
    let zeroable = definition
        .has_zero()
        .then(|| quote!(::amp::__private::bytemuck::Zeroable,));
    let layout = (!has_layout(&item.attrs)).then(|| quote!(#[repr(i32)]));
    let name = &item.ident;
    let defined = claim::enumeration(&task.id, item);
    quote! {
        #[derive(#(#added,)* #zeroable ::amp::__private::bytemuck::NoUninit)]
        #[bytemuck(crate = "::amp::__private::bytemuck")]
        #layout
        #item
        #derives
        impl ::amp::__private::DeviceValue for #name {
            const ALIGN: ::core::primitive::usize = ::core::mem::align_of::<#name>();

            fn encode(&self, out: &mut ::amp::__private::Encoder) {
                out.bytes(::amp::__private::bytemuck::bytes_of(self));
            }
        }
        #defined
        #export
    }
}

/// What stands for an enum that cannot be compiled.
pub fn stub(task: &Task, item: &ItemEnum) -> TokenStream {
    let export = export_of(task, item, true);
    quote!(#item #export)
}

fn export_of(task: &Task, item: &ItemEnum, broken: bool) -> TokenStream {
    let own = task.entry(EntryKind::Enum, broken, bare_enum(item));
    export(&item.ident, &item.vis, own, &task.closure)
}
