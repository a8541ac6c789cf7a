//! Moves elements for which a condition holds to the front, by two kernels over blocks of 2048 elements: the
//! first counts them, and, when the counts have been scanned, the second moves them. Both ask for the condition,
//! so that nothing but the counts needs memory.
//!
//! Where subgroups have 32 threads, another kernel moves small elements: the threads of a subgroup vote, so that
//! each has its element's rank without going through tile memory.

use super::fill::fill_on;
use super::launcher::Launcher;
use super::moves::copy_on;
use super::operation::Add;
use super::predicate::Predicate;
use super::queue::{Queue, tiles};
use super::scan::inclusive_scan_on;
use super::source::Target;
use crate::prelude::*;
use crate::{Element, Result};

/// What a kernel of [`select`](super::select()) does.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Counts the elements of each block for which the condition holds.
    Count,
    /// Moves them behind those of the blocks before.
    Move,
    /// And the others behind all of them.
    MoveAll,
}

/// The kernel that does it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum PlaceKernel {
    /// The one of any device.
    Marks(Place),
    /// The one of subgroups of 32 threads. It only moves, the others too if that is wanted.
    Votes { others: bool },
}

/// Elements of a block, and of one that threads vote on.
const BLOCK: usize = 2048;
const VOTES: usize = 2 * BLOCK;

/// Bytes of tile memory in which threads that vote keep elements.
const TILE_MEMORY: usize = 32 << 10;

/// A kernel that asks for a condition of the elements of blocks.
#[doc(hidden)]
#[macro_export]
macro_rules! __condition_kernel {
    (
        $element:ty, [$($capture:ident: $captured:ty),*] |$x:ident| { $condition:expr }
        $name:ident<$step:ident>($t_idx:ident, $input:ident, $out:ident, $counts:ident, $holds:ident)
        { $($body:tt)* }
    ) => {
        #[amp_kernel]
        fn $name<const $step: u32>(
            $t_idx: TiledIndex<1, 256>,
            $input: &ArrayView<$element, 1>,
            $out: &mut ArrayViewMut<$element, 1>,
            $counts: &mut ArrayViewMut<u32, 1>,
            $($capture: $captured,)*
        ) {
            let $holds = |$x: $element| -> bool { $condition };
            $($body)*
        }
    };
}

