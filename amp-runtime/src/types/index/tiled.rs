//! [`TiledExtent`], a domain cut into tiles, and [`TiledIndex`], a thread in one.

use std::fmt;

use super::{Extent, Index, TileBarrier};

/// A compute domain cut into tiles of `D0` × `D1` × `D2` threads, of which the first
/// `N` count (C++ AMP §4.3, `tiled_extent`). Made by [`Extent::tile`].
///
/// ```
/// use amp_runtime::{Extent, TiledExtent};
///
/// let tiled: TiledExtent<2, 4, 8> = Extent::new([25, 51]).into();
/// assert_eq!(tiled.pad().extent(), Extent::new([28, 56]));
/// assert_eq!(tiled.truncate().extent(), Extent::new([24, 48]));
/// ```
///
/// A tile of any size is a type; the limit on threads is the launch's.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TiledExtent<const N: usize, const D0: usize, const D1: usize = 1, const D2: usize = 1> {
    extent: Extent<N>,
}

/// The tile lengths of a domain of `N` dimensions, checked while compiling.
const fn tile_lengths<const N: usize>(lengths: [usize; 3]) -> [usize; N] {
    assert!(
        N >= 1 && N <= 3,
        "a tiled domain has one, two or three dimensions"
    );
    let mut tile = [1; N];
    let mut dimension = 0;
    while dimension < 3 {
        assert!(
            lengths[dimension] >= 1,
            "a tile has at least one thread in each dimension"
        );
        if dimension < N {
            tile[dimension] = lengths[dimension];
        } else {
            assert!(
                lengths[dimension] == 1,
                "a tile has as many dimensions as its domain"
            );
        }
        dimension += 1;
    }
    tile
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> TiledExtent<N, D0, D1, D2> {
    const TILE: [usize; N] = tile_lengths([D0, D1, D2]);

    #[inline]
    const fn new(extent: Extent<N>) -> Self {
        const { tile_lengths::<N>([D0, D1, D2]) };
        Self { extent }
    }

    /// The whole domain, in threads.
    ///
    /// ```
    /// # use amp_runtime::Extent;
    /// let e = Extent::new([30, 50]);
    /// assert_eq!(e.tile::<4, 8>().extent(), e);
    /// ```
    #[inline]
    pub const fn extent(self) -> Extent<N> {
        self.extent
    }

    /// The domain in threads, where it is.
    pub(crate) fn as_extent(&self) -> &Extent<N> {
        &self.extent
    }

    /// One tile, in threads.
    ///
    /// ```
    /// # use amp_runtime::Extent;
    /// assert_eq!(Extent::from(100).tile::<10>().tile_extent(), Extent::from(10));
    /// ```
    #[inline]
    pub const fn tile_extent(self) -> Extent<N> {
        Extent(Self::TILE)
    }

    /// The domain rounded up to whole tiles. A length that does not fit becomes
    /// [`usize::MAX`], which no launch takes. (In C++ AMP it wraps.)
    ///
    /// ```
    /// # use amp_runtime::Extent;
    /// assert_eq!(Extent::from(25).tile::<4>().pad().extent(), Extent::from(28));
    /// let huge = Extent::from(usize::MAX - 1);
    /// assert_eq!(huge.tile::<4>().pad().extent(), Extent::from(usize::MAX));
    /// ```
    #[inline]
    pub fn pad(mut self) -> Self {
        for (length, tile) in self.extent.0.iter_mut().zip(Self::TILE) {
            *length = length.div_ceil(tile).saturating_mul(tile);
        }
        self
    }

    /// The domain rounded down to whole tiles: a length that is smaller than the tile's becomes
    /// 0, which no launch takes.
    ///
    /// ```
    /// # use amp_runtime::Extent;
    /// assert_eq!(Extent::from(25).tile::<4>().truncate().extent(), Extent::from(24));
    /// ```
    #[inline]
    pub fn truncate(mut self) -> Self {
        for (length, tile) in self.extent.0.iter_mut().zip(Self::TILE) {
            *length -= *length % tile;
        }
        self
    }
}

impl Extent<1> {
    /// This domain in tiles of `D0` threads (C++ AMP §4.2.3).
    ///
    /// ```
    /// # use amp_runtime::Extent;
    /// assert_eq!(Extent::from(25).tile::<4>().pad().extent(), Extent::from(28));
    /// ```
    #[inline]
    pub const fn tile<const D0: usize>(self) -> TiledExtent<1, D0> {
        TiledExtent::new(self)
    }
}

impl Extent<2> {
    /// This domain in tiles of `D0` × `D1` threads (C++ AMP §4.2.3).
    ///
    /// ```
    /// # use amp_runtime::Extent;
    /// let tiled = Extent::new([32, 64]).tile::<16, 16>();
    /// assert_eq!(tiled.tile_extent(), Extent::new([16, 16]));
    /// ```
    ///
    /// There is one tile length for each dimension, and none is zero:
    ///
    /// ```compile_fail
    /// # use amp_runtime::Extent;
    /// let tiled = Extent::new([32, 64]).tile::<16>();
    /// ```
    /// ```compile_fail
    /// # use amp_runtime::Extent;
    /// let tiled = Extent::new([32, 64]).tile::<16, 0>();
    /// ```
    #[inline]
    pub const fn tile<const D0: usize, const D1: usize>(self) -> TiledExtent<2, D0, D1> {
        TiledExtent::new(self)
    }
}

impl Extent<3> {
    /// This domain in tiles of `D0` × `D1` × `D2` threads (C++ AMP §4.2.3).
    ///
    /// ```
    /// # use amp_runtime::Extent;
    /// let tiled = Extent::new([25, 51, 85]).tile::<4, 8, 16>();
    /// assert_eq!(tiled.truncate().extent(), Extent::new([24, 48, 80]));
    /// ```
    #[inline]
    pub const fn tile<const D0: usize, const D1: usize, const D2: usize>(
        self,
    ) -> TiledExtent<3, D0, D1, D2> {
        TiledExtent::new(self)
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> From<Extent<N>>
    for TiledExtent<N, D0, D1, D2>
{
    #[inline]
    fn from(extent: Extent<N>) -> Self {
        Self::new(extent)
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize>
    From<TiledExtent<N, D0, D1, D2>> for Extent<N>
{
    #[inline]
    fn from(tiled: TiledExtent<N, D0, D1, D2>) -> Self {
        tiled.extent
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> fmt::Debug
    for TiledExtent<N, D0, D1, D2>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TiledExtent")
            .field("extent", &self.extent.0)
            .field("tile", &Self::TILE)
            .finish()
    }
}

/// Where a thread of a tiled kernel is: in the domain, in its tile, and which tile
/// (C++ AMP §4.4, `tiled_index`). Only a launch makes one; inside a kernel `a[t_idx]`
/// is `a[t_idx.global]`.
///
/// ```
/// use amp_runtime::{Index, TiledIndex};
///
/// // What a function that a kernel calls can do with it.
/// fn is_first(t_idx: TiledIndex<1, 64>) -> bool {
///     t_idx.local == Index::from(0) && Index::from(t_idx) == t_idx.tile_origin
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TiledIndex<const N: usize, const D0: usize, const D1: usize = 1, const D2: usize = 1> {
    /// The thread in the whole domain.
    pub global: Index<N>,
    /// The thread in its tile, `global % tile_extent()`.
    pub local: Index<N>,
    /// The tile, `global / tile_extent()`.
    pub tile: Index<N>,
    /// The tile's first thread in the whole domain, `global - local`.
    pub tile_origin: Index<N>,
    /// Where the threads of the tile wait for each other.
    pub barrier: TileBarrier,
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> TiledIndex<N, D0, D1, D2> {
    pub(super) const LENGTHS: [usize; N] = tile_lengths([D0, D1, D2]);

    /// One tile, in threads.
    ///
    /// ```
    /// # use amp_runtime::{Extent, TiledIndex};
    /// fn threads(t_idx: TiledIndex<2, 16, 8>) -> usize {
    ///     let tile: Extent<2> = t_idx.tile_extent();
    ///     tile.size()
    /// }
    /// ```
    #[inline]
    pub const fn tile_extent(&self) -> Extent<N> {
        Extent(Self::LENGTHS)
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize>
    From<TiledIndex<N, D0, D1, D2>> for Index<N>
{
    /// The thread in the whole domain.
    #[inline]
    fn from(index: TiledIndex<N, D0, D1, D2>) -> Self {
        index.global
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conformance row 99, on the host.
    #[test]
    fn pad_and_truncate_round_to_whole_tiles() {
        let one = Extent::new([25]).tile::<4>();
        let two = Extent::new([25, 51]).tile::<4, 8>();
        let three = Extent::new([25, 51, 85]).tile::<4, 8, 16>();
        assert_eq!(one.pad().extent(), Extent::new([28]));
        assert_eq!(two.pad().extent(), Extent::new([28, 56]));
        assert_eq!(three.pad().extent(), Extent::new([28, 56, 96]));
        assert_eq!(one.truncate().extent(), Extent::new([24]));
        assert_eq!(two.truncate().extent(), Extent::new([24, 48]));
        assert_eq!(three.truncate().extent(), Extent::new([24, 48, 80]));
    }

    /// Conformance row 101: padding past the largest length does not panic, and the length does
    /// not become a small one.
    #[test]
    fn pad_saturates() {
        let top = usize::MAX;
        assert_eq!(
            Extent::new([top]).tile::<4>().pad().extent(),
            Extent::new([top])
        );
        let plane = Extent::new([top, 3]).tile::<4, 4>().pad();
        assert_eq!(plane.extent(), Extent::new([top, 4]));
        let solid = Extent::new([top - 1, top, 5]).tile::<2, 4, 8>().pad();
        assert_eq!(solid.extent(), Extent::new([top - 1, top, 8]));
    }

    /// A tile beyond every device's limit is still a type.
    #[test]
    fn huge_tiles_can_be_named() {
        let tiled = Extent::new([7]).tile::<{ usize::MAX - 1 }>();
        assert_eq!(tiled.truncate().extent(), Extent::new([0]));
        assert_eq!(tiled.pad().extent(), Extent::new([usize::MAX - 1]));
    }

    #[test]
    fn prints_extent_and_tile() {
        let tiled = Extent::new([32, 64]).tile::<8, 16>();
        let text = format!("{tiled:?}");
        assert_eq!(text, "TiledExtent { extent: [32, 64], tile: [8, 16] }");
    }
}
