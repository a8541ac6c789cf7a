//! The types of parts and places.

use super::{Function, Len, MemoryLayout, Module, Place, Projection, Root, Type};

impl MemoryLayout<'_> {
    /// The types of the parts of a value, if their number is known.
    pub fn parts(&self, ty: &Type) -> Option<Vec<Type>> {
        let count = match ty {
            Type::Tuple(parts) => parts.len(),
            Type::Struct(id) => self.structs.get(id.0 as usize)?.fields.len(),
            Type::TiledIndex(_) => 4,
            _ => match self.elements(ty)? {
                (Len::Literal(len), element) => return Some(vec![element.clone(); len as usize]),
                (Len::Const(_), _) => return None,
            },
        };
        (0..count as u32)
            .map(|k| self.part(ty, k).cloned())
            .collect()
    }
}

impl<'m> MemoryLayout<'m> {
    /// The type of the part of this number, if there is one.
    pub fn part<'t>(&self, ty: &'t Type, part: u32) -> Option<&'t Type>
    where
        'm: 't,
    {
        match ty {
            Type::Tuple(parts) => parts.get(part as usize),
            Type::Struct(id) => {
                let fields = &self.structs.get(id.0 as usize)?.fields;
                fields.get(part as usize).map(|field| &field.ty)
            }
            Type::TiledIndex(rank) => match (part, rank) {
                (0..4, 1) => Some(&Type::Index(1)),
                (0..4, 2) => Some(&Type::Index(2)),
                (0..4, 3) => Some(&Type::Index(3)),
                _ => None,
            },
            _ => match self.elements(ty)? {
                (Len::Literal(len), element) => (part < len).then_some(element),
                (Len::Const(_), _) => None,
            },
        }
    }

    /// How many elements or components a value has that can be indexed, and their type.
    pub fn elements<'t>(&self, ty: &'t Type) -> Option<(Len, &'t Type)> {
        match ty {
            Type::Array(element, len) => Some((*len, element)),
            Type::Vector(scalar, components) => {
                Some((Len::Literal(*components), Type::of(*scalar)))
            }
            Type::Index(rank) | Type::Extent(rank) => Some((Len::Literal(*rank), self.index.ty())),
            _ => None,
        }
    }

    /// The type of what a projection leads to, if there is that.
    pub fn projected<'t>(&self, ty: &'t Type, projection: &Projection) -> Option<&'t Type>
    where
        'm: 't,
    {
        match projection {
            Projection::Field(part) => self.part(ty, *part),
            Projection::Index(_) => self.elements(ty).map(|(_, element)| element),
        }
    }
}

impl Module {
    /// The type of what a place of a function starts at.
    pub fn root_ty<'m>(&'m self, function: &'m Function, place: &Place) -> Option<&'m Type> {
        match &place.root {
            Root::Local(local) => Some(&function.local(*local).ty),
            Root::TileStatic(id) => Some(&self.tile_statics.get(id.0 as usize)?.ty),
            Root::Element { view, .. } => match &function.local(*view).ty {
                Type::View(view) => Some(&view.element),
                _ => None,
            },
        }
    }
}
