//! The part of a home that does not borrow: which of its copies are current.
//!
//! Who has recorded launches keeps the ledgers of the homes that they use, and
//! [holds](Ledger::hold) them for a replay, to see that nothing has become stale and that
//! nobody looks, and to note what is written. The homes themselves can be gone by then.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Ranges;
use super::copies::Copies;
use super::seen::Epoch;
use super::writers::Writers;
use crate::accelerator::{AcceleratorView, Backend};
use crate::error::Result;
use crate::unreported::{DataId, Listener};
use crate::vulkan::{Buffer, Stream};

/// Which copies of a home are current.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// What host indexing looks at first.
    pub(super) epoch: Epoch,
    /// Whether its home is gone.
    orphaned: AtomicBool,
    /// What faults know the data by.
    data: DataId,
    state: Mutex<State>,
}

/// What a home has its ledger by.
#[derive(Debug)]
pub(super) struct Kept {
    ledger: Arc<Ledger>,
    /// While the home is there, faults of those who wrote its data may be reported.
    listener: Option<Listener>,
}

/// A ledger that nobody else looks at or changes meanwhile. Who holds several has them in the
/// order of their addresses.
pub(crate) struct Held<'l> {
    ledger: &'l Ledger,
    state: MutexGuard<'l, State>,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) copies: Copies,
    /// Whose kernels wrote the data, until somebody asked for their faults.
    pub(super) writers: Writers,
    /// Whether somebody has been told that the data cannot be brought to the host.
    pub(super) has_failed: bool,
}

impl State {
    /// Notes whether somebody is told of a failure.
    pub(super) fn note<T>(&mut self, result: Result<T>) -> Result<T> {
        self.has_failed |= result.is_err();
        result
    }
}

impl Kept {
    /// The ledger of a new home.
    pub(super) fn new(copies: Copies) -> Self {
        let listener = Listener::new();
        let ledger = Ledger {
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
            ledger: Arc::new(ledger),
            listener: Some(listener),
        }
    }
}

impl Ledger {
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

    /// Whether its home is gone.
    pub(crate) fn is_orphaned(&self) -> bool {
        self.orphaned.load(Ordering::Relaxed)
    }

    /// Keeps all others from it.
    pub(crate) fn hold(&self) -> Held<'_> {
        Held {
            ledger: self,
            state: self.lock(),
        }
    }

    /// The bytes are written by a kernel on `view`, which has them current. They come of what
    /// `sources` wrote.
    pub(crate) fn written_on(&self, view: &AcceleratorView, bytes: &Ranges, sources: &Writers) {
        let mut state = self.lock();
        state.writers.insert(view, &self.data);
        state.writers.add_all(sources);
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

impl Held<'_> {
    /// Whether recorded launches can use `bytes` of the copy on `stream` and write those that
    /// are `written`, although nobody who has borrowed them is there.
    ///
    /// What is used must be current there, in the `buffer` that was recorded, and its home
    /// must be there: the closure could not launch with what is gone, and a buffer of somebody
    /// else may be gone with it. What is
    /// written must not be current on the host, nor on its way: who has a reference to it,
    /// or may have one soon, has brought it there, and it stays there until somebody writes
    /// it elsewhere who has it alone.
    pub(crate) fn allows(
        &self,
        stream: &Arc<Stream>,
        buffer: &Arc<Buffer>,
        bytes: &Ranges,
        written: &Ranges,
    ) -> bool {
        let copies = &self.state.copies;
        let recorded = copies.on_stream(stream);
        recorded.is_some_and(|recorded| Arc::ptr_eq(recorded, buffer))
            && copies.missing_on_stream(stream, bytes).is_empty()
            && !copies.host_meets(written)
            && !self.ledger.is_orphaned()
    }

    /// Makes bytes current on `stream` alone, where they are current, for who has borrowed
    /// them to write them.
    pub(crate) fn claim(&mut self, stream: &Arc<Stream>, bytes: &Ranges) {
        self.ledger
            .written_on_stream(&mut self.state, stream, bytes);
    }

    /// The bytes are written by kernels on `view`, whose stream this is. They come of what
    /// `sources` wrote.
    pub(crate) fn written(
        &mut self,
        (view, stream): (&AcceleratorView, &Arc<Stream>),
        bytes: &Ranges,
        sources: [&Writers; 2],
    ) {
        if !bytes.is_empty() {
            self.state.writers.insert(view, &self.ledger.data);
            for sources in sources {
                self.state.writers.add_all(sources);
            }
            self.claim(stream, bytes);
        }
    }

    /// Whose faults who looks at the data is to be told.
    pub(crate) fn writers(&self) -> &Writers {
        &self.state.writers
    }
}

impl Deref for Kept {
    type Target = Arc<Ledger>;

    fn deref(&self) -> &Arc<Ledger> {
        &self.ledger
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Who holds the ledger for a replay has queued it before the home is gone.
        let mut state = self.ledger.lock();
        self.ledger.orphaned.store(true, Ordering::Relaxed);
        let writers = std::mem::take(&mut state.writers);
        drop(state);
        self.listener = None;
        writers.abandon();
    }
}
