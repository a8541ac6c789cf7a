//! The square root, correctly rounded.
//!
//! What the square of the device's root lacks is computed exactly: by the fused multiply-add, or,
//! where the device rounds its product, with the root split in two halves whose products are exact.
//! It corrects the root to within a unit in the last place, and then tells on which side of the
//! middle to its neighbour the true root lies. The fused multiply-add rounds the corrected root once,
//! from nearly the true one, so only roots that all but lie in the middle could be off: the run time
//! tries those, and where they are right there is nothing to tell.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::super::Emitter;
use super::super::library::Routine;
use crate::artifact::FloatFaults;

/// Between these everything that the fused multiply-add takes and gives is normal.
const FUSED: [f32; 2] = [
    1.0 / 18_446_744_073_709_551_616.0,
    18_446_744_073_709_551_616.0,
];
/// Below this the exact difference of a number and a square could be denormal.
const SMALL: f32 = 1.0 / 18_446_744_073_709_551_616.0;
/// Moves small numbers up; its root moves the root back.
const RAISE: f32 = 18_446_744_073_709_551_616.0 * 4_294_967_296.0;
const LOWER: f32 = 1.0 / 281_474_976_710_656.0;
/// The upper half of a mantissa.
const UPPER_HALF: u32 = 0xffff_f000;

