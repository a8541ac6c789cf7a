//! Launches: every thread of a domain, run piece by piece.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use amp_spirv::artifact::Artifact;

use super::check::Checker;
use super::context::{Context, Sinks};
use super::memory::out_of_host_memory;
use super::numbering::Numbering;
use super::share::{Take, share};
use super::stack::{MAX_STACKS, with_room};
use super::threads::{Checked, Points, Threads, Turns};
use super::tile::Crew;
use super::{LaunchMemory, OwnViews, Views};
use crate::device::print::{KernelPrint, in_order};
use crate::types::error::{Error, Result};
use crate::types::index::{Index, KernelIndex};

/// One launch on the CPU accelerator.
pub(crate) struct Launch<'a> {
    pub(crate) artifact: &'a Artifact,
    /// What a thread takes of a stack, in bytes.
    pub(crate) stack: u64,
    /// The domain in threads, with as many components as the kernel's index; whole
    /// tiles for a tiled kernel.
    pub(crate) extent: Vec<usize>,
    pub(crate) memory: LaunchMemory,
    /// Whether it runs in checked mode.
    pub(crate) is_checked: bool,
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
    F: Fn(Views<'_>, Threads<'_, I>) + Sync,
{
    let domain = Numbering::<I>::new(&launch.extent)?;
    let sinks = Sinks::default();
    let count = match I::TILE {
        None => domain.threads,
        Some(_) => domain.tiles,
    };
    let piece = |context: &Context<'_>, numbers| {
        let threads = Threads {
            domain: &domain,
            context,
            numbers,
        };
        body(launch.memory.views(), threads);
    };
    in_pieces(count, launch.stack, &sinks, &piece)?;
    tell(launch, &domain, sinks)
}

/// The same for a pointwise kernel.
///
/// # Errors
///
/// As [`execute`].
pub(crate) fn execute_pointwise<const N: usize, F>(body: &F, launch: &Launch<'_>) -> Result<()>
where
    F: Fn(OwnViews<'_>, Points<'_, N>) + Sync,
{
    let domain = Numbering::<Index<N>>::new(&launch.extent)?;
    let sinks = Sinks::default();
    let piece = |context: &Context<'_>, numbers| {
        let points = Points {
            domain: &domain,
            context,
            numbers,
        };
        body(OwnViews::new(launch.memory.views()), points);
    };
    in_pieces(domain.threads, launch.stack, &sinks, &piece)?;
    tell(launch, &domain, sinks)
}

/// The same for a tiled kernel whose threads meet at barriers, in checked mode or not: its views read
/// whether they are checked from memory in any case, because a coroutine has them there.
///
/// # Errors
///
/// As [`execute`]; [`Error::UnsupportedFeature`] if the system has no room for the stacks.
pub(crate) fn execute_in_turns<I, F>(body: &F, launch: &Launch<'_>) -> Result<()>
where
    I: KernelIndex,
    F: Fn(Views<'_>, Turns<'_, I>) + Sync,
{
    let domain = Numbering::<I>::new(&launch.extent)?;
    let sinks = Sinks::default();
    let piece = |context: &Context<'_>, crew: &mut Crew, tiles| {
        let turns = Turns {
            domain: &domain,
            context,
            crew,
            tiles,
        };
        let views = match launch.is_checked {
            true => launch.memory.checked_views(),
            false => launch.memory.views(),
        };
        body(views, turns);
    };
    let tiles = (domain.tiles, domain.tile_threads);
    match launch.is_checked {
        true => checked(launch, &domain, tiles, &sinks, &piece)?,
        false => in_turns(tiles, launch.stack, &sinks, &piece)?,
    }
    tell(launch, &domain, sinks)
}

