//! Methods of integers.
//!
//! What looks at single bits is in `bits`.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;
use super::function::Operand;
use super::scalar::{is_signed, machine};
use crate::tree::{MathOp, Scalar, Type};

impl Emitter<'_> {
    /// A method of an integer.
    pub fn integer_math(
        &mut self,
        op: MathOp,
        operands: &[Operand<'_>],
        guard: Option<Word>,
    ) -> Word {
        let values: Vec<Word> = operands.iter().map(|it| it.word).collect();
        let ty = operands[0].ty;
        let scalar = ty.scalar().unwrap_or(Scalar::U32);
        let id = self.ty(ty);
        let signed = scalar.is_signed();
        let x = values[0];
        match op {
            MathOp::Min => self.lesser(ty, x, values[1]),
            MathOp::Max => self.greater(ty, x, values[1]),
            MathOp::Abs => {
                let abs = self.integer_abs(x, ty);
                self.fitted(abs, ty)
            }
            MathOp::UnsignedAbs => {
                let abs = self.integer_abs(x, ty);
                self.bits(abs, ty)
            }
            MathOp::Signum => self.integer_signum(x, ty),
            MathOp::AbsDiff => {
                let word = self.scalar_ty(machine(scalar).unsigned());
                let less = self.less(ty);
                let below = self.b.test(less, x, values[1]);
                let up = self.b.op(Op::ISub, word, &[values[1], x]);
                let down = self.b.op(Op::ISub, word, &[x, values[1]]);
                self.b.select(word, below, up, down)
            }
            MathOp::CountOnes => {
                let bits = self.bits(x, ty);
                self.count_ones(bits, scalar)
            }
            MathOp::CountZeros => {
                let bits = self.inverted(x, ty);
                self.count_ones(bits, scalar)
            }
            MathOp::LeadingZeros => {
                let bits = self.bits(x, ty);
                self.leading_zeros(bits, scalar)
            }
            MathOp::LeadingOnes => {
                let bits = self.inverted(x, ty);
                self.leading_zeros(bits, scalar)
            }
            MathOp::TrailingZeros => {
                let bits = self.bits(x, ty);
                self.trailing_zeros(bits, scalar)
            }
            MathOp::TrailingOnes => {
                let bits = self.inverted(x, ty);
                self.trailing_zeros(bits, scalar)
            }
            MathOp::ReverseBits => {
                let bits = self.bits(x, ty);
                let reversed = self.reverse_bits(bits, scalar);
                self.with_bits(reversed, ty)
            }
            MathOp::SwapBytes => {
                let bits = self.bits(x, ty);
                let swapped = self.swap_bytes(bits, scalar);
                self.with_bits(swapped, ty)
            }
            MathOp::RotateLeft | MathOp::RotateRight => {
                let mut count = values[1];
                if op == MathOp::RotateRight {
                    count = self.b.op(Op::SNegate, self.b.scalar.u32, &[count]);
                }
                let bits = self.bits(x, ty);
                let rotated = self.rotate_left(bits, count, scalar);
                self.with_bits(rotated, ty)
            }
            MathOp::IntPow => {
                let bits = self.bits(x, ty);
                let power = self.wrapping_pow(machine(scalar).unsigned(), bits, values[1]);
                let power = self.fitted(power, &Type::Scalar(scalar.unsigned()));
                self.with_bits(power, ty)
            }
            MathOp::IsPowerOfTwo => {
                let (zero, one) = (self.number(scalar, 0), self.number(scalar, 1));
                let some = self.b.test(Op::INotEqual, x, zero);
                let below = self.b.op(Op::ISub, id, &[x, one]);
                let shared = self.b.op(Op::BitwiseAnd, id, &[x, below]);
                let single = self.b.test(Op::IEqual, shared, zero);
                self.b.test(Op::LogicalAnd, some, single)
            }
            MathOp::DivCeil => {
                let divided = self.divide(ty, x, values[1], guard);
                let zero = self.b.null(id);
                let mut up = self.b.test(Op::INotEqual, divided.remainder, zero);
                if signed {
                    // Only a positive quotient was rounded down.
                    let signs = self.b.op(Op::BitwiseXor, id, &[x, values[1]]);
                    let positive = self.b.test(Op::SGreaterThanEqual, signs, zero);
                    up = self.b.test(Op::LogicalAnd, up, positive);
                }
                self.step_if(ty, up, Op::IAdd, divided.quotient)
            }
            MathOp::RemEuclid => {
                let divided = self.divide(ty, x, values[1], guard);
                if !signed {
                    return divided.remainder;
                }
                let width = self.integer_abs(values[1], ty);
                let zero = self.number(scalar, 0);
                let negative = self.b.test(Op::SLessThan, divided.remainder, zero);
                let raised = self.b.op(Op::IAdd, id, &[divided.remainder, width]);
                self.b.select(id, negative, raised, divided.remainder)
            }
            MathOp::DivEuclid => {
                let divided = self.divide(ty, x, values[1], guard);
                if !signed {
                    return divided.quotient;
                }
                let zero = self.number(scalar, 0);
                let negative = self.b.test(Op::SLessThan, divided.remainder, zero);
                let forward = self.b.test(Op::SGreaterThan, values[1], zero);
                let down = self.b.test(Op::LogicalAnd, negative, forward);
                let quotient = self.step_if(ty, down, Op::ISub, divided.quotient);
                let backward = self.b.not(forward);
                let up = self.b.test(Op::LogicalAnd, negative, backward);
                self.step_if(ty, up, Op::IAdd, quotient)
            }
            // The others are methods of floats.
            _ => x,
        }
    }

    /// `x.clamp(low, high)`
    pub fn integer_clamp(&mut self, ty: &Type, x: Word, low: Word, high: Word) -> Word {
        let (id, less) = (self.ty(ty), self.less(ty));
        let below = self.b.test(less, x, low);
        let above = self.b.test(less, high, x);
        let clamped = self.b.select(id, above, high, x);
        self.b.select(id, below, low, clamped)
    }

    /// `value`, one further if a condition holds.
    fn step_if(&mut self, ty: &Type, condition: Word, op: Op, value: Word) -> Word {
        let id = self.ty(ty);
        let scalar = ty.scalar().unwrap_or(Scalar::U32);
        let (one, zero) = (self.number(scalar, 1), self.number(scalar, 0));
        let step = self.b.select(id, condition, one, zero);
        self.b.op(op, id, &[value, step])
    }

    fn lesser(&mut self, ty: &Type, a: Word, b: Word) -> Word {
        let id = self.ty(ty);
        let op = match is_signed(ty) {
            true => GLOp::SMin,
            false => GLOp::UMin,
        };
        self.b.glsl(op, id, &[a, b])
    }

    fn greater(&mut self, ty: &Type, a: Word, b: Word) -> Word {
        let id = self.ty(ty);
        let op = match is_signed(ty) {
            true => GLOp::SMax,
            false => GLOp::UMax,
        };
        self.b.glsl(op, id, &[a, b])
    }

    /// The absolute value, where that of a narrow type's least value still has to be made
    /// to fit.
    fn integer_abs(&mut self, x: Word, ty: &Type) -> Word {
        if !is_signed(ty) {
            return x;
        }
        // `SAbs` leaves the absolute value of MIN open; negation wraps.
        let id = self.ty(ty);
        let zero = self.number(ty.scalar().unwrap_or(Scalar::I32), 0);
        let negative = self.b.test(Op::SLessThan, x, zero);
        let negated = self.b.op(Op::SNegate, id, &[x]);
        self.b.select(id, negative, negated, x)
    }

    /// Between -1 and 1: NVIDIA's compiler (580) fails on other forms, `SSign` among them,
    /// in kernels that also invert, negate or divide.
    fn integer_signum(&mut self, x: Word, ty: &Type) -> Word {
        let scalar = ty.scalar().unwrap_or(Scalar::I32);
        let [one, minus_one] = [1, -1].map(|value| self.number(scalar, value));
        let low = self.lesser(ty, x, one);
        self.greater(ty, low, minus_one)
    }

    /// The bits of `!x`.
    fn inverted(&mut self, x: Word, ty: &Type) -> Word {
        let scalar = ty.scalar().unwrap_or(Scalar::U32);
        let word = self.scalar_ty(machine(scalar).unsigned());
        let bits = self.bits(x, ty);
        let inverted = self.b.op(Op::Not, word, &[bits]);
        self.fitted(inverted, &Type::Scalar(scalar.unsigned()))
    }
}
