//! What the traits of comparisons supply: of `impl PartialOrd`, the operators by `partial_cmp`; of
//! `impl Ord`, `max`, `min` and `clamp`.
//!
//! They do what the standard library's do, and stand in the block itself, so that rustc and a kernel
//! have the same functions.

use quote::quote_spanned;
use syn::{FnArg, ImplItem, ItemImpl, ItemTrait, Type, parse_quote_spanned};

/// The trait of this name with the functions that it supplies to a block.
pub fn supplier(of_trait: &str, block: &ItemImpl) -> Option<ItemTrait> {
    let required = match of_trait {
        "PartialOrd" => "partial_cmp",
        "Ord" => "cmp",
        _ => return None,
    };
    let compare = block.items.iter().find_map(|part| match part {
        ImplItem::Fn(function) if function.sig.ident == required => Some(&function.sig),
        _ => None,
    })?;
    let span = compare.ident.span();
    Some(match of_trait {
        "PartialOrd" => {
            let other: &Type = match compare.inputs.last()? {
                FnArg::Typed(other) => &other.ty,
                FnArg::Receiver(_) => return None,
            };
            let [less, equal, greater] = ["Less", "Equal", "Greater"].map(|case| {
                let case = syn::Ident::new(case, span);
                quote_spanned!(span=> ::core::option::Option::Some(::core::cmp::Ordering::#case))
            });
            parse_quote_spanned! {span=>
                trait PartialOrd {
                    fn partial_cmp(&self, other: #other)
                        -> ::core::option::Option<::core::cmp::Ordering>;

                    fn lt(&self, other: #other) -> bool {
                        match self.partial_cmp(other) { #less => true, _ => false }
                    }

                    fn le(&self, other: #other) -> bool {
                        match self.partial_cmp(other) { #less | #equal => true, _ => false }
                    }

                    fn gt(&self, other: #other) -> bool {
                        match self.partial_cmp(other) { #greater => true, _ => false }
                    }

                    fn ge(&self, other: #other) -> bool {
                        match self.partial_cmp(other) { #greater | #equal => true, _ => false }
                    }
                }
            }
        }
        _ => parse_quote_spanned! {span=>
            trait Ord {
                fn cmp(&self, other: &Self) -> ::core::cmp::Ordering;

                fn max(self, other: Self) -> Self {
                    if other < self { self } else { other }
                }

                fn min(self, other: Self) -> Self {
                    if other < self { other } else { self }
                }

                fn clamp(self, min: Self, max: Self) -> Self {
                    assert!(min <= max);
                    if self < min {
                        min
                    } else if self > max {
                        max
                    } else {
                        self
                    }
                }
            }
        },
    })
}
