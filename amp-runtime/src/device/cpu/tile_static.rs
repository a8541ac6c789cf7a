//! [`TileStatic`]: a variable that the threads of one tile share.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use super::place::{Elements, Place};
use super::shared::{Access, Shared};

/// A tile_static variable, as the host version names it.
///
/// It stands for the place, not for a value: each use reads or writes what the tile's
/// threads share at that moment.
#[derive(Debug)]
pub struct TileStatic<T> {
    pointer: NonNull<T>,
    access: Access,
}

impl<T> TileStatic<T> {
    pub(super) fn new(pointer: NonNull<T>) -> Self {
        let access = Access::PLAIN;
        Self { pointer, access }
    }

    /// The same variable, whose accesses as a place are noted if so.
    pub(super) fn checked(self, is_checked: bool) -> Self {
        let access = self.access.checked(is_checked);
        Self { access, ..self }
    }

    /// The variable as a place to read.
    #[inline(always)]
    pub fn place(&self) -> Shared<'_, T> {
        // SAFETY: as in `deref`.
        unsafe { Shared::new(self.pointer, self.access) }
    }

    /// The variable as a place to read and write.
    #[inline(always)]
    pub fn place_mut(&mut self) -> Shared<'_, T> {
        self.place()
    }
}

impl<T> Deref for TileStatic<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the memory lives as long as the tile runs and holds a `T` (zeroes at
        // first, and writes are those of `T`s). The threads of a tile take turns on one
        // OS thread, and the host version makes these references within place expressions, so
        // none lives while another thread runs.
        unsafe { self.pointer.as_ref() }
    }
}

impl<T> DerefMut for TileStatic<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`.
        unsafe { self.pointer.as_mut() }
    }
}

impl<P: Place> Place for TileStatic<P> {
    const LENGTH: usize = P::LENGTH;
}

impl<P: Elements> Elements for TileStatic<P> {
    type Item = P::Item;

    #[inline(always)]
    fn items(&self) -> &[P::Item] {
        (**self).items()
    }

    #[inline(always)]
    fn items_mut(&mut self) -> &mut [P::Item] {
        (**self).items_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tile_memory::TileMemory;
    use super::*;

    #[test]
    fn one_key_is_one_place() {
        let memory = TileMemory::default();
        let mut a = TileStatic::new(memory.variable::<[u32; 4]>(0));
        let b = TileStatic::new(memory.variable::<[u32; 4]>(0));
        let other = TileStatic::new(memory.variable::<[u32; 4]>(1));
        a[2] = 5;
        assert_eq!((*b, *other), ([0, 0, 5, 0], [0; 4]));
    }

    #[test]
    fn another_tile_finds_zeroes() {
        let memory = TileMemory::default();
        *TileStatic::new(memory.variable::<u32>(0)) = 7;
        TileStatic::new(memory.variable::<[u64; 3]>(1))[2] = u64::MAX;
        memory.clear();
        assert_eq!(*TileStatic::new(memory.variable::<u32>(0)), 0);
        assert_eq!(*TileStatic::new(memory.variable::<[u64; 3]>(1)), [0; 3]);
    }

    #[test]
    fn one_key_with_two_types_is_two_places() {
        let memory = TileMemory::default();
        let mut small = TileStatic::new(memory.variable::<u32>(0));
        let large = TileStatic::new(memory.variable::<[(bool, usize); 9]>(0));
        *small = 7;
        assert_eq!(large[8], (false, 0));
    }
}
