//! Arrays: data that lives on one accelerator view.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::element::Element;
use crate::error::{Error, Result};
use crate::index::{Extent, Index};
use crate::part::{Part, check_source, size_of_extent};
use crate::residency::Home;
use crate::view::{ArrayView, ArrayViewMut, Window};
use crate::{AcceleratorView, registry};

/// An array of `N` dimensions that lives on an accelerator view (`array<T, N>`).
///
/// Kernels that take it run on that view. It owns its data, row-major and contiguous.
///
/// ```
/// use amp_runtime::{Accelerator, Array};
///
/// let view = Accelerator::cpu().default_view()?;
/// let array = Array::builder([2, 2]).on(&view).data(&[1, 2, 3, 4]).build()?;
/// assert_eq!(array.to_vec()?, [1, 2, 3, 4]);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
pub struct Array<T: Element, const N: usize> {
    pub(crate) window: Window<'static, N>,
    view: AcceleratorView,
    elements: PhantomData<T>,
}

/// Makes an [`Array`]; see [`Array::builder`].
#[derive(Clone, Debug)]
#[must_use = "a builder makes an array only when `build` is called"]
pub struct ArrayBuilder<'a, T: Element, const N: usize> {
    extent: Extent<N>,
    view: Option<AcceleratorView>,
    data: Option<&'a [T]>,
}

impl<'a, T: Element, const N: usize> ArrayBuilder<'a, T, N> {
    /// Where the array lives; without it, on the default accelerator's default view.
    pub fn on(mut self, view: &AcceleratorView) -> Self {
        self.view = Some(view.clone());
        self
    }

    /// What it holds at first, in row-major order; without it, zeroes.
    pub fn data(mut self, data: &'a [T]) -> Self {
        self.data = Some(data);
        self
    }

    /// Makes the array.
    ///
    /// # Errors
    ///
    /// If the extent is empty or too large, the data too short, or the accelerator has
    /// no memory left.
    pub fn build(self) -> Result<Array<T, N>> {
        let extent = self.extent.to_array();
        let elements = size_of_extent(&extent, size_of::<T>())?;
        if let Some(data) = self.data {
            check_source(&extent, size_of::<T>(), data.len())?;
        }
        let view = match self.view {
            Some(view) => view,
            None => registry::use_default()?.default_view()?,
        };
        let home = Home::array(&view, elements * size_of::<T>(), align_of::<T>())?;
        match self.data {
            Some(data) => home.write(home.whole(), bytemuck::cast_slice(&data[..elements]))?,
            None => home.zero()?,
        }
        let part = Part::whole(self.extent, size_of::<T>());
        Ok(Array {
            window: Window::new(Arc::new(home), part),
            view,
            elements: PhantomData,
        })
    }
}

impl<T: Element, const N: usize> Array<T, N> {
    /// An array on the default accelerator with the first elements of `data`, in
    /// row-major order.
    ///
    /// # Errors
    ///
    /// As [`ArrayBuilder::build`].
    pub fn new(extent: impl Into<Extent<N>>, data: &[T]) -> Result<Self> {
        Array::builder(extent).data(data).build()
    }

    /// An array of zeroes on the default accelerator.
    ///
    /// # Errors
    ///
    /// As [`ArrayBuilder::build`].
    pub fn zeroed(extent: impl Into<Extent<N>>) -> Result<Self> {
        Self::builder(extent).build()
    }

    /// Starts an array for which more is to be said than its data.
    pub fn builder<'a>(extent: impl Into<Extent<N>>) -> ArrayBuilder<'a, T, N> {
        ArrayBuilder {
            extent: extent.into(),
            view: None,
            data: None,
        }
    }

    /// The extent.
    pub fn extent(&self) -> Extent<N> {
        Extent::new(*self.window.layout().extent())
    }

    /// The accelerator view that the array lives on.
    pub fn accelerator_view(&self) -> AcceleratorView {
        self.view.clone()
    }

