//! Gathering what happens on a view while it is profiled.
//!
//! A view's [`Profiler`] keeps one log, for as long as a profile is being taken. Several may
//! be, one within the other or by several threads: each has what the log got from its start
//! to its end. Outside of profiles all that is done is to look whether there is one.

use std::cell::OnceCell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::types::event::Activity;

/// Where something takes place on a view, or for it.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// The launches of a queue with this number.
    Queue(usize),
    /// Its transfers.
    Transfers(usize),
    /// The thread of this name.
    Thread(Arc<str>),
}

/// When something started and ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Times {
    /// By the host's clock.
    Host([Instant; 2]),
    /// By the clock of the view's device, with that many valid bits.
    Ticks([u64; 2], u32),
}

/// What happened.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub(crate) place: Place,
    pub(crate) activity: Activity,
    pub(crate) times: Times,
}

/// What gathers for a view.
#[derive(Debug)]
pub(crate) struct Profiler {
    /// Distinguishes the view from all others of the process, for people.
    view: u64,
    /// Profiles that are being taken.
    taken: AtomicUsize,
    log: Mutex<Vec<Note>>,
}

/// A profile that is being taken.
pub(crate) struct Session<'p> {
    profiler: &'p Profiler,
    begin: Instant,
    /// What the log had at the start.
    start: usize,
}

impl Place {
    /// The thread that asks.
    pub(crate) fn here() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        thread_local! {
            static NAME: OnceCell<Arc<str>> = const { OnceCell::new() };
        }
        let name = || -> Arc<str> {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            match std::thread::current().name() {
                Some("main") => "main".into(),
                // Names may be given twice.
                Some(name) => format!("{name} (thread {number})").into(),
                None => format!("thread {number}").into(),
            }
        };
        let known = NAME.try_with(|known| Arc::clone(known.get_or_init(name)));
        // The variables of a thread that ends may be gone.
        Self::Thread(known.unwrap_or_else(|_| name()))
    }
}

impl Profiler {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            view: NEXT.fetch_add(1, Ordering::Relaxed),
            taken: AtomicUsize::new(0),
            log: Mutex::default(),
        }
    }

    /// What tells the view from all others of the process.
    pub(crate) fn view_number(&self) -> u64 {
        self.view
    }

    /// Whether a profile is being taken.
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > 0
    }

    /// Adds to the log, if a profile is being taken.
    pub(crate) fn add(&self, note: Note) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        // Looked at with the log locked: the last profile empties it.
        if self.is_on() {
            log.push(note);
        }
    }

    /// Does something, and if a profile is being taken adds how long it took.
    #[inline]
    pub(crate) fn timed<R>(
        &self,
        what: impl FnOnce() -> (Place, Activity),
        work: impl FnOnce() -> R,
    ) -> R {
        if !self.is_on() {
            return work();
        }
        let start = Instant::now();
        let result = work();
        let times = Times::Host([start, Instant::now()]);
        let (place, activity) = what();
        self.add(Note {
            place,
            activity,
            times,
        });
        result
    }

    /// Starts to take a profile.
    pub(crate) fn start(&self) -> Session<'_> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        self.taken.fetch_add(1, Ordering::Relaxed);
        Session {
            profiler: self,
            begin: Instant::now(),
            start: log.len(),
        }
    }
}

impl Session<'_> {
    /// The start and the end of the profile, and what happened between.
    pub(crate) fn finish(self) -> (Instant, Instant, Vec<Note>) {
        let log = self.profiler.log.lock();
        let notes = log.unwrap_or_else(PoisonError::into_inner)[self.start..].to_vec();
        (self.begin, Instant::now(), notes)
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        let mut log = self
            .profiler
            .log
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if self.profiler.taken.fetch_sub(1, Ordering::Relaxed) == 1 {
            *log = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(profiler: &Profiler) {
        profiler.timed(|| (Place::here(), Activity::Wait), || ());
    }

    #[test]
    fn each_profile_has_what_happened_in_it() {
        let profiler = Profiler::new();
        wait(&profiler);
        let outer = profiler.start();
        wait(&profiler);
        let inner = profiler.start();
        wait(&profiler);
        wait(&profiler);
        assert_eq!(inner.finish().2.len(), 2);
        wait(&profiler);
        assert_eq!(outer.finish().2.len(), 4);
        assert!(!profiler.is_on());
        wait(&profiler);
        assert!(profiler.log.lock().unwrap().is_empty());
    }

    /// A variable of a thread may hold a view, which waits when the thread ends.
    #[test]
    fn a_thread_that_ends_still_is_a_place() {
        struct Last;
        impl Drop for Last {
            fn drop(&mut self) {
                Place::here();
            }
        }
        thread_local!(static LAST: Last = const { Last });
        let thread = std::thread::spawn(|| {
            // The other variable of the thread goes before it.
            LAST.with(|_| Place::here());
        });
        thread.join().unwrap();
    }

    #[test]
    fn a_panic_ends_a_profile() {
        let profiler = Profiler::new();
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _session = profiler.start();
            panic!("in the profiled work");
        }));
        assert!(outcome.is_err());
        assert!(!profiler.is_on());
    }
}
