//! [`Pool`]: vectors that a worker uses again, group after group of threads.

use std::any::TypeId;
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// See the module's documentation.
#[derive(Default)]
pub(super) struct Pool {
    /// The vectors that are not in use, by number.
    free: RefCell<Vec<Free>>,
}

/// The parts of a vector whose type is not known, or of none. They are written and read one by one, never as a
/// whole: a processor waits where it reads many bytes at once that it has just written in parts.
struct Free {
    ty: Option<TypeId>,
    pointer: *mut u8,
    length: usize,
    capacity: usize,
    /// Frees it.
    drop: unsafe fn(*mut u8, usize, usize),
}

impl Free {
    const NONE: Self = Self {
        ty: None,
        pointer: std::ptr::null_mut(),
        length: 0,
        capacity: 0,
        drop: |_, _, _| (),
    };

    /// Keeps a vector. It has none.
    #[inline(always)]
    fn put<T: 'static>(&mut self, values: &mut Vec<T>) {
        self.ty = Some(TypeId::of::<T>());
        self.pointer = values.as_mut_ptr().cast();
        self.length = values.len();
        self.capacity = values.capacity();
        self.drop = |pointer, length, capacity| {
            // SAFETY: the caller has the parts of a `Vec<T>`.
            drop(unsafe { Vec::<T>::from_raw_parts(pointer.cast(), length, capacity) });
        };
    }

    /// The vector, if it is of this type.
    #[inline(always)]
    fn take<T: 'static>(&mut self) -> Option<Vec<T>> {
        if self.ty != Some(TypeId::of::<T>()) {
            return None;
        }
        self.ty = None;
        // SAFETY: the parts of a vector of this type, which nothing else has any more.
        Some(unsafe { Vec::from_raw_parts(self.pointer.cast(), self.length, self.capacity) })
    }

    /// Frees what it has.
    fn clear(&mut self) {
        if self.ty.take().is_some() {
            // SAFETY: the parts of the vector that `put` was given.
            unsafe { (self.drop)(self.pointer, self.length, self.capacity) };
        }
    }
}

impl Drop for Free {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Pool {
    /// The vector of this number, with any values in it.
    #[inline(always)]
    pub(super) fn take<T: 'static>(&self, number: usize) -> Pooled<'_, T> {
        let mut free = self.free.borrow_mut();
        let values = free.get_mut(number).and_then(Free::take);
        Pooled {
            pool: self,
            number,
            values: ManuallyDrop::new(values.unwrap_or_default()),
        }
    }

    /// Keeps a vector, which its owner forgets.
    #[inline(always)]
    fn give_back<T: 'static>(&self, number: usize, values: &mut Vec<T>) {
        let mut free = self.free.borrow_mut();
        let place = match free.get_mut(number) {
            Some(place) if place.ty.is_none() => place,
            _ => Self::place(&mut free, number),
        };
        place.put(values);
    }

    /// An empty place for a vector of this number.
    #[cold]
    fn place(free: &mut Vec<Free>, number: usize) -> &mut Free {
        if free.len() <= number {
            free.resize_with(number + 1, || Free::NONE);
        }
        free[number].clear();
        &mut free[number]
    }
}

/// A vector that goes back to its pool.
pub struct Pooled<'a, T: 'static> {
    pool: &'a Pool,
    number: usize,
    /// The pool's from the drop on.
    values: ManuallyDrop<Vec<T>>,
}

impl<T> Deref for Pooled<'_, T> {
    type Target = Vec<T>;

    #[inline(always)]
    fn deref(&self) -> &Vec<T> {
        &self.values
    }
}

impl<T> DerefMut for Pooled<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.values
    }
}

impl<T> Drop for Pooled<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.pool.give_back(self.number, &mut self.values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_back_is_used_again() {
        let pool = Pool::default();
        let mut first = pool.take::<u32>(3);
        first.resize(100, 7);
        let place = first.as_ptr();
        assert!(pool.take::<u32>(3).is_empty());
        drop(first);
        let again = pool.take::<u32>(3);
        assert_eq!((again.as_ptr(), again.len()), (place, 100));
    }

    #[test]
    fn another_type_gets_values_of_its_own() {
        let pool = Pool::default();
        pool.take::<u32>(0).push(1);
        assert!(pool.take::<f32>(0).is_empty());
    }
}
