//! Computes prefix sums in one pass: element `i` of the result is the sum of the first
//! `i + 1` numbers.
//!
//! Each tile adds its own part and then needs the sum of all previous tiles. It does not wait
//! for a second launch: each tile publishes the sum of its part, looks back at the previous
//! tiles until it finds one that knows its prefix, and publishes its own prefix (decoupled
//! look-back, Merrill and Garland 2016).
//!
//! Tiles start in any order and not all at once. A tile therefore takes its number from a
//! counter when it starts, so that it only waits for tiles that have started, too. And it
//! waits for a limited time: the system may have suspended a thread of the CPU accelerator or
//! of lavapipe, and then the tile computes the other tile's sum itself.

use std::process::ExitCode;

use amp::prelude::*;

/// Threads of a tile.
const TILE: usize = 256;

/// The number of polls of a tile that has published nothing.
const PATIENCE: u32 = 1000;

// What a tile has published.
const NOTHING: u32 = 0;
const SUM: u32 = 1;
const PREFIX: u32 = 2;

/// The sum of all numbers before a tile, from the published sums of the previous tiles.
#[amp_fn]
fn sum_before(
    tile: usize,
    numbers: &ArrayView<u32, 1>,
    states: &mut ArrayViewMut<u32, 1>,
    sums: &ArrayView<u32, 1>,
    prefixes: &ArrayView<u32, 1>,
) -> u32 {
    let mut sum = 0;
    for earlier in (0..tile).rev() {
        let mut looks: u32 = 0;
        let mut state = atomic_load(&mut states[earlier]);
        while state == NOTHING && looks < PATIENCE {
            state = atomic_load(&mut states[earlier]);
            looks += 1;
        }
        device_memory_fence();
        if state == PREFIX {
            return prefixes[earlier] + sum;
        }
        if state == SUM {
            sum += sums[earlier];
        } else {
            for k in 0..TILE {
                sum += numbers[earlier * TILE + k];
            }
        }
    }
    sum
}

#[amp_kernel]
fn scan(
    t_idx: TiledIndex<1, TILE>,
    numbers: &ArrayView<u32, 1>,
    result: &mut ArrayViewMut<u32, 1>,
    started: &mut ArrayViewMut<u32, 1>,
    states: &mut ArrayViewMut<u32, 1>,
    sums: &mut ArrayViewMut<u32, 1>,
    prefixes: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut number: u32;
    #[tile_static]
    let mut before: u32;
    #[tile_static]
    let mut parts: [u32; TILE];
    let i = t_idx.local[0];
    if i == 0 {
        number = atomic_fetch_inc(&mut started[0]);
    }
    t_idx.barrier.wait();
    let tile = number as usize;
    let at = tile * TILE + i;

    // Prefix sums within the tile.
    parts[i] = if at < numbers.extent()[0] {
        numbers[at]
    } else {
        0
    };
    let mut distance = 1;
    while distance < TILE {
        t_idx.barrier.wait();
        let sum = if i < distance {
            parts[i]
        } else {
            parts[i - distance] + parts[i]
        };
        t_idx.barrier.wait();
        parts[i] = sum;
        distance *= 2;
    }
    t_idx.barrier.wait();

    // One thread communicates with the previous tiles.
    if i == 0 {
        let sum = parts[TILE - 1];
        let mut prefix = 0;
        if tile > 0 {
            sums[tile] = sum;
            // A thread that sees the state also sees the sum.
            device_memory_fence();
            atomic_store(&mut states[tile], SUM);
            prefix = sum_before(tile, numbers, states, sums, prefixes);
        }
        prefixes[tile] = prefix + sum;
        device_memory_fence();
        atomic_store(&mut states[tile], PREFIX);
        before = prefix;
    }
    t_idx.barrier.wait();
    if at < numbers.extent()[0] {
        result[at] = before + parts[i];
    }
}

/// Computes the prefix sums of `numbers` on `view`, with wrapping addition.
pub fn prefix_sums(view: &AcceleratorView, numbers: &[u32]) -> amp::Result<Vec<u32>> {
    let numbers = ArrayView::new(numbers.len(), numbers)?;
    let mut result = ArrayViewMut::uninit(numbers.extent())?;
    let domain = numbers.extent().tile::<TILE>().pad();
    let tiles = domain.extent()[0] / TILE;
    // Arrays of zeroes: no tile has started, and none has published anything.
    let mut started = Array::builder(1).on(view).build()?;
    let mut states = Array::builder(tiles).on(view).build()?;
    let mut sums = Array::builder(tiles).on(view).build()?;
    let mut prefixes = Array::builder(tiles).on(view).build()?;
    let kernel = scan(
        &numbers,
        &mut result,
        &mut started,
        &mut states,
        &mut sums,
        &mut prefixes,
    );
    view.parallel_for_each(domain, kernel)?;
    result.to_vec()
}

fn run() -> amp::Result<bool> {
    let accelerator = Accelerator::default()?;
    let numbers: Vec<u32> = (0..1_000_000).map(|i| i % 10).collect();
    let sums = prefix_sums(&accelerator.default_view()?, &numbers)?;
    let mut sum = 0;
    let right = sums.iter().zip(&numbers).all(|(found, number)| {
        sum += number;
        *found == sum
    });
    println!("{}", accelerator.description());
    println!("first: {:?}", &sums[..12]);
    println!("last:  {}", sums[sums.len() - 1]);
    println!(
        "{}",
        if right {
            "all are right"
        } else {
            "some are wrong"
        }
    );
    Ok(right)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
