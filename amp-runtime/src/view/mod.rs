//! Views: host slices (or arrays) as kernels and the host both see them.
//!
//! A view copies nothing when it is made. Kernels on any accelerator and host indexing
//! see one body of data; what is stale where it is needed is copied then, and nothing
//! else. A view over a slice borrows it, so the slice cannot be touched behind its back.
//! Parts of views ([`derived`]) see the same data. One that can be written is an [`ArrayPartMut`]
//! while its view is borrowed; only [`ArrayViewMut`] writes back when it is dropped.

mod derived;
mod from;
mod index;
mod iter;
mod later;
mod part;
mod window;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bytemuck::TransparentWrapper;

use crate::device::cpu::memory::HostMemory;
use crate::device::unreported;
use crate::residency::{Allocation, Source};
use crate::types::element::Element;
use crate::types::error::Result;
use crate::types::index::Extent;
use crate::types::part::{Part, check_source, size_of_extent};
use crate::{Accelerator, AcceleratorView};

#[doc(hidden)]
pub use derived::{rows_as, rows_as_mut};
pub use iter::{Iter, IterMut};
pub use part::ArrayPartMut;
pub(crate) use window::Window;

/// A read-only view of `N` dimensions (`array_view<const T, N>` in C++ AMP).
///
/// ```
/// use amp_runtime::ArrayView;
///
/// let data = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let view = ArrayView::new([2, 3], &data)?;
/// assert_eq!(view[[1, 0]], 4.0);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
pub struct ArrayView<'a, T: Element, const N: usize> {
    window: Window<'a, N>,
    elements: PhantomData<&'a [T]>,
}

/// A view of `N` dimensions that kernels and the host can write (`array_view<T, N>`).
///
/// Dropping it brings pending writes back to the slice. An error then, or a fault of a kernel
/// that wrote the elements, can only be printed
/// ([`set_unreported_hook`](crate::set_unreported_hook)), so programs that want to handle it call
/// [`synchronize`](Self::synchronize) first. A part that borrows it is an [`ArrayPartMut`].
///
/// ```
/// use amp_runtime::ArrayViewMut;
///
/// let mut data = [0i32; 6];
/// let mut view = ArrayViewMut::new([2, 3], &mut data)?;
/// view[[1, 2]] = 7;
/// view.synchronize()?;
/// drop(view);
/// assert_eq!(data[5], 7);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
#[derive(TransparentWrapper)]
#[transparent(ArrayPartMut<'a, T, N>)]
#[repr(transparent)]
pub struct ArrayViewMut<'a, T: Element, const N: usize>(ArrayPartMut<'a, T, N>);

/// What the last of the views over a source writes back when it is dropped.
struct WriteBack<'a>(Arc<Allocation<'a>>);

impl<T: Element, const N: usize> Drop for ArrayViewMut<'_, T, N> {
    fn drop(&mut self) {
        let Some(WriteBack(allocation)) = self.0.write_back.take().and_then(Arc::into_inner) else {
            return;
        };
        let is_known = allocation.has_failed();
        // Faults are shown when the data goes.
        if let Err(error) = allocation.to_source(allocation.whole())
            && !is_known
        {
            unreported::show(&error);
        }
    }
}

macro_rules! common {
    ($view:ident) => {
        impl<'a, T: Element, const N: usize> $view<'a, T, N> {
            /// The extent.
            pub fn extent(&self) -> Extent<N> {
                Extent::new(*self.window().layout().extent())
            }

            /// The accelerator view that the data belongs to: the one of the array
            /// behind it, else the CPU accelerator's default view.
            pub fn source_accelerator_view(&self) -> AcceleratorView {
                match self.window().allocation().source() {
                    Source::Array(view) => view.clone(),
                    Source::Host | Source::Nowhere => Accelerator::cpu_view(),
                }
            }

            /// The elements in row-major order, brought to the host if they are stale there.
            ///
            /// # Errors
            ///
            /// [`Error::NotContiguous`](crate::Error::NotContiguous) if they do not lie one
            /// after the other, as those of a section need not; or if the device that has
            /// the data is lost.
            pub fn data(&self) -> Result<&[T]> {
                self.window().slice()
            }

            /// The elements in row-major order, copied from wherever they are current.
            ///
            /// # Errors
            ///
            /// If the device that has the data is lost, or a kernel that wrote it has
            /// faulted.
            pub fn to_vec(&self) -> Result<Vec<T>> {
                self.window().to_vec()
            }

            /// Brings the elements to an accelerator view, where the next kernel that uses
            /// them then finds them.
            ///
            /// # Errors
            ///
            /// If the accelerator has no memory left, or a device is lost.
            pub fn synchronize_to(&self, view: &AcceleratorView) -> Result<()> {
                self.window()
                    .allocation()
                    .bring_to(view, self.window().bytes())
            }
        }

        impl<T: Element, const N: usize> fmt::Debug for $view<'_, T, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($view))
                    .field("element", &std::any::type_name::<T>())
                    .field("extent", self.window().layout().extent())
                    .finish_non_exhaustive()
            }
        }
    };
}

common!(ArrayView);
common!(ArrayViewMut);

