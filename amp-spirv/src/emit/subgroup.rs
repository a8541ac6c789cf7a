//! Operations of subgroups: the threads that a device runs in step.
//!
//! Each is one instruction of the `GroupNonUniform` family, but for shuffles: from a lane
//! that is not there SPIR-V gives no value at all, so the lane is looked up in a ballot of
//! those that are, and zero stands for its value. `broadcast` is a shuffle, since
//! nothing proves that its lane is the same in the whole subgroup.

use spirv::{BuiltIn, Capability, GroupOperation, Op, Scope, Word};

use super::Emitter;
use super::types::UNIT;
use crate::tree::{Scalar, SubgroupOp, Type};

impl Emitter<'_> {
    /// Emits an operation of the subgroup; gives its value, of type `ty`.
    pub fn subgroup(&mut self, op: SubgroupOp, ty: &Type, operands: &[Word]) -> Word {
        self.b.capability(Capability::GroupNonUniform);
        let bool_ty = self.b.scalar.bool;
        let operand = operands.first().copied().unwrap_or(UNIT);
        let other = operands.get(1).copied().unwrap_or(UNIT);
        match op {
            SubgroupOp::Size => {
                let size = self.lanes(BuiltIn::SubgroupSize);
                self.as_index(size)
            }
            SubgroupOp::Index => {
                let lane = self.lanes(BuiltIn::SubgroupLocalInvocationId);
                self.as_index(lane)
            }
            SubgroupOp::Barrier => {
                self.subgroup_barrier();
                UNIT
            }
            SubgroupOp::Elect => self.group(Op::GroupNonUniformElect, bool_ty, None, &[]),
            SubgroupOp::All => {
                self.b.capability(Capability::GroupNonUniformVote);
                self.group(Op::GroupNonUniformAll, bool_ty, None, &[operand])
            }
            SubgroupOp::Any => {
                self.b.capability(Capability::GroupNonUniformVote);
                self.group(Op::GroupNonUniformAny, bool_ty, None, &[operand])
            }
            SubgroupOp::Ballot => {
                let ballot = self.ballot(operand);
                let u32_ty = self.b.scalar.u32;
                let words = (0..4).map(|k| self.b.extract(u32_ty, ballot, k)).collect();
                self.aggregate(ty, words)
            }
            SubgroupOp::Shuffle => {
                let ty = self.ty(ty);
                self.shuffle(ty, operand, other)
            }
            SubgroupOp::ShuffleXor => {
                let own = self.lanes(BuiltIn::SubgroupLocalInvocationId);
                let own = self.as_index(own);
                let lane = self.index_op(Op::BitwiseXor, own, other);
                let ty = self.ty(ty);
                self.shuffle(ty, operand, lane)
            }
            SubgroupOp::Add
            | SubgroupOp::Min
            | SubgroupOp::Max
            | SubgroupOp::InclusiveAdd
            | SubgroupOp::ExclusiveAdd => {
                self.b.capability(Capability::GroupNonUniformArithmetic);
                let how = match op {
                    SubgroupOp::InclusiveAdd => GroupOperation::InclusiveScan,
                    SubgroupOp::ExclusiveAdd => GroupOperation::ExclusiveScan,
                    _ => GroupOperation::Reduce,
                };
                let result = self.ty(ty);
                self.group(arithmetic(op, ty), result, Some(how), &[operand])
            }
        }
    }

    /// An instruction over the subgroup.
    fn group(&mut self, op: Op, ty: Word, how: Option<GroupOperation>, operands: &[Word]) -> Word {
        let scope = self.b.u32(Scope::Subgroup as u32);
        let mut all = vec![scope];
        all.extend(how.map(|how| how as Word));
        all.extend_from_slice(operands);
        self.b.op(op, ty, &all)
    }

    /// A number that has to do with lanes.
    fn lanes(&mut self, builtin: BuiltIn) -> Word {
        let u32_ty = self.b.scalar.u32;
        let variable = self.builtin_variable(builtin, u32_ty);
        self.b.load(u32_ty, variable)
    }

    /// The lanes where a condition holds.
    fn ballot(&mut self, condition: Word) -> Word {
        self.b.capability(Capability::GroupNonUniformBallot);
        let u32_ty = self.b.scalar.u32;
        let vector = self.b.intern(Op::TypeVector, None, &[u32_ty, 4]);
        self.group(Op::GroupNonUniformBallot, vector, None, &[condition])
    }

    /// What `value` is in a lane; `lane` is a `usize`.
    fn shuffle(&mut self, ty: Word, value: Word, lane: Word) -> Word {
        self.b.capability(Capability::GroupNonUniformShuffle);
        // No subgroup has the lane that stands for greater ones.
        let lane = self.saturated_index(lane);
        let (u32_ty, bool_ty) = (self.b.scalar.u32, self.b.scalar.bool);
        let size = self.lanes(BuiltIn::SubgroupSize);
        let own = self.lanes(BuiltIn::SubgroupLocalInvocationId);
        let exists = self.b.test(Op::ULessThan, lane, size);
        let safe = self.b.select(u32_ty, exists, lane, own);
        let yes = self.b.bool(true);
        let here = self.ballot(yes);
        let is_here = Op::GroupNonUniformBallotBitExtract;
        let is_here = self.group(is_here, bool_ty, None, &[here, safe]);
        let exists = self.b.test(Op::LogicalAnd, exists, is_here);
        // A lane without a thread is not asked.
        let safe = self.b.select(u32_ty, exists, lane, own);
        let found = self.group(Op::GroupNonUniformShuffle, ty, None, &[value, safe]);
        let zero = self.b.null(ty);
        self.b.select(ty, exists, found, zero)
    }
}

fn arithmetic(op: SubgroupOp, ty: &Type) -> Op {
    let scalar = ty.scalar();
    let float = scalar == Some(Scalar::F32);
    let signed = scalar.is_some_and(Scalar::is_signed);
    match op {
        SubgroupOp::Min if float => Op::GroupNonUniformFMin,
        SubgroupOp::Min if signed => Op::GroupNonUniformSMin,
        SubgroupOp::Min => Op::GroupNonUniformUMin,
        SubgroupOp::Max if float => Op::GroupNonUniformFMax,
        SubgroupOp::Max if signed => Op::GroupNonUniformSMax,
        SubgroupOp::Max => Op::GroupNonUniformUMax,
        _ if float => Op::GroupNonUniformFAdd,
        _ => Op::GroupNonUniformIAdd,
    }
}
