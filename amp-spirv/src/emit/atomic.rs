//! Atomic operations, each one instruction.
//!
//! They are relaxed: single accesses that nothing comes between, which order nothing
//! else. Their scope is that of the threads that can see the memory: the tile for
//! tile_static variables, for elements of views the queue family, which has all tiles
//! of a launch and needs no feature beyond the memory model.
//!
//! Loads and stores are volatile too: a thread that waits for another reads one place again
//! and again, and nothing may take two reads for one.

use rspirv::dr::Operand;
use rspirv::spirv::{MemorySemantics, Op, Scope, StorageClass, Word};

use super::Emitter;
use super::function::Flow;
use super::types::UNIT;
use crate::ir::{Atomic, AtomicOp, Type};

impl<'m> Emitter<'m> {
    /// Emits an atomic operation; gives what the place held before.
    pub fn atomic(&mut self, atomic: &'m Atomic) -> Flow<Word> {
        let (address, checks) = self.address(&atomic.place)?;
        let mut values = Vec::with_capacity(atomic.operands.len());
        for operand in &atomic.operands {
            values.push(self.expr(operand)?);
        }
        let scope = match address.storage {
            StorageClass::Workgroup => Scope::Workgroup,
            _ => Scope::QueueFamily,
        };
        let semantics = match atomic.op {
            AtomicOp::Load | AtomicOp::Store => MemorySemantics::VOLATILE,
            _ => MemorySemantics::RELAXED,
        };
        let scope = self.b.u32(scope as u32);
        let semantics = self.b.u32(semantics.bits());
        let ty = self.ty(&atomic.place.ty);
        let result = atomic.op.reads().then_some(ty);
        Ok(self.guarded(checks, result, |emitter| {
            let pointer = emitter.pointer(&address, &atomic.place.ty);
            let mut operands = vec![pointer, scope, semantics];
            if atomic.op == AtomicOp::CompareExchange {
                // If it fails: the same.
                operands.push(semantics);
            }
            operands.extend(values);
            if atomic.op == AtomicOp::Store {
                let operands = operands.into_iter().map(Operand::IdRef).collect();
                emitter.b.effect(Op::AtomicStore, operands);
                return UNIT;
            }
            emitter
                .b
                .op(instruction(atomic.op, &atomic.place.ty), ty, &operands)
        }))
    }
}

fn instruction(op: AtomicOp, ty: &Type) -> Op {
    let signed = ty.scalar().is_some_and(|scalar| scalar.is_signed());
    match op {
        AtomicOp::Load => Op::AtomicLoad,
        AtomicOp::Store => Op::AtomicStore,
        AtomicOp::Exchange => Op::AtomicExchange,
        AtomicOp::CompareExchange => Op::AtomicCompareExchange,
        AtomicOp::Add => Op::AtomicIAdd,
        AtomicOp::Sub => Op::AtomicISub,
        AtomicOp::Min if signed => Op::AtomicSMin,
        AtomicOp::Min => Op::AtomicUMin,
        AtomicOp::Max if signed => Op::AtomicSMax,
        AtomicOp::Max => Op::AtomicUMax,
        AtomicOp::And => Op::AtomicAnd,
        AtomicOp::Or => Op::AtomicOr,
        AtomicOp::Xor => Op::AtomicXor,
    }
}
