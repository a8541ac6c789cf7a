//! Constants of several numbers, which the host hands over number by number: vectors, matrices,
//! and arrays and tuples of these and of scalars.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{
    context::FnCx,
    program::ConstDef,
    ty::{Len, Ty},
};

/// Numbers that one constant may have: each is a specialization constant.
const MOST: usize = 256;

impl FnCx<'_> {
    /// Makes constants of the numbers of a constant that turned out to have several; false if it
    /// is something else.
    pub fn take_constant_apart(&mut self, index: usize) -> bool {
        let ConstDef {
            expr,
            text,
            ty,
            span,
            within,
            ..
        } = &self.program.consts[index];
        let Some(count) = self.numbers(ty) else {
            return false;
        };
        if count > MOST {
            let message =
                format!("the constant `{text}` has {count} numbers, where at most {MOST} can be");
            self.report.error_help(
                Code::UnsupportedType,
                *span,
                message,
                "hand it to the kernel as an `ArrayView`",
            );
            return true;
        }
        let mut numbers = Vec::new();
        self.collect_numbers(ty, expr.clone(), &mut numbers);
        let parts = numbers
            .into_iter()
            .enumerate()
            .map(|(k, (expr, scalar))| ConstDef {
                owner: self.owner,
                expr,
                text: format!("{text}[{k}]"),
                ty: Ty::Scalar(scalar),
                span: *span,
                within: within.clone(),
            });
        let parts: Vec<ConstDef> = parts.collect();
        let first = self.program.consts.len();
        self.typed.constant_parts.insert(index, first);
        self.program.consts.extend(parts);
        true
    }

    /// How many numbers a constant of a type has; nothing if it is not made of numbers.
    fn numbers(&self, ty: &Ty) -> Option<usize> {
        match self.unifier.shallow(ty) {
            Ty::Scalar(_) => Some(1),
            Ty::Vector(scalar, count) => (scalar != Scalar::Bool).then_some(count as usize),
            Ty::Matrix(size) => Some((size * size) as usize),
            Ty::Array(element, Len::Literal(length)) if length > 0 => {
                self.numbers(&element)?.checked_mul(length as usize)
            }
            Ty::Tuple(parts) => parts
                .iter()
                .try_fold(0_usize, |sum, part| sum.checked_add(self.numbers(part)?)),
            _ => None,
        }
    }

    /// Each number of a constant as rustc computes it, in their order.
    fn collect_numbers(
        &self,
        ty: &Ty,
        expr: TokenStream,
        numbers: &mut Vec<(TokenStream, Scalar)>,
    ) {
        let (scalar, count, array) = match self.unifier.shallow(ty) {
            Ty::Scalar(scalar) => return numbers.push((expr, scalar)),
            Ty::Vector(scalar, count) => (scalar, count, quote!((#expr).to_array())),
            Ty::Matrix(size) => (Scalar::F32, size * size, quote!((#expr).to_cols_array())),
            Ty::Array(element, Len::Literal(length)) => {
                for k in 0..length as usize {
                    self.collect_numbers(&element, quote!((#expr)[#k]), numbers);
                }
                return;
            }
            Ty::Tuple(parts) => {
                for (k, part) in parts.iter().enumerate() {
                    let k = Literal::usize_unsuffixed(k);
                    self.collect_numbers(part, quote!((#expr).#k), numbers);
                }
                return;
            }
            _ => return,
        };
        let count = count as usize;
        numbers.extend((0..count).map(|k| (quote!(#array[#k]), scalar)));
    }
}
