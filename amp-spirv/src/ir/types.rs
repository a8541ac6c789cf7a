//! The types of kernel values.

use super::{ConstId, StructId};

/// A scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// `bool`.
    Bool,
    /// `i32`.
    I32,
    /// `u32`.
    U32,
    /// `f32`.
    F32,
    /// `usize`: 32 bits wide on a device.
    Usize,
}

impl Scalar {
    /// The name in Rust.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I32 => "i32",
            Scalar::U32 => "u32",
            Scalar::F32 => "f32",
            Scalar::Usize => "usize",
        }
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        matches!(self, Scalar::I32 | Scalar::U32 | Scalar::Usize)
    }

    /// Whether it is an integer with a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::I32)
    }
}

/// The length of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Len {
    /// Known to the compiler.
    Literal(u32),
    /// Known to rustc; a specialization constant of type `usize`.
    Const(ConstId),
}

/// A global array as a kernel sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// Element type: a scalar other than `bool` and `usize`, a vector of such, or a
    /// struct or array of these.
    pub element: Box<Type>,
    /// Number of dimensions.
    pub rank: u32,
    /// `&mut ArrayViewMut` rather than `&ArrayView`.
    pub mutable: bool,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `()`.
    Unit,
    /// `!`: an expression that never completes.
    Never,
    /// `bool`, a number.
    Scalar(Scalar),
    /// `(A, B, ..)` of at least one component.
    Tuple(Vec<Type>),
    /// Two to four scalars that are worked on together: glam's `Vec3`, `IVec4`, `BVec2`.
    /// A matrix is an array of its columns.
    Vector(Scalar, u32),
    /// `[T; N]`.
    Array(Box<Type>, Len),
    /// A user's struct.
    Struct(StructId),
    /// `Index<N>`: `N` components of type `usize`.
    Index(u32),
    /// `Extent<N>`: `N` components of type `usize`.
    Extent(u32),
    /// `TiledIndex<N, ..>`: four fields of type `Index<N>` in the order of
    /// [`TiledField`].
    TiledIndex(u32),
    /// `&ArrayView<T, N>` or `&mut ArrayViewMut<T, N>`; only parameters have it.
    View(View),
}

impl Type {
    /// `bool`.
    pub const BOOL: Type = Type::Scalar(Scalar::Bool);
    /// `i32`.
    pub const I32: Type = Type::Scalar(Scalar::I32);
    /// `u32`.
    pub const U32: Type = Type::Scalar(Scalar::U32);
    /// `f32`.
    pub const F32: Type = Type::Scalar(Scalar::F32);
    /// `usize`.
    pub const USIZE: Type = Type::Scalar(Scalar::Usize);

    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The scalar as a type, to be kept.
    pub fn of(scalar: Scalar) -> &'static Type {
        match scalar {
            Scalar::Bool => &Type::BOOL,
            Scalar::I32 => &Type::I32,
            Scalar::U32 => &Type::U32,
            Scalar::F32 => &Type::F32,
            Scalar::Usize => &Type::USIZE,
        }
    }

    /// The type with as many components as this one has, of another scalar: a vector's
    /// mask from the vector, `bool` from a scalar.
    pub fn with_scalar(&self, scalar: Scalar) -> Type {
        match self {
            Type::Vector(_, components) => Type::Vector(scalar, *components),
            _ => Type::Scalar(scalar),
        }
    }
}

/// The fields of a `TiledIndex`, numbered as projections number them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum TiledField {
    /// Position in the domain.
    Global = 0,
    /// Position in the tile.
    Local = 1,
    /// Position of the tile among the tiles.
    Tile = 2,
    /// Position of the tile's first thread in the domain.
    TileOrigin = 3,
}
