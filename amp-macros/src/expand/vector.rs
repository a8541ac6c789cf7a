//! Vectors and matrices in the host version: what glam does differently on different hosts, or
//! not as kernels do, becomes a call of the run time's `vector`; the rest is glam's.

use amp_spirv::tree::{BinaryOp, Scalar};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::Expr;

use super::{host_version::HostVersion, types};
use crate::infer::{Callee, NodeId, Ty};

/// A function of the run time's `vector`, spanned so that its caller is the user's code.
fn run_time(name: &str, span: Span) -> TokenStream {
    let name = Ident::new(name, span);
    quote_spanned!(span=> ::amp::__private::vector::#name)
}

/// A function of each component of the first operand, with the other operand if there is one.
pub(super) fn of_each(function: &TokenStream, operands: &[Expr], span: Span) -> TokenStream {
    let map = run_time(
        if operands.len() > 1 {
            "map_with"
        } else {
            "map"
        },
        span,
    );
    quote_spanned!(span=> #map(#(#operands,)* #function))
}

impl HostVersion<'_> {
    /// Whether an expression is a vector or matrix of glam's.
    pub(super) fn is_glam(&self, key: NodeId) -> bool {
        matches!(self.function.typed.ty(key), Ty::Vector(..) | Ty::Matrix(_))
    }

    /// The function that a call of a vector's function becomes, if glam's will not do.
    pub(super) fn vector_function(&self, callee: &Callee, span: Span) -> Option<TokenStream> {
        match callee {
            Callee::Vector(call) => Some(run_time(call.operation.run_time()?, span)),
            _ => None,
        }
    }

    /// `-operand`, if glam's will not do.
    pub(super) fn vector_negation(
        &self,
        key: NodeId,
        operand: &Expr,
        span: Span,
    ) -> Option<TokenStream> {
        let Ty::Vector(Scalar::I32, _) = self.function.typed.ty(key) else {
            return None;
        };
        let function = run_time("neg", span);
        Some(quote_spanned!(span=> #function(#operand)))
    }

    /// `left op right` of expressions of which one is a vector or matrix, if glam's
    /// operator will not do.
    pub(super) fn vector_operation(
        &self,
        op: BinaryOp,
        (left_key, left): (NodeId, &TokenStream),
        (right_key, right): (NodeId, &TokenStream),
        span: Span,
    ) -> Option<TokenStream> {
        let typed = &self.function.typed;
        let left_ty = typed.of(left_key).ty.as_ref()?;
        let right_ty = typed.of(right_key).ty.as_ref()?;
        let call = |name: &str, left: &TokenStream, right: &TokenStream| {
            let function = run_time(name, span);
            Some(quote_spanned!(span=> #function(#left, #right)))
        };
        let (scalar, count) = match (left_ty, right_ty) {
            (Ty::Matrix(_), Ty::Matrix(_)) if op == BinaryOp::Mul => {
                return call("mul_matrix", left, right);
            }
            (Ty::Matrix(_), Ty::Vector(..)) => return call("mul_vector", left, right),
            (Ty::Matrix(_), Ty::Scalar(_)) if op == BinaryOp::Mul => {
                return call("mul_scalar", left, right);
            }
            (Ty::Matrix(_), Ty::Scalar(_)) => return call("div_scalar", left, right),
            (Ty::Scalar(_), Ty::Matrix(_)) => return call("mul_scalar", right, left),
            (Ty::Vector(scalar, count), _) | (_, Ty::Vector(scalar, count)) => (*scalar, *count),
            _ => return None,
        };
        let name = match op {
            BinaryOp::Shl | BinaryOp::Shr => {
                let name = if op == BinaryOp::Shl { "shl" } else { "shr" };
                let counts = types::glam(&Ty::Vector(Scalar::U32, count))?;
                let right = match right_ty {
                    Ty::Vector(Scalar::U32, _) => right.clone(),
                    Ty::Vector(..) => {
                        let convert = Ident::new(&format!("as_uvec{count}"), span);
                        quote_spanned!(span=> (#right).#convert())
                    }
                    _ => quote_spanned!(span=> #counts::splat((#right) as u32)),
                };
                return call(name, left, &right);
            }
            BinaryOp::Rem => "rem",
            _ if !scalar.is_integer() => return None,
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            BinaryOp::Div => "div",
            _ => return None,
        };
        let ty = types::glam(&Ty::Vector(scalar, count))?;
        let wide = |ty_of: &Ty, tokens: &TokenStream| match ty_of {
            Ty::Vector(..) => tokens.clone(),
            _ => quote_spanned!(span=> #ty::splat(#tokens)),
        };
        call(name, &wide(left_ty, left), &wide(right_ty, right))
    }
}
