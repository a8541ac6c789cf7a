//! What rustc alone can check or count of a kernel, as its constants are known to it: the tile,
//! tile memory, and the memory of a thread.

use amp_spirv::{
    diagnostic::Code,
    memory::{Bytes, Memory},
};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{FnArg, ItemFn, spanned::Spanned};

use super::{constant, constant::const_arguments};
use crate::{
    import::Task,
    infer::{Len, Program, Ty},
};

/// The statements of the binding that do so. `consts` are the module's constants, by their places
/// in the program.
pub(super) fn statements(
    program: &Program,
    task: &Task,
    memory: &Memory,
    consts: &[usize],
) -> TokenStream {
    let Some(kernel) = program.functions.last() else {
        return TokenStream::new();
    };
    let mut statements = TokenStream::new();
    if let Some(Ty::Tiled(dims)) = kernel.params.first().map(|param| &param.ty) {
        statements.extend(tile(program, task, &kernel.item, dims));
    }
    let tile_statics: Vec<TokenStream> = program
        .functions
        .iter()
        .flat_map(|function| &function.typed.tile_statics)
        .map(|variable| constant::device_bytes(program, &task.closure, &variable.ty))
        .collect();
    if !tile_statics.is_empty() {
        statements
            .extend(quote!(__amp_binding.tile_static_bytes(const { 0_u64 #(+ #tile_statics)* });));
    }
    let bytes = |bytes: &Bytes| {
        let known = bytes.known;
        let products = bytes.products.iter().map(|(constants, factor)| {
            let lengths = constants
                .iter()
                .map(|id| constant::value(program, &task.closure, consts[id.0 as usize]));
            quote!(&[#factor, #(#lengths),*])
        });
        quote!(::amp::__private::spec::bytes(#known, &[#(#products),*]))
    };
    if !memory.arrays.products.is_empty() {
        let span = kernel.item.sig.ident.span();
        let (name, arrays) = (kernel.item.sig.ident.to_string(), bytes(&memory.arrays));
        let check = quote_spanned!(span=> ::amp::__private::spec::fits_thread(#name, #arrays));
        statements.extend(constant_check(&kernel.item, &check));
    }
    if memory.arrays != Bytes::default() {
        let arrays = bytes(&memory.arrays);
        statements.extend(quote!(__amp_binding.array_bytes(const { #arrays });));
    }
    let stack = bytes(&memory.stack);
    statements.extend(quote!(__amp_binding.stack_bytes(const { #stack });));
    statements
}

/// A check of a tile whose extents only rustc knows.
fn tile(program: &Program, task: &Task, item: &ItemFn, dims: &[Len]) -> Option<TokenStream> {
    let is_constant = |dim: &Len| matches!(program.canonical(*dim), Len::Const(_));
    if !dims.iter().any(is_constant) {
        return None;
    }
    let code = Code::TileTooLarge.to_string();
    let message = format!(
        "[{code}] a tile has 1 to 1024 threads, and at most 64 in the first \
         dimension of three"
    );
    let mut dims: Vec<TokenStream> = dims
        .iter()
        .map(|dim| match program.canonical(*dim) {
            Len::Literal(number) => {
                let number = u64::from(number);
                quote!(#number)
            }
            Len::Const(index) => constant::value(program, &task.closure, index),
        })
        .collect();
    let coarsened = match &program.arguments.coarsening {
        Some((span, factors)) => {
            let check = divided(&dims, *span, factors);
            for (dim, factor) in dims.iter_mut().zip(factors) {
                let factor = u64::from(*factor);
                *dim = quote!((#dim / #factor));
            }
            constant_check(item, &check)
        }
        None => TokenStream::new(),
    };
    let first = (dims.len() == 3)
        .then(|| &dims[0])
        .map(|first| quote!(&& #first <= 64));
    let span = match item.sig.inputs.first() {
        Some(FnArg::Typed(index)) => index.ty.span(),
        _ => item.sig.ident.span(),
    };
    let check = quote_spanned!(span=> {
        let threads = 1_u64 #(* #dims)*;
        ::core::assert!(1 <= threads && threads <= 1024 #first, #message)
    });
    let check = constant_check(item, &check);
    Some(quote!(#coarsened #check))
}

/// A check that a tile can be divided among threads that run several of it each.
fn divided(dims: &[TokenStream], span: Span, factors: &[u32]) -> TokenStream {
    let code = Code::Coarsening.to_string();
    let message = format!(
        "[{code}] every dimension of the tile is a multiple of the threads in it that are merged"
    );
    let factors = factors.iter().map(|it| u64::from(*it));
    quote_spanned!(span=> ::core::assert!(true #(&& #dims % #factors == 0)*, #message))
}

/// A statement that has rustc evaluate a check.
fn constant_check(item: &ItemFn, check: &TokenStream) -> TokenStream {
    let span = check.span();
    // An item is evaluated by `cargo check`, but only a block sees const parameters.
    match const_arguments(item).is_empty() {
        true => quote_spanned!(span=> const _: () = #check;),
        false => quote_spanned!(span=> const { #check };),
    }
}
