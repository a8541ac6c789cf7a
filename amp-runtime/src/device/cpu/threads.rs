//! Pieces of a launch, as the host version gets them: threads that one worker runs one after
//! another, or tiles whose threads take turns.
//!
//! A host version binds its views for a piece and then runs the threads, so that the loop over
//! them is compiled together with the kernel, for the kernel alone:
//!
//! ```text
//! |views, threads| {
//!     let (a, b) = (views.read(a), views.write(b));
//!     threads.run(|idx| kernel(idx, &a.for_thread(), &mut b.for_thread()))
//! }
//! ```

use std::ops::Range;

use super::context::Context;
use super::group::Group;
use super::numbering::Numbering;
use super::tile::Crew;
use super::view::own::PointViews;
use crate::types::index::{Index, KernelIndex};

/// Threads that do not meet at barriers.
pub struct Threads<'a, I: KernelIndex> {
    pub(super) domain: &'a Numbering<'a, I>,
    pub(super) context: &'a Context<'a>,
    /// Numbers of the threads of an untiled kernel, of the tiles of a tiled one.
    pub(super) numbers: Range<usize>,
}

impl<I: KernelIndex> Threads<'_, I> {
    /// Calls `body` with the index of each.
    #[inline(always)]
    pub fn run(self, body: impl Fn(I)) {
        match I::TILE {
            None => self.domain.points(self.context, self.numbers, &body),
            Some(_) => self.domain.loops(self.context, self.numbers, &body),
        }
    }
}

impl<I: KernelIndex> Threads<'_, I> {
    /// Calls `body` with groups of them.
    #[inline(always)]
    pub fn run_together(self, body: impl Fn(&Group<'_, I>)) {
        self.domain.groups(self.context, self.numbers, &body);
    }
}

/// Threads that access no elements but those at their own index, and fault only where these are
/// out of bounds.
pub struct Points<'a, const N: usize> {
    pub(super) domain: &'a Numbering<'a, Index<N>>,
    pub(super) context: &'a Context<'a>,
    pub(super) numbers: Range<usize>,
}

impl<const N: usize> Points<'_, N> {
    /// Calls `body` with the index of each and its views. Where a row lies within all views there is
    /// nothing to check, and no thread faults. What is left of the row is apart from that loop, so
    /// `body` is copied: what both share would have to be in memory.
    #[inline(always)]
    pub fn run<V: PointViews<N>>(self, views: V, body: impl Fn(Index<N>, V::OfThread) + Copy) {
        let context = self.context;
        self.domain.rows(self.numbers, |row, columns, first| {
            let within = views.columns(row, columns.end);
            let within = within.clamp(columns.start, columns.end);
            for column in columns.start..within {
                let index = in_column(row, column);
                // SAFETY: `columns` said so of the row up to there.
                body(Index::new(index), unsafe { views.within(index) });
            }
            if within < columns.end {
                checked(context, row, within..columns.end, first, views, body);
            }
        });
    }
}

/// The threads of these columns of a row, whose column 0 would be thread number `first`.
#[cold]
#[inline(never)]
fn checked<V: PointViews<N>, const N: usize>(
    context: &Context<'_>,
    row: [usize; N],
    columns: Range<usize>,
    first: usize,
    views: V,
    body: impl Fn(Index<N>, V::OfThread),
) {
    for column in columns {
        context.set_thread(first + column);
        let index = in_column(row, column);
        body(Index::new(index), views.at(index));
    }
}

#[inline(always)]
fn in_column<const N: usize>(mut row: [usize; N], column: usize) -> [usize; N] {
    row[N - 1] = column;
    row
}

/// Tiles whose threads meet at barriers.
pub struct Turns<'a, I: KernelIndex> {
    pub(super) domain: &'a Numbering<'a, I>,
    pub(super) context: &'a Context<'a>,
    pub(super) crew: &'a mut Crew,
    pub(super) tiles: Range<usize>,
}

impl<I: KernelIndex> Turns<'_, I> {
    /// Calls `body` with the index of each thread, in turns from barrier to barrier.
    #[inline(always)]
    pub fn run(self, body: impl Fn(I)) {
        for tile in self.tiles {
            if self.context.sink().stopped() {
                return;
            }
            self.domain.turns(self.context, self.crew, tile, &body);
        }
    }
}

/// The threads of a launch in checked mode.
pub struct Checked<'a, I: KernelIndex> {
    pub(super) domain: &'a Numbering<'a, I>,
    pub(super) context: &'a Context<'a>,
    pub(super) crew: &'a mut Crew,
    /// Numbers of the threads of an untiled kernel, of the tiles of a tiled one.
    pub(super) numbers: Range<usize>,
}

impl<'a, I: KernelIndex> Checked<'a, I> {
    /// Calls `body` with the index of each thread.
    pub fn run(self, body: impl Fn(I)) {
        let Self {
            domain,
            context,
            crew,
            numbers,
        } = self;
        match I::TILE {
            None => domain.points(context, numbers, &body),
            Some(_) => Turns {
                domain,
                context,
                crew,
                tiles: numbers,
            }
            .run(body),
        }
    }
}
