//! Operators on vectors and matrices.

use amp_spirv::{
    diagnostic::Code,
    tree::{BinaryOp, Scalar, UnaryOp},
};
use proc_macro2::Span;

use super::Ty;
use crate::{
    infer::{context::FnCx, ty::Kind},
    language::glam::COMPONENTS,
};

/// Whether the type is a vector or a matrix.
pub fn is_vector(ty: &Ty) -> bool {
    matches!(ty, Ty::Vector(..) | Ty::Matrix(_))
}

impl FnCx<'_> {
    /// Type of `op operand` if the operand is a vector or matrix.
    pub fn vector_unary(&mut self, op: UnaryOp, operand: &Ty, span: Span) -> Option<Ty> {
        let found = self.unifier.shallow(operand);
        let fits = match (op, &found) {
            (UnaryOp::Neg, Ty::Vector(scalar, _)) => !matches!(scalar, Scalar::Bool | Scalar::U32),
            (UnaryOp::Not, Ty::Vector(scalar, _)) => scalar.is_integer() || *scalar == Scalar::Bool,
            (UnaryOp::Neg, Ty::Matrix(_)) => true,
            (UnaryOp::Not, Ty::Matrix(_)) => false,
            _ => return None,
        };
        if !fits {
            let symbol = match op {
                UnaryOp::Neg => "-",
                UnaryOp::Not => "!",
            };
            let message = format!("`{symbol}` does not work on {}", self.show(&found));
            self.report.error_help(
                Code::Operator,
                span,
                message,
                "convert it first: `v.as_ivec3()` or the like",
            );
            return Some(Ty::Error);
        }
        Some(found)
    }

    /// Type of `left op right` if one of them is a vector or matrix.
    pub fn vector_binary(&mut self, op: BinaryOp, left: &Ty, right: &Ty, span: Span) -> Option<Ty> {
        if !is_vector(left) && !is_vector(right) {
            return None;
        }
        let result = match (left, right) {
            (Ty::Never, other) | (other, Ty::Never) => Some(other.clone()),
            (Ty::Matrix(_), _) | (_, Ty::Matrix(_)) => self.matrix_operator(op, left, right),
            (Ty::Vector(scalar, components), _) => {
                self.vector_operator(op, *scalar, *components, right)
            }
            (other, Ty::Vector(scalar, _)) if is_arithmetic(op) && *scalar != Scalar::Bool => {
                let fits = self.is_unknown_term(op, other, right) || self.is_scalar(other, *scalar);
                fits.then(|| right.clone())
            }
            _ => None,
        };
        Some(result.unwrap_or_else(|| {
            let message = format!(
                "`{}` does not combine {} with {}",
                op.symbol(),
                self.show(left),
                self.show(right)
            );
            let help = match op {
                BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                    "compare components, or use `cmplt`, `cmple`, `cmpgt`, `cmpge`, which make a \
                     mask"
                }
                _ => {
                    "both have one type, or one is a scalar of the same kind; `as_vec3()` and the \
                     like convert"
                }
            };
            self.report.error_help(Code::Operator, span, message, help);
            self.unifier.poison(left);
            self.unifier.poison(right);
            Ty::Error
        }))
    }

    /// Whether `found` is a constant of unknown type in a sum or difference, which is then
    /// taken for a vector as the other side is one; in a product it is taken for a scalar.
    fn is_unknown_term(&mut self, op: BinaryOp, found: &Ty, own: &Ty) -> bool {
        let is_sum = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        let is_unknown = matches!(found, Ty::Var(var) if self.unifier.kind(*var) == Kind::Any);
        is_sum && is_unknown && self.unifier.unify(found, own)
    }

    /// Whether `found` is this scalar, or a literal that becomes it.
    fn is_scalar(&mut self, found: &Ty, scalar: Scalar) -> bool {
        match found {
            Ty::Scalar(found) => *found == scalar,
            Ty::Var(var) if self.unifier.kind(*var) != Kind::Any => {
                self.unifier.unify(found, &Ty::Scalar(scalar))
            }
            // A constant that rustc computes.
            Ty::Var(_) => self.unifier.unify(found, &Ty::Scalar(scalar)),
            _ => false,
        }
    }

    fn vector_operator(
        &mut self,
        op: BinaryOp,
        scalar: Scalar,
        components: u32,
        right: &Ty,
    ) -> Option<Ty> {
        let own = Ty::Vector(scalar, components);
        let integer = scalar.is_integer();
        match op {
            BinaryOp::Eq | BinaryOp::Ne => (*right == own).then_some(Ty::BOOL),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => None,
            BinaryOp::Shl | BinaryOp::Shr => {
                let counts = match right {
                    Ty::Vector(Scalar::I32 | Scalar::U32, count) => *count == components,
                    Ty::Scalar(Scalar::I32 | Scalar::U32) => true,
                    Ty::Var(_) => self.is_scalar(right, Scalar::I32),
                    _ => false,
                };
                (integer && counts).then_some(own)
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                let fits = *right == own || (integer && self.is_scalar(right, scalar));
                (fits && (integer || scalar == Scalar::Bool)).then_some(own)
            }
            _ => {
                let fits = *right == own
                    || self.is_unknown_term(op, right, &own)
                    || self.is_scalar(right, scalar);
                (scalar != Scalar::Bool && fits).then_some(own)
            }
        }
    }

    fn matrix_operator(&mut self, op: BinaryOp, left: &Ty, right: &Ty) -> Option<Ty> {
        match (op, left, right) {
            (BinaryOp::Eq | BinaryOp::Ne, Ty::Matrix(m), Ty::Matrix(n)) if m == n => Some(Ty::BOOL),
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Ty::Matrix(m), Ty::Matrix(n))
                if m == n =>
            {
                Some(left.clone())
            }
            (BinaryOp::Mul, Ty::Matrix(m), Ty::Vector(Scalar::F32, n)) if m == n => {
                Some(right.clone())
            }
            (BinaryOp::Mul | BinaryOp::Div, Ty::Matrix(_), other)
                if self.is_scalar(other, Scalar::F32) =>
            {
                Some(left.clone())
            }
            (BinaryOp::Mul, other, Ty::Matrix(_)) if self.is_scalar(other, Scalar::F32) => {
                Some(right.clone())
            }
            _ => None,
        }
    }

    /// Type of the part of a vector or matrix that is called `member`.
    pub fn vector_field(&self, base: &Ty, member: &str) -> Option<Ty> {
        let count = match base {
            Ty::Vector(_, count) | Ty::Matrix(count) => *count,
            _ => return None,
        };
        let position = component(base, member)?;
        let part = match base {
            Ty::Vector(scalar, _) => Ty::Scalar(*scalar),
            _ => Ty::Vector(Scalar::F32, count),
        };
        (position < count).then_some(part)
    }
}

/// The number of the component or column that is called `member`.
pub fn component(base: &Ty, member: &str) -> Option<u32> {
    let letter = match base {
        Ty::Matrix(_) => member.strip_suffix("_axis")?,
        _ => member,
    };
    let position = COMPONENTS.iter().position(|known| *known == letter)?;
    Some(position as u32)
}

/// What a vector or matrix consists of, for an error about one of its parts.
pub fn parts_of(ty: &Ty) -> String {
    let (what, suffix, count) = match ty {
        Ty::Matrix(count) => ("columns", "_axis", *count),
        Ty::Vector(_, count) => ("components", "", *count),
        _ => ("components", "", 0),
    };
    let names: Vec<String> = COMPONENTS[..count as usize]
        .iter()
        .map(|letter| format!("`{letter}{suffix}`"))
        .collect();
    format!("its {what} are {}", names.join(", "))
}

fn is_arithmetic(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem
    )
}
