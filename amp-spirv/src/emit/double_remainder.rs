//! `a % b` for `f64`: long division of the mantissas, eight bits of the quotient a round.

use rspirv::spirv::{GlslStd450Op as GLOp, Op, Word};

use super::Emitter;
use crate::ir::Scalar;

const SIGN: u64 = 1 << 63;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;
const NAN: u64 = 0x7ff8_0000_0000_0000;
/// Place of the mantissa's highest bit, which is not stored.
const PLACE: u32 = 52;
const MANTISSA: u64 = (1 << PLACE) - 1;

impl Emitter<'_> {
    fn word(&mut self, value: u64) -> Word {
        self.number(Scalar::U64, value.into())
    }

    pub(super) fn emit_double_remainder(&mut self, id: Word) {
        let (ty, word) = (self.scalar_ty(Scalar::F64), self.scalar_ty(Scalar::U64));
        let (u32_ty, i32_ty) = (self.b.scalar.u32, self.b.scalar.i32);
        let params = self.b.begin_function(id, "amp::fmod_f64", ty, &[ty, ty]);
        let (sign, magnitude) = (self.word(SIGN), self.word(!SIGN));
        let x = self.b.bitcast(word, params[0]);
        let y = self.b.bitcast(word, params[1]);
        let sign = self.b.op(Op::BitwiseAnd, word, &[x, sign]);
        let ax = self.b.op(Op::BitwiseAnd, word, &[x, magnitude]);
        let ay = self.b.op(Op::BitwiseAnd, word, &[y, magnitude]);

        // x is not finite, y is zero or NaN: no remainder.
        let (zero, infinity) = (self.word(0), self.word(INFINITY));
        let no_x = self.b.test(Op::UGreaterThanEqual, ax, infinity);
        let zero_y = self.b.test(Op::IEqual, ay, zero);
        let nan_y = self.b.test(Op::UGreaterThan, ay, infinity);
        let bad = self.b.test(Op::LogicalOr, no_x, zero_y);
        let bad = self.b.test(Op::LogicalOr, bad, nan_y);
        self.return_if(bad, |emitter| {
            let nan = emitter.word(NAN);
            emitter.b.bitcast(ty, nan)
        });
        let smaller = self.b.test(Op::ULessThan, ax, ay);
        self.return_if(smaller, |_| params[0]);

        let (mx, ex) = self.decompose_double(ax);
        let (my, ey) = self.decompose_double(ay);
        let difference = self.b.op(Op::ISub, i32_ty, &[ex, ey]);
        let difference = self.b.bitcast(u32_ty, difference);
        let start = self.b.op(Op::UMod, word, &[mx, my]);

        let [header, test, inside, next, merge] = [(); 5].map(|()| self.b.id());
        let [rest, left, next_rest, next_left] = [(); 4].map(|()| self.b.id());
        let before = self.b.block;
        self.b.branch(header);
        self.b.label(header);
        let edges = [start, before, next_rest, next];
        self.b.define(rest, Op::Phi, word, &edges);
        let edges = [difference, before, next_left, next];
        self.b.define(left, Op::Phi, u32_ty, &edges);
        self.b.loop_merge(merge, next);
        self.b.branch(test);
        self.b.label(test);
        let none = self.b.u32(0);
        let more = self.b.test(Op::INotEqual, left, none);
        self.b.branch_if(more, inside, merge);
        self.b.label(inside);
        let eight = self.b.u32(8);
        let bits = self.b.glsl(GLOp::UMin, u32_ty, &[left, eight]);
        let shifted = self.b.op(Op::ShiftLeftLogical, word, &[rest, bits]);
        self.b.branch(next);
        self.b.label(next);
        self.b.define(next_rest, Op::UMod, word, &[shifted, my]);
        self.b.define(next_left, Op::ISub, u32_ty, &[left, bits]);
        self.b.branch(header);
        self.b.label(merge);

        let nothing = self.b.test(Op::IEqual, rest, zero);
        self.return_if(nothing, |emitter| emitter.b.bitcast(ty, sign));
        let (mantissa, exponent) = self.normalise_double(rest, ey);
        // Normal: drop the hidden bit and put the exponent in. Denormal: shift. What
        // is shifted out is zero, since a remainder is a multiple of y's last place.
        let (zero_i, one_i) = (self.b.i32(0), self.b.i32(1));
        let normal = self.b.test(Op::SGreaterThan, exponent, zero_i);
        let (low, place) = (self.word(MANTISSA), self.b.u32(PLACE));
        let fraction = self.b.op(Op::BitwiseAnd, word, &[mantissa, low]);
        let raised = self.b.op(Op::UConvert, word, &[exponent]);
        let raised = self.b.op(Op::ShiftLeftLogical, word, &[raised, place]);
        let as_normal = self.b.op(Op::BitwiseOr, word, &[fraction, raised]);
        let down = self.b.int(Op::ISub, one_i, exponent);
        let width = self.b.u32(63);
        let down = self.b.int(Op::BitwiseAnd, down, width);
        let as_denormal = self.b.op(Op::ShiftRightLogical, word, &[mantissa, down]);
        let result = self.b.select(word, normal, as_normal, as_denormal);
        let result = self.b.op(Op::BitwiseOr, word, &[result, sign]);
        let result = self.b.bitcast(ty, result);
        self.b.ret(Some(result));
        self.b.end_function();
    }

    /// Mantissa with its highest bit in its place, and the exponent (an `i32`) that goes
    /// with it, of a finite magnitude other than zero.
    fn decompose_double(&mut self, magnitude: Word) -> (Word, Word) {
        let (word, u32_ty) = (self.scalar_ty(Scalar::U64), self.b.scalar.u32);
        let place = self.b.u32(PLACE);
        let (low, hidden) = (self.word(MANTISSA), self.word(1 << PLACE));
        let (zero, one) = (self.b.u32(0), self.b.u32(1));
        let exponent = self.b.op(Op::ShiftRightLogical, word, &[magnitude, place]);
        let exponent = self.b.op(Op::UConvert, u32_ty, &[exponent]);
        let fraction = self.b.op(Op::BitwiseAnd, word, &[magnitude, low]);
        let denormal = self.b.test(Op::IEqual, exponent, zero);
        let whole = self.b.op(Op::BitwiseOr, word, &[fraction, hidden]);
        let mantissa = self.b.select(word, denormal, fraction, whole);
        let exponent = self.b.select(u32_ty, denormal, one, exponent);
        let exponent = self.b.bitcast(self.b.scalar.i32, exponent);
        self.normalise_double(mantissa, exponent)
    }

    /// Moves the highest bit to its place.
    fn normalise_double(&mut self, mantissa: Word, exponent: Word) -> (Word, Word) {
        let (word, i32_ty) = (self.scalar_ty(Scalar::U64), self.b.scalar.i32);
        let zeros = self.leading_zeros(mantissa, Scalar::U64);
        let above = self.b.u32(63 - PLACE);
        let shift = self.b.int(Op::ISub, zeros, above);
        let mantissa = self.b.op(Op::ShiftLeftLogical, word, &[mantissa, shift]);
        let exponent = self.b.op(Op::ISub, i32_ty, &[exponent, shift]);
        (mantissa, exponent)
    }
}
