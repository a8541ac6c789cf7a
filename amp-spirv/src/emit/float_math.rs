//! Methods of floats.
//!
//! The exact ones are exact: signs and NaN are handled on bits, since a driver may
//! take for granted that there is no NaN, and rounding keeps the sign of zero. The
//! others go through `GLSL.std.450`, composed so that every argument that has a
//! result in Rust has it here, within a few units of what the device's own functions
//! give.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;
use super::format::{Format, INFINITY, MAGNITUDE, SIGN};
use super::function::Operand;
use crate::tree::{BinaryOp, MathOp, Scalar};

impl Emitter<'_> {
    /// `x.clamp(low, high)`
    pub fn float_clamp(&mut self, x: Word, low: Word, high: Word) -> Word {
        let f32_ty = self.b.scalar.f32;
        let below = self.compare_floats(BinaryOp::Lt, x, low);
        let clamped = self.b.select(f32_ty, below, low, x);
        let above = self.compare_floats(BinaryOp::Gt, clamped, high);
        self.b.select(f32_ty, above, high, clamped)
    }

    /// A method of an `f32`.
    pub fn float_math(&mut self, op: MathOp, operands: &[Operand<'_>]) -> Word {
        let values: Vec<Word> = operands.iter().map(|it| it.word).collect();
        let f32_ty = self.b.scalar.f32;
        let x = values[0];
        let second = values.get(1).copied().unwrap_or(x);
        match op {
            MathOp::Min => self.pick_number(BinaryOp::Lt, x, second),
            MathOp::Max => self.pick_number(BinaryOp::Gt, x, second),
            MathOp::Abs => self.float_abs(x),
            MathOp::Signum => {
                let one = self.b.f32(1.0);
                let signed = self.copysign(one, x);
                let nan = self.is_nan(x);
                self.b.select(f32_ty, nan, x, signed)
            }
            MathOp::Copysign => self.copysign(x, second),
            MathOp::Sqrt => self.sqrt(x),
            MathOp::MulAdd => self.mul_add(Format::SINGLE, &values),
            MathOp::Floor => self.b.glsl(GLOp::Floor, f32_ty, &[x]),
            MathOp::Ceil => self.b.glsl(GLOp::Ceil, f32_ty, &[x]),
            MathOp::Trunc => self.b.glsl(GLOp::Trunc, f32_ty, &[x]),
            MathOp::Round => self.round_half_away(x),
            MathOp::RoundTiesEven => {
                let rounded = self.b.glsl(GLOp::RoundEven, f32_ty, &[x]);
                self.copysign(rounded, x)
            }
            MathOp::Fract => {
                let whole = self.b.glsl(GLOp::Trunc, f32_ty, &[x]);
                self.b.float(Op::FSub, x, whole)
            }
            MathOp::IsNan => self.is_nan(x),
            MathOp::IsInfinite => self.magnitude_test(Op::IEqual, x),
            MathOp::IsFinite => self.magnitude_test(Op::ULessThan, x),
            MathOp::IsSignNegative => self.sign_test(Op::INotEqual, x),
            MathOp::IsSignPositive => self.sign_test(Op::IEqual, x),
            MathOp::RemEuclid => self.float_rem_euclid(x, second),
            MathOp::DivEuclid => self.float_div_euclid(x, second),
            MathOp::Recip => {
                let one = self.b.f32(1.0);
                self.divide_floats(one, x)
            }
            MathOp::Sin => self.b.glsl(GLOp::Sin, f32_ty, &[x]),
            MathOp::Cos => self.b.glsl(GLOp::Cos, f32_ty, &[x]),
            MathOp::Tan => self.b.glsl(GLOp::Tan, f32_ty, &[x]),
            MathOp::Asin => self.b.glsl(GLOp::Asin, f32_ty, &[x]),
            MathOp::Acos => self.b.glsl(GLOp::Acos, f32_ty, &[x]),
            MathOp::Atan => {
                // Drivers approximate without a thought for NaN.
                let angle = self.b.glsl(GLOp::Atan, f32_ty, &[x]);
                let nan = self.is_nan(x);
                self.b.select(f32_ty, nan, x, angle)
            }
            MathOp::Atan2 => self.atan2(x, second),
            MathOp::Sinh => self.sinh(x),
            MathOp::Cosh => self.cosh(x),
            MathOp::Tanh => self.tanh(x),
            MathOp::Asinh => self.asinh(x),
            MathOp::Acosh => self.acosh(x),
            MathOp::Atanh => self.atanh(x),
            MathOp::Exp => self.b.glsl(GLOp::Exp, f32_ty, &[x]),
            MathOp::Exp2 => self.b.glsl(GLOp::Exp2, f32_ty, &[x]),
            MathOp::Ln => self.b.glsl(GLOp::Log, f32_ty, &[x]),
            MathOp::Log2 => self.b.glsl(GLOp::Log2, f32_ty, &[x]),
            MathOp::Log10 => {
                let logarithm = self.b.glsl(GLOp::Log2, f32_ty, &[x]);
                self.scale(logarithm, std::f32::consts::LOG10_2)
            }
            MathOp::Log => {
                let logarithm = self.b.glsl(GLOp::Log2, f32_ty, &[x]);
                let of_base = self.b.glsl(GLOp::Log2, f32_ty, &[second]);
                self.b.float(Op::FDiv, logarithm, of_base)
            }
            MathOp::Powf => self.powf(x, second),
            MathOp::Powi => self.powi(Scalar::F32, x, second),
            MathOp::Hypot => self.hypot(x, second),
            MathOp::Cbrt => self.cbrt(x),
            MathOp::ToDegrees => self.scale(x, 57.295_78),
            MathOp::ToRadians => self.scale(x, std::f32::consts::PI / 180.0),
            // The others are methods of integers.
            _ => x,
        }
    }

    // Bits.

    fn magnitude(&mut self, x: Word) -> Word {
        let bits = self.b.bitcast(self.b.scalar.u32, x);
        let mask = self.b.u32(MAGNITUDE);
        self.b.int(Op::BitwiseAnd, bits, mask)
    }

    fn magnitude_test(&mut self, op: Op, x: Word) -> Word {
        let magnitude = self.magnitude(x);
        let infinity = self.b.u32(INFINITY);
        self.b.test(op, magnitude, infinity)
    }

    fn is_nan(&mut self, x: Word) -> Word {
        self.magnitude_test(Op::UGreaterThan, x)
    }

    fn sign(&mut self, x: Word) -> Word {
        let bits = self.b.bitcast(self.b.scalar.u32, x);
        let mask = self.b.u32(SIGN);
        self.b.int(Op::BitwiseAnd, bits, mask)
    }

    fn sign_test(&mut self, op: Op, x: Word) -> Word {
        let sign = self.sign(x);
        let zero = self.b.u32(0);
        self.b.test(op, sign, zero)
    }

    fn float_abs(&mut self, x: Word) -> Word {
        let magnitude = self.magnitude(x);
        self.b.bitcast(self.b.scalar.f32, magnitude)
    }

    fn copysign(&mut self, x: Word, sign: Word) -> Word {
        let (magnitude, sign) = (self.magnitude(x), self.sign(sign));
        let bits = self.b.int(Op::BitwiseOr, magnitude, sign);
        self.b.bitcast(self.b.scalar.f32, bits)
    }

    // Exact operations.

    /// `min` and `max`: `a` if it is ordered before `b` or `b` is NaN.
    fn pick_number(&mut self, order: BinaryOp, a: Word, b: Word) -> Word {
        let first = self.compare_floats(order, a, b);
        let nan = self.is_nan(b);
        let first = self.b.test(Op::LogicalOr, first, nan);
        self.b.select(self.b.scalar.f32, first, a, b)
    }

    fn round_half_away(&mut self, x: Word) -> Word {
        let f32_ty = self.b.scalar.f32;
        let whole = self.b.glsl(GLOp::Trunc, f32_ty, &[x]);
        let rest = self.b.float(Op::FSub, x, whole);
        let rest = self.float_abs(rest);
        let (half, one) = (self.b.f32(0.5), self.b.f32(1.0));
        let away = self.b.test(Op::FOrdGreaterThanEqual, rest, half);
        let step = self.copysign(one, x);
        let next = self.b.float(Op::FAdd, whole, step);
        let rounded = self.b.select(f32_ty, away, next, whole);
        self.copysign(rounded, x)
    }

    fn float_rem_euclid(&mut self, x: Word, y: Word) -> Word {
        let rest = self.float_remainder(Format::SINGLE, x, y);
        let zero = self.b.f32(0.0);
        let negative = self.compare_floats(BinaryOp::Lt, rest, zero);
        let width = self.float_abs(y);
        let raised = self.b.float(Op::FAdd, rest, width);
        self.b.select(self.b.scalar.f32, negative, raised, rest)
    }

    fn float_div_euclid(&mut self, x: Word, y: Word) -> Word {
        let f32_ty = self.b.scalar.f32;
        let quotient = self.divide_floats(x, y);
        let quotient = self.b.glsl(GLOp::Trunc, f32_ty, &[quotient]);
        let rest = self.float_remainder(Format::SINGLE, x, y);
        let (zero, one, minus_one) = (self.b.f32(0.0), self.b.f32(1.0), self.b.f32(-1.0));
        let negative = self.compare_floats(BinaryOp::Lt, rest, zero);
        let forward = self.compare_floats(BinaryOp::Gt, y, zero);
        let step = self.b.select(f32_ty, forward, minus_one, one);
        let moved = self.b.float(Op::FAdd, quotient, step);
        self.b.select(f32_ty, negative, moved, quotient)
    }

    // To the device's precision.

    fn scale(&mut self, x: Word, factor: f32) -> Word {
        let factor = self.b.f32(factor);
        self.b.float(Op::FMul, x, factor)
    }

    /// `c0 + t (c1 + t (c2 + ..))`
    fn polynomial(&mut self, t: Word, coefficients: &[f32]) -> Word {
        let mut sum = self.b.f32(0.0);
        for (position, coefficient) in coefficients.iter().rev().enumerate() {
            let coefficient = self.b.f32(*coefficient);
            sum = if position == 0 {
                coefficient
            } else {
                let product = self.b.float(Op::FMul, sum, t);
                self.b.float(Op::FAdd, product, coefficient)
            };
        }
        sum
    }

    /// An odd function of `x` from its value at `|x|`, which near zero is
    /// `|x| polynomial(x^2)`.
    fn odd(&mut self, x: Word, limit: f32, coefficients: &[f32], far: Word) -> Word {
        let a = self.float_abs(x);
        let square = self.b.float(Op::FMul, a, a);
        let factor = self.polynomial(square, coefficients);
        let near = self.b.float(Op::FMul, a, factor);
        let limit = self.b.f32(limit);
        let is_near = self.b.test(Op::FOrdLessThan, a, limit);
        let value = self.b.select(self.b.scalar.f32, is_near, near, far);
        self.copysign(value, x)
    }

    fn atan2(&mut self, y: Word, x: Word) -> Word {
        // GLSL leaves the origin and infinities open. The angle is that of the
        // smaller over the larger magnitude, which is in 0..=1.
        let f32_ty = self.b.scalar.f32;
        let (ay, ax) = (self.float_abs(y), self.float_abs(x));
        let steep = self.b.test(Op::FOrdGreaterThan, ay, ax);
        let large = self.b.select(f32_ty, steep, ay, ax);
        let small = self.b.select(f32_ty, steep, ax, ay);
        let ratio = self.b.float(Op::FDiv, small, large);
        let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
        let equal = self.b.test(Op::FOrdEqual, small, large);
        let origin = self.b.test(Op::FOrdEqual, large, zero);
        let ratio = self.b.select(f32_ty, equal, one, ratio);
        let ratio = self.b.select(f32_ty, origin, zero, ratio);
        let angle = self.b.glsl(GLOp::Atan, f32_ty, &[ratio]);
        let (quarter, half) = (
            self.b.f32(std::f32::consts::FRAC_PI_2),
            self.b.f32(std::f32::consts::PI),
        );
        let complement = self.b.float(Op::FSub, quarter, angle);
        let angle = self.b.select(f32_ty, steep, complement, angle);
        let behind = self.b.float(Op::FSub, half, angle);
        let backward = self.sign_test(Op::INotEqual, x);
        let angle = self.b.select(f32_ty, backward, behind, angle);
        // A NaN would not survive the selections above.
        let (nan_x, nan_y) = (self.is_nan(x), self.is_nan(y));
        let nan = self.b.test(Op::LogicalOr, nan_x, nan_y);
        let sum = self.b.float(Op::FAdd, x, y);
        let angle = self.copysign(angle, y);
        self.b.select(f32_ty, nan, sum, angle)
    }

    /// `e^a / 2` without overflow as long as the result has none.
    fn half_exp(&mut self, a: Word) -> Word {
        let half = self.scale(a, 0.5);
        let root = self.b.glsl(GLOp::Exp, self.b.scalar.f32, &[half]);
        let halved = self.scale(root, 0.5);
        self.b.float(Op::FMul, halved, root)
    }

    fn sinh(&mut self, x: Word) -> Word {
        let a = self.float_abs(x);
        let (up, down) = self.half_exps(a);
        let far = self.b.float(Op::FSub, up, down);
        let terms = [1.0, 1.0 / 6.0, 1.0 / 120.0, 1.0 / 5040.0, 1.0 / 362_880.0];
        self.odd(x, 1.0, &terms, far)
    }

    fn cosh(&mut self, x: Word) -> Word {
        let a = self.float_abs(x);
        let (up, down) = self.half_exps(a);
        self.b.float(Op::FAdd, up, down)
    }

    /// `e^a / 2` and `e^-a / 2`
    fn half_exps(&mut self, a: Word) -> (Word, Word) {
        let negated = self.b.op(Op::FNegate, self.b.scalar.f32, &[a]);
        (self.half_exp(a), self.half_exp(negated))
    }

    fn tanh(&mut self, x: Word) -> Word {
        // 1 - 2 / (e^2a + 1), where an overflow gives the right 1.
        let a = self.float_abs(x);
        let double = self.scale(a, 2.0);
        let exp = self.b.glsl(GLOp::Exp, self.b.scalar.f32, &[double]);
        let (one, two) = (self.b.f32(1.0), self.b.f32(2.0));
        let sum = self.b.float(Op::FAdd, exp, one);
        let part = self.b.float(Op::FDiv, two, sum);
        let far = self.b.float(Op::FSub, one, part);
        // NVIDIA and others may flush the quotient of infinity to NaN.
        let large = self.b.f32(10.0);
        let flat = self.b.test(Op::FOrdGreaterThan, a, large);
        let far = self.b.select(self.b.scalar.f32, flat, one, far);
        let terms = [
            1.0,
            -1.0 / 3.0,
            2.0 / 15.0,
            -17.0 / 315.0,
            62.0 / 2835.0,
            -1382.0 / 155_925.0,
        ];
        self.odd(x, 0.5, &terms, far)
    }

    fn asinh(&mut self, x: Word) -> Word {
        // ln(a + sqrt(a^2 + 1)), and ln 2a where the square would overflow.
        let f32_ty = self.b.scalar.f32;
        let a = self.float_abs(x);
        let one = self.b.f32(1.0);
        let square = self.b.float(Op::FMul, a, a);
        let sum = self.b.float(Op::FAdd, square, one);
        let root = self.b.glsl(GLOp::Sqrt, f32_ty, &[sum]);
        let sum = self.b.float(Op::FAdd, a, root);
        let limit = self.b.f32(1.0e8);
        let huge = self.b.test(Op::FOrdGreaterThan, a, limit);
        let argument = self.b.select(f32_ty, huge, a, sum);
        let logarithm = self.b.glsl(GLOp::Log, f32_ty, &[argument]);
        let ln_2 = self.b.f32(std::f32::consts::LN_2);
        let raised = self.b.float(Op::FAdd, logarithm, ln_2);
        let far = self.b.select(f32_ty, huge, raised, logarithm);
        let terms = [
            1.0,
            -1.0 / 6.0,
            3.0 / 40.0,
            -15.0 / 336.0,
            105.0 / 3456.0,
            -945.0 / 42_240.0,
        ];
        self.odd(x, 0.4, &terms, far)
    }

    fn acosh(&mut self, x: Word) -> Word {
        // ln(x + sqrt(x - 1) sqrt(x + 1)), and ln 2x where the sum would overflow.
        let f32_ty = self.b.scalar.f32;
        let one = self.b.f32(1.0);
        let below = self.b.float(Op::FSub, x, one);
        let above = self.b.float(Op::FAdd, x, one);
        let below = self.b.glsl(GLOp::Sqrt, f32_ty, &[below]);
        let above = self.b.glsl(GLOp::Sqrt, f32_ty, &[above]);
        let product = self.b.float(Op::FMul, below, above);
        let sum = self.b.float(Op::FAdd, x, product);
        let limit = self.b.f32(1.0e8);
        let huge = self.b.test(Op::FOrdGreaterThan, x, limit);
        let argument = self.b.select(f32_ty, huge, x, sum);
        let logarithm = self.b.glsl(GLOp::Log, f32_ty, &[argument]);
        let ln_2 = self.b.f32(std::f32::consts::LN_2);
        let raised = self.b.float(Op::FAdd, logarithm, ln_2);
        let value = self.b.select(f32_ty, huge, raised, logarithm);
        self.nan_unless(Op::FOrdGreaterThanEqual, x, one, value)
    }

    fn atanh(&mut self, x: Word) -> Word {
        let f32_ty = self.b.scalar.f32;
        let a = self.float_abs(x);
        let one = self.b.f32(1.0);
        let above = self.b.float(Op::FAdd, one, a);
        let below = self.b.float(Op::FSub, one, a);
        let ratio = self.b.float(Op::FDiv, above, below);
        let logarithm = self.b.glsl(GLOp::Log, f32_ty, &[ratio]);
        let far = self.scale(logarithm, 0.5);
        let terms = [
            1.0,
            1.0 / 3.0,
            0.2,
            1.0 / 7.0,
            1.0 / 9.0,
            1.0 / 11.0,
            1.0 / 13.0,
        ];
        let value = self.odd(x, 0.4, &terms, far);
        self.nan_unless(Op::FOrdLessThanEqual, a, one, value)
    }

    /// `value` if a comparison holds, else NaN.
    fn nan_unless(&mut self, op: Op, a: Word, b: Word, value: Word) -> Word {
        let holds = self.b.test(op, a, b);
        let nan = self.b.f32(f32::NAN);
        self.b.select(self.b.scalar.f32, holds, value, nan)
    }

    fn hypot(&mut self, x: Word, y: Word) -> Word {
        // large sqrt(1 + (small / large)^2); infinity wins over NaN.
        let f32_ty = self.b.scalar.f32;
        let (ax, ay) = (self.float_abs(x), self.float_abs(y));
        let swap = self.b.test(Op::FOrdLessThan, ax, ay);
        let large = self.b.select(f32_ty, swap, ay, ax);
        let small = self.b.select(f32_ty, swap, ax, ay);
        let ratio = self.b.float(Op::FDiv, small, large);
        let square = self.b.float(Op::FMul, ratio, ratio);
        let (zero, one) = (self.b.f32(0.0), self.b.f32(1.0));
        let sum = self.b.float(Op::FAdd, one, square);
        let root = self.b.glsl(GLOp::Sqrt, f32_ty, &[sum]);
        let length = self.b.float(Op::FMul, large, root);
        let nothing = self.b.test(Op::FOrdEqual, large, zero);
        let length = self.b.select(f32_ty, nothing, small, length);
        let (far_x, far_y) = (
            self.magnitude_test(Op::IEqual, x),
            self.magnitude_test(Op::IEqual, y),
        );
        let far = self.b.test(Op::LogicalOr, far_x, far_y);
        let infinity = self.b.f32(f32::INFINITY);
        self.b.select(f32_ty, far, infinity, length)
    }

    fn cbrt(&mut self, x: Word) -> Word {
        // 2^(log2 a / 3), and one step of Newton's method; 2^24 times as large if
        // that might be denormal.
        let f32_ty = self.b.scalar.f32;
        let magnitude = self.float_abs(x);
        let limit = self.b.f32(1.0e-30);
        let tiny = self.b.test(Op::FOrdLessThan, magnitude, limit);
        let raised = self.scale(magnitude, 16_777_216.0);
        let a = self.b.select(f32_ty, tiny, raised, magnitude);
        let logarithm = self.b.glsl(GLOp::Log2, f32_ty, &[a]);
        let third = self.scale(logarithm, 1.0 / 3.0);
        let guess = self.b.glsl(GLOp::Exp2, f32_ty, &[third]);
        let square = self.b.float(Op::FMul, guess, guess);
        let quotient = self.b.float(Op::FDiv, a, square);
        let error = self.b.float(Op::FSub, guess, quotient);
        let error = self.scale(error, 1.0 / 3.0);
        let root = self.b.float(Op::FSub, guess, error);
        let lowered = self.scale(root, 1.0 / 256.0);
        let root = self.b.select(f32_ty, tiny, lowered, root);
        let root = self.copysign(root, x);
        let zero = self.b.f32(0.0);
        let nothing = self.b.test(Op::FOrdEqual, x, zero);
        let finite = self.magnitude_test(Op::ULessThan, x);
        let endless = self.b.not(finite);
        let same = self.b.test(Op::LogicalOr, nothing, endless);
        self.b.select(f32_ty, same, x, root)
    }
}
