//! The passes on devices whose subgroups have 32 threads.
//!
//! A subgroup ranks 32 keys at a time: its threads vote on each bit of the digit, so that each learns which
//! of them have the same one. This takes a pass half as long as sorting a block bit by bit. In the end
//! there are fewer, larger blocks, whose parts of a digit are written together.
//!
//! Some consecutive blocks are a stretch. A tile counts the digits of all blocks of a stretch, so that
//! only the counts of stretches need a scan.

use super::digits::{Bits, byte_of, digit_of, inverted_by, key_of, ordered_or_last};
use super::{Digit, Keys, Pairs};
use crate::algorithms::launcher::Launcher;
use crate::algorithms::operation::Add;
use crate::algorithms::queue::{Queue, tiles};
use crate::algorithms::scan::exclusive_scan_on;
use crate::prelude::*;
use crate::{AcceleratorKind, Kernel, Result};

/// Threads of a subgroup.
const SIZE: u32 = 32;
/// Bytes of tile memory that a pass needs.
const TILE_MEMORY: u32 = 42 << 10;
/// Stretches that are enough for all threads of a device.
const STRETCHES: usize = 1024;

/// The kernels of a pass.
pub trait Ballots: Sized + crate::Element {
    /// Keys of a block.
    const BLOCK: usize;

    fn count<'k>(
        keys: &'k ArrayView<'_, Self, 1>,
        counts: &'k mut ArrayViewMut<'_, u32, 1>,
        sums: &'k mut ArrayViewMut<'_, u32, 1>,
        stretch: usize,
        digit: Digit,
    ) -> Kernel<'k, TiledIndex<1, 256>>;

    fn move_keys<'k>(
        from: &'k Pairs<'_, Self>,
        to: &'k mut ArrayViewMut<'_, Self, 1>,
        to_values: &'k mut ArrayViewMut<'_, u32, 1>,
        before: Before<'k, '_>,
        digit: Digit,
        values_are: u32,
    ) -> Kernel<'k, TiledIndex<1, 256>>;
}

/// How many keys with a digit are before a block: in its stretch, and before that.
#[derive(Clone, Copy)]
pub struct Before<'k, 'a> {
    counts: &'k ArrayView<'a, u32, 1>,
    sums: &'k ArrayView<'a, u32, 1>,
    /// Blocks of a stretch.
    stretch: usize,
}

