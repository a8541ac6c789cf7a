//! [`Numbering`]: the threads of a launch in the order in which they run one after another.
//!
//! The number of a thread is, of an untiled kernel, its row-major position, of a tiled one that
//! tile after tile and within a tile row-major. Threads run row by row, so that what a row has in
//! common is computed once and the next index is the last plus one.

use std::ops::Range;

use amp_spirv::artifact::Artifact;

use super::context::Context;
use super::fault::Fault;
use super::group::Group;
use super::tile::Crew;
use crate::types::error::{Error, KernelFault, Result};
use crate::types::index::{KernelIndex, checked_size};

/// See the module's documentation.
pub(super) struct Numbering<'a, I: KernelIndex> {
    extent: &'a [usize],
    /// Number of tiles in each dimension; the extent itself for an untiled kernel.
    tiles_in: I::Components,
    pub(super) threads: usize,
    pub(super) tiles: usize,
    pub(super) tile_threads: usize,
}

impl<'a, I: KernelIndex> Numbering<'a, I> {
    /// Threads of a tile in each dimension.
    const TILE: [usize; 3] = match I::TILE {
        Some(tile) => tile,
        None => [1; 3],
    };

    pub(super) fn new(extent: &'a [usize]) -> Result<Self> {
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

    /// The threads with these numbers of an untiled kernel.
    #[inline(always)]
    pub(super) fn points(&self, context: &Context<'_>, threads: Range<usize>, run: &impl Fn(I)) {
        self.rows(threads, |row, columns, first| {
            for column in columns {
                context.set_thread(first + column);
                let mut local = I::ORIGIN;
                local.as_mut()[I::RANK - 1] = column;
                run(I::at(row, local));
            }
        });
    }

    /// The rows of the threads with these numbers of an untiled kernel: where each begins, its
    /// columns, and what would be the number of the thread in column 0.
    #[inline(always)]
    pub(super) fn rows(
        &self,
        threads: Range<usize>,
        mut run: impl FnMut(I::Components, Range<usize>, usize),
    ) {
        let last = I::RANK - 1;
        let width = self.extent[last];
        let mut row = unflatten::<I>(threads.start, self.extent);
        let mut column = row.as_ref()[last];
        row.as_mut()[last] = 0;
        let mut thread = threads.start;
        while thread < threads.end {
            let end = width.min(column + (threads.end - thread));
            run(row, column..end, thread - column);
            thread += end - column;
            column = 0;
            next::<I>(&mut row, self.extent, last);
        }
    }

    /// The threads of these tiles, one after the other: there is no barrier.
    #[inline(always)]
    pub(super) fn loops(&self, context: &Context<'_>, tiles: Range<usize>, run: &impl Fn(I)) {
        let last = I::RANK - 1;
        let width = Self::TILE[last];
        for tile in tiles {
            let origin = self.tile_origin(tile);
            let mut thread = tile * self.tile_threads;
            let mut row = I::ORIGIN;
            context.memory().clear();
            for _ in 0..self.tile_threads / width {
                for column in 0..width {
                    context.set_thread(thread + column);
                    let mut local = row;
                    local.as_mut()[last] = column;
                    run(I::at(origin, local));
                }
                thread += width;
                next::<I>(&mut row, &Self::TILE, last);
            }
        }
    }

    /// The groups of the threads with these numbers of an untiled kernel, or of these tiles.
    #[inline(always)]
    pub(super) fn groups(
        &self,
        context: &Context<'_>,
        numbers: Range<usize>,
        run: &impl Fn(&Group<'_, I>),
    ) {
        if I::TILE.is_some() {
            for tile in numbers {
                context.memory().clear();
                let (origin, first) = (self.tile_origin(tile), tile * self.tile_threads);
                let group = Group::new(context, origin, I::ORIGIN, first, self.tile_threads);
                run(&group);
            }
        } else {
            self.rows(numbers, |row, columns, first| {
                for columns in Group::<I>::columns(columns) {
                    let mut start = I::ORIGIN;
                    start.as_mut()[I::RANK - 1] = columns.start;
                    let number = first + columns.start;
                    run(&Group::new(context, row, start, number, columns.len()));
                }
            });
        }
    }

    /// The threads of one tile, in turns from barrier to barrier.
    #[inline(always)]
    pub(super) fn turns(
        &self,
        context: &Context<'_>,
        crew: &mut Crew,
        tile: usize,
        run: &impl Fn(I),
    ) {
        let origin = self.tile_origin(tile);
        let first = tile * self.tile_threads;
        let name = |thread| self.index(thread);
        context.memory().clear();
        crew.run(context, first, name, &|local| {
            run(I::at(origin, Self::local(local)))
        });
    }

    /// The global index of thread number `thread`.
    pub(super) fn index(&self, thread: usize) -> Vec<usize> {
        let mut index = self.tile_origin(thread / self.tile_threads);
        if I::TILE.is_some() {
            let local = Self::local(thread % self.tile_threads);
            for (component, local) in index.as_mut().iter_mut().zip(local.as_ref()) {
                *component += local;
            }
        }
        index.as_ref().to_vec()
    }

    pub(super) fn report(&self, artifact: &Artifact, fault: Fault) -> KernelFault {
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

/// Goes to the next row of a space of these lengths, whose rows lie in dimension `last`; after the
/// last row to the first.
#[inline(always)]
fn next<I: KernelIndex>(row: &mut I::Components, lengths: &[usize], last: usize) {
    for dimension in (0..last).rev() {
        let component = &mut row.as_mut()[dimension];
        *component += 1;
        if *component < lengths[dimension] {
            return;
        }
        *component = 0;
    }
}