impl<'a, T: Element, const N: usize> ArrayView<'a, T, N> {
    pub(crate) fn window(&self) -> &Window<'a, N> {
        &self.window
    }

    /// Declares that the slice was modified by other means than views, like
    /// [`ArrayViewMut::refresh`]. The elements of an array that lives on a device do not change,
    /// because the host may be reading them.
    pub fn refresh(&self) {
        self.window()
            .allocation()
            .refresh(self.window().bytes(), false);
    }

    /// A view over the first elements of a slice, in row-major order.
    ///
    /// # Errors
    ///
    /// If the extent is empty or too large, or the slice too short.
    pub fn new(extent: impl Into<Extent<N>>, source: &'a [T]) -> Result<Self> {
        let extent = extent.into();
        check_source(extent.as_ref(), size_of::<T>(), source.len())?;
        let memory = HostMemory::shared(&source[..extent.size()]);
        Ok(Self::whole(Arc::new(Allocation::of_slice(memory)), extent))
    }

    /// The first elements of an allocation.
    pub(crate) fn whole(allocation: Arc<Allocation<'a>>, extent: Extent<N>) -> Self {
        Self::over(Window::new(allocation, Part::whole(extent, size_of::<T>())))
    }

    pub(crate) fn over(window: Window<'a, N>) -> Self {
        Self {
            window,
            elements: PhantomData,
        }
    }
}

impl<T: Element, const N: usize> Clone for ArrayView<'_, T, N> {
    fn clone(&self) -> Self {
        Self::over(self.window().part(*self.window().layout()))
    }
}

impl<'a, T: Element, const N: usize> ArrayViewMut<'a, T, N> {
    /// A view over the first elements of a slice, in row-major order.
    ///
    /// # Errors
    ///
    /// If the extent is empty or too large, or the slice too short.
    pub fn new(extent: impl Into<Extent<N>>, source: &'a mut [T]) -> Result<Self> {
        let extent = extent.into();
        check_source(extent.as_ref(), size_of::<T>(), source.len())?;
        let memory = HostMemory::exclusive(&mut source[..extent.size()]);
        Ok(Self::whole(Arc::new(Allocation::of_slice(memory)), extent))
    }

    /// A view without a data source: memory for results that kernels pass to each other
    /// or to the host. What has not been written reads as zero. (In C++ AMP it is undefined.)
    ///
    /// An accelerator fills its memory for the view with zeroes when the view is first used
    /// there, which takes it the time of writing the elements once.
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let view = ArrayViewMut::<f32, 2>::uninit([2, 3])?;
    /// assert_eq!(view.to_vec()?, [0.0; 6]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the extent is empty or too large.
    pub fn uninit(extent: impl Into<Extent<N>>) -> Result<Self> {
        let extent = extent.into();
        let elements = size_of_extent(extent.as_ref(), size_of::<T>())?;
        let allocation = Allocation::nowhere(elements * size_of::<T>(), align_of::<T>());
        Ok(Self::whole(Arc::new(allocation), extent))
    }

    /// The first elements of an allocation, to be brought back when the view is dropped.
    pub(crate) fn whole(allocation: Arc<Allocation<'a>>, extent: Extent<N>) -> Self {
        let write_back = Arc::new(WriteBack(Arc::clone(&allocation)));
        let window = Window::new(allocation, Part::whole(extent, size_of::<T>()));
        Self(ArrayPartMut::new(window, Some(write_back)))
    }

    pub(crate) fn window(&self) -> &Window<'a, N> {
        &self.0.window
    }

    pub(crate) fn window_mut(&mut self) -> &mut Window<'a, N> {
        &mut self.0.window
    }

    /// Declares that the source (the slice, or the array in its memory) was modified by other
    /// means than views, such as by another program that shares the memory. Elements that are
    /// current in the source are read again at their next use. Writes that have not come back to
    /// the source yet remain, except those that were lost with an accelerator view
    /// ([`Error::AcceleratorViewRemoved`](crate::Error::AcceleratorViewRemoved)), which are
    /// discarded. (C++ AMP §5.2.3.)
    pub fn refresh(&mut self) {
        self.window()
            .allocation()
            .refresh(self.window().bytes(), true);
    }

    /// Declares that the present elements will not be read: the next kernel that writes them
    /// does so without a previous copy to its accelerator, and earlier results of kernels do not
    /// come back to the source. Elements that are read all the same are zero or what they were
    /// before, never those of other data; checked mode reports a kernel that reads them.
    pub fn discard_data(&mut self) {
        self.window().allocation().discard(self.window().bytes());
    }

    /// Brings the elements that kernels wrote back to the slice (or array) behind the view.
    ///
    /// # Errors
    ///
    /// [`Error::KernelFault`](crate::Error::KernelFault) if a kernel on an accelerator view
    /// that wrote this data faulted and nothing has reported that yet; the data is brought
    /// back all the same.
    /// [`Error::AcceleratorViewRemoved`](crate::Error::AcceleratorViewRemoved) if the device
    /// is lost.
    pub fn synchronize(&self) -> Result<()> {
        let allocation = self.window().allocation();
        allocation.to_source(self.window().bytes())?;
        allocation.wait()?;
        allocation.take_fault()
    }

    /// The elements in row-major order, brought to the host if they are stale there;
    /// copies on accelerators become stale.
    ///
    /// # Errors
    ///
    /// As [`data`](Self::data).
    pub fn data_mut(&mut self) -> Result<&mut [T]> {
        self.window_mut().slice_mut()
    }
}
