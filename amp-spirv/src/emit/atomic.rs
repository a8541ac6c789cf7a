//! Atomic operations, each one instruction.
//!
//! A float is a place of as many bits: it is loaded, stored, exchanged and compared as such,
//! which takes no feature that integers of its size do not take. What is added to it is added
//! in a loop that tries again until no other thread has come between.
//!
//! They are relaxed: single accesses that nothing comes between, which order nothing
//! else. Their scope is that of the threads that can see the memory: the tile for
//! tile_static variables, for elements of views the queue family, which has all tiles
//! of a launch and needs no feature beyond the memory model.
//!
//! Loads and stores are volatile too: a thread that waits for another reads one place again
//! and again, and nothing may take two reads for one.

use spirv::{Capability, MemorySemantics, Op, Scope, StorageClass, Word};

use super::Emitter;
use super::access::{Address, Form};
use super::scalar::is_wide;
use super::types::UNIT;
use crate::tree::{AtomicOp, Type};

impl Emitter<'_> {
    /// Emits an atomic operation on what is at `pointer`; gives what that held before.
    pub fn atomic(
        &mut self,
        op: AtomicOp,
        address: &Address,
        mut pointer: Word,
        of: &Type,
        mut values: Vec<Word>,
    ) -> Word {
        let scope = match address.storage {
            StorageClass::Workgroup => Scope::Workgroup,
            _ => Scope::QueueFamily,
        };
        let semantics = match op {
            AtomicOp::Load | AtomicOp::Store => MemorySemantics::VOLATILE,
            _ => MemorySemantics::RELAXED,
        };
        let scope = self.b.u32(scope as u32);
        let semantics = self.b.u32(semantics.bits());
        if is_wide(of) {
            self.b.capability(Capability::Int64Atomics);
        }
        let ty = self.ty(of);
        let bits = self.bits_ty(of);
        let is_float = bits != *of;
        let bits_ty = self.ty(&bits);
        if is_float && address.form == Form::Host {
            let to_bits = self.b.pointer(address.storage, bits_ty);
            pointer = self.b.bitcast(to_bits, pointer);
        }
        let place = AtomicPlace {
            pointer,
            ty: bits_ty,
            scope,
            semantics,
        };
        match (op, &*values) {
            _ if !is_float => self.at_once(instruction(op, &bits), &place, &values),
            (AtomicOp::Add, [value]) => self.float_update(Op::FAdd, &place, ty, *value),
            (AtomicOp::Sub, [value]) => self.float_update(Op::FSub, &place, ty, *value),
            _ => {
                for value in &mut values {
                    *value = self.b.bitcast(bits_ty, *value);
                }
                let found = self.at_once(instruction(op, &bits), &place, &values);
                match op {
                    AtomicOp::Store => UNIT,
                    _ => self.b.bitcast(ty, found),
                }
            }
        }
    }

    /// One atomic instruction; gives what the place held before.
    fn at_once(&mut self, instruction: Op, place: &AtomicPlace, values: &[Word]) -> Word {
        let mut operands = vec![place.pointer, place.scope, place.semantics];
        if instruction == Op::AtomicCompareExchange {
            // If it fails: the same.
            operands.push(place.semantics);
        }
        operands.extend(values);
        if instruction == Op::AtomicStore {
            self.b.effect(instruction, &operands);
            return UNIT;
        }
        self.b.op(instruction, place.ty, &operands)
    }

    /// Arithmetic of floats of type `ty` on the bits of a place, tried until no other thread
    /// comes between; gives what the place held before.
    fn float_update(&mut self, op: Op, place: &AtomicPlace, ty: Word, value: Word) -> Word {
        let bits = place.ty;
        let [header, test, inside, next, merge] = [(); 5].map(|()| self.b.id());
        let (old, found) = (self.b.id(), self.b.id());
        let first = self.at_once(Op::AtomicLoad, place, &[]);
        let before = self.b.block;
        self.b.branch(header);
        self.b.label(header);
        self.b
            .define(old, Op::Phi, bits, &[first, before, found, next]);
        self.b.loop_merge(merge, next);
        self.b.branch(test);
        self.b.label(test);
        let go_on = self.hidden_true();
        let never = self.b.block;
        self.b.branch_if(go_on, inside, merge);
        self.b.label(inside);
        let was = self.b.bitcast(ty, old);
        let new = self.b.op(op, ty, &[was, value]);
        self.b.uncontracted(new);
        let new = self.b.bitcast(bits, new);
        let (pointer, scope, semantics) = (place.pointer, place.scope, place.semantics);
        self.b.define(
            found,
            Op::AtomicCompareExchange,
            bits,
            &[pointer, scope, semantics, semantics, new, old],
        );
        let done = self.b.test(Op::IEqual, found, old);
        let inside = self.b.block;
        self.b.branch_if(done, merge, next);
        self.b.label(next);
        self.b.branch(header);
        self.b.label(merge);
        let found = self.b.phi(bits, &[(first, never), (found, inside)]);
        self.b.bitcast(ty, found)
    }
}

/// Where and how an atomic instruction works.
struct AtomicPlace {
    pointer: Word,
    /// Type of the place, an integer.
    ty: Word,
    scope: Word,
    semantics: Word,
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
