//! `f64`: operators and methods.
//!
//! As for `f32` signs and NaN are handled on bits. There are only the operations that
//! are exact: devices have no others for 64 bits.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;
use super::exact::float_test;
use super::format::Format;
use super::function::Operand;
use crate::tree::{BinaryOp, MathOp, Scalar, Type};

const SIGN: u64 = 1 << 63;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;
/// Bits of a mantissa.
const PLACE: u32 = 52;
/// What a stored exponent is greater by.
const BIAS: u32 = 1023;

impl Emitter<'_> {
    fn f64_ty(&mut self) -> Word {
        self.scalar_ty(Scalar::F64)
    }

    /// Whether a type is that of `f64`.
    pub fn is_double(&mut self, ty: Word) -> bool {
        self.b.has_capability(spirv::Capability::Float64) && ty == self.f64_ty()
    }

    fn f64(&mut self, value: f64) -> Word {
        self.real(Scalar::F64, value)
    }

    fn u64(&mut self, value: u64) -> Word {
        self.number(Scalar::U64, value.into())
    }

    fn long(&mut self, op: Op, a: Word, b: Word) -> Word {
        let ty = self.scalar_ty(Scalar::U64);
        self.b.op(op, ty, &[a, b])
    }

    /// Arithmetic, never contracted.
    pub(super) fn double_op(&mut self, op: Op, a: Word, b: Word) -> Word {
        let ty = self.f64_ty();
        let id = self.b.op(op, ty, &[a, b]);
        self.b.uncontracted(id);
        id
    }

    /// `a op b`
    pub fn double(&mut self, op: BinaryOp, a: Word, b: Word) -> Word {
        let operation = match op {
            BinaryOp::Add => Some(Op::FAdd),
            BinaryOp::Sub => Some(Op::FSub),
            BinaryOp::Mul => Some(Op::FMul),
            BinaryOp::Div => Some(Op::FDiv),
            _ => None,
        };
        if let Some(operation) = operation {
            return self.double_op(operation, a, b);
        }
        let test = match op {
            BinaryOp::Rem => return self.float_remainder(Format::DOUBLE, a, b),
            // Floats have no bit operators.
            _ => float_test(op),
        };
        self.b.test(test, a, b)
    }

    /// A method.
    pub fn double_math(&mut self, op: MathOp, operands: &[Operand<'_>]) -> Word {
        let values: Vec<Word> = operands.iter().map(|it| it.word).collect();
        let ty = self.f64_ty();
        let x = values[0];
        let second = values.get(1).copied().unwrap_or(x);
        match op {
            MathOp::Min => self.pick_double(Op::FOrdLessThan, x, second),
            MathOp::Max => self.pick_double(Op::FOrdGreaterThan, x, second),
            MathOp::Abs => self.double_abs(x),
            MathOp::Signum => {
                let one = self.f64(1.0);
                let signed = self.double_copysign(one, x);
                let nan = self.is_nan_double(x);
                self.b.select(ty, nan, x, signed)
            }
            MathOp::Copysign => self.double_copysign(x, second),
            MathOp::Sqrt => self.b.glsl(GLOp::Sqrt, ty, &[x]),
            MathOp::MulAdd => self.mul_add(Format::DOUBLE, &values),
            MathOp::Floor => self.double_step(Op::FOrdGreaterThan, -1.0, x),
            MathOp::Ceil => self.double_step(Op::FOrdLessThan, 1.0, x),
            MathOp::Trunc => self.double_trunc(x),
            MathOp::Round => self.double_round(x),
            MathOp::RoundTiesEven => self.double_round_ties_even(x),
            MathOp::Fract => {
                let whole = self.double_trunc(x);
                self.double_op(Op::FSub, x, whole)
            }
            MathOp::IsNan => self.is_nan_double(x),
            MathOp::IsInfinite => self.double_magnitude_test(Op::IEqual, x),
            MathOp::IsFinite => self.double_magnitude_test(Op::ULessThan, x),
            MathOp::IsSignNegative => self.double_sign_test(Op::INotEqual, x),
            MathOp::IsSignPositive => self.double_sign_test(Op::IEqual, x),
            MathOp::RemEuclid => self.double_rem_euclid(x, second),
            MathOp::DivEuclid => self.double_div_euclid(x, second),
            MathOp::Recip => {
                let one = self.f64(1.0);
                self.double_op(Op::FDiv, one, x)
            }
            MathOp::Powi => self.powi(Scalar::F64, x, second),
            MathOp::ToDegrees => {
                let factor = self.f64(180.0 / std::f64::consts::PI);
                self.double_op(Op::FMul, x, factor)
            }
            MathOp::ToRadians => {
                let factor = self.f64(std::f64::consts::PI / 180.0);
                self.double_op(Op::FMul, x, factor)
            }
            // The others are methods of integers, or not those of `f64` in kernels.
            _ => x,
        }
    }

    // Bits.

    fn double_magnitude(&mut self, x: Word) -> Word {
        let bits = self.bits(x, &Type::Scalar(Scalar::F64));
        let mask = self.u64(!SIGN);
        self.long(Op::BitwiseAnd, bits, mask)
    }

    fn double_magnitude_test(&mut self, op: Op, x: Word) -> Word {
        let magnitude = self.double_magnitude(x);
        let infinity = self.u64(INFINITY);
        self.b.test(op, magnitude, infinity)
    }

    fn is_nan_double(&mut self, x: Word) -> Word {
        self.double_magnitude_test(Op::UGreaterThan, x)
    }

    fn double_sign(&mut self, x: Word) -> Word {
        let bits = self.bits(x, &Type::Scalar(Scalar::F64));
        let mask = self.u64(SIGN);
        self.long(Op::BitwiseAnd, bits, mask)
    }

    fn double_sign_test(&mut self, op: Op, x: Word) -> Word {
        let sign = self.double_sign(x);
        let zero = self.u64(0);
        self.b.test(op, sign, zero)
    }

    fn double_abs(&mut self, x: Word) -> Word {
        let ty = self.f64_ty();
        let magnitude = self.double_magnitude(x);
        self.b.bitcast(ty, magnitude)
    }

    fn double_copysign(&mut self, x: Word, sign: Word) -> Word {
        let ty = self.f64_ty();
        let magnitude = self.double_magnitude(x);
        let sign = self.double_sign(sign);
        let bits = self.long(Op::BitwiseOr, magnitude, sign);
        self.b.bitcast(ty, bits)
    }

    // Methods.

    /// `min` and `max`: `a` if it is ordered before `b` or `b` is NaN.
    fn pick_double(&mut self, order: Op, a: Word, b: Word) -> Word {
        let ty = self.f64_ty();
        let first = self.b.test(order, a, b);
        let nan = self.is_nan_double(b);
        let first = self.b.test(Op::LogicalOr, first, nan);
        self.b.select(ty, first, a, b)
    }

    /// `x.clamp(low, high)`
    pub fn double_clamp(&mut self, x: Word, low: Word, high: Word) -> Word {
        let ty = self.f64_ty();
        let below = self.b.test(Op::FOrdLessThan, x, low);
        let clamped = self.b.select(ty, below, low, x);
        let above = self.b.test(Op::FOrdGreaterThan, clamped, high);
        self.b.select(ty, above, high, clamped)
    }

    /// Without the bits behind the point. Not by `GLSL.std.450`: lavapipe's (Mesa 22.3)
    /// loses the sign of zero.
    fn double_trunc(&mut self, x: Word) -> Word {
        let (ty, word) = (self.f64_ty(), self.scalar_ty(Scalar::U64));
        let (u32_ty, i32_ty) = (self.b.scalar.u32, self.b.scalar.i32);
        let magnitude = self.double_magnitude(x);
        let place = self.b.u32(PLACE);
        let exponent = self.long(Op::ShiftRightLogical, magnitude, place);
        let exponent = self.b.op(Op::UConvert, u32_ty, &[exponent]);
        let bias = self.b.u32(BIAS);
        let exponent = self.b.op(Op::ISub, i32_ty, &[exponent, bias]);
        let (zero, last) = (self.b.i32(0), self.b.i32(PLACE as i32));
        let below_one = self.b.test(Op::SLessThan, exponent, zero);
        let whole = self.b.test(Op::SGreaterThanEqual, exponent, last);
        let width = self.b.u32(63);
        let places = self.b.int(Op::BitwiseAnd, exponent, width);
        let (fraction, nothing) = (self.u64((1 << PLACE) - 1), self.u64(0));
        let behind = self.long(Op::ShiftRightLogical, fraction, places);
        let kept = self.b.op(Op::Not, word, &[behind]);
        let cut = self.long(Op::BitwiseAnd, magnitude, kept);
        let cut = self.b.select(word, below_one, nothing, cut);
        let cut = self.b.select(word, whole, magnitude, cut);
        let sign = self.double_sign(x);
        let bits = self.long(Op::BitwiseOr, cut, sign);
        self.b.bitcast(ty, bits)
    }

    /// `floor` and `ceil`: one step from what lies nearer to zero if that is on the wrong
    /// side.
    fn double_step(&mut self, wrong: Op, step: f64, x: Word) -> Word {
        let ty = self.f64_ty();
        let whole = self.double_trunc(x);
        let wrong = self.b.test(wrong, whole, x);
        let step = self.f64(step);
        let next = self.double_op(Op::FAdd, whole, step);
        self.b.select(ty, wrong, next, whole)
    }

    fn double_round_ties_even(&mut self, x: Word) -> Word {
        // From 2^52 on there is no bit behind the point, so a sum rounds to one without.
        let ty = self.f64_ty();
        let magnitude = self.double_abs(x);
        let large = self.f64((1_u64 << PLACE) as f64);
        let raised = self.double_op(Op::FAdd, magnitude, large);
        let rounded = self.double_op(Op::FSub, raised, large);
        let small = self.b.test(Op::FOrdLessThan, magnitude, large);
        let rounded = self.b.select(ty, small, rounded, magnitude);
        self.double_copysign(rounded, x)
    }

    fn double_round(&mut self, x: Word) -> Word {
        let ty = self.f64_ty();
        let whole = self.double_trunc(x);
        let rest = self.double_op(Op::FSub, x, whole);
        let rest = self.double_abs(rest);
        let (half, one) = (self.f64(0.5), self.f64(1.0));
        let away = self.b.test(Op::FOrdGreaterThanEqual, rest, half);
        let step = self.double_copysign(one, x);
        let next = self.double_op(Op::FAdd, whole, step);
        let rounded = self.b.select(ty, away, next, whole);
        self.double_copysign(rounded, x)
    }

    fn double_rem_euclid(&mut self, x: Word, y: Word) -> Word {
        let ty = self.f64_ty();
        let rest = self.float_remainder(Format::DOUBLE, x, y);
        let zero = self.f64(0.0);
        let negative = self.b.test(Op::FOrdLessThan, rest, zero);
        let width = self.double_abs(y);
        let raised = self.double_op(Op::FAdd, rest, width);
        self.b.select(ty, negative, raised, rest)
    }

    fn double_div_euclid(&mut self, x: Word, y: Word) -> Word {
        let ty = self.f64_ty();
        let quotient = self.double_op(Op::FDiv, x, y);
        let quotient = self.double_trunc(quotient);
        let rest = self.float_remainder(Format::DOUBLE, x, y);
        let (zero, one, minus_one) = (self.f64(0.0), self.f64(1.0), self.f64(-1.0));
        let negative = self.b.test(Op::FOrdLessThan, rest, zero);
        let forward = self.b.test(Op::FOrdGreaterThan, y, zero);
        let step = self.b.select(ty, forward, minus_one, one);
        let moved = self.double_op(Op::FAdd, quotient, step);
        self.b.select(ty, negative, moved, quotient)
    }
}
