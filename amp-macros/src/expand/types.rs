//! Inferred types as Rust writes them.

use amp_spirv::tree::Scalar;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use syn::Path;

use crate::infer::{FunctionDef, Len, Meaning, Program, Ty, vector_name};

/// A scalar by a path that nothing can shadow.
pub fn scalar(scalar: Scalar) -> TokenStream {
    let name = Ident::new(scalar.name(), Span::call_site());
    match scalar.is_half() {
        true => quote!(::amp::__private::half::#name),
        false => quote!(::core::primitive::#name),
    }
}

/// A vector or matrix by a path that nothing can shadow.
pub fn glam(ty: &Ty) -> Option<TokenStream> {
    let name = Ident::new(&vector_name(ty)?, Span::call_site());
    Some(quote!(::amp::__private::glam::#name))
}

/// The type as it can be written inside `function`, or `None` if it has a part that
/// the function has no name for.
pub fn written(program: &Program, function: &FunctionDef, ty: &Ty) -> Option<TokenStream> {
    Some(match ty {
        Ty::Unit => quote!(()),
        Ty::Scalar(kind) => scalar(*kind),
        Ty::Tuple(parts) => {
            let parts = parts
                .iter()
                .map(|part| written(program, function, part))
                .collect::<Option<Vec<_>>>()?;
            quote!((#(#parts,)*))
        }
        Ty::Array(element, len) => {
            let element = written(program, function, element)?;
            let length = length(program, function, *len)?;
            quote!([#element; #length])
        }
        Ty::Vector(..) | Ty::Matrix(_) => glam(ty)?,
        Ty::Struct(index, applied) => {
            let path = function.names.path_of(Meaning::Struct(*index))?;
            let path: Path = syn::parse_str(path).ok()?;
            if applied.is_empty() {
                return Some(quote!(#path));
            }
            let mut types = applied.types.iter();
            let mut lengths = applied.lengths.iter();
            let arguments =
                program.structs[*index]
                    .parameters
                    .in_order(|is_const| match is_const {
                        true => length(program, function, *lengths.next()?),
                        false => written(program, function, types.next()?),
                    })?;
            quote!(#path<#(#arguments),*>)
        }
        Ty::Enum(index) => {
            let path = function.names.path_of(Meaning::Enum(*index))?;
            let path: Path = syn::parse_str(path).ok()?;
            quote!(#path)
        }
        Ty::Param(index) => {
            let name = &program.type_params[*index].ident;
            quote!(#name)
        }
        Ty::Index(rank) => {
            let rank = Literal::u32_unsuffixed(*rank);
            quote!(::amp::Index<#rank>)
        }
        Ty::Extent(rank) => {
            let rank = Literal::u32_unsuffixed(*rank);
            quote!(::amp::Extent<#rank>)
        }
        Ty::View(view) => {
            let name = if view.mutable {
                "ArrayViewMut"
            } else {
                "ArrayView"
            };
            let name = Ident::new(name, Span::call_site());
            let element = written(program, function, &view.element)?;
            let rank = Literal::u32_unsuffixed(view.rank);
            quote!(::amp::__private::cpu::#name<'_, #element, #rank>)
        }
        Ty::Tiled(_)
        | Ty::Bundle(_)
        | Ty::Never
        | Ty::Error
        | Ty::Var(_)
        | Ty::Barrier
        | Ty::Closure(_)
        | Ty::Reference { .. } => {
            return None;
        }
    })
}

/// A length as it can be written inside `function`.
fn length(program: &Program, function: &FunctionDef, len: Len) -> Option<TokenStream> {
    Some(match program.canonical_if_open(len) {
        Len::Literal(number) => {
            let number = Literal::u32_unsuffixed(number);
            quote!(#number)
        }
        Len::Const(index) => {
            let constant = &program.consts[index];
            // A length written in another function may mean nothing here.
            let owner = program.functions.get(constant.owner)?;
            if !std::ptr::eq(owner, function) {
                return None;
            }
            let expr = &constant.expr;
            quote!({ #expr })
        }
    })
}
