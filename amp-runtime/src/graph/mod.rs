//! Graphs: launches that are recorded once and run again and again.
//!
//! A graph keeps the closure that makes its launches, and calls it at each replay. On a device
//! each launch is compared with the one that was made in its place in the call before. If all are
//! the same, what is recorded is sent, by few commands; what has changed, and what is behind it, is
//! recorded anew.
//!
//! A launch borrows what it uses. The closure may borrow by a `RefCell` or a lock, or give away
//! what it had, so the data can be in use before the launches are queued, which is when the closure
//! has returned. Those who use it have the launches queued first ([`Pending`]), and so have those
//! who wait for all launches of the view; they are then queued one by one, in their places.
//!
//! The CPU accelerator has nothing to record: launches run when the closure makes them.
//!
//! [`Pending`]: crate::residency::Pending

mod recording;
mod step;
mod tape;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use crate::device::accelerator::view::{AcceleratorView, Backend};
use crate::types::error::{Error, Result};

pub use recording::Recording;
use tape::Tape;

/// Launches that were recorded on an accelerator view, to be replayed by a command for some
/// hundreds of them. [`AcceleratorView::record`] returns one.
///
/// A replay does what the closure does now. What is unchanged since the last replay is not
/// recorded again.
///
/// `F` is the closure that makes the launches, `C` the captures of
/// [`record_with`](AcceleratorView::record_with).
#[must_use = "a graph runs only when it is replayed"]
pub struct Graph<F, C = ()> {
    view: AcceleratorView,
    inner: Mutex<Inner<F, C>>,
    /// The thread that replays it.
    replayer: Mutex<Option<ThreadId>>,
}

struct Inner<F, C> {
    launches: F,
    captures: C,
    call: fn(&mut F, &mut Recording<'_>, &mut C) -> Result<()>,
    /// Nothing on the CPU accelerator.
    tape: Option<Arc<Tape>>,
}

/// A graph that this thread replays.
struct Replaying<'g, F, C> {
    inner: MutexGuard<'g, Inner<F, C>>,
    replayer: &'g Mutex<Option<ThreadId>>,
}

