//! Places: the addresses of variables, tile_static variables and elements of views, and
//! the accesses that go through them (`access` has the instructions).
//!
//! A pointer is computed where the checks have passed; the code that accesses a place has made sure
//! of that.

use spirv::{MemoryAccess, Op as SpvOp, StorageClass, Word};

use super::Emitter;
use super::access::{Address, Form};
use super::function::ViewValue;
use super::types::{UNIT, has_value};
use crate::mir::{Access, Base, Inst, Op, Step, Value};
use crate::tree::{Len, MemoryLayout, Type, multiple_of};

/// Where an access goes.
pub(super) struct Place<'m> {
    pub address: Address,
    pub ty: &'m Type,
}

impl<'m> Emitter<'m> {
    /// Emits an access; gives its result.
    pub fn access(&mut self, inst: &'m Inst) -> Word {
        // `branches` leaves no other.
        let holds = |guard| self.current().always_holds(guard);
        assert!(inst.guard.is_none_or(holds), "an access has a guard");
        let args = &inst.args;
        let accesses = inst.op.accesses();
        let (Some(first), last) = (accesses.first(), accesses.last()) else {
            return UNIT;
        };
        let place = self.place(first, args);
        let ty = place.ty;
        if !has_value(ty) {
            return UNIT;
        }
        let others = &args[first.operands()..];
        let pointer = self.pointer(&place.address, ty);
        match (&inst.op, last) {
            (Op::Load(_), _) => return self.read(&place.address, pointer, ty),
            (Op::Store(_), _) => {
                let value = self.word(others[0]);
                self.write(&place.address, pointer, ty, value);
            }
            (Op::Clear(_), _) => self.clear(&place.address, pointer, ty),
            (Op::Copy(..), Some(from)) => {
                let from = self.place(from, others);
                let source = self.pointer(&from.address, ty);
                self.copy((&place.address, pointer), (&from.address, source), ty);
            }
            (Op::Atomic(op, _), _) => {
                let values = self.words(others);
                return self.atomic(*op, &place.address, pointer, ty, values);
            }
            _ => {}
        }
        UNIT
    }

    /// The place that an access with these operands goes to.
    pub fn place(&mut self, access: &'m Access, args: &'m [Value]) -> Place<'m> {
        let ir = self.ir;
        let mut rest = args.iter();
        let mut element = None;
        let (base, storage, memory, form, mut ty) = match access.base {
            Base::Slot(slot) => {
                let (variable, ty) = (self.slot(slot), self.slot_ty(slot));
                (variable, StorageClass::Function, None, Form::Register, ty)
            }
            Base::TileStatic(id) => {
                let variable = &ir.tile_statics[id.0 as usize];
                let memory = (!access.is_private).then_some(MemoryAccess::NON_PRIVATE_POINTER);
                let form = self.form_of_tile_static(id);
                let word = self.tile_statics[id.0 as usize];
                (word, StorageClass::Workgroup, memory, form, &variable.ty)
            }
            Base::Element(_) | Base::Position => {
                let (own, others) = args.split_at(access.base.operands());
                rest = others.iter();
                let view = self.view(own[0]);
                let position = match access.base {
                    Base::Position => self.word(own[1]),
                    _ => self.position(own),
                };
                let ty = match self.type_of(args[0]) {
                    Type::View(ty) => {
                        element = Some(self.element(&view, ty, position));
                        &*ty.element
                    }
                    other => other,
                };
                let mut memory = MemoryAccess::ALIGNED;
                if !access.is_private {
                    memory |= MemoryAccess::NON_PRIVATE_POINTER;
                }
                let storage = StorageClass::PhysicalStorageBuffer;
                (view.pointer, storage, Some(memory), Form::Host, ty)
            }
        };
        let layout = ir.layout();
        let mut alignment = multiple_of(layout.size_of(ty).unwrap_or(4));
        let mut indices = Vec::with_capacity(access.path.len());
        let mut is_component = false;
        for step in &access.path {
            alignment = alignment.min(multiple_of(stride(layout, ty, *step)));
            is_component = form == Form::Host && matches!(ty, Type::Vector(..));
            let index = match step {
                Step::Field(field) => self.b.u32(*field),
                Step::Index => rest.next().map_or(UNIT, |index| self.index_of(*index)),
            };
            indices.push(index);
            ty = part(layout, ty, *step);
        }
        let address = Address {
            base,
            element,
            indices,
            is_component,
            storage,
            form,
            access: memory,
            alignment,
        };
        Place { address, ty }
    }

    /// An index as a `u32`: what is accessed is within the length, which fits 32 bits.
    fn index_of(&mut self, index: Value) -> Word {
        match self.literal_of(index) {
            Some(literal) => self.b.u32(literal.bits() as u32),
            None => self.index_word(self.word(index)),
        }
    }

    /// Position of an element, given by its view and components, counted in elements.
    pub fn position(&mut self, element: &[Value]) -> Word {
        let (view, components) = (self.view(element[0]), self.words(&element[1..]));
        self.linear(&view, &components)
    }

    /// The same of words.
    pub fn linear(&mut self, view: &ViewValue, components: &[Word]) -> Word {
        let mut sum = None;
        for (component, stride) in components.iter().zip(&view.strides) {
            let part = self.index_op(SpvOp::IMul, *component, *stride);
            sum = Some(match sum {
                None => part,
                Some(sum) => self.index_op(SpvOp::IAdd, sum, part),
            });
        }
        let last = components.last().copied().unwrap_or(UNIT);
        match sum {
            None => last,
            Some(sum) => self.index_op(SpvOp::IAdd, sum, last),
        }
    }

    /// The number of an array's elements, a constant of type `u32`.
    pub fn len(&mut self, len: Len) -> Word {
        match len {
            Len::Literal(len) => self.b.u32(len),
            Len::Const(id) => self.word_constant(id),
        }
    }
}

/// Type of a part of a value.
fn part<'m>(layout: MemoryLayout<'m>, ty: &'m Type, step: Step) -> &'m Type {
    let part = match (step, layout.elements(ty)) {
        (_, Some((_, element))) => Some(element),
        (Step::Field(field), None) => layout.part(ty, field),
        (Step::Index, None) => None,
    };
    part.unwrap_or(&Type::Never)
}

/// Bytes that a step goes over: the offset of a field, the stride of elements.
fn stride(layout: MemoryLayout<'_>, ty: &Type, step: Step) -> u32 {
    match (ty, step) {
        (Type::Struct(id), Step::Field(field)) => {
            let fields = layout.structs[id.0 as usize].fields.iter();
            let fields: Vec<&Type> = fields.map(|field| &field.ty).collect();
            let offsets = layout.offsets(&fields).map(|(offsets, _)| offsets);
            offsets.map_or(1, |offsets| offsets[field as usize])
        }
        _ => layout.size_of(part(layout, ty, step)).unwrap_or(4),
    }
}
