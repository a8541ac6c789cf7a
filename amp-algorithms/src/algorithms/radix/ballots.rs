//! The passes on devices whose subgroups have 32 threads.
//!
//! A subgroup ranks 32 keys at a time: its threads vote on each bit of the digit, so that each learns which
//! of them have the same one. This takes a pass half as long as sorting a block bit by bit. In the end
//! there are fewer, larger blocks, whose parts of a digit are written together.
//!
//! How many keys with a digit are before a block is known from counts, or the tile looks back for it: see
//! [`look_back`](super::look_back). For the former, some consecutive blocks are a stretch. A tile counts the
//! digits of all blocks of a stretch, so that only the counts of stretches need a scan.

use super::digits::{Bits, byte_of, digit_of, inverted_by, key_of, ordered_or_last};
use super::look_back::{COUNTED, States, count_all};
use super::{Pairs, Pass};
use crate::algorithms::launcher::Launcher;
use crate::algorithms::operation::Add;
use crate::algorithms::queue::{Queue, tiles};
use crate::algorithms::scan::exclusive_scan_on;
use crate::prelude::*;
use crate::{Element, Result};

/// Bytes of tile memory that a pass needs.
const TILE_MEMORY: usize = 47 << 10;
/// Stretches that are enough for all threads of a device.
const STRETCHES: usize = 1024;

/// The passes of a type.
pub trait Ballots: Element {
    /// Keys of a block in a pass by look-back, without values and with them.
    const BLOCKS: [usize; 2];

    fn by_ballots(
        queue: &mut Queue<'_>,
        pass: Pass,
        from: &Pairs<'_, Self>,
        to: &mut ArrayViewMut<'_, Self, 1>,
        to_values: &mut ArrayViewMut<'_, u32, 1>,
    ) -> Result<()>;

    /// Adds the digits of all keys to counts.
    fn count_all(
        queue: &mut Queue<'_>,
        keys: &ArrayView<'_, Self, 1>,
        counts: &mut ArrayViewMut<'_, u32, 1>,
        order: u32,
    ) -> Result<()>;

    fn by_look_back(
        queue: &mut Queue<'_>,
        pass: Pass,
        from: &Pairs<'_, Self>,
        to: &mut ArrayViewMut<'_, Self, 1>,
        to_values: &mut ArrayViewMut<'_, u32, 1>,
        states: States<'_, '_>,
    ) -> Result<()>;
}

