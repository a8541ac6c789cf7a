//! Slices of the host version: elements of an array that stand next to each other.
//!
//! A helper's `&[T]` is a [`Slice`], its `&mut [T]` a [`SliceMut`], for the reasons of
//! [`Ref`](super::Ref). Both are used as a [`SharedSlice`], which goes into the place as
//! [`Shared`] does. A range that is not within its slice is a fault, and the slice is empty then.

use std::marker::PhantomData;
use std::ops::{Bound, Deref, DerefMut, Range, RangeBounds};
use std::ptr::NonNull;

use amp_spirv::artifact::FaultKind;
use bytemuck::Zeroable;

use super::super::check::Kind;
use super::super::place::{Elements, Place};
use super::super::report;
use super::super::shared::{Access, Missing, Shared};
use super::super::zero;
use super::{Ref, RefMut};

/// Elements that other threads may use at the same time, or why there are none.
pub struct SharedSlice<'a, T> {
    first: Result<NonNull<T>, Missing>,
    length: usize,
    access: Access,
    memory: PhantomData<&'a T>,
}

impl<T> Clone for SharedSlice<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for SharedSlice<'_, T> {}

impl<'a, T> SharedSlice<'a, T> {
    /// # Safety
    ///
    /// So many elements lie one behind the other from the first on, and may be accessed as `access` says.
    #[inline(always)]
    pub(in super::super) unsafe fn new(first: NonNull<T>, length: usize, access: Access) -> Self {
        Self {
            first: Ok(first),
            length,
            access,
            memory: PhantomData,
        }
    }

    /// Of borrowed elements, unless these are what stands in for a place.
    #[inline(always)]
    fn borrowed(first: NonNull<T>, length: usize) -> Self {
        let is_missing = length > 0 && zero::stands_in(first.as_ptr().cast());
        Self {
            first: match is_missing {
                true => Err(Missing::Reported),
                false => Ok(first),
            },
            length,
            access: Access::PLAIN,
            memory: PhantomData,
        }
    }

    /// How many elements there are.
    #[inline(always)]
    #[expect(
        clippy::len_without_is_empty,
        reason = "kernels call it for `len` alone"
    )]
    pub fn len(self) -> usize {
        self.length
    }

    /// An element.
    #[inline(always)]
    pub fn at(self, index: usize) -> Shared<'a, T> {
        match self.first {
            // SAFETY: the elements of a slice lie one behind the other, and may be accessed as
            // what they are a part of.
            Ok(first) if index < self.length => unsafe {
                Shared::new(first.add(index), self.access)
            },
            Ok(_) => Shared::outside(FaultKind::ArrayOutOfBounds, [index, self.length]),
            Err(why) => Shared::missing(why),
        }
    }

    /// A part of the slice.
    #[inline(always)]
    #[track_caller]
    pub fn part(self, range: impl RangeBounds<usize>) -> Self {
        let range = within(range, self.length);
        Self {
            // SAFETY: the range is within the slice.
            first: self.first.map(|first| unsafe { first.add(range.start) }),
            length: range.len(),
            ..self
        }
    }

    /// The slice, about which a fault is reported here and not where it is used.
    #[inline(always)]
    #[track_caller]
    pub fn named(self) -> Self {
        match self.first {
            Ok(_) => self,
            Err(why) => {
                why.raise();
                Self {
                    first: Err(Missing::Reported),
                    ..self
                }
            }
        }
    }
}

impl<'a, T: Copy + Zeroable> SharedSlice<'a, T> {
    /// The elements as places to read.
    pub fn each(self) -> impl DoubleEndedIterator<Item = Ref<'a, T>> + ExactSizeIterator {
        (0..self.length).map(move |index| Ref::from(self.at(index)))
    }

    /// The elements as places to write.
    pub fn each_mut(self) -> impl DoubleEndedIterator<Item = RefMut<'a, T>> + ExactSizeIterator {
        (0..self.length).map(move |index| RefMut::from(self.at(index)))
    }

    /// What is in the elements, each when it is its turn.
    pub fn values(self) -> impl DoubleEndedIterator<Item = T> + ExactSizeIterator {
        (0..self.length).map(move |index| self.at(index).load())
    }
}

impl<'a, P: Place> Shared<'a, P> {
    /// All elements of an array.
    #[inline(always)]
    fn elements(self) -> SharedSlice<'a, P::Item> {
        const { assert!(P::LENGTH * size_of::<P::Item>() <= size_of::<P>()) };
        SharedSlice {
            first: self.pointer.map(NonNull::cast),
            length: P::LENGTH,
            access: self.access,
            memory: PhantomData,
        }
    }

    /// A part of an array.
    #[inline(always)]
    #[track_caller]
    pub fn part(self, range: impl RangeBounds<usize>) -> SharedSlice<'a, P::Item> {
        self.elements().part(range)
    }
}

