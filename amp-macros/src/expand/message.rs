//! Messages on the host: a function for each that turns what a device stored into text.

use amp_spirv::tree::{IndexWidth, Len, Module, Scalar, Type};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

/// The statements that hand the functions to the binding; nothing if there are none.
pub fn writers(module: &Module) -> TokenStream {
    let messages = module.messages();
    if messages.is_empty() {
        return TokenStream::new();
    }
    let writers = messages.iter().map(|message| {
        let mut at = 0;
        let operands: Vec<TokenStream> = message
            .operands
            .iter()
            .map(|operand| value(module, &operand.ty, &mut at))
            .collect();
        let text = &message.format;
        quote!(|__amp_words| ::std::format!(#text #(, #operands)*))
    });
    quote! {
        #[allow(clippy::all)]
        const __AMP_MESSAGES: &[::amp::__private::Writer] = &[#(#writers),*];
        __amp_binding.messages(__AMP_MESSAGES);
    }
}

/// What the function `name` makes of the words of a scalar.
fn scalar(name: &str, scalar: Scalar, at: &mut usize) -> TokenStream {
    let name = Ident::new(name, Span::call_site());
    let word = Literal::usize_unsuffixed(*at);
    *at += scalar.words() as usize;
    quote!(::amp::__private::operand::#name(__amp_words, #word))
}

/// A value from the words that start at `at`.
fn value(module: &Module, ty: &Type, at: &mut usize) -> TokenStream {
    match ty {
        Type::Scalar(of) => scalar(of.name(), *of, at),
        Type::Index(rank) | Type::Extent(rank) => {
            let component = match module.index {
                IndexWidth::Bits32 => "usize",
                IndexWidth::Bits64 => "wide_usize",
            };
            let components = (0..*rank).map(|_| scalar(component, module.index.scalar(), at));
            let name = match ty {
                Type::Index(_) => quote!(::amp::Index),
                _ => quote!(::amp::Extent),
            };
            quote!(#name::new([#(#components),*]))
        }
        Type::Tuple(parts) => {
            let parts = parts.iter().map(|part| value(module, part, at));
            quote!((#(#parts,)*))
        }
        Type::Array(element, Len::Literal(len)) => {
            let elements = (0..*len).map(|_| value(module, element, at));
            quote!([#(#elements),*])
        }
        // The tree's rules: nothing else is an operand of a message.
        _ => quote!(()),
    }
}
