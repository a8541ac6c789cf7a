//! tile_static variables: memory that the threads of one tile share.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::any::TypeId;
use std::cell::RefCell;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use bytemuck::Zeroable;

use super::shared::{Access, Shared};

/// The tile_static variables of the tile that a worker runs. The next tile gets the same
/// memory, [cleared](Self::clear).
#[derive(Default)]
pub(super) struct TileMemory {
    variables: RefCell<Vec<Variable>>,
}

struct Variable {
    key: u32,
    ty: TypeId,
    pointer: NonNull<u8>,
    layout: Layout,
}

impl TileMemory {
    /// The variable `key`, which every thread of the tile finds by the same number.
    /// Instances of a generic kernel function may use one key with several types;
    /// these are several variables.
    pub(super) fn variable<T: Copy + Zeroable + 'static>(&self, key: u32) -> NonNull<T> {
        let layout = Layout::new::<T>();
        if layout.size() == 0 {
            return NonNull::dangling();
        }
        let ty = TypeId::of::<T>();
        let mut variables = self.variables.borrow_mut();
        let found = variables
            .iter()
            .find(|variable| variable.key == key && variable.ty == ty);
        if let Some(found) = found {
            return found.pointer.cast();
        }
        // SAFETY: the layout's size is not zero.
        let pointer = NonNull::new(unsafe { alloc_zeroed(layout) });
        let pointer = pointer.unwrap_or_else(|| handle_alloc_error(layout));
        variables.push(Variable {
            key,
            ty,
            pointer,
            layout,
        });
        pointer.cast()
    }

    /// Makes all variables zero for another tile. No thread of the tile before may still run.
    pub(super) fn clear(&self) {
        for variable in self.variables.borrow().iter() {
            // SAFETY: allocated in `variable` with this layout; zeroes are a value of its type,
            // and a `TileStatic` is a pointer, so nothing refers to what is there.
            unsafe { variable.pointer.write_bytes(0, variable.layout.size()) };
        }
    }
}

impl Drop for TileMemory {
    fn drop(&mut self) {
        for variable in self.variables.get_mut() {
            // SAFETY: allocated in `variable` with this layout, and freed only here.
            unsafe { dealloc(variable.pointer.as_ptr(), variable.layout) };
        }
    }
}

/// A tile_static variable, as the twin names it.
///
/// It stands for the place, not for a value: each use reads or writes what the tile's
/// threads share at that moment.
#[derive(Debug)]
pub struct TileStatic<T> {
    pointer: NonNull<T>,
}

impl<T> TileStatic<T> {
    pub(super) fn new(pointer: NonNull<T>) -> Self {
        Self { pointer }
    }

    /// The variable for atomic operations.
    #[inline(always)]
    pub fn place_mut(&mut self) -> Shared<'_, T> {
        // SAFETY: as in `deref`.
        unsafe { Shared::new(self.pointer, Access::PLAIN) }
    }
}

impl<T> Deref for TileStatic<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the memory lives as long as the tile runs and holds a `T` (zeroes at
        // first, and writes are those of `T`s). The threads of a tile take turns on one
        // OS thread, and the twin makes these references within place expressions, so
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

#[cfg(test)]
mod tests {
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
