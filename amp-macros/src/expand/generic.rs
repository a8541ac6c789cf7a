//! Generic helpers in the host version: operators of a type parameter, which wrap if it stands
//! for an integer.

use amp_spirv::tree::BinaryOp;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use super::host_version::HostVersion;
use crate::infer::{NodeId, Ty};

impl HostVersion<'_> {
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
