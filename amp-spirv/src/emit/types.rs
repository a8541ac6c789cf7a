//! SPIR-V types of kernel values, and the way between a value's form in registers
//! and its form in memory.
//!
//! Values in registers, locals and tile_static variables have types without layout.
//! What the host sees (array elements, the argument block) has types with offsets and
//! strides. `scalar` defines the form of a scalar in either; where the two differ, an
//! aggregate is moved scalar by scalar, since narrow ones can only be loaded and stored.

use spirv::{Decoration, Op, StorageClass, Word};

use super::Emitter;
use super::scalar::is_narrow;
use crate::tree::{Len, Scalar, Type, View};

/// The value of an expression of type `()`, which has no SPIR-V value.
pub(super) const UNIT: Word = 0;

impl<'m> Emitter<'m> {
    /// Type of a value in registers and variables.
    pub fn ty(&mut self, ty: &Type) -> Word {
        let scalar = self.b.scalar;
        match ty {
            Type::Unit | Type::Never | Type::View(_) => return scalar.void,
            Type::Scalar(scalar) => return self.scalar_ty(*scalar),
            _ => {}
        }
        if let Some(id) = self.types.get(ty) {
            return *id;
        }
        let id = match ty {
            Type::Vector(scalar, components) => self.vector_ty(*scalar, *components),
            Type::Array(element, len) => {
                let element = self.component_ty(element);
                let len = match len {
                    // SPIR-V has no empty arrays; one unused element stands for none.
                    Len::Literal(len) => self.b.u32((*len).max(1)),
                    len => self.len(*len),
                };
                self.b.intern(Op::TypeArray, None, &[element, len])
            }
            Type::Index(rank) | Type::Extent(rank) => {
                let (component, len) = (self.index_ty(), self.b.u32(*rank));
                self.b.intern(Op::TypeArray, None, &[component, len])
            }
            Type::TiledIndex(rank) => {
                let index = self.ty(&Type::Index(*rank));
                let id = self.structure(&[index; 4], &format!("TiledIndex<{rank}>"));
                for (member, name) in ["global", "local", "tile", "tile_origin"]
                    .iter()
                    .enumerate()
                {
                    self.b.member_name(id, member as u32, name);
                }
                id
            }
            Type::Tuple(parts) => {
                let members: Vec<Word> = parts.iter().map(|part| self.component_ty(part)).collect();
                self.structure(&members, "tuple")
            }
            Type::Struct(id) => {
                let ir = self.ir;
                let definition = &ir.structs[id.0 as usize];
                let members: Vec<Word> = definition
                    .fields
                    .iter()
                    .map(|field| self.component_ty(&field.ty))
                    .collect();
                let id = self.structure(&members, &definition.name);
                for (member, field) in definition.fields.iter().enumerate() {
                    self.b.member_name(id, member as u32, &field.name);
                }
                id
            }
            Type::Scalar(_) | Type::Unit | Type::Never | Type::View(_) => scalar.void,
        };
        self.types.insert(ty.clone(), id);
        id
    }

    /// Type of a part of an aggregate, where even `()` takes a place.
    fn component_ty(&mut self, ty: &Type) -> Word {
        match ty {
            Type::Unit | Type::Never => self.b.intern(Op::TypeStruct, None, &[]),
            _ => self.ty(ty),
        }
    }

    fn structure(&mut self, members: &[Word], name: &str) -> Word {
        let id = self.b.global(Op::TypeStruct, None, members);
        self.b.name(id, name);
        id
    }

    /// Type of a value in memory that the host sees.
    pub fn memory_ty(&mut self, ty: &Type) -> Word {
        match ty {
            Type::Scalar(scalar) => return self.scalar_memory_ty(*scalar),
            Type::Unit | Type::Never | Type::View(_) => return self.ty(ty),
            _ => {}
        }
        if let Some(id) = self.memory_types.get(ty) {
            return *id;
        }
        let id = match ty {
            Type::Vector(Scalar::Bool, components) => self.vector_ty(Scalar::U32, *components),
            Type::Array(element, Len::Literal(len)) => self.memory_array(element, *len),
            Type::Index(rank) | Type::Extent(rank) => self.memory_array(self.ir.index.ty(), *rank),
            Type::Tuple(parts) => {
                let parts: Vec<&Type> = parts.iter().collect();
                self.memory_structure(&parts, "tuple")
            }
            Type::Struct(id) => {
                let ir = self.ir;
                let definition = &ir.structs[id.0 as usize];
                let parts: Vec<&Type> = definition.fields.iter().map(|field| &field.ty).collect();
                let id = self.memory_structure(&parts, &definition.name);
                for (member, field) in definition.fields.iter().enumerate() {
                    self.b.member_name(id, member as u32, &field.name);
                }
                id
            }
            // The rest is never in memory; see `Module::size_of`.
            _ => self.ty(ty),
        };
        self.memory_types.insert(ty.clone(), id);
        id
    }

