//! The part of a home that does not borrow: which of its copies are current.
//!
//! Who has recorded launches keeps the ledgers of the homes that they use, to see before
//! a replay that nothing has become stale, and to note after it what was written. The
//! homes themselves can be gone by then.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Ranges;
use super::copies::Copies;
use super::seen::Epoch;
use crate::accelerator::{AcceleratorView, Backend};
use crate::vulkan::{Buffer, Stream};

/// Which copies of a home are current.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// What host indexing looks at first.
    pub(super) epoch: Epoch,
    state: Mutex<State>,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) copies: Copies,
    /// The views whose kernels wrote the data, until somebody asked for their faults.
    pub(super) writers: Vec<AcceleratorView>,
}

impl State {
    /// Views whose faults somebody who looks at the data is to be told.
    pub(super) fn add_writers(&mut self, writers: impl IntoIterator<Item = AcceleratorView>) {
        for writer in writers {
            if !self.writers.contains(&writer) {
                self.writers.push(writer);
            }
        }
    }
}

impl Ledger {
    pub(super) fn new(copies: Copies) -> Arc<Self> {
        Arc::new(Self {
            epoch: Epoch::default(),
            state: Mutex::new(State {
                copies,
                writers: Vec::new(),
            }),
        })
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        // Every update leaves the state consistent, so a panic elsewhere in between
        // does not matter.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a view's [`Seen`](super::Seen) is compared with.
    #[inline]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.now()
    }

    /// Whether the copy on `stream` is `buffer`, with these bytes current.
    pub(crate) fn is_current(
        &self,
        stream: &Arc<Stream>,
        buffer: &Arc<Buffer>,
        bytes: &Ranges,
    ) -> bool {
        let copies = &self.lock().copies;
        let same = copies.on_stream(stream);
        same.is_some_and(|copy| Arc::ptr_eq(copy, buffer))
            && copies.missing_on_stream(stream, bytes).is_empty()
    }

    /// The bytes are written by a kernel on `view`, which has them current.
    pub(crate) fn written_on(&self, view: &AcceleratorView, bytes: &Ranges) {
        let mut state = self.lock();
        state.add_writers([view.clone()]);
        match view.backend() {
            Backend::Cpu(_) => state.copies.write_on_host(bytes),
            Backend::Vulkan(stream) => self.written_on_stream(&mut state, stream, bytes),
        }
    }

    pub(super) fn written_on_stream(
        &self,
        state: &mut State,
        stream: &Arc<Stream>,
        bytes: &Ranges,
    ) {
        if state.copies.write_on_stream(stream, bytes) {
            self.epoch.advance();
        }
    }
}
