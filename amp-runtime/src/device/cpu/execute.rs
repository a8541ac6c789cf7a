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
use super::fault::Fault;
use super::stack::{MAX_STACKS, with_room};
use super::tile::Crew;
use crate::device::print::{KernelPrint, in_order};
use crate::types::error::{Error, KernelFault, Result};
use crate::types::index::{KernelIndex, checked_size};

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

/// Runs `body` for every thread of the launch and waits for it.
///
/// # Errors
///
/// [`Error::KernelFault`] with the first fault; the launch ran to its end nevertheless,
/// unless the kernel panicked.
pub(crate) fn execute<I, F>(body: &F, launch: &Launch<'_>) -> Result<()>
where
    I: KernelIndex,
    F: Fn(I, &Views) + Sync,
{
    let domain = Numbering::<I>::new(&launch.extent)?;
    let sinks = Sinks::default();
    let run = |index| body(index, &launch.views);
    match I::TILE {
        None => share(
            domain.threads,
            MIN_THREADS,
            usize::MAX,
            &sinks,
            |context, queue| {
                with_room(launch.stack, || {
                    each_piece(context, queue, |threads| {
                        domain.points(context, threads, &run)
                    });
                })
            },
        ),
        Some(_) if !launch.artifact.has_barrier => {
            let grain = (MIN_THREADS / domain.tile_threads).max(1);
            share(domain.tiles, grain, usize::MAX, &sinks, |context, queue| {
                with_room(launch.stack, || {
                    each_piece(context, queue, |tiles| domain.loops(context, tiles, &run));
                })
            })
        }
        Some(_) => {
            let crews = (MAX_STACKS / domain.tile_threads).max(1);
            share(domain.tiles, 1, crews, &sinks, |context, queue| {
                let mut crew = Crew::new(domain.tile_threads, launch.stack)?;
                while let Some(tiles) = queue.take() {
                    for tile in tiles {
                        if context.sink().stopped() {
                            return Ok(());
                        }
                        domain.turns(context, &mut crew, tile, &run);
                    }
                }
                Ok(())
            })
        }
    }?;
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

/// The threads of a launch and their numbers: of an untiled kernel the row-major
/// position, of a tiled one tile after tile and within a tile row-major.
struct Numbering<'a, I: KernelIndex> {
    extent: &'a [usize],
    /// Number of tiles in each dimension; the extent itself for an untiled kernel.
    tiles_in: I::Components,
    threads: usize,
    tiles: usize,
    tile_threads: usize,
}

impl<'a, I: KernelIndex> Numbering<'a, I> {
    /// Threads of a tile in each dimension.
    const TILE: [usize; 3] = match I::TILE {
        Some(tile) => tile,
        None => [1; 3],
    };

    fn new(extent: &'a [usize]) -> Result<Self> {
        debug_assert_eq!(extent.len(), I::RANK);
        let threads = checked_size(extent).ok_or_else(|| {
            Error::InvalidComputeDomain(format!(
                "a domain of {} has more threads than a usize can count; launch it in parts",
                crate::types::error::times(extent)
            ))
        })?;
        let mut tiles_in = I::ORIGIN;
        for (dimension, tiles) in tiles_in.as_mut().iter_mut().enumerate() {
            let tile = Self::TILE.get(dimension).copied().unwrap_or(1);
            debug_assert_eq!(extent[dimension] % tile, 0);
            *tiles = extent[dimension] / tile;
        }
        let tile_threads = Self::TILE.iter().product();
        Ok(Self {
            extent,
            tiles_in,
            threads,
            tiles: threads / tile_threads,
            tile_threads,
        })
    }

    /// The first thread of tile `tile`.
    #[inline]
    fn tile_origin(&self, tile: usize) -> I::Components {
        let mut origin = unflatten::<I>(tile, self.tiles_in.as_ref());
        for (component, length) in origin.as_mut().iter_mut().zip(Self::TILE) {
            *component *= length;
        }
        origin
    }

    /// Thread `local` of a tile, relative to the tile's first.
    #[inline(always)]
    fn local(local: usize) -> I::Components {
        unflatten::<I>(local, &Self::TILE[..I::RANK.min(3)])
    }

    /// The threads with these numbers of an untiled kernel, row by row.
    #[inline]
    fn points(&self, context: &Context<'_>, threads: Range<usize>, run: &impl Fn(I)) {
        let last = I::RANK - 1;
        let width = self.extent[last];
        let mut row = unflatten::<I>(threads.start, self.extent);
        let mut column = row.as_ref()[last];
        row.as_mut()[last] = 0;
        let mut thread = threads.start;
        while thread < threads.end {
            let end = width.min(column + (threads.end - thread));
            let row_start = thread - column;
            for column in column..end {
                context.set_thread(row_start + column);
                let mut local = I::ORIGIN;
                local.as_mut()[last] = column;
                run(I::at(row, local));
            }
            thread += end - column;
            column = 0;
            for dimension in (0..last).rev() {
                row.as_mut()[dimension] += 1;
                if row.as_ref()[dimension] < self.extent[dimension] {
                    break;
                }
                row.as_mut()[dimension] = 0;
            }
        }
    }

    /// The threads of these tiles, one after the other: there is no barrier.
    #[inline]
    fn loops(&self, context: &Context<'_>, tiles: Range<usize>, run: &impl Fn(I)) {
        for tile in tiles {
            let origin = self.tile_origin(tile);
            let first = tile * self.tile_threads;
            context.memory().clear();
            for local in 0..self.tile_threads {
                context.set_thread(first + local);
                run(I::at(origin, Self::local(local)));
            }
        }
    }

    /// The threads of one tile, in turns from barrier to barrier.
    #[inline]
    fn turns(&self, context: &Context<'_>, crew: &mut Crew, tile: usize, run: &impl Fn(I)) {
        let origin = self.tile_origin(tile);
        let first = tile * self.tile_threads;
        let name = |thread| self.index(thread);
        context.memory().clear();
        crew.run(context, first, name, &|local| {
            run(I::at(origin, Self::local(local)))
        });
    }

    /// The global index of thread number `thread`.
    fn index(&self, thread: usize) -> Vec<usize> {
        let mut index = self.tile_origin(thread / self.tile_threads);
        if I::TILE.is_some() {
            let local = Self::local(thread % self.tile_threads);
            for (component, local) in index.as_mut().iter_mut().zip(local.as_ref()) {
                *component += local;
            }
        }
        index.as_ref().to_vec()
    }

    fn report(&self, artifact: &Artifact, fault: Fault) -> KernelFault {
        let thread = self.index(fault.thread);
        let kernel = artifact.name.to_string();
        let (file, line, column) = match fault.location {
            Some(place) => (place.file().to_owned(), place.line(), place.column()),
            // A panic only says what, not where: the kernel's file is all we know.
            None => (
                artifact
                    .files
                    .first()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
                0,
                0,
            ),
        };
        KernelFault {
            kernel,
            file,
            line,
            column,
            thread,
            message: fault.message,
        }
    }
}

/// The row-major position `flat` in a space of these lengths, one for each of the
/// index's dimensions.
#[inline(always)]
fn unflatten<I: KernelIndex>(mut flat: usize, lengths: &[usize]) -> I::Components {
    let mut components = I::ORIGIN;
    for (component, length) in components.as_mut().iter_mut().zip(lengths).rev() {
        *component = flat % length;
        flat /= length;
    }
    components
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
fn each_piece(context: &Context<'_>, queue: &Queue, run: impl Fn(Range<usize>)) {
    while !context.sink().stopped()
        && let Some(piece) = queue.take()
    {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| run(piece))) {
            let (order, thread) = context.place();
            context.sink().panicked(order, thread, &*payload);
        }
    }
}
