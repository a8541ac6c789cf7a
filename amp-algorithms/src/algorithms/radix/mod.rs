//! The passes of the radix sort: each sorts by one digit of eight bits and keeps the order of equal
//! digits.
//!
//! A pass counts the digits of each block of 2048 keys, scans the counts of all blocks, digit by
//! digit, and moves the keys. For that a tile sorts its block by the digit, four bits at a time, so
//! that neighbouring threads move keys to neighbouring places. Devices with the subgroups for it do
//! the same by [`ballots`], and those on which tiles may wait for others count all digits before the first pass
//! and [look back](look_back).

mod ballots;
mod look_back;

use super::launcher::Launcher;
use super::operation::Add;
use super::queue::{Queue, tiles};
use super::scan::exclusive_scan_on;
use crate::prelude::*;
use crate::{Element, Result};

/// Keys of a block.
const BLOCK: usize = 2048;

/// Values do not move with the keys.
pub(super) const ALONE: u32 = 0;
/// They do.
pub(super) const WITH_VALUES: u32 = 1;
/// The values are the places of the keys.
pub(super) const WITH_PLACES: u32 = 2;

/// The orders of bit patterns: of unsigned and signed integers, and the total order of floats.
pub(super) const UNSIGNED: u32 = 0;
pub(super) const SIGNED: u32 = 1;
pub(super) const FLOAT: u32 = 2;
/// The same from the greatest on.
pub(super) const DESCENDING: u32 = 4;

macro_rules! digits {
    ($($bits:ident)*) => {
        #[crate::amp_module]
        #[allow(missing_docs)]
        pub mod digits {
            /// A bit pattern.
            pub trait Bits: Copy {
                /// The bits that an order inverts: of each pattern, and of those of negative floats, too.
                fn inverted(order: u32) -> (Self, Self);
                /// The number whose order as an unsigned integer is the wanted one.
                fn ordered(self, inverted: (Self, Self)) -> Self;
                /// The pattern of such a number.
                fn unordered(self, inverted: (Self, Self)) -> Self;
                /// The greatest of them.
                fn last(self) -> Self;
                fn is_less(self, other: Self) -> bool;
                /// Eight of its bits.
                fn byte(self, shift: u32) -> u32;
            }

            $(impl Bits for $bits {
                fn inverted(order: u32) -> (Self, Self) {
                    let is_signed = (order & 3 != 0) as $bits;
                    let is_float = (order >> 1 & 1) as $bits;
                    let descends = (order >> 2) as $bits;
                    let top = $bits::BITS - 1;
                    (is_signed << top ^ descends.wrapping_neg(), is_float.wrapping_neg() >> 1)
                }

                fn ordered(self, inverted: (Self, Self)) -> Self {
                    let (all, negative) = inverted;
                    let sign = self >> ($bits::BITS - 1);
                    self ^ all ^ (sign.wrapping_neg() & negative)
                }

                fn unordered(self, inverted: (Self, Self)) -> Self {
                    let (all, negative) = inverted;
                    let pattern = self ^ all;
                    let sign = pattern >> ($bits::BITS - 1);
                    pattern ^ (sign.wrapping_neg() & negative)
                }

                fn last(self) -> Self {
                    $bits::MAX
                }

                fn is_less(self, other: Self) -> bool {
                    self < other
                }

                fn byte(self, shift: u32) -> u32 {
                    (self >> shift) as u32 & 255
                }
            })*

            pub fn inverted_by<K: Bits>(order: u32) -> (K, K) {
                K::inverted(order)
            }

            pub fn digit_of<K: Bits>(key: K, shift: u32, inverted: (K, K)) -> u32 {
                key.ordered(inverted).byte(shift)
            }

            /// As [`Bits::ordered`], but the greatest of all if there is no key.
            pub fn ordered_or_last<K: Bits>(key: K, exists: bool, inverted: (K, K)) -> K {
                let ordered = key.ordered(inverted);
                if exists { ordered } else { key.last() }
            }

            pub fn is_less<K: Bits>(a: K, b: K, inverted: (K, K)) -> bool {
                a.ordered(inverted).is_less(b.ordered(inverted))
            }

            pub fn byte_of<K: Bits>(ordered: K, shift: u32) -> u32 {
                ordered.byte(shift)
            }

            pub fn key_of<K: Bits>(ordered: K, inverted: (K, K)) -> K {
                ordered.unordered(inverted)
            }
        }

        /// Bit patterns that passes sort.
        pub trait Keys: Element + Bits + Ord + Ballots + Runs {
            /// A pass over blocks that tiles of any device can sort.
            fn by_blocks(
                queue: &mut Queue<'_>,
                pass: Pass,
                from: &Pairs<'_, Self>,
                to: &mut ArrayViewMut<'_, Self, 1>,
                to_values: &mut ArrayViewMut<'_, u32, 1>,
            ) -> Result<()>;
        }

        $(impl Keys for $bits {
            fn by_blocks(
                queue: &mut Queue<'_>,
                pass: Pass,
                from: &Pairs<'_, Self>,
                to: &mut ArrayViewMut<'_, Self, 1>,
                to_values: &mut ArrayViewMut<'_, u32, 1>,
            ) -> Result<()> {
                let Pass { shift, order, values_are } = pass;
                let Pairs { keys, values } = from;
                let blocks = keys.extent()[0].div_ceil(BLOCK);
                let (mut counted, mut scanned) =
                    (queue.temporary(256 * blocks)?, queue.temporary(256 * blocks)?);
                let (mut counts, mut offsets) = (counted.elements()?, scanned.elements()?);
                let count = count_digits::<$bits>(keys, &mut counts, shift, order);
                queue.launch(tiles(blocks), count)?;
                exclusive_scan_on(queue, &counts, &mut offsets, 0, Add)?;
                let starts = offsets.as_view();
                macro_rules! kernel {
                    ($values_are:ident) => {
                        move_keys::<$bits, $values_are>(
                            keys, to, values, to_values, &starts, shift, order,
                        )
                    };
                }
                let kernel = match values_are {
                    ALONE => kernel!(ALONE),
                    WITH_VALUES => kernel!(WITH_VALUES),
                    _ => kernel!(WITH_PLACES),
                };
                queue.launch(tiles(blocks), kernel)?;
                drop(starts);
                drop((counts, offsets));
                queue.keep(scanned);
                queue.keep(counted);
                Ok(())
            }
        })*
    };
}
digits!(u8 u16 u32 u64);

