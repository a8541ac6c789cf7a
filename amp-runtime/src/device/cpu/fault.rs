//! Faults: what the first one of a launch was.
//!
//! "First" is the same in every run of a kernel without races: the fault of the thread
//! that comes first in row-major order, or, where threads meet at barriers, the first
//! one in time of the tile that comes first.

use std::any::Any;
use std::fmt;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use amp_spirv::artifact::FaultKind;

use super::context::Context;
use crate::types::error::fault_message;

/// Reports a fault of the current thread at the caller. Outside of a launch, where a
/// kernel's function runs as plain Rust, it panics as Rust does.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn raise(kind: FaultKind, operands: [usize; 2]) {
    if !offer(Location::caller(), || fault_message(kind, operands)) {
        match kind {
            FaultKind::ArrayOutOfBounds => panic!(
                "index out of bounds: the len is {} but the index is {}",
                operands[1], operands[0]
            ),
            _ => panic!("{}", fault_message(kind, operands)),
        }
    }
}

/// Reports a fault in the user's words, as [`raise`] does.
#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn raise_with(words: fmt::Arguments<'_>) {
    if !offer(Location::caller(), || words.to_string()) {
        panic!("{words}");
    }
}

/// Offers a fault of the current thread to its launch; false if there is none.
fn offer(location: &'static Location<'static>, message: impl FnOnce() -> String) -> bool {
    let reported = Context::with_current(|context| {
        let (order, thread) = context.place();
        context.sink().offer(order, thread, Some(location), message);
    });
    reported.is_some()
}

/// A fault of a launch.
#[derive(Debug)]
pub(super) struct Fault {
    order: usize,
    /// Number of the thread in the launch.
    pub(super) thread: usize,
    /// Where in the source, if that is known (of a panic it is not).
    pub(super) location: Option<&'static Location<'static>>,
    pub(super) message: String,
}

/// Collects the faults of one launch and keeps the first.
#[derive(Debug)]
pub(super) struct FaultSink {
    /// Order of the kept fault, `usize::MAX` before there is one. Only a hint that
    /// saves the lock; `kept` decides.
    order: AtomicUsize,
    kept: Mutex<Option<Fault>>,
    stopped: AtomicBool,
}

impl Default for FaultSink {
    fn default() -> Self {
        Self {
            order: AtomicUsize::new(usize::MAX),
            kept: Mutex::new(None),
            stopped: AtomicBool::new(false),
        }
    }
}

impl FaultSink {
    /// Keeps this fault if it comes before the one kept so far.
    pub(super) fn offer(
        &self,
        order: usize,
        thread: usize,
        location: Option<&'static Location<'static>>,
        message: impl FnOnce() -> String,
    ) {
        if order >= self.order.load(Ordering::Relaxed) {
            return;
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_none_or(|kept| order < kept.order) {
            *kept = Some(Fault {
                order,
                thread,
                location,
                message: message(),
            });
            self.order.store(order, Ordering::Relaxed);
        }
    }

    /// Keeps a panic of the twin as a fault and ends the launch early: what the
    /// panicking thread left half done is nothing to go on with.
    pub(super) fn panicked(&self, order: usize, thread: usize, payload: &(dyn Any + Send)) {
        let text = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("the kernel panicked with a value that is no text");
        self.offer(order, thread, None, || text.to_owned());
        self.stop();
    }

    /// Asks all workers to take no more threads.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    pub(super) fn into_first(self) -> Option<Fault> {
        self.kept
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_in_order_is_kept() {
        let sink = FaultSink::default();
        for order in [7, 3, 9, 3] {
            sink.offer(order, order, None, || format!("fault {order}"));
        }
        let first = sink.into_first().expect("there were faults");
        assert_eq!((first.thread, first.message.as_str()), (3, "fault 3"));
    }

    #[test]
    #[should_panic = "attempt to divide with overflow"]
    fn outside_a_launch_it_is_a_panic() {
        raise(FaultKind::DivisionOverflow, [0, 0]);
    }

    #[test]
    #[should_panic = "no sum of 3"]
    fn outside_a_launch_words_are_a_panic() {
        raise_with(format_args!("no sum of {}", 3));
    }
}
