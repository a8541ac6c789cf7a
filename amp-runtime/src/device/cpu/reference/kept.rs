//! What the `Option<&T>` of a kernel has in it, in the host version.
//!
//! Like a `&T` it is copied, and it borrows the place, so rustc proves that nothing changes the place
//! meanwhile. What other OS threads may use is copied when it is made. Functions return Rust's own references,
//! of what they are given as such.

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use bytemuck::Zeroable;

use super::{Lent, Ref};
use crate::device::cpu::zero::scratch_with;

/// See the module's documentation.
pub struct Kept<'a, T>(Lent<'a, T>);

impl<T: Copy> Clone for Kept<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy> Copy for Kept<'_, T> {}

impl<'a, T> From<&'a T> for Kept<'a, T> {
    #[inline(always)]
    fn from(place: &'a T) -> Self {
        Self(Lent::Own(NonNull::from(place), PhantomData))
    }
}

impl<'a, T: Copy + Zeroable> From<Ref<'a, T>> for Kept<'a, T> {
    #[inline(always)]
    #[track_caller]
    fn from(place: Ref<'a, T>) -> Self {
        Self(place.place().reading().0)
    }
}

impl<T> Deref for Kept<'_, T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.0.get()
    }
}

impl<T: PartialEq> PartialEq for Kept<'_, T> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: PartialOrd> PartialOrd for Kept<'_, T> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(&**other)
    }
}

impl<'a, T> Kept<'a, T> {
    /// Rust's own reference, of a place of Rust's own.
    #[inline(always)]
    pub fn reference(self) -> &'a T {
        match self.0 {
            // SAFETY: the place is borrowed for `'a`, as in `Lent::get`.
            Lent::Own(pointer, _) => unsafe { pointer.as_ref() },
            // What a fault left.
            Lent::Copy { value, .. } => scratch_with(value),
        }
    }
}

/// The methods of `Option<&T>`.
pub trait KeptMethods<T> {
    /// As Rust's.
    fn amp_copied(self) -> Option<T>;

    /// As Rust's.
    fn amp_cloned(self) -> Option<T>;
}

impl<T: Copy> KeptMethods<T> for Option<Kept<'_, T>> {
    #[inline(always)]
    fn amp_copied(self) -> Option<T> {
        self.map(|kept| *kept)
    }

    #[inline(always)]
    fn amp_cloned(self) -> Option<T> {
        self.amp_copied()
    }
}
