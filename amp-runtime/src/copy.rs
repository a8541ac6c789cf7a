//! Copies between slices, arrays and views, wherever they are (C++ AMP §5.3).

use crate::completion::CompletionFuture;
use crate::device::vulkan::Readback;
use crate::residency::{self, Allocation, Pace, Underway, Writers, land_in};
use crate::types::element::Element;
use crate::types::error::{Error, Result, times};
use crate::types::ranges::Ranges;
use crate::view::{ArrayPartMut, ArrayView, ArrayViewMut, Window};

pub(crate) mod sealed {
    pub trait Sealed {}
}

/// What [`copy`] copies from: slices, [`Vec`]s and Rust's arrays; [`Array`](crate::Array)s; views
/// (C++ AMP §5.3). No other type can be one.
///
/// A function can take any of them:
///
/// ```
/// use amp_runtime::{Array, ArrayView, CopySource, copy};
///
/// fn largest<S: CopySource<Element = u32>>(source: &S, room: &mut [u32]) -> amp_runtime::Result<u32> {
///     copy(source, room)?;
///     Ok(room.iter().copied().max().unwrap_or_default())
/// }
///
/// let mut room = [0; 3];
/// assert_eq!(largest(&vec![1, 9, 2], &mut room)?, 9);
/// assert_eq!(largest(&Array::new(3, &[4, 3, 1])?, &mut room)?, 4);
/// assert_eq!(largest(&ArrayView::new([1, 3], &[5, 6, 5])?, &mut room)?, 6);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
pub trait CopySource: sealed::Sealed {
    /// Its elements.
    type Element: Element;

    /// Its rank: [`AnyRank`] for slices, else [`Rank<N>`](Rank).
    type Rank: FitsRank<AnyRank>;

    #[doc(hidden)]
    fn source(&self) -> End<'_>;
}

/// What [`copy`] copies to: slices, [`Vec`]s, which keep their length, and Rust's arrays;
/// [`Array`](crate::Array)s; views that can be written (C++ AMP §5.3). No other type can be one.
///
/// A function can take any of them:
///
/// ```
/// use amp_runtime::{Array, ArrayViewMut, CopyDestination, copy};
///
/// fn count<D: CopyDestination<Element = u32>>(destination: &mut D) -> amp_runtime::Result<()> {
///     copy(&[1, 2, 3], destination)
/// }
///
/// let (mut slice, mut elements) = ([0; 3], [0; 3]);
/// let mut array = Array::zeroed(3)?;
/// count(&mut slice)?;
/// count(&mut array)?;
/// count(&mut ArrayViewMut::new(3, &mut elements)?)?;
/// assert_eq!((slice, elements), ([1, 2, 3], [1, 2, 3]));
/// assert_eq!(array.to_vec()?, [1, 2, 3]);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
pub trait CopyDestination: sealed::Sealed {
    /// Its elements.
    type Element: Element;

    /// Its rank: [`AnyRank`] for slices, else [`Rank<N>`](Rank).
    type Rank;

    /// What [`copy_async`] returns: a [`CompletionFuture`] that borrows a slice or view, for
    /// bytes that are still to come to the host, and none that borrows an
    /// [`Array`](crate::Array), whose elements only commands on its accelerator view touch.
    type Future<'d>
    where
        Self: 'd;

    #[doc(hidden)]
    fn receive(&mut self, source: End<'_>) -> Result<()>;

    #[doc(hidden)]
    fn receive_async<'d>(&'d mut self, source: End<'_>) -> Self::Future<'d>;
}

/// The rank of a slice, a [`Vec`] or one of Rust's arrays as an end of a [`copy`]: it is whatever
/// the rank of the other end is.
#[derive(Debug)]
pub enum AnyRank {}

/// The rank of an [`Array`](crate::Array) or view of `N` dimensions as an end of a [`copy`].
#[derive(Debug)]
pub enum Rank<const N: usize> {}

/// That elements can be copied from a source of this rank to a destination of rank `R`: both
/// ranks are the same, or one end is a slice (C++ AMP §5.3, where both ends of `copy` have the
/// one rank `N`).
///
/// Only functions that take both ends of a [`copy`] as generic parameters name it:
///
/// ```
/// use amp_runtime::{Array, CopyDestination, CopySource, FitsRank, Result, copy};
///
/// fn copy_twice<S, D>(source: &S, one: &mut D, other: &mut D) -> Result<()>
/// where
///     S: CopySource<Rank: FitsRank<D::Rank>>,
///     D: CopyDestination<Element = S::Element>,
/// {
///     copy(source, one)?;
///     copy(source, other)
/// }
///
/// let (mut a, mut b) = (Array::zeroed([2, 2])?, Array::zeroed([2, 2])?);
/// copy_twice(&[1, 2, 3, 4], &mut a, &mut b)?;
/// assert_eq!(b.to_vec()?, [1, 2, 3, 4]);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a copy needs ends of one rank, but the source is of `{Self}` and the destination \
               of `{R}`",
    label = "copies between two ranks",
    note = "use `view_as` of one end, or a `row` of the one with more dimensions; slices copy to \
            and from any rank"
)]
pub trait FitsRank<R>: sealed::Sealed {}

