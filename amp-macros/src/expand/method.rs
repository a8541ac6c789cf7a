//! Methods: proof that Rust calls the function that a kernel calls.
//!
//! Kernels see the functions of modules and the built-in ones. Rust also sees those of `impl`
//! blocks elsewhere, looks at which traits are in scope, and tries one type after another: that of
//! the receiver, references to it, what it refers to. So a host version proves of each method that
//! it calls that none of the types before the one that has the method has another method of the
//! name, and that the method of that type is the kernel's:
//!
//! ```text
//! let _ = || {
//!     holds(|| <Id<17> as Defined<_>>::Item::same(<Rect>::area));
//!     {
//!         trait TheMethodOfTheKernel: Sized { fn area(self) -> MethodOfAKernel { loop {} } }
//!         impl<T> TheMethodOfTheKernel for T {}
//!         // Ambiguous if another trait gives the type such a method.
//!         let value: Rect = loop {};
//!         let _ = value.area();
//!     }
//! };
//! ```
//!
//! What foreign types have by themselves goes before what traits give them, so nothing else is
//! proven of these. Where a trait has the built-in method, that trait is brought into scope:
//! the call is ambiguous if another one has such a method too.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprMethodCall, RangeLimits};

use super::{claim::item_of, receiver::By, types};
use crate::{
    import::method_id,
    infer::{Callee, FunctionDef, Library, NodeId, Operation, Program, Ty},
    iterate,
};

/// The methods that a host version has proven.
#[derive(Default)]
pub(super) struct Methods {
    seen: HashSet<String>,
    proofs: TokenStream,
    /// Proofs that rustc computes.
    computed: TokenStream,
    /// The methods of one trait that each type has, with the numbers of their arguments.
    decoys: Vec<(Ident, usize)>,
    /// Calls that are ambiguous if another trait has the method.
    tried: TokenStream,
}

