//! Faults: what the first one of a launch was.
//!
//! "First" is the same in every run of a kernel without races: the fault of the thread
//! that comes first in row-major order, or, where threads meet at barriers, the first
//! one in time of the tile that comes first, whose threads go from barrier to barrier one after another.

use std::any::Any;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Where a fault comes in the order of faults. Of two at the same place, the first in time comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order {
    /// The thread, or the first of its tile.
    first: usize,
    /// Where threads run in lockstep: how many barriers they have passed, and the thread.
    since_barrier: (usize, usize),
}

impl Order {
    pub(super) fn new(first: usize, since_barrier: (usize, usize)) -> Self {
        Self {
            first,
            since_barrier,
        }
    }
}

/// A fault of a launch.
#[derive(Debug)]
pub(super) struct Fault {
    order: Order,
    /// Number of the thread in the launch.
    pub(super) thread: usize,
    /// Where in the source, if that is known (of a panic it is not).
    pub(super) location: Option<&'static Location<'static>>,
    pub(super) message: String,
}

/// Collects the faults of one launch and keeps the first.
#[derive(Debug)]
pub(super) struct FaultSink {
    /// `first` of the kept fault, `usize::MAX` before there is one. Only a hint that
    /// saves the lock; `kept` decides.
    first: AtomicUsize,
    kept: Mutex<Option<Fault>>,
    stopped: AtomicBool,
}

impl Default for FaultSink {
    fn default() -> Self {
        Self {
            first: AtomicUsize::new(usize::MAX),
            kept: Mutex::new(None),
            stopped: AtomicBool::new(false),
        }
    }
}

impl FaultSink {
    /// Keeps this fault if it comes before the one kept so far.
    pub(super) fn offer(
        &self,
        order: Order,
        thread: usize,
        location: Option<&'static Location<'static>>,
        message: impl FnOnce() -> String,
    ) {
        if order.first > self.first.load(Ordering::Relaxed) {
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
            self.first.store(order.first, Ordering::Relaxed);
        }
    }

    /// Keeps a panic of the host version as a fault and ends the launch early: what the
    /// panicking thread left half done is nothing to go on with.
    pub(super) fn panicked(&self, order: Order, thread: usize, payload: &(dyn Any + Send)) {
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
        let orders = [(7, 0), (3, 1), (9, 0), (3, 2), (3, 0), (3, 0)];
        for (at, (first, passed)) in orders.into_iter().enumerate() {
            let order = Order::new(first, (passed, first));
            sink.offer(order, first, None, || format!("fault {at}"));
        }
        let first = sink.into_first().expect("there were faults");
        assert_eq!((first.thread, first.message.as_str()), (3, "fault 4"));
    }
}
