//! Where the threads of a tile wait for each other.

use std::sync::{Condvar, Mutex, PoisonError};

/// A barrier that can be given up.
pub struct Gate {
    threads: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: usize,
    round: usize,
    abandoned: bool,
}

impl Gate {
    pub fn new(threads: usize) -> Self {
        Self {
            threads,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Waits for all threads; false if one of them will not come.
    pub fn wait(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let round = state.round;
        state.waiting += 1;
        if state.waiting == self.threads {
            state.waiting = 0;
            state.round += 1;
            self.changed.notify_all();
        }
        while state.round == round && !state.abandoned {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        !state.abandoned
    }

    /// Says that this thread will not come.
    pub fn abandon(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.abandoned = true;
        self.changed.notify_all();
    }
}
