//! Numeric methods: the way to integers or floats, and what both have.

use spirv::Word;

use super::Emitter;
use super::function::Operand;
use crate::tree::{MathOp, Scalar, Type};

impl Emitter<'_> {
    /// A numeric method with a result of type `ty`, zero unless the guard holds.
    pub fn math(
        &mut self,
        op: MathOp,
        ty: &Type,
        operands: &[Operand<'_>],
        guard: Option<Word>,
    ) -> Word {
        let receiver = operands[0];
        if let Type::Vector(..) = ty {
            return self.vector_math(op, ty, operands, guard);
        }
        let x = receiver.word;
        match (op, receiver.ty.scalar()) {
            (MathOp::Select, _) => {
                let ty = self.ty(ty);
                self.b.select(ty, x, operands[1].word, operands[2].word)
            }
            (MathOp::FromBits, _) => self.with_bits(x, ty),
            (MathOp::ToBits, _) => self.bits(x, receiver.ty),
            (MathOp::Clamp, _) => {
                let clamped = self.clamp(receiver.ty, operands);
                match guard {
                    None => clamped,
                    Some(ok) => {
                        let (id, zero) = (self.ty(ty), self.hidden_zero_of(ty));
                        self.b.select(id, ok, clamped, zero)
                    }
                }
            }
            (_, Some(Scalar::F64)) => self.double_math(op, operands),
            // Of the halves only methods whose results need no rounding.
            (_, Some(scalar)) if scalar.is_float() => self.float_math(op, operands),
            _ => self.integer_math(op, operands, guard),
        }
    }

    /// `x.clamp(low, high)` of limits that are in order.
    fn clamp(&mut self, ty: &Type, operands: &[Operand<'_>]) -> Word {
        let [x, low, high] = [0, 1, 2].map(|k| operands[k].word);
        match ty.scalar() {
            Some(Scalar::F64) => self.double_clamp(x, low, high),
            Some(scalar) if scalar.is_float() => self.float_clamp(x, low, high),
            _ => self.integer_clamp(ty, x, low, high),
        }
    }
}
