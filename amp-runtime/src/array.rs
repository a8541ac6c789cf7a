//! Arrays: data that lives on one accelerator view.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::element::Element;
use crate::error::{Error, Result};
use crate::index::Extent;
use crate::residency::Home;
use crate::view::{ArrayView, ArrayViewMut, check_source, components, size_of_extent};
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
    pub(crate) home: Arc<Home<'static>>,
    pub(crate) extent: Extent<N>,
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
        let extent = components(&self.extent);
        let elements = match self.data {
            Some(data) => check_source::<T>(&extent, data.len())?,
            None => size_of_extent::<T>(&extent)?,
        };
        let view = match self.view {
            Some(view) => view,
            None => registry::use_default()?.default_view()?,
        };
        let home = Home::array(&view, elements * size_of::<T>(), align_of::<T>())?;
        match self.data {
            Some(data) => home.write_all(bytemuck::cast_slice(&data[..elements]))?,
            None => home.zero()?,
        }
        Ok(Array {
            home: Arc::new(home),
            extent: self.extent,
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
        self.extent
    }

    /// The accelerator view that the array lives on.
    pub fn accelerator_view(&self) -> AcceleratorView {
        self.view.clone()
    }

    /// A read-only view of the whole array.
    pub fn view(&self) -> ArrayView<'_, T, N> {
        ArrayView::over(Arc::clone(&self.home) as Arc<Home<'_>>, self.extent)
    }

    /// A view of the whole array.
    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T, N> {
        ArrayViewMut::over(Arc::clone(&self.home) as Arc<Home<'_>>, self.extent)
    }

    /// The elements in row-major order. Waits for the kernels that write them.
    ///
    /// # Errors
    ///
    /// If a kernel that wrote them faulted and nothing has reported that yet, or the
    /// device is lost.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut out = vec![T::zeroed(); self.length()];
        self.copy_to(&mut out)?;
        Ok(out)
    }

    /// Copies the elements to a slice of the same length. Waits for the kernels that
    /// write them.
    ///
    /// # Errors
    ///
    /// If the lengths differ, or as [`to_vec`](Self::to_vec).
    pub fn copy_to(&self, out: &mut [T]) -> Result<()> {
        self.check_length(out.len())?;
        self.home.read_all(bytemuck::cast_slice_mut(out))?;
        self.home.take_fault()
    }

    /// Replaces the elements by those of a slice of the same length.
    ///
    /// # Errors
    ///
    /// If the lengths differ, or the device is lost.
    pub fn copy_from(&mut self, data: &[T]) -> Result<()> {
        self.check_length(data.len())?;
        self.home.write_all(bytemuck::cast_slice(data))
    }

    fn length(&self) -> usize {
        self.home.bytes() / size_of::<T>()
    }

    fn check_length(&self, found: usize) -> Result<()> {
        let wanted = self.length();
        if wanted == found {
            Ok(())
        } else {
            Err(Error::LengthMismatch { wanted, found })
        }
    }
}

impl<T: Element, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array")
            .field("element", &std::any::type_name::<T>())
            .field("extent", &components(&self.extent))
            .field("accelerator_view", &self.view)
            .finish()
    }
}
