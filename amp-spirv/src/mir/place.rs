//! The types of parts and places.

use super::{Access, Base, Function, Module, Step, Value};
use crate::ir::{Len, Type};

impl Module {
    /// The types of the parts of a value, if their number is known.
    pub fn parts(&self, ty: &Type) -> Option<Vec<Type>> {
        match ty {
            Type::Tuple(parts) => Some(parts.clone()),
            Type::Struct(id) => {
                let fields = &self.structs.get(id.0 as usize)?.fields;
                Some(fields.iter().map(|field| field.ty.clone()).collect())
            }
            Type::Array(element, Len::Literal(len)) => {
                Some(vec![Type::clone(element); *len as usize])
            }
            Type::Vector(scalar, components) => {
                Some(vec![Type::Scalar(*scalar); *components as usize])
            }
            Type::Index(rank) | Type::Extent(rank) => {
                Some(vec![self.index.ty().clone(); *rank as usize])
            }
            Type::TiledIndex(rank) => Some(vec![Type::Index(*rank); 4]),
            _ => None,
        }
    }

    /// The type of the part of this number, if there is one.
    pub fn part(&self, ty: &Type, part: u32) -> Option<Type> {
        match ty {
            Type::Tuple(parts) => parts.get(part as usize).cloned(),
            Type::Struct(id) => {
                let fields = &self.structs.get(id.0 as usize)?.fields;
                fields.get(part as usize).map(|field| field.ty.clone())
            }
            Type::TiledIndex(rank) => (part < 4).then_some(Type::Index(*rank)),
            _ => match self.elements(ty)? {
                (Len::Literal(len), element) => (part < len).then_some(element),
                (Len::Const(_), _) => None,
            },
        }
    }

    /// How many elements or components a value has that can be indexed, and their type.
    pub fn elements(&self, ty: &Type) -> Option<(Len, Type)> {
        match ty {
            Type::Array(element, len) => Some((*len, Type::clone(element))),
            Type::Vector(scalar, components) => {
                Some((Len::Literal(*components), Type::Scalar(*scalar)))
            }
            Type::Index(rank) | Type::Extent(rank) => {
                Some((Len::Literal(*rank), self.index.ty().clone()))
            }
            _ => None,
        }
    }

    /// The type of what a place starts with; the operands are those of the access.
    pub fn base_ty(&self, function: &Function, base: Base, operands: &[Value]) -> Option<Type> {
        match base {
            Base::Slot(slot) => {
                let slot = function.slots.get(slot.0 as usize)?;
                Some(self.types[slot.ty].clone())
            }
            Base::TileStatic(id) => {
                let variable = self.tile_statics.get(id.0 as usize)?;
                Some(variable.ty.clone())
            }
            Base::Element(_) => match &self.types[function.ty(*operands.first()?)] {
                Type::View(view) => Some(Type::clone(&view.element)),
                _ => None,
            },
        }
    }

    /// The type of a place; the operands are those of the access.
    pub fn place_ty(
        &self,
        function: &Function,
        access: &Access,
        operands: &[Value],
    ) -> Option<Type> {
        let base = self.base_ty(function, access.base, operands);
        access.path.iter().fold(base, |ty, step| match step {
            Step::Field(part) => self.part(&ty?, *part),
            Step::Index => Some(self.elements(&ty?)?.1),
        })
    }
}