    fn memory_array(&mut self, element: &Type, len: u32) -> Word {
        let stride = self.ir.layout().size_of(element).unwrap_or(4);
        let element = self.memory_ty(element);
        let len = self.b.u32(len.max(1));
        let id = self.b.global(Op::TypeArray, None, &[element, len]);
        self.b.decorate(id, Decoration::ArrayStride, Some(stride));
        id
    }

    fn memory_structure(&mut self, parts: &[&Type], name: &str) -> Word {
        let members: Vec<Word> = parts.iter().map(|part| self.memory_ty(part)).collect();
        let id = self.structure(&members, name);
        let offsets = self.ir.layout().offsets(parts).map(|(offsets, _)| offsets);
        for (member, offset) in offsets.unwrap_or_default().into_iter().enumerate() {
            self.b
                .member_decorate(id, member as u32, Decoration::Offset, Some(offset));
        }
        id
    }

    /// Type of the address of a view's elements. Elements that nothing writes during
    /// the launch are said to be so, which lets the device cache them.
    pub fn view_pointer(&mut self, view: &View, read_only: bool) -> Word {
        let key = ((*view.element).clone(), read_only);
        if let Some(id) = self.view_pointers.get(&key) {
            return *id;
        }
        let stride = self.ir.layout().size_of(&view.element).unwrap_or(4);
        let element = self.memory_ty(&view.element);
        let array = self.b.global(Op::TypeRuntimeArray, None, &[element]);
        self.b
            .decorate(array, Decoration::ArrayStride, Some(stride));
        let name = if read_only {
            "ArrayView"
        } else {
            "ArrayViewMut"
        };
        let block = self.structure(&[array], name);
        self.b.decorate(block, Decoration::Block, None);
        self.b
            .member_decorate(block, 0, Decoration::Offset, Some(0));
        if read_only {
            self.b
                .member_decorate(block, 0, Decoration::NonWritable, None);
        }
        self.b.member_name(block, 0, "elements");
        let id = self.b.pointer(StorageClass::PhysicalStorageBuffer, block);
        self.view_pointers.insert(key, id);
        id
    }

    /// A value that was loaded whole from memory, made one in registers. It holds no
    /// scalar that differs there, unless it is one itself.
    pub fn loaded(&mut self, value: Word, ty: &Type) -> Word {
        if let Type::Scalar(scalar) = ty {
            return self.loaded_scalar(value, *scalar);
        }
        if let Type::Vector(..) = ty {
            return value;
        }
        let target = self.ty(ty);
        self.b.op(Op::CopyLogical, target, &[value])
    }

    /// A value in registers, made fit to be stored whole in memory; see
    /// [`Emitter::loaded`].
    pub fn stored(&mut self, value: Word, ty: &Type) -> Word {
        if let Type::Scalar(scalar) = ty {
            return self.stored_scalar(value, *scalar);
        }
        if let Type::Vector(..) = ty {
            return value;
        }
        let target = self.memory_ty(ty);
        self.b.op(Op::CopyLogical, target, &[value])
    }

    /// Whether a value holds a scalar that is another in memory than in registers.
    pub fn differs_in_memory(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => {
                *scalar == Scalar::Bool || is_narrow(*scalar)
            }
            Type::Array(element, _) => self.differs_in_memory(element),
            Type::Tuple(parts) => parts.iter().any(|part| self.differs_in_memory(part)),
            Type::Struct(id) => self.ir.structs[id.0 as usize]
                .fields
                .iter()
                .any(|field| self.differs_in_memory(&field.ty)),
            _ => false,
        }
    }

    /// The types of an aggregate's parts, in order.
    pub fn parts(&self, ty: &Type) -> Vec<Type> {
        match ty {
            Type::Vector(scalar, components) => vec![Type::Scalar(*scalar); *components as usize],
            Type::Tuple(parts) => parts.clone(),
            Type::Struct(id) => self.ir.structs[id.0 as usize]
                .fields
                .iter()
                .map(|field| field.ty.clone())
                .collect(),
            Type::Array(element, Len::Literal(len)) => vec![(**element).clone(); *len as usize],
            Type::Index(rank) | Type::Extent(rank) => {
                vec![self.ir.index.ty().clone(); *rank as usize]
            }
            _ => vec![],
        }
    }

    /// An aggregate from the values of its parts.
    pub fn aggregate(&mut self, ty: &Type, parts: Vec<Word>) -> Word {
        let id = self.ty(ty);
        if parts.is_empty() {
            return self.b.null(id);
        }
        let parts: Vec<Word> = parts
            .into_iter()
            .map(|part| match part {
                UNIT => {
                    let unit = self.component_ty(&Type::Unit);
                    self.b.null(unit)
                }
                part => part,
            })
            .collect();
        self.b.composite(id, &parts)
    }
}

/// Whether values of a type exist in SPIR-V.
pub(super) fn has_value(ty: &Type) -> bool {
    !matches!(ty, Type::Unit | Type::Never | Type::View(_))
}