impl sealed::Sealed for AnyRank {}
impl<const N: usize> sealed::Sealed for Rank<N> {}

impl<R> FitsRank<R> for AnyRank {}
impl<const N: usize> FitsRank<AnyRank> for Rank<N> {}
impl<const N: usize> FitsRank<Self> for Rank<N> {}

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
    Part(&'e Allocation<'e>, &'e Ranges),
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
/// Each side is a slice, an array, a view or a section, on any accelerator. Arrays and views have
/// the same rank and extent; the length of a slice is the number of elements of the other side. A
/// copy within the memory of one device does not leave it; it is queued like a launch, and every
/// access to the destination waits for it. A copy to a slice is complete when this returns, and
/// waits for the kernels that write the source.
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
/// Ends of two ranks do not compile:
///
/// ```compile_fail
/// # use amp_runtime::{Array, copy};
/// let flat = Array::new(4, &[1, 2, 3, 4])?;
/// let mut square = Array::zeroed([2, 2])?;
/// copy(&flat, &mut square)?; // `copy(&flat.view_as([2, 2])?, &mut square)?` does
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
    S: CopySource<Rank: FitsRank<D::Rank>> + ?Sized,
    D: CopyDestination<Element = S::Element> + ?Sized,
{
    destination.receive(source.source())
}

/// Starts to copy all elements of `source` to `destination`, as [`copy`] does, and returns
/// a [`CompletionFuture`] of the result.
///
/// The copy contains the values of the source at the time of the call, including the results of
/// kernels launched so far; the source may be dropped. A slice has been read when this returns.
/// Bytes for the host are transferred in the background, and written to the destination when
/// the future is waited for or polled. A copy to an [`Array`](crate::Array) is ordered with the
/// commands of its accelerator view: the array may be used at once, and later launches see the copy.
///
/// The call waits for a device only if the destination is an array of the CPU accelerator or of
/// another device, or if the staging memory is exhausted.
///
/// ```
/// use amp_runtime::{Accelerator, Array, copy_async};
///
/// let view = Accelerator::cpu().default_view()?;
/// let source: Array<i32, 1> = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
/// let (mut first, mut second) = ([0; 3], [0; 3]);
/// let one = copy_async(&source, &mut first);
/// let two = copy_async(&source, &mut second);
/// one.wait()?;
/// two.wait()?;
/// assert_eq!(first, second);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
///
/// # Errors
///
/// The future's result is what [`copy`] would return, and a fault of a kernel that wrote
/// the source wherever the destination is.
pub fn copy_async<'d, S, D>(source: &S, destination: &'d mut D) -> D::Future<'d>
where
    S: CopySource<Rank: FitsRank<D::Rank>> + ?Sized,
    D: CopyDestination<Element = S::Element> + ?Sized,
{
    destination.receive_async(source.source())
}

fn of_slice<T: Element>(slice: &[T]) -> End<'_> {
    End {
        place: Place::Slice(bytemuck::cast_slice(slice)),
        extent: Shape::Length(slice.len()),
    }
}

pub(crate) fn of_window<'e, const N: usize>(window: &'e Window<'_, N>) -> End<'e> {
    End {
        place: Place::Part(window.allocation(), window.bytes()),
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
        Place::Part(allocation, bytes) => {
            allocation.read(bytes, out)?;
            allocation.take_fault()
        }
    }
}

fn to_slice_later<'d, T: Element>(
    source: End<'_>,
    slice: &'d mut [T],
) -> Result<CompletionFuture<'d>> {
    let Place::Part(allocation, bytes) = source.place else {
        to_slice(source, slice)?;
        return Ok(CompletionFuture::done(Ok(())));
    };
    Shape::check(source.extent, Shape::Length(slice.len()))?;
    let out: &mut [u8] = bytemuck::cast_slice_mut(slice);
    let readbacks = allocation.send_to(bytes, out)?;
    let writers = allocation.writers();
    let milestones = readbacks.iter().flat_map(Readback::milestones).cloned();
    Ok(CompletionFuture::after(milestones.collect(), move || {
        land_in(readbacks, out)?;
        writers.report()
    }))
}

