//! Subgroups of the CPU accelerator: [`SIZE`] neighbouring threads of a tile, the last of
//! which may be fewer.
//!
//! An operation is a barrier with values. Each thread leaves its own, waits until all of the
//! tile have, and looks at those of its subgroup. A thread may leave its next value before
//! others have looked at this one, so there are two places, used in turn; no thread comes to
//! the third operation before all have passed the first.

use std::cell::{Cell, RefCell};
use std::panic::Location;

use super::context::Context;

/// Lanes of a subgroup.
pub(crate) const SIZE: usize = 16;

/// What the threads of a tile have left for each other.
#[derive(Default)]
pub(super) struct Lanes {
    /// The values of two operations, by thread.
    values: [RefCell<Vec<u64>>; 2],
    /// By thread, which of them the next operation takes.
    turns: RefCell<Vec<Cell<bool>>>,
}

impl Lanes {
    pub(super) fn enter_tile(&self, count: usize) {
        for values in &self.values {
            values.borrow_mut().resize(count, 0);
        }
        let mut turns = self.turns.borrow_mut();
        turns.clear();
        turns.resize(count, Cell::new(false));
    }

    /// Leaves a value; gives the turn that it belongs to.
    fn leave(&self, thread: usize, value: u64) -> usize {
        let turn = usize::from(self.turns.borrow()[thread].get());
        self.turns.borrow()[thread].set(turn == 0);
        self.values[turn].borrow_mut()[thread] = value;
        turn
    }

    /// What the threads of a subgroup have left.
    fn of_subgroup<R>(&self, thread: usize, turn: usize, read: impl FnOnce(&[u64]) -> R) -> R {
        let values = self.values[turn].borrow();
        let first = thread / SIZE * SIZE;
        read(&values[first..values.len().min(first + SIZE)])
    }
}

/// The running thread's lane.
///
/// # Panics
///
/// Outside of a launch of a kernel with operations of subgroups.
#[inline]
#[track_caller]
pub(crate) fn lane() -> usize {
    let thread = Context::with_current(|context| context.thread_of_tile());
    let Some(thread) = thread.flatten() else {
        outside()
    };
    thread % SIZE
}

/// Leaves `value` for the subgroup, waits for the tile, and looks at what all of the subgroup
/// have left, by lane.
///
/// # Panics
///
/// As [`lane`].
#[track_caller]
pub(crate) fn together<R>(value: u64, look: impl FnOnce(&[u64]) -> R) -> R {
    let place = Location::caller();
    let looked = Context::with_current(|context| {
        let thread = context.thread_of_tile()?;
        let turn = context.lanes().leave(thread, value);
        context
            .suspend(place)
            .then(|| context.lanes().of_subgroup(thread, turn, look))
    });
    looked.flatten().unwrap_or_else(|| outside())
}

#[cold]
#[track_caller]
fn outside() -> ! {
    panic!("a subgroup operation outside of a launch")
}
