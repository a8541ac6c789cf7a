//! Methods of integers.
//!
//! Bit operations work on `u32` whatever the type; `GLSL.std.450` gives all ones for
//! the highest or lowest bit of zero, which the arithmetic around it makes 32.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;
use super::math::integer_literal;
use crate::ir::{Expr, MathOp, Span, Type};

/// Up to this exponent a power is a chain of products.
const UNROLLED_POWER: u32 = 32;

impl Emitter<'_> {
    /// A method of an integer.
    pub fn integer_math(
        &mut self,
        op: MathOp,
        operands: &[Expr],
        values: &[Word],
        span: Span,
    ) -> Word {
        let ty = &operands[0].ty;
        let id = self.ty(ty);
        let u32_ty = self.b.scalar.u32;
        let signed = *ty == Type::I32;
        let x = values[0];
        match op {
            MathOp::Min => {
                let op = if signed { GLOp::SMin } else { GLOp::UMin };
                self.b.glsl(op, id, &values[..2])
            }
            MathOp::Max => {
                let op = if signed { GLOp::SMax } else { GLOp::UMax };
                self.b.glsl(op, id, &values[..2])
            }
            MathOp::Clamp => {
                let (low, high) = (values[1], values[2]);
                let less = if signed { Op::SLessThan } else { Op::ULessThan };
                let below = self.b.test(less, x, low);
                let above = self.b.test(less, high, x);
                let empty = self.b.test(less, high, low);
                let clamped = self.b.select(id, above, high, x);
                let clamped = self.b.select(id, below, low, clamped);
                let ok = self.b.not(empty);
                self.clamp_checked(x, clamped, ok, operands, values, span)
            }
            MathOp::Abs => self.integer_abs(x, ty),
            MathOp::UnsignedAbs => {
                let abs = self.integer_abs(x, ty);
                self.bits(abs, ty)
            }
            MathOp::Signum => self.b.glsl(GLOp::SSign, id, &[x]),
            MathOp::AbsDiff => {
                let less = if signed { Op::SLessThan } else { Op::ULessThan };
                let below = self.b.test(less, x, values[1]);
                let up = self.b.int(Op::ISub, values[1], x);
                let down = self.b.int(Op::ISub, x, values[1]);
                self.b.select(u32_ty, below, up, down)
            }
            MathOp::CountOnes => {
                let bits = self.bits(x, ty);
                self.b.op(Op::BitCount, u32_ty, &[bits])
            }
            MathOp::CountZeros => {
                let bits = self.inverted(x, ty);
                self.b.op(Op::BitCount, u32_ty, &[bits])
            }
            MathOp::LeadingZeros => {
                let bits = self.bits(x, ty);
                self.leading_zeros(bits)
            }
            MathOp::LeadingOnes => {
                let bits = self.inverted(x, ty);
                self.leading_zeros(bits)
            }
            MathOp::TrailingZeros => {
                let bits = self.bits(x, ty);
                self.trailing_zeros(bits)
            }
            MathOp::TrailingOnes => {
                let bits = self.inverted(x, ty);
                self.trailing_zeros(bits)
            }
            MathOp::ReverseBits => {
                let bits = self.bits(x, ty);
                let reversed = self.b.op(Op::BitReverse, u32_ty, &[bits]);
                self.with_bits(reversed, ty)
            }
            MathOp::SwapBytes => {
                let bits = self.bits(x, ty);
                let swapped = self.swap_bytes(bits);
                self.with_bits(swapped, ty)
            }
            MathOp::RotateLeft | MathOp::RotateRight => {
                let mut count = self.bits(values[1], &operands[1].ty);
                if op == MathOp::RotateRight {
                    count = self.b.op(Op::SNegate, u32_ty, &[count]);
                }
                let bits = self.bits(x, ty);
                let rotated = self.rotate_left(bits, count);
                self.with_bits(rotated, ty)
            }
            MathOp::IntPow => {
                let bits = self.bits(x, ty);
                let power = match integer_literal(&operands[1]).map(u32::try_from) {
                    Some(Ok(exponent)) if exponent <= UNROLLED_POWER => {
                        let one = self.b.u32(1);
                        self.power_chain(bits, exponent, one, |emitter, a, b| {
                            emitter.b.int(Op::IMul, a, b)
                        })
                    }
                    _ => self.wrapping_pow(bits, values[1]),
                };
                self.with_bits(power, ty)
            }
            MathOp::IsPowerOfTwo => {
                let (zero, one) = (self.b.u32(0), self.b.u32(1));
                let some = self.b.test(Op::INotEqual, x, zero);
                let below = self.b.int(Op::ISub, x, one);
                let shared = self.b.int(Op::BitwiseAnd, x, below);
                let single = self.b.test(Op::IEqual, shared, zero);
                self.b.test(Op::LogicalAnd, some, single)
            }
            MathOp::DivCeil => {
                let divided = self.divide(ty, x, values[1], &operands[1], span);
                let zero = self.b.null(id);
                let mut up = self.b.test(Op::INotEqual, divided.remainder, zero);
                if signed {
                    // Only a positive quotient was rounded down.
                    let signs = self.b.op(Op::BitwiseXor, id, &[x, values[1]]);
                    let positive = self.b.test(Op::SGreaterThanEqual, signs, zero);
                    up = self.b.test(Op::LogicalAnd, up, positive);
                }
                self.step_if(id, up, Op::IAdd, divided.quotient)
            }
            MathOp::RemEuclid => {
                let divided = self.divide(ty, x, values[1], &operands[1], span);
                if !signed {
                    return divided.remainder;
                }
                let width = self.integer_abs(values[1], ty);
                let zero = self.b.i32(0);
                let negative = self.b.test(Op::SLessThan, divided.remainder, zero);
                let raised = self.b.op(Op::IAdd, id, &[divided.remainder, width]);
                self.b.select(id, negative, raised, divided.remainder)
            }
            MathOp::DivEuclid => {
                let divided = self.divide(ty, x, values[1], &operands[1], span);
                if !signed {
                    return divided.quotient;
                }
                let zero = self.b.i32(0);
                let negative = self.b.test(Op::SLessThan, divided.remainder, zero);
                let forward = self.b.test(Op::SGreaterThan, values[1], zero);
                let down = self.b.test(Op::LogicalAnd, negative, forward);
                let quotient = self.step_if(id, down, Op::ISub, divided.quotient);
                let backward = self.b.not(forward);
                let up = self.b.test(Op::LogicalAnd, negative, backward);
                self.step_if(id, up, Op::IAdd, quotient)
            }
            // The others are methods of floats.
            _ => x,
        }
    }

    /// `value`, one further if a condition holds.
    fn step_if(&mut self, ty: Word, condition: Word, op: Op, value: Word) -> Word {
        let (one, zero) = if ty == self.b.scalar.i32 {
            (self.b.i32(1), self.b.i32(0))
        } else {
            (self.b.u32(1), self.b.u32(0))
        };
        let step = self.b.select(ty, condition, one, zero);
        self.b.op(op, ty, &[value, step])
    }

    fn integer_abs(&mut self, x: Word, ty: &Type) -> Word {
        if *ty != Type::I32 {
            return x;
        }
        // `SAbs` leaves the absolute value of MIN open; negation wraps.
        let (id, zero) = (self.b.scalar.i32, self.b.i32(0));
        let negative = self.b.test(Op::SLessThan, x, zero);
        let negated = self.b.op(Op::SNegate, id, &[x]);
        self.b.select(id, negative, negated, x)
    }

    fn inverted(&mut self, x: Word, ty: &Type) -> Word {
        let bits = self.bits(x, ty);
        self.b.op(Op::Not, self.b.scalar.u32, &[bits])
    }

    fn leading_zeros(&mut self, bits: Word) -> Word {
        let highest = self.b.glsl(GLOp::FindUMsb, self.b.scalar.u32, &[bits]);
        let last = self.b.u32(31);
        self.b.int(Op::ISub, last, highest)
    }

    fn trailing_zeros(&mut self, bits: Word) -> Word {
        let u32_ty = self.b.scalar.u32;
        let lowest = self.b.glsl(GLOp::FindILsb, u32_ty, &[bits]);
        let width = self.b.u32(32);
        self.b.glsl(GLOp::UMin, u32_ty, &[lowest, width])
    }

    fn rotate_left(&mut self, bits: Word, count: Word) -> Word {
        let mask = self.b.u32(31);
        let left = self.b.int(Op::BitwiseAnd, count, mask);
        let negated = self.b.op(Op::SNegate, self.b.scalar.u32, &[left]);
        let right = self.b.int(Op::BitwiseAnd, negated, mask);
        let high = self.b.int(Op::ShiftLeftLogical, bits, left);
        let low = self.b.int(Op::ShiftRightLogical, bits, right);
        self.b.int(Op::BitwiseOr, high, low)
    }

    /// Halves change places, then the bytes of each.
    fn swap_bytes(&mut self, bits: Word) -> Word {
        let (sixteen, eight) = (self.b.u32(16), self.b.u32(8));
        let mask = self.b.u32(0x00ff_00ff);
        let halves = self.rotate_left(bits, sixteen);
        let low = self.b.int(Op::BitwiseAnd, halves, mask);
        let raised = self.b.int(Op::ShiftLeftLogical, low, eight);
        let lowered = self.b.int(Op::ShiftRightLogical, halves, eight);
        let high = self.b.int(Op::BitwiseAnd, lowered, mask);
        self.b.int(Op::BitwiseOr, raised, high)
    }

    /// A power with a known exponent, by squaring from the lowest bit.
    pub fn power_chain(
        &mut self,
        base: Word,
        exponent: u32,
        one: Word,
        mut times: impl FnMut(&mut Self, Word, Word) -> Word,
    ) -> Word {
        let (mut base, mut rest, mut product) = (base, exponent, None);
        while rest > 0 {
            if rest & 1 == 1 {
                product = Some(match product {
                    Some(product) => times(self, product, base),
                    None => base,
                });
            }
            rest >>= 1;
            if rest > 0 {
                base = times(self, base, base);
            }
        }
        product.unwrap_or(one)
    }
}