impl Emitter<'_> {
    /// `x.sqrt()`
    pub fn sqrt(&mut self, x: Word) -> Word {
        let f32_ty = self.b.scalar.f32;
        if self.is_fast() {
            return self.b.glsl(GLOp::Sqrt, f32_ty, &[x]);
        }
        self.call_routine(Routine::Sqrt, f32_ty, &[x])
    }

    pub(in crate::emit) fn emit_sqrt(&mut self, id: Word) {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let x = self.b.begin_function(id, "amp::sqrt", f32_ty, &[f32_ty])[0];
        let faulty = self.has_fault(FloatFaults::SQRT);
        let split = self.has_fault(FloatFaults::SPLIT_FMA);
        let fuses = self.b.not(split);
        let [least, most] = FUSED.map(|limit| self.b.f32(limit));
        let above = self.b.test(Op::FOrdGreaterThan, x, least);
        let below = self.b.test(Op::FOrdLessThan, x, most);
        let inside = self.b.test(Op::LogicalAnd, above, below);
        let wanted = self.b.test(Op::LogicalAnd, faulty, fuses);
        let wanted = self.b.test(Op::LogicalAnd, wanted, inside);
        self.return_if(wanted, |emitter| emitter.fused_root(x));

        let (zero, infinity) = (self.b.f32(0.0), self.b.f32(f32::INFINITY));
        let raise = self.b.f32(RAISE);
        let limit = self.b.f32(SMALL);
        let small = self.b.test(Op::FOrdLessThan, x, limit);
        let raised = self.b.float(Op::FMul, x, raise);
        let number = self.b.select(f32_ty, small, raised, x);
        // Zeroes, infinity, NaN and negative numbers have roots that need no correction.
        let above = self.b.test(Op::FOrdGreaterThan, number, zero);
        let below = self.b.test(Op::FOrdLessThan, number, infinity);
        let finite = self.b.test(Op::LogicalAnd, above, below);
        let wanted = self.b.test(Op::LogicalAnd, faulty, finite);
        let sound = self.b.not(wanted);
        // A negative denormal would be taken for zero.
        let operand = self.b.select(f32_ty, faulty, number, x);
        self.return_if(sound, |emitter| {
            emitter.b.glsl(GLOp::Sqrt, f32_ty, &[operand])
        });
        // One step of Newton's method.
        let guess = self.b.glsl(GLOp::Sqrt, f32_ty, &[number]);
        let rest = self.without_square(number, guess);
        let slope = self.b.glsl(GLOp::InverseSqrt, f32_ty, &[number]);
        let half = self.b.f32(0.5);
        let slope = self.b.float(Op::FMul, slope, half);
        let step = self.b.float(Op::FMul, rest, slope);
        let root = self.b.float(Op::FAdd, guess, step);

        // In units of the last place, (root ± 1/2)^2 is root^2 ± root + 1/4, and the rest
        // is whole. Below a power of two the last place is half as much.
        let rest = self.without_square(number, root);
        let bits = self.b.bitcast(u32_ty, root);
        let one = self.b.u32(1);
        let next_bits = self.b.int(Op::IAdd, bits, one);
        let previous_bits = self.b.int(Op::ISub, bits, one);
        let next = self.b.bitcast(f32_ty, next_bits);
        let previous = self.b.bitcast(f32_ty, previous_bits);
        let unit = self.b.float(Op::FSub, next, root);
        let middle = self.b.float(Op::FMul, root, unit);
        let unit = self.b.float(Op::FSub, previous, root);
        let negated = self.b.float(Op::FMul, root, unit);
        let up = self.b.test(Op::FOrdGreaterThan, rest, middle);
        let down = self.b.test(Op::FOrdLessThanEqual, rest, negated);
        let bits = self.b.select(u32_ty, up, next_bits, bits);
        let bits = self.b.select(u32_ty, down, previous_bits, bits);
        let root = self.b.bitcast(f32_ty, bits);

        let lower = self.b.f32(LOWER);
        let lowered = self.b.float(Op::FMul, root, lower);
        let root = self.b.select(f32_ty, small, lowered, root);
        self.b.ret(Some(root));
        self.b.end_function();
    }

    /// The root of a number in the range of [`FUSED`].
    fn fused_root(&mut self, number: Word) -> Word {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let without = |emitter: &mut Self, a: Word, b: Word| {
            let a = emitter.b.op(Op::FNegate, f32_ty, &[a]);
            emitter.b.glsl(GLOp::Fma, f32_ty, &[a, b, number])
        };
        // One step of Newton's method.
        let inverse = self.b.glsl(GLOp::InverseSqrt, f32_ty, &[number]);
        let guess = self.b.float(Op::FMul, number, inverse);
        let half = self.b.f32(0.5);
        let slope = self.b.float(Op::FMul, inverse, half);
        let rest = without(self, guess, guess);
        let root = self.b.glsl(GLOp::Fma, f32_ty, &[rest, slope, guess]);

        // With u the distance to the next float, (root + u/2)^2 is root * next + u^2/4. The number and
        // the product are multiples of u^2, so the true root lies above the middle just if the number
        // is greater than the product; and likewise below.
        let (bits, one) = (self.b.bitcast(u32_ty, root), self.b.u32(1));
        let next_bits = self.b.int(Op::IAdd, bits, one);
        let previous_bits = self.b.int(Op::ISub, bits, one);
        let [next, previous] = [next_bits, previous_bits].map(|bits| self.b.bitcast(f32_ty, bits));
        let zero = self.b.f32(0.0);
        let rest = without(self, root, next);
        let up = self.b.test(Op::FOrdGreaterThan, rest, zero);
        let rest = without(self, root, previous);
        let down = self.b.test(Op::FOrdLessThanEqual, rest, zero);
        let told = self.b.select(f32_ty, up, next, root);
        let told = self.b.select(f32_ty, down, previous, told);
        let unsure = self.has_fault(FloatFaults::SQRT_STEP);
        self.b.select(f32_ty, unsure, told, root)
    }

    /// `number - root^2`, exactly if the root is nearly that of the number.
    fn without_square(&mut self, number: Word, root: Word) -> Word {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let mask = self.b.u32(UPPER_HALF);
        let bits = self.b.bitcast(u32_ty, root);
        let bits = self.b.int(Op::BitwiseAnd, bits, mask);
        let upper = self.b.bitcast(f32_ty, bits);
        let lower = self.b.float(Op::FSub, root, upper);
        let square = self.b.float(Op::FMul, upper, upper);
        let rest = self.b.float(Op::FSub, number, square);
        let twice = self.b.float(Op::FAdd, upper, upper);
        let mixed = self.b.float(Op::FMul, twice, lower);
        let rest = self.b.float(Op::FSub, rest, mixed);
        let square = self.b.float(Op::FMul, lower, lower);
        self.b.float(Op::FSub, rest, square)
    }
}
