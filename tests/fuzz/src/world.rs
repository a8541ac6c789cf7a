//! What every random kernel is launched with: its domain, its parameters, their values.

use amp::amp_struct;
use amp_spirv::ir::{Domain, Field, Len, Struct, StructId, Type, View};
use fastrand::Rng;

/// An element with parts.
#[amp_struct]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// A number with a sign.
    pub key: i32,
    /// An array.
    pub weights: [f32; 2],
    /// A number without.
    pub count: u32,
}

impl Item {
    /// Nothing but zeroes.
    pub const ZERO: Item = Item {
        key: 0,
        weights: [0.0; 2],
        count: 0,
    };
}

/// [`Item`] in the IR: the first struct of every module.
pub const ITEM: Type = Type::Struct(StructId(0));

/// [`ITEM`]'s definition.
pub fn item() -> Struct {
    let field = |name: &str, ty| Field {
        name: name.into(),
        ty,
    };
    Struct {
        name: "Item".into(),
        fields: vec![
            field("key", Type::I32),
            field("weights", Type::Array(Box::new(Type::F32), Len::Literal(2))),
            field("count", Type::U32),
        ],
    }
}

/// Domains: how the kernel's index is declared and what it runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `Index<1>`
    Line,
    /// `Index<2>`
    Plane,
    /// `Index<3>`
    Space,
    /// `TiledIndex<1, 8>`
    Tiles8,
    /// `TiledIndex<1, 32>`
    Tiles32,
    /// `TiledIndex<2, 4, 4>`
    Tiles4x4,
    /// `TiledIndex<3, 2, 2, 2>`
    Tiles2x2x2,
}

impl Shape {
    const ALL: [Shape; 7] = [
        Shape::Line,
        Shape::Plane,
        Shape::Space,
        Shape::Tiles8,
        Shape::Tiles32,
        Shape::Tiles4x4,
        Shape::Tiles2x2x2,
    ];

    /// One of them.
    pub fn any(rng: &mut Rng) -> Self {
        *rng.choice(&Self::ALL).expect("there are some")
    }

    /// The tile's extents; none for kernels over `Index`.
    pub fn tile(self) -> Option<&'static [u32]> {
        Some(match self {
            Shape::Line | Shape::Plane | Shape::Space => return None,
            Shape::Tiles8 => &[8],
            Shape::Tiles32 => &[32],
            Shape::Tiles4x4 => &[4, 4],
            Shape::Tiles2x2x2 => &[2, 2, 2],
        })
    }

    /// What the kernel runs over.
    pub fn extent(self) -> &'static [u32] {
        match self {
            Shape::Line => &[37],
            Shape::Plane => &[5, 7],
            Shape::Space => &[2, 3, 5],
            Shape::Tiles8 => &[24],
            Shape::Tiles32 => &[64],
            Shape::Tiles4x4 => &[8, 4],
            Shape::Tiles2x2x2 => &[4, 2, 2],
        }
    }

    /// Number of threads.
    pub fn threads(self) -> u32 {
        self.extent().iter().product()
    }

    /// The domain in the IR.
    pub fn domain(self) -> Domain {
        match self.tile() {
            None => Domain::Range {
                rank: self.extent().len() as u32,
            },
            Some(tile) => Domain::Tiled {
                tile: tile.iter().map(|&extent| Len::Literal(extent)).collect(),
            },
        }
    }

    /// Type of the index in the IR.
    pub fn index(self) -> Type {
        let rank = self.extent().len() as u32;
        match self.tile() {
            None => Type::Index(rank),
            Some(_) => Type::TiledIndex(rank),
        }
    }

    /// Type of the index in Rust.
    pub fn index_text(self) -> String {
        let rank = self.extent().len();
        match self.tile() {
            None => format!("Index<{rank}>"),
            Some(tile) => {
                let tile: Vec<String> = tile.iter().map(u32::to_string).collect();
                format!("TiledIndex<{rank}, {}>", tile.join(", "))
            }
        }
    }
}

/// Words of a thread in the view `words`.
pub const ROW: u32 = 4;

