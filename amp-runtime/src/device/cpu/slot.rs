//! Slots: which of a launch's views belongs to a parameter.

use std::marker::PhantomData;

/// Where a host version finds a view that it reads.
#[doc(hidden)]
#[derive(Debug)]
pub struct ReadSlot<T, const N: usize> {
    pub(crate) position: usize,
    element: PhantomData<fn() -> T>,
}

/// Where a host version finds a view that it writes.
#[doc(hidden)]
#[derive(Debug)]
pub struct WriteSlot<T, const N: usize> {
    pub(crate) position: usize,
    element: PhantomData<fn() -> T>,
}

macro_rules! copy {
    ($($slot:ident),*) => {$(
        impl<T, const N: usize> Clone for $slot<T, N> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T, const N: usize> Copy for $slot<T, N> {}
    )*};
}
copy!(ReadSlot, WriteSlot);

impl<T, const N: usize> ReadSlot<T, N> {
    pub(crate) fn new(position: usize) -> Self {
        Self {
            position,
            element: PhantomData,
        }
    }

    /// Number of the view among the views of the launch.
    pub(crate) fn position(self) -> usize {
        self.position
    }
}

impl<T, const N: usize> WriteSlot<T, N> {
    pub(crate) fn new(position: usize) -> Self {
        Self {
            position,
            element: PhantomData,
        }
    }

    /// Number of the view among the views of the launch.
    pub(crate) fn position(self) -> usize {
        self.position
    }
}
