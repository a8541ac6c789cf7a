//! Generic helpers in the host version: operators of a type parameter, which wrap if it stands
//! for an integer.

use amp_spirv::tree::BinaryOp;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{BinOp, Expr};

use super::host_version::HostVersion;
use crate::infer::{NodeId, Ty, operator_trait};

/// The call of an operator by the bounds of `std::ops`.
fn bounded(name: &str, operands: TokenStream, span: Span) -> TokenStream {
    let name = Ident::new(name, span);
    quote_spanned!(span=> ::amp::__private::host_version::bounded::#name(#operands))
}

impl HostVersion<'_> {
    /// Whether the type of an expression is a parameter of which its bounds tell what it has.
    pub(super) fn is_bounded(&self, of: NodeId) -> bool {
        matches!(self.function.typed.ty(of), Ty::Param(index) if !self.program.type_params[*index].is_scalar)
    }

    /// `place op= value`, where the operator is Rust's.
    pub(super) fn assigned(
        &self,
        of: NodeId,
        op: BinaryOp,
        (place, assign, value): (&TokenStream, &BinOp, &TokenStream),
        span: Span,
    ) -> TokenStream {
        let (_, name) = operator_trait(op, true);
        let is_own = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
        match self.is_bounded(of) && !is_own {
            true => bounded(name, quote!(&mut #place, #value), span),
            false => quote_spanned!(span=> #place #assign #value),
        }
    }

    /// `-operand` of a parameter.
    pub(super) fn opposite(&self, of: NodeId, operand: &Expr, span: Span) -> TokenStream {
        match self.is_bounded(of) {
            true => bounded("neg", quote!(#operand), span),
            false => quote_spanned! {span=>
                ::amp::__private::host_version::Arithmetic::opposite(#operand)
            },
        }
    }

    /// `left op right` of the type of the expression `of`, or `None` where Rust's operator
    /// is right already.
    pub(super) fn operation(
        &self,
        of: NodeId,
        op: BinaryOp,
        left: &TokenStream,
        right: &TokenStream,
        span: Span,
    ) -> Option<TokenStream> {
        if self.is_bounded(of) {
            let (_, name) = operator_trait(op, false);
            let is_own = !matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
            return (is_own && !op.is_comparison())
                .then(|| bounded(name, quote!(#left, #right), span));
        }
        if let Ty::Param(_) = self.function.typed.ty(of) {
            let of_integer = match op {
                BinaryOp::Shl => Some("wrapping_shl"),
                BinaryOp::Shr => Some("wrapping_shr"),
                _ => None,
            };
            if let Some(name) = of_integer {
                let name = Ident::new(name, span);
                return Some(quote_spanned! {span=>
                    ::amp::__private::Integer::#name(#left, #right)
                });
            }
            let name = match op {
                BinaryOp::Add => "sum",
                BinaryOp::Sub => "difference",
                BinaryOp::Mul => "product",
                BinaryOp::Div => "quotient",
                BinaryOp::Rem => "remainder",
                _ => return None,
            };
            let name = Ident::new(name, span);
            let tokens = quote_spanned! {span=>
                ::amp::__private::host_version::Arithmetic::#name(#left, #right)
            };
            return Some(tokens);
        }
        let ty = self.integer(of)?;
        self.integer_operation(op, &ty, left, right, span)
    }
}
