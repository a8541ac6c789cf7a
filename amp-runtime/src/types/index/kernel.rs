//! [`KernelIndex`]: what a kernel's first parameter tells the launch.

use super::{Index, TileBarrier, TiledIndex};

mod sealed {
    pub trait Sealed {}
}

/// The type of a kernel's first parameter: an [`Index`] or a [`TiledIndex`]. Only the
/// launch uses what is in it.
#[doc(hidden)]
pub trait KernelIndex: sealed::Sealed + Copy + 'static {
    /// Number of dimensions of the domain.
    const RANK: usize;
    /// Threads of a tile in each dimension (1 past the last), or `None` for an
    /// untiled kernel.
    const TILE: Option<[usize; 3]>;

    /// One `usize` for each dimension.
    type Components: Copy + Send + Sync + AsRef<[usize]> + AsMut<[usize]>;
    /// All components 0.
    const ORIGIN: Self::Components;

    /// The thread at `origin + local`. For a tiled kernel `origin` is the tile's first
    /// thread, for another any point.
    fn at(origin: Self::Components, local: Self::Components) -> Self;
}

impl<const N: usize> sealed::Sealed for Index<N> {}

impl<const N: usize> KernelIndex for Index<N> {
    const RANK: usize = N;
    const TILE: Option<[usize; 3]> = None;

    type Components = [usize; N];
    const ORIGIN: [usize; N] = [0; N];

    #[inline(always)]
    fn at(origin: [usize; N], local: [usize; N]) -> Self {
        Self::new(origin) + local
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> sealed::Sealed
    for TiledIndex<N, D0, D1, D2>
{
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> KernelIndex
    for TiledIndex<N, D0, D1, D2>
{
    const RANK: usize = N;
    const TILE: Option<[usize; 3]> = Some([D0, D1, D2]);

    type Components = [usize; N];
    const ORIGIN: [usize; N] = [0; N];

    #[inline(always)]
    fn at(origin: [usize; N], local: [usize; N]) -> Self {
        let tile_origin = Index::new(origin);
        let local = Index::new(local);
        let mut tile = tile_origin;
        for (component, length) in tile.0.iter_mut().zip(Self::LENGTHS) {
            *component /= length;
        }
        Self {
            global: tile_origin + local,
            local,
            tile,
            tile_origin,
            barrier: TileBarrier::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_untiled_thread_is_where_it_is() {
        assert_eq!(Index::<2>::at([5, 0], [0, 7]), Index::new([5, 7]));
    }

    #[test]
    fn a_tiled_thread_knows_its_tile() {
        let t_idx = TiledIndex::<2, 4, 8>::at([12, 16], [3, 5]);
        assert_eq!(t_idx.global, Index::new([15, 21]));
        assert_eq!(t_idx.local, Index::new([3, 5]));
        assert_eq!(t_idx.tile, Index::new([3, 2]));
        assert_eq!(t_idx.tile_origin, Index::new([12, 16]));
        assert_eq!(t_idx.tile_extent().size(), 32);
        assert_eq!(Index::from(t_idx), t_idx.global);
    }
}
