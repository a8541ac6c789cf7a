//! Comparisons of floats, denormals included.
//!
//! A device that takes denormals for zero in comparisons still subtracts them exactly, and
//! what it takes for equal or in order is so but for tiny operands. So the difference,
//! made large enough to be no denormal, decides; where the operands are infinities it is
//! NaN or infinite, and the plain comparison holds. That goes for literals that are no
//! denormals too: such a device makes a minimum, which is zero for a denormal, of a
//! comparison that decides between its operands.

use spirv::{Op, Word};

use super::super::Emitter;
use super::super::library::{Comparison, Routine};
use crate::artifact::FloatFaults;
use crate::tree::BinaryOp;

/// Makes a normal number of every denormal.
const RAISE: f32 = 4_294_967_296.0;

/// The device's own comparison of two floats.
pub fn float_test(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Eq => Op::FOrdEqual,
        BinaryOp::Lt => Op::FOrdLessThan,
        BinaryOp::Le => Op::FOrdLessThanEqual,
        BinaryOp::Gt => Op::FOrdGreaterThan,
        BinaryOp::Ge => Op::FOrdGreaterThanEqual,
        // True for NaN, as in Rust.
        _ => Op::FUnordNotEqual,
    }
}

impl Emitter<'_> {
    /// `a op b`
    pub fn compare_floats(&mut self, op: BinaryOp, a: Word, b: Word) -> Word {
        let plain = float_test(op);
        if self.is_fast() {
            return self.b.test(plain, a, b);
        }
        let (comparison, a, b) = match op {
            BinaryOp::Lt => (Comparison::Less, a, b),
            BinaryOp::Gt => (Comparison::Less, b, a),
            BinaryOp::Le => (Comparison::LessEqual, a, b),
            BinaryOp::Ge => (Comparison::LessEqual, b, a),
            _ => (Comparison::Equal, a, b),
        };
        let bool = self.b.scalar.bool;
        let holds = self.call_routine(Routine::Compare(comparison), bool, &[a, b]);
        match op {
            BinaryOp::Ne => self.b.not(holds),
            _ => holds,
        }
    }

    pub(in crate::emit) fn emit_comparison(&mut self, id: Word, comparison: Comparison) {
        let (bool, f32_ty) = (self.b.scalar.bool, self.b.scalar.f32);
        let (name, plain) = match comparison {
            Comparison::Less => ("amp::lt", Op::FOrdLessThan),
            Comparison::LessEqual => ("amp::le", Op::FOrdLessThanEqual),
            Comparison::Equal => ("amp::eq", Op::FOrdEqual),
        };
        let params = self.b.begin_function(id, name, bool, &[f32_ty, f32_ty]);
        let (a, b) = (params[0], params[1]);
        let plain = self.b.test(plain, a, b);
        let (raise, zero) = (self.b.f32(RAISE), self.b.f32(0.0));
        let difference = self.b.float(Op::FSub, a, b);
        let difference = self.b.float(Op::FMul, difference, raise);
        let exact = match comparison {
            Comparison::Less => self.b.test(Op::FOrdLessThan, difference, zero),
            Comparison::LessEqual => {
                let above = self.b.test(Op::FOrdGreaterThan, difference, zero);
                let not_above = self.b.not(above);
                self.b.test(Op::LogicalAnd, plain, not_above)
            }
            Comparison::Equal => {
                let apart = self.b.test(Op::FOrdNotEqual, difference, zero);
                let together = self.b.not(apart);
                self.b.test(Op::LogicalAnd, plain, together)
            }
        };
        let faulty = self.has_fault(FloatFaults::COMPARISONS);
        let result = self.b.select(bool, faulty, exact, plain);
        self.b.ret(Some(result));
        self.b.end_function();
    }
}
