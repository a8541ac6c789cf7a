//! Operations on vectors: each component by the operation on scalars.
//!
//! A device runs one thread a lane, so operations on its vectors gain nothing over
//! operations on their components, and those are where exactness is taken care of. What
//! vectors are for is memory: [`super::place`] loads and stores them as a whole.

use spirv::{Op, Word};

use super::Emitter;
use super::function::Operand;
use crate::tree::{BinaryOp, MathOp, Scalar, Type, UnaryOp};

impl Emitter<'_> {
    /// The SPIR-V type of a vector.
    pub fn vector_ty(&mut self, scalar: Scalar, components: u32) -> Word {
        let component = self.ty(Type::of(scalar));
        let operands = [component, components];
        self.b.intern(Op::TypeVector, None, &operands)
    }

    /// `op value`
    pub fn vector_unary(&mut self, op: UnaryOp, ty: &Type, value: Word) -> Word {
        self.by_component(ty, |emitter, k| {
            let (scalar, value) = emitter.component(ty, value, k);
            emitter.unary(op, scalar, value)
        })
    }

    /// `a op b`
    pub fn vector_binary(
        &mut self,
        op: BinaryOp,
        a: Operand<'_>,
        b: Operand<'_>,
        guard: Option<Word>,
    ) -> Word {
        let mut result = match a.ty {
            Type::Vector(..) => a.ty.clone(),
            _ => b.ty.clone(),
        };
        if op.is_comparison() {
            result = result.with_scalar(Scalar::Bool);
        }
        self.by_component(&result, |emitter, k| {
            let (a, b) = (emitter.part_of_operand(a, k), emitter.part_of_operand(b, k));
            emitter.binary(op, a, b, guard)
        })
    }

    /// `value as target`
    pub fn vector_cast(&mut self, value: Word, source: &Type, target: &Type) -> Word {
        self.by_component(target, |emitter, k| {
            let (from, value) = emitter.component(source, value, k);
            let to = component_ty(target);
            emitter.cast(value, from, to)
        })
    }

    /// A numeric method whose result is a vector of type `ty`.
    pub fn vector_math(
        &mut self,
        op: MathOp,
        ty: &Type,
        operands: &[Operand<'_>],
        guard: Option<Word>,
    ) -> Word {
        self.by_component(ty, |emitter, k| {
            let parts: Vec<Operand<'_>> = operands
                .iter()
                .map(|operand| emitter.part_of_operand(*operand, k))
                .collect();
            emitter.math(op, component_ty(ty), &parts, guard)
        })
    }

    /// A component of an operand; a scalar stands for each.
    fn part_of_operand(&mut self, operand: Operand<'_>, k: u32) -> Operand<'static> {
        let (ty, word) = self.component(operand.ty, operand.word, k);
        Operand { word, ty }
    }

    /// A vector of type `ty` from what `component` makes of each position.
    pub fn by_component(
        &mut self,
        ty: &Type,
        mut component: impl FnMut(&mut Self, u32) -> Word,
    ) -> Word {
        let Type::Vector(_, components) = *ty else {
            return component(self, 0);
        };
        let parts = (0..components).map(|k| component(self, k)).collect();
        self.aggregate(ty, parts)
    }

    /// Type and value of a component; a scalar stands for each.
    pub fn component(&mut self, ty: &Type, value: Word, k: u32) -> (&'static Type, Word) {
        let scalar = component_ty(ty);
        match ty {
            Type::Vector(..) => match self.b.part(value, k) {
                Some(part) => (scalar, part),
                None => {
                    let id = self.ty(scalar);
                    (scalar, self.b.extract(id, value, k))
                }
            },
            _ => (scalar, value),
        }
    }
}

/// Type of a vector's components; of a scalar, its own.
fn component_ty(ty: &Type) -> &'static Type {
    match ty {
        Type::Vector(scalar, _) | Type::Scalar(scalar) => Type::of(*scalar),
        _ => &Type::Unit,
    }
}
