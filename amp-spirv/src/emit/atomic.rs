//! Atomic operations, each one instruction.
//!
//! A float is a place of as many bits: it is loaded, stored, exchanged and compared as such,
//! which takes no feature that integers of its size do not take. What is added to it is added
//! in a loop that tries again until no other thread has come between; or, in a view, by the device's
//! own instruction if the run time has found one ([`FloatFaults::ATOMIC_ADD`]). NVIDIA's takes
//! denormals for zero, so it is for numbers in whose sums no denormal can be seen. tile_static
//! variables have the loop alone: for the instruction they would have to be of another type, and
//! NVIDIA's compiler makes a loop of that too.
//!
//! They are relaxed: single accesses that nothing comes between, which order nothing
//! else. Their scope is that of the threads that can see the memory: the tile for
//! tile_static variables, for elements of views the queue family, which has all tiles
//! of a launch and needs no feature beyond the memory model.
//!
//! Loads and stores are volatile too: a thread that waits for another reads one place again
//! and again, and nothing may take two reads for one.

use spirv::{Capability, GlslStd450Op as GLOp, MemorySemantics, Op, Scope, StorageClass, Word};

use super::Emitter;
use super::access::{Address, Form};
use super::scalar::is_wide;
use super::types::UNIT;
use crate::artifact::FloatFaults;
use crate::tree::{AtomicOp, Scalar, Type};

/// From here on an instruction that takes denormals for zero adds numbers as any other does: with a
/// mantissa of p bits, from 2^(p + 1) times the least normal number on. What is between such a number
/// and its neighbours is more than twice a denormal, so their sum is rounded to the number. And no sum
/// is a denormal: what nearly cancels such a number is about as great, both are multiples of a normal
/// number, and so is their sum.
const LEAST_F32: f64 = f32::MIN_POSITIVE as f64 * (1_u64 << 25) as f64;
const LEAST_F64: f64 = f64::MIN_POSITIVE * (1_u64 << 54) as f64;

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
        let float_pointer = pointer;
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
            (AtomicOp::Add | AtomicOp::Sub, [value]) => match address.storage {
                StorageClass::Workgroup => self.float_update(op, &place, ty, *value),
                _ => self.float_add(op, &place, float_pointer, of, *value),
            },
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

    /// Adds to a float in a view, or subtracts from it; gives what it held before.
    fn float_add(
        &mut self,
        op: AtomicOp,
        place: &AtomicPlace,
        pointer: Word,
        of: &Type,
        value: Word,
    ) -> Word {
        let wide = is_wide(of);
        let (ty, bool) = (self.ty(of), self.b.scalar.bool);
        let (fault, capability, scalar, least) = match wide {
            true => (
                FloatFaults::ATOMIC_ADD_64,
                Capability::AtomicFloat64AddEXT,
                Scalar::F64,
                LEAST_F64,
            ),
            false => (
                FloatFaults::ATOMIC_ADD,
                Capability::AtomicFloat32AddEXT,
                Scalar::F32,
                LEAST_F32,
            ),
        };
        self.b.extension("SPV_EXT_shader_atomic_float_add");
        self.b.capability(capability);
        let mut looped = self.has_fault(fault);
        if !self.is_fast() {
            let size = self.b.glsl(GLOp::FAbs, ty, &[value]);
            let least = self.real(scalar, least);
            let small = self.b.test(Op::FOrdLessThan, size, least);
            looped = self.b.op(Op::LogicalOr, bool, &[looped, small]);
        }

        let [in_loop, at_once, merge] = [(); 3].map(|()| self.b.id());
        self.b.selection_merge(merge);
        self.b.branch_if(looped, in_loop, at_once);
        self.b.label(in_loop);
        let tried = self.float_update(op, place, ty, value);
        let in_loop = self.b.block;
        self.b.branch(merge);
        self.b.label(at_once);
        let value = match op {
            AtomicOp::Sub => self.b.op(Op::FNegate, ty, &[value]),
            _ => value,
        };
        let operands = [pointer, place.scope, place.semantics, value];
        let added = self.b.op(Op::AtomicFAddEXT, ty, &operands);
        self.b.branch(merge);
        self.b.label(merge);
        self.b.phi(ty, &[(tried, in_loop), (added, at_once)])
    }

    /// Arithmetic of floats of type `ty` on the bits of a place, tried until no other thread
    /// comes between; gives what the place held before.
    fn float_update(&mut self, op: AtomicOp, place: &AtomicPlace, ty: Word, value: Word) -> Word {
        self.has_own_loops = true;
        let op = match op {
            AtomicOp::Sub => Op::FSub,
            _ => Op::FAdd,
        };
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
