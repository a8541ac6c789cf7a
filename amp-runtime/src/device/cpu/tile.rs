//! Tiles whose threads meet at barriers: each thread is a coroutine.
//!
//! The coroutines of a tile take turns on one OS thread. In a *round* each runs until
//! it waits at a barrier or ends; if all of them wait at the same barrier, the next
//! round begins, and if all have ended, the tile is done. Everything else is a
//! divergent barrier: a fault that ends the tile, and never a hang.

use std::any::Any;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

use corosensei::{Coroutine, CoroutineResult};

use super::check::Ordered;
use super::context::{Barrier, Context};
use super::fault::{FaultSink, Order};
use super::stack::{self, Stack};
use crate::types::error::Result;

type Thread = Coroutine<(), Barrier, (), Stack>;

/// Waits for the other threads of the tile: what all of
/// [`TileBarrier`](crate::TileBarrier)'s waits do.
///
/// # Panics
///
/// If no tile with barriers runs here, which takes a barrier that the artifact of the
/// kernel denies having.
#[inline]
#[track_caller]
pub(crate) fn wait(ordered: Ordered) {
    let barrier = Location::caller();
    let waited = Context::with_current(|context| context.suspend((barrier, ordered)));
    assert!(
        waited == Some(true),
        "a tile barrier outside of a launch with barriers"
    );
}

/// Why a tile could not run to its end.
enum Trouble {
    /// Thread `waiting` of the tile waits at `barrier`, while `other` has ended or
    /// waits at another one.
    Divergence {
        waiting: usize,
        barrier: Barrier,
        other: usize,
        other_barrier: Option<Barrier>,
    },
    /// The running thread panicked.
    Panic(Box<dyn Any + Send>),
}

/// The coroutines of one tile at a time, with the stacks that they use in turn.
pub(super) struct Crew {
    /// Those of threads that have ended.
    stacks: Vec<Stack>,
    /// Those that have started. Empty between tiles.
    threads: Vec<Thread>,
}

impl Crew {
    /// A crew for tiles of `count` threads, each of which needs `need` bytes of stack.
    pub(super) fn new(count: usize, need: u64) -> Result<Self> {
        let stacks = stack::take(count, need)?;
        Ok(Self {
            stacks,
            threads: Vec::with_capacity(count),
        })
    }

    /// Runs a tile of as many threads as the crew has: `body` with each thread's number
    /// in the tile. `first` is the first one's number in the launch, and `name` turns
    /// such a number into an index for a message.
    pub(super) fn run(
        &mut self,
        context: &Context<'_>,
        first: usize,
        name: impl Fn(usize) -> Vec<usize>,
        body: &impl Fn(usize),
    ) {
        context.enter_tile(first, self.stacks.len());
        let outcome = catch_unwind(AssertUnwindSafe(|| self.rounds(context, first, body)));
        let outcome = outcome.unwrap_or_else(|payload| Err(Trouble::Panic(payload)));
        if let Err(trouble) = outcome {
            let (order, thread) = context.place();
            // First of all: the threads borrow what the caller may drop.
            self.abandon(context.sink());
            match trouble {
                Trouble::Panic(payload) => context.sink().panicked(order, thread, &*payload),
                Trouble::Divergence {
                    waiting,
                    barrier,
                    other,
                    other_barrier,
                } => {
                    let message = || divergence(&name(first + other), other_barrier);
                    let (order, thread) = (Order::new(first, (0, 0)), first + waiting);
                    context
                        .sink()
                        .offer(order, thread, Some(barrier.0), message);
                }
            }
        }
        let ended = self.threads.drain(..).map(Thread::into_stack);
        self.stacks.extend(ended);
        context.leave_tile();
    }

    /// Runs the threads until all have ended, or something is wrong.
    fn rounds(
        &mut self,
        context: &Context<'_>,
        first: usize,
        body: &impl Fn(usize),
    ) -> Result<(), Trouble> {
        let mut round = Round::default();
        // As many as there are stacks, each started as soon as it is made.
        while let Some(stack) = self.stacks.pop() {
            let number = self.threads.len();
            let start = move |yielder: &_, ()| {
                context.start_coroutine(first + number, yielder);
                body(number);
            };
            // SAFETY: `context` and `body` outlive the coroutine: `run`, which borrows
            // both, does not return before every coroutine has ended or was abandoned.
            self.threads
                .push(unsafe { Thread::with_stack_unchecked(stack, start) });
            round.note(number, self.threads[number].resume(()))?;
        }
        while let Some((_, ordered)) = round.barrier {
            if let Some(checker) = context.checker() {
                checker.pass_barrier(ordered);
            }
            round = Round::default();
            for (number, thread) in self.threads.iter_mut().enumerate() {
                round.note(number, thread.resume(()))?;
            }
        }
        Ok(())
    }

    /// Ends the threads that have not ended, wherever they are.
    #[cold]
    fn abandon(&mut self, sink: &FaultSink) {
        if cfg!(panic = "abort") {
            // Nothing unwinds in such a program. The stacks are never used again, nor
            // freed, so what is on them stays as it is; one tile a worker is enough.
            sink.stop();
            for thread in self.threads.drain(..) {
                if thread.done() {
                    self.stacks.push(thread.into_stack());
                } else {
                    std::mem::forget(thread);
                }
            }
            return;
        }
        for thread in &mut self.threads {
            // A panic in a destructor on that stack ends the coroutine as well; the
            // launch has its fault already.
            let _ = catch_unwind(AssertUnwindSafe(|| thread.force_unwind()));
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        stack::give_back(std::mem::take(&mut self.stacks));
    }
}

/// What the threads did so far in a round: all wait at `barrier`, or all have ended.
#[derive(Default)]
struct Round {
    barrier: Option<Barrier>,
}

impl Round {
    /// Notes what thread `number` did; the threads come in order, from 0.
    #[inline]
    fn note(&mut self, number: usize, result: CoroutineResult<Barrier, ()>) -> Result<(), Trouble> {
        let barrier = result.as_yield();
        if number == 0 {
            self.barrier = barrier;
            return Ok(());
        }
        let same = match (self.barrier, barrier) {
            (None, None) => true,
            // One place may have several addresses, if it is instantiated twice.
            (Some((a, _)), Some((b, _))) => std::ptr::eq(a, b) || a == b,
            _ => false,
        };
        if same {
            Ok(())
        } else {
            Err(self.divergence(number, barrier))
        }
    }

    #[cold]
    fn divergence(&self, number: usize, barrier: Option<Barrier>) -> Trouble {
        match (self.barrier, barrier) {
            (Some(first), other_barrier) => Trouble::Divergence {
                waiting: 0,
                barrier: first,
                other: number,
                other_barrier,
            },
            (None, Some(barrier)) => Trouble::Divergence {
                waiting: number,
                barrier,
                other: 0,
                other_barrier: None,
            },
            (None, None) => unreachable!("threads that have all ended do not diverge"),
        }
    }
}

/// The words of a divergent barrier, where thread `other` has ended or waits elsewhere.
fn divergence(other: &[usize], barrier: Option<Barrier>) -> String {
    let start = format!("divergent barrier: this thread waits here, but thread {other:?} of its");
    match barrier {
        Some((place, _)) => format!("{start} tile waits at {place}"),
        None => format!("{start} tile has ended"),
    }
}
