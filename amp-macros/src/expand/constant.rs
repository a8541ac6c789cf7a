//! Constants on the host: rustc computes them, the binding hands them over.
//!
//! A constant is written in some function and means something only there. A kernel's
//! own are evaluated in its binding. Those of a helper are associated constants of a
//! type that `#[amp_fn]` puts beside the function, under the function's name (types
//! and functions live in different namespaces), so that code that can name the helper
//! can name them; a helper repeats those of the helpers that it calls.

use std::collections::HashSet;

use amp_spirv::tree::{IndexWidth, Scalar};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{GenericParam, ItemFn, Path, Visibility};

use crate::{
    import::{CARRIER, Closure, EntryKind, is_block},
    infer::{FunctionDef, Len, Program, Ty},
};

/// A constant of a function, for the callers of the function.
pub struct Constant {
    /// Unique across crates.
    pub name: Ident,
    /// Its bits.
    pub value: TokenStream,
    /// The id of the item that has it, if it is not written in the function itself but in
    /// one that this calls.
    pub from: Option<String>,
}

/// The constants of the program's own function and of those that it calls.
pub fn all(program: &Program, closure: &Closure) -> Vec<Constant> {
    let own = program.functions.len() - 1;
    // Instances of one helper have the same constants.
    let mut seen = HashSet::new();
    let mut supplied = HashSet::new();
    let outlined = program.functions.iter().enumerate();
    let outlined = outlined.flat_map(|(function, definition)| {
        let names = definition.outlined.iter().flatten();
        names.map(move |name| (function, name))
    });
    let outlined = outlined
        .filter(|(_, name)| supplied.insert((*name).clone()))
        .map(|(function, name)| {
            let (value, from) = foreign(program, closure, function, name);
            let name = name.clone();
            Constant { name, value, from }
        });
    let mut constants: Vec<Constant> = outlined.collect();
    let typed = (0..program.functions.len())
        .filter(|function| program.functions[*function].outlined.is_none())
        .filter(|function| {
            let id = &program.functions[*function].id;
            id.is_empty() || seen.insert(id.clone())
        })
        .flat_map(|function| {
            let is_own = function == own;
            let id = &program.functions[function].id;
            constants_of(program, function)
                .enumerate()
                .map(move |(k, index)| {
                    let name = associated(id, k);
                    if is_own {
                        let value = value(program, closure, index);
                        return Constant {
                            name,
                            value,
                            from: None,
                        };
                    }
                    let (value, from) = foreign(program, closure, function, &name);
                    Constant { name, value, from }
                })
        })
        .filter(|constant| !supplied.contains(&constant.name));
    constants.extend(typed);
    constants
}

/// The names of constants.
pub fn names(constants: &[Constant]) -> Vec<Ident> {
    constants.iter().map(|it| it.name.clone()).collect()
}

