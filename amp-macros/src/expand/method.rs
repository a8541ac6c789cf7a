//! Methods: proof that Rust calls the function of an `#[amp_module]` that a kernel calls.
//!
//! Kernels see the functions of modules alone. Rust also sees those of `impl` blocks elsewhere,
//! looks at which traits are in scope, and prefers a function that takes the value to one that
//! takes a reference. So a twin proves of each method that it calls that the name means the
//! module's function there, and that Rust finds no other one first:
//!
//! ```text
//! let _ = || {
//!     holds(|| <Id<17> as Defined<_>>::Item::same(<Rect>::area));
//!     {
//!         trait TheMethodOfTheKernel: Sized { fn area(self) -> MethodOfAKernel { loop {} } }
//!         impl<T> TheMethodOfTheKernel for T {}
//!         // Ambiguous if another function takes the value.
//!         let _ = |value: Rect| -> MethodOfAKernel { value.area() };
//!     }
//! };
//! ```
//!
//! Where a parameter of the function has nothing to do with the receiver, nothing is proven: a
//! mention of the function does not tell what it stands for.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::{ExprMethodCall, Generics, ItemImpl};

use super::{
    resolved::{claim, defined, item_of},
    types,
};
use crate::{
    import::method_id,
    infer::{self, FunctionDef, Program, Ty, key},
};

/// What stands beside a function of a block, which has these parameters of its own.
pub(super) fn method(id: &str, block: &ItemImpl, name: &Ident, own: &Generics) -> TokenStream {
    let ty = &block.self_ty;
    let owner = match &block.trait_ {
        Some((of_trait, _)) => quote!(<#ty as #of_trait>),
        None => quote!(<#ty>),
    };
    let mut generics = block.generics.clone();
    generics.params.extend(own.params.iter().cloned());
    if let Some(clause) = &own.where_clause {
        let all = &mut generics.make_where_clause().predicates;
        all.extend(clause.predicates.iter().cloned());
    }
    defined(
        id,
        &match infer::has_lifetime(ty) {
            // The twin's is another type.
            true => quote!(
                pub fn same<__AmpOther>(_: __AmpOther) {}
            ),
            false => claim(&quote!(#owner::#name), own, &generics, None),
        },
    )
}

/// The methods that a twin has proven.
#[derive(Default)]
pub(super) struct Methods {
    seen: HashSet<String>,
    proofs: TokenStream,
}

impl Methods {
    /// Proves what a method call means.
    pub(super) fn add(
        &mut self,
        call: &ExprMethodCall,
        callee: &FunctionDef,
        program: &Program,
        around: &FunctionDef,
    ) {
        let receiver = around.typed.types.get(&key(&*call.receiver));
        let ty = receiver.and_then(|ty| types::written(program, around, ty.target()));
        let (name, span) = (&call.method, call.method.span());
        // `x.into()` calls `From::from`.
        let is_told = callee.id == method_id(&callee.entry, name) && callee.is_told_by_owner;
        let Some(ty) = ty.filter(|_| is_told) else {
            return;
        };
        if !self.seen.insert(format!("{ty}::{name}")) {
            return;
        }
        let item = item_of(&callee.id, span);
        let earlier: &[TokenStream] = match callee.params.first().map(|param| &param.ty) {
            Some(Ty::Reference { mutable: true, .. }) => &[quote!(), quote!(&)],
            Some(Ty::Reference { .. }) => &[quote!()],
            _ => &[],
        };
        let earlier = (!earlier.is_empty()).then(|| {
            quote_spanned! {span=> {
                trait TheMethodOfTheKernel: ::core::marker::Sized {
                    fn #name(self) -> ::amp::__private::MethodOfAKernel { loop {} }
                }
                impl<T> TheMethodOfTheKernel for T {}
                #(let _ = |value: #earlier #ty| -> ::amp::__private::MethodOfAKernel {
                    value.#name()
                };)*
            } }
        });
        self.proofs.extend(quote_spanned! {span=>
            #[allow(dead_code, clippy::all)]
            let _ = || {
                ::amp::__private::holds(|| <#item>::same(<#ty>::#name));
                #earlier
            };
        });
    }

    pub(super) fn into_statements(self) -> TokenStream {
        self.proofs
    }
}
