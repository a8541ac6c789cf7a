//! Values too large to be one: arrays of many elements, and what holds them.
//!
//! Drivers take a value apart into its scalars and work on all of them at once, some in a time
//! that grows with the square of their number. A *bulk* value is therefore always in memory.
//! Functions take bulk values by pointers to variables of their callers, and write a bulk
//! result through a pointer that is their first parameter.
//!
//! Bulk values are moved element by element, in loops: to a driver that does not know the
//! position, each access is code, so several a round would make it slow to compile.

use spirv::{StorageClass, Word};

use super::Emitter;
use super::access::{Address, Form};
use super::types::has_value;
use crate::tree::Type;

impl Emitter<'_> {
    /// Whether values of a type are bulk.
    pub fn is_bulk(&self, ty: &Type) -> bool {
        self.ir.layout().is_bulk(ty)
    }

    /// A variable for a bulk value.
    pub fn bulk_variable(&mut self, ty: &Type) -> Word {
        let id = self.ty(ty);
        self.b.variable(id, "")
    }

    /// Copies a value from the second place, each given with the pointer to it, to the first.
    pub fn copy(&mut self, to: (&Address, Word), from: (&Address, Word), ty: &Type) {
        if !self.is_bulk(ty) {
            let value = self.read(from.0, from.1, ty);
            self.write(to.0, to.1, ty, value);
            return;
        }
        self.each_part(ty, |emitter, part, position| {
            let (source, from) = emitter.part_of(from.0, from.1, part, position);
            let (target, to) = emitter.part_of(to.0, to.1, part, position);
            emitter.copy((&target, to), (&source, from), part);
        });
    }

    /// Puts zero to a place; see [`hidden_zero_of`](Self::hidden_zero_of).
    pub fn clear(&mut self, address: &Address, pointer: Word, ty: &Type) {
        if !self.is_bulk(ty) {
            let zero = self.hidden_zero_of(ty);
            self.write(address, pointer, ty, zero);
            return;
        }
        self.each_part(ty, |emitter, part, position| {
            let (address, place) = emitter.part_of(address, pointer, part, position);
            emitter.clear(&address, place, part);
        });
    }

    /// Puts zero into a variable.
    pub fn zero_into(&mut self, variable: Word, ty: &Type) {
        self.clear(&Address::of_variable(variable), variable, ty);
    }

    /// The pointer to a part of a variable.
    pub fn part_in(&mut self, variable: Word, part: &Type, position: Word) -> Word {
        let id = self.ty(part);
        let pointer = self.b.pointer(StorageClass::Function, id);
        self.b.access(pointer, variable, &[position])
    }

    /// Emits `each` for the parts of a bulk value, in loops if they are elements: with a
    /// part's type and its position.
    fn each_part(&mut self, ty: &Type, mut each: impl FnMut(&mut Self, &Type, Word)) {
        let Type::Array(part, len) = ty else {
            for (part, position) in self.parts(ty).iter().zip(0..) {
                if has_value(part) {
                    let position = self.b.u32(position);
                    each(self, part, position);
                }
            }
            return;
        };
        if !has_value(part) {
            return;
        }
        let len = self.len(*len);
        self.has_own_loops = true;
        self.count_up(len, |emitter, position| each(emitter, part, position));
    }
}

impl Address {
    /// A variable of the function, or a part of one.
    pub fn of_variable(variable: Word) -> Self {
        Address {
            base: variable,
            element: None,
            indices: Vec::new(),
            is_component: false,
            storage: StorageClass::Function,
            form: Form::Register,
            access: None,
            alignment: 4,
        }
    }
}
