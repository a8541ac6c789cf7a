//! [`Group`]: threads that run in lockstep through the control flow that they have in common.
//!
//! The host version of such a kernel is cut into regions. Control flow that is the same for all
//! threads of a group runs once; a region runs for one thread after the other, row by row; a variable
//! that lives in several regions has one element a thread ([`PerThread`]). So a barrier between two
//! regions costs nothing, and a region without branches is a loop that can be compiled to vector
//! instructions:
//!
//! ```text
//! for k in 0..n {                                        all threads together
//!     let mut row = group.rows();
//!     while row.next() {
//!         let sums = row.of(&mut sums);
//!         let b_row = b.along(&row, [k, row.index(0)[1]], &mut scratch);
//!         for thread in 0..row.count() {
//!             sums[thread] += b_row[thread];
//!         }
//!     }
//! }
//! ```
//!
//! A group is a part of a row of an untiled domain, or a tile.
//!
//! # Invariant
//!
//! Nothing here rests on how the host version is cut: elements are borrowed only from views that nothing
//! writes to during the launch, and everything else is copied.

use std::ops::Range;

use amp_spirv::artifact::FaultKind;
use bytemuck::Zeroable;

use super::context::Context;
use super::place::Place;
use super::pool::Pooled;
use super::report;
use super::view::{ArrayView, ArrayViewMut, Position};
use crate::types::element::Element;
use crate::types::index::KernelIndex;

/// How many threads of an untiled kernel a group has at most: so many that what is done once a group
/// costs little, and so few that their variables stay in the first level of the cache.
const MOST: usize = 512;

/// See the module's documentation.
pub struct Group<'a, I: KernelIndex> {
    context: &'a Context<'a>,
    origin: I::Components,
    /// The first thread, relative to the origin.
    start: I::Components,
    /// Its number in the launch.
    number: usize,
    count: usize,
}

impl<'a, I: KernelIndex> Group<'a, I> {
    /// The threads from number `number` on, which is at `origin + start`.
    #[inline(always)]
    pub(super) fn new(
        context: &'a Context<'a>,
        origin: I::Components,
        start: I::Components,
        number: usize,
        count: usize,
    ) -> Self {
        context.enter_group(match I::TILE {
            Some(_) => number,
            None => usize::MAX,
        });
        context.set_thread(number);
        Self {
            context,
            origin,
            start,
            number,
            count,
        }
    }

    /// Cuts columns of an untiled domain's row into groups.
    pub(super) fn columns(columns: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let end = columns.end;
        columns
            .step_by(MOST)
            .map(move |start| start..end.min(start + MOST))
    }

    /// The index of the first thread, which is the running one from here on: it does what all do
    /// together.
    #[inline(always)]
    pub fn enter(&self) -> I {
        self.context.set_thread(self.number);
        I::at(self.origin, self.start)
    }

    /// All threads are at a barrier.
    #[inline(always)]
    pub fn barrier(&self) {
        self.context.pass_barrier();
    }

    /// A variable of each thread, which begins with this value. No two that are in use have one number.
    #[inline(always)]
    pub fn variables<T: Copy>(&self, number: usize, value: T) -> PerThread<'_, T> {
        let mut variables = self.scratch(number);
        variables.clear();
        variables.resize(self.count, value);
        PerThread(variables)
    }

    /// A variable of each thread, which is zero until the thread assigns to it.
    #[inline(always)]
    pub fn zeroes<T: Copy + Zeroable>(&self, number: usize) -> PerThread<'_, T> {
        self.variables(number, T::zeroed())
    }

    /// Room for a value of each thread of a row, once [`Row::room`] has seen to it.
    #[inline(always)]
    pub fn scratch<T>(&self, number: usize) -> Pooled<'_, T> {
        self.context.pool().take(number)
    }

    /// What comes before the first row of threads: [`Row::next`] goes to it.
    #[inline(always)]
    pub fn rows(&self) -> Row<'_, I> {
        let (width, end) = match I::TILE {
            Some(tile) => {
                let width = tile[I::RANK - 1];
                (width, tile.iter().product::<usize>() / width)
            }
            None => (self.count, 1),
        };
        Row {
            group: self,
            start: self.start,
            first: 0,
            count: width,
            rows: 0..end,
        }
    }
}

