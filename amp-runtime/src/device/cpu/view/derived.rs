//! Views made from views: sections, rows, other shapes and other elements.
//!
//! Each has only elements of the view that it is made from. One that cannot be made is a
//! fault and has no elements.
//!
//! Of a writable view, `section` and the like borrow the view, so that its elements have one
//! name at a time. `into_section` and the like take a view that has no name.

use std::marker::PhantomData;

use amp_spirv::artifact::FaultKind;

use super::own::Only;
use super::{ArrayView, ArrayViewMut, Shape, elsewhere};
use crate::device::cpu::report;
use crate::types::element::{Element, word};
use crate::types::index::{Extent, Index};

impl<const N: usize> Shape<N> {
    const EMPTY: Self = Self {
        extent: [0; N],
        strides: [1; N],
    };

    /// The elements from `origin` on, and the distance of the first.
    #[inline(always)]
    #[track_caller]
    fn section(&self, origin: [usize; N], extent: [usize; N]) -> (Self, usize) {
        let mut offset = 0_usize;
        for dimension in 0..N {
            let (start, length) = (origin[dimension], extent[dimension]);
            let whole = self.extent[dimension];
            if length > whole || start > whole - length {
                report::raise(FaultKind::Section, [start, length]);
                return (Self::EMPTY, 0);
            }
            offset = offset.wrapping_add(start.wrapping_mul(self.strides[dimension]));
        }
        let strides = self.strides;
        (Self { extent, strides }, offset)
    }

    /// Row `row` of this shape, of one dimension less, and the distance of its first
    /// element.
    #[inline(always)]
    #[track_caller]
    fn row<const M: usize>(&self, row: usize) -> (Shape<M>, usize) {
        const { assert!(M + 1 == N, "a row has one dimension less than its view") };
        if row >= self.extent[0] {
            report::raise(FaultKind::OutOfBounds, [row, self.extent[0]]);
            return (Shape::EMPTY, 0);
        }
        let mut shape = Shape::EMPTY;
        shape.extent.copy_from_slice(&self.extent[1..]);
        shape.strides.copy_from_slice(&self.strides[1..]);
        (shape, row.wrapping_mul(self.strides[0]))
    }
}

impl Shape<1> {
    /// The first elements in another shape.
    #[inline(always)]
    #[track_caller]
    fn shaped<const M: usize>(&self, extent: [usize; M]) -> Shape<M> {
        let [size] = self.extent;
        let mut elements = 1_usize;
        for length in extent {
            match elements.checked_mul(length) {
                Some(product) if product <= size => elements = product,
                _ => {
                    report::raise(FaultKind::Shape, [size, 0]);
                    return Shape::EMPTY;
                }
            }
        }
        let mut strides = [1_usize; M];
        for dimension in (1..M).rev() {
            strides[dimension - 1] = strides[dimension].wrapping_mul(extent[dimension]);
        }
        Shape { extent, strides }
    }

    /// The bytes of elements of type `T` as elements of type `U`.
    #[inline(always)]
    #[track_caller]
    fn reinterpreted<T, U>(&self) -> Self {
        const {
            assert!(
                align_of::<U>() <= align_of::<T>() && size_of::<U>() > 0,
                "the elements of a view may stand at any address that its own type may"
            )
        };
        let [size] = self.extent;
        let (from, to) = (size_of::<T>(), size_of::<U>());
        let bytes = size * from;
        if bytes % to != 0 {
            let mut common = to;
            while from % common != 0 || to % common != 0 {
                common -= 1;
            }
            report::raise(FaultKind::Elements, [size, to / common]);
            return Self::EMPTY;
        }
        let strides = self.strides;
        let extent = [bytes / to];
        Self { extent, strides }
    }
}

impl<'a, T: Element, const N: usize> ArrayView<'a, T, N> {
    /// A view of elements of this one, `offset` elements on.
    #[inline(always)]
    fn part<const M: usize>(&self, (shape, offset): (Shape<M>, usize)) -> ArrayView<'a, T, M> {
        ArrayView {
            // `wrapping_add`, as an empty view may point anywhere; only elements within the
            // shape are ever reached through it.
            pointer: self.pointer.wrapping_add(offset),
            shape,
            access: self.access,
            only: self.of_part(),
            launch: PhantomData,
        }
    }

    /// What a view made from this one has in the place of `only`. A pointwise kernel makes none.
    #[inline(always)]
    fn of_part<U, const M: usize>(&self) -> Option<Only<U, M>> {
        if self.only.is_some() {
            elsewhere();
        }
        None
    }

    /// The elements from `origin` on, as many as `extent` says.
    #[inline(always)]
    #[track_caller]
    pub fn section(&self, origin: impl Into<Index<N>>, extent: impl Into<Extent<N>>) -> Self {
        let (origin, extent) = (origin.into(), extent.into());
        self.part(self.shape.section(origin.to_array(), extent.to_array()))
    }
}

