//! [`Index`], a point in a space of `N` dimensions.

use std::fmt;
use std::ops;

/// A point in a space of `N` dimensions, component 0 the most significant
/// (C++ AMP §4.1, `index<N>`).
///
/// Arithmetic with another index or with `[usize; N]` (`+ -`) and with `usize`
/// (`+ - * / %`, on either side) works on all components and wraps.
///
/// ```
/// use amp_runtime::Index;
///
/// let mut i = Index::new([2, 3]);
/// i += 1;
/// assert_eq!(i + [10, 20], Index::new([13, 24]));
/// assert_eq!(i[0], 3);
/// assert_eq!(2 * i, Index::from([6, 8]));
/// assert_eq!(i.to_string(), "(3, 4)");
/// ```
///
/// A space has at least one dimension:
///
/// ```compile_fail
/// let none = amp_runtime::Index::<0>::new([]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Index<const N: usize>(pub(super) [usize; N]);

impl<const N: usize> Index<N> {
    /// Number of dimensions.
    ///
    /// ```
    /// assert_eq!(amp_runtime::Index::<3>::RANK, 3);
    /// ```
    pub const RANK: usize = {
        assert!(N > 0, "an index has at least one dimension");
        N
    };

    /// The point with these components.
    ///
    /// ```
    /// # use amp_runtime::Index;
    /// const CORNER: Index<2> = Index::new([0, 15]);
    /// assert_eq!(CORNER[1], 15);
    /// ```
    #[inline]
    pub const fn new(components: [usize; N]) -> Self {
        const { assert!(N > 0, "an index has at least one dimension") };
        Self(components)
    }

    /// All components.
    ///
    /// ```
    /// # use amp_runtime::Index;
    /// assert_eq!(Index::new([1, 2]).to_array(), [1, 2]);
    /// ```
    #[inline]
    pub const fn to_array(self) -> [usize; N] {
        self.0
    }
}

impl<const N: usize> Default for Index<N> {
    /// The origin.
    #[inline]
    fn default() -> Self {
        Self::new([0; N])
    }
}

impl<const N: usize> From<[usize; N]> for Index<N> {
    #[inline]
    fn from(components: [usize; N]) -> Self {
        Self::new(components)
    }
}

impl From<usize> for Index<1> {
    #[inline]
    fn from(component: usize) -> Self {
        Self::new([component])
    }
}

impl<const N: usize> From<Index<N>> for [usize; N] {
    #[inline]
    fn from(index: Index<N>) -> Self {
        index.0
    }
}

impl<const N: usize> AsRef<[usize; N]> for Index<N> {
    #[inline]
    fn as_ref(&self) -> &[usize; N] {
        &self.0
    }
}

impl<const N: usize> AsMut<[usize; N]> for Index<N> {
    #[inline]
    fn as_mut(&mut self) -> &mut [usize; N] {
        &mut self.0
    }
}

impl<const N: usize> ops::Index<usize> for Index<N> {
    type Output = usize;

    #[inline]
    #[track_caller]
    fn index(&self, dimension: usize) -> &usize {
        &self.0[dimension]
    }
}

impl<const N: usize> ops::IndexMut<usize> for Index<N> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, dimension: usize) -> &mut usize {
        &mut self.0[dimension]
    }
}

impl<const N: usize> fmt::Debug for Index<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Index").field(&self.0).finish()
    }
}

impl<const N: usize> fmt::Display for Index<N> {
    /// `(1, 2)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (dimension, component) in self.0.iter().enumerate() {
            let before = if dimension == 0 { "(" } else { ", " };
            write!(f, "{before}{component}")?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_is_the_origin() {
        assert_eq!(Index::<3>::default(), Index::new([0, 0, 0]));
    }

    #[test]
    fn components_can_be_set() {
        let mut i = Index::from(4);
        i[0] = 5;
        assert_eq!(<[usize; 1]>::from(i), [5]);
    }

    #[test]
    #[should_panic = "index out of bounds: the len is 2 but the index is 2"]
    fn a_missing_component_panics_on_the_host() {
        let i = Index::new([0, 0]);
        let dimension = i[0] + 2;
        let _ = i[dimension];
    }

    #[test]
    fn prints_its_components() {
        let i = Index::new([1, 2, 3]);
        assert_eq!(i.to_string(), "(1, 2, 3)");
        assert_eq!(format!("{i:?}"), "Index([1, 2, 3])");
    }
}
