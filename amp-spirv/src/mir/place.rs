//! The types of parts and places.

use super::{Access, Base, Function, Module, Step, Value};
use crate::tree::{Len, Type};

impl Module {
    /// See [`MemoryLayout::parts`](crate::tree::MemoryLayout::parts).
    pub fn parts(&self, ty: &Type) -> Option<Vec<Type>> {
        self.layout().parts(ty)
    }

    /// See [`MemoryLayout::part`](crate::tree::MemoryLayout::part).
    pub fn part(&self, ty: &Type, part: u32) -> Option<Type> {
        self.layout().part(ty, part).cloned()
    }

    /// See [`MemoryLayout::elements`](crate::tree::MemoryLayout::elements).
    pub fn elements(&self, ty: &Type) -> Option<(Len, Type)> {
        let (len, element) = self.layout().elements(ty)?;
        Some((len, element.clone()))
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
            Base::Element(_) | Base::Position => match &self.types[function.ty(*operands.first()?)]
            {
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
