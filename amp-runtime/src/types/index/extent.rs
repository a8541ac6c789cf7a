//! [`Extent`], how far a space reaches in each of its `N` dimensions.

use std::fmt;
use std::ops;

use super::Index;

/// The shape of an array or a compute domain of `N` dimensions, component 0 the most
/// significant (C++ AMP §4.2, `extent<N>`).
///
/// Arithmetic with another extent, an [`Index`] or `[usize; N]` (`+ -`) and with
/// `usize` (`+ - * / %`, on either side) works on all components and wraps.
///
/// ```
/// use amp_runtime::Extent;
///
/// let e = Extent::new([3, 4]);
/// assert_eq!(e.size(), 12);
/// assert!(e.contains([2, 3]));
/// assert!(!e.contains([3, 0]));
/// assert_eq!(e + [1, 1], Extent::from([4, 5]));
/// assert_eq!(e.to_string(), "3×4");
/// ```
///
/// A space has at least one dimension:
///
/// ```compile_fail
/// let none = amp_runtime::Extent::<0>::new([]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Extent<const N: usize>(pub(super) [usize; N]);

impl<const N: usize> Extent<N> {
    /// Number of dimensions.
    ///
    /// ```
    /// assert_eq!(amp_runtime::Extent::<3>::RANK, 3);
    /// ```
    pub const RANK: usize = {
        assert!(N > 0, "an extent has at least one dimension");
        N
    };

    /// The shape with these lengths. Any length is accepted here; what an array or a
    /// launch needs is checked there.
    ///
    /// ```
    /// # use amp_runtime::Extent;
    /// const IMAGE: Extent<2> = Extent::new([1080, 1920]);
    /// assert_eq!(IMAGE[1], 1920);
    /// ```
    #[inline]
    pub const fn new(lengths: [usize; N]) -> Self {
        const { assert!(N > 0, "an extent has at least one dimension") };
        Self(lengths)
    }

    /// All lengths, where they are.
    pub(crate) fn as_array(&self) -> &[usize; N] {
        &self.0
    }

    /// All lengths.
    ///
    /// ```
    /// # use amp_runtime::Extent;
    /// assert_eq!(Extent::new([1, 2]).to_array(), [1, 2]);
    /// ```
    #[inline]
    pub const fn to_array(self) -> [usize; N] {
        self.0
    }

    /// Number of points, the product of all lengths; it wraps, as C++ AMP's does.
    ///
    /// ```
    /// # use amp_runtime::Extent;
    /// assert_eq!(Extent::new([1, 2, 3, 4, 5]).size(), 120);
    /// assert_eq!(Extent::new([usize::MAX, 2]).size(), usize::MAX - 1);
    /// ```
    #[inline]
    pub fn size(self) -> usize {
        self.0
            .iter()
            .fold(1, |size, &length| size.wrapping_mul(length))
    }

    /// Whether every component of `index` is less than the length there.
    ///
    /// ```
    /// # use amp_runtime::{Extent, Index};
    /// let e = Extent::new([2, 5]);
    /// assert!(e.contains(Index::new([1, 4])));
    /// assert!(!e.contains([1, 5]));
    /// ```
    #[inline]
    pub fn contains(self, index: impl Into<Index<N>>) -> bool {
        let index = index.into();
        self.0
            .iter()
            .zip(index.0)
            .all(|(&length, component)| component < length)
    }
}

/// Product of `lengths`, unless a `usize` cannot hold it. An empty dimension makes it
/// 0 whatever the others are.
#[inline]
pub(crate) fn checked_size(lengths: &[usize]) -> Option<usize> {
    if lengths.contains(&0) {
        return Some(0);
    }
    lengths
        .iter()
        .try_fold(1usize, |size, &length| size.checked_mul(length))
}

impl<const N: usize> Default for Extent<N> {
    /// The empty space.
    #[inline]
    fn default() -> Self {
        Self::new([0; N])
    }
}

impl<const N: usize> From<[usize; N]> for Extent<N> {
    #[inline]
    fn from(lengths: [usize; N]) -> Self {
        Self::new(lengths)
    }
}

impl From<usize> for Extent<1> {
    #[inline]
    fn from(length: usize) -> Self {
        Self::new([length])
    }
}

impl<const N: usize> From<Extent<N>> for [usize; N] {
    #[inline]
    fn from(extent: Extent<N>) -> Self {
        extent.0
    }
}

impl<const N: usize> AsRef<[usize; N]> for Extent<N> {
    #[inline]
    fn as_ref(&self) -> &[usize; N] {
        &self.0
    }
}

impl<const N: usize> AsMut<[usize; N]> for Extent<N> {
    #[inline]
    fn as_mut(&mut self) -> &mut [usize; N] {
        &mut self.0
    }
}

impl<const N: usize> ops::Index<usize> for Extent<N> {
    type Output = usize;

    #[inline]
    #[track_caller]
    fn index(&self, dimension: usize) -> &usize {
        &self.0[dimension]
    }
}

impl<const N: usize> ops::IndexMut<usize> for Extent<N> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, dimension: usize) -> &mut usize {
        &mut self.0[dimension]
    }
}

impl<const N: usize> fmt::Debug for Extent<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Extent").field(&self.0).finish()
    }
}

impl<const N: usize> fmt::Display for Extent<N> {
    /// `100×64`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (dimension, length) in self.0.iter().enumerate() {
            let before = if dimension == 0 { "" } else { "×" };
            write!(f, "{before}{length}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conformance row 97: the size of {1, 0, 3, 4, 5} is 0, and a component of -1
    /// wraps the product.
    #[test]
    fn size_wraps_and_is_zero_with_an_empty_dimension() {
        assert_eq!(Extent::new([1, 0, 3, 4, 5]).size(), 0);
        let negative = Extent::new([usize::MAX, 2, 3, 4, 5]);
        assert_eq!(negative.size(), 0usize.wrapping_sub(120));
    }

    #[test]
    fn checked_size_knows_when_it_does_not_fit() {
        assert_eq!(checked_size(&[3, 4]), Some(12));
        assert_eq!(checked_size(&[usize::MAX, 2]), None);
        assert_eq!(checked_size(&[usize::MAX, 2, 0]), Some(0));
    }

    #[test]
    fn the_empty_extent_contains_nothing() {
        assert!(!Extent::<2>::default().contains([0, 0]));
    }

    #[test]
    fn prints_its_lengths() {
        let e = Extent::new([100, 64]);
        assert_eq!(e.to_string(), "100×64");
        assert_eq!(format!("{e:?}"), "Extent([100, 64])");
    }
}
