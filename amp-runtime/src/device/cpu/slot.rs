//! Slots: which of a launch's views belongs to a parameter.

use std::marker::PhantomData;

macro_rules! slots {
    ($($(#[$doc:meta])* $slot:ident)*) => {$(
        $(#[$doc])*
        #[doc(hidden)]
        #[derive(Debug)]
        pub struct $slot<T, const N: usize> {
            /// Number of the view among the views of the launch.
            pub(crate) position: usize,
            element: PhantomData<fn() -> T>,
        }

        impl<T, const N: usize> $slot<T, N> {
            pub(crate) fn new(position: usize) -> Self {
                Self {
                    position,
                    element: PhantomData,
                }
            }
        }

        impl<T, const N: usize> Clone for $slot<T, N> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T, const N: usize> Copy for $slot<T, N> {}
    )*};
}
slots! {
    /// Where a host version finds a view that it reads.
    ReadSlot
    /// Where a host version finds a view that it writes.
    WriteSlot
}
