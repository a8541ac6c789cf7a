//! Vectors and matrices in the host version: what glam does differently on different hosts, or
//! not as kernels do, becomes a call of the run time's `vector`; the rest is glam's.

use amp_spirv::tree::{BinaryOp, MathOp, Scalar};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use syn::Expr;

use super::{host_version::HostVersion, types};
use crate::{
    infer::{NodeId, Operation, Ty, VectorCall},
    language::{glam::Glam, method::Host, source::Source, vector},
};

/// A function of the run time's `vector`, spanned so that its caller is the user's code.
fn run_time(name: &str, span: Span) -> TokenStream {
    let name = Ident::new(name, span);
    quote_spanned!(span=> ::amp::__private::vector::#name)
}

/// A function of each component of the first operand, with the other operand if there is one.
pub(super) fn of_each(function: &TokenStream, operands: &[Expr], span: Span) -> TokenStream {
    let map = match operands {
        [_, _] => "map_with",
        _ => "map",
    };
    let map = run_time(map, span);
    quote_spanned!(span=> #map(#(#operands,)* #function))
}

/// A method of numbers, spanned likewise.
fn method(scalar: Scalar, name: &str, span: Span) -> TokenStream {
    let (ty, name) = (types::scalar(scalar), Ident::new(name, span));
    quote_spanned!(span=> #ty::#name)
}

/// The call of a function that is written in the kernel language.
pub(super) fn written(ty: Glam, source: &Source, operands: &[Expr], span: Span) -> TokenStream {
    let (module, name) = (vector::module(ty), Ident::new(source.name, span));
    quote_spanned!(span=> ::amp::__private::vector::#module::#name(#(#operands),*))
}

/// The call of a function that the compiler itself computes, if glam's will not do.
pub(super) fn call(call: &VectorCall, operands: &[Expr], span: Span) -> Option<TokenStream> {
    let scalar = match call.of {
        Ty::Vector(scalar, _) => scalar,
        _ => Scalar::F32,
    };
    let (function, of_component) = match call.operation {
        Operation::Select => ("select", None),
        Operation::Column => ("col", None),
        Operation::Row => ("row", None),
        Operation::Matrix(_, name) | Operation::Compare(_, name) => (name, None),
        Operation::Each(op, of_number) => match (op, of_number.host, operands.len()) {
            (_, Host::Function(name), _) => (name, None),
            (_, Host::Method(name), _) => ("map", Some(name)),
            (MathOp::IsNan | MathOp::IsFinite, _, _) => ("test", Some(of_number.name)),
            (MathOp::Powf, _, _) => ("map_with", Some(of_number.name)),
            (_, _, 1) => ("map", Some(of_number.name)),
            (_, _, 2) => ("zip", Some(of_number.name)),
            _ => ("zip_with", Some(of_number.name)),
        },
        _ => return None,
    };
    let of_component = of_component.map(|name| method(scalar, name, span));
    let function = run_time(function, span);
    Some(quote_spanned!(span=> #function(#(#operands,)* #of_component)))
}

impl HostVersion<'_> {
    /// Whether an expression is a vector or matrix of glam's.
    pub(super) fn is_glam(&self, key: NodeId) -> bool {
        matches!(self.function.typed.ty(key), Ty::Vector(..) | Ty::Matrix(_))
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
        let (map, negated) = (
            run_time("map", span),
            method(Scalar::I32, "wrapping_neg", span),
        );
        Some(quote_spanned!(span=> #map(#operand, #negated)))
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
        let zip = |left: &TokenStream, right: &TokenStream, function: TokenStream| {
            let zip = run_time("zip", span);
            Some(quote_spanned!(span=> #zip(#left, #right, #function)))
        };
        let wrapping = |name: &str| method(scalar, name, span);
        let ty = types::glam(&Ty::Vector(scalar, count))?;
        let wide = |ty_of: &Ty, tokens: &TokenStream| match ty_of {
            Ty::Vector(..) => tokens.clone(),
            _ => quote_spanned!(span=> #ty::splat(#tokens)),
        };
        if let BinaryOp::Shl | BinaryOp::Shr = op {
            let counts = types::glam(&Ty::Vector(Scalar::U32, count))?;
            let right = match right_ty {
                Ty::Vector(Scalar::U32, _) => right.clone(),
                Ty::Vector(..) => {
                    let convert = Ident::new(&format!("as_uvec{count}"), span);
                    quote_spanned!(span=> (#right).#convert())
                }
                _ => quote_spanned!(span=> #counts::splat((#right) as u32)),
            };
            let name = if op == BinaryOp::Shl {
                "wrapping_shl"
            } else {
                "wrapping_shr"
            };
            return zip(left, &right, wrapping(name));
        }
        let (left, right) = (wide(left_ty, left), wide(right_ty, right));
        match op {
            BinaryOp::Rem if !scalar.is_integer() => {
                zip(&left, &right, quote_spanned!(span=> ::core::ops::Rem::rem))
            }
            _ if !scalar.is_integer() => None,
            BinaryOp::Add => zip(&left, &right, wrapping("wrapping_add")),
            BinaryOp::Sub => zip(&left, &right, wrapping("wrapping_sub")),
            BinaryOp::Mul => zip(&left, &right, wrapping("wrapping_mul")),
            BinaryOp::Div => call("div", &left, &right),
            BinaryOp::Rem => call("rem", &left, &right),
            _ => None,
        }
    }
}
