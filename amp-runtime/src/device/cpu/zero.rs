//! What a faulting access gets instead of an element: zeroes to read, and scratch
//! memory to write that nothing else reads.

use std::cell::RefCell;
use std::mem::{align_of, size_of};
use std::ptr::NonNull;

use bytemuck::Zeroable;

use crate::types::index::{Extent, Index};

// SAFETY: an index is an array of `usize`, of which all zeroes is a value.
unsafe impl<const N: usize> Zeroable for Index<N> {}
// SAFETY: as for `Index`.
unsafe impl<const N: usize> Zeroable for Extent<N> {}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(#[expect(dead_code, reason = "read through pointers to other types")] [u8; 64]);

const ZERO_LINE: Line = Line([0; 64]);
static ZEROES: [Line; 64] = [ZERO_LINE; 64];

/// How many scratch elements of one OS thread are distinct. An element is reused after
/// that many further faults, long after the expression that faulted.
const SCRATCH_CELLS: usize = 64;

struct Scratch {
    cells: Vec<Vec<Line>>,
    next: usize,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = const { RefCell::new(Scratch { cells: Vec::new(), next: 0 }) };
}

/// A `T` of zeroes to read.
pub(super) fn zero<'a, T: Copy + Zeroable + 'a>() -> &'a T {
    // SAFETY: all zeroes is a `T`, and a `Copy` type has no interior mutability.
    unsafe { zero_of() }
}

/// A `T` of zeroes to write.
pub(super) fn scratch<'a, T: Copy + Zeroable + 'a>() -> &'a mut T {
    // SAFETY: all zeroes is a `T`.
    unsafe { scratch_of() }
}

/// [`zero`] of a type that only its user knows.
///
/// # Safety
///
/// All zeroes is a `T`, which has no interior mutability.
#[cold]
pub(super) unsafe fn zero_of<'a, T: 'a>() -> &'a T {
    const { assert!(align_of::<T>() <= align_of::<Line>()) };
    if size_of::<T>() <= size_of_val(&ZEROES) {
        // SAFETY: large and aligned enough, never written, and all zeroes is a `T`.
        unsafe { &*(&raw const ZEROES).cast::<T>() }
    } else {
        // SAFETY: all zeroes is a `T`.
        unsafe { scratch_of() }
    }
}

/// [`scratch`] of a type that only its user knows.
///
/// # Safety
///
/// All zeroes is a `T`.
#[cold]
pub(super) unsafe fn scratch_of<'a, T: 'a>() -> &'a mut T {
    // SAFETY: all zeroes is a `T`.
    unsafe { &mut *cell().as_ptr() }
}

/// [`scratch`] that is this value, which is never dropped.
#[cold]
pub(super) fn scratch_with<'a, T: 'a>(value: T) -> &'a mut T {
    let cell = cell();
    // SAFETY: large and aligned enough, and nothing else refers to it.
    unsafe {
        cell.write(value);
        &mut *cell.as_ptr()
    }
}

/// Memory for a `T`, of zeroes. It is not handed out again before `SCRATCH_CELLS` further faults; the
/// host version uses it within the expression that faulted.
fn cell<T>() -> NonNull<T> {
    const { assert!(align_of::<T>() <= align_of::<Line>()) };
    SCRATCH.with_borrow_mut(|scratch| {
        let cell = scratch.next % SCRATCH_CELLS;
        scratch.next = cell + 1;
        if scratch.cells.len() <= cell {
            scratch.cells.push(Vec::new());
        }
        let lines = &mut scratch.cells[cell];
        lines.clear();
        lines.resize(size_of::<T>().div_ceil(size_of::<Line>()), ZERO_LINE);
        NonNull::from(lines.as_mut_slice()).cast()
    })
}

/// Whether something lies in what [`zero`] or [`scratch`] gave out.
pub(super) fn stands_in(address: *const u8) -> bool {
    let within = |lines: &[Line]| {
        let bytes = lines.as_ptr_range();
        (bytes.start.cast()..bytes.end.cast()).contains(&address)
    };
    within(&ZEROES)
        || SCRATCH.with_borrow(|scratch| scratch.cells.iter().any(|lines| within(lines)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_types_read_as_zero_too() {
        assert_eq!(*zero::<[[u32; 64]; 64]>(), [[0; 64]; 64]);
        assert_eq!(*zero::<(bool, f32)>(), (false, 0.0));
    }

    #[test]
    fn scratch_is_zero_each_time() {
        for _ in 0..3 * SCRATCH_CELLS {
            let cell = scratch::<[u32; 40]>();
            assert_eq!(*cell, [0; 40]);
            *cell = [7; 40];
        }
    }

    #[test]
    fn two_scratch_elements_are_two() {
        let (a, b) = (scratch::<u32>(), scratch::<u32>());
        *a = 1;
        *b = 2;
        assert_eq!((*a, *b), (1, 2));
    }
}
