//! `histogram`: how often each key occurs.

use super::fill::fill_on;
use super::launcher::Launcher;
use super::queue::{Queue, Workspace, tiles};
use super::source::{Source, Target};
use crate::prelude::*;
use crate::{Element, Kernel, Result};

/// Keys of a tile.
const BLOCK: usize = 16384;

/// Counts keys in the memory of the tile first, if it has room.
#[amp_kernel(K = u8 | u16 | u32)]
fn count_keys<K: Scalar>(
    t_idx: TiledIndex<1, 256>,
    keys: &ArrayView<K, 1>,
    counts: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut bins: [u32; 2048];
    let lane = t_idx.local[0];
    let count = counts.extent()[0];
    let start = t_idx.tile[0] * 16384;
    let end = (start + 16384).min(keys.extent()[0]);
    if count <= 2048 {
        for bin in (lane..2048).step_by(256) {
            bins[bin] = 0;
        }
        t_idx.barrier.wait();
        for at in (start + lane..end).step_by(256) {
            let key = keys[at].to_usize();
            if key < count {
                atomic_fetch_inc(&mut bins[key]);
            }
        }
        t_idx.barrier.wait();
        for bin in (lane..count).step_by(256) {
            if bins[bin] > 0 {
                atomic_fetch_add(&mut counts[bin], bins[bin]);
            }
        }
    } else {
        for at in (start + lane..end).step_by(256) {
            let key = keys[at].to_usize();
            if key < count {
                atomic_fetch_inc(&mut counts[key]);
            }
        }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A key of a [`histogram`]: `u8`, `u16` or `u32`.
pub trait Bin: Element + sealed::Sealed {
    #[doc(hidden)]
    fn count<'k>(
        keys: &'k ArrayView<'_, Self, 1>,
        counts: &'k mut ArrayViewMut<'_, u32, 1>,
    ) -> Kernel<'k, TiledIndex<1, 256>>;
}

macro_rules! bins {
    ($($key:ident)*) => {$(
        impl sealed::Sealed for $key {}
        impl Bin for $key {
            fn count<'k>(
                keys: &'k ArrayView<'_, Self, 1>,
                counts: &'k mut ArrayViewMut<'_, u32, 1>,
            ) -> Kernel<'k, TiledIndex<1, 256>> {
                count_keys::<$key>(keys, counts)
            }
        }
    )*};
}
bins!(u8 u16 u32);

/// Counts how often each key occurs: `counts[k]` becomes the number of keys that are `k`. Keys that
/// have no count are left out.
///
/// ```
/// use amp::algorithms::histogram;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let keys = Array::new(6, &[1_u8, 3, 1, 0, 1, 200])?;
/// let mut counts = Array::zeroed(4)?;
/// histogram(&keys, &mut counts)?;
/// assert_eq!(counts.to_vec()?, [1, 3, 0, 1]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn histogram<K: Bin>(keys: &impl Source<K>, counts: &mut impl Target<u32>) -> Result<()> {
    let mut workspace = Workspace::default();
    histogram_on(&mut workspace.at(keys)?, keys, counts)
}

/// [`histogram`] on a queue.
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn histogram_on<K: Bin>(
    queue: &mut Queue<'_>,
    keys: &impl Source<K>,
    counts: &mut impl Target<u32>,
) -> Result<()> {
    let (keys, mut counts) = (keys.elements(), counts.elements_mut());
    fill_on(queue, &mut counts, 0)?;
    let blocks = keys.extent()[0].div_ceil(BLOCK);
    queue.launch(tiles(blocks), K::count(&keys, &mut counts))
}
