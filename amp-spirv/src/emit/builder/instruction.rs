//! Instructions of the current block, and shorthands for those on 32-bit scalars.

use spirv::{
    Decoration, GlslStd450Op as GLOp, LoopControl, MemoryAccess, Op, SelectionControl, Word,
};

use super::Builder;

impl Builder {
    /// Says where in the source the next instructions come from.
    pub fn line(&mut self, file: Word, line: u32, column: u32) {
        if self.line != Some((file, line)) {
            self.line = Some((file, line));
            self.effect(Op::Line, &[file, line, column]);
        }
    }

    /// An instruction with a result.
    pub fn op(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        let id = self.id();
        self.define(id, op, ty, operands);
        id
    }

    /// An instruction without a result.
    pub fn effect(&mut self, op: Op, operands: &[Word]) {
        self.body.push(op, None, None, operands);
    }

    /// An instruction of `GLSL.std.450`.
    pub fn glsl(&mut self, op: GLOp, ty: Word, operands: &[Word]) -> Word {
        let all = [&[self.glsl, op as Word], operands].concat();
        self.op(Op::ExtInst, ty, &all)
    }

    pub fn phi(&mut self, ty: Word, edges: &[(Word, Word)]) -> Word {
        let operands = edges.iter().flat_map(|(value, block)| [*value, *block]);
        let operands: Vec<Word> = operands.collect();
        self.op(Op::Phi, ty, &operands)
    }

    /// Gives an id that was promised earlier to a value.
    pub fn define(&mut self, id: Word, op: Op, ty: Word, operands: &[Word]) {
        self.body.push(op, Some(ty), Some(id), operands);
    }

    pub fn branch(&mut self, target: Word) {
        self.effect(Op::Branch, &[target]);
    }

    pub fn branch_if(&mut self, condition: Word, yes: Word, no: Word) {
        self.effect(Op::BranchConditional, &[condition, yes, no]);
    }

    pub fn selection_merge(&mut self, merge: Word) {
        self.effect(Op::SelectionMerge, &[merge, SelectionControl::NONE.bits()]);
    }

    /// Declares a loop.
    pub fn loop_merge(&mut self, merge: Word, continue_target: Word) {
        self.loop_merge_with(LoopControl::NONE, merge, continue_target);
    }

    /// The same, with a hint for the driver.
    pub fn loop_merge_with(&mut self, hint: LoopControl, merge: Word, continue_target: Word) {
        self.effect(Op::LoopMerge, &[merge, continue_target, hint.bits()]);
    }

    pub fn ret(&mut self, value: Option<Word>) {
        match value {
            Some(value) => self.effect(Op::ReturnValue, &[value]),
            None => self.effect(Op::Return, &[]),
        }
    }

    pub fn unreachable(&mut self) {
        self.effect(Op::Unreachable, &[]);
    }

    pub fn load(&mut self, ty: Word, pointer: Word) -> Word {
        self.op(Op::Load, ty, &[pointer])
    }

    pub fn store(&mut self, pointer: Word, value: Word) {
        self.effect(Op::Store, &[pointer, value]);
    }

    /// Loads from an address in memory.
    pub fn load_aligned(&mut self, ty: Word, pointer: Word, alignment: u32) -> Word {
        let operands = [pointer, MemoryAccess::ALIGNED.bits(), alignment];
        self.op(Op::Load, ty, &operands)
    }

    /// Stores to an address in memory.
    pub fn store_aligned(&mut self, pointer: Word, value: Word, alignment: u32) {
        let operands = [pointer, value, MemoryAccess::ALIGNED.bits(), alignment];
        self.effect(Op::Store, &operands);
    }

    pub fn access(&mut self, pointer_ty: Word, base: Word, indices: &[Word]) -> Word {
        if indices.is_empty() {
            return base;
        }
        let operands = [&[base], indices].concat();
        self.op(Op::AccessChain, pointer_ty, &operands)
    }

    pub fn extract(&mut self, ty: Word, value: Word, index: u32) -> Word {
        self.op(Op::CompositeExtract, ty, &[value, index])
    }

    // Shorthands for arithmetic on 32-bit scalars.

    /// A `u32` from two integers.
    pub fn int(&mut self, op: Op, a: Word, b: Word) -> Word {
        self.op(op, self.scalar.u32, &[a, b])
    }

    /// An `f32` from two.
    pub fn float(&mut self, op: Op, a: Word, b: Word) -> Word {
        let id = self.op(op, self.scalar.f32, &[a, b]);
        self.uncontracted(id);
        id
    }

    /// Says that a product and a sum must not become one operation, as they do not in
    /// Rust.
    pub fn uncontracted(&mut self, id: Word) {
        if self.exact && !self.fast {
            self.decorate(id, Decoration::NoContraction, None);
        }
    }

    /// A `bool` from two operands.
    pub fn test(&mut self, op: Op, a: Word, b: Word) -> Word {
        self.op(op, self.scalar.bool, &[a, b])
    }

    pub fn not(&mut self, value: Word) -> Word {
        self.op(Op::LogicalNot, self.scalar.bool, &[value])
    }

    pub fn select(&mut self, ty: Word, condition: Word, yes: Word, no: Word) -> Word {
        self.op(Op::Select, ty, &[condition, yes, no])
    }

    pub fn bitcast(&mut self, ty: Word, value: Word) -> Word {
        self.op(Op::Bitcast, ty, &[value])
    }
}
