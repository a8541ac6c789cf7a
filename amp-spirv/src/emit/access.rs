//! Values on their way between registers and memory.
//!
//! A scalar in memory may be another than in a register: the place's [`Form`] says which.
//! Where the two differ, an aggregate is moved part by part.

use spirv::{MemoryAccess, Op, StorageClass, Word};

use super::Emitter;
use super::function::ViewValue;
use crate::artifact::SPEC_FAR;
use crate::mir::Module;
use crate::tree::{IndexWidth, Scalar, TileStaticId, Type, View, multiple_of};

/// What the scalars of a place are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// What they are in registers.
    Register,
    /// What the host sees: the elements of views.
    Host,
    /// What they are in registers, but floats are the integers of their bits: a tile_static
    /// variable with floats that change atomically. Devices have atomic operations on
    /// integers, and a pointer to tile_static memory is always one to its own type.
    Bits,
}

/// Where a place lies.
pub(super) struct Address {
    pub base: Word,
    /// The element, if the base is a view.
    pub element: Option<Element>,
    /// From there on, as an access chain takes them.
    pub indices: Vec<Word>,
    /// Whether it is a component of a vector in a view.
    pub is_component: bool,
    pub storage: StorageClass,
    pub form: Form,
    /// How memory is accessed there; nothing for what only this thread sees.
    pub access: Option<MemoryAccess>,
    /// Bytes of which the address is a multiple, at least those of a scalar.
    pub alignment: u32,
}

/// An element of a view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// Of the view.
    pub pointer_ty: Word,
    /// Bytes.
    pub size: u32,
    /// From the start of the view on, counted in elements.
    pub position: Word,
}

