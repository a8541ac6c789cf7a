//! Graphs: launches that are recorded once and run again and again.
//!
//! A graph keeps the closure that makes its launches. It is run when the launches are
//! recorded, and again when something may have changed: what it captures, or where the
//! current copies of the data are. If it then makes the same launches, what is recorded
//! stays; if not, it is recorded anew. A replay of unchanged launches looks at each body of
//! data that they use, and sends one command.
//!
//! A launch borrows what it writes. So does the closure, but it may borrow by a `RefCell` or
//! a lock, or give away what it had: somebody else may look at the data when it has returned.
//! Who looks has brought the data to the host. A replay writes without the closure only what
//! is not there, and holds the ledgers of the data from that question on until it has noted
//! what it writes. Otherwise it runs the closure, which borrows again or does not get to. So
//! it does where data is gone that the launches read: the closure may have lost it, or may
//! make it anew each time, and then nothing is recorded.
//!
//! The CPU accelerator has nothing to record: it runs the closure at each replay.

mod recording;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use crate::accelerator::{AcceleratorView, Backend};
use crate::error::{Error, Result};
use crate::residency::{Held, Writers};
use crate::vulkan::{Recorded, Stream};

pub use recording::Recording;
use recording::{Step, Used};

/// Launches that were recorded on an accelerator view, to be replayed at a constant cost,
/// however many there are. [`AcceleratorView::record`] returns one.
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
    /// Whether the closure may make other launches than last time.
    outdated: bool,
    /// Whether the launches use data that the closure makes itself, and lets go.
    makes_data: bool,
    /// Nothing on the CPU accelerator, and where the closure makes data.
    tape: Option<Tape>,
}

/// A graph that this thread replays.
struct Replaying<'g, F, C> {
    inner: MutexGuard<'g, Inner<F, C>>,
    replayer: &'g Mutex<Option<ThreadId>>,
}

/// What is recorded on a device.
struct Tape {
    commands: Arc<Recorded>,
    steps: Vec<Step>,
    used: Vec<Used>,
}

impl AcceleratorView {
    /// Records launches, which [`Graph::replay`] then runs on this view as often as it is
    /// called. Nothing runs yet.
    ///
    /// `launches` makes them, by [`Recording::parallel_for_each`]. It is called whenever the
    /// launches may have changed, and at each replay on the CPU accelerator, so it should do
    /// nothing else. What it borrows remains borrowed as long as the graph exists. If it borrows
    /// for the duration of a call only, by a `RefCell` or a lock, it is also called at each
    /// replay before which results of the launches were brought to the host, and at each replay
    /// if the launches read arrays, or views of slices, that it creates itself. For data that is
    /// used between replays there is [`record_with`](Self::record_with). [`Recording`] has an
    /// example.
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
            outdated: true,
            makes_data: false,
            tape: None,
        };
        inner.update(view)?;
        Ok(Self {
            view: view.clone(),
            inner: Mutex::new(inner),
            replayer: Mutex::default(),
        })
    }

    /// Runs the launches once more, in the order of the view's work: after what has been
    /// launched there, before what will be. Returns when they are queued, as a launch does.
    ///
    /// On a device this takes the host a time that does not depend on the number of launches; it
    /// grows with the number of arrays and views that they use, because each is checked. Data
    /// that is not current on the view is copied first, as at a launch. The time of one call of
    /// the closure is added if data has moved, if the host has indexed results of the launches,
    /// and after [`captures_mut`](Self::captures_mut) and [`refresh`](Self::refresh); if the
    /// launches have changed, they are recorded again. Faults of a replay are collected by the
    /// call that waits for it.
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
        let inner = &mut *replaying.inner;
        if inner.replay(&self.view)? {
            return Ok(());
        }
        if inner.outdated || !inner.makes_data {
            inner.update(&self.view)?;
            if inner.replay(&self.view)? {
                return Ok(());
            }
        }
        // Somebody may look already, so that the closure has to stand by.
        inner.makes_data = inner.call(&self.view, true)?.makes_data();
        Ok(())
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
        // A closure that panicked leaves what was recorded, and marked as outdated.
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

    /// The captures of [`record_with`](AcceleratorView::record_with), for modification. The next
    /// replay calls the closure to find the differences.
    pub fn captures_mut(&mut self) -> &mut C {
        let inner = self.inner_mut();
        inner.outdated = true;
        &mut inner.captures
    }

    /// Ends the graph, and returns its captures. Replays in progress continue.
    pub fn into_captures(self) -> C {
        let inner = self.inner.into_inner();
        inner.unwrap_or_else(PoisonError::into_inner).captures
    }

    /// Declares that the closure may make other launches than before, because something that it
    /// reads through a shared reference, such as a `Cell` or an atomic, has changed. The next
    /// replay calls it.
    pub fn refresh(&mut self) {
        self.inner_mut().outdated = true;
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
    /// Calls the closure, which `runs` its launches or makes them only.
    fn call<'v>(&mut self, view: &'v AcceleratorView, runs: bool) -> Result<Recording<'v>> {
        let mut recording = Recording::new(view, runs);
        (self.call)(&mut self.launches, &mut recording, &mut self.captures)?;
        recording.check_captured()?;
        Ok(recording)
    }

    /// Runs what is recorded, unless the closure has to be asked. Returns whether it ran.
    fn replay(&self, view: &AcceleratorView) -> Result<bool> {
        match (view.backend(), &self.tape) {
            (Backend::Vulkan(stream), Some(tape)) if !self.outdated => tape.replay(view, stream),
            _ => Ok(false),
        }
    }

    /// Sees to it that what is recorded is what the closure would launch now, and that its
    /// data is on the view.
    fn update(&mut self, view: &AcceleratorView) -> Result<()> {
        let Backend::Vulkan(stream) = view.backend() else {
            if self.outdated {
                self.call(view, false)?;
                self.outdated = false;
            }
            return Ok(());
        };
        self.outdated = true;
        let recording = self.call(view, false)?;
        // Buffers that have gone may have left their addresses to others.
        let known = self.tape.take().filter(|tape| !tape.has_lost_data());
        self.makes_data = recording.makes_data();
        if self.makes_data {
            self.outdated = false;
            return Ok(());
        }
        let (mut steps, used) = recording.into_parts();
        let commands = match known {
            Some(tape) if tape.steps == steps => tape.commands,
            _ => {
                let mut launches: Vec<_> = steps.iter_mut().map(Step::launch).collect();
                stream.record(&mut launches)?
            }
        };
        self.tape = Some(Tape {
            commands,
            steps,
            used,
        });
        self.outdated = false;
        Ok(())
    }
}

impl Tape {
    /// Whether some of the data that it uses is gone.
    fn has_lost_data(&self) -> bool {
        self.used.iter().any(Used::is_gone)
    }

    /// Runs it, unless the closure has to be there. Returns whether it ran.
    fn replay(&self, view: &AcceleratorView, stream: &Arc<Stream>) -> Result<bool> {
        let mut held: Vec<_> = self.used.iter().map(|used| (used, used.hold())).collect();
        let may_run = |(used, held): &(&Used, Held<'_>)| used.allows_replay(held, stream);
        if !held.iter().all(may_run) {
            return Ok(false);
        }
        stream.replay(&self.commands)?;
        let mut others = Writers::default();
        for (_, held) in held.iter().filter(|(used, _)| used.written().is_empty()) {
            others.add_all(held.writers());
        }
        for (used, held) in &mut held {
            held.written((view, stream), used.written(), [used.sources(), &others]);
        }
        Ok(true)
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
