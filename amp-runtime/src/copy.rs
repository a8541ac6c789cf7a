//! Copies between slices, arrays and views, wherever they are (C++ AMP §5.3).

use crate::array::Array;
use crate::element::Element;
use crate::error::{Error, Result, times};
use crate::residency::{self, Home, Ranges};
use crate::view::{ArrayView, ArrayViewMut, Window};

mod sealed {
    pub trait Sealed {}
}

/// What [`copy`] copies from: slices, [`Vec`]s and Rust's arrays; [`Array`]s; views.
pub trait CopySource: sealed::Sealed {
    /// Its elements.
    type Element: Element;

    #[doc(hidden)]
    fn source(&self) -> End<'_>;
}

/// What [`copy`] copies to: slices, [`Vec`]s, which keep their length, and Rust's arrays;
/// [`Array`]s; views that can be written.
pub trait CopyDestination: sealed::Sealed {
    /// Its elements.
    type Element: Element;

    #[doc(hidden)]
    fn receive(&mut self, source: End<'_>) -> Result<()>;
}

/// One end of a copy.
#[derive(Clone, Copy)]
pub struct End<'e> {
    place: Place<'e>,
    extent: Shape<'e>,
}

/// Where the bytes of an end are.
#[derive(Clone, Copy)]
enum Place<'e> {
    Slice(&'e [u8]),
    Part(&'e Home<'e>, &'e Ranges),
}

/// How many elements an end has.
#[derive(Clone, Copy)]
enum Shape<'e> {
    Length(usize),
    Extent(&'e [usize]),
}

impl Shape<'_> {
    fn elements(&self) -> usize {
        match self {
            Shape::Length(length) => *length,
            Shape::Extent(extent) => extent.iter().product(),
        }
    }

    /// Refuses ends that do not fit: two extents must be equal, and a slice as long as the
    /// other end.
    fn check(source: Self, destination: Self) -> Result<()> {
        let (wanted, found) = match (source, destination) {
            (Shape::Extent(from), Shape::Extent(to)) if from == to => return Ok(()),
            (Shape::Extent(from), Shape::Extent(to)) => {
                return Err(Error::ExtentMismatch {
                    source_extent: times(from),
                    destination: times(to),
                });
            }
            (Shape::Extent(_), Shape::Length(found)) => (source.elements(), found),
            (Shape::Length(found), _) => (destination.elements(), found),
        };
        match wanted == found {
            true => Ok(()),
            false => Err(Error::LengthMismatch { wanted, found }),
        }
    }
}

/// Copies all elements of `source` to `destination`, in row-major order.
///
/// Slices, arrays and views may stand on either side, sections among them, on whatever
/// accelerator. A copy between memory of one device does not leave it; it is queued as a
/// launch is, and whatever looks at the destination sees it complete. A copy to a slice is
/// complete when this returns, and waits for the kernels that write the source.
///
/// ```
/// use amp_runtime::{Accelerator, Array, ArrayView, copy};
///
/// let view = Accelerator::cpu().default_view()?;
/// let data: Vec<i32> = (0..12).collect();
/// let table = ArrayView::new([3, 4], &data)?;
/// let mut corner: Array<i32, 2> = Array::builder([2, 2]).on(&view).build()?;
/// copy(&table.section([1, 2], [2, 2])?, &mut corner)?;
/// let mut out = [0; 4];
/// copy(&corner, &mut out)?;
/// assert_eq!(out, [6, 7, 10, 11]);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::ExtentMismatch`] if both ends have an extent and they differ,
/// [`Error::LengthMismatch`] if one is a slice and not as long as the other end;
/// [`Error::KernelFault`] if a kernel that wrote the source has faulted, nothing has
/// reported that yet, and the destination is on the host; [`Error::OutOfMemory`];
/// [`Error::AcceleratorViewRemoved`].
pub fn copy<S, D>(source: &S, destination: &mut D) -> Result<()>
where
    S: CopySource + ?Sized,
    D: CopyDestination<Element = S::Element> + ?Sized,
{
    destination.receive(source.source())
}

fn of_slice<T: Element>(slice: &[T]) -> End<'_> {
    End {
        place: Place::Slice(bytemuck::cast_slice(slice)),
        extent: Shape::Length(slice.len()),
    }
}

fn of_window<'e, const N: usize>(window: &'e Window<'_, N>) -> End<'e> {
    End {
        place: Place::Part(window.home(), window.bytes()),
        extent: Shape::Extent(window.layout().extent()),
    }
}

fn to_slice<T: Element>(source: End<'_>, slice: &mut [T]) -> Result<()> {
    Shape::check(source.extent, Shape::Length(slice.len()))?;
    let out = bytemuck::cast_slice_mut(slice);
    match source.place {
        Place::Slice(bytes) => {
            out.copy_from_slice(bytes);
            Ok(())
        }
        Place::Part(home, bytes) => {
            home.read(bytes, out)?;
            home.take_fault()
        }
    }
}

fn to_window<const N: usize>(source: End<'_>, window: &Window<'_, N>) -> Result<()> {
    Shape::check(source.extent, Shape::Extent(window.layout().extent()))?;
    let (home, bytes) = (window.home(), window.bytes());
    match source.place {
        Place::Slice(data) => home.write(bytes, data),
        Place::Part(from, from_bytes) => residency::copy((from, from_bytes), (home, bytes)),
    }
}

macro_rules! slices {
    ($([$($length:tt)*] $type:ty;)*) => {$(
        impl<T: Element, $($length)*> sealed::Sealed for $type {}

        impl<T: Element, $($length)*> CopySource for $type {
            type Element = T;

            fn source(&self) -> End<'_> {
                of_slice(self)
            }
        }

        impl<T: Element, $($length)*> CopyDestination for $type {
            type Element = T;

            fn receive(&mut self, source: End<'_>) -> Result<()> {
                to_slice(source, self)
            }
        }
    )*};
}

slices! {
    [] [T];
    [] Vec<T>;
    [const L: usize] [T; L];
}

macro_rules! windows {
    ($([$($lifetime:tt)?] $type:ty;)*) => {$(
        impl<$($lifetime,)? T: Element, const N: usize> sealed::Sealed for $type {}

        impl<$($lifetime,)? T: Element, const N: usize> CopySource for $type {
            type Element = T;

            fn source(&self) -> End<'_> {
                of_window(&self.window)
            }
        }
    )*};
}

windows! {
    [] Array<T, N>;
    ['a] ArrayView<'a, T, N>;
    ['a] ArrayViewMut<'a, T, N>;
}

impl<T: Element, const N: usize> CopyDestination for Array<T, N> {
    type Element = T;

    fn receive(&mut self, source: End<'_>) -> Result<()> {
        to_window(source, &self.window)
    }
}

impl<T: Element, const N: usize> CopyDestination for ArrayViewMut<'_, T, N> {
    type Element = T;

    fn receive(&mut self, source: End<'_>) -> Result<()> {
        to_window(source, &self.window)
    }
}
