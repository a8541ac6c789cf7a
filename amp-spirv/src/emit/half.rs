//! Floats of the `half` crate: the way between their bits and the `f32` of the same value, which is
//! how they travel, and rounding to what they can hold, by their [format](Half).
//!
//! An `f16` is converted by the device's own instructions if the run time has found them exact
//! ([`FloatFaults::HALVES`]), but for NaN, whose bits have to stay. All else is done on bits, so that
//! it is exact whatever the device makes of denormal numbers.
//!
//! Arithmetic may make any NaN of one. So its operands and results are converted without that care; and
//! what is loaded and stored again, or computed and stored, keeps the bits that it came from.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;
use super::library::Routine;
use crate::artifact::FloatFaults;
use crate::tree::{Half, Scalar};

const SIGN: u32 = 0x8000_0000;
const MAGNITUDE: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
/// The bit by which a NaN is quiet, which is one that every format keeps.
const QUIET: u32 = 0x0040_0000;

impl Half {
    /// Bits of the mantissa of an `f32` that it has not.
    fn dropped(self) -> u32 {
        23 - self.mantissa_bits
    }

    /// What the exponents of `f32` and these differ by.
    fn bias(self) -> u32 {
        128 - (1 << (self.exponent_bits - 1))
    }

    /// The least normal number, as an `f32`.
    fn normal(self) -> u32 {
        (self.bias() + 1) << 23
    }

    /// The `f32` from which on it is infinite.
    fn overflow(self) -> u32 {
        let infinity = (self.bias() + (1 << self.exponent_bits) - 1) << 23;
        infinity - (1 << (self.dropped() - 1))
    }

    /// The bits of infinity.
    fn infinity(self) -> u32 {
        ((1 << self.exponent_bits) - 1) << self.mantissa_bits
    }

    /// The sign bit.
    fn sign(self) -> u32 {
        1 << (self.exponent_bits + self.mantissa_bits)
    }

    /// By how many places the sign bit of an `f32` is higher.
    fn sign_places(self) -> u32 {
        31 - self.exponent_bits - self.mantissa_bits
    }

    /// How many of the least number make 1, a power of two.
    fn scale(self) -> f32 {
        f32::from_bits((127 + 126 - self.bias() + self.mantissa_bits) << 23)
    }

    /// Whether it is the upper half of an `f32`.
    fn is_cut(self) -> bool {
        self.bias() == 0
    }

    /// Whether devices have instructions that convert it.
    fn is_of_devices(self) -> bool {
        (self.exponent_bits, self.mantissa_bits) == (5, 10)
    }
}

/// Where the bits of a float of the `half` crate in a register come from.
#[derive(Clone, Copy)]
pub(super) enum HalfBits {
    /// They are these.
    Known(Word),
    /// They are those of this `f32` when it is rounded, a result of arithmetic.
    Rounded(Word),
}

