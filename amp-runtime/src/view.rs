//! Views: host slices (or arrays) as kernels and the host both see them.
//!
//! A view copies nothing when it is made. Kernels on any accelerator and host indexing
//! see one body of data; what is stale where it is needed is copied then, and nothing
//! else. A view over a slice borrows it, so the slice cannot be touched behind its back.

use std::fmt;
use std::marker::PhantomData;
use std::ops;
use std::sync::Arc;

use crate::cpu::memory::HostMemory;
use crate::element::Element;
use crate::error::{Error, Result, times};
use crate::index::{Extent, Index};
use crate::residency::{Home, Source};
use crate::{Accelerator, AcceleratorView};

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
    pub(crate) home: Arc<Home<'a>>,
    pub(crate) extent: Extent<N>,
    elements: PhantomData<&'a [T]>,
}

/// A view of `N` dimensions that kernels and the host can write (`array_view<T, N>`).
///
/// Dropping it brings pending writes back to the slice; an error then is lost, so
/// programs that want to see it call [`synchronize`](Self::synchronize) first.
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
pub struct ArrayViewMut<'a, T: Element, const N: usize> {
    pub(crate) home: Arc<Home<'a>>,
    pub(crate) extent: Extent<N>,
    elements: PhantomData<&'a mut [T]>,
}

/// The components of an extent.
pub(crate) fn components<const N: usize>(extent: &Extent<N>) -> [usize; N] {
    std::array::from_fn(|k| extent[k])
}

/// The number of elements of an extent, which must not be empty and whose bytes must
/// fit the address space.
pub(crate) fn size_of_extent<T>(extent: &[usize]) -> Result<usize> {
    if extent.is_empty() || extent.contains(&0) {
        return Err(Error::InvalidExtent(format!(
            "{} has a component of 0; every component must be at least 1",
            times(extent)
        )));
    }
    let size = extent
        .iter()
        .try_fold(1usize, |size, &component| size.checked_mul(component));
    match size {
        Some(size)
            if size
                .checked_mul(size_of::<T>())
                .is_some_and(|b| b <= isize::MAX as usize) =>
        {
            Ok(size)
        }
        _ => Err(Error::InvalidExtent(format!(
            "{} elements of {} bytes do not fit the address space; use a smaller extent",
            times(extent),
            size_of::<T>()
        ))),
    }
}

/// Checks a slice against the extent over it; the number of elements of the extent.
pub(crate) fn check_source<T>(extent: &[usize], found: usize) -> Result<usize> {
    let elements = size_of_extent::<T>(extent)?;
    if found < elements {
        return Err(Error::SourceTooShort {
            extent: times(extent),
            elements,
            found,
        });
    }
    Ok(elements)
}

/// Position of an index in row-major order.
///
/// # Panics
///
/// If the index is out of bounds, as indexing a slice does.
#[inline]
#[track_caller]
fn position<const N: usize>(extent: &Extent<N>, index: [usize; N]) -> usize {
    let mut position = 0;
    for k in 0..N {
        assert!(
            index[k] < extent[k],
            "index out of bounds: the extent is {} but the index is {}",
            extent[k],
            index[k]
        );
        position = position * extent[k] + index[k];
    }
    position
}

/// What host indexing does with an error that it cannot return.
#[cold]
#[track_caller]
fn lost(error: &Error) -> ! {
    panic!(
        "the data of a view could not be brought to the host: {error}; \
         call synchronize() before indexing to receive this as an error"
    )
}

macro_rules! common {
    ($view:ident) => {
        impl<'a, T: Element, const N: usize> $view<'a, T, N> {
            /// The extent.
            pub fn extent(&self) -> Extent<N> {
                self.extent
            }

            /// The accelerator view that the data belongs to: the one of the array
            /// behind it, else the CPU accelerator's default view.
            pub fn source_accelerator_view(&self) -> AcceleratorView {
                match self.home.source() {
                    Source::Array(view) => view.clone(),
                    Source::Host | Source::Nowhere => Accelerator::cpu_view(),
                }
            }

            /// The elements in row-major order, brought to the host if they are stale there.
            ///
            /// # Errors
            ///
            /// If the device that has the data is lost.
            pub fn data(&self) -> Result<&[T]> {
                Ok(self.home.to_host()?.elements())
            }

            /// The elements in row-major order, copied from wherever they are current.
            ///
            /// # Errors
            ///
            /// If the device that has the data is lost, or a kernel that wrote it has
            /// faulted.
            pub fn to_vec(&self) -> Result<Vec<T>> {
                let mut out = vec![T::zeroed(); self.home.bytes() / size_of::<T>()];
                self.home.read_all(bytemuck::cast_slice_mut(&mut out))?;
                self.home.take_fault()?;
                Ok(out)
            }

            #[inline]
            #[track_caller]
            fn host(&self) -> &[T] {
                match self.home.current() {
                    Some(memory) => memory.elements(),
                    None => self.host_slow(),
                }
            }

            #[cold]
            #[track_caller]
            fn host_slow(&self) -> &[T] {
                match self.home.to_host() {
                    Ok(memory) => memory.elements(),
                    Err(error) => lost(&error),
                }
            }

            pub(crate) fn over(home: Arc<Home<'a>>, extent: Extent<N>) -> Self {
                Self {
                    home,
                    extent,
                    elements: PhantomData,
                }
            }
        }

        impl<T: Element, const N: usize> ops::Index<[usize; N]> for $view<'_, T, N> {
            type Output = T;

            /// The element at an index, brought to the host if it is stale there.
            ///
            /// # Panics
            ///
            /// If the index is out of bounds, as indexing a slice does; or if the data
            /// has to come from a device that is lost.
            #[inline]
            #[track_caller]
            fn index(&self, index: [usize; N]) -> &T {
                let position = position(&self.extent, index);
                &self.host()[position]
            }
        }

        impl<T: Element, const N: usize> ops::Index<Index<N>> for $view<'_, T, N> {
            type Output = T;

            #[inline]
            #[track_caller]
            fn index(&self, index: Index<N>) -> &T {
                &self[std::array::from_fn::<usize, N, _>(|k| index[k])]
            }
        }

        impl<T: Element> ops::Index<usize> for $view<'_, T, 1> {
            type Output = T;

            #[inline]
            #[track_caller]
            fn index(&self, index: usize) -> &T {
                &self[[index]]
            }
        }

        impl<T: Element, const N: usize> fmt::Debug for $view<'_, T, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($view))
                    .field("element", &std::any::type_name::<T>())
                    .field("extent", &components(&self.extent))
                    .finish_non_exhaustive()
            }
        }
    };
}

