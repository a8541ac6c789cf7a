//! `#[amp_struct]`: the struct with a fixed layout, its use as element and argument,
//! and its export.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Fields, FieldsNamed, Generics, Ident, ItemStruct, Type, parse_quote};

use super::{bundle, claim, derive, fallback, resolved, types};
use crate::{
    attribute::{ELEMENT, IMPLEMENTED, OWN_REFERENCES, PADDED, has_attribute, is_one},
    import::{EntryKind, Task, bare_struct, export},
    infer::{self, Len, Ty},
    report::Report,
};

/// The expansion of a struct all of whose fields' types have arrived. One that is marked as `#[amp_struct]`
/// is for arrays, if its fields are; any other struct of a module may have padding.
pub fn expand(task: &Task, item: &ItemStruct, is_marked: bool) -> TokenStream {
    let mut report = Report::default();
    let program = infer::build(task, &mut report);
    infer::exported_type(&item.ident, &mut report);
    let is_of_enum = has_attribute(&item.attrs, ELEMENT);
    let mut padding = Report::default();
    if is_marked && !program.broken {
        if is_of_enum {
            infer::check_elements(&program, item, &mut report);
        }
        infer::check_layout(&program, item, &mut padding);
        infer::refuse_slices(&program, item, &mut report);
    }
    let broken = program.broken || !report.is_clean();
    // A struct with padding is one of values: what names it is not refused, too.
    let mut exported = item.clone();
    if !padding.is_clean() {
        let mark = format_ident!("{PADDED}");
        exported.attrs.push(parse_quote!(#[#mark]));
    }
    let padding = padding.to_tokens();
    let export = export_of(task, &exported, broken);
    let (marked, item) = (item, &unmarked(item));
    let is_bundle = program.structs.last().is_some_and(|this| this.is_bundle);
    let defined = claim::structure(&task.id, item, is_bundle);
    let default = is_of_enum.then(|| zero_by_default(&item.ident, broken));
    if broken {
        let errors = report.to_tokens();
        // What makes an enum's struct is not broken.
        let used = is_of_enum.then_some(defined);
        return quote!(#errors #padding #item #used #default #export);
    }
    let proofs = resolved::Imported::of(&task.closure).proof_of(&item.generics, [&item.fields]);
    let proofs = quote!(#proofs #defined);
    if is_bundle {
        let bundle = bundle::expand(item, &program);
        return quote!(#bundle #proofs #export);
    }
    let arranged = (program.structs.last())
        .filter(|_| is_of_enum)
        .map(|this| arranged(item, &this.fields));
    let item = arranged.as_ref().unwrap_or(item);
    let this = program.template(program.structs.len() - 1);
    let has_range = program.holds_range(&this);
    let copy = missing_derives(&marked.attrs, copied(has_range));
    let derives = derive::proof(&item.attrs);
    let layout = (!has_layout(&item.attrs)).then(|| quote!(#[repr(C)]));
    let is_pod = program.is_any_bytes(&this);
    let pod = is_pod.then(|| quote!(::amp::__private::bytemuck::Pod,));
    let zeroable = program
        .without_zero(&this)
        .is_none()
        .then(|| quote!(::amp::__private::bytemuck::Zeroable,));
    let crate_path = (is_pod || zeroable.is_some())
        .then(|| quote!(#[bytemuck(crate = "::amp::__private::bytemuck")]));
    let value = match is_pod {
        _ if has_range || program.holds_kept_slice(&this) => TokenStream::new(),
        true => element(item, program.smallest_scalar(&this)),
        false => encoded_by_field(item),
    };
    let own = (&item.ident, &item.generics);
    let fallback = fallback::implementation(&program, own, &quote!(Self), &item.fields);
    quote! {
        #padding
        #[derive(#(#copy,)* #pod #zeroable)]
        #crate_path
        #layout
        #item
        #fallback
        #derives
        #proofs
        #value
        #default
        #export
    }
}

/// An enum's struct with its fields in the order that inference has found, and with what fills it.
fn arranged(item: &ItemStruct, order: &[(String, Ty)]) -> ItemStruct {
    let mut item = item.clone();
    if let Fields::Named(FieldsNamed { named, .. }) = &mut item.fields {
        let written = std::mem::take(named);
        for (name, ty) in order {
            let mut own = written.iter();
            let own = own.find(|field| field.ident.as_ref().is_some_and(|own| own == name));
            if let Some(own) = own {
                named.push(own.clone());
            } else if let Ty::Array(number, Len::Literal(count)) = ty
                && let Ty::Scalar(number) = **number
            {
                let (number, count) = (types::scalar(number), *count as usize);
                let name = format_ident!("{name}");
                named.push(parse_quote!(#name: [#number; #count]));
            }
        }
    }
    item
}

/// The default of an enum's struct; of one that cannot be compiled, none.
fn zero_by_default(name: &Ident, broken: bool) -> TokenStream {
    let zero = match broken {
        true => quote!(::core::unreachable!()),
        false => quote!(::amp::__private::bytemuck::Zeroable::zeroed()),
    };
    quote! {
        impl ::core::default::Default for #name {
            fn default() -> Self {
                #zero
            }
        }
    }
}

/// What values derive: Rust does not copy ranges, nor what has one in it.
pub(super) fn copied(has_range: bool) -> &'static [&'static str] {
    match has_range {
        true => &["clone::Clone"],
        false => &["clone::Clone", "marker::Copy"],
    }
}

fn element(item: &ItemStruct, word: u32) -> TokenStream {
    let name = &item.ident;
    let align = alignment(item);
    let word = word as usize;
    let fields = item.fields.iter().map(|field| &field.ty);
    quote! {
        impl ::amp::Element for #name {
            const WORD: ::core::primitive::usize = #word;
            const WANTED_ALIGN: ::core::primitive::usize =
                <Self as ::amp::__private::DeviceValue>::WANTED_ALIGN;
        }
        impl ::amp::__private::DeviceValue for #name {
            const ALIGN: ::core::primitive::usize = #align;
            const WANTED_ALIGN: ::core::primitive::usize = ::amp::__private::greatest(&[
                #(<#fields as ::amp::__private::DeviceValue>::WANTED_ALIGN),*
            ]);

            fn encode(&self, out: &mut ::amp::__private::Encoder) {
                out.bytes(::amp::__private::bytemuck::bytes_of(self));
            }
        }
    }
}

/// Alignment on a device, where glam's vectors have that of their components.
fn alignment(item: &ItemStruct) -> TokenStream {
    let fields = item.fields.iter().map(|field| &field.ty);
    quote! {
        ::amp::__private::greatest(&[
            #(<#fields as ::amp::__private::DeviceValue>::ALIGN),*
        ])
    }
}

/// The struct has an enum in it, so that not all bytes are a value, or has padding, or parameters, so that
/// it may have some: it is passed to kernels, but arrays do not hold it.
fn encoded_by_field(item: &ItemStruct) -> TokenStream {
    let types: Vec<&Type> = item.fields.iter().map(|field| &field.ty).collect();
    let fields = item.fields.members();
    let encode = quote!(#(out.part(&self.#fields);)*);
    in_parts(&item.ident, &item.generics, &types, &encode)
}

/// A type that is passed to kernels as what its parts are, one behind the other; `encode` appends
/// them.
pub(super) fn in_parts(
    name: &Ident,
    generics: &Generics,
    parts: &[&Type],
    encode: &TokenStream,
) -> TokenStream {
    let greatest = ["ALIGN", "WIDE_ALIGN", "WANTED_ALIGN"].map(|constant| {
        let constant = format_ident!("{constant}");
        quote! {
            const #constant: ::core::primitive::usize = ::amp::__private::greatest(&[
                #(<#parts as ::amp::__private::DeviceValue>::#constant),*
            ]);
        }
    });
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        let bound = parse_quote!(::amp::__private::DeviceValue);
        parameter.bounds.push(bound);
    }
    let (parameters, arguments, clause) = generics.split_for_impl();
    quote! {
        impl #parameters ::amp::__private::DeviceValue for #name #arguments #clause {
            #(#greatest)*

            fn encode(&self, out: &mut ::amp::__private::Encoder) {
                #encode
                out.end::<Self>();
            }

            fn skip(out: &mut ::amp::__private::Encoder) {
                #(out.no_part::<#parts>();)*
                out.end::<Self>();
            }
        }
    }
}

/// What stands for a struct that cannot be compiled.
pub fn stub(task: &Task, item: &ItemStruct) -> TokenStream {
    let export = export_of(task, item, true);
    let item = unmarked(item);
    quote!(#item #export)
}

/// The struct without what its attributes tell kernels.
fn unmarked(item: &ItemStruct) -> ItemStruct {
    let mut item = item.clone();
    unmark(&mut item.attrs);
    item
}

/// Takes the attributes away that only this compiler knows.
pub(super) fn unmark(attributes: &mut Vec<Attribute>) {
    attributes.retain(|attribute| !is_one(attribute, &[ELEMENT, IMPLEMENTED, OWN_REFERENCES]));
}

fn export_of(task: &Task, item: &ItemStruct, broken: bool) -> TokenStream {
    let own = task.entry(EntryKind::Struct, broken, bare_struct(item));
    export(&item.ident, &item.vis, own, &task.closure)
}

/// Those of these traits of `core` that the user neither derives nor implements.
pub(super) fn missing_derives(attributes: &[Attribute], wanted: &[&str]) -> Vec<TokenStream> {
    let mut derived = infer::derives(attributes);
    let implemented = attributes.iter().filter(|it| is_one(it, &[IMPLEMENTED]));
    let implemented = implemented.filter_map(|it| it.parse_args::<Ident>().ok());
    derived.extend(implemented.map(|name| name.to_string()));
    let missing = wanted.iter().filter_map(|path| {
        let (module, name) = path.split_once("::")?;
        let (module, of_trait) = (format_ident!("{module}"), format_ident!("{name}"));
        let is_missing = !derived.iter().any(|known| known == name);
        is_missing.then(|| quote!(::core::#module::#of_trait))
    });
    missing.collect()
}

pub(super) fn has_layout(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("repr"))
}