impl Emitter<'_> {
    /// An `f32` rounded to what a float of the `half` crate can hold.
    pub fn rounded_half(&mut self, half: Half, x: Word) -> Word {
        match half.is_cut() {
            true => self.cut(half, x),
            false => self.call_routine(Routine::RoundHalf(half), self.b.scalar.f32, &[x]),
        }
    }

    /// The bits of a float of the `half` crate.
    pub fn bits_of_half(&mut self, half: Half, x: Word) -> Word {
        if half.is_cut() {
            let bits = self.b.bitcast(self.b.scalar.u32, x);
            let places = self.b.u32(half.dropped());
            return self.b.int(Op::ShiftRightLogical, bits, places);
        }
        let (routine, x) = match self.half_bits.get(&x) {
            Some(&HalfBits::Known(bits)) => return bits,
            Some(&HalfBits::Rounded(result)) => (Routine::BitsOfHalfResult(half), result),
            None => (Routine::BitsOfHalf(half), x),
        };
        self.call_routine(routine, self.b.scalar.u32, &[x])
    }

    /// The float of the `half` crate with some bits.
    pub fn half_with_bits(&mut self, half: Half, bits: Word) -> Word {
        if half.is_cut() {
            let places = self.b.u32(half.dropped());
            let bits = self.b.int(Op::ShiftLeftLogical, bits, places);
            return self.b.bitcast(self.b.scalar.f32, bits);
        }
        let x = self.call_routine(Routine::HalfWithBits(half), self.b.scalar.f32, &[bits]);
        self.half_bits.insert(x, HalfBits::Known(bits));
        x
    }

    /// A float of the `half` crate as an operand of arithmetic.
    pub fn half_number(&mut self, half: Half, x: Word) -> Word {
        match self.half_bits.get(&x) {
            Some(&HalfBits::Known(bits)) => {
                self.call_routine(Routine::HalfNumber(half), self.b.scalar.f32, &[bits])
            }
            _ => x,
        }
    }

    /// What arithmetic of floats of the `half` crate made, as one.
    pub fn half_result(&mut self, half: Half, x: Word) -> Word {
        if half.is_cut() {
            return self.cut(half, x);
        }
        let rounded = self.call_routine(Routine::HalfResult(half), self.b.scalar.f32, &[x]);
        self.half_bits.insert(rounded, HalfBits::Rounded(x));
        rounded
    }

    pub(super) fn emit_half_number(&mut self, id: Word, half: Half) {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let name = format!("amp::{}_number", half.name);
        let bits = self.b.begin_function(id, &name, f32_ty, &[u32_ty])[0];
        self.return_if_devices_are_exact(half, |emitter| emitter.device_float(bits));
        let float = self.call_routine(Routine::HalfWithBits(half), f32_ty, &[bits]);
        self.b.ret(Some(float));
        self.b.end_function();
    }

    pub(super) fn emit_half_result(&mut self, id: Word, half: Half) {
        let f32_ty = self.b.scalar.f32;
        let name = format!("amp::{}_result", half.name);
        let x = self.b.begin_function(id, &name, f32_ty, &[f32_ty])[0];
        self.return_if_devices_are_exact(half, |emitter| emitter.device_rounded(x));
        let rounded = self.rounded_half(half, x);
        self.b.ret(Some(rounded));
        self.b.end_function();
    }

    pub(super) fn emit_bits_of_half_result(&mut self, id: Word, half: Half) {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let name = format!("amp::{}_result_to_bits", half.name);
        let x = self.b.begin_function(id, &name, u32_ty, &[f32_ty])[0];
        self.return_if_devices_are_exact(half, |emitter| emitter.device_bits(x));
        let rounded = self.rounded_half(half, x);
        let bits = self.bits_of_half(half, rounded);
        self.b.ret(Some(bits));
        self.b.end_function();
    }

    /// An `f32` with its sign and its magnitude apart.
    fn apart(&mut self, x: Word) -> (Word, Word) {
        let bits = self.b.bitcast(self.b.scalar.u32, x);
        let (sign, magnitude) = (self.b.u32(SIGN), self.b.u32(MAGNITUDE));
        (
            self.b.int(Op::BitwiseAnd, bits, sign),
            self.b.int(Op::BitwiseAnd, bits, magnitude),
        )
    }

    /// The `f32` of a magnitude and a sign.
    fn joined(&mut self, sign: Word, magnitude: Word) -> Word {
        let bits = self.b.int(Op::BitwiseOr, sign, magnitude);
        self.b.bitcast(self.b.scalar.f32, bits)
    }

    /// A magnitude without its lowest bits, rounded to nearest, ties to even; a NaN stays
    /// one.
    fn without(&mut self, magnitude: Word, dropped: u32) -> Word {
        let (one, places) = (self.b.u32(1), self.b.u32(dropped));
        let (half, mask) = (
            self.b.u32((1 << (dropped - 1)) - 1),
            self.b.u32(u32::MAX << dropped),
        );
        let last = self.b.int(Op::ShiftRightLogical, magnitude, places);
        let odd = self.b.int(Op::BitwiseAnd, last, one);
        let raised = self.b.int(Op::IAdd, magnitude, half);
        let raised = self.b.int(Op::IAdd, raised, odd);
        let rounded = self.b.int(Op::BitwiseAnd, raised, mask);
        let cut = self.nan_without(magnitude, dropped);
        let nan = self.is_above_infinity(magnitude);
        self.b.select(self.b.scalar.u32, nan, cut, rounded)
    }

    /// The magnitude of a NaN without its lowest bits.
    fn nan_without(&mut self, magnitude: Word, dropped: u32) -> Word {
        let (mask, infinity, quiet) = (
            self.b.u32(u32::MAX << dropped),
            self.b.u32(INFINITY),
            self.b.u32(QUIET),
        );
        let cut = self.b.int(Op::BitwiseAnd, magnitude, mask);
        let lost = self.b.test(Op::ULessThanEqual, cut, infinity);
        let quieted = self.b.int(Op::BitwiseOr, cut, quiet);
        self.b.select(self.b.scalar.u32, lost, quieted, cut)
    }

    fn is_above_infinity(&mut self, magnitude: Word) -> Word {
        let infinity = self.b.u32(INFINITY);
        self.b.test(Op::UGreaterThan, magnitude, infinity)
    }

    /// An `f32` rounded to what a half of it can hold.
    fn cut(&mut self, half: Half, x: Word) -> Word {
        let (sign, magnitude) = self.apart(x);
        let rounded = self.without(magnitude, half.dropped());
        self.joined(sign, rounded)
    }

    pub(super) fn emit_rounded_half(&mut self, id: Word, half: Half) {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let name = format!("amp::round_{}", half.name);
        let x = self.b.begin_function(id, &name, f32_ty, &[f32_ty])[0];
        let (sign, magnitude) = self.apart(x);
        self.return_if_devices_are_exact(half, |emitter| {
            let rounded = emitter.device_rounded(x);
            let cut = emitter.nan_without(magnitude, half.dropped());
            let cut = emitter.joined(sign, cut);
            let nan = emitter.is_above_infinity(magnitude);
            emitter.b.select(f32_ty, nan, cut, rounded)
        });

        let normal = self.without(magnitude, half.dropped());
        let (overflow, infinity) = (self.b.u32(half.overflow()), self.b.u32(INFINITY));
        let large = self.b.test(Op::UGreaterThanEqual, magnitude, overflow);
        let nan = self.is_above_infinity(magnitude);
        let finite = self.b.not(nan);
        let endless = self.b.test(Op::LogicalAnd, large, finite);
        let normal = self.b.select(u32_ty, endless, infinity, normal);
        // The last place of this number, 0.5 for an `f16`, is that of denormal ones.
        let place = self.b.f32((1 << 23) as f32 / half.scale());
        let absolute = self.b.bitcast(f32_ty, magnitude);
        let raised = self.b.float(Op::FAdd, absolute, place);
        let lowered = self.b.float(Op::FSub, raised, place);
        let denormal = self.b.bitcast(u32_ty, lowered);
        let least = self.b.u32(half.normal());
        let small = self.b.test(Op::ULessThan, magnitude, least);
        let rounded = self.b.select(u32_ty, small, denormal, normal);
        let rounded = self.joined(sign, rounded);
        self.b.ret(Some(rounded));
        self.b.end_function();
    }

    pub(super) fn emit_bits_of_half(&mut self, id: Word, half: Half) {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let name = format!("amp::{}_to_bits", half.name);
        let x = self.b.begin_function(id, &name, u32_ty, &[f32_ty])[0];
        let (sign, magnitude) = self.apart(x);
        let places = self.b.u32(half.sign_places());
        let sign = self.b.int(Op::ShiftRightLogical, sign, places);
        let places = self.b.u32(half.dropped());
        let moved = self.b.int(Op::ShiftRightLogical, magnitude, places);
        // An infinite exponent loses its upper bits.
        let low = self.b.u32(half.sign() - 1);
        let endless = self.b.int(Op::BitwiseAnd, moved, low);
        self.return_if_devices_are_exact(half, |emitter| {
            let bits = emitter.device_bits(x);
            let kept = emitter.b.int(Op::BitwiseOr, endless, sign);
            let nan = emitter.is_above_infinity(magnitude);
            emitter.b.select(u32_ty, nan, kept, bits)
        });

        let bias = self.b.u32(half.bias() << half.mantissa_bits);
        let normal = self.b.int(Op::ISub, moved, bias);
        let infinity = self.b.u32(INFINITY);
        let no_number = self.b.test(Op::UGreaterThanEqual, magnitude, infinity);
        let normal = self.b.select(u32_ty, no_number, endless, normal);
        // A denormal is a multiple of the least.
        let least = self.b.u32(half.normal());
        let small = self.b.test(Op::ULessThan, magnitude, least);
        let zero = self.b.u32(0);
        let safe = self.b.select(u32_ty, small, magnitude, zero);
        let absolute = self.b.bitcast(f32_ty, safe);
        let scale = self.b.f32(half.scale());
        let multiple = self.b.float(Op::FMul, absolute, scale);
        let denormal = self.b.op(Op::ConvertFToU, u32_ty, &[multiple]);
        let bits = self.b.select(u32_ty, small, denormal, normal);
        let bits = self.b.int(Op::BitwiseOr, bits, sign);
        self.b.ret(Some(bits));
        self.b.end_function();
    }

    pub(super) fn emit_half_with_bits(&mut self, id: Word, half: Half) {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let name = format!("amp::{}_from_bits", half.name);
        let bits = self.b.begin_function(id, &name, f32_ty, &[u32_ty])[0];
        let (sign, low) = (self.b.u32(half.sign()), self.b.u32(half.sign() - 1));
        let sign = self.b.int(Op::BitwiseAnd, bits, sign);
        let places = self.b.u32(half.sign_places());
        let sign = self.b.int(Op::ShiftLeftLogical, sign, places);
        let magnitude = self.b.int(Op::BitwiseAnd, bits, low);
        let places = self.b.u32(half.dropped());
        let moved = self.b.int(Op::ShiftLeftLogical, magnitude, places);
        let first = self.b.u32(half.infinity());
        let infinity = self.b.u32(INFINITY);
        let endless = self.b.int(Op::BitwiseOr, moved, infinity);
        self.return_if_devices_are_exact(half, |emitter| {
            let float = emitter.device_float(bits);
            let kept = emitter.joined(sign, endless);
            let nan = emitter.b.test(Op::UGreaterThan, magnitude, first);
            emitter.b.select(f32_ty, nan, kept, float)
        });

        let bias = self.b.u32(half.bias() << 23);
        let normal = self.b.int(Op::IAdd, moved, bias);
        let no_number = self.b.test(Op::UGreaterThanEqual, magnitude, first);
        let normal = self.b.select(u32_ty, no_number, endless, normal);
        let multiple = self.b.op(Op::ConvertUToF, f32_ty, &[magnitude]);
        let scale = self.b.f32(1.0 / half.scale());
        let denormal = self.b.float(Op::FMul, multiple, scale);
        let denormal = self.b.bitcast(u32_ty, denormal);
        let least = self.b.u32(1 << half.mantissa_bits);
        let small = self.b.test(Op::ULessThan, magnitude, least);
        let magnitude = self.b.select(u32_ty, small, denormal, normal);
        let float = self.joined(sign, magnitude);
        self.b.ret(Some(float));
        self.b.end_function();
    }

    /// Returns `value` from a function of the library if devices convert such floats, unless
    /// their conversions have the fault.
    fn return_if_devices_are_exact(&mut self, half: Half, value: impl FnOnce(&mut Self) -> Word) {
        if !half.is_of_devices() {
            return;
        }
        let faulty = self.has_fault(FloatFaults::HALVES);
        let exact = self.b.not(faulty);
        self.return_if(exact, value);
    }

    /// The bits of the `f16` nearest to an `f32`, as the device rounds it.
    fn device_bits(&mut self, x: Word) -> Word {
        let pair = self.vector_ty(Scalar::F32, 2);
        let zero = self.b.f32(0.0);
        let pair = self.b.composite(pair, &[x, zero]);
        self.b.glsl(GLOp::PackHalf2x16, self.b.scalar.u32, &[pair])
    }

    /// An `f32` rounded to what an `f16` can hold, as the device rounds it.
    fn device_rounded(&mut self, x: Word) -> Word {
        let bits = self.device_bits(x);
        self.device_float(bits)
    }

    /// The `f16` with some bits, as the device converts it.
    fn device_float(&mut self, bits: Word) -> Word {
        // NVIDIA's driver flushes denormals whose bits it knows, and takes the way to bits and
        // back for no rounding.
        let bits = self.unknown_bits(bits, Scalar::U32);
        let pair = self.vector_ty(Scalar::F32, 2);
        let pair = self.b.glsl(GLOp::UnpackHalf2x16, pair, &[bits]);
        self.b
            .op(Op::CompositeExtract, self.b.scalar.f32, &[pair, 0])
    }
}