/// The type beside a helper that carries its constants; nothing if there are none.
pub fn carrier(name: &Ident, visibility: &Visibility, constants: &[Constant]) -> TokenStream {
    if constants.is_empty() {
        return TokenStream::new();
    }
    let carrier = carrier_type(name, visibility);
    let items = constants.iter().map(|Constant { name, value, .. }| {
        quote!(#[doc(hidden)] pub const #name: ::core::primitive::u64 = #value;)
    });
    quote! {
        #carrier
        #[allow(non_upper_case_globals, dead_code)]
        impl #name { #(#items)* }
    }
}

/// A type that is there for its constants.
pub fn carrier_type(name: &Ident, visibility: &Visibility) -> TokenStream {
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #visibility enum #name {}
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
        let name = associated(&program.functions[constant.owner].id, k);
        return foreign(program, closure, constant.owner, &name).0;
    }
    let encode = match program.scalar(&constant.ty) {
        Some(kind) => Ident::new(kind.name(), Span::call_site()),
        None => format_ident!("usize"),
    };
    let mut expr = constant.expr.clone();
    if let Ty::Enum(_) = constant.ty {
        expr = quote!(((#expr) as ::core::primitive::#encode));
    }
    let value = quote!(::amp::__private::spec::#encode(#expr));
    let blocks = constant
        .within
        .iter()
        .flat_map(|block| block.declarations());
    blocks.fold(value, |value, declarations| {
        quote!({ #(#[allow(dead_code, non_upper_case_globals)] #declarations)* #value })
    })
}

/// The bits of a constant, if they are as many as it has on a device: fewer than on the host
/// for a `usize` where indices have 32 bits, and for the length of an array.
pub fn fitted(program: &Program, index: usize, is_length: bool, value: TokenStream) -> TokenStream {
    let check = match (program.index, program.scalar(&program.consts[index].ty)) {
        (_, Some(Scalar::Usize) | None) if is_length => "fits_length",
        (IndexWidth::Bits32, Some(Scalar::Usize)) => "fits_usize",
        (IndexWidth::Bits32, Some(Scalar::Isize)) => "fits_isize",
        _ => return value,
    };
    // What does not fit is shown where the constant is written.
    let span = program.consts[index].span.resolved_at(Span::call_site());
    let check = Ident::new(check, span);
    quote_spanned!(span=> ::amp::__private::spec::#check(#value))
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
        Ty::Struct(index, applied) => {
            let fields = program.fields(*index, applied);
            let fields = fields
                .iter()
                .map(|(_, field)| device_bytes(program, closure, field));
            quote!((0 #(+ #fields)*))
        }
        Ty::Matrix(columns) => {
            let bytes = Literal::u64_unsuffixed(4 * u64::from(columns * columns));
            quote!(#bytes)
        }
        Ty::Vector(scalar, rank) => registers(*scalar, *rank),
        Ty::Index(rank) | Ty::Extent(rank) => registers(program.index.scalar(), *rank),
        Ty::Scalar(scalar) => registers(program.index.settled(*scalar), 1),
        _ => quote!(4),
    }
}

/// The bytes of some scalars as registers hold them: see `emit/scalar.rs`.
fn registers(scalar: Scalar, count: u32) -> TokenStream {
    let bytes = u64::from(scalar.bits().max(32) / 8) * u64::from(count);
    Literal::u64_unsuffixed(bytes).to_token_stream()
}

/// The constants of a function whose types are known, in order. What a const parameter
/// stands for is not one of them: the caller knows it.
fn constants_of(program: &Program, function: usize) -> impl Iterator<Item = usize> + '_ {
    let parameters = program.functions.get(function);
    let parameters = parameters.map_or(&[] as &[usize], |of| &of.parameters.consts);
    program
        .consts
        .iter()
        .enumerate()
        .filter(move |(index, constant)| {
            constant.owner == function
                && program.scalar(&constant.ty).is_some()
                && !parameters.contains(index)
        })
        .map(|(index, _)| index)
}

fn associated(id: &str, k: usize) -> Ident {
    format_ident!("__AMP_{id}_{k}")
}

/// A constant that a helper has, through the path by which the item names it, or names a helper
/// that calls it, and the id of what the path leads to.
fn foreign(
    program: &Program,
    closure: &Closure,
    function: usize,
    constant: &Ident,
) -> (TokenStream, Option<String>) {
    let FunctionDef {
        id, entry: home, ..
    } = &program.functions[function];
    let entries = closure.by_id();
    let reaches = |start: &str| {
        let mut seen = HashSet::new();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if at == home {
                return true;
            }
            if let Some(entry) = entries.get(at)
                && seen.insert(at)
            {
                open.extend(entry.open().names.iter().map(|(_, id)| id.as_str()));
            }
        }
        false
    };
    // A trait has no constants of its own.
    let carries = |start: &str| {
        entries
            .get(start)
            .is_some_and(|entry| entry.open().kind != EntryKind::Trait)
    };
    let path = closure
        .names
        .iter()
        .find(|(_, start)| carries(start) && reaches(start))
        .and_then(|(path, start)| {
            let path = match is_block(path) {
                true => CARRIER,
                false => path,
            };
            Some((syn::parse_str::<Path>(path).ok()?, start.clone()))
        });
    match path {
        Some((path, start)) => (quote!(#path::#constant), Some(start)),
        None => {
            let what = format!("no path leads to the helper `{id}`");
            (quote!(::core::compile_error!(#what)), None)
        }
    }
}

/// `::<N, M>` of a kernel with const parameters.
pub(super) fn const_arguments(item: &ItemFn) -> TokenStream {
    let names: Vec<_> = item
        .sig
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Const(constant) => Some(&constant.ident),
            _ => None,
        })
        .collect();
    if names.is_empty() {
        TokenStream::new()
    } else {
        quote!(::<#(#names),*>)
    }
}