impl<'a, T: Copy + Zeroable> SharedSlice<'a, T> {
    /// The elements for a method that reads them.
    #[inline(always)]
    #[track_caller]
    pub fn reading(self) -> InUse<'a, T> {
        self.noted(Kind::Read).in_use(false)
    }

    /// The elements for a method that writes them.
    #[inline(always)]
    #[track_caller]
    pub fn writing(self) -> InUse<'a, T> {
        self.named().noted(Kind::Write).in_use(true)
    }

    fn in_use(self, is_written: bool) -> InUse<'a, T> {
        let of = Self {
            access: self.access.checked(false),
            ..self
        };
        let is_own = of.first.is_ok() && of.access.is_plain();
        InUse {
            of,
            copy: (!is_own).then(|| of.values().collect()),
            is_written,
        }
    }

    /// Notes an access to each element, in checked mode.
    #[inline(always)]
    #[track_caller]
    fn noted(self, kind: Kind) -> Self {
        for index in 0..self.length {
            self.at(index).note(kind);
        }
        self
    }
}

/// A slice while a method uses it: the place itself, or, if other OS threads may use that, a copy,
/// which is put back if it is written.
pub struct InUse<'a, T: Copy + Zeroable> {
    of: SharedSlice<'a, T>,
    copy: Option<Vec<T>>,
    is_written: bool,
}

impl<T: Copy + Zeroable> Deref for InUse<'_, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        match (&self.copy, self.of.first) {
            (Some(copy), _) => copy,
            // SAFETY: no other OS thread uses the elements. The threads of a tile take turns on one
            // OS thread, and the host version makes these references for one call, so none lives
            // while another thread runs.
            (None, Ok(first)) => unsafe {
                std::slice::from_raw_parts(first.as_ptr(), self.of.length)
            },
            (None, Err(_)) => &[],
        }
    }
}

impl<T: Copy + Zeroable> DerefMut for InUse<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        match (&mut self.copy, self.of.first) {
            (Some(copy), _) => copy,
            // SAFETY: as in `deref`; made from a place that may be written.
            (None, Ok(first)) => unsafe {
                std::slice::from_raw_parts_mut(first.as_ptr(), self.of.length)
            },
            (None, Err(_)) => &mut [],
        }
    }
}

impl<T: Copy + Zeroable> Drop for InUse<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(copy) = &self.copy
            && self.is_written
        {
            for (index, value) in copy.iter().enumerate() {
                self.of.at(index).store(*value);
            }
        }
    }
}

/// A helper's `&[T]`, or a variable's.
pub struct Slice<'a, T>(SharedSlice<'a, T>);

/// A helper's `&mut [T]`, or a variable's.
pub struct SliceMut<'a, T>(SharedSlice<'a, T>);

impl<T> Clone for Slice<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slice<'_, T> {}

impl<'a, T> Slice<'a, T> {
    /// The elements, to read.
    #[inline(always)]
    pub fn place(&self) -> SharedSlice<'a, T> {
        self.0
    }

    /// Rust's own reference, of elements that are Rust's own.
    #[inline(always)]
    #[track_caller]
    pub fn kept(self) -> &'a [T] {
        match self.0.first {
            // SAFETY: the elements are borrowed for `'a`, and no other OS thread uses them. What the threads of
            // a tile share has no such access.
            Ok(first) if self.0.access.is_plain() => unsafe {
                std::slice::from_raw_parts(first.as_ptr(), self.0.length)
            },
            Ok(_) => {
                report::raise_with(format_args!(
                    "a slice of memory that other threads may use is kept"
                ));
                &[]
            }
            Err(_) => &[],
        }
    }
}

/// Splits off the elements of a slice of Rust's own before a position; those from there on stay.
#[track_caller]
pub fn split_off<'a, T>(slice: &mut &'a mut [T], middle: usize) -> &'a mut [T] {
    let length = slice.len();
    let before = within(..middle, length);
    let (first, rest) = std::mem::take(slice).split_at_mut(middle.min(length));
    *slice = rest;
    &mut first[before]
}

impl<'a, T> SliceMut<'a, T> {
    /// Splits off the elements before a position; those from there on stay.
    #[inline(always)]
    #[track_caller]
    pub fn split_off(&mut self, middle: usize) -> Self {
        let first = self.0.part(..middle);
        let length = self.0.length;
        self.0 = self.0.part(middle.min(length)..);
        Self(first)
    }

    /// The elements, to read.
    #[inline(always)]
    pub fn place(&self) -> SharedSlice<'_, T> {
        self.0
    }

    /// The elements, to read and write.
    #[inline(always)]
    pub fn place_mut(&mut self) -> SharedSlice<'_, T> {
        self.0
    }
}

