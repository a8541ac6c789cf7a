//! Compute domains: what `parallel_for_each` runs a kernel over.

use crate::types::index::{Extent, Index, KernelIndex, TiledExtent, TiledIndex};

mod sealed {
    pub trait Sealed {}
}

/// A compute domain. Its [`Index`](Domain::Index) is the type of the first parameter of
/// the kernels that run over it, so a domain and a kernel that differ do not compile.
///
/// Domains are [`Extent<N>`], `[usize; N]` and (for one dimension) `usize` for kernels
/// over [`Index<N>`]; and [`TiledExtent`] for kernels over [`TiledIndex`].
pub trait Domain: sealed::Sealed {
    /// The first parameter of a kernel over this domain.
    type Index: KernelIndex;

    #[doc(hidden)]
    fn components(&self) -> &[usize];
}

impl<const N: usize> sealed::Sealed for Extent<N> {}
impl<const N: usize> Domain for Extent<N> {
    type Index = Index<N>;

    fn components(&self) -> &[usize] {
        self.as_array()
    }
}

impl<const N: usize> sealed::Sealed for [usize; N] {}
impl<const N: usize> Domain for [usize; N] {
    type Index = Index<N>;

    fn components(&self) -> &[usize] {
        self
    }
}

impl sealed::Sealed for usize {}
impl Domain for usize {
    type Index = Index<1>;

    fn components(&self) -> &[usize] {
        std::slice::from_ref(self)
    }
}

impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> sealed::Sealed
    for TiledExtent<N, D0, D1, D2>
{
}
impl<const N: usize, const D0: usize, const D1: usize, const D2: usize> Domain
    for TiledExtent<N, D0, D1, D2>
{
    type Index = TiledIndex<N, D0, D1, D2>;

    fn components(&self) -> &[usize] {
        self.as_extent().as_array()
    }
}
