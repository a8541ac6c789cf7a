//! Lengths of arrays in the fields of structs and enums, in the parameters of kernels and in the
//! elements of views: named ones become the numbers that the file tells, as a layout is fixed before
//! rustc knows them.

use proc_macro2::{Literal, TokenStream};
use quote::quote_spanned;
use syn::{
    Expr, FnArg, GenericArgument, Generics, Ident, Item, PathArguments, Type, TypeArray,
    parse_quote_spanned, spanned::Spanned,
};

use super::{member::ident_of, module::File};
use crate::{
    attribute::TaskKind,
    visit::{self, VisitMut},
};

/// Writes the numbers for the lengths in an item, and gives what has rustc prove them, beside it.
pub fn settle(item: &mut Item, kind: TaskKind) -> TokenStream {
    let anchor = ident_of(item).cloned();
    let mut lengths = Lengths {
        found: Vec::new(),
        numbers: None,
    };
    lengths.visit(item, kind);
    if lengths.found.is_empty() {
        return TokenStream::new();
    }
    let generics = match item {
        Item::Fn(function) => &function.sig.generics,
        Item::Struct(item) => &item.generics,
        Item::Enum(item) => &item.generics,
        _ => return TokenStream::new(),
    };
    lengths.numbers = anchor.and_then(|anchor| numbers(&lengths.found, generics, &anchor, kind));
    let Some(numbers) = &lengths.numbers else {
        return TokenStream::new();
    };
    let proofs = lengths.found.iter().zip(numbers).map(|(length, number)| {
        let number = Literal::u64_unsuffixed(*number);
        quote_spanned!(length.span()=> const _: () = ::core::assert!(#length == #number);)
    });
    let proofs = proofs.collect();
    lengths.visit(item, kind);
    proofs
}

/// The numbers that these lengths are, if the file tells all of them.
fn numbers(
    lengths: &[Expr],
    generics: &Generics,
    anchor: &Ident,
    kind: TaskKind,
) -> Option<Vec<u64>> {
    let file = File::of(anchor.span())?;
    let home = file.home(&anchor.to_string(), kind)?;
    if generics.const_params().next().is_some() {
        return None;
    }
    lengths
        .iter()
        .map(|length| file.number(home, length))
        .collect()
}

/// Finds the lengths that are no literals, and puts numbers in their place once these are known.
struct Lengths {
    found: Vec<Expr>,
    numbers: Option<Vec<u64>>,
}

impl Lengths {
    fn visit(&mut self, item: &mut Item, kind: TaskKind) {
        self.found.clear();
        match item {
            Item::Fn(function) => {
                for input in &mut function.sig.inputs {
                    let FnArg::Typed(typed) = input else {
                        continue;
                    };
                    let laid_out = match kind {
                        TaskKind::Kernel => Some(&mut *typed.ty),
                        _ => element_of_view(&mut typed.ty),
                    };
                    if let Some(ty) = laid_out {
                        self.visit_type_mut(ty);
                    }
                }
            }
            Item::Struct(item) => self.visit_fields_mut(&mut item.fields),
            Item::Enum(item) => {
                for case in &mut item.variants {
                    self.visit_fields_mut(&mut case.fields);
                }
            }
            _ => {}
        }
    }
}

/// The type of the elements in the type of a reference to a view.
fn element_of_view(ty: &mut Type) -> Option<&mut Type> {
    let Type::Reference(reference) = ty else {
        return None;
    };
    let Type::Path(view) = &mut *reference.elem else {
        return None;
    };
    let name = view.path.segments.last_mut()?;
    let PathArguments::AngleBracketed(arguments) = &mut name.arguments else {
        return None;
    };
    let is_view = name.ident == "ArrayView" || name.ident == "ArrayViewMut";
    arguments
        .args
        .iter_mut()
        .find_map(|argument| match argument {
            GenericArgument::Type(element) if is_view => Some(element),
            _ => None,
        })
}

impl VisitMut for Lengths {
    fn visit_type_array_mut(&mut self, array: &mut TypeArray) {
        visit::visit_type_array_mut(self, array);
        if matches!(array.len, Expr::Lit(_)) {
            return;
        }
        self.found.push(array.len.clone());
        if let Some(number) = self
            .numbers
            .as_ref()
            .and_then(|it| it.get(self.found.len() - 1))
        {
            let number = Literal::u64_unsuffixed(*number);
            array.len = parse_quote_spanned!(array.len.span()=> #number);
        }
    }
}