/// Starts a copy. Returns the writers whose faults it has to tell, too.
fn begin<const N: usize>(
    source: End<'_>,
    window: &Window<'_, N>,
    pace: Pace,
) -> Result<(Underway, Writers)> {
    Shape::check(source.extent, Shape::Extent(window.layout().extent()))?;
    let (allocation, bytes) = (window.allocation(), window.bytes());
    Ok(match source.place {
        Place::Slice(data) => (allocation.write_at(bytes, data, pace)?, Writers::default()),
        Place::Part(from, from_bytes) => {
            let underway = residency::copy((from, from_bytes), (allocation, bytes), pace)?;
            (underway, from.writers())
        }
    })
}

pub(crate) fn to_window<const N: usize>(source: End<'_>, window: &Window<'_, N>) -> Result<()> {
    let (underway, _) = begin(source, window, Pace::Now)?;
    match source.place {
        Place::Part(allocation, _) if underway.has_arrived() => allocation.take_fault(),
        _ => Ok(()),
    }
}

fn to_view_later<'d, const N: usize>(
    source: End<'_>,
    window: &'d Window<'_, N>,
) -> Result<CompletionFuture<'d>> {
    let (underway, writers) = begin(source, window, Pace::Later)?;
    let milestones = underway.milestones()?;
    Ok(CompletionFuture::after(milestones, move || {
        land(window, underway)?;
        writers.report()
    }))
}

pub(crate) fn to_array_later<const N: usize>(
    source: End<'_>,
    window: &Window<'_, N>,
) -> Result<CompletionFuture<'static>> {
    let (underway, writers) = begin(source, window, Pace::Later)?;
    let milestones = underway.milestones()?;
    // On the CPU accelerator everything is complete when its call returns.
    land(window, underway)?;
    Ok(CompletionFuture::after(milestones, move || {
        writers.report()
    }))
}

/// Brings what has been sent for to where it belongs.
fn land<const N: usize>(window: &Window<'_, N>, underway: Underway) -> Result<()> {
    match underway.readbacks.is_empty() {
        true => Ok(()),
        false => window.allocation().land_copy(underway.readbacks),
    }
}

pub(crate) fn or_failed(future: Result<CompletionFuture<'_>>) -> CompletionFuture<'_> {
    future.unwrap_or_else(|error| CompletionFuture::done(Err(error)))
}

macro_rules! slices {
    ($([$($length:tt)*] $type:ty;)*) => {$(
        impl<T: Element, $($length)*> sealed::Sealed for $type {}

        impl<T: Element, $($length)*> CopySource for $type {
            type Element = T;
            type Rank = AnyRank;

            fn source(&self) -> End<'_> {
                of_slice(self)
            }
        }

        impl<T: Element, $($length)*> CopyDestination for $type {
            type Element = T;
            type Rank = AnyRank;

            type Future<'d>
                = CompletionFuture<'d>
            where
                Self: 'd;

            fn receive(&mut self, source: End<'_>) -> Result<()> {
                to_slice(source, self)
            }

            fn receive_async<'d>(&'d mut self, source: End<'_>) -> CompletionFuture<'d> {
                or_failed(to_slice_later(source, self))
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
    ($($type:ident)*) => {$(
        impl<T: Element, const N: usize> sealed::Sealed for $type<'_, T, N> {}

        impl<T: Element, const N: usize> CopySource for $type<'_, T, N> {
            type Element = T;
            type Rank = Rank<N>;

            fn source(&self) -> End<'_> {
                of_window(self.window())
            }
        }
    )*};
}

windows!(ArrayView ArrayViewMut ArrayPartMut);

macro_rules! writable_windows {
    ($($type:ident)*) => {$(
impl<T: Element, const N: usize> CopyDestination for $type<'_, T, N> {
    type Element = T;
    type Rank = Rank<N>;

    type Future<'d>
        = CompletionFuture<'d>
    where
        Self: 'd;

    fn receive(&mut self, source: End<'_>) -> Result<()> {
        to_window(source, self.window())
    }

    fn receive_async<'d>(&'d mut self, source: End<'_>) -> CompletionFuture<'d> {
        or_failed(to_view_later(source, self.window()))
    }
}
    )*};
}

writable_windows!(ArrayViewMut ArrayPartMut);
