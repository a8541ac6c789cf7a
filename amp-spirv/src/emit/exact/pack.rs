//! Finite floats as integers: apart, and rounded together again.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::super::Emitter;
use super::super::format::Format;

impl Emitter<'_> {
    /// Mantissa with its highest bit at the format's place, and the exponent `e` (an `i32`)
    /// for which a finite magnitude other than zero is mantissa times 2^(e - bias).
    pub(in crate::emit) fn decompose(&mut self, format: Format, magnitude: Word) -> (Word, Word) {
        let i32_ty = self.b.scalar.i32;
        let place = self.b.u32(format.place);
        let low = self.constant_word(format, format.mantissa());
        let hidden = self.constant_word(format, format.hidden());
        let (zero, one) = (self.constant_word(format, 0), self.constant_word(format, 1));
        let exponent = self.on_words(format, Op::ShiftRightLogical, magnitude, place);
        let fraction = self.on_words(format, Op::BitwiseAnd, magnitude, low);
        let denormal = self.b.test(Op::IEqual, exponent, zero);
        let whole = self.on_words(format, Op::BitwiseOr, fraction, hidden);
        let mantissa = self.select_word(format, denormal, fraction, whole);
        let exponent = self.select_word(format, denormal, one, exponent);
        let exponent = self.narrowed(format, exponent);
        let (mantissa, shift) = self.raise(format, mantissa, format.place);
        let exponent = self.b.op(Op::ISub, i32_ty, &[exponent, shift]);
        (mantissa, exponent)
    }

    /// A word other than zero moved up until its highest bit is at `place`, and by how
    /// much.
    pub(in crate::emit) fn raise(
        &mut self,
        format: Format,
        word: Word,
        place: u32,
    ) -> (Word, Word) {
        let highest = self.highest_one(format, word);
        let place = self.b.u32(place);
        let shift = self.b.int(Op::ISub, place, highest);
        let raised = self.on_words(format, Op::ShiftLeftLogical, word, shift);
        (raised, shift)
    }

    /// The float nearest to `word` times 2^exponent, with a sign bit. The highest bit of
    /// the word is the last but one; the lowest stands for all that follow it, and is set
    /// if one of them is.
    pub(in crate::emit) fn pack(
        &mut self,
        format: Format,
        sign: Word,
        word: Word,
        exponent: Word,
    ) -> Word {
        let Format {
            bits, place, bias, ..
        } = format;
        let i32_ty = self.b.scalar.i32;
        // Below the normal numbers more bits go: the smallest number is 2^(1 - bias).
        let (zero, one) = (self.constant_word(format, 0), self.constant_word(format, 1));
        let normal = self.b.i32((bits - 2 - place) as i32);
        let lowest = self.b.i32(1 - bias);
        let denormal = self.b.op(Op::ISub, i32_ty, &[lowest, exponent]);
        let drop = self.b.glsl(GLOp::SMax, i32_ty, &[denormal, normal]);
        let (all, most) = (self.b.i32(bits as i32), self.b.i32(bits as i32 - 1));
        let nothing = self.b.test(Op::SGreaterThanEqual, drop, all);
        let drop = self.b.glsl(GLOp::SMin, i32_ty, &[drop, most]);

        // To the nearest, and to even in the middle.
        let single = self.b.u32(1);
        let kept = self.on_words(format, Op::ShiftRightLogical, word, drop);
        let unit = self.on_words(format, Op::ShiftLeftLogical, one, drop);
        let mask = self.on_words(format, Op::ISub, unit, one);
        let dropped = self.on_words(format, Op::BitwiseAnd, word, mask);
        let half = self.on_words(format, Op::ShiftRightLogical, unit, single);
        let above = self.b.test(Op::UGreaterThan, dropped, half);
        let middle = self.b.test(Op::IEqual, dropped, half);
        let last = self.on_words(format, Op::BitwiseAnd, kept, one);
        let odd = self.b.test(Op::INotEqual, last, zero);
        let tie_up = self.b.test(Op::LogicalAnd, middle, odd);
        let up = self.b.test(Op::LogicalOr, above, tie_up);
        let carry = self.select_word(format, up, one, zero);
        let kept = self.on_words(format, Op::IAdd, kept, carry);
        let kept = self.select_word(format, nothing, zero, kept);

        // The highest bit adds itself to the exponent, and so does a carry.
        let (offset, none) = (
            self.b.i32(bias - place as i32 + bits as i32 - 3),
            self.b.i32(0),
        );
        let stored = self.b.op(Op::IAdd, i32_ty, &[exponent, offset]);
        let stored_or_none = self.b.glsl(GLOp::SMax, i32_ty, &[stored, none]);
        let stored_or_none = self.widened(format, stored_or_none);
        let place = self.b.u32(place);
        let raised = self.on_words(format, Op::ShiftLeftLogical, stored_or_none, place);
        let magnitude = self.on_words(format, Op::IAdd, kept, raised);
        let largest = (format.infinity() >> format.place) as i32 - 2;
        let largest = self.b.i32(largest);
        let infinity = self.constant_word(format, format.infinity());
        let overflow = self.b.test(Op::SGreaterThan, stored, largest);
        let magnitude = self.select_word(format, overflow, infinity, magnitude);
        let result = self.on_words(format, Op::BitwiseOr, magnitude, sign);
        let ty = self.float_ty(format);
        self.b.bitcast(ty, result)
    }
}
