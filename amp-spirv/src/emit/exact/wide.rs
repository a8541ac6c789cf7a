//! Integers of twice a word, as two words.

use spirv::{Op, Word};

use super::super::Emitter;
use super::super::format::Format;

/// Two words.
#[derive(Clone, Copy)]
pub(super) struct Wide {
    pub high: Word,
    pub low: Word,
}

impl Emitter<'_> {
    /// The product of two words, from those of their halves.
    pub(super) fn wide_product(&mut self, format: Format, a: Word, b: Word) -> Wide {
        let half = self.b.u32(format.bits / 2);
        let mask = self.constant_word(format, (1 << (format.bits / 2)) - 1);
        let split = |emitter: &mut Self, word| {
            (
                emitter.on_words(format, Op::ShiftRightLogical, word, half),
                emitter.on_words(format, Op::BitwiseAnd, word, mask),
            )
        };
        let ((a_high, a_low), (b_high, b_low)) = (split(self, a), split(self, b));
        let lows = self.on_words(format, Op::IMul, a_low, b_low);
        let first = self.on_words(format, Op::IMul, a_high, b_low);
        let second = self.on_words(format, Op::IMul, a_low, b_high);
        let highs = self.on_words(format, Op::IMul, a_high, b_high);
        // The middle of the sum, where no term is as large as a word.
        let (lows_high, lows_low) = split(self, lows);
        let (first_high, first_low) = split(self, first);
        let (second_high, second_low) = split(self, second);
        let middle = self.on_words(format, Op::IAdd, lows_high, first_low);
        let middle = self.on_words(format, Op::IAdd, middle, second_low);
        let (carry, middle) = split(self, middle);
        let high = self.on_words(format, Op::IAdd, highs, first_high);
        let high = self.on_words(format, Op::IAdd, high, second_high);
        let middle = self.on_words(format, Op::ShiftLeftLogical, middle, half);
        Wide {
            high: self.on_words(format, Op::IAdd, high, carry),
            low: self.on_words(format, Op::BitwiseOr, middle, lows_low),
        }
    }

    /// Shifted left by a constant of 1 to one less than the bits of a word.
    pub(super) fn wide_left(&mut self, format: Format, wide: Wide, count: u32) -> Wide {
        let (up, down) = (self.b.u32(count), self.b.u32(format.bits - count));
        let high = self.on_words(format, Op::ShiftLeftLogical, wide.high, up);
        let carried = self.on_words(format, Op::ShiftRightLogical, wide.low, down);
        Wide {
            high: self.on_words(format, Op::BitwiseOr, high, carried),
            low: self.on_words(format, Op::ShiftLeftLogical, wide.low, up),
        }
    }

    /// Shifted right by less than the bits of two words; the lowest bit is set if a bit
    /// that went was.
    pub(super) fn wide_right_sticky(&mut self, format: Format, wide: Wide, count: Word) -> Wide {
        let zero = self.constant_word(format, 0);
        let (all, mask) = (self.b.u32(format.bits), self.b.u32(format.bits - 1));
        // By a word first.
        let far = self.b.test(Op::UGreaterThanEqual, count, all);
        let high = self.select_word(format, far, zero, wide.high);
        let low = self.select_word(format, far, wide.high, wide.low);
        let gone = self.select_word(format, far, wide.low, zero);
        // Then by less: a shift by a whole word would be undefined, so by one and the rest.
        let count = self.b.int(Op::BitwiseAnd, count, mask);
        let one = self.b.u32(1);
        let others = self.b.int(Op::ISub, mask, count);
        let shifted = self.on_words(format, Op::ShiftLeftLogical, high, one);
        let carried = self.on_words(format, Op::ShiftLeftLogical, shifted, others);
        let lost = self.on_words(format, Op::ShiftLeftLogical, low, one);
        let lost = self.on_words(format, Op::ShiftLeftLogical, lost, others);
        let gone = self.on_words(format, Op::BitwiseOr, gone, lost);
        let low = self.on_words(format, Op::ShiftRightLogical, low, count);
        let low = self.on_words(format, Op::BitwiseOr, low, carried);
        Wide {
            high: self.on_words(format, Op::ShiftRightLogical, high, count),
            low: self.with_sticky(format, low, gone),
        }
    }

    pub(super) fn wide_add(&mut self, format: Format, a: Wide, b: Wide) -> Wide {
        let low = self.on_words(format, Op::IAdd, a.low, b.low);
        let carries = self.b.test(Op::ULessThan, low, a.low);
        let high = self.on_words(format, Op::IAdd, a.high, b.high);
        let carry = self.one_if(format, carries);
        Wide {
            high: self.on_words(format, Op::IAdd, high, carry),
            low,
        }
    }

    pub(super) fn wide_subtract(&mut self, format: Format, a: Wide, b: Wide) -> Wide {
        let low = self.on_words(format, Op::ISub, a.low, b.low);
        let borrows = self.b.test(Op::ULessThan, a.low, b.low);
        let high = self.on_words(format, Op::ISub, a.high, b.high);
        let borrow = self.one_if(format, borrows);
        Wide {
            high: self.on_words(format, Op::ISub, high, borrow),
            low,
        }
    }

    pub(super) fn wide_select(&mut self, format: Format, test: Word, yes: Wide, no: Wide) -> Wide {
        Wide {
            high: self.select_word(format, test, yes.high, no.high),
            low: self.select_word(format, test, yes.low, no.low),
        }
    }

    /// The highest bits, the first of which is a one at the last place but one of a word,
    /// of two words other than zero whose highest bit is zero; the lowest is set if one of
    /// those left out is. And by how much the bits were moved up before a word of them was
    /// left out.
    pub(super) fn wide_top(&mut self, format: Format, wide: Wide) -> (Word, Word) {
        let bits = format.bits;
        let zero = self.constant_word(format, 0);
        let (one, last) = (self.b.u32(1), self.b.u32(bits - 1));
        // Move by a word first, less one: the low word may have its highest bit set.
        let small = self.b.test(Op::IEqual, wide.high, zero);
        let low_high = self.on_words(format, Op::ShiftRightLogical, wide.low, one);
        let low_low = self.on_words(format, Op::ShiftLeftLogical, wide.low, last);
        let high = self.select_word(format, small, low_high, wide.high);
        let low = self.select_word(format, small, low_low, wide.low);
        let unmoved = self.b.u32(0);
        let moved = self.b.select(self.b.scalar.u32, small, last, unmoved);
        // A one at the end has nothing above it now.
        let none = self.b.test(Op::IEqual, high, zero);
        let single = self.constant_word(format, 1);
        let guarded = self.select_word(format, none, single, high);
        let (_, up) = self.raise(format, guarded, bits - 2);
        let left = self.b.int(Op::ISub, last, up);
        let top = self.on_words(format, Op::ShiftLeftLogical, high, up);
        let carried = self.on_words(format, Op::ShiftRightLogical, low, one);
        let carried = self.on_words(format, Op::ShiftRightLogical, carried, left);
        let top = self.on_words(format, Op::BitwiseOr, top, carried);
        let rest = self.on_words(format, Op::ShiftLeftLogical, low, up);
        let top = self.with_sticky(format, top, rest);
        let up = self.b.int(Op::IAdd, up, moved);
        let only = self.constant_word(format, 1 << (bits - 2));
        let all = self.b.u32(2 * bits - 2);
        let top = self.select_word(format, none, only, top);
        (top, self.b.select(self.b.scalar.u32, none, all, up))
    }

    /// A word whose lowest bit is set if any of `rest` is.
    pub(super) fn with_sticky(&mut self, format: Format, word: Word, rest: Word) -> Word {
        let zero = self.constant_word(format, 0);
        let some = self.b.test(Op::INotEqual, rest, zero);
        let sticky = self.one_if(format, some);
        self.on_words(format, Op::BitwiseOr, word, sticky)
    }

    fn one_if(&mut self, format: Format, test: Word) -> Word {
        let (zero, one) = (self.constant_word(format, 0), self.constant_word(format, 1));
        self.select_word(format, test, one, zero)
    }
}
