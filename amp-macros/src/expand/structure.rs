//! `#[amp_struct]`: the struct with a fixed layout, its use as element and argument,
//! and its export.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, ItemStruct, Path, Token, punctuated::Punctuated};

use crate::{
    import::{Entry, EntryKind, Task, export, unique_id},
    infer,
    report::Report,
};

/// The expansion of a struct all of whose fields' types have arrived.
pub fn expand(task: &Task) -> TokenStream {
    let mut report = Report::default();
    let program = infer::build(task, &mut report);
    let Ok(item) = syn::parse2::<ItemStruct>(task.item.clone()) else {
        return task.item.clone();
    };
    let broken = program.broken || !report.is_clean();
    let export = export_of(task, &item, broken);
    if broken {
        let errors = report.to_tokens();
        return quote!(#errors #item #export);
    }
    let derived = derived(&item.attrs);
    let copy = ["Clone", "Copy"]
        .into_iter()
        .filter(|name| !derived.contains(&(*name).to_owned()))
        .map(|name| format_ident!("{name}"));
    let layout = (!has_layout(&item.attrs)).then(|| quote!(#[repr(C)]));
    let name = &item.ident;
    quote! {
        #[derive(#(#copy,)* ::amp::__private::bytemuck::Pod, ::amp::__private::bytemuck::Zeroable)]
        #[bytemuck(crate = "::amp::__private::bytemuck")]
        #layout
        #item
        impl ::amp::Element for #name {}
        impl ::amp::__private::DeviceValue for #name {
            fn encode(&self, out: &mut ::amp::__private::Encoder) {
                out.bytes(::amp::__private::bytemuck::bytes_of(self));
            }
        }
        #export
    }
}

/// What stands for a struct that cannot be compiled.
pub fn stub(task: &Task) -> TokenStream {
    let item = &task.item;
    match syn::parse2::<ItemStruct>(item.clone()) {
        Ok(parsed) => {
            let export = export_of(task, &parsed, true);
            quote!(#item #export)
        }
        Err(_) => item.clone(),
    }
}

fn export_of(task: &Task, item: &ItemStruct, broken: bool) -> TokenStream {
    let mut bare = item.clone();
    bare.attrs.clear();
    for field in &mut bare.fields {
        field.attrs.clear();
    }
    let mut entries = vec![Entry {
        id: unique_id(&item.ident),
        kind: EntryKind::Struct,
        broken,
        item: quote!(#bare),
        names: task.closure.names.clone(),
    }];
    entries.extend(task.closure.entries.iter().cloned());
    export(&item.ident, &item.vis, &entries)
}

/// The last segments of all derived traits.
fn derived(attributes: &[Attribute]) -> Vec<String> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("derive"))
        .filter_map(|attribute| {
            attribute
                .parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)
                .ok()
        })
        .flatten()
        .filter_map(|path| Some(path.segments.last()?.ident.to_string()))
        .collect()
}

fn has_layout(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("repr"))
}
