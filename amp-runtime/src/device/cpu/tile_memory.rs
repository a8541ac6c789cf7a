//! The memory that the threads of one tile share.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::any::TypeId;
use std::cell::RefCell;
use std::ptr::NonNull;

use bytemuck::Zeroable;

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
