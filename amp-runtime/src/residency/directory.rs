//! The part of an allocation that does not borrow: which of its copies are current.
//!
//! A graph keeps the directories of the allocations that its launches use, to note what a replay
//! writes. The allocations themselves can be gone by then.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Ranges;
use super::copies::Copies;
use super::seen::Epoch;
use super::writers::Writers;
use crate::device::accelerator::view::{AcceleratorView, Backend};
use crate::device::unreported::{DataId, Listener};
use crate::device::vulkan::Stream;
use crate::types::error::Result;

/// Which copies of an allocation are current.
#[derive(Debug)]
pub(crate) struct Directory {
    /// What host indexing looks at first.
    pub(super) epoch: Epoch,
    /// Whether its allocation is gone.
    orphaned: AtomicBool,
    /// What faults know the data by.
    data: DataId,
    state: Mutex<State>,
}

/// What an allocation has its directory by.
#[derive(Debug)]
pub(super) struct Kept {
    directory: Arc<Directory>,
    /// While the allocation is there, faults of those who wrote its data may be reported.
    listener: Option<Listener>,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) copies: Copies,
    /// Whose kernels wrote the data, until a call asked for their faults.
    pub(super) writers: Writers,
    /// Whether a call has returned that the data cannot be brought to the host.
    pub(super) has_failed: bool,
}

impl State {
    /// Notes whether a failure is returned.
    pub(super) fn note<T>(&mut self, result: Result<T>) -> Result<T> {
        self.has_failed |= result.is_err();
        result
    }
}

impl Kept {
    /// The directory of a new allocation.
    pub(super) fn new(copies: Copies) -> Self {
        let listener = Listener::new();
        let directory = Directory {
            epoch: Epoch::default(),
            orphaned: AtomicBool::new(false),
            data: listener.data(),
            state: Mutex::new(State {
                copies,
                writers: Writers::default(),
                has_failed: false,
            }),
        };
        Self {
            directory: Arc::new(directory),
            listener: Some(listener),
        }
    }
}

impl Directory {
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

    /// What faults know the data by.
    pub(crate) fn data(&self) -> &DataId {
        &self.data
    }

    /// Whether its allocation is gone.
    pub(crate) fn is_orphaned(&self) -> bool {
        self.orphaned.load(Ordering::Relaxed)
    }

    /// Whose kernels wrote the data, until a call asked for their faults.
    pub(crate) fn writers(&self) -> Writers {
        self.lock().writers.clone()
    }

    /// The bytes are written by a kernel on `view`, which has them current. They were computed
    /// from what `sources` wrote.
    pub(crate) fn written_on<'s>(
        &self,
        view: &AcceleratorView,
        bytes: &Ranges,
        sources: impl IntoIterator<Item = &'s Writers>,
    ) {
        let mut state = self.lock();
        state.writers.insert(view, &self.data);
        for sources in sources {
            state.writers.add_all(sources);
        }
        match view.backend() {
            Backend::Cpu(_) => state.copies.write_on_host(bytes),
            Backend::Vulkan(stream) => self.written_on_stream(&mut state, stream, bytes),
        }
    }

    /// Whose kernels wrote the data of others, as far as this data does not know of them.
    pub(crate) fn news<'s>(
        &self,
        others: impl Iterator<Item = &'s Arc<Self>>,
    ) -> impl Iterator<Item = Writers> {
        let mut others = others.peekable();
        let absorbed = others.peek().map(|_| self.lock().writers.absorbed());
        others.filter_map(move |other| {
            let state = other.lock();
            let is_known = absorbed.is_some_and(|it| it.has(state.writers.version()));
            (!is_known).then(|| state.writers.clone())
        })
    }

    /// Makes bytes current on `stream` alone, where they are current, for a launch that has
    /// borrowed them to write them.
    pub(crate) fn claim(&self, stream: &Arc<Stream>, bytes: &Ranges) {
        self.written_on_stream(&mut self.lock(), stream, bytes);
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

impl Deref for Kept {
    type Target = Arc<Directory>;

    fn deref(&self) -> &Arc<Directory> {
        &self.directory
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let mut state = self.directory.lock();
        self.directory.orphaned.store(true, Ordering::Relaxed);
        let writers = std::mem::take(&mut state.writers);
        drop(state);
        self.listener = None;
        writers.abandon();
    }
}