/// A variable of each thread of a group.
pub struct PerThread<'a, T: 'static>(Pooled<'a, T>);

/// Neighbours in the last dimension. The first of them is the running thread, but for what
/// [`enter`](Self::enter) says.
pub struct Row<'a, I: KernelIndex> {
    group: &'a Group<'a, I>,
    start: I::Components,
    /// The first thread's number in the group.
    first: usize,
    count: usize,
    /// The numbers of the rows that come after this one.
    rows: Range<usize>,
}

impl<I: KernelIndex> Row<'_, I> {
    /// Goes to the next row, and returns whether there is one. Behind the last row, the group's first thread
    /// is the running one again.
    #[inline(always)]
    #[allow(clippy::should_implement_trait)] // `while row.next()` compiles faster than a `for`.
    pub fn next(&mut self) -> bool {
        let Some(row) = self.rows.next() else {
            self.group.context.set_thread(self.group.number);
            return false;
        };
        self.start = self.group.start;
        if let Some(tile) = I::TILE {
            let mut rest = row;
            for dimension in (0..I::RANK - 1).rev() {
                self.start.as_mut()[dimension] = rest % tile[dimension];
                rest /= tile[dimension];
            }
        }
        self.first = row * self.count;
        self.set(0);
        true
    }

    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Its first threads: those whose number `start`, which grows with them, is below `end`.
    #[inline(always)]
    pub fn up_to(&self, start: usize, end: usize) -> Self {
        Row {
            count: self.count.min(end.saturating_sub(start)),
            rows: 0..0,
            ..*self
        }
    }

    /// The index of a thread.
    #[inline(always)]
    pub fn index(&self, thread: usize) -> I {
        let mut local = self.start;
        local.as_mut()[I::RANK - 1] += thread;
        I::at(self.group.origin, local)
    }

    /// The index of a thread, which is the running one from here on.
    #[inline(always)]
    pub fn enter(&self, thread: usize) -> I {
        self.set(thread);
        self.index(thread)
    }

    #[inline(always)]
    fn set(&self, thread: usize) {
        let number = self.group.number + self.first + thread;
        self.group.context.set_thread(number);
    }

    /// The row's part of a variable.
    #[inline(always)]
    pub fn of<'v, T>(&self, variables: &'v mut PerThread<'_, T>) -> &'v mut [T] {
        &mut variables.0[self.first..self.first + self.count]
    }

    /// Room for a value of each thread, with any values in it.
    #[inline(always)]
    pub fn room<'s, T: Copy + Zeroable>(&self, scratch: &'s mut Vec<T>) -> &'s mut [T] {
        if scratch.len() < self.count {
            scratch.resize(self.count, T::zeroed());
        }
        &mut scratch[..self.count]
    }

    /// `place[start + thread]` of each thread, which faults where there is no such element.
    #[inline(always)]
    #[track_caller]
    pub fn items<'s, P: Place + ?Sized>(
        &self,
        place: &'s P,
        start: usize,
        scratch: &'s mut Vec<P::Item>,
    ) -> &'s [P::Item] {
        let items = place.items();
        let end = start.wrapping_add(self.count);
        if start <= end && end <= items.len() {
            return &items[start..][..self.count];
        }
        let room = self.room(scratch);
        for (thread, to) in room.iter_mut().enumerate() {
            let index = start.wrapping_add(thread);
            *to = match items.get(index) {
                Some(item) => *item,
                None => {
                    self.set(thread);
                    report::raise(FaultKind::ArrayOutOfBounds, [index, items.len()]);
                    P::Item::zeroed()
                }
            };
        }
        self.set(0);
        room
    }

    /// Writes `place[start + thread]` of each thread.
    #[inline(always)]
    #[track_caller]
    pub fn set_items<P: Place + ?Sized>(&self, place: &mut P, start: usize, values: &[P::Item]) {
        let items = place.items_mut();
        let end = start.wrapping_add(self.count);
        if start <= end && end <= items.len() {
            items[start..][..self.count].copy_from_slice(&values[..self.count]);
            return;
        }
        let length = items.len();
        for (thread, value) in values[..self.count].iter().enumerate() {
            let index = start.wrapping_add(thread);
            match items.get_mut(index) {
                Some(item) => *item = *value,
                None => {
                    self.set(thread);
                    report::raise(FaultKind::ArrayOutOfBounds, [index, length]);
                }
            }
        }
        self.set(0);
    }
}

