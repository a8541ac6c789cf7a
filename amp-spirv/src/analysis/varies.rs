//! The lattice of uniformity, and what varies by itself.
//!
//! A value *varies along* a dimension of the tile if it may differ between threads whose positions
//! differ there: two threads hold the same if their positions agree in every dimension that it
//! varies along. What depends on data that threads change, or on the subgroup, may differ in any
//! case ([`Varies::ANY`]). In a domain without tiles the dimensions are those of the domain.
//!
//! Both the check of barriers on the tree and the facts about MIR compute with it, from the same
//! table: the functions here. Everything else varies along what it is computed from.

use std::ops::{BitOr, BitOrAssign};

use crate::tree::{SubgroupOp, TiledField};

/// The dimensions that a value varies along.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Varies(u32);

impl Varies {
    /// The same in all threads.
    pub const UNIFORM: Varies = Varies(0);

    /// Perhaps another in each thread, wherever it is.
    pub const ANY: Varies = Varies(u32::MAX);

    /// What differs with the position in one dimension.
    pub const fn along(dimension: u32) -> Self {
        // The last bit means any thread.
        match dimension {
            0..31 => Varies(1 << dimension),
            _ => Self::ANY,
        }
    }

    /// Whether all threads hold the same.
    pub fn is_uniform(self) -> bool {
        self == Self::UNIFORM
    }

    /// Whether it varies along all that the other does.
    pub fn includes(self, other: Varies) -> bool {
        self | other == self
    }

    /// A component of a field of a `TiledIndex`.
    pub fn of_position(field: u32, component: u32) -> Self {
        match TiledField::of(field) {
            Some(TiledField::Global | TiledField::Local) => Self::along(component),
            _ => Self::UNIFORM,
        }
    }

    /// What an operation of the subgroup finds; a tile has several subgroups.
    pub fn of_subgroup(op: SubgroupOp) -> Self {
        match op {
            SubgroupOp::Size => Self::UNIFORM,
            _ => Self::ANY,
        }
    }

    /// What an atomic operation finds: threads that come one after the other find different
    /// values.
    pub fn of_atomic() -> Self {
        Self::ANY
    }
}

impl BitOr for Varies {
    type Output = Varies;

    fn bitor(self, other: Varies) -> Varies {
        Varies(self.0 | other.0)
    }
}

impl BitOrAssign for Varies {
    fn bitor_assign(&mut self, other: Varies) {
        *self = *self | other;
    }
}

impl FromIterator<Varies> for Varies {
    fn from_iter<I: IntoIterator<Item = Varies>>(all: I) -> Self {
        all.into_iter().fold(Self::UNIFORM, BitOr::bitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_are_told_apart_until_they_may_be_any() {
        let rows = Varies::along(0);
        assert!(!rows.includes(Varies::along(1)));
        assert!((rows | Varies::along(1)).includes(rows));
        assert!(Varies::ANY.includes(Varies::along(30)));
        assert!(
            !(0..31)
                .map(Varies::along)
                .collect::<Varies>()
                .includes(Varies::ANY)
        );
        assert_eq!(Varies::along(31), Varies::ANY);
        assert_eq!(Varies::along(40), Varies::ANY);
    }
}