/// Parameters that a kernel can have besides its index. All have `words` and `items_out`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// `&ArrayView<u32, 1>`
    Numbers,
    /// `&ArrayView<f32, 2>`
    Matrix,
    /// `&ArrayView<Item, 1>`
    Items,
    /// `&mut ArrayViewMut<u32, 2>`: [`ROW`] words for each thread
    Words,
    /// `&mut ArrayViewMut<Item, 1>`: one for each thread
    ItemsOut,
    /// `i32`
    Signed,
    /// `u32`
    Unsigned,
    /// `f32`
    Float,
    /// `usize`
    Size,
    /// `bool`
    Flag,
}

impl Param {
    /// All of them, in order.
    pub const ALL: [Param; 10] = [
        Param::Numbers,
        Param::Matrix,
        Param::Items,
        Param::Words,
        Param::ItemsOut,
        Param::Signed,
        Param::Unsigned,
        Param::Float,
        Param::Size,
        Param::Flag,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Param::Numbers => "numbers",
            Param::Matrix => "matrix",
            Param::Items => "items",
            Param::Words => "words",
            Param::ItemsOut => "items_out",
            Param::Signed => "signed",
            Param::Unsigned => "unsigned",
            Param::Float => "float",
            Param::Size => "size",
            Param::Flag => "flag",
        }
    }

    /// Its type.
    pub fn ty(self) -> Type {
        let view = |element, rank, mutable| {
            Type::View(View {
                element: Box::new(element),
                rank,
                mutable,
            })
        };
        match self {
            Param::Numbers => view(Type::U32, 1, false),
            Param::Matrix => view(Type::F32, 2, false),
            Param::Items => view(ITEM, 1, false),
            Param::Words => view(Type::U32, 2, true),
            Param::ItemsOut => view(ITEM, 1, true),
            Param::Signed => Type::I32,
            Param::Unsigned => Type::U32,
            Param::Float => Type::F32,
            Param::Size => Type::USIZE,
            Param::Flag => Type::BOOL,
        }
    }
}

/// The extents of the matrix.
pub const MATRIX: [usize; 2] = [3, 5];

/// Values of all parameters and constants.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Of [`Param::Numbers`].
    pub numbers: Vec<u32>,
    /// Of [`Param::Matrix`].
    pub matrix: Vec<f32>,
    /// Of [`Param::Items`].
    pub items: Vec<Item>,
    /// Of [`Param::Signed`].
    pub signed: i32,
    /// Of [`Param::Unsigned`].
    pub unsigned: u32,
    /// Of [`Param::Float`].
    pub float: f32,
    /// Of [`Param::Size`].
    pub size: usize,
    /// Of [`Param::Flag`].
    pub flag: bool,
}

impl Inputs {
    /// Random ones.
    pub fn any(rng: &mut Rng) -> Self {
        Self {
            numbers: (0..13).map(|_| number(rng)).collect(),
            matrix: (0..15).map(|_| float(rng)).collect(),
            items: (0..4)
                .map(|_| Item {
                    key: number(rng).cast_signed(),
                    weights: [float(rng), float(rng)],
                    count: number(rng),
                })
                .collect(),
            signed: number(rng).cast_signed(),
            unsigned: number(rng),
            float: float(rng),
            size: rng.usize(0..20),
            flag: rng.bool(),
        }
    }
}

/// A number: mostly a small one, or one at the end of a range.
pub fn number(rng: &mut Rng) -> u32 {
    match rng.u8(0..10) {
        0..5 => rng.u32(0..12),
        5 => rng.u32(0..12).wrapping_neg(),
        6 => 1 << rng.u32(0..32),
        7 => (1_u32 << rng.u32(0..32)).wrapping_sub(1),
        8 => i32::MIN.cast_unsigned().wrapping_add(rng.u32(0..3)),
        _ => rng.u32(..),
    }
}

/// A finite float, or an infinity: no NaN, whose bits nobody promises.
pub fn float(rng: &mut Rng) -> f32 {
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        -2.5,
        1e-40,
        -1e-45,
        f32::MIN_POSITIVE,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::EPSILON,
        2_147_483_648.0,
        4_294_967_296.0,
        8_388_609.5,
        16_777_216.0,
        0.1,
    ];
    match rng.u8(0..4) {
        0 => *rng.choice(&special).expect("there are some"),
        1 => rng.i32(-20..20) as f32 * 0.5,
        2 => rng.f32() * 100.0 - 50.0,
        _ => {
            let value = f32::from_bits(rng.u32(..));
            if value.is_nan() { 3.25 } else { value }
        }
    }
}
