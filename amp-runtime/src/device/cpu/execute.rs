//! Launches: every thread of a domain, shared out over rayon's workers.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use amp_spirv::artifact::Artifact;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::Views;
use super::apart::{self, apart};
use super::context::{Context, Sinks};
use super::numbering::Numbering;
use super::stack::{MAX_STACKS, with_room};
use super::threads::{Threads, Turns};
use super::tile::Crew;
use crate::device::print::{KernelPrint, in_order};
use crate::types::error::{Error, Result};
use crate::types::index::KernelIndex;

/// Fewer threads than this are not worth waking a worker for.
const MIN_THREADS: usize = 32;

/// Pieces of work for each worker, so that they end at about the same time.
const PIECES: usize = 16;

/// One launch on the CPU accelerator.
pub(crate) struct Launch<'a> {
    pub(crate) artifact: &'a Artifact,
    /// What a thread takes of a stack, in bytes.
    pub(crate) stack: u64,
    /// The domain in threads, with as many components as the kernel's index; whole
    /// tiles for a tiled kernel.
    pub(crate) extent: Vec<usize>,
    pub(crate) views: Views,
    /// What its threads have printed, once it has run.
    pub(crate) printed: Mutex<Vec<KernelPrint>>,
}

/// Runs `body` for all threads of a launch that do not meet at barriers, piece by piece, and waits
/// for it.
///
/// # Errors
///
/// [`Error::KernelFault`] with the first fault; the launch ran to its end nevertheless,
/// unless the kernel panicked.
pub(crate) fn execute<I, F>(body: &F, launch: &Launch<'_>) -> Result<()>
where
    I: KernelIndex,
    F: Fn(&Views, Threads<'_, I>) + Sync,
{
    let domain = Numbering::<I>::new(&launch.extent)?;
    let sinks = Sinks::default();
    let (count, grain) = match I::TILE {
        None => (domain.threads, MIN_THREADS),
        Some(_) => (domain.tiles, (MIN_THREADS / domain.tile_threads).max(1)),
    };
    share(count, grain, usize::MAX, &sinks, |context, queue| {
        with_room(launch.stack, || {
            each_piece(context, queue, |numbers| {
                let threads = Threads {
                    domain: &domain,
                    context,
                    numbers,
                };
                body(&launch.views, threads);
            });
        })
    })?;
    tell(launch, &domain, sinks)
}

/// The same for a tiled kernel whose threads meet at barriers.
///
/// # Errors
///
/// As [`execute`]; [`Error::UnsupportedFeature`] if the system has no room for the stacks.
pub(crate) fn execute_in_turns<I, F>(body: &F, launch: &Launch<'_>) -> Result<()>
where
    I: KernelIndex,
    F: Fn(&Views, Turns<'_, I>) + Sync,
{
    let domain = Numbering::<I>::new(&launch.extent)?;
    let sinks = Sinks::default();
    let crews = (MAX_STACKS / domain.tile_threads).max(1);
    share(domain.tiles, 1, crews, &sinks, |context, queue| {
        let mut crew = Crew::new(domain.tile_threads, launch.stack)?;
        each_piece(context, queue, |tiles| {
            let turns = Turns {
                domain: &domain,
                context,
                crew: &mut crew,
                tiles,
            };
            body(&launch.views, turns);
        });
        Ok(())
    })?;
    tell(launch, &domain, sinks)
}

/// Leaves what the threads have printed, and returns their first fault.
fn tell<I: KernelIndex>(
    launch: &Launch<'_>,
    domain: &Numbering<'_, I>,
    sinks: Sinks,
) -> Result<()> {
    let (said, count) = sinks.prints.into_kept();
    if count > 0 {
        let prints = said.into_iter().map(|said| KernelPrint {
            kernel: launch.artifact.name.to_string(),
            thread: domain.index(said.thread),
            stream: said.stream,
            text: said.text,
        });
        let mut printed = launch
            .printed
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        printed.extend(in_order(&launch.artifact.name, prints.collect(), count));
    }
    match sinks.faults.into_first() {
        None => Ok(()),
        Some(fault) => Err(Error::KernelFault(Box::new(
            domain.report(launch.artifact, fault),
        ))),
    }
}

/// Work that is not taken yet: the numbers from `next` to `end`.
struct Queue {
    next: AtomicUsize,
    end: usize,
    piece: usize,
}

impl Queue {
    /// Takes the next piece.
    fn take(&self) -> Option<Range<usize>> {
        let past = |start: usize| start + self.piece.min(self.end - start);
        self.next
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |start| {
                (start < self.end).then(|| past(start))
            })
            .ok()
            .map(|start| start..past(start))
    }
}

/// Runs `work` on up to `most` workers, which take pieces of `0..count` from the queue,
/// at least `grain` at a time. The first error wins.
fn share(
    count: usize,
    grain: usize,
    most: usize,
    sinks: &Sinks,
    work: impl Fn(&Context<'_>, &Queue) -> Result<()> + Sync,
) -> Result<()> {
    let workers = most.min(count.div_ceil(grain));
    let workers = if workers > 1 {
        workers.min(apart::count())
    } else {
        workers
    };
    let piece = grain.max(count / (workers.max(1) * PIECES));
    let queue = Queue {
        next: AtomicUsize::new(0),
        end: count,
        piece,
    };
    let worker = || {
        let context = Context::new(sinks);
        context.enter(|| work(&context, &queue))
    };
    if workers <= 1 {
        return worker();
    }
    let failure = Mutex::new(None);
    apart(|| {
        (0..workers).into_par_iter().with_max_len(1).for_each(|_| {
            if let Err(error) = worker() {
                failure
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .get_or_insert(error);
                sinks.faults.stop();
            }
        });
    })?;
    failure
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .map_or(Ok(()), Err)
}

/// Calls `run` with each piece, until the queue is empty or the launch is stopped. A
/// panic becomes the launch's fault.
fn each_piece(context: &Context<'_>, queue: &Queue, mut run: impl FnMut(Range<usize>)) {
    while !context.sink().stopped()
        && let Some(piece) = queue.take()
    {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| run(piece))) {
            let (order, thread) = context.place();
            context.sink().panicked(order, thread, &*payload);
        }
    }
}
