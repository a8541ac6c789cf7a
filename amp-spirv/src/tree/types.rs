//! The types of kernel values.

use std::sync::LazyLock;

use super::{ConstId, Scalar, StructId};

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
    /// Element type: a scalar for which [`Scalar::is_element`] holds, a vector of such, or a
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
        static TYPES: LazyLock<[Type; Scalar::ALL.len()]> =
            LazyLock::new(|| Scalar::ALL.map(Type::Scalar));
        &TYPES[scalar as usize]
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

impl TiledField {
    /// The field of a number.
    pub fn of(number: u32) -> Option<Self> {
        Some(match number {
            0 => TiledField::Global,
            1 => TiledField::Local,
            2 => TiledField::Tile,
            3 => TiledField::TileOrigin,
            _ => return None,
        })
    }
}
