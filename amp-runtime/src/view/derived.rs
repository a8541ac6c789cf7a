//! Views made from views: sections, rows, other shapes, other elements and halves.
//!
//! Each has only elements of the view that it is made from, and sees with it one body of
//! data. Of a view that can be written, `section` and the like borrow it, so that its
//! elements have one name at a time; `into_section` and the like take it.

use bytemuck::TransparentWrapper;

use super::{ArrayPartMut, ArrayView, ArrayViewMut, Window};
use crate::types::element::Element;
use crate::types::error::Result;
use crate::types::index::{Extent, Index};
use crate::types::part::Part;

impl<'a, T: Element, const N: usize> ArrayView<'a, T, N> {
    /// The elements of `part`, which are elements of this view.
    fn part<U: Element, const M: usize>(&self, part: Part<M>) -> ArrayView<'a, U, M> {
        ArrayView::over(self.window().part(part))
    }

    /// The section of `extent` that starts at `origin` (C++ AMP §5.2.5).
    ///
    /// ```
    /// use amp_runtime::ArrayView;
    ///
    /// let data: Vec<i32> = (0..20).collect();
    /// let view = ArrayView::new([4, 5], &data)?;
    /// let corner = view.section([2, 3], [2, 2])?;
    /// assert_eq!(corner.to_vec()?, [13, 14, 18, 19]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::SectionOutOfBounds`](crate::Error::SectionOutOfBounds) if it is not within
    /// the view, [`Error::InvalidExtent`](crate::Error::InvalidExtent) if it is empty.
    pub fn section(
        &self,
        origin: impl Into<Index<N>>,
        extent: impl Into<Extent<N>>,
    ) -> Result<Self> {
        let (origin, extent) = (origin.into().to_array(), extent.into().to_array());
        Ok(self.part(self.window().layout().section(origin, extent)?))
    }
}

impl<'a, T: Element> ArrayView<'a, T, 1> {
    /// The first elements in another shape (C++ AMP §5.2.5).
    ///
    /// ```
    /// use amp_runtime::ArrayView;
    ///
    /// let view = ArrayView::new(10, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])?;
    /// assert_eq!(view.view_as([2, 4])?[[1, 0]], 4);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::SourceTooShort`](crate::Error::SourceTooShort) if the view has not as many,
    /// [`Error::InvalidExtent`](crate::Error::InvalidExtent) if the extent is empty.
    pub fn view_as<const M: usize>(
        &self,
        extent: impl Into<Extent<M>>,
    ) -> Result<ArrayView<'a, T, M>> {
        let extent = extent.into().to_array();
        Ok(self.part(self.window().layout().shaped(extent)?))
    }

    /// The bytes of the elements as elements of another type (C++ AMP §5.2.5,
    /// `reinterpret_as`).
    ///
    /// ```
    /// use amp_runtime::ArrayView;
    ///
    /// let view = ArrayView::new(2, &[1.0f32, -1.0])?;
    /// assert_eq!(view.reinterpret::<u32>()?[1], 0xbf80_0000);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::IndivisibleBytes`](crate::Error::IndivisibleBytes) if the bytes are no whole
    /// number of such elements, [`Error::Misaligned`](crate::Error::Misaligned) if one
    /// cannot start where the view does. The memory of arrays and of views without a
    /// source starts at a multiple of 16 bytes, a slice where its elements let it.
    pub fn reinterpret<U: Element>(&self) -> Result<ArrayView<'a, U, 1>> {
        rows_as(self)
    }
}

impl<'a, T: Element, const N: usize> ArrayPartMut<'a, T, N> {
    /// The elements of `part`, which are elements of this view, in its place.
    fn into_part<U: Element, const M: usize>(self, part: Part<M>) -> ArrayPartMut<'a, U, M> {
        ArrayPartMut::new(self.window.part(part), self.write_back)
    }

    /// The elements of `part`, which are elements of this view and none of what it will be.
    fn other_part(&self, part: Part<N>) -> Self {
        Self::new(self.window.part(part), self.write_back.clone())
    }
}

