//! `mul_add`, rounded once.
//!
//! Some devices round the product, others flush denormals in their fused instruction
//! though nowhere else. The product of the mantissas has twice their bits; it and the third
//! operand are brought to the same exponent in two words, what falls off the end leaving
//! its trace in the last bit, and the sum is rounded.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::super::Emitter;
use super::super::format::Format;
use super::super::library::Routine;
use super::wide::Wide;
use crate::artifact::FloatFaults;

/// One of the two numbers that are added: `bits` times 2^exponent. The highest of the bits
/// is the last but two of two words, or the one before.
struct Summand {
    sign: Word,
    bits: Wide,
    exponent: Word,
}

impl Emitter<'_> {
    /// `x.mul_add(y, z)`
    pub fn mul_add(&mut self, format: Format, operands: &[Word]) -> Word {
        let ty = self.float_ty(format);
        if self.is_fast() {
            return self.b.glsl(GLOp::Fma, ty, operands);
        }
        self.call_routine(Routine::MulAdd(format), ty, operands)
    }

    pub(in crate::emit) fn emit_mul_add(&mut self, id: Word, format: Format) {
        let (ty, word_ty) = (self.float_ty(format), self.word_ty(format));
        let params = self.b.begin_function(id, "amp::mul_add", ty, &[ty; 3]);
        let magnitude = self.constant_word(format, format.magnitude());
        let bits = [0, 1, 2].map(|k| self.b.bitcast(word_ty, params[k]));
        let magnitudes = bits.map(|bits| self.on_words(format, Op::BitwiseAnd, bits, magnitude));

        let fused = self.b.glsl(GLOp::Fma, ty, &params);
        let sound = self.is_sound(format, fused, &params);
        self.return_if(sound, |_| fused);
        self.return_special_sum(format, &params, magnitudes);

        let sign = self.constant_word(format, format.sign());
        let [sx, sy, sz] = bits.map(|bits| self.on_words(format, Op::BitwiseAnd, bits, sign));
        let product_sign = self.on_words(format, Op::BitwiseXor, sx, sy);
        let product = self.product(format, product_sign, magnitudes[0], magnitudes[1]);
        let third = self.summand(format, sz, magnitudes[2]);
        let result = self.rounded_sum(format, product, third);
        self.b.ret(Some(result));
        self.b.end_function();
    }

    /// Whether the device's own result can be taken.
    fn is_sound(&mut self, format: Format, fused: Word, operands: &[Word]) -> Word {
        let split = self.has_fault(FloatFaults::SPLIT_FMA);
        if format == Format::DOUBLE {
            return self.b.not(split);
        }
        let f32_ty = self.b.scalar.f32;
        let flushed = self.has_fault(FloatFaults::FLUSHED_FMA);
        // What was rounded up to the smallest normal number may have been flushed before.
        let normal = self.b.f32(f32::MIN_POSITIVE);
        let size = self.b.glsl(GLOp::FAbs, f32_ty, &[fused]);
        let mut tiny = self.b.test(Op::FOrdLessThanEqual, size, normal);
        for operand in operands {
            let size = self.b.glsl(GLOp::FAbs, f32_ty, &[*operand]);
            let small = self.b.test(Op::FOrdLessThan, size, normal);
            tiny = self.b.test(Op::LogicalOr, tiny, small);
        }
        let flushed = self.b.test(Op::LogicalAnd, flushed, tiny);
        let faulty = self.b.test(Op::LogicalOr, split, flushed);
        self.b.not(faulty)
    }

    /// Returns from the function if an operand is zero or not finite.
    fn return_special_sum(&mut self, format: Format, params: &[Word], magnitudes: [Word; 3]) {
        let zero = self.constant_word(format, 0);
        let infinity = self.constant_word(format, format.infinity());
        let [x_far, y_far, z_far] =
            magnitudes.map(|size| self.b.test(Op::UGreaterThanEqual, size, infinity));
        let [no_x, no_y, no_z] = magnitudes.map(|size| self.b.test(Op::IEqual, size, zero));
        // Without a product the sum is that of two numbers; with an infinite factor the
        // product is not rounded.
        let no_product = self.b.test(Op::LogicalOr, no_x, no_y);
        let far_product = self.b.test(Op::LogicalOr, x_far, y_far);
        let unrounded = self.b.test(Op::LogicalOr, no_product, far_product);
        self.return_if(unrounded, |emitter| {
            let product = emitter.on_floats(format, Op::FMul, params[0], params[1]);
            emitter.on_floats(format, Op::FAdd, product, params[2])
        });
        // A finite product changes neither infinity nor NaN.
        self.return_if(z_far, |_| params[2]);
        self.return_if(no_z, |emitter| {
            emitter.on_floats(format, Op::FMul, params[0], params[1])
        });
    }

    fn product(&mut self, format: Format, sign: Word, x: Word, y: Word) -> Summand {
        let i32_ty = self.b.scalar.i32;
        let (mx, ex) = self.decompose(format, x);
        let (my, ey) = self.decompose(format, y);
        let bits = self.wide_product(format, mx, my);
        let exponent = self.b.op(Op::IAdd, i32_ty, &[ex, ey]);
        let up = 2 * format.bits - 4 - 2 * format.place;
        let bias = self.b.i32(2 * format.bias + up as i32);
        Summand {
            sign,
            bits: self.wide_left(format, bits, up),
            exponent: self.b.op(Op::ISub, i32_ty, &[exponent, bias]),
        }
    }

    fn summand(&mut self, format: Format, sign: Word, z: Word) -> Summand {
        let (mantissa, exponent) = self.decompose(format, z);
        let up = 2 * format.bits - 3 - format.place;
        let bias = self.b.i32(format.bias + up as i32);
        let up = self.b.u32(up - format.bits);
        Summand {
            sign,
            bits: Wide {
                high: self.on_words(format, Op::ShiftLeftLogical, mantissa, up),
                low: self.constant_word(format, 0),
            },
            exponent: self.b.op(Op::ISub, self.b.scalar.i32, &[exponent, bias]),
        }
    }

    fn rounded_sum(&mut self, format: Format, a: Summand, b: Summand) -> Word {
        let (u32_ty, i32_ty) = (self.b.scalar.u32, self.b.scalar.i32);
        // The one with the smaller exponent moves down to the other; after all places but
        // one only its trace is left.
        let ahead = self.b.op(Op::ISub, i32_ty, &[a.exponent, b.exponent]);
        let none = self.b.i32(0);
        let behind = self.b.op(Op::SNegate, i32_ty, &[ahead]);
        let most = self.b.i32(2 * format.bits as i32 - 1);
        let down = |emitter: &mut Self, bits, count| {
            let count = emitter.b.glsl(GLOp::SClamp, i32_ty, &[count, none, most]);
            let count = emitter.b.bitcast(u32_ty, count);
            emitter.wide_right_sticky(format, bits, count)
        };
        let x = down(self, a.bits, behind);
        let y = down(self, b.bits, ahead);
        let exponent = self.b.glsl(GLOp::SMax, i32_ty, &[a.exponent, b.exponent]);

        let same = self.b.test(Op::IEqual, a.sign, b.sign);
        let sum = self.wide_add(format, x, y);
        let difference = self.wide_subtract(format, x, y);
        let reverse = self.wide_subtract(format, y, x);
        let highest = self.constant_word(format, format.magnitude());
        let negative = self.b.test(Op::UGreaterThan, difference.high, highest);
        let difference = self.wide_select(format, negative, reverse, difference);
        let sign = self.select_word(format, negative, b.sign, a.sign);
        let sign = self.select_word(format, same, a.sign, sign);
        let total = self.wide_select(format, same, sum, difference);

        // Numbers that cancel leave a positive zero.
        let any = self.on_words(format, Op::BitwiseOr, total.high, total.low);
        let zero = self.constant_word(format, 0);
        let nothing = self.b.test(Op::IEqual, any, zero);
        self.return_if(nothing, |emitter| emitter.real(format.float, 0.0));
        let (bits, up) = self.wide_top(format, total);
        let left_out = self.b.i32(format.bits as i32);
        let exponent = self.b.op(Op::IAdd, i32_ty, &[exponent, left_out]);
        let exponent = self.b.op(Op::ISub, i32_ty, &[exponent, up]);
        self.pack(format, sign, bits, exponent)
    }
}
