//! `#[amp_enum]`: the enum with a fixed representation, its use as an argument, and its
//! export.

use amp_spirv::tree::Scalar;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{ItemEnum, Type, parse_quote};

use super::{
    claim, derive, fallback, resolved,
    structure::{copied, has_layout, in_parts, missing_derives, unmark},
};
use crate::{
    import::{EntryKind, Task, bare_enum, export},
    infer::{self, EnumDef, Program},
    report::Report,
};

/// The expansion of an enum all of whose fields' types have arrived.
pub fn expand(task: &Task, item: &ItemEnum) -> TokenStream {
    let mut report = Report::default();
    let program = infer::build(task, &mut report);
    infer::exported_type(&item.ident, &mut report);
    let broken = program.broken || !report.is_clean();
    let export = export_of(task, item, broken);
    if broken {
        let errors = report.to_tokens();
        let item = unmarked(item);
        return quote!(#errors #item #export);
    }
    let derives = derive::proof(&item.attrs);
    let defined = claim::enumeration(&task.id, item);
    let cases = item.variants.iter().map(|case| &case.fields);
    let proofs = resolved::Imported::of(&task.closure).proof_of(&item.generics, cases);
    let own = match infer::has_fields(item) {
        true => with_fields(item, &program),
        false => number(item, &program),
    };
    quote!(#own #derives #defined #proofs #export)
}

/// An enum without fields, which is its number.
fn number(item: &ItemEnum, program: &Program) -> TokenStream {
    let added = ["clone::Clone", "marker::Copy", "cmp::PartialEq", "cmp::Eq"];
    let added = missing_derives(&item.attrs, &added);
    let zeroable = program
        .enums
        .last()
        .is_some_and(EnumDef::has_zero)
        .then(|| quote!(::amp::__private::bytemuck::Zeroable,));
    let item = &unmarked(item);
    let layout = (!has_layout(&item.attrs)).then(|| quote!(#[repr(i32)]));
    let name = &item.ident;
    // A device has it in 32 bits.
    let number = match program.enums.last().map(|this| this.repr) {
        Some(Scalar::U32) => quote!(::core::primitive::u32),
        _ => quote!(::core::primitive::i32),
    };
    quote! {
        #[derive(#(#added,)* #zeroable ::amp::__private::bytemuck::NoUninit)]
        #[bytemuck(crate = "::amp::__private::bytemuck")]
        #layout
        #item
        impl ::amp::__private::DeviceValue for #name {
            const ALIGN: ::core::primitive::usize = ::core::mem::align_of::<#number>();

            fn encode(&self, out: &mut ::amp::__private::Encoder) {
                out.part(&(*self as #number));
            }
        }
    }
}

/// An enum with fields. An argument has them all side by side, behind the number of its case.
fn with_fields(item: &ItemEnum, program: &Program) -> TokenStream {
    let this = program.structs.len().checked_sub(1);
    let this = this.map(|index| program.template(index));
    let has_zero = (this.as_ref()).is_some_and(|this| program.without_zero(this).is_none());
    let has_slices = (this.as_ref()).is_some_and(|this| program.holds_kept_slice(this));
    let has_range = this.is_some_and(|this| program.holds_range(&this));
    let copy = missing_derives(&item.attrs, copied(has_range));
    let item = &unmarked(item);
    // The bytes of zeroes are the first case, with zeroes in its fields.
    let zeroable = has_zero.then(|| {
        quote! {
            #[derive(::amp::__private::bytemuck::Zeroable)]
            #[bytemuck(crate = "::amp::__private::bytemuck")]
        }
    });
    let number: Type = parse_quote!(::core::primitive::u32);
    let fields = item.variants.iter().flat_map(|case| &case.fields);
    let mut parts: Vec<&Type> = fields.map(|field| &field.ty).collect();
    parts.insert(0, &number);
    let arms = item.variants.iter().enumerate().map(|(tag, case)| {
        let (name, members) = (&case.ident, case.fields.members());
        let bound: Vec<_> = (0..case.fields.len())
            .map(|k| format_ident!("field_{k}"))
            .collect();
        let tag = Literal::u32_suffixed(tag as u32);
        let fields = item.variants.iter().flat_map(|other| {
            let ours = other.ident == case.ident;
            let bound = bound.iter().cloned().map(Some).filter(move |_| ours);
            let values = bound.chain(std::iter::repeat(None));
            other.fields.iter().zip(values)
        });
        let fields = fields.map(|(field, value)| {
            let ty = &field.ty;
            match value {
                Some(value) => quote!(out.part(#value);),
                None => quote!(out.no_part::<#ty>();),
            }
        });
        quote! {
            Self::#name { #(#members: #bound),* } => {
                out.part(&#tag);
                #(#fields)*
            }
        }
    });
    let encode = quote!(match self { #(#arms)* });
    let value =
        (!has_range && !has_slices).then(|| in_parts(&item.ident, &item.generics, &parts, &encode));
    let fallback = item.variants.first().and_then(|case| {
        let (own, name) = ((&item.ident, &item.generics), &case.ident);
        fallback::implementation(program, own, &quote!(Self::#name), &case.fields)
    });
    quote! {
        #[derive(#(#copy,)*)]
        #zeroable
        #[repr(u32)]
        #item
        #fallback
        #value
    }
}

/// What stands for an enum that cannot be compiled.
pub fn stub(task: &Task, item: &ItemEnum) -> TokenStream {
    let export = export_of(task, item, true);
    let item = unmarked(item);
    quote!(#item #export)
}

/// The enum without what its attributes tell kernels.
fn unmarked(item: &ItemEnum) -> ItemEnum {
    let mut item = item.clone();
    unmark(&mut item.attrs);
    item
}

fn export_of(task: &Task, item: &ItemEnum, broken: bool) -> TokenStream {
    let own = task.entry(EntryKind::Enum, broken, bare_enum(item));
    export(&item.ident, &item.vis, own, &task.closure)
}
