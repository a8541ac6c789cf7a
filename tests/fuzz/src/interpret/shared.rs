//! What threads do to the same memory.

use std::sync::PoisonError;

use amp_spirv::tree::{Atomic, AtomicOp, BinaryOp, MathOp};
use amp_spirv::value::number;

use super::thread::{Flow, Thread};

impl<'a> Thread<'a> {
    /// An atomic operation; gives what the place held before.
    pub fn atomic(&mut self, atomic: &'a Atomic) -> Flow {
        let found = self.find(&atomic.place)?;
        let operands = self.all(&atomic.operands)?;
        let ty = &atomic.place.ty;
        let Some(found) = found else {
            return Ok(self.zero(ty));
        };
        // No other thread comes between.
        let alone = self.tile.atomics.lock();
        let _alone = alone.unwrap_or_else(PoisonError::into_inner);
        let old = self.read(&found)?;
        let by = |op| number::binary(op, ty, &old, &operands[0]);
        let of = |op| number::math(op, ty, ty, &[old.clone(), operands[0].clone()]);
        let new = match atomic.op {
            AtomicOp::Add => by(BinaryOp::Add),
            AtomicOp::Sub => by(BinaryOp::Sub),
            AtomicOp::And => by(BinaryOp::BitAnd),
            AtomicOp::Or => by(BinaryOp::BitOr),
            AtomicOp::Xor => by(BinaryOp::BitXor),
            AtomicOp::Min => of(MathOp::Min),
            AtomicOp::Max => of(MathOp::Max),
            other => panic!("the generator makes no {other:?}"),
        };
        if let Ok(new) = new {
            self.write(&found, new);
        }
        Ok(old)
    }
}
