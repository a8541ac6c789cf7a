//! References of helpers to places of their callers, as the twin has them.
//!
//! Such a place may be tile_static or an element of a view, so other threads of the tile
//! may write to it while the helper waits at a barrier. Rust's own references forbid
//! that. So a helper's parameters of type `&T` and `&mut T` are [`Ref`] and [`RefMut`]
//! in its twin: like [`TileStatic`](super::TileStatic) they stand for the place, and each
//! use reads or writes what is there at that moment. Their lifetimes are those of the
//! references that they are made from, so rustc still proves that no two overlap.
//!
//! The place behind a faulting access is none: it reads as zero, and writes to it go
//! nowhere.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;

use super::atomic::Shared;
use super::zero;

/// A helper's `&T`.
pub struct Ref<'a, T> {
    pointer: Option<NonNull<T>>,
    place: PhantomData<&'a T>,
}

/// A helper's `&mut T`.
pub struct RefMut<'a, T> {
    pointer: Option<NonNull<T>>,
    place: PhantomData<&'a mut T>,
}

/// The address of a place, if it is not what stands in for one.
fn address<T>(pointer: NonNull<T>) -> Option<NonNull<T>> {
    (!zero::stands_in(pointer.as_ptr().cast())).then_some(pointer)
}

impl<'a, T> From<&'a T> for Ref<'a, T> {
    #[inline(always)]
    fn from(place: &'a T) -> Self {
        Self {
            pointer: address(NonNull::from(place)),
            place: PhantomData,
        }
    }
}

impl<'a, T> From<&'a mut T> for Ref<'a, T> {
    #[inline(always)]
    fn from(place: &'a mut T) -> Self {
        Self::from(&*place)
    }
}

impl<'a, T> From<&'a mut T> for RefMut<'a, T> {
    #[inline(always)]
    fn from(place: &'a mut T) -> Self {
        Self {
            pointer: address(NonNull::from(place)),
            place: PhantomData,
        }
    }
}

impl<'a, T> RefMut<'a, T> {
    /// The place for atomic operations.
    #[inline(always)]
    pub fn shared(&mut self) -> Shared<'_, T> {
        match self.pointer {
            // SAFETY: the place outlives `'a`, and may be read and written.
            Some(pointer) => unsafe { Shared::new(pointer) },
            None => Shared::missing(),
        }
    }
}

/// The elements of an array as places to read.
pub fn each<T>(array: &[T]) -> impl DoubleEndedIterator<Item = Ref<'_, T>> + ExactSizeIterator {
    array.iter().map(Ref::from)
}

/// The elements of an array as places to write.
pub fn each_mut<T>(
    array: &mut [T],
) -> impl DoubleEndedIterator<Item = RefMut<'_, T>> + ExactSizeIterator {
    array.iter_mut().map(RefMut::from)
}

impl<T: Copy + Zeroable> Deref for Ref<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        match self.pointer {
            // SAFETY: the place outlives `'a`. The threads of a tile take turns on one OS
            // thread, and the twin makes these references within place expressions, so
            // none lives while another thread runs.
            Some(pointer) => unsafe { pointer.as_ref() },
            None => zero::zero(),
        }
    }
}

impl<T: Copy + Zeroable> Deref for RefMut<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        match self.pointer {
            // SAFETY: as for `Ref`.
            Some(pointer) => unsafe { pointer.as_ref() },
            None => zero::zero(),
        }
    }
}

impl<T: Copy + Zeroable> DerefMut for RefMut<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        match self.pointer {
            // SAFETY: as for `Ref`; made from a reference that may be written through.
            Some(mut pointer) => unsafe { pointer.as_mut() },
            None => zero::scratch(),
        }
    }
}

impl<T: Copy + Zeroable + fmt::Debug> fmt::Debug for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Copy + Zeroable + fmt::Debug> fmt::Debug for RefMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_stands_for_its_place() {
        let mut x = 1;
        let mut reference = RefMut::from(&mut x);
        *reference += 1;
        assert_eq!(*Ref::from(&*reference), 2);
        assert_eq!(x, 2);
    }

    #[test]
    fn what_is_not_there_reads_as_zero_for_ever() {
        let mut reference = RefMut::from(zero::scratch::<u32>());
        *reference = 7;
        assert_eq!(*reference, 0);
        assert_eq!(*Ref::from(zero::zero::<u32>()), 0);
    }
}