use super::merge::Runs;
use ballots::Ballots;
use digits::{Bits, digit_of, inverted_by};
pub(super) use look_back::LookBack;

/// Counts the digits of each block: those of digit `d` in block `b` of `n` at `d * n + b`.
#[amp_kernel(K = u8 | u16 | u32 | u64)]
fn count_digits<K: Scalar + Bits>(
    t_idx: TiledIndex<1, 256>,
    keys: &ArrayView<K, 1>,
    counts: &mut ArrayViewMut<u32, 1>,
    shift: u32,
    order: u32,
) {
    #[tile_static]
    let mut bins: [u32; 256];
    let inverted = inverted_by::<K>(order);
    let lane = t_idx.local[0];
    bins[lane] = 0;
    t_idx.barrier.wait();
    let start = t_idx.tile[0] * 2048 + lane;
    for k in 0..8 {
        let at = start + k * 256;
        if at < keys.extent()[0] {
            atomic_fetch_inc(&mut bins[digit_of(keys[at], shift, inverted) as usize]);
        }
    }
    t_idx.barrier.wait();
    counts[lane * (counts.extent()[0] / 256) + t_idx.tile[0]] = bins[lane];
}

/// The place of an element in tile memory: threads that access every eighth, too, find each in a
/// bank of its own.
#[amp_fn]
fn place(at: usize) -> usize {
    at ^ (at / 32 % 8)
}

