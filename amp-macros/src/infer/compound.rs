//! Constants of several numbers, which the host hands over number by number: vectors, matrices,
//! arrays, tuples and structs of these and of scalars, and enums with fields of all these. Left out are enums that
//! the function with the constant does not name, as nothing tells the path of their cases there.

use amp_spirv::{diagnostic::Code, tree::Scalar};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Member, Path};

use super::{
    context::FnCx,
    names::Meaning,
    program::{ConstDef, Program},
    ty::{Applied, Len, Ty},
};
use crate::language::name::standard_path;

/// Numbers that one constant may have: each is a specialization constant.
const MOST: usize = 256;

impl Program {
    /// Whether Rust matches values of a type with constants, part by part.
    pub fn is_structural(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Scalar(_) | Ty::Enum(_) | Ty::Var(_) | Ty::Error => true,
            Ty::Tuple(_) | Ty::Array(..) => ty.parts().all(|part| self.is_structural(part)),
            Ty::Struct(index, applied) => {
                let is_derived = self.structs[*index].derives("PartialEq");
                let fields = self.fields(*index, applied);
                (is_derived || self.standard_name(ty).is_some())
                    && fields.iter().all(|(_, field)| self.is_structural(field))
            }
            _ => false,
        }
    }
}

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
            Ty::Struct(index, applied) => {
                self.path_of_enum(index)?;
                let fields = self.program.fields(index, &applied);
                let mut parts = fields.iter().map(|(_, part)| part);
                parts.try_fold(0_usize, |sum, part| {
                    self.has_zeroes(part)
                        .then_some(sum)?
                        .checked_add(self.numbers(part)?)
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
            Ty::Struct(index, applied) if self.program.structs[index].is_enum() => {
                let fields = self.program.fields(index, &applied);
                if let Some(path) = self.path_of_enum(index) {
                    self.collect_of_cases(index, &path, &fields, (&expr, span), numbers);
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

    /// The path of an enum with fields where the constant is written.
    fn path_of_enum(&self, index: usize) -> Option<TokenStream> {
        let ty = Ty::Struct(index, Applied::default());
        if let Some(name) = self.program.core_name(&ty) {
            return standard_path(name, Span::call_site());
        }
        let path = self.names.path_of(Meaning::Struct(index))?;
        Some(syn::parse_str::<Path>(path).ok()?.to_token_stream())
    }

    /// The same of an enum: the position of its case, and the fields of all cases, of which those that are not
    /// there are zero.
    fn collect_of_cases(
        &self,
        index: usize,
        of_enum: &TokenStream,
        fields: &[(String, Ty)],
        (expr, span): (&TokenStream, Span),
        numbers: &mut Vec<(TokenStream, Ty)>,
    ) {
        let of = &self.program.structs[index];
        let path = |case: &str| {
            let case = format_ident!("{case}");
            quote!(#of_enum::#case)
        };
        let tags = of.cases.iter().enumerate().map(|(position, case)| {
            let (path, position) = (path(&case.name), Literal::u32_suffixed(position as u32));
            quote!(#path { .. } => #position)
        });
        numbers.push((quote!(match #expr { #(#tags),* }), Ty::U32));
        let all = of.cases.iter().flat_map(|case| {
            let fields = fields[case.first..].iter().zip(&case.fields);
            fields.map(|((_, part), field)| (path(&case.name), field, part))
        });
        for (path, field, part) in all {
            let Ok(field) = syn::parse_str::<Member>(field) else {
                continue;
            };
            let mut parts = Vec::new();
            self.collect_numbers(part, quote!(__amp_value), span, &mut parts);
            numbers.extend(parts.into_iter().map(|(number, ty)| {
                let zero = match ty {
                    Ty::Scalar(Scalar::Bool) => quote!(false),
                    _ => quote!(0 as _),
                };
                let number = quote! {
                    match #expr {
                        #path { #field: __amp_value, .. } => #number,
                        #[allow(unreachable_patterns)]
                        _ => #zero,
                    }
                };
                (number, ty)
            }));
        }
    }

    /// Whether all parts of a type are numbers or `bool`, whose zero a constant can name.
    fn has_zeroes(&self, ty: &Ty) -> bool {
        match self.unifier.shallow(ty) {
            Ty::Scalar(scalar) => !scalar.is_half(),
            Ty::Vector(..) | Ty::Matrix(_) => true,
            Ty::Array(element, _) => self.has_zeroes(&element),
            Ty::Tuple(parts) => parts.iter().all(|part| self.has_zeroes(part)),
            Ty::Struct(index, applied) => {
                let fields = self.program.fields(index, &applied);
                fields.iter().all(|(_, part)| self.has_zeroes(part))
            }
            _ => false,
        }
    }
}
