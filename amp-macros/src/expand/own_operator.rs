//! Operators, `into` and `?` of the user's types: proof that what a kernel calls is of Rust's own trait.
//!
//! A kernel knows the traits of the standard library by their names, which others may have.

use proc_macro2::{Ident, Span};
use quote::{quote, quote_spanned};
use syn::{Expr, spanned::Spanned};

use super::method::{Methods, same};
use crate::{
    import::method_id,
    infer::{BinaryKind, FunctionDef, NodeId, Program, Ty, operator_trait, unary_trait},
};

impl Methods {
    /// Proves what an operator calls, if that is a function.
    pub(super) fn operator(&mut self, expr: &Expr, program: &Program, around: &FunctionDef) {
        let (node, means, span) = match expr {
            Expr::Binary(binary) => {
                let (op, assigns) = match BinaryKind::of(&binary.op) {
                    BinaryKind::Plain(op) => (op, false),
                    BinaryKind::Assign(op) => (op, true),
                    BinaryKind::Lazy(_) => return,
                };
                let means = operator_trait(op, assigns);
                (around.typed.id(binary), means, binary.op.span())
            }
            Expr::Unary(unary) => (
                around.typed.id(unary),
                unary_trait(&unary.op),
                unary.op.span(),
            ),
            Expr::Index(index) => {
                let node = around.typed.id(expr);
                let Some(function) = around.typed.of(node).helper() else {
                    return;
                };
                let means = match program.functions[function].result {
                    Ty::Reference { mutable: true, .. } => ("IndexMut", "index_mut"),
                    _ => ("Index", "index"),
                };
                (node, means, index.bracket_token.span.join())
            }
            Expr::Try(tried) => {
                let span = tried.question_token.span();
                (around.typed.id(expr), ("From", "from"), span)
            }
            _ => return,
        };
        self.by_trait(node, means, span, program, around);
    }

    /// Proves that what is called is this function of this trait of the standard library.
    pub(super) fn by_trait(
        &mut self,
        node: NodeId,
        (of_trait, name): (&str, &str),
        span: Span,
        program: &Program,
        around: &FunctionDef,
    ) {
        let Some(index) = around.typed.of(node).helper() else {
            return;
        };
        if program.is_standard(index) {
            return;
        }
        let callee = &program.functions[index];
        let module = match of_trait {
            "From" | "TryFrom" => quote!(convert),
            "PartialEq" | "PartialOrd" => quote!(cmp),
            _ => quote!(ops),
        };
        let other = match of_trait {
            "Neg" | "Not" => quote!(),
            _ => quote!(<_>),
        };
        let ident = |name| Ident::new(name, span);
        let name = match ident(name) {
            // What `eq` says is not so.
            name if name == "ne" && callee.id != method_id(&callee.entry, &name) => ident("eq"),
            name => name,
        };
        let of_trait = ident(of_trait);
        let path = quote_spanned!(span=> <_ as ::core::#module::#of_trait #other>::#name);
        self.prove(&name, same(node, &path, span, callee, program, around));
    }
}
