//! Functions that emitted code calls because SPIR-V has no instruction for them. Each
//! is emitted once, and only if something calls it.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;
use super::format::{Format, INFINITY, MAGNITUDE, NAN, SIGN};
use crate::tree::{Half, Scalar};
use rustc_hash::FxHashMap as HashMap;

/// A function of the library.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Routine {
    /// `a % b` for floats.
    Remainder(Format),
    /// `x.powf(y)`
    Power,
    /// `x.pow(n)`, wrapping, for a `u32` or `u64`.
    IntegerPower(Scalar),
    /// `x.powi(n)` for an `n` that is not negative.
    FloatIntegerPower,
    /// `a < b`, `a <= b` or `a == b` for floats.
    Compare(Comparison),
    /// `x.sqrt()`
    Sqrt,
    /// `x.mul_add(y, z)`
    MulAdd(Format),
    /// `a / b` for floats.
    Divide,
    /// `x.powi(n)` of an `f64` for an `n` that is not negative.
    DoubleIntegerPower,
    /// An `f32` rounded to what a float of the `half` crate can hold.
    RoundHalf(Half),
    /// `x.to_bits()` of one.
    BitsOfHalf(Half),
    /// `f16::from_bits(bits)`
    HalfWithBits(Half),
    /// The same for arithmetic, to which all NaN are one.
    HalfNumber(Half),
    /// A result of arithmetic.
    HalfResult(Half),
    /// The bits of one.
    BitsOfHalfResult(Half),
}

/// A comparison that the others are made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Comparison {
    Less,
    LessEqual,
    Equal,
}

/// The functions that something calls, and those of them that are still to be emitted.
#[derive(Default)]
pub(super) struct Library {
    ids: HashMap<Routine, Word>,
    missing: Vec<Routine>,
}

impl Library {
    /// Whether anything calls a function with a loop.
    pub fn has_loops(&self) -> bool {
        self.ids.keys().any(|routine| match routine {
            Routine::Remainder(_)
            | Routine::IntegerPower(_)
            | Routine::FloatIntegerPower
            | Routine::DoubleIntegerPower => true,
            Routine::Power
            | Routine::Compare(_)
            | Routine::Sqrt
            | Routine::MulAdd(_)
            | Routine::Divide
            | Routine::RoundHalf(_)
            | Routine::BitsOfHalf(_)
            | Routine::HalfWithBits(_)
            | Routine::HalfNumber(_)
            | Routine::HalfResult(_)
            | Routine::BitsOfHalfResult(_) => false,
        })
    }
}

