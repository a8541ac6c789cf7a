//! A zero that drivers do not know to be one, against what they make of what they know.
//!
//! Both faults are lavapipe's (Mesa 22.3); the cost elsewhere is an instruction or two.

use rspirv::spirv::{BuiltIn, Op, Word};

use super::Emitter;
use crate::ir::Scalar;

impl Emitter<'_> {
    /// Zero, as a `u32`.
    fn hidden_zero(&mut self) -> Word {
        // No tile has 2^31 threads.
        let thread = self.builtin(BuiltIn::LocalInvocationId, 0);
        let width = self.b.u32(31);
        self.b.int(Op::ShiftRightLogical, thread, width)
    }

    /// An operand of float arithmetic, hidden if it is a literal zero: `x + 0.0` is taken
    /// for `x` and `x * 0.0` for `0.0`, which is wrong for `-0.0` and NaN, whatever the
    /// module says of signed zeroes.
    pub fn unfolded(&mut self, operand: Word) -> Word {
        if self.is_fast() {
            return operand;
        }
        let Some(zero) = self.b.f32_literal(operand).filter(|value| *value == 0.0) else {
            return operand;
        };
        let (u32_ty, f32_ty) = (self.b.scalar.u32, self.b.scalar.f32);
        let (nothing, bits) = (self.hidden_zero(), self.b.u32(zero.to_bits()));
        let zero = self.b.op(Op::BitwiseOr, u32_ty, &[nothing, bits]);
        self.b.bitcast(f32_ty, zero)
    }

    /// The same for `f64`.
    pub fn unfolded_double(&mut self, operand: Word) -> Word {
        for zero in [0.0, -0.0_f64] {
            if operand == self.real(Scalar::F64, zero) {
                let ty = self.scalar_ty(Scalar::F64);
                let (nothing, high) = (
                    self.hidden_zero(),
                    self.b.u32((zero.to_bits() >> 32) as u32),
                );
                let high = self.b.int(Op::BitwiseOr, nothing, high);
                let bits = self.whole(nothing, high);
                return self.b.bitcast(ty, bits);
            }
        }
        operand
    }

    /// True, for the second way out that a `loop` gets: with only one, a value that leaves
    /// the loop has no phi, and threads that left early see that of the last round.
    pub fn hidden_true(&mut self) -> Word {
        let (nothing, zero) = (self.hidden_zero(), self.b.u32(0));
        self.b.test(Op::IEqual, nothing, zero)
    }
}
