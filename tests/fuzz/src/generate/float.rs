//! Floats: operators and exact methods.

use amp_spirv::tree::*;

use super::Generator;
use super::number::{negated, number_of};
use crate::build::*;

impl Generator {
    pub fn float(&mut self, scalar: Scalar, depth: u32) -> Expr {
        let ty = Type::Scalar(scalar);
        match self.rng.u8(0..10) {
            0..=4 => {
                let op = self.operator(&ty);
                let left = self.value(&ty, depth);
                let right = self.value(&ty, depth);
                binary(op, left, right)
            }
            5 => {
                let value = self.value(&ty, depth);
                negated(value)
            }
            6 => self.converted(scalar, depth),
            _ => self.float_method(scalar, depth),
        }
    }

    fn float_method(&mut self, scalar: Scalar, depth: u32) -> Expr {
        use MathOp::*;
        let ty = Type::Scalar(scalar);
        let all: &[MathOp] = &[
            Min,
            Max,
            Copysign,
            Clamp,
            FromBits,
            Signum,
            // Halves have no others.
            MulAdd,
            Abs,
            Sqrt,
            Sqrt,
            Floor,
            Ceil,
            Trunc,
            Round,
            RoundTiesEven,
            Fract,
            Recip,
        ];
        let most = if scalar.is_half() { 6 } else { all.len() };
        let op = all[self.rng.usize(0..most)];
        let operands = match op {
            FromBits => vec![self.value(&Type::Scalar(scalar.unsigned()), depth)],
            MulAdd | Clamp => (0..3).map(|_| self.value(&ty, depth)).collect(),
            Copysign => {
                let size = self.value(&ty, depth);
                let sign = self.value(&ty, depth);
                vec![size, number_of(sign)]
            }
            Min | Max => (0..2).map(|_| self.value(&ty, depth)).collect(),
            _ => vec![self.value(&ty, depth)],
        };
        math(op, ty, operands)
    }
}
