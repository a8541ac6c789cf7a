//! [`Pool`]: vectors that a worker uses again, group after group of threads.

use std::any::Any;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// See the module's documentation.
#[derive(Default)]
pub(super) struct Pool {
    /// By number, vectors that are not in use.
    free: RefCell<Vec<Option<Box<dyn Any>>>>,
}

impl Pool {
    /// The vector of this number, with any values in it.
    #[inline]
    pub(super) fn take<T: 'static>(&self, number: usize) -> Pooled<'_, T> {
        let free = self
            .free
            .borrow_mut()
            .get_mut(number)
            .and_then(Option::take);
        let mut place: Option<Box<Vec<T>>> = free.and_then(|free| free.downcast().ok());
        let values = place.as_deref_mut().map(std::mem::take);
        Pooled {
            pool: self,
            number,
            values: values.unwrap_or_default(),
            place,
        }
    }

    #[inline]
    fn give_back(&self, number: usize, values: Box<dyn Any>) {
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
    /// What the vector lies in while it is free.
    #[allow(clippy::box_collection)] // As `dyn Any` it is free.
    place: Option<Box<Vec<T>>>,
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
        let mut place = self.place.take().unwrap_or_default();
        *place = std::mem::take(&mut self.values);
        self.pool.give_back(self.number, place);
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
