//! Powers of floats with integer exponents, by functions of the [`library`](super::library).

use spirv::{Op, Word};

use super::Emitter;
use super::library::Routine;
use crate::tree::Scalar;

impl Emitter<'_> {
    /// `x.powi(n)` of an `f32` or `f64`.
    pub fn powi(&mut self, of: Scalar, x: Word, n: Word) -> Word {
        let ty = self.scalar_ty(of);
        let one = self.real(of, 1.0);
        let (i32_ty, u32_ty) = (self.b.scalar.i32, self.b.scalar.u32);
        let zero = self.b.i32(0);
        let negative = self.b.test(Op::SLessThan, n, zero);
        let negated = self.b.op(Op::SNegate, i32_ty, &[n]);
        let size = self.b.select(i32_ty, negative, negated, n);
        let size = self.b.bitcast(u32_ty, size);
        let routine = match of {
            Scalar::F64 => Routine::DoubleIntegerPower,
            _ => Routine::FloatIntegerPower,
        };
        let power = self.call_routine(routine, ty, &[x, size]);
        let inverse = match of {
            Scalar::F64 => self.double_op(Op::FDiv, one, power),
            _ => self.divide_floats(one, power),
        };
        self.b.select(ty, negative, inverse, power)
    }
}
