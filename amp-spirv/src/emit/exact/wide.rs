//! Integers of 64 bits as two of 32, for devices without wider ones.

use rspirv::dr::Operand;
use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};

use super::super::Emitter;

/// 64 bits.
#[derive(Clone, Copy)]
pub(super) struct Wide {
    pub high: Word,
    pub low: Word,
}

impl Emitter<'_> {
    /// The product of two `u32`.
    pub(super) fn wide_product(&mut self, a: Word, b: Word) -> Wide {
        let (low, high) = self.extended(Op::UMulExtended, a, b);
        Wide { high, low }
    }

    /// Shifted left by a constant of less than 32 bits.
    pub(super) fn wide_left(&mut self, wide: Wide, count: u32) -> Wide {
        let (up, down) = (self.b.u32(count), self.b.u32(32 - count));
        let high = self.b.int(Op::ShiftLeftLogical, wide.high, up);
        let carried = self.b.int(Op::ShiftRightLogical, wide.low, down);
        Wide {
            high: self.b.int(Op::BitwiseOr, high, carried),
            low: self.b.int(Op::ShiftLeftLogical, wide.low, up),
        }
    }

    /// Shifted right by 0 to 63; the lowest bit is set if a bit that went was.
    pub(super) fn wide_right_sticky(&mut self, wide: Wide, count: Word) -> Wide {
        let u32_ty = self.b.scalar.u32;
        let (zero, thirty_two, mask) = (self.b.u32(0), self.b.u32(32), self.b.u32(31));
        // By 32 first.
        let far = self.b.test(Op::UGreaterThanEqual, count, thirty_two);
        let high = self.b.select(u32_ty, far, zero, wide.high);
        let low = self.b.select(u32_ty, far, wide.high, wide.low);
        let gone = self.b.select(u32_ty, far, wide.low, zero);
        // Then by less: a shift by 32 would be undefined, so by one and the rest.
        let count = self.b.int(Op::BitwiseAnd, count, mask);
        let one = self.b.u32(1);
        let others = self.b.int(Op::ISub, mask, count);
        let shifted = self.b.int(Op::ShiftLeftLogical, high, one);
        let carried = self.b.int(Op::ShiftLeftLogical, shifted, others);
        let lost = self.b.int(Op::ShiftLeftLogical, low, one);
        let lost = self.b.int(Op::ShiftLeftLogical, lost, others);
        let gone = self.b.int(Op::BitwiseOr, gone, lost);
        let low = self.b.int(Op::ShiftRightLogical, low, count);
        let low = self.b.int(Op::BitwiseOr, low, carried);
        Wide {
            high: self.b.int(Op::ShiftRightLogical, high, count),
            low: self.with_sticky(low, gone),
        }
    }

    pub(super) fn wide_add(&mut self, a: Wide, b: Wide) -> Wide {
        let (low, carry) = self.extended(Op::IAddCarry, a.low, b.low);
        let high = self.b.int(Op::IAdd, a.high, b.high);
        Wide {
            high: self.b.int(Op::IAdd, high, carry),
            low,
        }
    }

    pub(super) fn wide_subtract(&mut self, a: Wide, b: Wide) -> Wide {
        let (low, borrow) = self.extended(Op::ISubBorrow, a.low, b.low);
        let high = self.b.int(Op::ISub, a.high, b.high);
        Wide {
            high: self.b.int(Op::ISub, high, borrow),
            low,
        }
    }

    pub(super) fn wide_select(&mut self, condition: Word, yes: Wide, no: Wide) -> Wide {
        let u32_ty = self.b.scalar.u32;
        Wide {
            high: self.b.select(u32_ty, condition, yes.high, no.high),
            low: self.b.select(u32_ty, condition, yes.low, no.low),
        }
    }

    /// The highest 31 bits, the first of which is a one at 30, of bits other than zero
    /// below 2^63; the lowest is set if one of those left out is. And by how much the bits
    /// were moved up before 32 of them were left out.
    pub(super) fn wide_top(&mut self, wide: Wide) -> (Word, Word) {
        let u32_ty = self.b.scalar.u32;
        let (zero, thirty_two) = (self.b.u32(0), self.b.u32(32));
        // Move by 32 first.
        let small = self.b.test(Op::IEqual, wide.high, zero);
        // The low half may have its highest bit set: one place is kept free.
        let (one, thirty_one) = (self.b.u32(1), self.b.u32(31));
        let low_high = self.b.int(Op::ShiftRightLogical, wide.low, one);
        let low_low = self.b.int(Op::ShiftLeftLogical, wide.low, thirty_one);
        let high = self.b.select(u32_ty, small, low_high, wide.high);
        let low = self.b.select(u32_ty, small, low_low, wide.low);
        let moved = self.b.select(u32_ty, small, thirty_one, zero);
        // A one at the end has nothing above it now.
        let none = self.b.test(Op::IEqual, high, zero);
        let last = self.b.u32(1 << 30);
        let guarded = self.b.select(u32_ty, none, one, high);
        let highest = self.b.glsl(GLOp::FindUMsb, u32_ty, &[guarded]);
        let place = self.b.u32(30);
        let up = self.b.int(Op::ISub, place, highest);
        let left = self.b.int(Op::ISub, thirty_one, up);
        let top = self.b.int(Op::ShiftLeftLogical, high, up);
        let carried = self.b.int(Op::ShiftRightLogical, low, one);
        let carried = self.b.int(Op::ShiftRightLogical, carried, left);
        let top = self.b.int(Op::BitwiseOr, top, carried);
        let rest = self.b.int(Op::ShiftLeftLogical, low, up);
        let top = self.with_sticky(top, rest);
        let up = self.b.int(Op::IAdd, up, moved);
        let all = self.b.int(Op::IAdd, thirty_two, place);
        let top = self.b.select(u32_ty, none, last, top);
        (top, self.b.select(u32_ty, none, all, up))
    }

    /// The two results of an instruction, in its order.
    fn extended(&mut self, op: Op, a: Word, b: Word) -> (Word, Word) {
        let u32_ty = self.b.scalar.u32;
        let pair = vec![Operand::IdRef(u32_ty), Operand::IdRef(u32_ty)];
        let pair = self.b.intern(Op::TypeStruct, None, pair);
        let both = self.b.op(op, pair, &[a, b]);
        (
            self.b.extract(u32_ty, both, 0),
            self.b.extract(u32_ty, both, 1),
        )
    }
}
