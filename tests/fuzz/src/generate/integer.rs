//! Integers of all widths: operators and methods.

use amp_spirv::tree::*;

use super::Generator;
use super::number::{negated, number_of};
use crate::build::*;

impl Generator {
    pub fn integer(&mut self, scalar: Scalar, depth: u32) -> Expr {
        let ty = Type::Scalar(scalar);
        match self.rng.u8(0..10) {
            0..=4 => {
                let op = self.operator(&ty);
                let left = self.value(&ty, depth);
                let right = self.right(op, &ty, depth);
                binary(op, left, right)
            }
            5 => {
                let value = self.value(&ty, depth);
                match scalar.is_signed() && self.rng.bool() {
                    true => negated(value),
                    false => expr(ExprKind::Unary(UnaryOp::Not, Box::new(value)), ty),
                }
            }
            6 | 7 => self.converted(scalar, depth),
            _ => self.integer_method(scalar, depth),
        }
    }

    fn integer_method(&mut self, scalar: Scalar, depth: u32) -> Expr {
        use MathOp::*;
        let ty = Type::Scalar(scalar);
        // These are of type u32 whatever is counted.
        if scalar == Scalar::U32 && self.rng.bool() {
            let ops = [
                CountOnes,
                CountZeros,
                LeadingZeros,
                TrailingZeros,
                LeadingOnes,
                TrailingOnes,
            ];
            let op = ops[self.rng.usize(0..ops.len())];
            let mut from = self.integer_ty();
            // They depend on how wide it is.
            if self.is_rust() && from == Type::USIZE {
                from = Type::U32;
            }
            let value = self.value(&from, depth);
            return math(op, ty, vec![value]);
        }
        if !scalar.is_signed() && self.one_in(3) {
            return self.unsigned_of(scalar, depth);
        }
        let mut ops = vec![
            Min,
            Max,
            Clamp,
            ReverseBits,
            SwapBytes,
            RotateLeft,
            RotateRight,
            IntPow,
            RemEuclid,
            DivEuclid,
        ];
        ops.extend(match scalar.is_signed() {
            true => [Abs, Signum],
            false => [AbsDiff, DivCeil],
        });
        let op = *self.rng.choice(&ops).expect("there are some");
        let mut operands = vec![self.value(&ty, depth)];
        match op {
            Min | Max | AbsDiff => operands.push(self.value(&ty, depth)),
            Clamp => {
                operands.push(self.value(&ty, depth));
                operands.push(self.value(&ty, depth));
            }
            RotateLeft | RotateRight => operands.push(self.value(&Type::U32, depth)),
            IntPow => operands.push(match self.rng.bool() {
                true => u32_(self.rng.u32(0..6)),
                false => self.value(&Type::U32, depth),
            }),
            RemEuclid | DivEuclid | DivCeil => {
                operands.push(self.right(BinaryOp::Div, &ty, depth));
            }
            _ => {}
        }
        math(op, ty, operands)
    }

    /// A method of another type whose result has no sign and is as wide.
    fn unsigned_of(&mut self, scalar: Scalar, depth: u32) -> Expr {
        let signed = match scalar {
            Scalar::U8 => Scalar::I8,
            Scalar::U16 => Scalar::I16,
            Scalar::U32 => Scalar::I32,
            Scalar::U64 => Scalar::I64,
            _ => Scalar::Isize,
        };
        let float = match scalar {
            Scalar::U16 if self.rng.bool() => Some(Scalar::F16),
            Scalar::U16 => Some(Scalar::Bf16),
            Scalar::U32 => Some(Scalar::F32),
            Scalar::U64 => Some(Scalar::F64),
            _ => None,
        };
        let ty = Type::Scalar(scalar);
        match (self.rng.u8(0..3), float) {
            (0, _) => {
                let value = self.value(&Type::Scalar(signed), depth);
                math(MathOp::UnsignedAbs, ty, vec![value])
            }
            (1, Some(float)) => {
                let value = self.value(&Type::Scalar(float), depth);
                math(MathOp::ToBits, ty, vec![number_of(value)])
            }
            _ => {
                let values = [(); 2].map(|()| self.value(&Type::Scalar(signed), depth));
                math(MathOp::AbsDiff, ty, values.into())
            }
        }
    }
}
