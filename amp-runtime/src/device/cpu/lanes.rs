//! [`Lanes`]: how the threads of a tile pass values to their subgroup.
//!
//! An operation is a barrier with values. Each thread leaves its own, waits until all of the
//! tile have, and looks at those of its subgroup. A thread may leave its next value before
//! others have looked at this one, so there are two places, used in turn; no thread comes to
//! the third operation before all have passed the first.

use std::cell::{Cell, RefCell};

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
    pub(super) fn leave(&self, thread: usize, value: u64) -> usize {
        let turn = usize::from(self.turns.borrow()[thread].get());
        self.turns.borrow()[thread].set(turn == 0);
        self.values[turn].borrow_mut()[thread] = value;
        turn
    }

    /// What the threads of a subgroup have left.
    pub(super) fn of_subgroup<R>(
        &self,
        thread: usize,
        turn: usize,
        read: impl FnOnce(&[u64]) -> R,
    ) -> R {
        let values = self.values[turn].borrow();
        let first = thread / SIZE * SIZE;
        read(&values[first..values.len().min(first + SIZE)])
    }
}
