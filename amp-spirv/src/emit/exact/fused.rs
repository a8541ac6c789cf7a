//! `mul_add`, rounded once.
//!
//! Some devices round the product, others flush denormals in their fused instruction
//! though nowhere else. The product of the mantissas has 48 bits; it and the third operand
//! are brought to the same exponent in 64 bits, what falls off the end leaving its trace
//! in the last bit, and the sum is rounded.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};

use super::super::Emitter;
use super::super::library::Routine;
use super::wide::Wide;
use super::{INFINITY, MAGNITUDE, SIGN};
use crate::artifact::FloatFaults;

/// By how much the product is moved up: its 48 bits end at 61.
const PRODUCT_UP: u32 = 14;
/// By how much the third operand is: its 24 bits end at 61.
const SUMMAND_UP: u32 = 38;

/// One of the two numbers that are added: `bits` times 2^exponent.
struct Summand {
    sign: Word,
    bits: Wide,
    exponent: Word,
}

impl Emitter<'_> {
    /// `x.mul_add(y, z)`
    pub fn mul_add(&mut self, x: Word, y: Word, z: Word) -> Word {
        let f32_ty = self.b.scalar.f32;
        if self.ir.fast_math {
            return self.b.glsl(GLOp::Fma, f32_ty, &[x, y, z]);
        }
        self.call_routine(Routine::MulAdd, f32_ty, &[x, y, z])
    }

    pub(in crate::emit) fn emit_mul_add(&mut self, id: Word) {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let params = self
            .b
            .begin_function(id, "amp::mul_add", f32_ty, &[f32_ty; 3]);
        let magnitude = self.b.u32(MAGNITUDE);
        let bits = [0, 1, 2].map(|k| self.b.bitcast(u32_ty, params[k]));
        let magnitudes = bits.map(|bits| self.b.int(Op::BitwiseAnd, bits, magnitude));

        let fused = self.b.glsl(GLOp::Fma, f32_ty, &params);
        let sound = self.is_sound(fused, &params);
        self.return_if(sound, |_| fused);
        self.return_special_sum(&params, magnitudes);

        let sign = self.b.u32(SIGN);
        let [sx, sy, sz] = bits.map(|bits| self.b.int(Op::BitwiseAnd, bits, sign));
        let product_sign = self.b.int(Op::BitwiseXor, sx, sy);
        let product = self.product(product_sign, magnitudes[0], magnitudes[1]);
        let third = self.summand(sz, magnitudes[2]);
        let result = self.rounded_sum(product, third);
        self.b.ret(Some(result));
        self.b.end_function();
    }

    /// Whether the device's own result can be taken.
    fn is_sound(&mut self, fused: Word, operands: &[Word]) -> Word {
        let f32_ty = self.b.scalar.f32;
        let split = self.has_fault(FloatFaults::SPLIT_FMA);
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
    fn return_special_sum(&mut self, params: &[Word], magnitudes: [Word; 3]) {
        let (zero, infinity) = (self.b.u32(0), self.b.u32(INFINITY));
        let [x, y, z] = magnitudes;
        let far =
            |emitter: &mut Self, value| emitter.b.test(Op::UGreaterThanEqual, value, infinity);
        let (x_far, y_far, z_far) = (far(self, x), far(self, y), far(self, z));
        let no_x = self.b.test(Op::IEqual, x, zero);
        let no_y = self.b.test(Op::IEqual, y, zero);
        let no_z = self.b.test(Op::IEqual, z, zero);
        // Without a product the sum is that of two numbers; with an infinite factor the
        // product is not rounded.
        let no_product = self.b.test(Op::LogicalOr, no_x, no_y);
        let far_product = self.b.test(Op::LogicalOr, x_far, y_far);
        let unrounded = self.b.test(Op::LogicalOr, no_product, far_product);
        self.return_if(unrounded, |emitter| {
            let product = emitter.b.float(Op::FMul, params[0], params[1]);
            emitter.b.float(Op::FAdd, product, params[2])
        });
        // A finite product changes neither infinity nor NaN.
        self.return_if(z_far, |_| params[2]);
        self.return_if(no_z, |emitter| {
            emitter.b.float(Op::FMul, params[0], params[1])
        });
    }

    fn product(&mut self, sign: Word, x: Word, y: Word) -> Summand {
        let i32_ty = self.b.scalar.i32;
        let (mx, ex) = self.decompose(x);
        let (my, ey) = self.decompose(y);
        let bits = self.wide_product(mx, my);
        let exponent = self.b.op(Op::IAdd, i32_ty, &[ex, ey]);
        let bias = self.b.i32(300 + PRODUCT_UP as i32);
        Summand {
            sign,
            bits: self.wide_left(bits, PRODUCT_UP),
            exponent: self.b.op(Op::ISub, i32_ty, &[exponent, bias]),
        }
    }

    fn summand(&mut self, sign: Word, z: Word) -> Summand {
        let (mantissa, exponent) = self.decompose(z);
        let up = self.b.u32(SUMMAND_UP - 32);
        let bias = self.b.i32(150 + SUMMAND_UP as i32);
        Summand {
            sign,
            bits: Wide {
                high: self.b.int(Op::ShiftLeftLogical, mantissa, up),
                low: self.b.u32(0),
            },
            exponent: self.b.op(Op::ISub, self.b.scalar.i32, &[exponent, bias]),
        }
    }

    fn rounded_sum(&mut self, a: Summand, b: Summand) -> Word {
        let (u32_ty, i32_ty) = (self.b.scalar.u32, self.b.scalar.i32);
        // The one with the smaller exponent moves down to the other; after 63 places only
        // its trace is left.
        let ahead = self.b.op(Op::ISub, i32_ty, &[a.exponent, b.exponent]);
        let none = self.b.i32(0);
        let behind = self.b.op(Op::SNegate, i32_ty, &[ahead]);
        let most = self.b.i32(63);
        let down = |emitter: &mut Self, bits, count| {
            let count = emitter.b.glsl(GLOp::SClamp, i32_ty, &[count, none, most]);
            let count = emitter.b.bitcast(u32_ty, count);
            emitter.wide_right_sticky(bits, count)
        };
        let x = down(self, a.bits, behind);
        let y = down(self, b.bits, ahead);
        let exponent = self.b.glsl(GLOp::SMax, i32_ty, &[a.exponent, b.exponent]);

        let same = self.b.test(Op::IEqual, a.sign, b.sign);
        let sum = self.wide_add(x, y);
        let difference = self.wide_subtract(x, y);
        let reverse = self.wide_subtract(y, x);
        let zero = self.b.u32(0);
        let high = self.b.bitcast(i32_ty, difference.high);
        let negative = self.b.test(Op::SLessThan, high, none);
        let difference = self.wide_select(negative, reverse, difference);
        let sign = self.b.select(u32_ty, negative, b.sign, a.sign);
        let sign = self.b.select(u32_ty, same, a.sign, sign);
        let total = self.wide_select(same, sum, difference);

        // Numbers that cancel leave a positive zero.
        let any = self.b.int(Op::BitwiseOr, total.high, total.low);
        let nothing = self.b.test(Op::IEqual, any, zero);
        self.return_if(nothing, |emitter| emitter.b.f32(0.0));
        let (bits, up) = self.wide_top(total);
        let left_out = self.b.i32(32);
        let exponent = self.b.op(Op::IAdd, i32_ty, &[exponent, left_out]);
        let exponent = self.b.op(Op::ISub, i32_ty, &[exponent, up]);
        self.pack(sign, bits, exponent)
    }
}
