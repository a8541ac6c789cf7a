//! glam's vectors: operators and methods by component.

use amp_spirv::tree::*;

use super::Generator;
use crate::build::*;

/// The scalars that vectors are made of.
const OF: [Scalar; 5] = [
    Scalar::F32,
    Scalar::F64,
    Scalar::I32,
    Scalar::U32,
    Scalar::Bool,
];

impl Generator {
    /// The type of a vector.
    pub fn vector_ty(&mut self) -> Type {
        let scalar = OF[self.rng.usize(0..OF.len())];
        Type::Vector(scalar, self.rng.u32(2..5))
    }

    /// A vector that is computed.
    pub fn vector(&mut self, scalar: Scalar, components: u32, depth: u32) -> Expr {
        let ty = Type::Vector(scalar, components);
        match self.rng.u8(0..6) {
            0..=2 if scalar == Scalar::Bool => self.mask(components, depth),
            0 | 1 => {
                let op = self.vector_operator(scalar);
                let left = self.value(&ty, depth);
                let right = self.vector_or_scalar(scalar, components, depth);
                binary(op, left, right)
            }
            2 => {
                let op = match scalar {
                    Scalar::F32 | Scalar::F64 => UnaryOp::Neg,
                    Scalar::I32 if self.rng.bool() => UnaryOp::Neg,
                    _ => UnaryOp::Not,
                };
                let value = self.value(&ty, depth);
                expr(ExprKind::Unary(op, Box::new(value)), ty)
            }
            3 if scalar != Scalar::Bool => {
                let from = OF[self.rng.usize(0..4)];
                let value = self.value(&Type::Vector(from, components), depth);
                if from == scalar {
                    return value;
                }
                cast(value, ty)
            }
            // glam picks no masks.
            4 if !(self.is_rust() && scalar == Scalar::Bool) => {
                let mask = self.value(&Type::Vector(Scalar::Bool, components), depth);
                let first = self.value(&ty, depth);
                let second = self.value(&ty, depth);
                math(MathOp::Select, ty, vec![mask, first, second])
            }
            _ => self.vector_method(scalar, components, depth),
        }
    }

    fn vector_operator(&mut self, scalar: Scalar) -> BinaryOp {
        use BinaryOp::*;
        let all: &[BinaryOp] = match scalar {
            Scalar::Bool => &[BitAnd, BitOr, BitXor],
            Scalar::F32 | Scalar::F64 => &[Add, Sub, Mul, Div, Rem],
            _ => &[Add, Sub, Mul, Div, Rem, BitAnd, BitOr, BitXor],
        };
        all[self.rng.usize(0..all.len())]
    }

    /// A scalar stands for each component; `bool` has no such operators.
    fn vector_or_scalar(&mut self, scalar: Scalar, components: u32, depth: u32) -> Expr {
        match scalar != Scalar::Bool && self.one_in(3) {
            true => self.value(&Type::Scalar(scalar), depth),
            false => self.value(&Type::Vector(scalar, components), depth),
        }
    }

    /// A comparison of vectors, or what is done to masks.
    fn mask(&mut self, components: u32, depth: u32) -> Expr {
        use BinaryOp::*;
        let ty = Type::Vector(Scalar::Bool, components);
        let of = Type::Vector(OF[self.rng.usize(0..4)], components);
        if self.one_in(4) {
            let value = self.value(&ty, depth);
            return expr(ExprKind::Unary(UnaryOp::Not, Box::new(value)), ty);
        }
        let op = [Eq, Ne, Lt, Le, Gt, Ge][self.rng.usize(0..6)];
        let left = self.value(&of, depth);
        let right = self.value(&of, depth);
        expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty)
    }

    fn vector_method(&mut self, scalar: Scalar, components: u32, depth: u32) -> Expr {
        use MathOp::*;
        let ty = Type::Vector(scalar, components);
        let ops: &[MathOp] = match (scalar, self.is_rust()) {
            (Scalar::F32 | Scalar::F64, true) => &[Abs, Floor, Ceil, Trunc],
            (Scalar::F32 | Scalar::F64, false) => &[
                Abs, Floor, Ceil, Trunc, Sqrt, Signum, Min, Max, Clamp, MulAdd,
            ],
            (Scalar::I32, _) => &[Abs, Min, Max],
            (Scalar::U32, _) => &[Min, Max],
            _ => return self.mask(components, depth),
        };
        let op = ops[self.rng.usize(0..ops.len())];
        let count = match op {
            Min | Max => 2,
            Clamp | MulAdd => 3,
            _ => 1,
        };
        let operands = (0..count).map(|_| self.value(&ty, depth)).collect();
        math(op, ty, operands)
    }
}
