//! References of helpers to places of their callers, as the host version has them.
//!
//! Such a place may be tile_static or an element of a view, so other threads may write to
//! it while the helper runs, or waits at a barrier. Rust's own references forbid
//! that. So a helper's parameters of type `&T` and `&mut T` are [`Ref`] and [`RefMut`]
//! in its host version: like [`TileStatic`](super::TileStatic) they stand for the place, and each
//! use loads or stores what is there at that moment. Their lifetimes are those of the
//! references that they are made from, so rustc still proves that no two overlap.
//!
//! There is no place behind a faulting access: reads of it give zero, and writes to it go
//! nowhere.
//!
//! A method's references are Rust's own, as a trait may fix them. What they refer to is, if
//! other OS threads may use it, a copy ([`Reading`], [`Writing`]).

pub mod kept;
pub mod slice;

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;

use super::check::Kind;
use super::shared::{Access, Missing, Shared};
use super::zero;

/// A helper's `&T`, or a variable's.
pub struct Ref<'a, T>(Shared<'a, T>);

/// A helper's `&mut T`, or a variable's.
pub struct RefMut<'a, T>(Shared<'a, T>);

/// A place that is borrowed, unless it is what stands in for one.
fn borrowed<'a, T>(pointer: NonNull<T>) -> Shared<'a, T> {
    match zero::stands_in(pointer.as_ptr().cast()) {
        true => Shared::missing(Missing::Reported),
        // SAFETY: the callers', who have a reference to it for `'a`. Other threads of the
        // tile may use it in turn, on the same OS thread.
        false => unsafe { Shared::new(pointer, Access::PLAIN) },
    }
}

impl<'a, T> From<&'a T> for Ref<'a, T> {
    #[inline(always)]
    fn from(place: &'a T) -> Self {
        Self(borrowed(NonNull::from(place)))
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
        Self(borrowed(NonNull::from(place)))
    }
}

impl<'a, T> From<Shared<'a, T>> for Ref<'a, T> {
    #[inline(always)]
    fn from(place: Shared<'a, T>) -> Self {
        Self(place)
    }
}

impl<'a, T> From<Shared<'a, T>> for RefMut<'a, T> {
    #[inline(always)]
    fn from(place: Shared<'a, T>) -> Self {
        Self(place)
    }
}

impl<T> Clone for Ref<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ref<'_, T> {}

impl<'a, T> Ref<'a, T> {
    /// The place, to read, for as long as the reference may live.
    #[inline(always)]
    pub fn place(self) -> Shared<'a, T> {
        self.0
    }
}

impl<T> RefMut<'_, T> {
    /// The place, to read.
    #[inline(always)]
    pub fn place(&self) -> Shared<'_, T> {
        self.0
    }

    /// The place, to read and write.
    #[inline(always)]
    pub fn place_mut(&mut self) -> Shared<'_, T> {
        self.0
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

impl<'a, T: Copy + Zeroable, const M: usize> Shared<'a, [T; M]> {
    /// The elements as places to read.
    pub fn each(self) -> impl DoubleEndedIterator<Item = Ref<'a, T>> + ExactSizeIterator {
        (0..M).map(move |index| Ref(self.at(index)))
    }

    /// The elements as places to write.
    pub fn each_mut(self) -> impl DoubleEndedIterator<Item = RefMut<'a, T>> + ExactSizeIterator {
        (0..M).map(move |index| RefMut(self.at(index)))
    }
}

impl<'a, T: Copy + Zeroable> Shared<'a, T> {
    /// The place for a method that reads it.
    #[inline(always)]
    #[track_caller]
    pub fn reading(self) -> Reading<'a, T> {
        Reading(match self.pointer {
            Ok(pointer) if self.access.is_plain() => {
                self.note(Kind::Read);
                Lent::Own(pointer, PhantomData)
            }
            _ => Lent::copy(self),
        })
    }

    /// The place for a method that writes it.
    #[inline(always)]
    #[track_caller]
    pub fn writing(self) -> Writing<'a, T> {
        let place = self.named();
        place.note(Kind::Write);
        Writing(place.unchecked().reading().0)
    }
}