macro_rules! ballots {
    ($module:ident: $($bits:ident)|*; $items:literal keys of a thread, $block:literal of a block) => {
        mod $module {
            use super::*;

            /// Counts the digits of each stretch: those of digit `d` in stretch `s` of `n` at
            /// `d * n + s` of the sums, and those before block `b` of the stretch at `256 * b + d`.
            #[amp_kernel(K = $($bits)|*)]
            pub fn count_digits<K: Scalar + Bits>(
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
                    let start = block * $block + lane;
                    let mut own = [K::ZERO; $items];
                    #[unroll]
                    for k in 0..$items {
                        own[k] = keys[(start + k * 256).min(n - 1)];
                    }
                    t_idx.barrier.wait_with_tile_static_memory_fence();
                    counts[block * 256 + lane] = bins[lane];
                    t_idx.barrier.wait_with_tile_static_memory_fence();
                    #[unroll]
                    for k in 0..$items {
                        if start + k * 256 < n {
                            atomic_fetch_inc(&mut bins[digit_of(own[k], shift, inverted) as usize]);
                        }
                    }
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                sums[lane * (sums.extent()[0] / 256) + t_idx.tile[0]] = bins[lane];
            }

            /// Moves the keys of each block to where they belong by a digit.
            #[amp_kernel(K = $($bits)|*)]
            pub fn move_keys<K: Scalar + Bits, const VALUES: u32>(
                t_idx: TiledIndex<1, 256>,
                from: &ArrayView<K, 1>,
                to: &mut ArrayViewMut<K, 1>,
                values: &ArrayView<u32, 1>,
                to_values: &mut ArrayViewMut<u32, 1>,
                counts: &ArrayView<u32, 1>,
                sums: &ArrayView<u32, 1>,
                stretch: usize,
                shift: u32,
                order: u32,
            ) {
                // In the order of the digit.
                #[tile_static]
                let mut keys: [K; $block];
                #[tile_static]
                let mut words: [u32; $block];
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
                if t_idx.local[0] == 0 {
                    subgroups = 0;
                }
                for at in (t_idx.local[0]..2048).step_by(256) {
                    counters[at] = 0;
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                // Subgroups are numbered as they come.
                let lane = subgroup::index() % 32;
                let mut number = 0_u32;
                if lane == 0 {
                    number = atomic_fetch_inc(&mut subgroups);
                }
                let group = subgroup::broadcast(number, 0) as usize % 8;
                let thread = group * 32 + lane;
                let tile = t_idx.tile[0];
                let before_block = sums[thread * (sums.extent()[0] / 256) + tile / stretch]
                    + counts[tile * 256 + thread];
                // Each subgroup has some keys in a row, of which each thread has every 32nd.
                let start = tile * $block;
                let n = from.extent()[0];
                let count = (n - start).min($block);
                let first = group * ($block / 8) + lane;
                let mut own = [K::ZERO; $items];
                #[unroll]
                for k in 0..$items {
                    own[k] = from[start + (first + k * 32).min(count - 1)];
                }
                // Apart from the loads, which so wait for memory together.
                let inverted = inverted_by::<K>(order);
                #[unroll]
                for k in 0..$items {
                    // What is not there stays behind all keys.
                    own[k] = ordered_or_last(own[k], first + k * 32 < count, inverted);
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
                targets[thread] = before_block - rank;
                for k in 0..8 {
                    let here = counters[k * 256 + thread];
                    counters[k * 256 + thread] = rank;
                    rank += here;
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                #[unroll]
                for k in 0..$items {
                    let digit = byte_of(own[k], shift) as usize;
                    let rank = (ranks[k] + counters[group * 256 + digit]) as usize % $block;
                    keys[rank] = own[k];
                    let source = start + (first + k * 32).min(count - 1);
                    if VALUES == 1 {
                        words[rank] = values[source];
                    } else if VALUES == 2 {
                        words[rank] = source as u32;
                    }
                }
                t_idx.barrier.wait_with_tile_static_memory_fence();
                let mut at = thread;
                while at < count {
                    let key = keys[at];
                    let target = (targets[byte_of(key, shift) as usize] + at as u32) as usize;
                    to[target.min(n - 1)] = key_of(key, inverted);
                    if VALUES > 0 {
                        to_values[target.min(n - 1)] = words[at];
                    }
                    at += 256;
                }
            }
        }

        $(impl Ballots for $bits {
            const BLOCK: usize = $block;

            #[inline]
            fn count<'k>(
                keys: &'k ArrayView<'_, Self, 1>,
                counts: &'k mut ArrayViewMut<'_, u32, 1>,
                sums: &'k mut ArrayViewMut<'_, u32, 1>,
                stretch: usize,
                digit: Digit,
            ) -> Kernel<'k, TiledIndex<1, 256>> {
                let Digit { shift, order } = digit;
                $module::count_digits::<$bits>(keys, counts, sums, stretch, shift, order)
            }

            #[inline]
            fn move_keys<'k>(
                from: &'k Pairs<'_, Self>,
                to: &'k mut ArrayViewMut<'_, Self, 1>,
                to_values: &'k mut ArrayViewMut<'_, u32, 1>,
                before: Before<'k, '_>,
                digit: Digit,
                values_are: u32,
            ) -> Kernel<'k, TiledIndex<1, 256>> {
                let Pairs { keys, values } = from;
                let Before { counts, sums, stretch } = before;
                let Digit { shift, order } = digit;
                macro_rules! kernel {
                    ($values:literal) => {
                        $module::move_keys::<$bits, $values>(
                            keys, to, values, to_values, counts, sums, stretch, shift, order,
                        )
                    };
                }
                match values_are {
                    0 => kernel!(0),
                    1 => kernel!(1),
                    _ => kernel!(2),
                }
            }
        })*
    };
}
ballots!(narrow: u8 | u16 | u32; 16 keys of a thread, 4096 of a block);
ballots!(wide: u64; 8 keys of a thread, 2048 of a block);

/// Whether a queue's device can run these passes.
pub(super) fn suit(queue: &Queue<'_>) -> bool {
    let view = queue.accelerator_view();
    let device = view.accelerator().properties();
    let is_program = matches!(
        device.kind,
        AcceleratorKind::Software | AcceleratorKind::Cpu
    );
    !is_program
        && device.subgroup_size == SIZE
        && device
            .tile_static_bytes
            .is_none_or(|bytes| bytes >= TILE_MEMORY)
        && ["arithmetic", "ballot", "shuffle"]
            .iter()
            .all(|needed| device.subgroup_operations.contains(needed))
}

/// One pass.
pub(super) fn pass<K: Keys>(
    queue: &mut Queue<'_>,
    digit: Digit,
    values_are: u32,
    from: &Pairs<'_, K>,
    to: &mut ArrayViewMut<'_, K, 1>,
    to_values: &mut ArrayViewMut<'_, u32, 1>,
) -> Result<()> {
    let blocks = from.keys.extent()[0].div_ceil(K::BLOCK);
    let stretch = blocks.div_ceil(STRETCHES);
    let stretches = blocks.div_ceil(stretch.max(1));
    let mut counted = queue.temporary(256 * blocks)?;
    let (mut summed, mut scanned) = (
        queue.temporary(256 * stretches)?,
        queue.temporary(256 * stretches)?,
    );
    let (mut counts, mut sums) = (counted.elements()?, summed.elements()?);
    let mut offsets = scanned.elements()?;
    let count = <K as Ballots>::count(&from.keys, &mut counts, &mut sums, stretch, digit);
    queue.launch(tiles(stretches), count)?;
    exclusive_scan_on(queue, &sums, &mut offsets, 0, Add)?;
    let (in_stretch, before_stretch) = (counts.as_view(), offsets.as_view());
    let before = Before {
        counts: &in_stretch,
        sums: &before_stretch,
        stretch,
    };
    let kernel = <K as Ballots>::move_keys(from, to, to_values, before, digit, values_are);
    queue.launch(tiles(blocks), kernel)?;
    drop((in_stretch, before_stretch));
    drop((counts, sums, offsets));
    queue.keep(scanned);
    queue.keep(summed);
    queue.keep(counted);
    Ok(())
}
