//! What kernels run over.

use amp_spirv::tree::{Domain, Len, Type};
use fastrand::Rng;

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

    /// The domain in the tree.
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

    /// Type of the index in the tree.
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
