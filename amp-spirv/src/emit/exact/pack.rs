//! Finite floats as integers: apart, and rounded together again.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};

use super::super::Emitter;
use super::{HIDDEN, INFINITY, MANTISSA};

impl Emitter<'_> {
    /// Mantissa with its highest bit at 23, and the exponent `e` (an `i32`) for which a
    /// finite magnitude other than zero is mantissa times 2^(e - 150).
    pub(in crate::emit) fn decompose(&mut self, magnitude: Word) -> (Word, Word) {
        let (u32_ty, i32_ty) = (self.b.scalar.u32, self.b.scalar.i32);
        let (place, low, hidden) = (self.b.u32(23), self.b.u32(MANTISSA), self.b.u32(HIDDEN));
        let (zero, one) = (self.b.u32(0), self.b.u32(1));
        let exponent = self.b.int(Op::ShiftRightLogical, magnitude, place);
        let fraction = self.b.int(Op::BitwiseAnd, magnitude, low);
        let denormal = self.b.test(Op::IEqual, exponent, zero);
        let whole = self.b.int(Op::BitwiseOr, fraction, hidden);
        let mantissa = self.b.select(u32_ty, denormal, fraction, whole);
        let exponent = self.b.select(u32_ty, denormal, one, exponent);
        let exponent = self.b.bitcast(i32_ty, exponent);
        let (mantissa, shift) = self.raise(mantissa, 23);
        let exponent = self.b.op(Op::ISub, i32_ty, &[exponent, shift]);
        (mantissa, exponent)
    }

    /// A `u32` other than zero moved up until its highest bit is at `place`, and by how
    /// much.
    pub(in crate::emit) fn raise(&mut self, bits: Word, place: u32) -> (Word, Word) {
        let highest = self.b.glsl(GLOp::FindUMsb, self.b.scalar.u32, &[bits]);
        let place = self.b.u32(place);
        let shift = self.b.int(Op::ISub, place, highest);
        (self.b.int(Op::ShiftLeftLogical, bits, shift), shift)
    }

    /// The float nearest to `bits` times 2^exponent, with a sign bit. The highest of the
    /// bits is at 30; the lowest stands for all that follow it, and is set if one of them
    /// is.
    pub(in crate::emit) fn pack(&mut self, sign: Word, bits: Word, exponent: Word) -> Word {
        let (u32_ty, i32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.i32, self.b.scalar.f32);
        // The smallest denormal is 2^-149: below the normal numbers more bits go.
        let (zero, one) = (self.b.u32(0), self.b.u32(1));
        let (seven, lowest) = (self.b.i32(7), self.b.i32(-149));
        let denormal = self.b.op(Op::ISub, i32_ty, &[lowest, exponent]);
        let drop = self.b.glsl(GLOp::SMax, i32_ty, &[denormal, seven]);
        let (all, thirty_one) = (self.b.i32(32), self.b.i32(31));
        let nothing = self.b.test(Op::SGreaterThanEqual, drop, all);
        let drop = self.b.glsl(GLOp::SMin, i32_ty, &[drop, thirty_one]);

        // To the nearest, and to even in the middle.
        let kept = self.b.int(Op::ShiftRightLogical, bits, drop);
        let unit = self.b.int(Op::ShiftLeftLogical, one, drop);
        let mask = self.b.int(Op::ISub, unit, one);
        let dropped = self.b.int(Op::BitwiseAnd, bits, mask);
        let half = self.b.int(Op::ShiftRightLogical, unit, one);
        let above = self.b.test(Op::UGreaterThan, dropped, half);
        let middle = self.b.test(Op::IEqual, dropped, half);
        let last = self.b.int(Op::BitwiseAnd, kept, one);
        let odd = self.b.test(Op::INotEqual, last, zero);
        let tie_up = self.b.test(Op::LogicalAnd, middle, odd);
        let up = self.b.test(Op::LogicalOr, above, tie_up);
        let carry = self.b.select(u32_ty, up, one, zero);
        let kept = self.b.int(Op::IAdd, kept, carry);
        let kept = self.b.select(u32_ty, nothing, zero, kept);

        // The highest bit adds itself to the exponent, and so does a carry.
        let (bias, none) = (self.b.i32(156), self.b.i32(0));
        let stored = self.b.op(Op::IAdd, i32_ty, &[exponent, bias]);
        let stored_or_none = self.b.glsl(GLOp::SMax, i32_ty, &[stored, none]);
        let place = self.b.u32(23);
        let raised = self.b.int(Op::ShiftLeftLogical, stored_or_none, place);
        let magnitude = self.b.int(Op::IAdd, kept, raised);
        let (largest, infinity) = (self.b.i32(253), self.b.u32(INFINITY));
        let overflow = self.b.test(Op::SGreaterThan, stored, largest);
        let magnitude = self.b.select(u32_ty, overflow, infinity, magnitude);
        let result = self.b.int(Op::BitwiseOr, magnitude, sign);
        self.b.bitcast(f32_ty, result)
    }
}