impl<'a, T: Element, const N: usize> ArrayViewMut<'a, T, N> {
    /// As [`ArrayPartMut::into_part`].
    fn into_part<U: Element, const M: usize>(self, part: Part<M>) -> ArrayViewMut<'a, U, M> {
        ArrayViewMut(Self::peel(self).into_part(part))
    }

    /// As [`ArrayPartMut::other_part`].
    fn other_part(&self, part: Part<N>) -> Self {
        Self(self.0.other_part(part))
    }

    fn as_part_mut(&mut self) -> ArrayPartMut<'_, T, N> {
        ArrayPartMut::over(self.window().part(*self.window().layout()))
    }

    /// The view, for as long as it is borrowed. Its data returns to the source with the view itself.
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let mut view = ArrayViewMut::<i32, 1>::uninit(2)?;
    /// view.as_view_mut()[1] = 7;
    /// assert_eq!(view.to_vec()?, [0, 7]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    pub fn as_view_mut(&mut self) -> ArrayViewMut<'_, T, N> {
        self.as_part_mut().into()
    }

    /// The view, to be read.
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let mut data = [1, 2, 3];
    /// let view = ArrayViewMut::new(3, &mut data)?;
    /// let (one, two) = (view.as_view(), view.as_view().section(1, 2)?);
    /// assert_eq!((one[0], two[0]), (1, 2));
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    pub fn as_view(&self) -> ArrayView<'_, T, N> {
        ArrayView::over(self.window().part(*self.window().layout()))
    }

    /// The section of `extent` that starts at `origin` (C++ AMP §5.2.5).
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let mut data = [0; 6];
    /// let mut view = ArrayViewMut::new([2, 3], &mut data)?;
    /// let mut part = view.section_mut([0, 1], [2, 1])?;
    /// part[[1, 0]] = 7;
    /// assert_eq!(view[[1, 1]], 7);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// The view is borrowed until the last use of the part:
    ///
    /// ```compile_fail
    /// # let mut data = [0; 6];
    /// # let mut view = amp_runtime::ArrayViewMut::new([2, 3], &mut data)?;
    /// let mut part = view.section_mut([0, 1], [2, 1])?;
    /// view[[0, 0]] = 1; // `part` is used below
    /// part[[0, 0]] = 2;
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayView::section`].
    pub fn section_mut(
        &mut self,
        origin: impl Into<Index<N>>,
        extent: impl Into<Extent<N>>,
    ) -> Result<ArrayPartMut<'_, T, N>> {
        self.as_part_mut().into_section(origin, extent)
    }

    /// [`section_mut`](Self::section_mut) as an `ArrayViewMut`, which borrows the view until it is
    /// dropped, at the end of its scope at the latest.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::section`].
    pub fn section(
        &mut self,
        origin: impl Into<Index<N>>,
        extent: impl Into<Extent<N>>,
    ) -> Result<ArrayViewMut<'_, T, N>> {
        Ok(self.section_mut(origin, extent)?.into())
    }

    /// The elements whose component `dimension` is less than `at`, and the others: two
    /// views that can be written at the same time, by one kernel, by the host, or on
    /// different accelerators.
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let mut data = [0; 6];
    /// let mut view = ArrayViewMut::new([2, 3], &mut data)?;
    /// let (mut left, mut right) = view.split_at_mut(1, 2)?;
    /// left[[1, 1]] = 4;
    /// right[[1, 0]] = 5;
    /// assert_eq!(view.data()?, [0, 0, 0, 0, 4, 5]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::InvalidSplit`](crate::Error::InvalidSplit) if there is no such dimension, or
    /// one of the parts would be empty.
    pub fn split_at_mut(
        &mut self,
        dimension: usize,
        at: usize,
    ) -> Result<(ArrayPartMut<'_, T, N>, ArrayPartMut<'_, T, N>)> {
        self.as_part_mut().into_split_at(dimension, at)
    }
}

impl<T: Element> ArrayViewMut<'_, T, 1> {
    /// The first elements in another shape (C++ AMP §5.2.5).
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let mut view = ArrayViewMut::<i32, 1>::uninit(5)?;
    /// view.view_as_mut([2, 2])?[[1, 0]] = 7;
    /// assert_eq!(view.to_vec()?, [0, 0, 7, 0, 0]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayView::view_as`].
    pub fn view_as_mut<const M: usize>(
        &mut self,
        extent: impl Into<Extent<M>>,
    ) -> Result<ArrayPartMut<'_, T, M>> {
        self.as_part_mut().into_view_as(extent)
    }

    /// [`view_as_mut`](Self::view_as_mut) as an `ArrayViewMut`, which borrows the view until it is
    /// dropped.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::view_as`].
    pub fn view_as<const M: usize>(
        &mut self,
        extent: impl Into<Extent<M>>,
    ) -> Result<ArrayViewMut<'_, T, M>> {
        Ok(self.view_as_mut(extent)?.into())
    }

    /// The bytes of the elements as elements of another type (C++ AMP §5.2.5,
    /// `reinterpret_as`).
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let mut view = ArrayViewMut::<f32, 1>::uninit(2)?;
    /// view.reinterpret_mut::<u32>()?[1] = 0xbf80_0000;
    /// assert_eq!(view.to_vec()?, [0.0, -1.0]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayView::reinterpret`].
    pub fn reinterpret_mut<U: Element>(&mut self) -> Result<ArrayPartMut<'_, U, 1>> {
        self.as_part_mut().into_reinterpret()
    }

    /// [`reinterpret_mut`](Self::reinterpret_mut) as an `ArrayViewMut`, which borrows the view
    /// until it is dropped.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::reinterpret`].
    pub fn reinterpret<U: Element>(&mut self) -> Result<ArrayViewMut<'_, U, 1>> {
        Ok(self.reinterpret_mut()?.into())
    }
}

