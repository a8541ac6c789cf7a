//! What a kernel's code finds while it runs: the launch's faults and prints, which thread it is,
//! its tile's memory and the way back to the tile's scheduler.
//!
//! The host version's functions carry no such argument, so a worker leaves a pointer in a
//! thread-local. All coroutines of a tile run on their worker's OS thread.

use std::cell::Cell;
use std::panic::Location;
use std::ptr;

use super::check::{Checker, Ordered};
use super::fault::{FaultSink, Order};
use super::lanes::Lanes;
use super::pool::Pool;
use super::print::PrintSink;
use super::tile_memory::TileMemory;

/// A barrier that a thread waits at: where, and what it orders.
pub(super) type Barrier = (&'static Location<'static>, Ordered);

/// The way from a coroutine back to its scheduler, with the barrier it waits at.
pub(super) type Yielder = corosensei::Yielder<(), Barrier>;

/// What the threads of a launch tell the host.
#[derive(Default)]
pub(super) struct Sinks {
    pub(super) faults: FaultSink,
    pub(super) prints: PrintSink,
}

/// The state of one worker of a launch.
pub(super) struct Context<'a> {
    sinks: &'a Sinks,
    memory: TileMemory,
    lanes: Lanes,
    pool: Pool,
    /// Number of the running thread in the launch.
    thread: Cell<usize>,
    /// Number of the first thread of the running tile if its threads meet at barriers, else
    /// `usize::MAX`.
    tile: Cell<usize>,
    /// How many barriers a tile has passed whose threads run in lockstep; nothing if they take turns.
    passed: Cell<Option<usize>>,
    /// The running coroutine's way out; null in a plain loop.
    yielder: Cell<*const Yielder>,
    /// What checks the launch, in checked mode.
    checker: Option<&'a Checker<'a>>,
}

thread_local! {
    static CURRENT: Cell<*const Context<'static>> = const { Cell::new(ptr::null()) };
}

impl<'a> Context<'a> {
    pub(super) fn new(sinks: &'a Sinks) -> Self {
        Self {
            sinks,
            memory: TileMemory::default(),
            lanes: Lanes::default(),
            pool: Pool::default(),
            thread: Cell::new(0),
            tile: Cell::new(usize::MAX),
            passed: Cell::new(None),
            yielder: Cell::new(ptr::null()),
            checker: None,
        }
    }

    /// The same, in checked mode.
    pub(super) fn checked(sinks: &'a Sinks, checker: &'a Checker<'a>) -> Self {
        Self {
            checker: Some(checker),
            ..Self::new(sinks)
        }
    }

    pub(super) fn checker(&self) -> Option<&Checker<'a>> {
        self.checker
    }

    /// Runs `work` with this context as the OS thread's current one.
    pub(super) fn enter<R>(&self, work: impl FnOnce() -> R) -> R {
        struct Restore(*const Context<'static>);
        impl Drop for Restore {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }
        let _restore = Restore(CURRENT.replace(ptr::from_ref(self).cast()));
        work()
    }

    /// Calls `read` with the current context, if a launch runs on this OS thread.
    #[inline]
    pub(super) fn with_current<R>(read: impl FnOnce(&Context<'_>) -> R) -> Option<R> {
        // SAFETY: `enter` sets the pointer to a context that outlives its call and
        // takes it back before it returns; a suspended coroutine does not come here.
        unsafe { CURRENT.get().as_ref() }.map(read)
    }

    pub(super) fn sink(&self) -> &FaultSink {
        &self.sinks.faults
    }

    pub(super) fn prints(&self) -> &PrintSink {
        &self.sinks.prints
    }

    pub(super) fn memory(&self) -> &TileMemory {
        &self.memory
    }

    /// Says which thread runs from here on. In the hot loop: it is one store.
    #[inline(always)]
    pub(super) fn set_thread(&self, thread: usize) {
        self.thread.set(thread);
    }

    /// Says that the `count` threads from `first` on take turns, until
    /// [`leave_tile`](Self::leave_tile).
    pub(super) fn enter_tile(&self, first: usize, count: usize) {
        self.tile.set(first);
        self.passed.set(None);
        self.lanes.enter_tile(count);
        if let Some(checker) = self.checker {
            checker.enter_tile(first, count);
        }
    }

    pub(super) fn leave_tile(&self) {
        self.tile.set(usize::MAX);
        self.yielder.set(ptr::null());
    }

    /// Says that the threads of a tile from number `first` on run in lockstep; or, if that is
    /// `usize::MAX`, threads that meet at no barrier.
    #[inline]
    pub(super) fn enter_group(&self, first: usize) {
        self.tile.set(first);
        self.passed.set(Some(0));
    }

    /// Says that the threads of the tile are all at a barrier.
    #[inline]
    pub(super) fn pass_barrier(&self) {
        self.passed.set(self.passed.get().map(|passed| passed + 1));
    }

    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }

    pub(super) fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    /// Number of the running thread in its tile; nothing if its threads do not take turns.
    pub(super) fn thread_of_tile(&self) -> Option<usize> {
        self.thread.get().checked_sub(self.tile.get())
    }

    /// Number of the running thread in the launch.
    pub(super) fn thread(&self) -> usize {
        self.thread.get()
    }

    /// Where the running thread's faults come in the order of faults, and its number.
    pub(super) fn place(&self) -> (Order, usize) {
        let (thread, tile) = (self.thread.get(), self.tile.get());
        let since_barrier = self.passed.get().map_or((0, 0), |passed| (passed, thread));
        (Order::new(thread.min(tile), since_barrier), thread)
    }

    /// Tells the context that coroutine `thread` runs for the first time.
    #[inline]
    pub(super) fn start_coroutine(&self, thread: usize, yielder: &Yielder) {
        self.thread.set(thread);
        self.yielder.set(yielder);
    }

    /// Suspends the running coroutine at a barrier. False if this is no coroutine.
    #[inline]
    pub(super) fn suspend(&self, barrier: Barrier) -> bool {
        let (thread, yielder) = (self.thread.get(), self.yielder.get());
        // SAFETY: the pointer is that of the running coroutine, which put it there when
        // it started and below whenever it went on; the yielder is on its own stack.
        let Some(way) = (unsafe { yielder.as_ref() }) else {
            return false;
        };
        way.suspend(barrier);
        self.thread.set(thread);
        self.yielder.set(yielder);
        true
    }
}