/// The same for a kernel that runs otherwise out of checked mode: one thread after the other, or in turns if
/// it is tiled.
///
/// # Errors
///
/// As [`execute_in_turns`]; [`Error::OutOfMemory`] and [`Error::InvalidComputeDomain`] if the launch is too
/// large for checked mode.
pub(crate) fn execute_checked<I, F>(body: &F, launch: &Launch<'_>) -> Result<()>
where
    I: KernelIndex,
    F: Fn(Views<'_>, Checked<'_, I>) + Sync,
{
    let domain = Numbering::<I>::new(&launch.extent)?;
    let sinks = Sinks::default();
    let piece = |context: &Context<'_>, crew: &mut Crew, numbers| {
        let threads = Checked {
            domain: &domain,
            context,
            crew,
            numbers,
        };
        body(launch.memory.checked_views(), threads);
    };
    let turns = match I::TILE {
        None => (domain.threads, 0),
        Some(_) => (domain.tiles, domain.tile_threads),
    };
    checked(launch, &domain, turns, &sinks, &piece)?;
    tell(launch, &domain, sinks)
}

// What follows is compiled once, or once for each type of index, and not for each kernel.

/// Runs all of `0..count` in checked mode, with a crew for tiles of so many threads.
fn checked<I: KernelIndex>(
    launch: &Launch<'_>,
    domain: &Numbering<'_, I>,
    turns: (usize, usize),
    sinks: &Sinks,
    run: &dyn Fn(&Context<'_>, &mut Crew, Range<usize>),
) -> Result<()> {
    if domain.threads > Checker::MOST_THREADS {
        return Err(Error::InvalidComputeDomain(format!(
            "checked mode runs at most {} threads, and this launch has {}; launch it in parts",
            Checker::MOST_THREADS,
            domain.threads
        )));
    }
    let name = |thread| domain.index(thread);
    let memory = &launch.memory;
    let checker = Checker::new(
        memory.noted(),
        memory.discarded(),
        domain.tile_threads,
        &name,
    );
    let checker = checker.map_err(|bytes| {
        let operation = "note the accesses of a launch in checked mode";
        out_of_host_memory(operation, Some(bytes as u64))
    })?;
    let context = Context::checked(sinks, &checker);
    in_one_piece(turns, launch.stack, &context, &|crew, numbers| {
        run(&context, crew, numbers);
    })
}

/// Runs all of `0..count`, each piece on a stack that has room.
fn in_pieces(
    count: usize,
    stack: u64,
    sinks: &Sinks,
    run: &(dyn Fn(&Context<'_>, Range<usize>) + Sync),
) -> Result<()> {
    share(count, usize::MAX, sinks, &|context, take| {
        with_room(stack, || {
            each_piece(context, take, |numbers| run(context, numbers));
        })
    })
}

/// Runs all tiles of so many threads.
fn in_turns(
    (tiles, threads): (usize, usize),
    stack: u64,
    sinks: &Sinks,
    run: &(dyn Fn(&Context<'_>, &mut Crew, Range<usize>) + Sync),
) -> Result<()> {
    let crews = (MAX_STACKS / threads).max(1);
    share(tiles, crews, sinks, &|context, take| {
        let mut crew = Crew::new(threads, stack)?;
        each_piece(context, take, |tiles| run(context, &mut crew, tiles));
        Ok(())
    })
}

/// Runs all of `0..count` on the calling thread, with a crew for tiles of so many threads.
fn in_one_piece(
    (count, threads): (usize, usize),
    stack: u64,
    context: &Context<'_>,
    run: &dyn Fn(&mut Crew, Range<usize>),
) -> Result<()> {
    let mut crew = Crew::new(threads, stack)?;
    let mut left = Some(0..count);
    context.enter(|| {
        with_room(stack, || {
            each_piece(context, &mut || left.take(), |numbers| {
                run(&mut crew, numbers)
            });
        })
    })
}

/// Calls `run` with each piece, until there are no more or the launch is stopped. A
/// panic becomes the launch's fault.
fn each_piece(context: &Context<'_>, take: &mut Take<'_>, mut run: impl FnMut(Range<usize>)) {
    while !context.sink().stopped()
        && let Some(piece) = take()
    {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| run(piece))) {
            let (order, thread) = context.place();
            context.sink().panicked(order, thread, &*payload);
        }
    }
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