/// What takes the place of a view, or of a part that borrows one.
macro_rules! into_parts {
    ($($view:ident)*) => {$(
        impl<'a, T: Element, const N: usize> $view<'a, T, N> {
            /// [`section_mut`](ArrayViewMut::section_mut), in place of the view.
            ///
            /// # Errors
            ///
            /// As [`ArrayView::section`].
            pub fn into_section(
                self,
                origin: impl Into<Index<N>>,
                extent: impl Into<Extent<N>>,
            ) -> Result<Self> {
                let (origin, extent) = (origin.into().to_array(), extent.into().to_array());
                let part = self.window().layout().section(origin, extent)?;
                Ok(self.into_part(part))
            }

            /// [`split_at_mut`](ArrayViewMut::split_at_mut), in place of the view.
            ///
            /// # Errors
            ///
            /// As [`split_at_mut`](ArrayViewMut::split_at_mut).
            pub fn into_split_at(self, dimension: usize, at: usize) -> Result<(Self, Self)> {
                let (first, second) = self.window().layout().split(dimension, at)?;
                let other = self.other_part(second);
                Ok((self.into_part(first), other))
            }
        }

        impl<'a, T: Element> $view<'a, T, 1> {
            /// [`view_as_mut`](ArrayViewMut::view_as_mut), in place of the view.
            ///
            /// # Errors
            ///
            /// As [`ArrayView::view_as`].
            pub fn into_view_as<const M: usize>(
                self,
                extent: impl Into<Extent<M>>,
            ) -> Result<$view<'a, T, M>> {
                let part = self.window().layout().shaped(extent.into().to_array())?;
                Ok(self.into_part(part))
            }

            /// [`reinterpret_mut`](ArrayViewMut::reinterpret_mut), in place of the view.
            ///
            /// # Errors
            ///
            /// As [`ArrayView::reinterpret`].
            pub fn into_reinterpret<U: Element>(self) -> Result<$view<'a, U, 1>> {
                let part = reinterpreted::<U, 1>(self.window())?;
                Ok(self.into_part(part))
            }
        }
    )*};
}
into_parts!(ArrayViewMut ArrayPartMut);

/// The bytes of each row as elements of type `U`.
fn reinterpreted<U: Element, const N: usize>(window: &Window<'_, N>) -> Result<Part<N>> {
    window
        .layout()
        .reinterpreted::<U>(window.allocation().alignment())
}

/// The bytes of each row of a view as elements of another type.
#[doc(hidden)]
pub fn rows_as<'a, T: Element, U: Element, const N: usize>(
    view: &ArrayView<'a, T, N>,
) -> Result<ArrayView<'a, U, N>> {
    Ok(view.part(reinterpreted::<U, N>(view.window())?))
}

/// The same of a view that can be written.
#[doc(hidden)]
pub fn rows_as_mut<'a, T: Element, U: Element, const N: usize>(
    view: ArrayViewMut<'a, T, N>,
) -> Result<ArrayViewMut<'a, U, N>> {
    let part = reinterpreted::<U, N>(view.window())?;
    Ok(view.into_part(part))
}

/// Projections, for the ranks that have one: stable Rust cannot say `N - 1`.
macro_rules! row {
    ($($rank:literal)*) => {$(
        impl<'a, T: Element> ArrayView<'a, T, $rank> {
            /// The part of the view where component 0 is `row` (C++ AMP §5.2.4).
            ///
            /// # Errors
            ///
            /// [`Error::RowOutOfBounds`](crate::Error::RowOutOfBounds).
            pub fn row(&self, row: usize) -> Result<ArrayView<'a, T, { $rank - 1 }>> {
                Ok(self.part(self.window().layout().row(row)?))
            }
        }

        impl<T: Element> ArrayViewMut<'_, T, $rank> {
            /// The part of the view where component 0 is `row` (C++ AMP §5.2.4).
            ///
            /// # Errors
            ///
            /// [`Error::RowOutOfBounds`](crate::Error::RowOutOfBounds).
            pub fn row_mut(&mut self, row: usize) -> Result<ArrayPartMut<'_, T, { $rank - 1 }>> {
                self.as_part_mut().into_row(row)
            }

            /// [`row_mut`](Self::row_mut) as an `ArrayViewMut`, which borrows the view until it is
            /// dropped.
            ///
            /// # Errors
            ///
            /// [`Error::RowOutOfBounds`](crate::Error::RowOutOfBounds).
            pub fn row(&mut self, row: usize) -> Result<ArrayViewMut<'_, T, { $rank - 1 }>> {
                Ok(self.row_mut(row)?.into())
            }
        }

        row!(ArrayViewMut, $rank);
        row!(ArrayPartMut, $rank);
    )*};
    ($view:ident, $rank:literal) => {
        impl<'a, T: Element> $view<'a, T, $rank> {
            /// [`row_mut`](ArrayViewMut::row_mut), in place of the view.
            ///
            /// # Errors
            ///
            /// [`Error::RowOutOfBounds`](crate::Error::RowOutOfBounds).
            pub fn into_row(self, row: usize) -> Result<$view<'a, T, { $rank - 1 }>> {
                let part = self.window().layout().row(row)?;
                Ok(self.into_part(part))
            }
        }
    };
}
row!(2 3 4 5 6 7 8);