impl AcceleratorView {
    /// Records launches, which [`Graph::replay`] then runs on this view as often as it is
    /// called. Nothing runs yet.
    ///
    /// `launches` makes them, by [`Recording::parallel_for_each`]. It is called now, and at each
    /// replay, which does what the closure does then. On a device its launches are queued when it
    /// has returned, or as soon as their data is used. What it borrows remains borrowed as long as
    /// the graph exists. For data that is used between replays there is
    /// [`record_with`](Self::record_with); or let the closure borrow for the duration of a call, by
    /// a `RefCell` or a lock. [`Recording`] has an example.
    ///
    /// # Errors
    ///
    /// What `launches` returns, and with it all errors of
    /// [`parallel_for_each`](crate::parallel_for_each);
    /// [`Error::InvalidArgument`] if a kernel writes an array or
    /// a view that `launches` creates itself, since the result would be inaccessible.
    pub fn record<F>(&self, launches: F) -> Result<Graph<F>>
    where
        F: FnMut(&mut Recording<'_>) -> Result<()>,
    {
        let call =
            |launches: &mut F, recording: &mut Recording<'_>, (): &mut ()| launches(recording);
        Graph::new(self, (), launches, call)
    }

    /// [`record`](Self::record), with arrays, views and values that the graph owns: `launches`
    /// receives them, and between replays they can be read
    /// ([`captures`](Graph::captures)) and changed ([`captures_mut`](Graph::captures_mut)).
    /// [`Graph`] has an example.
    ///
    /// # Errors
    ///
    /// As [`record`](Self::record).
    pub fn record_with<C, F>(&self, captures: C, launches: F) -> Result<Graph<F, C>>
    where
        F: FnMut(&mut Recording<'_>, &mut C) -> Result<()>,
    {
        let call = |launches: &mut F, recording: &mut Recording<'_>, captures: &mut C| {
            launches(recording, captures)
        };
        Graph::new(self, captures, launches, call)
    }
}

impl<F, C> Graph<F, C> {
    fn new(
        view: &AcceleratorView,
        captures: C,
        launches: F,
        call: fn(&mut F, &mut Recording<'_>, &mut C) -> Result<()>,
    ) -> Result<Self> {
        let mut inner = Inner {
            launches,
            captures,
            call,
            tape: match view.backend() {
                Backend::Vulkan(stream) => Some(Tape::new(view, stream)),
                Backend::Cpu(_) => None,
            },
        };
        inner.record(view)?;
        Ok(Self {
            view: view.clone(),
            inner: Mutex::new(inner),
            replayer: Mutex::default(),
        })
    }

    /// Runs the launches once more, in the order of the view's work: after what has been
    /// launched there, before what will be. Returns when they are queued, as a launch does.
    ///
    /// The closure is called each time. On a device each launch that it makes is compared with the
    /// recorded one, which takes the host less time than a launch; some hundreds are sent by one
    /// command, the first ones while the closure makes the others. If a launch has changed (its
    /// kernel, domain, arrays, views or values), it and those behind it are recorded again first. Data that is not current on the view is copied first, as at a
    /// launch. Launches whose data is used before the closure has returned, those before a
    /// [`wait`](AcceleratorView::wait), [`flush`](AcceleratorView::flush) or
    /// [`create_marker`](AcceleratorView::create_marker) of the closure, and those of a closure
    /// that reads arrays or views of slices which it creates itself, are queued one by one. So are
    /// those that it has made when it returns an error. Faults of a replay are collected by the call
    /// that waits for it.
    ///
    /// The prints of different replays are kept apart, so a replay of kernels that print waits
    /// for the previous one.
    ///
    /// # Errors
    ///
    /// As [`parallel_for_each`](crate::parallel_for_each); faults are reported as for launches,
    /// by the next wait. [`Error::InvalidArgument`] if the closure replays the graph itself.
    pub fn replay(&self) -> Result<()> {
        let _span = tracing::trace_span!(target: "amp", "replay").entered();
        let mut replaying = self.lock()?;
        replaying.inner.replay(&self.view)
    }

    /// Keeps other threads from replaying it.
    fn lock(&self) -> Result<Replaying<'_, F, C>> {
        let this = thread::current().id();
        if *replayer(&self.replayer) == Some(this) {
            return Err(Error::InvalidArgument(
                "the closure of a graph replays the graph, which would wait for itself; make the \
                 launches by `Recording::parallel_for_each`, and replay the graph when the \
                 closure has returned"
                    .into(),
            ));
        }
        // A closure that panicked leaves what was recorded, to be compared.
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        *replayer(&self.replayer) = Some(this);
        Ok(Replaying {
            inner,
            replayer: &self.replayer,
        })
    }

    /// The captures of [`record_with`](AcceleratorView::record_with), for reading. While they
    /// are borrowed, the graph cannot be replayed.
    pub fn captures(&mut self) -> &C {
        &self.inner_mut().captures
    }

    /// The captures of [`record_with`](AcceleratorView::record_with), for modification.
    pub fn captures_mut(&mut self) -> &mut C {
        &mut self.inner_mut().captures
    }

    /// Ends the graph, and returns its captures. Replays in progress continue.
    pub fn into_captures(self) -> C {
        let inner = self.inner.into_inner();
        inner.unwrap_or_else(PoisonError::into_inner).captures
    }

    /// The view that it runs on.
    pub fn accelerator_view(&self) -> AcceleratorView {
        self.view.clone()
    }

    fn inner_mut(&mut self) -> &mut Inner<F, C> {
        self.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F, C> Inner<F, C> {
    /// Records what the closure launches now.
    fn record(&mut self, view: &AcceleratorView) -> Result<()> {
        let mut recording = Recording::new(view, self.tape.as_deref(), false);
        (self.call)(&mut self.launches, &mut recording, &mut self.captures)?;
        match &self.tape {
            Some(tape) => tape.record(),
            None => recording.check_written(),
        }
    }

    /// Runs what the closure launches now.
    fn replay(&mut self, view: &AcceleratorView) -> Result<()> {
        let call = self.tape.as_ref().map(Tape::call);
        let mut recording = Recording::new(view, self.tape.as_deref(), true);
        (self.call)(&mut self.launches, &mut recording, &mut self.captures)?;
        match call {
            Some(call) => call.finish(),
            None => recording.check_written(),
        }
    }
}

fn replayer(thread: &Mutex<Option<ThreadId>>) -> MutexGuard<'_, Option<ThreadId>> {
    thread.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<F, C> Drop for Replaying<'_, F, C> {
    fn drop(&mut self) {
        *replayer(self.replayer) = None;
    }
}

impl<F, C> fmt::Debug for Graph<F, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("accelerator_view", &self.view)
            .finish_non_exhaustive()
    }
}