impl Emitter<'_> {
    /// What the scalars of a tile_static variable are.
    pub fn form_of_tile_static(&self, id: TileStaticId) -> Form {
        match self.uses.float_atomics.contains(&id) {
            true => Form::Bits,
            false => Form::Register,
        }
    }

    /// Type of a value where it is kept.
    pub fn kept_ty(&mut self, form: Form, ty: &Type) -> Word {
        match form {
            Form::Register => self.ty(ty),
            Form::Host => self.memory_ty(ty),
            Form::Bits => {
                let bits = self.bits_ty(ty);
                self.ty(&bits)
            }
        }
    }

    /// A type with integers of the same width in place of its floats.
    pub fn bits_ty(&self, ty: &Type) -> Type {
        let scalar = |scalar: &Scalar| match scalar {
            Scalar::F32 => Scalar::U32,
            Scalar::F64 => Scalar::U64,
            other => *other,
        };
        match ty {
            Type::Scalar(of) => Type::Scalar(scalar(of)),
            Type::Vector(of, components) => Type::Vector(scalar(of), *components),
            Type::Array(part, len) => Type::Array(Box::new(self.bits_ty(part)), *len),
            Type::Tuple(_) | Type::Struct(_) if self.ir.layout().holds_float(ty) => {
                let parts = self.parts(ty);
                Type::Tuple(parts.iter().map(|part| self.bits_ty(part)).collect())
            }
            other => other.clone(),
        }
    }

    fn differs(&self, form: Form, ty: &Type) -> bool {
        match form {
            Form::Register => false,
            Form::Host => self.differs_in_memory(ty),
            Form::Bits => self.bits_ty(ty) != *ty,
        }
    }

    fn is_moved_in_parts(&self, form: Form, ty: &Type) -> bool {
        let at_once = match ty {
            Type::Scalar(_) => true,
            Type::Vector(..) => form == Form::Bits,
            _ => false,
        };
        !at_once && self.differs(form, ty)
    }

    /// The pointer to a place. It is computed where the checks have passed, since a
    /// driver may take for granted that an access chain stays within its array.
    pub fn pointer(&mut self, address: &Address, ty: &Type) -> Word {
        let pointee = self.kept_ty(address.form, ty);
        let pointer = self.b.pointer(address.storage, pointee);
        let place = match address.element {
            None => self.b.access(pointer, address.base, &address.indices),
            Some(element) => self.in_element(pointer, address.base, element, &address.indices),
        };
        match address.is_component {
            true => self.opaque_pointer(place, pointer),
            false => place,
        }
    }

    /// An element of a view of this type, counted from its first.
    pub fn element(&mut self, view: &ViewValue, ty: &View, position: Word) -> Element {
        Element {
            pointer_ty: self.view_pointer(ty, !view.mutable),
            size: self.ir.layout().size_of(&ty.element).unwrap_or(4),
            position,
        }
    }

    /// The pointer to a part of an element of a view, which the indices name.
    fn in_element(
        &mut self,
        pointer: Word,
        view: Word,
        element: Element,
        indices: &[Word],
    ) -> Word {
        let zero = self.b.u32(0);
        let (view, position) = match self.ir.index {
            IndexWidth::Bits32 => (view, element.position),
            IndexWidth::Bits64 => self.brought_near(view, element),
        };
        let indices = [&[zero, position], indices].concat();
        self.b.access(pointer, view, &indices)
    }

    /// A view with an element of this one, and the element's position there, so that an access
    /// chain finds it: NVIDIA's driver (580) multiplies an index by the size of an element with
    /// 32 bits, however wide the index is. Where no element is so far from the start, that is
    /// twice as fast as whole addresses are, and the view is this one.
    fn brought_near(&mut self, view: Word, element: Element) -> (Word, Word) {
        let far = self.switch(SPEC_FAR, "far");
        let (ty, zero) = (self.index_ty(), self.index_number(0));
        let start = self.b.select(ty, far, element.position, zero);
        let start = Element {
            position: start,
            ..element
        };
        let view = self.moved(view, start);
        (view, self.b.select(ty, far, zero, element.position))
    }

    /// The address of the view that starts with an element of this one, where indices have
    /// 64 bits.
    pub fn moved(&mut self, view: Word, element: Element) -> Word {
        let ty = self.index_ty();
        let start = self.b.op(Op::ConvertPtrToU, ty, &[view]);
        let size = self.index_number(element.size);
        let distance = self.index_op(Op::IMul, element.position, size);
        let address = self.index_op(Op::IAdd, start, distance);
        self.b.op(Op::ConvertUToPtr, element.pointer_ty, &[address])
    }

    /// The value at `pointer`, which is not bulk.
    pub fn read(&mut self, address: &Address, pointer: Word, ty: &Type) -> Word {
        if self.is_moved_in_parts(address.form, ty) {
            let parts = self.parts(ty);
            let values = parts
                .iter()
                .zip(0..)
                .map(|(part, position)| {
                    let position = self.b.u32(position);
                    let (address, place) = self.part_of(address, pointer, part, position);
                    self.read(&address, place, part)
                })
                .collect();
            return self.aggregate(ty, values);
        }
        let id = self.kept_ty(address.form, ty);
        let mut operands = vec![pointer];
        operands.extend(self.access_operands(address, ty));
        let value = self.b.op(Op::Load, id, &operands);
        match address.form {
            Form::Register => value,
            Form::Host => self.loaded(value, ty),
            Form::Bits if self.differs(Form::Bits, ty) => {
                let id = self.ty(ty);
                self.b.bitcast(id, value)
            }
            Form::Bits => value,
        }
    }

    /// Puts a value that is not bulk to `pointer`.
    pub fn write(&mut self, address: &Address, pointer: Word, ty: &Type, value: Word) {
        if self.is_moved_in_parts(address.form, ty) {
            for (part, number) in self.parts(ty).iter().zip(0..) {
                let position = self.b.u32(number);
                let (address, place) = self.part_of(address, pointer, part, position);
                let id = self.ty(part);
                let value = self.b.extract(id, value, number);
                self.write(&address, place, part, value);
            }
            return;
        }
        let value = match address.form {
            Form::Register => value,
            Form::Host => self.stored(value, ty),
            Form::Bits if self.differs(Form::Bits, ty) => {
                let id = self.kept_ty(Form::Bits, ty);
                self.b.bitcast(id, value)
            }
            Form::Bits => value,
        };
        let mut operands = vec![pointer, value];
        operands.extend(self.access_operands(address, ty));
        self.b.effect(Op::Store, &operands);
    }

    /// A part of a value in memory, and the pointer to it.
    pub fn part_of(
        &mut self,
        address: &Address,
        whole: Word,
        part: &Type,
        position: Word,
    ) -> (Address, Word) {
        let pointee = self.kept_ty(address.form, part);
        let pointer = self.b.pointer(address.storage, pointee);
        let place = self.b.access(pointer, whole, &[position]);
        // Of where the part lies in the whole no more is known than that it is aligned.
        let alignment = self
            .ir
            .layout()
            .layout_of(part)
            .map_or(1, |layout| layout.align);
        let address = Address {
            element: None,
            indices: Vec::new(),
            is_component: false,
            alignment,
            ..*address
        };
        (address, place)
    }

    fn access_operands(&self, address: &Address, ty: &Type) -> Vec<Word> {
        let Some(access) = address.access else {
            return Vec::new();
        };
        let mut operands = vec![access.bits()];
        if access.contains(MemoryAccess::ALIGNED) {
            let wanted = wanted_alignment(self.ir, ty);
            operands.push(wanted.min(address.alignment));
        }
        operands
    }
}

/// Bytes of which the address of a value is best a multiple, so that it is loaded as a
/// whole: 16 for a vector of four words.
fn wanted_alignment(ir: &Module, ty: &Type) -> u32 {
    match ty {
        Type::Vector(..) => multiple_of(ir.layout().size_of(ty).unwrap_or(4)),
        Type::Array(element, _) => wanted_alignment(ir, element),
        Type::Struct(id) => {
            let fields = ir.structs[id.0 as usize].fields.iter();
            let wanted = fields.map(|field| wanted_alignment(ir, &field.ty));
            wanted.max().unwrap_or(4)
        }
        _ => ir.layout().layout_of(ty).map_or(4, |layout| layout.align),
    }
}
