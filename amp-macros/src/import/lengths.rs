//! Lengths of arrays in the fields of structs and enums and in the parameters of kernels: named
//! ones become the numbers that the file tells, as a layout is fixed before rustc knows them.

use proc_macro2::{Literal, TokenStream};
use quote::quote_spanned;
use syn::{Expr, FnArg, Generics, Ident, Item, TypeArray, parse_quote_spanned, spanned::Spanned};

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
            Item::Fn(function) if kind == TaskKind::Kernel => {
                for input in &mut function.sig.inputs {
                    if let FnArg::Typed(typed) = input {
                        self.visit_type_mut(&mut typed.ty);
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