/// The index of a thread of a row whose first has the index `start`.
#[inline(always)]
fn along<const N: usize>(mut start: [usize; N], thread: usize) -> [usize; N] {
    start[N - 1] = start[N - 1].wrapping_add(thread);
    start
}

impl<'a, T: Element, const N: usize> ArrayView<'a, T, N> {
    /// The elements of the threads of a row, whose first has the one at `start`, and each the one behind
    /// that of the thread before it. A thread without one faults, and has zero.
    #[inline(always)]
    #[track_caller]
    pub fn along<'s, I: KernelIndex>(
        &self,
        row: &Row<'_, I>,
        start: impl Position<N>,
        scratch: &'s mut Vec<T>,
    ) -> &'s [T]
    where
        'a: 's,
    {
        let start = start.components();
        if let Some(elements) = self.unwritten(start, row.count) {
            return elements;
        }
        let room = row.room(scratch);
        if let Some(run) = self.run(start, row.count) {
            run.load(room);
            return room;
        }
        self.load_each(row, |thread| along(start, thread), room);
        room
    }

    /// The elements of the threads of a row, of which each has the same as the one before it or the one behind
    /// that. `at` is a thread's index. A thread without an element faults, and has zero.
    #[inline(always)]
    #[track_caller]
    pub fn along_clamped<'s, I: KernelIndex, P: Position<N>>(
        &self,
        row: &Row<'_, I>,
        at: impl Fn(usize) -> P,
        scratch: &'s mut Vec<T>,
    ) -> &'s [T]
    where
        'a: 's,
    {
        let last = row.count.saturating_sub(1);
        let (first, end) = (at(0).components(), at(last).components());
        if end[N - 1].wrapping_sub(first[N - 1]) == last {
            return self.along(row, first, scratch);
        }
        let room = row.room(scratch);
        self.load_each(row, at, room);
        room
    }

    /// Reads the element of each thread, one after the other.
    #[inline(always)]
    #[track_caller]
    fn load_each<I: KernelIndex, P: Position<N>>(
        &self,
        row: &Row<'_, I>,
        at: impl Fn(usize) -> P,
        room: &mut [T],
    ) {
        for (thread, to) in room.iter_mut().enumerate() {
            row.set(thread);
            *to = self.place(at(thread)).load();
        }
        row.set(0);
    }
}

impl<T: Element, const N: usize> ArrayViewMut<'_, T, N> {
    /// Writes the elements of the threads of a row, as [`ArrayView::along`] reads them.
    #[inline(always)]
    #[track_caller]
    pub fn set_along<I: KernelIndex>(
        &mut self,
        row: &Row<'_, I>,
        start: impl Position<N>,
        values: &[T],
    ) {
        let start = start.components();
        if let Some(run) = self.run(start, row.count) {
            return run.store(values);
        }
        for (thread, value) in values[..row.count].iter().enumerate() {
            row.set(thread);
            self.place_mut(along(start, thread)).store(*value);
        }
        row.set(0);
    }

    /// Writes those of the threads that are chosen.
    #[inline(always)]
    #[track_caller]
    pub fn set_along_where<I: KernelIndex>(
        &mut self,
        row: &Row<'_, I>,
        start: impl Position<N>,
        values: &[T],
        chosen: &[bool],
    ) {
        let start = start.components();
        if let Some(run) = self.run(start, row.count) {
            return run.store_where(values, chosen);
        }
        for (thread, (value, chosen)) in values.iter().zip(chosen).enumerate() {
            if *chosen {
                row.set(thread);
                self.place_mut(along(start, thread)).store(*value);
            }
        }
        row.set(0);
    }
}
