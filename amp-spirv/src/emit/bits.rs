//! The bits of integers, one by one: counting, searching, moving them.
//!
//! Operands are bits as [`Emitter::bits`] gives them: unsigned, in a register of 32 or
//! 64 bits, zero above the type's own. `OpBitCount`, `OpBitReverse` and the searches of
//! `GLSL.std.450` take 32 bits only, so 64 are two halves. The searches give all ones
//! where no bit is set, which the arithmetic around them makes the type's width.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;
use crate::tree::Scalar;

impl Emitter<'_> {
    /// The two halves of 64 bits, the lower first.
    pub fn halves(&mut self, bits: Word) -> (Word, Word) {
        let (u32_ty, u64_ty) = (self.b.scalar.u32, self.scalar_ty(Scalar::U64));
        let places = self.b.u32(32);
        let low = self.b.op(Op::UConvert, u32_ty, &[bits]);
        let high = self.b.op(Op::ShiftRightLogical, u64_ty, &[bits, places]);
        (low, self.b.op(Op::UConvert, u32_ty, &[high]))
    }

    /// 64 bits of two halves, the lower first.
    pub fn whole(&mut self, low: Word, high: Word) -> Word {
        let u64_ty = self.scalar_ty(Scalar::U64);
        let places = self.b.u32(32);
        let low = self.b.op(Op::UConvert, u64_ty, &[low]);
        let high = self.b.op(Op::UConvert, u64_ty, &[high]);
        let high = self.b.op(Op::ShiftLeftLogical, u64_ty, &[high, places]);
        self.b.op(Op::BitwiseOr, u64_ty, &[high, low])
    }

    pub(super) fn count_ones(&mut self, bits: Word, scalar: Scalar) -> Word {
        let u32_ty = self.b.scalar.u32;
        if scalar.bits() < 64 {
            return self.b.op(Op::BitCount, u32_ty, &[bits]);
        }
        let (low, high) = self.halves(bits);
        let low = self.b.op(Op::BitCount, u32_ty, &[low]);
        let high = self.b.op(Op::BitCount, u32_ty, &[high]);
        self.b.int(Op::IAdd, low, high)
    }

    pub(super) fn leading_zeros(&mut self, bits: Word, scalar: Scalar) -> Word {
        let u32_ty = self.b.scalar.u32;
        if scalar.bits() < 64 {
            let highest = self.b.glsl(GLOp::FindUMsb, u32_ty, &[bits]);
            let last = self.b.u32(scalar.bits() - 1);
            let zeros = self.b.int(Op::ISub, last, highest);
            if scalar.bits() < 32 {
                return zeros;
            }
            // NVIDIA's driver takes the highest bit of a constant for a sign.
            let (none, most) = (self.b.u32(0), self.b.u32(i32::MAX as u32));
            let full = self.b.test(Op::UGreaterThan, bits, most);
            return self.b.select(u32_ty, full, none, zeros);
        }
        let (low, high) = self.halves(bits);
        let above = self.leading_zeros(high, Scalar::U32);
        let below = self.leading_zeros(low, Scalar::U32);
        let (width, zero) = (self.b.u32(32), self.b.u32(0));
        let below = self.b.int(Op::IAdd, below, width);
        let empty = self.b.test(Op::IEqual, high, zero);
        self.b.select(u32_ty, empty, below, above)
    }

    pub(super) fn trailing_zeros(&mut self, bits: Word, scalar: Scalar) -> Word {
        let u32_ty = self.b.scalar.u32;
        if scalar.bits() < 64 {
            let lowest = self.b.glsl(GLOp::FindILsb, u32_ty, &[bits]);
            let width = self.b.u32(scalar.bits());
            return self.b.glsl(GLOp::UMin, u32_ty, &[lowest, width]);
        }
        let (low, high) = self.halves(bits);
        let below = self.trailing_zeros(low, Scalar::U32);
        let above = self.trailing_zeros(high, Scalar::U32);
        let (width, zero) = (self.b.u32(32), self.b.u32(0));
        let above = self.b.int(Op::IAdd, above, width);
        let empty = self.b.test(Op::IEqual, low, zero);
        self.b.select(u32_ty, empty, above, below)
    }

    pub(super) fn reverse_bits(&mut self, bits: Word, scalar: Scalar) -> Word {
        let u32_ty = self.b.scalar.u32;
        match scalar.bits() {
            64 => {
                let (low, high) = self.halves(bits);
                let low = self.b.op(Op::BitReverse, u32_ty, &[low]);
                let high = self.b.op(Op::BitReverse, u32_ty, &[high]);
                self.whole(high, low)
            }
            32 => self.b.op(Op::BitReverse, u32_ty, &[bits]),
            width => {
                let reversed = self.b.op(Op::BitReverse, u32_ty, &[bits]);
                let places = self.b.u32(32 - width);
                self.b.int(Op::ShiftRightLogical, reversed, places)
            }
        }
    }

    pub(super) fn swap_bytes(&mut self, bits: Word, scalar: Scalar) -> Word {
        match scalar.bits() {
            64 => {
                let (low, high) = self.halves(bits);
                let low = self.swap_bytes_of_word(low);
                let high = self.swap_bytes_of_word(high);
                self.whole(high, low)
            }
            32 => self.swap_bytes_of_word(bits),
            16 => {
                let eight = self.b.u32(8);
                self.rotate_left(bits, eight, scalar)
            }
            _ => bits,
        }
    }

    /// Halves change places, then the bytes of each.
    fn swap_bytes_of_word(&mut self, bits: Word) -> Word {
        let (sixteen, eight) = (self.b.u32(16), self.b.u32(8));
        let mask = self.b.u32(0x00ff_00ff);
        let halves = self.rotate_left(bits, sixteen, Scalar::U32);
        let low = self.b.int(Op::BitwiseAnd, halves, mask);
        let raised = self.b.int(Op::ShiftLeftLogical, low, eight);
        let lowered = self.b.int(Op::ShiftRightLogical, halves, eight);
        let high = self.b.int(Op::BitwiseAnd, lowered, mask);
        self.b.int(Op::BitwiseOr, raised, high)
    }

    /// Rotates by `count`, a `u32`, modulo the type's width.
    pub(super) fn rotate_left(&mut self, bits: Word, count: Word, scalar: Scalar) -> Word {
        let left = self.shift_count(count, scalar);
        if scalar.bits() < 32 {
            return self.rotate_narrow(bits, left, scalar.bits());
        }
        let word = self.scalar_ty(scalar.unsigned());
        let negated = self.b.op(Op::SNegate, self.b.scalar.u32, &[count]);
        let right = self.shift_count(negated, scalar);
        let high = self.b.op(Op::ShiftLeftLogical, word, &[bits, left]);
        let low = self.b.op(Op::ShiftRightLogical, word, &[bits, right]);
        self.b.op(Op::BitwiseOr, word, &[high, low])
    }

    /// The bits stand twice, one after the other, so that one shift has the result in it. If
    /// it knows that it is by 8 of 16, NVIDIA's driver (580) takes that for something else.
    fn rotate_narrow(&mut self, bits: Word, left: Word, width: u32) -> Word {
        let (places, mask) = (self.b.u32(width), self.b.u32(u32::MAX >> (32 - width)));
        let left = self.unknown_bits(left, Scalar::U32);
        let above = self.b.int(Op::ShiftLeftLogical, bits, places);
        let twice = self.b.int(Op::BitwiseOr, above, bits);
        let raised = self.b.int(Op::ShiftLeftLogical, twice, left);
        let rotated = self.b.int(Op::ShiftRightLogical, raised, places);
        self.b.int(Op::BitwiseAnd, rotated, mask)
    }

    /// A count of bits, a `u32`, modulo the type's width.
    pub(super) fn shift_count(&mut self, count: Word, scalar: Scalar) -> Word {
        let mask = self.b.u32(scalar.bits() - 1);
        self.b.int(Op::BitwiseAnd, count, mask)
    }
}
