//! Operations of subgroups, of which an interpreter has one for each thread: a program may only
//! depend on what is the same for subgroups of every size.

use super::Value;
use crate::tree::SubgroupOp;

/// An operation of a subgroup of one lane.
pub fn subgroup(op: SubgroupOp, operands: &[Value], zero: Value) -> Value {
    match op {
        SubgroupOp::Size => Value::Int(1),
        SubgroupOp::Index => Value::Int(0),
        SubgroupOp::Elect => Value::Bool(true),
        SubgroupOp::Barrier => Value::Unit,
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
