//! The formats of floats, and arithmetic on words as wide as they are.

use spirv::{Op, Word};

use super::Emitter;
use crate::tree::Scalar;

pub(super) const SIGN: u32 = 0x8000_0000;
pub(super) const MAGNITUDE: u32 = 0x7fff_ffff;
pub(super) const INFINITY: u32 = 0x7f80_0000;
pub(super) const NAN: u32 = 0x7fc0_0000;

/// A binary floating-point format of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Format {
    /// The floats.
    pub float: Scalar,
    /// Unsigned integers of the same width.
    pub word: Scalar,
    /// Bits of both.
    pub bits: u32,
    /// Bits of the stored mantissa: the place of the highest one of a normal number.
    pub place: u32,
    /// A number is its mantissa, as an integer, times 2 to the power of the stored
    /// exponent less this.
    pub bias: i32,
}

impl Format {
    /// `f32`
    pub const SINGLE: Self = Self {
        float: Scalar::F32,
        word: Scalar::U32,
        bits: 32,
        place: 23,
        bias: 150,
    };
    /// `f64`
    pub const DOUBLE: Self = Self {
        float: Scalar::F64,
        word: Scalar::U64,
        bits: 64,
        place: 52,
        bias: 1075,
    };

    pub fn sign(self) -> u64 {
        1 << (self.bits - 1)
    }

    pub fn magnitude(self) -> u64 {
        self.sign() - 1
    }

    /// The stored mantissa.
    pub fn mantissa(self) -> u64 {
        self.hidden() - 1
    }

    /// The highest bit of a mantissa, which is not stored.
    pub fn hidden(self) -> u64 {
        1 << self.place
    }

    pub fn infinity(self) -> u64 {
        self.magnitude() - self.mantissa()
    }

    /// A quiet NaN.
    pub fn nan(self) -> u64 {
        self.infinity() | (self.hidden() >> 1)
    }
}

impl Emitter<'_> {
    pub(super) fn float_ty(&mut self, format: Format) -> Word {
        self.scalar_ty(format.float)
    }

    pub(super) fn word_ty(&mut self, format: Format) -> Word {
        self.scalar_ty(format.word)
    }

    /// A constant word.
    pub(super) fn constant_word(&mut self, format: Format, value: u64) -> Word {
        self.number(format.word, value.into())
    }

    /// A word from two integers.
    pub(super) fn on_words(&mut self, format: Format, op: Op, a: Word, b: Word) -> Word {
        let ty = self.word_ty(format);
        self.b.op(op, ty, &[a, b])
    }

    /// Arithmetic on floats, never contracted.
    pub(super) fn on_floats(&mut self, format: Format, op: Op, a: Word, b: Word) -> Word {
        let ty = self.float_ty(format);
        let id = self.b.op(op, ty, &[a, b]);
        self.b.uncontracted(id);
        id
    }

    pub(super) fn select_word(&mut self, format: Format, test: Word, a: Word, b: Word) -> Word {
        let ty = self.word_ty(format);
        self.b.select(ty, test, a, b)
    }

    /// A small number, as a word: from an `i32` or `u32` that is not negative.
    pub(super) fn widened(&mut self, format: Format, number: Word) -> Word {
        let number = self.b.bitcast(self.b.scalar.u32, number);
        let ty = self.word_ty(format);
        if ty == self.b.scalar.u32 {
            return number;
        }
        self.b.op(Op::UConvert, ty, &[number])
    }

    /// The lower 32 bits of a word, as an `i32`.
    pub(super) fn narrowed(&mut self, format: Format, word: Word) -> Word {
        let word = match format.bits {
            32 => word,
            _ => self.b.op(Op::UConvert, self.b.scalar.u32, &[word]),
        };
        self.b.bitcast(self.b.scalar.i32, word)
    }

    /// The place of the highest one of a word other than zero, as a `u32`.
    pub(super) fn highest_one(&mut self, format: Format, word: Word) -> Word {
        let zeros = self.leading_zeros(word, format.word);
        let last = self.b.u32(format.bits - 1);
        self.b.int(Op::ISub, last, zeros)
    }
}
