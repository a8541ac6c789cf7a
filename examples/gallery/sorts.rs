//! Sorts numbers in three ways: by a bitonic network, digit by digit (radix sort), and by the algorithm of
//! the library.
//!
//! `cargo run --release --features algorithms --example sorts -- 1048576`

use amp::algorithms::TargetAlgorithms;
use amp::prelude::*;

mod support;

/// One step of the network (Batcher 1968): of the two elements that differ in the bit `distance` of
/// their index, the smaller comes first, or last in every other block.
#[amp_kernel]
fn compare(idx: Index<1>, block: usize, distance: usize, keys: &mut ArrayViewMut<u32, 1>) {
    let low = idx[0] / distance * 2 * distance + idx[0] % distance;
    let high = low + distance;
    let ascending = low & block == 0;
    if (keys[low] > keys[high]) == ascending {
        (keys[low], keys[high]) = (keys[high], keys[low]);
    }
}

fn bitonic_sort(keys: &mut [u32]) -> amp::Result<()> {
    let length = keys.len().next_power_of_two();
    // Keys beyond the last are larger than all.
    let mut padded = Array::from_iter(
        length,
        keys.iter().copied().chain(std::iter::repeat(u32::MAX)),
    )?;
    let steps = |block: usize| {
        std::iter::successors(Some(block / 2), |d| Some(d / 2)).take_while(|&d| d > 0)
    };
    for block in (1..=length.ilog2()).map(|bit| 1 << bit) {
        for distance in steps(block) {
            parallel_for_each(length / 2, compare(block, distance, &mut padded))?;
        }
    }
    copy(&padded.section(0, keys.len())?, keys)
}

const TILE: usize = 256;
const DIGITS: usize = 16;

/// Counts the digits of each tile: the counts of a digit in all tiles are a row.
#[amp_kernel]
fn count(
    t_idx: TiledIndex<1, TILE>,
    shift: u32,
    keys: &ArrayView<u32, 1>,
    counts: &mut ArrayViewMut<u32, 2>,
) {
    #[tile_static]
    let mut tally: [u32; DIGITS];
    let i = t_idx.local[0];
    if i < DIGITS {
        tally[i] = 0;
    }
    t_idx.barrier.wait();
    if t_idx.global[0] < keys.extent()[0] {
        let digit = (keys[t_idx.global] >> shift) as usize % DIGITS;
        atomic_fetch_inc(&mut tally[digit]);
    }
    t_idx.barrier.wait();
    if i < DIGITS {
        counts[[i, t_idx.tile[0]]] = tally[i];
    }
}

/// Moves each key behind those with a smaller digit and those with the same digit before it.
#[amp_kernel]
fn scatter(
    t_idx: TiledIndex<1, TILE>,
    shift: u32,
    starts: &ArrayView<u32, 2>,
    from: &ArrayView<u32, 1>,
    to: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut digits: [usize; TILE];
    let (i, at) = (t_idx.local[0], t_idx.global[0]);
    let key = if at < from.extent()[0] {
        from[at]
    } else {
        u32::MAX
    };
    let digit = (key >> shift) as usize % DIGITS;
    digits[i] = digit;
    t_idx.barrier.wait();
    if at < from.extent()[0] {
        let before = digits
            .iter()
            .take(i)
            .filter(|&&other| other == digit)
            .count();
        to[starts[[digit, t_idx.tile[0]]] as usize + before] = key;
    }
}

fn radix_sort(keys: &mut [u32]) -> amp::Result<()> {
    let domain = Extent::from(keys.len()).tile::<TILE>().pad();
    let tiles = domain.extent()[0] / TILE;
    let mut from = Array::new(keys.len(), keys)?;
    let mut to = Array::zeroed(keys.len())?;
    let mut counts = ArrayViewMut::uninit([DIGITS, tiles])?;
    for shift in (0..u32::BITS).step_by(DIGITS.ilog2() as usize) {
        parallel_for_each(domain, count(shift, &from, &mut counts))?;
        let mut start = 0;
        for count in &mut counts {
            start += std::mem::replace(count, start);
        }
        parallel_for_each(domain, scatter(shift, &counts, &from, &mut to))?;
        std::mem::swap(&mut from, &mut to);
    }
    from.copy_to(keys)
}

fn library_sort(keys: &mut [u32]) -> amp::Result<()> {
    let mut keys = ArrayViewMut::from(keys);
    keys.sort()?;
    keys.synchronize()
}

fn main() -> amp::Result<()> {
    let length = support::argument(1, 3000);
    let keys: Vec<u32> = support::random().take(length).collect();
    let mut expected = keys.clone();
    expected.sort();
    for (name, sort) in [
        ("bitonic", bitonic_sort as fn(&mut [u32]) -> amp::Result<()>),
        ("radix", radix_sort),
        ("library's", library_sort),
    ] {
        let mut sorted = keys.clone();
        sort(&mut sorted)?;
        assert!(
            sorted == expected,
            "the {name} sort leaves numbers in a different order"
        );
    }
    println!(
        "sorts: {length} numbers from {} to {}",
        expected[0],
        expected[length - 1]
    );
    Ok(())
}
