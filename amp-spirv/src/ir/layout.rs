//! Sizes and offsets of values in memory: Rust's `repr(C)` on a host with 4-byte
//! scalars, which is Vulkan's scalar block layout.

use super::{Len, Module, Scalar, Type};

impl Module {
    /// Bytes that a value of `ty` takes in an array or an argument block, or `None`
    /// if its size depends on a specialization constant or it cannot be stored.
    pub fn size_of(&self, ty: &Type) -> Option<u32> {
        match ty {
            Type::Scalar(
                Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::F32 | Scalar::Usize,
            ) => Some(4),
            Type::Vector(scalar, components) => {
                self.size_of(Type::of(*scalar))?.checked_mul(*components)
            }
            Type::Tuple(parts) => parts.iter().map(|part| self.size_of(part)).sum(),
            Type::Array(element, Len::Literal(length)) => {
                self.size_of(element)?.checked_mul(*length)
            }
            Type::Struct(id) => self.structs[id.0 as usize]
                .fields
                .iter()
                .map(|field| self.size_of(&field.ty))
                .sum(),
            Type::Index(rank) | Type::Extent(rank) => Some(4 * rank),
            Type::Array(_, Len::Const(_))
            | Type::Unit
            | Type::Never
            | Type::TiledIndex(_)
            | Type::View(_) => None,
        }
    }
}
