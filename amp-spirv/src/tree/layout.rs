//! Sizes and offsets of values in memory: Rust's `repr(C)` on a host, which is Vulkan's
//! scalar block layout.

use super::{IndexWidth, Len, Module, Struct, Type};

/// The most scalars in a value that a device has in registers.
const MOST_SCALARS: u32 = 32;

/// How a value lies in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes from one value to the next in an array.
    pub size: u32,
    /// What its address is a multiple of.
    pub align: u32,
}

/// The greatest power of two that divides an offset, as far as the start of a view, which
/// is a multiple of 16, allows.
pub fn multiple_of(offset: u32) -> u32 {
    1 << offset.trailing_zeros().min(4)
}

/// How the values of a module lie in memory.
#[derive(Clone, Copy)]
pub struct MemoryLayout<'m> {
    /// The module's structs.
    pub structs: &'m [Struct],
    /// How wide its indices are.
    pub index: IndexWidth,
}

impl Module {
    /// How its values lie in memory.
    pub fn layout(&self) -> MemoryLayout<'_> {
        MemoryLayout {
            structs: &self.structs,
            index: self.index,
        }
    }

    /// See [`MemoryLayout::layout_of`].
    pub fn layout_of(&self, ty: &Type) -> Option<Layout> {
        self.layout().layout_of(ty)
    }

    /// See [`MemoryLayout::size_of`].
    pub fn size_of(&self, ty: &Type) -> Option<u32> {
        self.layout().size_of(ty)
    }

    /// See [`MemoryLayout::is_bulk`].
    pub fn is_bulk(&self, ty: &Type) -> bool {
        self.layout().is_bulk(ty)
    }
}

impl MemoryLayout<'_> {
    /// How a value of `ty` lies in an array or an argument block, or `None` if that
    /// depends on a specialization constant or the value cannot be stored.
    pub fn layout_of(&self, ty: &Type) -> Option<Layout> {
        let parts = |parts: &[&Type]| Some(self.offsets(parts)?.1);
        match ty {
            Type::Scalar(scalar) => {
                let size = scalar.bits() / 8;
                Some(Layout { size, align: size })
            }
            Type::Vector(scalar, components) => {
                let Layout { size, align } = self.layout_of(Type::of(*scalar))?;
                let size = size.checked_mul(*components)?;
                Some(Layout { size, align })
            }
            Type::Tuple(types) => parts(&types.iter().collect::<Vec<_>>()),
            Type::Array(element, Len::Literal(length)) => {
                let Layout { size, align } = self.layout_of(element)?;
                let size = size.checked_mul(*length)?;
                Some(Layout { size, align })
            }
            Type::Struct(id) => {
                let fields = &self.structs[id.0 as usize].fields;
                parts(&fields.iter().map(|field| &field.ty).collect::<Vec<_>>())
            }
            Type::Index(rank) | Type::Extent(rank) => {
                let Layout { size, align } = self.layout_of(self.index.ty())?;
                let size = size * rank;
                Some(Layout { size, align })
            }
            Type::Array(_, Len::Const(_))
            | Type::Unit
            | Type::Never
            | Type::TiledIndex(_)
            | Type::View(_) => None,
        }
    }

    /// Whether values of a type are bulk: too large to be one value on a device, so that they
    /// are in memory. Those are whose number of scalars is not known here.
    pub fn is_bulk(&self, ty: &Type) -> bool {
        // Points are computed with as values, whatever their rank.
        !matches!(ty, Type::Index(_) | Type::Extent(_))
            && self
                .scalars(ty)
                .is_none_or(|scalars| scalars > MOST_SCALARS)
    }

    /// Whether there is a float in a type.
    pub fn holds_float(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => scalar.is_float(),
            Type::Array(element, _) => self.holds_float(element),
            Type::Tuple(parts) => parts.iter().any(|part| self.holds_float(part)),
            Type::Struct(id) => {
                let mut fields = self.structs[id.0 as usize].fields.iter();
                fields.any(|field| self.holds_float(&field.ty))
            }
            _ => false,
        }
    }

    fn scalars(&self, ty: &Type) -> Option<u32> {
        let add = |sum: u32, ty: &Type| sum.checked_add(self.scalars(ty)?);
        match ty {
            Type::Array(part, Len::Literal(len)) => self.scalars(part)?.checked_mul(*len),
            Type::Array(_, Len::Const(_)) => None,
            Type::Tuple(parts) => parts.iter().try_fold(0, add),
            Type::Struct(id) => {
                let fields = &self.structs[id.0 as usize].fields;
                fields.iter().map(|field| &field.ty).try_fold(0, add)
            }
            Type::Vector(_, rank) | Type::Index(rank) | Type::Extent(rank) => Some(*rank),
            _ => Some(1),
        }
    }

    /// Bytes that a value of `ty` takes; see [`MemoryLayout::layout_of`].
    pub fn size_of(&self, ty: &Type) -> Option<u32> {
        self.layout_of(ty).map(|layout| layout.size)
    }

    /// Where each of several parts begins that lie one behind the other, and how all of
    /// them lie in memory.
    pub fn offsets(&self, parts: &[&Type]) -> Option<(Vec<u32>, Layout)> {
        let (mut end, mut align) = (0_u32, 1);
        let mut offsets = Vec::with_capacity(parts.len());
        for part in parts {
            let layout = self.layout_of(part)?;
            let offset = end.checked_next_multiple_of(layout.align)?;
            end = offset.checked_add(layout.size)?;
            align = align.max(layout.align);
            offsets.push(offset);
        }
        let size = end.checked_next_multiple_of(align)?;
        Some((offsets, Layout { size, align }))
    }
}
