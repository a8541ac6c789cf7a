//! `#[amp_fn]`: the function itself, as its twin, and its export.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use super::{constant, twin};
use crate::{
    import::{Entry, EntryKind, Task, export, unique_id},
    infer,
    report::Report,
};

/// The expansion of a helper all of whose callees have arrived.
pub fn expand(task: &Task) -> TokenStream {
    let mut report = Report::default();
    let program = infer::build(task, &mut report);
    let Ok(item) = syn::parse2::<ItemFn>(task.item.clone()) else {
        return task.item.clone();
    };
    let broken = program.broken || !report.is_clean();
    let id = unique_id(&item.sig.ident);
    let export = export_of(task, &item, &id, broken);
    if broken {
        let errors = report.to_tokens();
        let stub = diverging(&item);
        return quote!(#errors #stub #export);
    }
    let carrier = constant::carrier(&program, &task.closure, &item.sig.ident, &item.vis, &id);
    let twin = twin::helper(program);
    quote!(#twin #carrier #export)
}

/// What stands for a helper that cannot be compiled.
pub fn stub(task: &Task) -> TokenStream {
    match syn::parse2::<ItemFn>(task.item.clone()) {
        Ok(item) => {
            let id = unique_id(&item.sig.ident);
            let export = export_of(task, &item, &id, true);
            let stub = diverging(&item);
            quote!(#stub #export)
        }
        Err(_) => task.item.clone(),
    }
}

/// The signature with a body that type-checks whatever the result is.
fn diverging(item: &ItemFn) -> TokenStream {
    let ItemFn { vis, sig, .. } = item;
    quote! {
        #[allow(unused, clippy::all)]
        #vis #sig { ::core::unreachable!() }
    }
}

fn export_of(task: &Task, item: &ItemFn, id: &str, broken: bool) -> TokenStream {
    // A method stands where no macro can; a reserved name would hide the macro it is.
    if item.sig.receiver().is_some() || infer::is_reserved_name(&item.sig.ident.to_string()) {
        return TokenStream::new();
    }
    let mut bare = item.clone();
    bare.attrs.clear();
    let mut entries = vec![Entry {
        id: id.to_owned(),
        kind: EntryKind::Function,
        broken,
        item: quote!(#bare),
        names: task.closure.names.clone(),
    }];
    entries.extend(task.closure.entries.iter().cloned());
    export(&item.sig.ident, &item.vis, &entries)
}
