//! Literals: their types, and whether the value fits once the type is known.

use amp_spirv::{
    diagnostic::Code,
    tree::{IndexWidth, Scalar},
};
use proc_macro2::Span;
use syn::{Expr, ExprLit, ExprUnary, Lit, UnOp};

use super::{
    context::{FnCx, PendingLiteral},
    ty::{Kind, Ty},
};

impl FnCx<'_> {
    /// Type of a literal. `negative` if a minus stands right before it.
    pub fn literal(&mut self, literal: &ExprLit, negative: bool) -> Ty {
        match &literal.lit {
            Lit::Bool(_) => Ty::BOOL,
            Lit::Byte(_) => Ty::Scalar(Scalar::U8),
            Lit::Int(int) => {
                let ty = match int.suffix() {
                    "" => self.unifier.fresh(Kind::Int),
                    suffix => self.suffix(suffix, int.span()),
                };
                // In a pattern the minus is part of the literal.
                let digits = int.base10_digits();
                let (digits, negative) = match digits.strip_prefix('-') {
                    Some(digits) => (digits, true),
                    None => (digits, negative),
                };
                self.literals.push(PendingLiteral {
                    ty: ty.clone(),
                    text: digits.to_owned(),
                    value: digits.parse().ok(),
                    negative,
                    span: int.span(),
                });
                ty
            }
            Lit::Float(float) => {
                let ty = match float.suffix() {
                    "" => self.unifier.fresh(Kind::Float),
                    suffix => self.suffix(suffix, float.span()),
                };
                self.literals.push(PendingLiteral {
                    ty: ty.clone(),
                    text: float.base10_digits().to_owned(),
                    value: None,
                    negative,
                    span: float.span(),
                });
                ty
            }
            other => {
                let (what, help) = match other {
                    Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_) => {
                        ("string literal", "kernels have no strings")
                    }
                    Lit::Char(_) => (
                        "char literal",
                        "use a byte, `b'A'`, or its number: `65_u32`",
                    ),
                    _ => (
                        "literal of this kind",
                        "kernels have bool, integer and float literals",
                    ),
                };
                let message = format!("{what} in a kernel");
                self.report
                    .error_help(Code::UnsupportedSyntax, &literal.lit, message, help);
                Ty::Error
            }
        }
    }

    fn suffix(&mut self, suffix: &str, span: Span) -> Ty {
        match Scalar::from_name(suffix) {
            Some(scalar) if scalar != Scalar::Bool && !scalar.is_half() => Ty::Scalar(scalar),
            _ => {
                self.report.error_help(
                    Code::UnsupportedType,
                    span,
                    format!("literal of type `{suffix}` in a kernel"),
                    "literals of kernels are integers of up to 64 bits, f32 and f64",
                );
                Ty::Error
            }
        }
    }

    /// As rustc does: a literal right under `as` takes the type that it is cast to.
    pub fn hint_literal(&mut self, expr: &Expr, target: Scalar) {
        match expr {
            Expr::Lit(_) => {
                let ty = self.typed.ty(expr).clone();
                if let Ty::Var(var) = self.unifier.shallow(&ty) {
                    let fits = match self.unifier.kind(var) {
                        Kind::Int => target.is_integer(),
                        Kind::Float => target.is_float() && !target.is_half(),
                        Kind::Any => false,
                    };
                    if fits {
                        self.unifier.unify(&ty, &Ty::Scalar(target));
                    }
                }
            }
            Expr::Paren(paren) => self.hint_literal(&paren.expr, target),
            Expr::Group(group) => self.hint_literal(&group.expr, target),
            Expr::Unary(ExprUnary {
                op: UnOp::Neg(_),
                expr,
                ..
            }) => self.hint_literal(expr, target),
            _ => {}
        }
    }

    /// Reports literals that do not fit.
    pub fn settle_literals(&mut self) {
        for literal in std::mem::take(&mut self.literals) {
            if let Ty::Scalar(scalar) = self.unifier.defaulted(&literal.ty) {
                self.check_range(&literal, scalar);
            }
        }
    }

    fn check_range(&mut self, literal: &PendingLiteral, scalar: Scalar) {
        let fits = match (scalar, literal.value) {
            (Scalar::F32, _) => literal.text.parse::<f32>().is_ok_and(f32::is_finite),
            (Scalar::F64, _) => literal.text.parse::<f64>().is_ok_and(f64::is_finite),
            (integer, Some(value)) if integer.is_integer() => {
                // The minus of `-128_i8` is an operator, but what it leads to counts.
                let least = u128::from(literal.negative && integer.is_signed());
                value <= self.program.index.settled(integer).max() as u128 + least
            }
            _ => false,
        };
        if !fits {
            let sign = if literal.negative { "-" } else { "" };
            let help = match scalar {
                Scalar::Usize | Scalar::Isize if self.program.index == IndexWidth::Bits32 => {
                    format!(
                        "{} is 32 bits wide on a device, or 64 in kernels with `index = 64`",
                        with_article(scalar)
                    )
                }
                Scalar::F32 => format!("its range is {:e} to {:e}", f32::MIN, f32::MAX),
                Scalar::F64 => format!("its range is {:e} to {:e}", f64::MIN, f64::MAX),
                other => {
                    let other = self.program.index.settled(other);
                    format!("its range is {} to {}", other.min(), other.max())
                }
            };
            self.report.error_help(
                Code::LiteralRange,
                literal.span,
                format!("`{sign}{}` does not fit `{}`", literal.text, scalar.name()),
                help,
            );
        }
    }
}

/// `an isize`, `a usize`.
fn with_article(scalar: Scalar) -> String {
    let article = if scalar.is_signed() { "an" } else { "a" };
    format!("{article} {}", scalar.name())
}