/// Moves the keys of each block to where they belong by a digit.
#[amp_kernel(K = u8 | u16 | u32 | u64)]
fn move_keys<K: Scalar + Bits, const VALUES: u32>(
    t_idx: TiledIndex<1, 256>,
    from: &ArrayView<K, 1>,
    to: &mut ArrayViewMut<K, 1>,
    values: &ArrayView<u32, 1>,
    to_values: &mut ArrayViewMut<u32, 1>,
    offsets: &ArrayView<u32, 1>,
    shift: u32,
    order: u32,
) {
    #[tile_static]
    let mut keys: [K; 2048];
    // The values, and counters while threads have the values.
    #[tile_static]
    let mut words: [u32; 2048];
    #[tile_static]
    let mut sums: [u32; 512];
    // Where each digit starts, in the block and in the result.
    #[tile_static]
    let mut starts: [u32; 256];
    #[tile_static]
    let mut targets: [u32; 256];
    let inverted = inverted_by::<K>(order);
    let lane = t_idx.local[0];
    let start = t_idx.tile[0] * 2048;
    let count = (from.extent()[0] - start).min(2048);
    targets[lane] = offsets[lane * (offsets.extent()[0] / 256) + t_idx.tile[0]];
    #[unroll]
    for k in 0..8 {
        let at = lane + k * 256;
        let source = start + at.min(count - 1);
        keys[place(at)] = from[source];
        if VALUES == 1 {
            words[place(at)] = values[source];
        } else if VALUES == 2 {
            words[place(at)] = source as u32;
        }
    }
    for half in 0..2 {
        t_idx.barrier.wait();
        // Each thread has eight keys in a row.
        let mut own = [K::ZERO; 8];
        let mut own_values = [0_u32; 8];
        let mut own_digits = [0_u32; 8];
        let mut ranks = [0_u32; 8];
        #[unroll]
        for k in 0..8 {
            let at = lane * 8 + k;
            own[k] = keys[place(at)];
            if VALUES > 0 {
                own_values[k] = words[place(at)];
            }
        }
        t_idx.barrier.wait();
        // It counts the digits of four bits among them: those below eight, and the others, each in four
        // bits of a word, as there are at most eight.
        let mut low = 0_u32;
        let mut high = 0_u32;
        #[unroll]
        for k in 0..8 {
            // What is not there stays behind all keys.
            let digit = if lane * 8 + k < count {
                digit_of(own[k], shift, inverted)
            } else {
                255
            };
            own_digits[k] = digit >> (half * 4) & 15;
            let counter = own_digits[k] % 8 * 4;
            if own_digits[k] < 8 {
                ranks[k] = low >> counter & 15;
                low += 1 << counter;
            } else {
                ranks[k] = high >> counter & 15;
                high += 1 << counter;
            }
        }
        #[unroll]
        for word in 0..8 {
            let (low, high) = (low >> (4 * word) & 15, high >> (4 * word) & 15);
            words[place(word * 256 + lane)] = low | high << 16;
        }
        t_idx.barrier.wait();
        // The counters are scanned in the order of digits, and of threads for each digit: first
        // those of the digits below eight, which are the lower halves.
        let mut counted = [0_u32; 8];
        let mut sum = 0;
        #[unroll]
        for word in 0..8 {
            counted[word] = words[place(lane * 8 + word)];
            sum += counted[word];
        }
        let mut side = 0;
        sums[lane] = sum;
        let mut distance = 1;
        while distance < 256 {
            t_idx.barrier.wait();
            let mut total = sums[side + lane];
            if lane >= distance {
                total += sums[side + lane - distance];
            }
            side = 256 - side;
            sums[side + lane] = total;
            distance *= 2;
        }
        t_idx.barrier.wait();
        let mut before = sums[side + lane] - sum + (sums[side + 255] << 16);
        #[unroll]
        for word in 0..8 {
            words[place(lane * 8 + word)] = before;
            before += counted[word];
        }
        t_idx.barrier.wait();
        #[unroll]
        for k in 0..8 {
            let counter = place(own_digits[k] as usize % 8 * 256 + lane);
            ranks[k] += words[counter] >> (own_digits[k] / 8 * 16) & 0xffff;
        }
        t_idx.barrier.wait();
        #[unroll]
        for k in 0..8 {
            let target = place(ranks[k] as usize);
            keys[target] = own[k];
            if VALUES > 0 {
                words[target] = own_values[k];
            }
        }
    }
    t_idx.barrier.wait();
    #[unroll]
    for k in 0..8 {
        let at = lane + k * 256;
        if at < count {
            let digit = digit_of(keys[place(at)], shift, inverted);
            if at == 0 || digit_of(keys[place(at - 1)], shift, inverted) != digit {
                starts[digit as usize] = at as u32;
            }
        }
    }
    t_idx.barrier.wait();
    #[unroll]
    for k in 0..8 {
        let at = lane + k * 256;
        if at < count {
            let key = keys[place(at)];
            let digit = digit_of(key, shift, inverted) as usize;
            let target = (targets[digit] + at as u32 - starts[digit]) as usize;
            to[target] = key;
            if VALUES > 0 {
                to_values[target] = words[place(at)];
            }
        }
    }
}

/// What a pass sorts by, and what the values are.
#[derive(Clone, Copy)]
pub struct Pass {
    pub shift: u32,
    pub order: u32,
    pub values_are: u32,
}

/// Keys and their values.
pub struct Pairs<'a, K: Element> {
    pub keys: ArrayView<'a, K, 1>,
    pub values: ArrayView<'a, u32, 1>,
}

/// Runs a pass, by look-back if the digits of all passes have been counted.
pub(super) fn run<K: Keys>(
    queue: &mut Queue<'_>,
    look_back: Option<&mut LookBack>,
    pass: Pass,
    from: &Pairs<'_, K>,
    to: &mut ArrayViewMut<'_, K, 1>,
    to_values: &mut ArrayViewMut<'_, u32, 1>,
) -> Result<()> {
    match look_back {
        Some(look_back) => look_back.run(queue, pass, from, to, to_values),
        None if ballots::suit(queue) => K::by_ballots(queue, pass, from, to, to_values),
        None => K::by_blocks(queue, pass, from, to, to_values),
    }
}
