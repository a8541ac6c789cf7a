//! Sorts on devices where tiles can wait for others.
//!
//! One kernel counts the digits of all passes. In a pass, each tile publishes how many keys with each digit its
//! block has, then adds up what the tiles before have published, back to one that knows the sum of all before,
//! and publishes the sum (Merrill and Garland: Single-pass Parallel Prefix Scan with Decoupled Look-back; Adinets
//! and Merrill: Onesweep). What is published is one word, so no access needs an order.

use super::ballots;
use super::digits::{Bits, byte_of, inverted_by, ordered_or_last};
use super::{Keys, Pairs, Pass};
use crate::Result;
use crate::algorithms::fill::fill_on;
use crate::algorithms::operation::Add;
use crate::algorithms::queue::{Queue, Temporary};
use crate::algorithms::scan::exclusive_scan_on;
use crate::prelude::*;

/// Keys that a tile counts at a time.
pub(super) const COUNTED: usize = 4096;

/// A word has a count in its lower bits. The two others are zero before it is published; the higher one says
/// that the count is of all tiles up to this one.
const COUNT_BITS: u32 = 30;

/// Counts the digits of all keys: value `v` of digit `d` at `256 * d + v`.
#[amp_kernel(K = u8 | u16 | u32 | u64)]
pub(super) fn count_all<K: Scalar + Bits, const DIGITS: usize>(
    t_idx: TiledIndex<1, 256>,
    keys: &ArrayView<K, 1>,
    counts: &mut ArrayViewMut<u32, 1>,
    stretch: usize,
    order: u32,
) {
    #[tile_static]
    let mut bins: [u32; 2048];
    let inverted = inverted_by::<K>(order);
    let lane = t_idx.local[0];
    for at in (lane..2048).step_by(256) {
        bins[at] = 0;
    }
    t_idx.barrier.wait_with_tile_static_memory_fence();
    let n = keys.extent()[0];
    let first = t_idx.tile[0] * stretch;
    for block in first..first + stretch {
        let start = block * 4096 + lane;
        let mut own = [K::ZERO; 16];
        #[unroll]
        for k in 0..16 {
            own[k] = keys[(start + k * 256).min(n - 1)];
        }
        #[unroll]
        for k in 0..16 {
            if start + k * 256 < n {
                let ordered = ordered_or_last(own[k], true, inverted);
                #[unroll]
                for digit in 0..DIGITS {
                    let value = byte_of(ordered, digit as u32 * 8) as usize;
                    atomic_fetch_inc(&mut bins[digit % 8 * 256 + value]);
                }
            }
        }
    }
    t_idx.barrier.wait_with_tile_static_memory_fence();
    for digit in 0..DIGITS {
        let at = digit % 8 * 256 + lane;
        atomic_fetch_add(&mut counts[at], bins[at]);
    }
}

/// What the tiles of a pass publish.
pub struct States<'k, 'a> {
    /// Where each value of the digit starts in the result.
    pub starts: &'k ArrayView<'a, u32, 1>,
    /// A word for each tile and value, and the number of tiles that have started.
    pub own: &'k mut ArrayViewMut<'a, u32, 1>,
    /// Those of the next pass, which this one clears.
    pub next: &'k mut ArrayViewMut<'a, u32, 1>,
}

/// What a sort keeps from pass to pass.
pub struct LookBack {
    /// How many keys have a smaller value of the digit, plus the number of keys times the digit's.
    starts: Temporary<u32>,
    states: [Temporary<u32>; 2],
    is_odd: bool,
}

impl LookBack {
    /// Counts the digits of keys, if look-back suits the device and their number.
    pub(in crate::algorithms) fn new<K: Keys>(
        queue: &mut Queue<'_>,
        keys: &ArrayViewMut<'_, K, 1>,
        order: u32,
        values_are: u32,
    ) -> Result<Option<Self>> {
        let n = keys.extent()[0];
        let properties = queue.accelerator_view().accelerator().properties();
        if n == 0 || n >> COUNT_BITS > 0 || !properties.tiles_progress || !ballots::suit(queue) {
            return Ok(None);
        }
        let length = 256 * size_of::<K>();
        let mut starts = queue.temporary(length)?;
        let words = 256 * n.div_ceil(K::BLOCKS[values_are.min(1) as usize]) + 1;
        let mut states = [queue.temporary(words)?, queue.temporary(words)?];
        fill_on(queue, &mut states[0].elements()?, 0)?;
        let mut counted = queue.temporary(length)?;
        let mut counts = counted.elements()?;
        fill_on(queue, &mut counts, 0)?;
        K::count_all(queue, &keys.as_view(), &mut counts, order)?;
        exclusive_scan_on(queue, &counts, &mut starts.elements()?, 0, Add)?;
        drop(counts);
        queue.keep(counted);
        let is_odd = false;
        Ok(Some(Self {
            starts,
            states,
            is_odd,
        }))
    }

    /// Runs the next pass.
    pub(super) fn run<K: Keys>(
        &mut self,
        queue: &mut Queue<'_>,
        pass: Pass,
        from: &Pairs<'_, K>,
        to: &mut ArrayViewMut<'_, K, 1>,
        to_values: &mut ArrayViewMut<'_, u32, 1>,
    ) -> Result<()> {
        let starts = self.starts.elements()?;
        let [one, other] = &mut self.states;
        let (mut one, mut other) = (one.elements()?, other.elements()?);
        let (own, next) = match self.is_odd {
            false => (&mut one, &mut other),
            true => (&mut other, &mut one),
        };
        self.is_odd = !self.is_odd;
        let states = States {
            starts: &starts
                .as_view()
                .section(pass.shift as usize / 8 * 256, 256)?,
            own,
            next,
        };
        K::by_look_back(queue, pass, from, to, to_values, states)
    }

    /// Gives back the memory.
    pub(in crate::algorithms) fn keep(self, queue: &mut Queue<'_>) {
        let [one, other] = self.states;
        queue.keep(other);
        queue.keep(one);
        queue.keep(self.starts);
    }
}
