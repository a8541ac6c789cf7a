//! Proof that nothing stands before a field, a constant of a type, a function of a scalar, or one of
//! a struct with views that Rust would take.

use amp_spirv::diagnostic::Code;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprCall, ExprField, ExprPath, Ident, Member, spanned::Spanned};

use super::{
    claim::item_of,
    method::{Methods, told},
    types,
};
use crate::{
    infer::{Callee, FunctionDef, Meaning, NodeId, Program, StructDef, Ty, scalar},
    language::name::path_key,
    report::Report,
};

impl Methods {
    /// Proves that a field can be named here: otherwise Rust looks for one of the name in what the
    /// struct derefs to.
    pub(super) fn field(&mut self, field: &ExprField, program: &Program, around: &FunctionDef) {
        let base = around.typed.ty(&field.base).target();
        let ty @ Ty::Struct(index, _) = base else {
            return;
        };
        let (name, member, span) = match &field.member {
            Member::Named(name) => (name.to_string(), quote!(#name), name.span()),
            Member::Unnamed(position) => {
                (position.index.to_string(), quote!(#position), position.span)
            }
        };
        if !program.structs[*index].private.contains(&name) {
            return;
        }
        let proof = match types::of_host(program, around, ty) {
            Some(ty) => quote_spanned!(span=> let _ = ::core::mem::offset_of!(#ty, #member);),
            None => types::unknown_length(span),
        };
        self.prove(&Ident::new("field", span), proof);
    }

    /// Proves that a constant of a type is the one whose value a kernel computes.
    pub(super) fn constant(
        &mut self,
        node: NodeId,
        constant: &ExprPath,
        program: &Program,
        around: &FunctionDef,
    ) {
        let (typed, span) = (&around.typed, constant.path.span());
        let (Some(Callee::Helper(index)), Some(ty)) = (&typed.of(node).callee, &typed.of(node).ty)
        else {
            return;
        };
        let first = constant.path.segments.first();
        // Of a parameter, it is that of the bound.
        let is_projection = constant.qself.is_some();
        if is_projection
            || first.is_some_and(|first| {
                around
                    .arguments
                    .types
                    .contains_key(&first.ident.to_string())
            })
        {
            return;
        }
        let callee = &program.functions[*index];
        let item = item_of(&callee.id, span);
        let name = Ident::new("constant", span);
        if !is_comparable(program, ty) {
            let mut methods = program.methods.iter();
            let is_own =
                methods.any(|method| method.block == callee.entry && method.of_trait.is_none());
            let proof = match (is_own, types::of_host(program, around, ty)) {
                (true, Some(ty)) => own(constant, &ty),
                (true, None) => types::unknown_length(span),
                (false, _) => incomparable(span),
            };
            self.prove(&name, proof);
            return;
        }
        let Some(told) = told(node, program, around) else {
            self.prove(&name, types::unknown_length(span));
            return;
        };
        let told = (!told.is_empty()).then(|| quote!(::<#(#told),*>));
        let (own, known) = (
            quote!(#constant),
            quote_spanned!(span=> <#item>::value #told()),
        );
        let equal = equal(ty, &own, &known, span);
        let is_true = quote_spanned! {span=>
            ::core::assert!(#equal, "[AMP0043] Rust and the kernel disagree about this constant")
        };
        self.compute(&name, is_true, around);
    }

    /// Proves that a function called as `f32::sqrt` is that of the scalar: a module may have the
    /// name too.
    pub(super) fn of_scalar(
        &mut self,
        node: NodeId,
        call: &ExprCall,
        callee: &Callee,
        around: &FunctionDef,
    ) {
        let is_built_in = match callee {
            Callee::Math(_) | Callee::Convert | Callee::Default => true,
            Callee::Helper(_) => around.typed.of(node).library.is_some(),
            _ => false,
        };
        let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = &*call.func
        else {
            return;
        };
        let mut parts = path.segments.iter().rev();
        let (Some(name), Some(owner)) = (parts.next(), parts.next()) else {
            return;
        };
        let (name, span) = (&name.ident, path.span());
        let Some(owner) = scalar(&owner.ident.to_string()).filter(|_| is_built_in) else {
            return;
        };
        let owner = types::scalar(owner);
        let argument = call.args.first();
        let argument = argument.and_then(|argument| around.typed.of(argument).ty.as_ref());
        let known = match argument {
            Some(Ty::Scalar(from)) if name == "from" || name == "try_from" => {
                let from = types::scalar(*from);
                let of_trait = match name == "from" {
                    true => quote_spanned!(span=> From),
                    false => quote_spanned!(span=> TryFrom),
                };
                quote_spanned!(span=> <#owner as ::core::convert::#of_trait<#from>>::#name)
            }
            _ => quote_spanned!(span=> <#owner>::#name),
        };
        let proof = quote_spanned! {span=>
            ::amp::__private::holds(|| ::amp::__private::same_function(#path, #known));
        };
        self.prove(name, proof);
    }

    /// Proves what a path means by which a function of a struct with views is called.
    pub(super) fn function(&mut self, function: &Expr, program: &Program, around: &FunctionDef) {
        let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = function
        else {
            return;
        };
        let text = path_key(path);
        let (Some(name), Some((owner, _))) = (path.segments.last(), text.rsplit_once("::")) else {
            return;
        };
        if let Some(Meaning::Struct(index)) = around.names.get(owner)
            && program.structs[index].is_bundle
        {
            self.of_bundle(&program.structs[index], &name.ident);
        }
    }

    /// Proves that the user's struct with views has no function of this name by itself: all that
    /// kernels call are its host version's.
    pub(super) fn of_bundle(&mut self, of: &StructDef, name: &Ident) {
        let (ty, span) = (types::by_id(&of.id, &[]), name.span());
        // Without the traits that are in scope around it, after whose functions it would go.
        self.prove(
            name,
            quote_spanned! {span=> {
                #[no_implicit_prelude]
                mod bundle {
                    trait TheMethodOfTheKernel {
                        fn #name() -> ::amp::__private::MethodOfAKernel { loop {} }
                    }
                    impl<T> TheMethodOfTheKernel for T {}
                    fn holds() {
                        let _: fn() -> ::amp::__private::MethodOfAKernel = <#ty>::#name;
                    }
                }
            } },
        );
    }
}

/// Whether two constants of a type have the same value.
fn equal(ty: &Ty, one: &TokenStream, other: &TokenStream, span: Span) -> TokenStream {
    let Ty::Tuple(parts) = ty else {
        return quote_spanned!(span=> ::amp::__private::same_value(&#one, &#other));
    };
    let parts = parts.iter().enumerate().map(|(position, part)| {
        let position = syn::Index::from(position);
        equal(
            part,
            &quote!(#one.#position),
            &quote!(#other.#position),
            span,
        )
    });
    quote_spanned!(span=> #(#parts)&&*)
}

/// Whether constants of a type can be compared by their bytes, part by part.
fn is_comparable(program: &Program, ty: &Ty) -> bool {
    match ty {
        Ty::Tuple(parts) => parts.iter().all(|part| is_comparable(program, part)),
        Ty::Array(..) | Ty::Struct(..) => program.is_any_bytes(ty),
        Ty::Scalar(_) | Ty::Vector(..) | Ty::Matrix(_) | Ty::Enum(_) => true,
        _ => false,
    }
}

/// What is ambiguous where Rust takes a constant of a trait, as it does if the type's own one is
/// private there.
fn own(constant: &ExprPath, ty: &TokenStream) -> TokenStream {
    let last = constant.path.segments.last();
    let name = last.map(|last| &last.ident);
    quote_spanned! {constant.path.span()=> {
        trait TheConstantOfTheKernel {
            const #name: ::amp::__private::MethodOfAKernel;
        }
        impl<T> TheConstantOfTheKernel for T {
            const #name: ::amp::__private::MethodOfAKernel = ::amp::__private::MethodOfAKernel;
        }
        let _: #ty = #constant;
    } }
}

/// Refuses a constant of a trait of which nothing can be proven.
fn incomparable(span: Span) -> TokenStream {
    let mut report = Report::default();
    report.error_help(
        Code::UnknownName,
        span,
        "a constant of a trait whose bytes cannot be compared",
        "another constant of the name could hide it: name the trait, `<T as Trait>::NAME`, or make it a function of the trait",
    );
    report.to_tokens()
}