/// A kernel that counts or moves the elements of each block for which a condition holds.
#[doc(hidden)]
#[macro_export]
macro_rules! __place_kernel {
    ($element:ty, [$($capture:ident: $captured:ty),*] |$x:ident| { $condition:expr }) => {
        $crate::__condition_kernel! {
            $element, [$($capture: $captured),*] |$x| { $condition }
            place<STEP>(t_idx, input, out, counts, holds)
            {
                #[tile_static]
                let mut marks: [u32; 2048];
                #[tile_static]
                let mut sums: [u32; 256];
                #[tile_static]
                let mut rows: [u32; 16];
                // Threads that access every eighth mark, or every sixteenth sum, find each in a bank of its
                // own.
                let place = |at: usize| at ^ (at / 32 % 8);
                let sum_place = |at: usize| at ^ (at / 16 % 16);
                let lane = t_idx.local[0];
                let n = input.extent()[0];
                let start = t_idx.tile[0] * 2048;
                let count = (n - start).min(2048);
                let mut before_block = 0;
                if STEP > 0 && t_idx.tile[0] > 0 {
                    before_block = counts[t_idx.tile[0].max(1) - 1];
                }
                let mut own = [input[start + lane.min(count - 1)]; 8];
                #[unroll]
                for k in 0..8 {
                    own[k] = input[start + (lane + k * 256).min(count - 1)];
                }
                let mut sum = 0_u32;
                let mut words = [0_u32; 8];
                if STEP == 0 {
                    #[unroll]
                    for k in 0..8 {
                        sum += if lane + k * 256 < count && holds(own[k]) { 1 } else { 0 };
                    }
                } else {
                    #[unroll]
                    for k in 0..8 {
                        let at = lane + k * 256;
                        marks[place(at)] = if at < count && holds(own[k]) { 1 } else { 0 };
                    }
                    t_idx.barrier.wait_with_tile_static_memory_fence();
                    // The marks are counted as elements are scanned: each thread has a group of eight, and
                    // sixteen threads a row of sixteen groups each.
                    #[unroll]
                    for k in 0..8 {
                        let mark = marks[place(lane * 8 + k)];
                        words[k] = 2 * sum + mark;
                        sum += mark;
                    }
                }
                sums[sum_place(lane)] = sum;
                t_idx.barrier.wait_with_tile_static_memory_fence();
                if lane < 16 {
                    let mut total = 0;
                    #[unroll]
                    for half in 0..2 {
                        let row_start = lane * 16 + half * 8;
                        let mut row = [0_u32; 8];
                        #[unroll]
                        for k in 0..8 {
                            row[k] = sums[sum_place(row_start + k)];
                        }
                        #[unroll]
                        for k in 0..8 {
                            total += row[k];
                            if STEP > 0 {
                                sums[sum_place(row_start + k)] = total;
                            }
                        }
                    }
                    rows[lane] = total;
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                if STEP == 0 {
                    if lane == 0 {
                        let mut total = 0;
                        #[unroll]
                        for row in 0..16 {
                            total += rows[row];
                        }
                        counts[t_idx.tile] = total;
                    }
                } else {
                    let mut before = 0;
                    #[unroll]
                    for row in 0..15 {
                        let next = rows[row];
                        if row < lane / 16 {
                            before += next;
                        }
                    }
                    if lane % 16 > 0 {
                        before += sums[sum_place(lane - 1)];
                    }
                    // A mark and its rank in the block become one word.
                    #[unroll]
                    for k in 0..8 {
                        marks[place(lane * 8 + k)] = 2 * before + words[k];
                    }
                    t_idx.barrier.wait_with_tile_static_memory_fence();
                    let all = if STEP == 2 { counts[counts.extent()[0] - 1] as usize } else { 0 };
                    #[unroll]
                    for k in 0..8 {
                        let at = lane + k * 256;
                        let word = marks[place(at)];
                        let rank = (before_block + word / 2) as usize;
                        if word % 2 == 1 {
                            out[rank.min(n - 1)] = own[k];
                        } else if STEP == 2 && at < count {
                            out[(all + start + at - rank).min(n - 1)] = own[k];
                        }
                    }
                }
            }
        }
    };
}

/// A kernel that moves the elements of each two blocks for which a condition holds, in subgroups of 32 threads.
#[doc(hidden)]
#[macro_export]
macro_rules! __vote_kernel {
    ($element:ty, [$($capture:ident: $captured:ty),*] |$x:ident| { $condition:expr }) => {
        $crate::__condition_kernel! {
            $element, [$($capture: $captured),*] |$x| { $condition }
            vote<OTHERS>(t_idx, input, out, counts, holds)
            {
                // Each subgroup's elements for which the condition holds, and from its end the others.
                #[tile_static]
                let mut staged: [$element; 4096];
                #[tile_static]
                let mut sums: [u32; 8];
                #[tile_static]
                let mut subgroups: u32;
                if t_idx.local[0] == 0 {
                    subgroups = 0;
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                // Subgroups are numbered as they come.
                let lane = subgroup::index() % 32;
                let mut number = 0_u32;
                if lane == 0 {
                    number = atomic_fetch_inc(&mut subgroups);
                }
                let group = subgroup::broadcast(number, 0) as usize % 8;
                let n = input.extent()[0];
                let start = t_idx.tile[0] * 4096;
                let count = (n - start).min(4096);
                let mut before_tile = 0;
                if t_idx.tile[0] > 0 {
                    before_tile = counts[(2 * t_idx.tile[0] - 1).min(counts.extent()[0] - 1)];
                }
                let first = group * 512 + lane;
                let mut own = [input[start.min(n - 1)]; 16];
                // One address serves all loads of a whole block. The minimum, which is `start`, proves the indices.
                if count == 4096 {
                    let whole = start.min(n - 4096) + first;
                    #[unroll]
                    for k in 0..16 {
                        own[k] = input[whole + k * 32];
                    }
                } else {
                    #[unroll]
                    for k in 0..16 {
                        own[k] = input[(start + first + k * 32).min(n - 1)];
                    }
                }
                let lower_lanes = (1_u32 << lane as u32) - 1;
                let mut sum = 0_u32;
                #[unroll]
                for k in 0..16 {
                    let exists = first + k * 32 < count;
                    let is_marked = exists && holds(own[k]);
                    let votes = subgroup::ballot(is_marked)[0];
                    let rank = (sum + (votes & lower_lanes).count_ones()) as usize;
                    if is_marked {
                        staged[(group * 512 + rank) % 4096] = own[k];
                    } else if OTHERS == 1 && exists {
                        staged[(group * 512 + 511 - (k * 32 + lane - rank)) % 4096] = own[k];
                    }
                    sum += votes.count_ones();
                }
                if lane == 0 {
                    sums[group] = sum;
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                let mut before = before_tile;
                #[unroll]
                for k in 0..7 {
                    let next = sums[k];
                    if k < group {
                        before += next;
                    }
                }
                let mut at = lane;
                while at < sum as usize {
                    out[(before as usize + at).min(n - 1)] = staged[(group * 512 + at) % 4096];
                    at += 32;
                }
                if OTHERS == 1 {
                    let own_count = count.max(group * 512).min(group * 512 + 512) - group * 512;
                    let all = counts[counts.extent()[0] - 1] as usize;
                    let target = all + start + group * 512 - before as usize;
                    let mut at = lane;
                    while at < own_count - sum as usize {
                        out[(target + at).min(n - 1)] = staged[(group * 512 + 511 - at) % 4096];
                        at += 32;
                    }
                }
            }
        }
    };
}

/// Moves elements, and makes their number the first element of `count`.
pub(super) fn place_on<T: Element>(
    queue: &mut Queue<'_>,
    input: &ArrayView<'_, T, 1>,
    results: &mut ArrayViewMut<'_, T, 1>,
    count: &mut impl Target<u32>,
    predicate: &impl Predicate<T>,
    step: Place,
) -> Result<()> {
    let n = input.extent()[0];
    let mut count = count.elements_mut();
    let mut count = count.section(0, 1)?;
    if n == 0 {
        return fill_on(queue, &mut count, 0);
    }
    let others = matches!(step, Place::MoveAll);
    let blocks = n.div_ceil(BLOCK);
    let (mut counted, mut scanned) = (queue.temporary(blocks)?, queue.temporary(blocks)?);
    let (mut counts, mut sums) = (counted.elements()?, scanned.elements()?);
    let count_all = PlaceKernel::Marks(Place::Count);
    let kernel = predicate.place(input, results, &mut counts, count_all);
    queue.launch(tiles(blocks), kernel)?;
    inclusive_scan_on(queue, &counts, &mut sums, Add)?;
    copy_on(queue, &sums.as_view().section(blocks - 1, 1)?, &mut count)?;
    let votes = size_of::<T>() * VOTES <= TILE_MEMORY && queue.votes_by_32(TILE_MEMORY + 256);
    let (domain, kernel) = match votes {
        true => (tiles(n.div_ceil(VOTES)), PlaceKernel::Votes { others }),
        false => (tiles(blocks), PlaceKernel::Marks(step)),
    };
    let kernel = predicate.place(input, results, &mut sums, kernel);
    queue.launch(domain, kernel)?;
    drop((counts, sums));
    queue.keep(scanned);
    queue.keep(counted);
    Ok(())
}
