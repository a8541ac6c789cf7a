//! Constants on the host: rustc computes them, the binding hands them over.
//!
//! A constant is written in some function and means something only there. A kernel's
//! own are evaluated in its binding. Those of a helper are associated constants of a
//! type that `#[amp_fn]` puts beside the function, under the function's name (types
//! and functions live in different namespaces), so that whoever can name the helper
//! can name them; a helper repeats those of the helpers that it calls.

use std::collections::HashSet;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Path, Visibility};

use crate::{
    import::Closure,
    infer::{Len, Program, Ty},
};

/// The type beside a helper that carries its constants; nothing if there are none.
pub fn carrier(
    program: &Program,
    closure: &Closure,
    name: &Ident,
    visibility: &Visibility,
    id: &str,
) -> TokenStream {
    let own = program.functions.len() - 1;
    let items: Vec<TokenStream> = (0..program.functions.len())
        .flat_map(|function| {
            let id = if function == own {
                id
            } else {
                &program.functions[function].id
            };
            constants_of(program, function)
                .enumerate()
                .map(move |(k, index)| {
                    let constant = associated(id, k);
                    let value = if function == own {
                        value(program, closure, index)
                    } else {
                        foreign(program, closure, function, k)
                    };
                    quote!(pub const #constant: ::core::primitive::u64 = #value;)
                })
        })
        .collect();
    if items.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #visibility enum #name {}
        #[allow(non_upper_case_globals, dead_code)]
        impl #name { #(#[doc(hidden)] #items)* }
    }
}

/// A constant as the bits that a specialization constant takes, in a `u64`.
pub fn value(program: &Program, closure: &Closure, index: usize) -> TokenStream {
    let constant = &program.consts[index];
    let own = program.functions.len() - 1;
    if constant.owner != own {
        let k = constants_of(program, constant.owner)
            .position(|other| other == index)
            .unwrap_or(0);
        return foreign(program, closure, constant.owner, k);
    }
    let encode = match program.scalar(&constant.ty) {
        Some(kind) => Ident::new(kind.name(), Span::call_site()),
        None => format_ident!("usize"),
    };
    let mut expr = constant.expr.clone();
    if let Ty::Enum(_) = constant.ty {
        expr = quote!(((#expr) as ::core::primitive::#encode));
    }
    let items = &program.functions[own].typed.items;
    if items.is_empty() {
        quote!(::amp::__private::spec::#encode(#expr))
    } else {
        quote!({ #(#[allow(dead_code)] #items)* ::amp::__private::spec::#encode(#expr) })
    }
}

/// The bytes that a value of the type takes in tile memory, as an expression.
pub fn device_bytes(program: &Program, closure: &Closure, ty: &Ty) -> TokenStream {
    match ty {
        Ty::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|part| device_bytes(program, closure, part));
            quote!((0 #(+ #parts)*))
        }
        Ty::Array(element, len) => {
            let element = device_bytes(program, closure, element);
            let length = match program.canonical(*len) {
                Len::Literal(number) => {
                    let number = Literal::u64_unsuffixed(number.into());
                    quote!(#number)
                }
                Len::Const(index) => value(program, closure, index),
            };
            quote!((#element * #length))
        }
        Ty::Struct(index) => {
            let fields = program.structs[*index]
                .fields
                .iter()
                .map(|(_, field)| device_bytes(program, closure, field));
            quote!((0 #(+ #fields)*))
        }
        Ty::Matrix(columns) => {
            let bytes = Literal::u64_unsuffixed(4 * u64::from(columns * columns));
            quote!(#bytes)
        }
        Ty::Vector(_, rank) | Ty::Index(rank) | Ty::Extent(rank) => {
            let bytes = Literal::u64_unsuffixed(4 * u64::from(*rank));
            quote!(#bytes)
        }
        Ty::Scalar(scalar) => {
            // As registers are: see `emit/scalar.rs`.
            let bytes = Literal::u64_unsuffixed(u64::from(scalar.bits().max(32) / 8));
            quote!(#bytes)
        }
        _ => quote!(4),
    }
}

/// The constants of a function whose types are known, in order.
fn constants_of(program: &Program, function: usize) -> impl Iterator<Item = usize> + '_ {
    program
        .consts
        .iter()
        .enumerate()
        .filter(move |(_, constant)| {
            constant.owner == function && program.scalar(&constant.ty).is_some()
        })
        .map(|(index, _)| index)
}

fn associated(id: &str, k: usize) -> Ident {
    format_ident!("__AMP_{id}_{k}")
}

/// The `k`th constant of a helper, through the path by which the item names it, or
/// names a helper that calls it.
fn foreign(program: &Program, closure: &Closure, function: usize, k: usize) -> TokenStream {
    let id = &program.functions[function].id;
    let constant = associated(id, k);
    let entries = closure.by_id();
    let reaches = |start: &str| {
        let mut seen = HashSet::new();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if at == id {
                return true;
            }
            if let Some(entry) = entries.get(at)
                && seen.insert(at)
            {
                open.extend(entry.names.iter().map(|(_, id)| id.as_str()));
            }
        }
        false
    };
    let path = closure
        .names
        .iter()
        .find(|(_, start)| reaches(start))
        .and_then(|(path, _)| syn::parse_str::<Path>(path).ok());
    match path {
        Some(path) => quote!(#path::#constant),
        None => {
            let what = format!("no path leads to the helper `{id}`");
            quote!(::core::compile_error!(#what))
        }
    }
}
