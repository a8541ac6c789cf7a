//! Runs: neighbouring elements of a view, loaded and stored at once.
//!
//! Elements of 32 bits and more are the components of a vector. Narrower ones are those of words,
//! because vectors have no more than four components.

use spirv::{MemoryAccess, Op, StorageClass, Word};

use super::Emitter;
use super::scalar::is_narrow;
use crate::mir::{Access, Inst, Value};
use crate::tree::Scalar;

/// How a run is cut into components.
struct Parts {
    /// Elements of a component.
    each: usize,
    /// Type of a component.
    ty: Word,
    /// Type of the elements of a component, if that has several.
    elements: Option<Word>,
    /// Type of all.
    whole: Word,
    /// Bytes of all.
    bytes: u32,
}

impl<'m> Emitter<'m> {
    /// The elements.
    pub fn load_run(&mut self, access: &'m Access, inst: &'m Inst) -> Vec<Word> {
        let (scalar, count) = self.elements_of_run(&inst.results);
        let parts = self.parts_of_run(scalar, count);
        let (pointer, mut operands) = self.run_pointer(access, inst, &parts);
        operands.insert(0, pointer);
        let whole = self.b.op(Op::Load, parts.whole, &operands);
        let memory_ty = self.scalar_memory_ty(scalar);
        let mut loaded = Vec::with_capacity(count);
        for at in 0..count / parts.each {
            let part = match parts.whole == parts.ty {
                true => whole,
                false => self.b.extract(parts.ty, whole, at as u32),
            };
            let Some(elements) = parts.elements else {
                loaded.push(self.loaded_scalar(part, scalar));
                continue;
            };
            let part = self.b.bitcast(elements, part);
            for element in 0..parts.each as u32 {
                let element = self.b.extract(memory_ty, part, element);
                loaded.push(self.loaded_scalar(element, scalar));
            }
        }
        loaded
    }

    /// Puts values to the elements.
    pub fn store_run(&mut self, access: &'m Access, inst: &'m Inst) {
        let values = &inst.args[access.operands()..];
        let (scalar, count) = self.elements_of_run(values);
        let parts = self.parts_of_run(scalar, count);
        let stored: Vec<Word> = self
            .words(values)
            .into_iter()
            .map(|value| self.stored_scalar(value, scalar))
            .collect();
        let components: Vec<Word> = match parts.elements {
            None => stored,
            Some(elements) => stored
                .chunks(parts.each)
                .map(|chunk| {
                    let chunk = self.b.composite(elements, chunk);
                    self.b.bitcast(parts.ty, chunk)
                })
                .collect(),
        };
        let whole = match &*components {
            [one] => *one,
            several => self.b.composite(parts.whole, several),
        };
        let (pointer, mut operands) = self.run_pointer(access, inst, &parts);
        operands.splice(0..0, [pointer, whole]);
        self.b.effect(Op::Store, &operands);
    }

    /// What the elements are, and how many.
    fn elements_of_run(&self, values: &[Value]) -> (Scalar, usize) {
        let scalar = values.first().and_then(|it| self.type_of(*it).scalar());
        (scalar.unwrap_or(Scalar::U32), values.len())
    }

    fn parts_of_run(&mut self, scalar: Scalar, count: usize) -> Parts {
        let memory_ty = self.scalar_memory_ty(scalar);
        let vector = |it: &mut Self, ty: Word, components: usize| {
            it.b.intern(Op::TypeVector, None, &[ty, components as u32])
        };
        let (each, ty, elements) = match is_narrow(scalar) {
            true => {
                let each = 32 / scalar.bits() as usize;
                (each, self.b.scalar.u32, Some(vector(self, memory_ty, each)))
            }
            false => (1, memory_ty, None),
        };
        let whole = match count / each {
            1 => ty,
            components => vector(self, ty, components),
        };
        Parts {
            each,
            ty,
            elements,
            whole,
            bytes: count as u32 * scalar.bits() / 8,
        }
    }

    /// The pointer to a run, and how it is accessed.
    fn run_pointer(
        &mut self,
        access: &'m Access,
        inst: &'m Inst,
        parts: &Parts,
    ) -> (Word, Vec<Word>) {
        let place = self.place(access, &inst.args);
        let first = self.pointer(&place.address, place.ty);
        let ty = self
            .b
            .pointer(StorageClass::PhysicalStorageBuffer, parts.whole);
        let pointer = self.b.bitcast(ty, first);
        let how = place.address.access.unwrap_or(MemoryAccess::ALIGNED);
        (pointer, vec![how.bits(), parts.bytes])
    }
}
