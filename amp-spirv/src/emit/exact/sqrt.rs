//! The square root, correctly rounded.
//!
//! The device's root of the mantissa, as an integer, is off by a few units at most: what
//! its square lacks fits 32 bits and tells how many, and then on which side of the middle
//! between two integers the root lies.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};

use super::super::Emitter;
use super::super::library::Routine;
use super::{HIDDEN, INFINITY, MAGNITUDE, MANTISSA, NAN};
use crate::artifact::FloatFaults;

/// The exponent of one, as a float stores it.
const ONE: u32 = 0x3f80_0000;

impl Emitter<'_> {
    /// `x.sqrt()`
    pub fn sqrt(&mut self, x: Word) -> Word {
        let f32_ty = self.b.scalar.f32;
        if self.ir.fast_math {
            return self.b.glsl(GLOp::Sqrt, f32_ty, &[x]);
        }
        self.call_routine(Routine::Sqrt, f32_ty, &[x])
    }

    pub(in crate::emit) fn emit_sqrt(&mut self, id: Word) {
        let (u32_ty, i32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.i32, self.b.scalar.f32);
        let x = self.b.begin_function(id, "amp::sqrt", f32_ty, &[f32_ty])[0];
        let faulty = self.has_fault(FloatFaults::SQRT);
        let sound = self.b.not(faulty);
        self.return_if(sound, |emitter| emitter.b.glsl(GLOp::Sqrt, f32_ty, &[x]));

        // Zeroes, infinity and NaN are their own roots, a negative number has none.
        let (zero, magnitude) = (self.b.u32(0), self.b.u32(MAGNITUDE));
        let (infinity, nan) = (self.b.u32(INFINITY), self.b.u32(NAN));
        let bits = self.b.bitcast(u32_ty, x);
        let magnitude = self.b.int(Op::BitwiseAnd, bits, magnitude);
        let nothing = self.b.test(Op::IEqual, magnitude, zero);
        self.return_if(nothing, |_| x);
        let not_finite = self.b.test(Op::UGreaterThanEqual, bits, infinity);
        self.return_if(not_finite, |emitter| {
            let positive = emitter.b.test(Op::IEqual, bits, infinity);
            let root = emitter.b.select(u32_ty, positive, infinity, nan);
            emitter.b.bitcast(f32_ty, root)
        });

        // x = m 2^(e - 150). With an even exponent taken out, m 2^23 or m 2^24 has a root
        // of 24 bits.
        let (mantissa, exponent) = self.decompose(magnitude);
        let (low, one, place) = (self.b.u32(MANTISSA), self.b.u32(1), self.b.u32(23));
        let odd = self.b.op(Op::BitwiseAnd, i32_ty, &[exponent, one]);
        let odd = self.b.bitcast(u32_ty, odd);
        // e - 150 - 23 is even for an odd e.
        let extra = self.b.int(Op::BitwiseXor, odd, one);
        let shift = self.b.int(Op::IAdd, place, extra);
        let square = self.b.int(Op::ShiftLeftLogical, mantissa, shift);

        // The device's root of the mantissa in 1..4.
        let fraction = self.b.int(Op::BitwiseAnd, mantissa, low);
        let raised = self.b.int(Op::ShiftLeftLogical, extra, place);
        let base = self.b.u32(ONE);
        let of_one = self.b.int(Op::IAdd, base, raised);
        let scaled = self.b.int(Op::BitwiseOr, fraction, of_one);
        let scaled = self.b.bitcast(f32_ty, scaled);
        let guess = self.b.glsl(GLOp::Sqrt, f32_ty, &[scaled]);
        let unit = self.b.f32(8_388_608.0);
        let guess = self.b.float(Op::FMul, guess, unit);
        let root = self.b.op(Op::ConvertFToS, i32_ty, &[guess]);

        // What is missing, over twice the root, is how far the guess is off.
        let rest = self.missing(square, root);
        let ratio = self.b.op(Op::ConvertSToF, f32_ty, &[rest]);
        let width = self.b.op(Op::ConvertSToF, f32_ty, &[root]);
        let half = self.b.f32(0.5);
        let ratio = self.b.float(Op::FMul, ratio, half);
        let ratio = self.b.float(Op::FDiv, ratio, width);
        let off = self.b.op(Op::ConvertFToS, i32_ty, &[ratio]);
        let root = self.b.op(Op::IAdd, i32_ty, &[root, off]);

        // (root ± 1/2)^2 is root^2 ± root + 1/4.
        let rest = self.missing(square, root);
        let negated = self.b.op(Op::SNegate, i32_ty, &[root]);
        let above = self.b.test(Op::SGreaterThan, rest, root);
        let below = self.b.test(Op::SLessThanEqual, rest, negated);
        let (zero, one, minus_one) = (self.b.i32(0), self.b.i32(1), self.b.i32(-1));
        let up = self.b.select(i32_ty, above, one, zero);
        let step = self.b.select(i32_ty, below, minus_one, up);
        let root = self.b.op(Op::IAdd, i32_ty, &[root, step]);
        let root = self.b.bitcast(u32_ty, root);

        // x = square 2^(e - 150 - shift), and root has its highest bit at 23.
        let exponent = self.b.bitcast(u32_ty, exponent);
        let exponent = self.b.int(Op::ISub, exponent, shift);
        let exponent = self.b.bitcast(i32_ty, exponent);
        let bias = self.b.i32(150);
        let exponent = self.b.op(Op::ISub, i32_ty, &[exponent, bias]);
        let exponent = self
            .b
            .op(Op::ShiftRightArithmetic, i32_ty, &[exponent, one]);
        let exponent = self.b.op(Op::IAdd, i32_ty, &[exponent, bias]);
        let exponent = self.b.bitcast(u32_ty, exponent);
        let exponent = self.b.int(Op::ShiftLeftLogical, exponent, place);
        let hidden = self.b.u32(HIDDEN);
        let fraction = self.b.int(Op::ISub, root, hidden);
        let bits = self.b.int(Op::IAdd, exponent, fraction);
        let result = self.b.bitcast(f32_ty, bits);
        self.b.ret(Some(result));
        self.b.end_function();
    }

    /// `square - root^2`, of which the low 32 bits are enough.
    fn missing(&mut self, square: Word, root: Word) -> Word {
        let product = self.b.int(Op::IMul, root, root);
        self.b.op(Op::ISub, self.b.scalar.i32, &[square, product])
    }
}