/// What a method is given.
#[derive(Clone, Copy)]
enum Lent<'a, T> {
    /// The place itself, which no other OS thread uses.
    Own(NonNull<T>, PhantomData<&'a T>),
    /// What was at a place, and what it has become.
    Copy {
        place: Shared<'a, T>,
        found: T,
        value: T,
    },
}

impl<'a, T: Copy + Zeroable> Lent<'a, T> {
    #[inline(always)]
    #[track_caller]
    fn copy(place: Shared<'a, T>) -> Self {
        let found = place.load();
        Self::Copy {
            place,
            found,
            value: found,
        }
    }
}

impl<T> Lent<'_, T> {
    #[inline(always)]
    fn get(&self) -> &T {
        match self {
            // SAFETY: the place outlives the reference. The threads of a tile take turns on
            // one OS thread, and the host version makes these references for one call, so none
            // lives while another thread runs.
            Self::Own(pointer, _) => unsafe { pointer.as_ref() },
            Self::Copy { value, .. } => value,
        }
    }
}

/// A place while a method reads it.
pub struct Reading<'a, T>(Lent<'a, T>);

/// A place while a method writes it. Of what other OS threads may use too, the words that it has changed are put
/// back afterwards: the others may be theirs.
pub struct Writing<'a, T: Copy + Zeroable>(Lent<'a, T>);

impl<T> Deref for Reading<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.0.get()
    }
}

impl<T: Copy + Zeroable> Deref for Writing<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.0.get()
    }
}

impl<T: Copy + Zeroable> DerefMut for Writing<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.0 {
            // SAFETY: as in `Lent::get`; made from a place that may be written.
            Lent::Own(pointer, _) => unsafe { pointer.as_mut() },
            Lent::Copy { value, .. } => value,
        }
    }
}

impl<T: Copy + Zeroable> Drop for Writing<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Lent::Copy {
            place,
            found,
            value,
        } = &self.0
        {
            place.change(found, value);
        }
    }
}

impl<T: Copy + Zeroable + fmt::Debug> fmt::Debug for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place().load().fmt(f)
    }
}

impl<T: Copy + Zeroable + fmt::Debug> fmt::Debug for RefMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place().load().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_stands_for_its_place() {
        let mut x = 1;
        let mut reference = RefMut::from(&mut x);
        reference.place_mut().store(2);
        assert_eq!(reference.place().load(), 2);
        assert_eq!(x, 2);
    }

    #[test]
    fn a_reference_out_of_bounds_always_reads_zero() {
        let mut reference = RefMut::from(zero::scratch::<u32>());
        reference.place_mut().store(7);
        assert_eq!(reference.place().load(), 0);
        assert_eq!(Ref::from(zero::zero::<u32>()).place().load(), 0);
    }

    #[test]
    fn a_method_changes_what_it_is_called_on() {
        let mut own = 3;
        *RefMut::from(&mut own).place_mut().writing() += 1;
        assert_eq!(own, 4);
        // SAFETY: borrowed exclusively, and all bytes are one.
        let place = unsafe { Shared::new(NonNull::from(&mut own), Access::words(4)) };
        *place.writing() += 1;
        assert_eq!((*place.reading(), place.load()), (5, 5));
        *Shared::<u32>::missing(Missing::Reported).writing() += 1;
    }

    #[test]
    fn words_that_a_method_leaves_are_not_written() {
        let mut own = [1_u32, 2, 3];
        // SAFETY: borrowed exclusively, and all bytes are one.
        let place = unsafe { Shared::new(NonNull::from(&mut own), Access::words(4)) };
        let mut lent = place.writing();
        lent[1] = 20;
        place.at(2).store(30);
        drop(lent);
        assert_eq!(place.load(), [1, 20, 30]);
    }
}
