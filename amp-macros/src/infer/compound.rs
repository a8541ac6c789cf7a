//! Constants of several numbers, which the host hands over number by number: vectors, matrices,
//! and arrays, tuples and structs of these and of scalars. Left out are enums with fields.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use syn::Member;

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
        let place = span.resolved_at(Span::call_site());
        self.collect_numbers(ty, expr.clone(), place, &mut numbers);
        let parts = numbers
            .into_iter()
            .enumerate()
            .map(|(k, (expr, ty))| ConstDef {
                owner: self.owner,
                expr,
                text: format!("{text}[{k}]"),
                ty,
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
            Ty::Scalar(_) | Ty::Enum(_) => Some(1),
            Ty::Vector(scalar, count) => (scalar != Scalar::Bool).then_some(count as usize),
            Ty::Matrix(size) => Some((size * size) as usize),
            Ty::Array(element, Len::Literal(length)) if length > 0 => {
                self.numbers(&element)?.checked_mul(length as usize)
            }
            Ty::Tuple(parts) => parts
                .iter()
                .try_fold(0_usize, |sum, part| sum.checked_add(self.numbers(part)?)),
            Ty::Struct(index, applied) if !self.program.structs[index].is_enum() => {
                let fields = self.program.fields(index, &applied);
                let mut fields = fields.iter();
                fields.try_fold(0_usize, |sum, (_, part)| {
                    sum.checked_add(self.numbers(part)?)
                })
            }
            _ => None,
        }
    }

    /// Each number of a constant that is written at `span`, as rustc computes it, in their order.
    fn collect_numbers(
        &self,
        ty: &Ty,
        expr: TokenStream,
        span: Span,
        numbers: &mut Vec<(TokenStream, Ty)>,
    ) {
        let (scalar, count, array) = match self.unifier.shallow(ty) {
            number @ (Ty::Scalar(_) | Ty::Enum(_)) => return numbers.push((expr, number)),
            Ty::Vector(scalar, count) => (scalar, count, quote!((#expr).to_array())),
            Ty::Matrix(size) => (Scalar::F32, size * size, quote!((#expr).to_cols_array())),
            Ty::Array(element, Len::Literal(length)) => {
                for k in 0..length as usize {
                    self.collect_numbers(&element, quote!((#expr)[#k]), span, numbers);
                }
                return;
            }
            Ty::Tuple(parts) => {
                for (k, part) in parts.iter().enumerate() {
                    let k = Literal::usize_unsuffixed(k);
                    self.collect_numbers(part, quote!((#expr).#k), span, numbers);
                }
                return;
            }
            Ty::Struct(index, applied) => {
                for (field, part) in self.program.fields(index, &applied) {
                    if let Ok(mut field) = syn::parse_str::<Member>(&field) {
                        // A field that is not visible is reported at the constant.
                        match &mut field {
                            Member::Named(name) => name.set_span(span),
                            Member::Unnamed(position) => position.span = span,
                        }
                        self.collect_numbers(&part, quote!((#expr).#field), span, numbers);
                    }
                }
                return;
            }
            _ => return,
        };
        let count = count as usize;
        numbers.extend((0..count).map(|k| (quote!(#array[#k]), Ty::Scalar(scalar))));
    }
}