impl<'a, T: Element> ArrayView<'a, T, 1> {
    /// The first elements in another shape.
    #[inline(always)]
    #[track_caller]
    pub fn view_as<const M: usize>(&self, extent: impl Into<Extent<M>>) -> ArrayView<'a, T, M> {
        self.part((self.shape.shaped(extent.into().to_array()), 0))
    }

    /// The bytes of the elements as elements of another type.
    #[inline(always)]
    #[track_caller]
    pub fn reinterpret<U: Element>(&self) -> ArrayView<'a, U, 1> {
        ArrayView {
            pointer: self.pointer.cast(),
            shape: self.shape.reinterpreted::<T, U>(),
            access: self.access.as_words(word::<U>()),
            only: self.of_part(),
            launch: PhantomData,
        }
    }
}

impl<'a, T: Element, const N: usize> ArrayViewMut<'a, T, N> {
    /// The view for as long as it is borrowed.
    #[inline(always)]
    fn reborrowed(&mut self) -> ArrayViewMut<'_, T, N> {
        ArrayViewMut::of(ArrayView { ..self.view })
    }

    /// `view`, which is made from a writable one, as such.
    #[inline(always)]
    fn of(view: ArrayView<'a, T, N>) -> Self {
        let launch = PhantomData;
        ArrayViewMut { view, launch }
    }

    /// The elements from `origin` on, as many as `extent` says.
    #[inline(always)]
    #[track_caller]
    pub fn section(
        &mut self,
        origin: impl Into<Index<N>>,
        extent: impl Into<Extent<N>>,
    ) -> ArrayViewMut<'_, T, N> {
        self.reborrowed().into_section(origin, extent)
    }

    /// [`ArrayViewMut::section`] of a view that has no name.
    #[inline(always)]
    #[track_caller]
    pub fn into_section(self, origin: impl Into<Index<N>>, extent: impl Into<Extent<N>>) -> Self {
        Self::of(self.view.section(origin, extent))
    }
}

impl<'a, T: Element> ArrayViewMut<'a, T, 1> {
    /// The first elements in another shape.
    #[inline(always)]
    #[track_caller]
    pub fn view_as<const M: usize>(
        &mut self,
        extent: impl Into<Extent<M>>,
    ) -> ArrayViewMut<'_, T, M> {
        self.reborrowed().into_view_as(extent)
    }

    /// [`ArrayViewMut::view_as`] of a view that has no name.
    #[inline(always)]
    #[track_caller]
    pub fn into_view_as<const M: usize>(
        self,
        extent: impl Into<Extent<M>>,
    ) -> ArrayViewMut<'a, T, M> {
        ArrayViewMut::of(self.view.view_as(extent))
    }

    /// The bytes of the elements as elements of another type.
    #[inline(always)]
    #[track_caller]
    pub fn reinterpret<U: Element>(&mut self) -> ArrayViewMut<'_, U, 1> {
        self.reborrowed().into_reinterpret()
    }

    /// [`ArrayViewMut::reinterpret`] of a view that has no name.
    #[inline(always)]
    #[track_caller]
    pub fn into_reinterpret<U: Element>(self) -> ArrayViewMut<'a, U, 1> {
        ArrayViewMut::of(self.view.reinterpret())
    }
}

/// Projections, for the ranks that have one: stable Rust cannot say `N - 1`.
macro_rules! row {
    ($($rank:literal)*) => {$(
        impl<'a, T: Element> ArrayView<'a, T, $rank> {
            /// The part of the view where component 0 is `row`.
            #[inline(always)]
            #[track_caller]
            pub fn row(&self, row: usize) -> ArrayView<'a, T, { $rank - 1 }> {
                self.part(self.shape.row(row))
            }
        }

        impl<'a, T: Element> ArrayViewMut<'a, T, $rank> {
            /// The part of the view where component 0 is `row`.
            #[inline(always)]
            #[track_caller]
            pub fn row(&mut self, row: usize) -> ArrayViewMut<'_, T, { $rank - 1 }> {
                self.reborrowed().into_row(row)
            }

            /// [`ArrayViewMut::row`] of a view that has no name.
            #[inline(always)]
            #[track_caller]
            pub fn into_row(self, row: usize) -> ArrayViewMut<'a, T, { $rank - 1 }> {
                ArrayViewMut::of(self.view.row(row))
            }
        }
    )*};
}
row!(2 3 4 5 6 7 8);
