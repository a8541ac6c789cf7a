//! The one protocol of the run time whose correctness rests on the orders of atomic accesses:
//! how a view knows without a lock that the host has its elements (`residency/seen.rs`). All
//! else that threads share is behind locks, or is a hint that a lock confirms.
//!
//! loom runs what threads do in every order, and with every value that an access may see:
//!
//! ```sh
//! RUSTFLAGS="--cfg loom" cargo test -p amp-runtime --test loom
//! ```

#![cfg(loom)]

use loom::cell::UnsafeCell;
use loom::sync::{Arc, Mutex};
use loom::thread;

#[allow(dead_code)]
#[path = "../src/residency/seen.rs"]
mod seen;

use seen::{Epoch, Finding, Seen};

/// What `seen.rs` takes its atomics from.
mod atomic {
    pub(crate) use loom::sync::atomic::Ordering;

    #[derive(Debug, Default)]
    pub(crate) struct AtomicU64(loom::sync::atomic::AtomicU64);

    impl AtomicU64 {
        pub(crate) fn new(value: u64) -> Self {
            Self(loom::sync::atomic::AtomicU64::new(value))
        }

        pub(crate) fn load(&self, order: Ordering) -> u64 {
            self.0.load(order)
        }

        pub(crate) fn store(&self, value: u64, order: Ordering) {
            self.0.store(value, order);
        }

        pub(crate) fn fetch_add(&self, value: u64, order: Ordering) -> u64 {
            self.0.fetch_add(value, order)
        }

        /// loom lends no reference to what is in there.
        pub(crate) fn get_mut(&mut self) -> Box<u64> {
            Box::new(self.0.with_mut(|value| *value))
        }
    }
}

/// One element of an allocation with a copy on the host and one on a device.
struct Allocation {
    epoch: Epoch,
    /// Whether the host's copy is current.
    state: Mutex<bool>,
    host: UnsafeCell<u32>,
    device: UnsafeCell<u32>,
}

impl Allocation {
    fn new() -> Self {
        Self {
            epoch: Epoch::default(),
            state: Mutex::new(false),
            host: UnsafeCell::new(0),
            device: UnsafeCell::new(1),
        }
    }

    /// The element as `Window::element` reads it.
    fn element(&self, seen: &Seen) -> u32 {
        if !seen.is_current(self.epoch.now()) {
            let epoch = self.epoch.now();
            self.to_host();
            seen.note(epoch, Finding::Current);
        }
        // SAFETY: the host has it, and nothing writes it while a view of it is shared.
        self.host.with(|element| unsafe { *element })
    }

    /// Writes the element as `Window::element_mut` does. Returns whether that took the lock.
    fn set(&self, seen: &mut Seen, value: u32) -> bool {
        let is_only = seen.is_only(self.epoch.now());
        if !is_only {
            let epoch = self.epoch.now();
            self.to_host();
            seen.note(epoch, Finding::Only);
        }
        // SAFETY: the caller's view is not shared.
        self.host.with_mut(|element| unsafe { *element = value });
        !is_only
    }

    fn to_host(&self) {
        let mut is_current = self.state.lock().unwrap();
        if !*is_current {
            // SAFETY: under the lock; nothing else looks at what is stale.
            let value = self.device.with(|element| unsafe { *element });
            self.host.with_mut(|element| unsafe { *element = value });
            *is_current = true;
        }
    }

    /// A kernel writes the element, launched by who has the view alone.
    fn launch(&self, value: u32) {
        let mut is_current = self.state.lock().unwrap();
        // SAFETY: under the lock.
        self.device.with_mut(|element| unsafe { *element = value });
        *is_current = false;
        self.epoch.advance();
    }
}

/// Two threads look at one view, which neither has looked at before.
fn look_together(allocation: Arc<Allocation>, seen: Seen, wanted: u32) -> (Arc<Allocation>, Seen) {
    let seen = Arc::new(seen);
    let (allocation_there, seen_there) = (Arc::clone(&allocation), Arc::clone(&seen));
    let there = thread::spawn(move || allocation_there.element(&seen_there));
    assert_eq!(allocation.element(&seen), wanted);
    // Now it is known.
    assert_eq!(allocation.element(&seen), wanted);
    assert_eq!(there.join().unwrap(), wanted);
    let seen = Arc::try_unwrap(seen).unwrap_or_else(|_| panic!("the other thread has ended"));
    (allocation, seen)
}

#[test]
fn who_finds_that_another_thread_has_brought_it_sees_it() {
    loom::model(|| {
        look_together(Arc::new(Allocation::new()), Seen::default(), 1);
    });
}

#[test]
fn what_a_kernel_of_another_thread_wrote_is_looked_for_again() {
    loom::model(|| {
        let (allocation, seen) = look_together(Arc::new(Allocation::new()), Seen::default(), 1);
        let other = Arc::clone(&allocation);
        thread::spawn(move || other.launch(2)).join().unwrap();
        look_together(allocation, seen, 2);
    });
}

#[test]
fn a_view_that_goes_from_thread_to_thread_is_written_in_place() {
    loom::model(|| {
        let allocation = Arc::new(Allocation::new());
        let mut seen = Seen::default();
        assert!(allocation.set(&mut seen, 5), "nothing was known");
        let other = Arc::clone(&allocation);
        let there = thread::spawn(move || {
            assert!(!other.set(&mut seen, 6), "it was known");
            seen
        });
        let mut seen = there.join().unwrap();
        assert_eq!(allocation.element(&seen), 6);
        allocation.launch(7);
        assert!(!seen.is_only(allocation.epoch.now()));
        assert_eq!(allocation.element(&seen), 7);
    });
}

/// A part of a view knows what the view knows, on whatever thread it is made.
#[test]
fn a_part_of_a_view_that_another_thread_has_looked_at_is_seen() {
    loom::model(|| {
        let (allocation, seen) = (Arc::new(Allocation::new()), Arc::new(Seen::default()));
        let (allocation_there, seen_there) = (Arc::clone(&allocation), Arc::clone(&seen));
        let there = thread::spawn(move || {
            let part = Seen::clone(&seen_there);
            allocation_there.element(&part)
        });
        assert_eq!(allocation.element(&seen), 1);
        assert_eq!(there.join().unwrap(), 1);
    });
}
