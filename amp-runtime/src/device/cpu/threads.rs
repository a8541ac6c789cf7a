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
use super::numbering::Numbering;
use super::tile::Crew;
use crate::types::index::KernelIndex;

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
