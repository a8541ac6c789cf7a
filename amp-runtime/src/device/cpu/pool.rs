//! [`Pool`]: vectors that a worker uses again, group after group of threads.

use std::any::TypeId;
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// See the module's documentation.
#[derive(Default)]
pub(super) struct Pool {
    /// By number, vectors that are not in use.
    free: RefCell<Vec<Option<Free>>>,
}

/// A vector whose type is not known.
struct Free {
    ty: TypeId,
    pointer: *mut u8,
    length: usize,
    capacity: usize,
    /// Frees it.
    drop: unsafe fn(*mut u8, usize, usize),
}

impl Free {
    #[inline]
    fn of<T: 'static>(values: Vec<T>) -> Self {
        let mut values = ManuallyDrop::new(values);
        Self {
            ty: TypeId::of::<T>(),
            pointer: values.as_mut_ptr().cast(),
            length: values.len(),
            capacity: values.capacity(),
            drop: |pointer, length, capacity| {
                // SAFETY: the caller has the parts of a `Vec<T>`.
                drop(unsafe { Vec::<T>::from_raw_parts(pointer.cast(), length, capacity) });
            },
        }
    }

    /// The vector, if it is of this type.
    #[inline]
    fn into_values<T: 'static>(self) -> Option<Vec<T>> {
        if self.ty != TypeId::of::<T>() {
            return None;
        }
        let parts = ManuallyDrop::new(self);
        // SAFETY: the parts of a vector of this type, which nothing else has any more.
        Some(unsafe { Vec::from_raw_parts(parts.pointer.cast(), parts.length, parts.capacity) })
    }
}

impl Drop for Free {
    fn drop(&mut self) {
        // SAFETY: the parts of the vector that `of` was given.
        unsafe { (self.drop)(self.pointer, self.length, self.capacity) };
    }
}

impl Pool {
    /// The vector of this number, with any values in it.
    #[inline]
    pub(super) fn take<T: 'static>(&self, number: usize) -> Pooled<'_, T> {
        let mut free = self.free.borrow_mut();
        let free = free.get_mut(number).and_then(Option::take);
        Pooled {
            pool: self,
            number,
            values: free.and_then(Free::into_values).unwrap_or_default(),
        }
    }

    #[inline]
    fn give_back(&self, number: usize, values: Free) {
        let mut free = self.free.borrow_mut();
        if free.len() <= number {
            free.resize_with(number + 1, || None);
        }
        free[number] = Some(values);
    }
}

/// A vector that goes back to its pool.
pub struct Pooled<'a, T: 'static> {
    pool: &'a Pool,
    number: usize,
    values: Vec<T>,
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
    #[inline]
    fn drop(&mut self) {
        let values = std::mem::take(&mut self.values);
        self.pool.give_back(self.number, Free::of(values));
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