impl<'a, T> From<&'a [T]> for Slice<'a, T> {
    #[inline(always)]
    fn from(slice: &'a [T]) -> Self {
        let length = slice.len();
        Self(SharedSlice::borrowed(NonNull::from(slice).cast(), length))
    }
}

impl<'a, T> From<&'a mut [T]> for SliceMut<'a, T> {
    #[inline(always)]
    fn from(slice: &'a mut [T]) -> Self {
        let length = slice.len();
        Self(SharedSlice::borrowed(NonNull::from(slice).cast(), length))
    }
}

impl<'a, T> From<&'a mut [T]> for Slice<'a, T> {
    #[inline(always)]
    fn from(slice: &'a mut [T]) -> Self {
        Self::from(&*slice)
    }
}

impl<'a, T, const N: usize> From<&'a [T; N]> for Slice<'a, T> {
    #[inline(always)]
    fn from(array: &'a [T; N]) -> Self {
        Self::from(array.as_slice())
    }
}

impl<'a, T, const N: usize> From<&'a mut [T; N]> for Slice<'a, T> {
    #[inline(always)]
    fn from(array: &'a mut [T; N]) -> Self {
        Self::from(array.as_slice())
    }
}

impl<'a, T, const N: usize> From<&'a mut [T; N]> for SliceMut<'a, T> {
    #[inline(always)]
    fn from(array: &'a mut [T; N]) -> Self {
        Self::from(array.as_mut_slice())
    }
}

macro_rules! from_shared {
    ($($slice:ident)*) => {$(
        impl<'a, T> From<SharedSlice<'a, T>> for $slice<'a, T> {
            #[inline(always)]
            fn from(slice: SharedSlice<'a, T>) -> Self {
                Self(slice)
            }
        }

        impl<'a, P: Place> From<Shared<'a, P>> for $slice<'a, P::Item> {
            #[inline(always)]
            fn from(array: Shared<'a, P>) -> Self {
                Self(array.elements())
            }
        }
    )*};
}
from_shared!(Slice SliceMut);

/// `&place[range]`
#[inline(always)]
#[track_caller]
pub fn part<P: Elements + ?Sized>(place: &P, range: impl RangeBounds<usize>) -> &[P::Item] {
    let items = place.items();
    &items[within(range, items.len())]
}

/// `&mut place[range]`
#[inline(always)]
#[track_caller]
pub fn part_mut<P: Elements + ?Sized>(
    place: &mut P,
    range: impl RangeBounds<usize>,
) -> &mut [P::Item] {
    let items = place.items_mut();
    let range = within(range, items.len());
    &mut items[range]
}

/// A range as one of positions in a slice of this length. One that is not within it is a fault, and
/// empty.
#[inline(always)]
#[track_caller]
pub(in crate::device::cpu) fn within(
    range: impl RangeBounds<usize>,
    length: usize,
) -> Range<usize> {
    let start = match range.start_bound() {
        Bound::Included(start) => *start,
        Bound::Excluded(before) => before.wrapping_add(1),
        Bound::Unbounded => 0,
    };
    let (end, is_within) = match range.end_bound() {
        Bound::Included(last) => (last.wrapping_add(1), *last < length),
        Bound::Excluded(end) => (*end, *end <= length),
        Bound::Unbounded => (length, true),
    };
    if is_within && start <= end {
        return start..end;
    }
    report::raise_with(format_args!(
        "range out of bounds: {start}..{end} of a slice of length {length}"
    ));
    0..0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_part_is_a_part() {
        let mut array = [1, 2, 3, 4, 5];
        let mut slice = SliceMut::from(&mut array[1..]);
        slice.place_mut().part(1..=2).at(1).store(9);
        assert_eq!(slice.place().part(..3).len(), 3);
        assert_eq!(slice.place().at(2).load(), 9);
        assert_eq!(array, [1, 2, 3, 9, 5]);
    }

    #[test]
    fn a_slice_is_split() {
        let mut array = [1, 2, 3, 4, 5];
        let mut second = SliceMut::from(&mut array);
        let mut first = second.split_off(2);
        first.place_mut().at(1).store(7);
        second.place_mut().at(0).store(8);
        assert_eq!((first.place().len(), second.place().len()), (2, 3));
        assert_eq!(array, [1, 7, 8, 4, 5]);
    }

    #[test]
    fn a_slice_out_of_bounds_reads_zero() {
        let mut slice = SliceMut::from(zero::scratch::<[u32; 4]>());
        slice.place_mut().at(1).store(7);
        assert_eq!((slice.place().len(), slice.place().at(1).load()), (4, 0));
    }

    #[test]
    #[should_panic(expected = "range out of bounds: 3..2 of a slice of length 4")]
    fn on_the_host_a_wrong_range_is_a_panic() {
        part(&[1, 2, 3, 4], std::hint::black_box(3)..2);
    }
}
