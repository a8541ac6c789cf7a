//! Division, correctly rounded: long division of the mantissas, a few bits of the
//! quotient a step.

use spirv::{Op, Word};

use super::super::Emitter;
use super::super::format::{Format, INFINITY, MAGNITUDE, NAN, SIGN};
use super::super::library::Routine;
use crate::artifact::FloatFaults;

/// Bits of the quotient of each step: 31 or 30 in all.
const STEPS: [u32; 4] = [8, 8, 8, 6];

impl Emitter<'_> {
    /// `a / b`
    pub fn divide_floats(&mut self, a: Word, b: Word) -> Word {
        if self.is_fast() {
            return self.b.float(Op::FDiv, a, b);
        }
        self.call_routine(Routine::Divide, self.b.scalar.f32, &[a, b])
    }

    pub(in crate::emit) fn emit_division(&mut self, id: Word) {
        let (u32_ty, i32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.i32, self.b.scalar.f32);
        let params = self
            .b
            .begin_function(id, "amp::div", f32_ty, &[f32_ty, f32_ty]);
        let (a, b) = (params[0], params[1]);
        let faulty = self.has_fault(FloatFaults::DIVISION);
        let sound = self.b.not(faulty);
        self.return_if(sound, |emitter| emitter.b.float(Op::FDiv, a, b));

        let (magnitude, sign) = (self.b.u32(MAGNITUDE), self.b.u32(SIGN));
        let x = self.b.bitcast(u32_ty, a);
        let y = self.b.bitcast(u32_ty, b);
        let sign_of = self.b.int(Op::BitwiseXor, x, y);
        let sign = self.b.int(Op::BitwiseAnd, sign_of, sign);
        let x = self.b.int(Op::BitwiseAnd, x, magnitude);
        let y = self.b.int(Op::BitwiseAnd, y, magnitude);
        self.return_special_quotient(x, y, sign);

        let (mx, ex) = self.decompose(Format::SINGLE, x);
        let (my, ey) = self.decompose(Format::SINGLE, y);
        let mut quotient = self.b.u32(0);
        let mut rest = mx;
        for bits in STEPS {
            let bits = self.b.u32(bits);
            let shifted = self.b.int(Op::ShiftLeftLogical, rest, bits);
            let digit = self.b.int(Op::UDiv, shifted, my);
            rest = self.b.int(Op::UMod, shifted, my);
            quotient = self.b.int(Op::ShiftLeftLogical, quotient, bits);
            quotient = self.b.int(Op::IAdd, quotient, digit);
        }
        let (bits, up) = self.raise(Format::SINGLE, quotient, 30);
        let bits = self.with_sticky(Format::SINGLE, bits, rest);
        let exponent = self.b.op(Op::ISub, i32_ty, &[ex, ey]);
        let thirty = self.b.i32(30);
        let exponent = self.b.op(Op::ISub, i32_ty, &[exponent, thirty]);
        let exponent = self.b.op(Op::ISub, i32_ty, &[exponent, up]);
        let result = self.pack(Format::SINGLE, sign, bits, exponent);
        self.b.ret(Some(result));
        self.b.end_function();
    }

    /// Returns from the function if a magnitude is zero or not finite.
    fn return_special_quotient(&mut self, x: Word, y: Word, sign: Word) {
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let (zero, infinity, nan) = (self.b.u32(0), self.b.u32(INFINITY), self.b.u32(NAN));
        let x_none = self.b.test(Op::IEqual, x, zero);
        let y_none = self.b.test(Op::IEqual, y, zero);
        let x_far = self.b.test(Op::UGreaterThanEqual, x, infinity);
        let y_far = self.b.test(Op::UGreaterThanEqual, y, infinity);
        let none = self.b.test(Op::LogicalOr, x_none, y_none);
        let far = self.b.test(Op::LogicalOr, x_far, y_far);
        let special = self.b.test(Op::LogicalOr, none, far);
        self.return_if(special, |emitter| {
            // The quotient is infinite if x is or y is zero, and zero otherwise.
            let b = &mut emitter.b;
            let endless = b.test(Op::LogicalOr, x_far, y_none);
            let size = b.select(u32_ty, endless, infinity, zero);
            let both_none = b.test(Op::LogicalAnd, x_none, y_none);
            let both_far = b.test(Op::LogicalAnd, x_far, y_far);
            let x_nan = b.test(Op::UGreaterThan, x, infinity);
            let y_nan = b.test(Op::UGreaterThan, y, infinity);
            let undefined = b.test(Op::LogicalOr, both_none, both_far);
            let is_nan = b.test(Op::LogicalOr, x_nan, y_nan);
            let undefined = b.test(Op::LogicalOr, undefined, is_nan);
            let size = b.select(u32_ty, undefined, nan, size);
            let bits = b.int(Op::BitwiseOr, size, sign);
            b.bitcast(f32_ty, bits)
        });
    }
}