/// Kernels that move keys, without values if there is no room for words.
macro_rules! moves {
    (
        $module:ident: $($bits:ident)|*; $items:literal keys of a thread, $part:literal of a subgroup,
        $block:literal of a block; $words:literal words
    ) => {
        mod $module {
            use super::*;

            pub const BLOCK: usize = $block;

            /// Moves the keys of each block to where they belong by a digit.
            ///
            /// Without look-back, `states` are the counts of keys before a block in its stretch, and `starts`
            /// those before each stretch. With look-back, `starts` are those before all blocks, and `next` the
            /// states of the next pass.
            #[amp_kernel(K = $($bits)|*)]
            pub fn move_keys<K: Scalar + Bits, const VALUES: u32, const LOOK_BACK: u32>(
                t_idx: TiledIndex<1, 256>,
                from: &ArrayView<K, 1>,
                to: &mut ArrayViewMut<K, 1>,
                values: &ArrayView<u32, 1>,
                to_values: &mut ArrayViewMut<u32, 1>,
                starts: &ArrayView<u32, 1>,
                states: &mut ArrayViewMut<u32, 1>,
                next: &mut ArrayViewMut<u32, 1>,
                stretch: usize,
                shift: u32,
                order: u32,
            ) {
                // In the order of the digit.
                #[tile_static]
                let mut keys: [K; $block];
                #[tile_static]
                let mut words: [u32; $words];
                // For each subgroup, how many keys it has with each digit.
                #[tile_static]
                let mut counters: [u32; 2048];
                // Where a digit starts in the result, less where it starts in the block.
                #[tile_static]
                let mut targets: [u32; 256];
                #[tile_static]
                let mut subgroup_sums: [u32; 8];
                #[tile_static]
                let mut subgroups: u32;
                #[tile_static]
                let mut number: u32;
                #[tile_static]
                let mut same_shift: u32;
                let states_end = states.extent()[0] - 1;
                if t_idx.local[0] == 0 {
                    subgroups = 0;
                    same_shift = shift;
                    // Tiles that wait are numbered as they come, so that those before have come.
                    number = if LOOK_BACK == 1 {
                        atomic_fetch_inc(&mut states[states_end])
                    } else {
                        t_idx.tile[0] as u32
                    };
                }
                for at in (t_idx.local[0]..2048).step_by(256) {
                    counters[at] = 0;
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                // Subgroups are numbered as they come, too.
                let lane = subgroup::index() % 32;
                let mut group_number = 0_u32;
                if lane == 0 {
                    group_number = atomic_fetch_inc(&mut subgroups);
                }
                let group = subgroup::broadcast(group_number, 0) as usize % 8;
                let thread = group * 32 + lane;
                let tile = number as usize;
                let state = (tile * 256 + thread).min(states_end);
                let mut before_block = 0;
                if LOOK_BACK == 0 {
                    let of_stretch = thread * (starts.extent()[0] / 256) + tile / stretch;
                    before_block = starts[of_stretch.min(starts.extent()[0] - 1)] + states[state];
                }
                // Each subgroup has some keys in a row, of which each thread has every 32nd.
                let start = tile * $block;
                let n = from.extent()[0];
                let count = (n - start).min($block);
                let first = group * $part + lane;
                let inverted = inverted_by::<K>(order);
                let mut own = [K::ZERO; $items];
                // The minimum, which is `start`, proves the indices. One address serves all loads, which wait
                // for memory together, as nothing is computed of keys in between.
                let whole = start.min(n - $block) + first;
                if count == $block {
                    #[unroll]
                    for k in 0..$items {
                        own[k] = from[whole + k * 32];
                    }
                    #[unroll]
                    for k in 0..$items {
                        own[k] = ordered_or_last(own[k], true, inverted);
                    }
                } else {
                    #[unroll]
                    for k in 0..$items {
                        // What is not there stays behind all keys.
                        let key = from[(start + first + k * 32).min(n - 1)];
                        own[k] = ordered_or_last(key, first + k * 32 < count, inverted);
                    }
                }
                let mut ranks = [0_u32; $items];
                let lower_lanes = (1_u32 << lane as u32) - 1;
                #[unroll]
                for k in 0..$items {
                    let digit = byte_of(own[k], shift);
                    let mut peers = 0xffff_ffff_u32;
                    #[unroll]
                    for bit in 0..8 {
                        let is_set = digit >> bit & 1 != 0;
                        let votes = subgroup::ballot(is_set)[0];
                        peers &= if is_set { votes } else { !votes };
                    }
                    let counter = group * 256 + digit as usize;
                    let before = counters[counter];
                    let lower_peers = (peers & lower_lanes).count_ones();
                    ranks[k] = before + lower_peers;
                    // All have read the counter before the first of the peers changes it.
                    subgroup::barrier();
                    if lower_peers == 0 {
                        counters[counter] = before + peers.count_ones();
                    }
                    subgroup::barrier();
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                // Each thread adds up the counters of the digit that is its number.
                let mut total = 0;
                for k in 0..8 {
                    total += counters[k * 256 + thread];
                }
                if LOOK_BACK == 1 {
                    if tile == 0 {
                        // The scan has counted the keys once for each digit before.
                        before_block = starts[thread.min(starts.extent()[0] - 1)] - starts[0];
                        atomic_store(&mut states[state], before_block + total | 2 << 30);
                    } else {
                        atomic_store(&mut states[state], total | 1 << 30);
                    }
                    next[state.min(next.extent()[0] - 1)] = 0;
                    if tile == 0 && thread == 0 {
                        next[next.extent()[0] - 1] = 0;
                    }
                }
                let before = subgroup::exclusive_add(total);
                if lane == 31 {
                    subgroup_sums[group] = before + total;
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                let mut rank = before;
                #[unroll]
                for k in 0..7 {
                    if k < group {
                        rank += subgroup_sums[k];
                    }
                }
                let mut rank_in_group = rank;
                for k in 0..8 {
                    let here = counters[k * 256 + thread];
                    counters[k * 256 + thread] = rank_in_group;
                    rank_in_group += here;
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                // Read from memory, so that no digit stays in a register since the ranks were computed.
                let shift = same_shift;
                let mut own_values = [0_u32; $items];
                if VALUES == 1 && count == $block {
                    #[unroll]
                    for k in 0..$items {
                        own_values[k] = values[whole + k * 32];
                    }
                } else if VALUES > 0 {
                    #[unroll]
                    for k in 0..$items {
                        let source = (start + first + k * 32).min(n - 1);
                        own_values[k] = if VALUES == 1 { values[source] } else { source as u32 };
                    }
                }
                #[unroll]
                for k in 0..$items {
                    let digit = byte_of(own[k], shift) as usize;
                    let rank = (ranks[k] + counters[group * 256 + digit]) as usize % $block;
                    keys[rank] = own[k];
                    if VALUES > 0 {
                        words[rank % $words] = own_values[k];
                    }
                }
                if LOOK_BACK == 1 && tile > 0 {
                    let mut back = tile;
                    while back > 0 {
                        let at = (back * 256 + thread - 256).min(states_end);
                        let word = atomic_load(&mut states[at]);
                        if word != 0 {
                            before_block += word & 0x3fff_ffff;
                            back = if word >> 31 == 1 { 0 } else { back - 1 };
                        }
                    }
                    atomic_store(&mut states[state], before_block + total | 2 << 30);
                }
                targets[thread] = before_block - rank;
                t_idx.barrier.wait_with_tile_static_memory_fence();
                let mut at = thread;
                while at < count {
                    let key = keys[at % $block];
                    let target = (targets[byte_of(key, shift) as usize] + at as u32) as usize;
                    to[target.min(n - 1)] = key_of(key, inverted);
                    if VALUES > 0 {
                        to_values[target.min(n - 1)] = words[at % $words];
                    }
                    at += 256;
                }
            }
        }
    };
}
moves!(narrow_keys: u8 | u16 | u32; 28 keys of a thread, 896 of a subgroup, 7168 of a block; 1 words);
moves!(narrow: u8 | u16 | u32; 16 keys of a thread, 512 of a subgroup, 4096 of a block; 4096 words);
moves!(wide_keys: u64; 14 keys of a thread, 448 of a subgroup, 3584 of a block; 1 words);
moves!(wide: u64; 12 keys of a thread, 384 of a subgroup, 3072 of a block; 3072 words);

/// Counts the digits of each stretch: those of digit `d` in stretch `s` of `n` at `d * n + s` of the sums, and
/// those before block `b` of the stretch at `256 * b + d`.
#[amp_kernel(K = u8 | u16 | u32 | u64)]
fn count_digits<K: Scalar + Bits, const ITEMS: usize>(
    t_idx: TiledIndex<1, 256>,
    keys: &ArrayView<K, 1>,
    counts: &mut ArrayViewMut<u32, 1>,
    sums: &mut ArrayViewMut<u32, 1>,
    stretch: usize,
    shift: u32,
    order: u32,
) {
    #[tile_static]
    let mut bins: [u32; 256];
    let inverted = inverted_by::<K>(order);
    let lane = t_idx.local[0];
    bins[lane] = 0;
    let n = keys.extent()[0];
    let first = t_idx.tile[0] * stretch;
    let end = (first + stretch).min(counts.extent()[0] / 256);
    for block in first..end {
        let start = block * (256 * ITEMS) + lane;
        let mut own = [K::ZERO; ITEMS];
        #[unroll]
        for k in 0..ITEMS {
            own[k] = keys[(start + k * 256).min(n - 1)];
        }
        t_idx.barrier.wait_with_tile_static_memory_fence();
        counts[block * 256 + lane] = bins[lane];
        t_idx.barrier.wait_with_tile_static_memory_fence();
        #[unroll]
        for k in 0..ITEMS {
            if start + k * 256 < n {
                atomic_fetch_inc(&mut bins[digit_of(own[k], shift, inverted) as usize]);
            }
        }
    }
    t_idx.barrier.wait_with_tile_static_memory_fence();
    sums[lane * (sums.extent()[0] / 256) + t_idx.tile[0]] = bins[lane];
}

macro_rules! ballots {
    ($($bits:ident: $keys:ident, $pairs:ident;)*) => {
        $(impl Ballots for $bits {
            const BLOCKS: [usize; 2] = [$keys::BLOCK, $pairs::BLOCK];

            fn by_ballots(
                queue: &mut Queue<'_>,
                pass: Pass,
                from: &Pairs<'_, Self>,
                to: &mut ArrayViewMut<'_, Self, 1>,
                to_values: &mut ArrayViewMut<'_, u32, 1>,
            ) -> Result<()> {
                let Pass { shift, order, values_are } = pass;
                let Pairs { keys, values } = from;
                let blocks = keys.extent()[0].div_ceil($pairs::BLOCK);
                let stretch = blocks.div_ceil(STRETCHES);
                let stretches = blocks.div_ceil(stretch.max(1));
                let mut counted = queue.temporary(256 * blocks)?;
                let mut summed = queue.temporary(256 * stretches)?;
                let mut scanned = queue.temporary(256 * stretches)?;
                let (mut counts, mut sums) = (counted.elements()?, summed.elements()?);
                let mut offsets = scanned.elements()?;
                let count = count_digits::<$bits, { $pairs::BLOCK / 256 }>(
                    keys, &mut counts, &mut sums, stretch, shift, order,
                );
                queue.launch(tiles(stretches), count)?;
                exclusive_scan_on(queue, &sums, &mut offsets, 0, Add)?;
                let starts = offsets.as_view();
                macro_rules! kernel {
                    ($values_are:literal) => {
                        $pairs::move_keys::<$bits, $values_are, 0>(
                            keys, to, values, to_values, &starts, &mut counts, &mut sums, stretch, shift,
                            order,
                        )
                    };
                }
                let kernel = match values_are {
                    0 => kernel!(0),
                    1 => kernel!(1),
                    _ => kernel!(2),
                };
                queue.launch(tiles(blocks), kernel)?;
                drop(starts);
                drop((counts, sums, offsets));
                queue.keep(scanned);
                queue.keep(summed);
                queue.keep(counted);
                Ok(())
            }

            fn count_all(
                queue: &mut Queue<'_>,
                keys: &ArrayView<'_, Self, 1>,
                counts: &mut ArrayViewMut<'_, u32, 1>,
                order: u32,
            ) -> Result<()> {
                let blocks = keys.extent()[0].div_ceil(COUNTED);
                let stretch = blocks.div_ceil(STRETCHES);
                let kernel = count_all::<$bits, { size_of::<$bits>() }>(keys, counts, stretch, order);
                queue.launch(tiles(blocks.div_ceil(stretch)), kernel)
            }

            fn by_look_back(
                queue: &mut Queue<'_>,
                pass: Pass,
                from: &Pairs<'_, Self>,
                to: &mut ArrayViewMut<'_, Self, 1>,
                to_values: &mut ArrayViewMut<'_, u32, 1>,
                states: States<'_, '_>,
            ) -> Result<()> {
                let Pass { shift, order, values_are } = pass;
                let Pairs { keys, values } = from;
                let States { starts, own, next } = states;
                macro_rules! kernel {
                    ($module:ident, $values_are:literal) => {
                        $module::move_keys::<$bits, $values_are, 1>(
                            keys, to, values, to_values, starts, own, next, 1, shift, order,
                        )
                    };
                }
                let n = keys.extent()[0];
                let kernel = match values_are {
                    0 => kernel!($keys, 0),
                    1 => kernel!($pairs, 1),
                    _ => kernel!($pairs, 2),
                };
                let block = Self::BLOCKS[values_are.min(1) as usize];
                queue.launch(tiles(n.div_ceil(block)), kernel)
            }
        })*
    };
}
ballots! {
    u8: narrow_keys, narrow;
    u16: narrow_keys, narrow;
    u32: narrow_keys, narrow;
    u64: wide_keys, wide;
}

/// Whether a queue's device can run these passes.
pub(super) fn suit(queue: &Queue<'_>) -> bool {
    queue.votes_by_32(TILE_MEMORY)
}