common!(ArrayView);
common!(ArrayViewMut);

impl<'a, T: Element, const N: usize> ArrayView<'a, T, N> {
    /// A view over the first elements of a slice, in row-major order.
    ///
    /// # Errors
    ///
    /// If the extent is empty or too large, or the slice too short.
    pub fn new(extent: impl Into<Extent<N>>, source: &'a [T]) -> Result<Self> {
        let extent = extent.into();
        let elements = check_source::<T>(&components(&extent), source.len())?;
        let memory = HostMemory::shared(&source[..elements]);
        Ok(Self::over(
            Arc::new(Home::of_slice(memory, align_of::<T>())),
            extent,
        ))
    }
}

impl<T: Element, const N: usize> Clone for ArrayView<'_, T, N> {
    fn clone(&self) -> Self {
        Self::over(Arc::clone(&self.home), self.extent)
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
        let elements = check_source::<T>(&components(&extent), source.len())?;
        let memory = HostMemory::exclusive(&mut source[..elements]);
        Ok(Self::over(
            Arc::new(Home::of_slice(memory, align_of::<T>())),
            extent,
        ))
    }

    /// A view without a data source: memory for results that kernels pass to each other
    /// or to the host. Its contents are undefined until something is written.
    ///
    /// # Errors
    ///
    /// If the extent is empty or too large.
    pub fn uninit(extent: impl Into<Extent<N>>) -> Result<Self> {
        let extent = extent.into();
        let elements = size_of_extent::<T>(&components(&extent))?;
        let home = Home::nowhere(elements * size_of::<T>(), align_of::<T>());
        Ok(Self::over(Arc::new(home), extent))
    }

    /// Says that the present contents will not be read: the next kernel that writes the
    /// view does so without a copy of the data to its accelerator first.
    pub fn discard_data(&mut self) {
        self.home.discard();
    }

    /// Brings what kernels wrote back to the slice (or array) that the view is over.
    ///
    /// # Errors
    ///
    /// [`Error::KernelFault`] if a kernel on the accelerator view that last wrote this
    /// data faulted and nothing has reported that yet; the data is brought back all the
    /// same. [`Error::AcceleratorViewRemoved`] if the device is lost.
    pub fn synchronize(&self) -> Result<()> {
        self.home.to_source()?;
        self.home.wait()?;
        self.home.take_fault()
    }

    /// The elements in row-major order, brought to the host if they are stale there;
    /// copies on accelerators become stale.
    ///
    /// # Errors
    ///
    /// If the device that has the data is lost.
    pub fn data_mut(&mut self) -> Result<&mut [T]> {
        Ok(self.home.to_host_for_writing()?.elements_mut())
    }

    #[inline]
    #[track_caller]
    fn host_mut(&mut self) -> &mut [T] {
        match self.home.only() {
            Some(memory) => memory.elements_mut(),
            None => match self.home.to_host_for_writing() {
                Ok(memory) => memory.elements_mut(),
                Err(error) => lost(&error),
            },
        }
    }
}

impl<T: Element, const N: usize> ops::IndexMut<[usize; N]> for ArrayViewMut<'_, T, N> {
    /// The element at an index, to be written by the host: it is brought to the host if
    /// it is stale there, and copies on accelerators become stale.
    ///
    /// # Panics
    ///
    /// As indexing for reading does.
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        let position = position(&self.extent, index);
        &mut self.host_mut()[position]
    }
}

impl<T: Element, const N: usize> ops::IndexMut<Index<N>> for ArrayViewMut<'_, T, N> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: Index<N>) -> &mut T {
        &mut self[std::array::from_fn::<usize, N, _>(|k| index[k])]
    }
}

impl<T: Element> ops::IndexMut<usize> for ArrayViewMut<'_, T, 1> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self[[index]]
    }
}

impl<T: Element, const N: usize> Drop for ArrayViewMut<'_, T, N> {
    fn drop(&mut self) {
        // A fault stays with the accelerator view, for its next wait.
        if let Err(error) = self.home.to_source() {
            tracing::error!(%error, "a dropped ArrayViewMut could not bring its data back");
        }
    }
}
