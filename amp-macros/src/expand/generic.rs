//! Generic helpers in the host version: operators of a type parameter, which wrap if it stands
//! for an integer.

use amp_spirv::tree::BinaryOp;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{BinOp, Expr, ExprIndex};

use super::{host_version::HostVersion, place::is_range, types};
use crate::infer::{NodeId, Ty, operator_trait, unbounded};

/// The call of an operator by the bounds of `std::ops`.
fn bounded(name: &str, operands: TokenStream, span: Span) -> TokenStream {
    let function = of_bounded(name, span);
    quote_spanned!(span=> #function(#operands))
}

/// The run time's function of this name for types that are known by their bounds.
fn of_bounded(name: &str, span: Span) -> TokenStream {
    let name = Ident::new(name, span);
    quote_spanned!(span=> ::amp::__private::host_version::bounded::#name)
}

/// How a place is indexed.
#[derive(Clone, Copy)]
pub(super) struct Indexing {
    takes_slice: bool,
    /// What is indexed is an `Option` with a value, which a chain visits.
    is_option: bool,
    mutable: bool,
}

impl HostVersion<'_> {
    /// Whether the type of an expression is a parameter of which its bounds tell what it has.
    pub(super) fn is_bounded(&self, of: NodeId) -> bool {
        matches!(self.function.typed.ty(of), Ty::Param(index) if !self.program.type_params[*index].is_scalar)
    }

    /// How an expression indexes, before its parts are rewritten.
    pub(super) fn indexing(&self, expr: &ExprIndex, mutable: bool) -> Indexing {
        let base = self.function.typed.ty(&expr.expr);
        Indexing {
            takes_slice: is_range(&expr.index),
            is_option: self.program.is_option(base),
            mutable,
        }
    }

    /// `base[index]` of the type of the expression `of`, an element or a slice, as the place that it names.
    pub(super) fn indexed(
        &self,
        of: NodeId,
        (base, index): (&Expr, &TokenStream),
        indexing: Indexing,
        span: Span,
    ) -> TokenStream {
        let Indexing {
            takes_slice,
            is_option,
            mutable,
        } = indexing;
        let and = match mutable {
            true => quote_spanned!(span=> &mut),
            false => quote_spanned!(span=> &),
        };
        if is_option {
            let name = Ident::new(if mutable { "as_mut" } else { "as_ref" }, span);
            return quote_spanned!(span=> (*::core::option::Option::#name(#and #base).unwrap()));
        }
        let name = match (takes_slice, mutable) {
            (true, true) => "part_mut",
            (true, false) => "part",
            (false, true) => "at_mut",
            (false, false) => "at",
        };
        let ty = match self.function.typed.ty(of) {
            Ty::Slice(element) => element,
            ty => ty,
        };
        let zero = types::zero(self.program, ty).filter(|_| !takes_slice);
        let is_own = zero.is_some()
            || unbounded(self.program, ty).is_some()
            || takes_slice && self.program.without_zero(ty).is_some();
        let name = match zero {
            Some(_) => format_ident!("{name}_or", span = span),
            None => Ident::new(name, span),
        };
        let zero = zero.map(|zero| quote!(, || #zero));
        let module = is_own.then(|| quote!(bounded::));
        quote_spanned! {span=>
            (*::amp::__private::host_version::#module #name(#and #base, #index #zero))
        }
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
