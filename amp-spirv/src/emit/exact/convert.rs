//! `f32` to `f64`, denormals included: where a device takes them for zero, a small number is
//! converted as a large one.

use spirv::{GlslStd450Op as GLOp, Op, Word};

use super::super::Emitter;
use super::super::format::Format;
use crate::artifact::FloatFaults;

/// 2^64, which makes a normal number of every denormal.
const RAISE: f32 = 18_446_744_073_709_551_616.0;

impl Emitter<'_> {
    /// An `f32` as an `f64`.
    pub(in crate::emit) fn widened_float(&mut self, value: Word) -> Word {
        let ty = self.float_ty(Format::DOUBLE);
        if self.is_fast() {
            return self.b.op(Op::FConvert, ty, &[value]);
        }
        let f32_ty = self.b.scalar.f32;
        let faulty = self.has_fault(FloatFaults::COMPARISONS);
        let (raise, limit) = (self.b.f32(RAISE), self.b.f32(1.0));
        let size = self.b.glsl(GLOp::FAbs, f32_ty, &[value]);
        let small = self.b.test(Op::FOrdLessThan, size, limit);
        let small = self.b.test(Op::LogicalAnd, faulty, small);
        let raised = self.b.float(Op::FMul, value, raise);
        let source = self.b.select(f32_ty, small, raised, value);
        let wide = self.b.op(Op::FConvert, ty, &[source]);
        let lower = self.real(Format::DOUBLE.float, 1.0 / f64::from(RAISE));
        let lowered = self.on_floats(Format::DOUBLE, Op::FMul, wide, lower);
        self.b.select(ty, small, lowered, wide)
    }
}