impl Emitter<'_> {
    /// Calls a function of the library, which has a result of type `ty`.
    pub fn call_routine(&mut self, routine: Routine, ty: Word, arguments: &[Word]) -> Word {
        let id = match self.library.ids.get(&routine) {
            Some(id) => *id,
            None => {
                let id = self.b.id();
                self.library.ids.insert(routine, id);
                self.library.missing.push(routine);
                id
            }
        };
        let mut operands = vec![id];
        operands.extend_from_slice(arguments);
        self.b.op(Op::FunctionCall, ty, &operands)
    }

    /// `x.powf(y)`
    pub fn powf(&mut self, x: Word, y: Word) -> Word {
        self.call_routine(Routine::Power, self.b.scalar.f32, &[x, y])
    }

    /// `x`, a `u32` or `u64` as `scalar` says, to the power of `n`, a `u32`, wrapping.
    pub fn wrapping_pow(&mut self, scalar: Scalar, x: Word, n: Word) -> Word {
        let ty = self.scalar_ty(scalar);
        self.call_routine(Routine::IntegerPower(scalar), ty, &[x, n])
    }

    /// Emits what was called, and what that calls.
    pub fn library(&mut self) {
        while let Some(routine) = self.library.missing.pop() {
            let id = self.library.ids[&routine];
            match routine {
                Routine::Remainder(format) => self.emit_remainder(id, format),
                Routine::Power => self.emit_power(id),
                Routine::IntegerPower(scalar) => {
                    let name = match scalar {
                        Scalar::U64 => "amp::pow_u64",
                        _ => "amp::pow",
                    };
                    let (ty, one) = (self.scalar_ty(scalar), self.number(scalar, 1));
                    self.emit_repeated_product(id, name, ty, one);
                }
                Routine::FloatIntegerPower => {
                    let one = self.b.f32(1.0);
                    self.emit_repeated_product(id, "amp::powi", self.b.scalar.f32, one);
                }
                Routine::Compare(comparison) => self.emit_comparison(id, comparison),
                Routine::Sqrt => self.emit_sqrt(id),
                Routine::MulAdd(format) => self.emit_mul_add(id, format),
                Routine::Divide => self.emit_division(id),
                Routine::DoubleIntegerPower => {
                    let (ty, one) = (self.scalar_ty(Scalar::F64), self.real(Scalar::F64, 1.0));
                    self.emit_repeated_product(id, "amp::powi_f64", ty, one);
                }
                Routine::RoundHalf(half) => self.emit_rounded_half(id, half),
                Routine::BitsOfHalf(half) => self.emit_bits_of_half(id, half),
                Routine::HalfWithBits(half) => self.emit_half_with_bits(id, half),
                Routine::HalfNumber(half) => self.emit_half_number(id, half),
                Routine::HalfResult(half) => self.emit_half_result(id, half),
                Routine::BitsOfHalfResult(half) => self.emit_bits_of_half_result(id, half),
            }
        }
    }

    /// Powers by squaring, in the order in which Rust's `powi` multiplies.
    pub(super) fn emit_repeated_product(&mut self, id: Word, name: &str, ty: Word, one: Word) {
        let u32_ty = self.b.scalar.u32;
        let params = self.b.begin_function(id, name, ty, &[ty, u32_ty]);
        let [header, inside, next, merge] = [(); 4].map(|()| self.b.id());
        let [base, rest, product, next_base, next_rest, next_product] =
            [(); 6].map(|()| self.b.id());
        let (zero_u, one_u) = (self.b.u32(0), self.b.u32(1));
        let before = self.b.block;
        self.b.branch(header);
        self.b.label(header);
        self.b
            .define(base, Op::Phi, ty, &[params[0], before, next_base, next]);
        self.b
            .define(rest, Op::Phi, u32_ty, &[params[1], before, next_rest, next]);
        self.b
            .define(product, Op::Phi, ty, &[one, before, next_product, next]);
        self.b.loop_merge(merge, next);
        self.b.branch(inside);

        self.b.label(inside);
        let bit = self.b.int(Op::BitwiseAnd, rest, one_u);
        let is_odd = self.b.test(Op::INotEqual, bit, zero_u);
        let times = self.b.id();
        self.multiply(times, ty, product, base);
        self.b
            .define(next_product, Op::Select, ty, &[is_odd, times, product]);
        self.b
            .define(next_rest, Op::ShiftRightLogical, u32_ty, &[rest, one_u]);
        let done = self.b.test(Op::IEqual, next_rest, zero_u);
        self.b.branch_if(done, merge, next);

        self.b.label(next);
        self.multiply(next_base, ty, base, base);
        self.b.branch(header);
        self.b.label(merge);
        self.b.ret(Some(next_product));
        self.b.end_function();
    }

    fn multiply(&mut self, id: Word, ty: Word, a: Word, b: Word) {
        if ty == self.b.scalar.f32 || self.is_double(ty) {
            self.b.define(id, Op::FMul, ty, &[a, b]);
            self.b.uncontracted(id);
        } else {
            self.b.define(id, Op::IMul, ty, &[a, b]);
        }
    }

    /// `2^(y log2 |x|)`, with Rust's results where that is not the answer.
    fn emit_power(&mut self, id: Word) {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let params = self
            .b
            .begin_function(id, "amp::powf", f32_ty, &[f32_ty, f32_ty]);
        let (x, y) = (params[0], params[1]);
        let x_bits = self.b.bitcast(u32_ty, x);
        let y_bits = self.b.bitcast(u32_ty, y);
        let (magnitude, sign, infinity) = (
            self.b.u32(MAGNITUDE),
            self.b.u32(SIGN),
            self.b.u32(INFINITY),
        );
        let x_magnitude = self.b.int(Op::BitwiseAnd, x_bits, magnitude);
        let y_magnitude = self.b.int(Op::BitwiseAnd, y_bits, magnitude);
        let absolute = self.b.bitcast(f32_ty, x_magnitude);
        let logarithm = self.b.glsl(GLOp::Log2, f32_ty, &[absolute]);
        let exponent = self.b.float(Op::FMul, y, logarithm);
        let power = self.b.glsl(GLOp::Exp2, f32_ty, &[exponent]);
        // |x| == 1: 0 * inf is NaN, the power is not.
        let (one, nan) = (self.b.f32(1.0), self.b.u32(NAN));
        let nan = self.b.bitcast(f32_ty, nan);
        let identity = self.b.test(Op::FOrdEqual, y, one);
        let power = self.b.select(f32_ty, identity, absolute, power);
        let is_one = self.b.test(Op::FOrdEqual, absolute, one);
        let y_is_nan = self.b.test(Op::UGreaterThan, y_magnitude, infinity);
        let power = self.b.select(f32_ty, is_one, one, power);

        // Every float from 2^23 on is an integer, from 2^24 on an even one.
        let whole = self.b.glsl(GLOp::Trunc, f32_ty, &[y]);
        let is_whole = self.b.test(Op::FOrdEqual, whole, y);
        let (zero_u, one_u, limit) = (self.b.u32(0), self.b.u32(1), self.b.f32(16777216.0));
        let y_absolute = self.b.bitcast(f32_ty, y_magnitude);
        let small = self.b.test(Op::FOrdLessThan, y_absolute, limit);
        let zero = self.b.f32(0.0);
        let safe = self.b.select(f32_ty, small, y_absolute, zero);
        let number = self.b.op(Op::ConvertFToU, u32_ty, &[safe]);
        let lowest = self.b.int(Op::BitwiseAnd, number, one_u);
        let odd = self.b.test(Op::INotEqual, lowest, zero_u);
        let odd = self.b.test(Op::LogicalAnd, odd, is_whole);
        let x_sign = self.b.int(Op::BitwiseAnd, x_bits, sign);
        let power_bits = self.b.bitcast(u32_ty, power);
        let power_magnitude = self.b.int(Op::BitwiseAnd, power_bits, magnitude);
        let signed = self.b.int(Op::BitwiseOr, power_magnitude, x_sign);
        let signed = self.b.bitcast(f32_ty, signed);
        let result = self.b.select(f32_ty, odd, signed, power);

        // A finite negative base and a fraction: no real power.
        let negative = self.b.test(Op::FOrdLessThan, x, zero);
        let finite = self.b.test(Op::ULessThan, x_magnitude, infinity);
        let fraction = self.b.not(is_whole);
        let bad = self.b.test(Op::LogicalAnd, negative, finite);
        let bad = self.b.test(Op::LogicalAnd, bad, fraction);
        let x_is_nan = self.b.test(Op::UGreaterThan, x_magnitude, infinity);
        let bad = self.b.test(Op::LogicalOr, bad, x_is_nan);
        let bad = self.b.test(Op::LogicalOr, bad, y_is_nan);
        let result = self.b.select(f32_ty, bad, nan, result);
        // Even for NaN: 1^y and x^0 are one.
        let base_one = self.b.test(Op::FOrdEqual, x, one);
        let no_exponent = self.b.test(Op::IEqual, y_magnitude, zero_u);
        let trivial = self.b.test(Op::LogicalOr, base_one, no_exponent);
        let result = self.b.select(f32_ty, trivial, one, result);
        self.b.ret(Some(result));
        self.b.end_function();
    }
}