impl Methods {
    /// Proves what a method call means.
    pub(super) fn add(
        &mut self,
        node: NodeId,
        call: &ExprMethodCall,
        callee: &Callee,
        program: &Program,
        around: &FunctionDef,
    ) {
        let typed = &around.typed;
        let (name, span) = (&call.method, call.method.span());
        if let Some(name) = iterate::own(name) {
            self.slice(&name, call, program, around);
            return;
        }
        let Some(receiver) = typed.of(&call.receiver).ty.as_ref().map(Ty::target) else {
            return;
        };
        let Some(ty) = types::of_host(program, around, receiver) else {
            if has_length(receiver) {
                self.proofs.extend(types::unknown_length(span));
            }
            return;
        };
        let held = By::held(&call.receiver, around);
        if let Ty::Slice(_) = receiver {
            let writes = matches!(callee, Callee::Helper(index) if {
                let params = &program.functions[*index].params;
                By::of(params.first().map(|param| &param.ty)) == By::Exclusive
            });
            // Only what takes a `&mut [T]` as a value comes before a slice's own methods.
            if held == By::Exclusive && !writes && self.is_new(&[&ty], name, held) {
                self.decoyed(call, &tried(held.before(By::Value), &ty, call));
            }
            return;
        }
        let mut called = quote!();
        let taken = match callee {
            // Also where it calls `From::from`.
            _ if (name == "into" || name == "try_into") && is_by_trait(callee, program, name) => {
                let (from, known) = match name == "into" {
                    true => (("From", "from"), quote!(::core::convert::Into)),
                    false => (("TryFrom", "try_from"), quote!(::core::convert::TryInto)),
                };
                if typed.of(node).library.is_none() {
                    self.by_trait(node, from, span, program, around);
                }
                let result = typed.of(node).ty.as_ref();
                let result = result.and_then(|ty| types::of_host(program, around, ty));
                let result = result.unwrap_or_else(|| quote!(_));
                called = of_trait(&known, &ty, call, &result);
                By::Value
            }
            Callee::Helper(_) if let Some(library) = &typed.of(node).library => match library {
                // Some of a vector's take values: these go before what a trait has.
                _ if receiver.glam().is_some() => By::Shared,
                Library::Source(_, source) if source.takes_reference() => By::Shared,
                _ => By::Value,
            },
            Callee::Helper(index) if program.is_standard(*index) => {
                // Others are what foreign types have by themselves.
                let params = program.functions[*index].params.iter();
                let taken = By::of(params.map(|param| &param.ty).next());
                if let Some(known) = comparison(name) {
                    let by = taken.to();
                    called = of_trait(&known, &quote!(#by #ty), call, &quote!(_));
                }
                taken
            }
            Callee::Helper(index) => {
                let callee = &program.functions[*index];
                let taken = By::of(callee.params.first().map(|param| &param.ty));
                match receiver {
                    Ty::Bundle(index) => self.of_bundle(&program.structs[*index], name),
                    _ => {
                        let path = quote!(<#ty>::#name);
                        called = same(node, &path, span, callee, program, around);
                    }
                }
                taken
            }
            callee => {
                let Some((taken, known)) = built_in(callee, receiver, name) else {
                    return;
                };
                if let Some(known) = known {
                    let by = taken.to();
                    let ty = quote!(#by #ty);
                    called = of_trait(&known, &ty, call, &quote!(_));
                }
                taken
            }
        };
        let of_slices = |function| {
            let is_of_arrays = name == "map" || comparison(name).is_some();
            program.is_standard(function) && matches!(receiver, Ty::Array(..)) && !is_of_arrays
        };
        let before = match callee {
            Callee::ArrayLength(_) => held.before_slice(),
            Callee::Helper(index) if of_slices(*index) => held.before_slice(),
            _ => held.before(taken),
        };
        if before.is_empty() && called.is_empty() || !self.is_new(&[&ty, &called], name, held) {
            return;
        }
        self.proofs.extend(called);
        self.decoyed(call, &tried(before, &ty, call));
    }

    /// Proves that the method by which a chain visits an array is that of slices.
    fn slice(
        &mut self,
        name: &str,
        call: &ExprMethodCall,
        program: &Program,
        around: &FunctionDef,
    ) {
        let receiver = around.typed.of(&call.receiver).ty.as_ref().map(Ty::target);
        let Some(array @ Ty::Array(..)) = receiver else {
            return;
        };
        if !iterate::is_of_slices(name) {
            return;
        }
        let span = call.method.span();
        let Some(ty) = types::of_host(program, around, array) else {
            self.proofs.extend(types::unknown_length(span));
            return;
        };
        let mut call = call.clone();
        call.method = Ident::new(name, span);
        let held = By::held(&call.receiver, around);
        if self.is_new(&[&ty], &call.method, held) {
            self.decoyed(&call, &tried(held.before_slice(), &ty, &call));
        }
    }

    /// Proves what the methods mean by which a loop visits a range or an array.
    pub(super) fn iterator(&mut self, source: &Expr, program: &Program, around: &FunctionDef) {
        let typed = &around.typed;
        let mut calls: Vec<&ExprMethodCall> = Vec::new();
        let mut at = source;
        let mut is_slice = false;
        let ty = loop {
            at = match at {
                Expr::Paren(paren) => &paren.expr,
                Expr::Group(group) => &group.expr,
                Expr::MethodCall(call) if typed.of(at).callee.is_none() => {
                    calls.push(call);
                    &call.receiver
                }
                Expr::Range(range) => {
                    let mut ends = range.start.iter().chain(&range.end);
                    let element = ends.find_map(|end| typed.of(&**end).ty.as_ref());
                    let element = element.and_then(|ty| types::written(program, around, ty));
                    let range = match range.limits {
                        RangeLimits::HalfOpen(_) => quote!(::core::ops::Range),
                        RangeLimits::Closed(_) => quote!(::core::ops::RangeInclusive),
                    };
                    break element.map(|element| quote!(#range<#element>));
                }
                array => {
                    let array = typed.of(array).ty.as_ref().map(Ty::target);
                    is_slice = matches!(array, Some(Ty::Slice(_)));
                    break array.and_then(|ty| types::written(program, around, ty));
                }
            };
        };
        let Some(first) = calls.last() else {
            return;
        };
        let span = first.method.span();
        let Some(ty) = ty else {
            self.proofs.extend(types::unknown_length(span));
            return;
        };
        let chain = calls.iter().rev().map(|call| {
            let (name, arguments) = (&call.method, passed(call));
            quote!(.#name(#arguments))
        });
        let chain = quote!(#(#chain)*);
        let held = By::held(&first.receiver, around);
        if !self.is_new(&[&ty, &chain], &first.method, held) {
            return;
        }
        let before = match first.method == "iter" || first.method == "iter_mut" {
            true => held.before_slice(),
            false => &[],
        };
        let ty = match is_slice {
            // Of a slice behind a reference, the methods of its own come first.
            true => quote!(&mut #ty),
            false => {
                self.decoyed(first, &tried(before, &ty, first));
                ty
            }
        };
        self.proofs.extend(quote_spanned! {span=> {
            use ::core::iter::{IntoIterator as _, Iterator as _};
            let mut value: #ty = loop {};
            let _ = value #chain;
        } });
    }

    /// Has rustc compute whether something is true, in each instance of a generic function.
    pub(super) fn compute(&mut self, name: &Ident, is_true: TokenStream, around: &FunctionDef) {
        if self.is_new(&[&is_true], name, By::Value) {
            self.computed.extend(match around.parameters.is_empty() {
                true => quote!(const _: () = #is_true;),
                false => quote!(const { #is_true };),
            });
        }
    }

    pub(super) fn prove(&mut self, name: &Ident, proof: TokenStream) {
        if self.is_new(&[&proof], name, By::Value) {
            self.proofs.extend(proof);
        }
    }

    fn is_new(&mut self, parts: &[&TokenStream], name: &Ident, held: By) -> bool {
        let parts: String = parts.iter().map(ToString::to_string).collect();
        self.seen.insert(format!("{parts}::{name} {held:?}"))
    }

    /// Statements where each value has the method that is called by a trait.
    fn decoyed(&mut self, call: &ExprMethodCall, statements: &TokenStream) {
        if statements.is_empty() {
            return;
        }
        let decoy = (call.method.clone(), call.args.len());
        let mut known = self.decoys.iter();
        match known.find(|(name, _)| *name == decoy.0) {
            Some((_, count)) if *count != decoy.1 => {
                let decoys = decoys(&[decoy]);
                self.proofs.extend(quote!({ #decoys #statements }));
                return;
            }
            Some(_) => {}
            None => self.decoys.push(decoy),
        }
        self.tried.extend(statements.clone());
    }

    pub(super) fn into_statements(self) -> TokenStream {
        let Self {
            proofs,
            computed,
            decoys: of_one_trait,
            tried,
            ..
        } = self;
        if proofs.is_empty() && tried.is_empty() {
            return computed;
        }
        let tried = (!tried.is_empty()).then(|| {
            let decoys = decoys(&of_one_trait);
            quote!({ #decoys #tried })
        });
        quote! {
            #[allow(
                dead_code, unreachable_code, unused_imports, unused_mut, unused_variables,
                clippy::all
            )]
            let _ = || {
                #proofs
                #tried
            };
            #computed
        }
    }
}

/// A trait by which each type has these methods.
fn decoys(methods: &[(Ident, usize)]) -> TokenStream {
    let methods = methods.iter().map(|(name, count)| {
        let parameters = vec![quote!(_: ()); *count];
        quote_spanned! {name.span()=>
            fn #name(self, #(#parameters),*) -> ::amp::__private::MethodOfAKernel { loop {} }
        }
    });
    quote! {
        trait TheMethodOfTheKernel: ::core::marker::Sized { #(#methods)* }
        impl<T> TheMethodOfTheKernel for T {}
    }
}

/// What stands for the arguments of a call.
fn passed(call: &ExprMethodCall) -> TokenStream {
    let arguments = call.args.iter().map(|_| quote!(loop {}));
    quote!(#(#arguments),*)
}

/// Calls on what Rust tries before the type that has the method.
fn tried(before: &[&str], ty: &TokenStream, call: &ExprMethodCall) -> TokenStream {
    let (name, arguments) = (&call.method, passed(call));
    let tried = before.iter().map(|reference| {
        let reference: TokenStream = reference.parse().unwrap_or_default();
        quote_spanned! {name.span()=>
            let value: #reference #ty = loop {};
            let _ = value.#name(#arguments);
        }
    });
    tried.collect()
}

/// A call that is ambiguous if another trait than this one has the method.
fn of_trait(
    known: &TokenStream,
    ty: &TokenStream,
    call: &ExprMethodCall,
    result: &TokenStream,
) -> TokenStream {
    let (name, arguments) = (&call.method, passed(call));
    quote_spanned! {name.span()=> {
        use #known as _;
        let value: #ty = loop {};
        let _: #result = value.#name(#arguments);
    } }
}

/// Whether `into` is that of the standard library, and no function of the name.
fn is_by_trait(callee: &Callee, program: &Program, name: &Ident) -> bool {
    match callee {
        Callee::Helper(index) => {
            let callee = &program.functions[*index];
            callee.id != method_id(&callee.entry, name)
        }
        _ => true,
    }
}

/// The trait of a method that compares.
fn comparison(name: &Ident) -> Option<TokenStream> {
    match &*name.to_string() {
        "cmp" | "max" | "min" => Some(quote!(::core::cmp::Ord)),
        "partial_cmp" | "lt" | "le" | "gt" | "ge" => Some(quote!(::core::cmp::PartialOrd)),
        "eq" | "ne" => Some(quote!(::core::cmp::PartialEq)),
        _ => None,
    }
}

/// How a built-in method takes what it is called on, and the trait that has it, if one does.
fn built_in(callee: &Callee, receiver: &Ty, name: &Ident) -> Option<(By, Option<TokenStream>)> {
    let is_integer = matches!(receiver, Ty::Scalar(of) if of.is_integer());
    Some(match callee {
        Callee::Copy => (By::Shared, Some(quote!(::core::clone::Clone))),
        Callee::Math(_) if matches!(receiver, Ty::Param(_)) => {
            (By::Value, Some(quote!(::amp::__private::Integer)))
        }
        Callee::Math(method) if is_integer && method.is_of_ord() => {
            (By::Value, Some(quote!(::core::cmp::Ord)))
        }
        Callee::Convert if !matches!(receiver, Ty::Scalar(of) if of.is_half()) => {
            (By::Value, Some(quote!(::amp::Scalar)))
        }
        Callee::Vector(of) if let Operation::Swizzle(_) = of.operation => {
            let Ty::Vector(_, count) = receiver else {
                return None;
            };
            let swizzles = Ident::new(&format!("Vec{count}Swizzles"), name.span());
            (By::Value, Some(quote!(::amp::__private::glam::#swizzles)))
        }
        Callee::Derived(_) if matches!(receiver, Ty::View(view) if view.mutable) => {
            (By::Exclusive, None)
        }
        // Some of a vector's take values: these go before what a trait has.
        Callee::Vector(_)
        | Callee::Each(_)
        | Callee::ViewExtent
        | Callee::ViewSize { .. }
        | Callee::Derived(_)
        | Callee::ArrayLength(_)
        | Callee::Barrier(_) => (By::Shared, None),
        _ => (By::Value, None),
    })
}

/// Proves that the function at a path is the one that is called, or refuses the call.
pub(super) fn same(
    node: NodeId,
    path: &TokenStream,
    span: Span,
    callee: &FunctionDef,
    program: &Program,
    around: &FunctionDef,
) -> TokenStream {
    let item = item_of(&callee.id, span);
    let Some(told) = told(node, program, around) else {
        return types::unknown_length(span);
    };
    let told = (!told.is_empty()).then(|| quote!(::<_, #(#told),*>));
    quote_spanned!(span=> ::amp::__private::holds(|| <#item>::same #told(#path));)
}

/// Whether a type may have a length that has no name in some function.
fn has_length(ty: &Ty) -> bool {
    matches!(ty, Ty::Array(..) | Ty::Struct(..) | Ty::Tuple(_))
}

/// What a call says about the parameters of the function.
pub(super) fn told(
    node: NodeId,
    program: &Program,
    around: &FunctionDef,
) -> Option<Vec<TokenStream>> {
    let Some((parameters, told)) = around.typed.of(node).told.as_deref() else {
        return Some(Vec::new());
    };
    let (mut types, mut lengths) = (told.types.iter(), told.lengths.iter());
    parameters.in_order(|is_const| match is_const {
        true => types::length(program, around, *lengths.next()?),
        false => types::of_host(program, around, types.next()?),
    })
}
