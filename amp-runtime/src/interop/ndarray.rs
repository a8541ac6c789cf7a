//! Views and arrays from and into those of `ndarray` (feature `ndarray`).
//!
//! Both have row-major arrays, ndarray's of any strides. A view is over a slice, so it takes
//! what is in standard layout and refuses the rest by name; copies take everything.

use ndarray::{ArrayView as NdView, ArrayViewMut as NdViewMut, Dim, Dimension, IntoDimension};

use crate::AcceleratorView;
use crate::accelerator::registry;
use crate::array::Array;
use crate::types::element::Element;
use crate::types::error::{Error, Result, times};
use crate::view::{ArrayView, ArrayViewMut};

/// ndarray's dimensions of rank `N`.
type Dims<const N: usize> = Dim<[usize; N]>;

/// The shape of an array of rank `N`.
fn extent_of<const N: usize>(shape: &[usize]) -> [usize; N] {
    std::array::from_fn(|k| shape[k])
}

fn not_standard(shape: &[usize], strides: &[isize]) -> Error {
    Error::NotStandardLayout {
        shape: times(shape),
        strides: strides.to_vec(),
    }
}

/// What has as many elements as its extent says has a shape.
fn shaped<A>(made: Result<A, ndarray::ShapeError>) -> Result<A> {
    made.map_err(|error| Error::InvalidExtent(error.to_string()))
}

impl<'a, T: Element, const N: usize> ArrayView<'a, T, N>
where
    Dims<N>: Dimension,
    [usize; N]: IntoDimension<Dim = Dims<N>>,
{
    /// A view over an array of ndarray, which is borrowed.
    ///
    /// # Errors
    ///
    /// [`Error::NotStandardLayout`] if its elements are not in row-major order and
    /// contiguous; [`Error::InvalidExtent`] if it has none.
    pub fn from_ndarray(array: NdView<'a, T, Dims<N>>) -> Result<Self> {
        match array.to_slice() {
            Some(slice) => Self::new(extent_of(array.shape()), slice),
            None => Err(not_standard(array.shape(), array.strides())),
        }
    }
}

impl<'a, T: Element, const N: usize> ArrayViewMut<'a, T, N>
where
    Dims<N>: Dimension,
    [usize; N]: IntoDimension<Dim = Dims<N>>,
{
    /// A view over an array of ndarray, which is borrowed. What kernels write comes back to
    /// the array as to a slice.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::from_ndarray`].
    pub fn from_ndarray(array: NdViewMut<'a, T, Dims<N>>) -> Result<Self> {
        let extent = extent_of(array.shape());
        let error = not_standard(array.shape(), array.strides());
        match array.into_slice() {
            Some(slice) => Self::new(extent, slice),
            None => Err(error),
        }
    }

    /// The elements as a mutable view of ndarray, brought to the host if they are stale
    /// there; copies on accelerators become stale.
    ///
    /// # Errors
    ///
    /// As [`data_mut`](Self::data_mut).
    pub fn as_ndarray_mut(&mut self) -> Result<NdViewMut<'_, T, Dims<N>>> {
        let extent = self.extent().to_array();
        shaped(NdViewMut::from_shape(extent, self.data_mut()?))
    }
}

macro_rules! common {
    ($($view:ident)*) => {$(
        impl<T: Element, const N: usize> $view<'_, T, N>
        where
            Dims<N>: Dimension,
            [usize; N]: IntoDimension<Dim = Dims<N>>,
        {
            /// The elements as a view of ndarray, brought to the host if they are stale there.
            ///
            /// # Errors
            ///
            /// As [`data`](Self::data): those of a section need not be contiguous.
            pub fn as_ndarray(&self) -> Result<NdView<'_, T, Dims<N>>> {
                let extent = self.extent().to_array();
                shaped(NdView::from_shape(extent, self.data()?))
            }

            /// A copy of the elements as an array of ndarray, from wherever they are current.
            ///
            /// # Errors
            ///
            /// As [`to_vec`](Self::to_vec).
            pub fn to_ndarray(&self) -> Result<ndarray::Array<T, Dims<N>>> {
                let extent = self.extent().to_array();
                shaped(ndarray::Array::from_shape_vec(extent, self.to_vec()?))
            }
        }
    )*};
}
common!(ArrayView ArrayViewMut);

impl<T: Element, const N: usize> Array<T, N>
where
    Dims<N>: Dimension,
    [usize; N]: IntoDimension<Dim = Dims<N>>,
{
    /// An array on the default accelerator with the elements of one of ndarray, whatever its
    /// layout.
    ///
    /// # Errors
    ///
    /// As [`ArrayBuilder::build`](crate::ArrayBuilder::build).
    pub fn from_ndarray(array: NdView<'_, T, Dims<N>>) -> Result<Self> {
        Self::from_ndarray_on(&registry::use_default()?.default_view()?, array)
    }

    /// [`from_ndarray`](Self::from_ndarray), on a view.
    ///
    /// # Errors
    ///
    /// As [`ArrayBuilder::build`](crate::ArrayBuilder::build).
    pub fn from_ndarray_on(view: &AcceleratorView, array: NdView<'_, T, Dims<N>>) -> Result<Self> {
        let extent: [usize; N] = extent_of(array.shape());
        let builder = Self::builder(extent).on(view);
        match array.to_slice() {
            Some(slice) => builder.data(slice).build(),
            None => {
                let copy: Vec<T> = array.iter().copied().collect();
                builder.data(&copy).build()
            }
        }
    }

    /// A copy of the elements as an array of ndarray. Waits for the kernels that write them.
    ///
    /// # Errors
    ///
    /// As [`to_vec`](Self::to_vec).
    pub fn to_ndarray(&self) -> Result<ndarray::Array<T, Dims<N>>> {
        let extent = self.extent().to_array();
        shaped(ndarray::Array::from_shape_vec(extent, self.to_vec()?))
    }
}
