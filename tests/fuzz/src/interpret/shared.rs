//! What threads do to the same memory, and what those of a subgroup do together.
//!
//! Here every thread is a subgroup of its own. A program may only say what is the same for
//! subgroups of every size.

use std::sync::PoisonError;

use amp_spirv::ir::{Atomic, AtomicOp, BinaryOp, MathOp, SubgroupOp};
use amp_spirv::value::{Value, number};

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

    /// An operation of a subgroup of one lane.
    pub fn subgroup(&mut self, op: SubgroupOp, operands: &[Value], zero: Value) -> Value {
        match op {
            SubgroupOp::Size => Value::Int(1),
            SubgroupOp::Index => Value::Int(0),
            SubgroupOp::Elect => Value::Bool(true),
            SubgroupOp::Ballot => {
                let lanes = i128::from(operands[0].as_bool());
                Value::Parts([lanes, 0, 0, 0].map(Value::Int).to_vec())
            }
            SubgroupOp::ExclusiveAdd => zero,
            SubgroupOp::Shuffle | SubgroupOp::ShuffleXor => match operands[1].as_int() {
                0 => operands[0].clone(),
                _ => zero,
            },
            SubgroupOp::All
            | SubgroupOp::Any
            | SubgroupOp::Add
            | SubgroupOp::Min
            | SubgroupOp::Max
            | SubgroupOp::InclusiveAdd => operands[0].clone(),
        }
    }
}