    /// A read-only view of the whole array.
    pub fn view(&self) -> ArrayView<'_, T, N> {
        ArrayView::whole(self.home(), self.extent())
    }

    /// A view of the whole array.
    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T, N> {
        ArrayViewMut::whole(self.home(), self.extent())
    }

    fn home(&self) -> Arc<Home<'_>> {
        Arc::clone(self.window.home()) as Arc<Home<'_>>
    }

    /// The elements as one dimension.
    fn flat(&self) -> ArrayView<'_, T, 1> {
        ArrayView::whole(self.home(), self.window.layout().elements().into())
    }

    fn flat_mut(&mut self) -> ArrayViewMut<'_, T, 1> {
        ArrayViewMut::whole(self.home(), self.window.layout().elements().into())
    }

    /// A read-only view of the elements from `origin` on, as many as `extent` says.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let mut array = Array::builder([2, 3]).on(&view).data(&[1, 2, 3, 4, 5, 6]).build()?;
    /// assert_eq!(array.section([0, 1], [2, 2])?.to_vec()?, [2, 3, 5, 6]);
    /// array.section_mut([1, 0], [1, 3])?.data_mut()?.fill(0);
    /// assert_eq!(array.to_vec()?, [1, 2, 3, 0, 0, 0]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayView::section`].
    pub fn section(
        &self,
        origin: impl Into<Index<N>>,
        extent: impl Into<Extent<N>>,
    ) -> Result<ArrayView<'_, T, N>> {
        self.view().section(origin, extent)
    }

    /// A view of the elements from `origin` on, as many as `extent` says.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::section`].
    pub fn section_mut(
        &mut self,
        origin: impl Into<Index<N>>,
        extent: impl Into<Extent<N>>,
    ) -> Result<ArrayViewMut<'_, T, N>> {
        self.view_mut().into_section(origin, extent)
    }

    /// A read-only view of the first elements in another shape.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::view_as`].
    pub fn view_as<const M: usize>(
        &self,
        extent: impl Into<Extent<M>>,
    ) -> Result<ArrayView<'_, T, M>> {
        self.flat().view_as(extent)
    }

    /// A view of the first elements in another shape.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::view_as`].
    pub fn view_as_mut<const M: usize>(
        &mut self,
        extent: impl Into<Extent<M>>,
    ) -> Result<ArrayViewMut<'_, T, M>> {
        self.flat_mut().into_view_as(extent)
    }

    /// A read-only view of the bytes of the elements as elements of another type.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::reinterpret`].
    pub fn reinterpret<U: Element>(&self) -> Result<ArrayView<'_, U, 1>> {
        self.flat().reinterpret()
    }

    /// A view of the bytes of the elements as elements of another type.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::reinterpret`].
    pub fn reinterpret_mut<U: Element>(&mut self) -> Result<ArrayViewMut<'_, U, 1>> {
        self.flat_mut().into_reinterpret()
    }

    /// The elements in row-major order. Waits for the kernels that write them.
    ///
    /// # Errors
    ///
    /// If a kernel that wrote them faulted and nothing has reported that yet, or the
    /// device is lost.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.window.to_vec()
    }

    /// Copies the elements to a slice of the same length. Waits for the kernels that
    /// write them.
    ///
    /// # Errors
    ///
    /// If the lengths differ, or as [`to_vec`](Self::to_vec).
    pub fn copy_to(&self, out: &mut [T]) -> Result<()> {
        self.check_length(out.len())?;
        self.window.read(out)
    }

    /// Replaces the elements by those of a slice of the same length.
    ///
    /// # Errors
    ///
    /// If the lengths differ, or the device is lost.
    pub fn copy_from(&mut self, data: &[T]) -> Result<()> {
        self.check_length(data.len())?;
        let home = self.window.home();
        home.write(home.whole(), bytemuck::cast_slice(data))
    }

    fn check_length(&self, found: usize) -> Result<()> {
        let wanted = self.window.layout().elements();
        if wanted == found {
            Ok(())
        } else {
            Err(Error::LengthMismatch { wanted, found })
        }
    }
}

/// Projections, for the ranks that have one: stable Rust cannot say `N - 1`.
macro_rules! row {
    ($($rank:literal)*) => {$(
        impl<T: Element> Array<T, $rank> {
            /// A read-only view of the part where component 0 is `row` (C++ AMP §5.1.4).
            ///
            /// # Errors
            ///
            /// [`Error::RowOutOfBounds`].
            pub fn row(&self, row: usize) -> Result<ArrayView<'_, T, { $rank - 1 }>> {
                self.view().row(row)
            }

            /// A view of the part where component 0 is `row` (C++ AMP §5.1.4).
            ///
            /// # Errors
            ///
            /// [`Error::RowOutOfBounds`].
            pub fn row_mut(&mut self, row: usize) -> Result<ArrayViewMut<'_, T, { $rank - 1 }>> {
                self.view_mut().into_row(row)
            }
        }
    )*};
}
row!(2 3 4 5 6 7 8);

impl<T: Element, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array")
            .field("element", &std::any::type_name::<T>())
            .field("extent", self.window.layout().extent())
            .field("accelerator_view", &self.view)
            .finish()
    }
}
