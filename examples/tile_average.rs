//! Replaces each element of a matrix by the average of its 2 × 2 tile.
//!
//! The threads of a tile share `tile_static` variables. Each thread stores its own element
//! there, waits until the others have, and then reads theirs.

use std::process::ExitCode;

use amp::prelude::*;

/// Rows and columns of a tile.
const TILE: usize = 2;

#[amp_kernel]
fn average(
    t_idx: TiledIndex<2, TILE, TILE>,
    sample: &ArrayView<i32, 2>,
    averages: &mut ArrayViewMut<i32, 2>,
) {
    #[tile_static]
    let mut nums: [[i32; TILE]; TILE];
    nums[t_idx.local[0]][t_idx.local[1]] = sample[t_idx];
    // Without this wait a thread might read what another has not yet stored.
    t_idx.barrier.wait();
    let mut sum = 0;
    for row in 0..TILE {
        for column in 0..TILE {
            sum += nums[row][column];
        }
    }
    averages[t_idx] = sum / (TILE * TILE) as i32;
}

/// A matrix of the averages of `sample`'s tiles, computed on `view`.
pub fn tile_average<const ROWS: usize, const COLUMNS: usize>(
    view: &AcceleratorView,
    sample: &[[i32; COLUMNS]; ROWS],
) -> amp::Result<Vec<i32>> {
    let sample = ArrayView::new([ROWS, COLUMNS], sample.as_flattened())?;
    // A view without a slice behind it: memory for results.
    let mut averages = ArrayViewMut::uninit([ROWS, COLUMNS])?;
    let domain = averages.extent().tile::<TILE, TILE>();
    view.parallel_for_each(domain, average(&sample, &mut averages))?;
    averages.to_vec()
}

/// The matrix of Microsoft's article.
pub const SAMPLE: [[i32; 6]; 4] = [
    [2, 2, 9, 7, 1, 4],
    [4, 4, 8, 8, 3, 4],
    [1, 5, 1, 2, 5, 2],
    [6, 8, 3, 2, 7, 2],
];

fn run() -> amp::Result<()> {
    let view = Accelerator::default()?.default_view()?;
    for row in tile_average(&view, &SAMPLE)?.chunks(6) {
        for average in row {
            print!("{average} ");
        }
        println!();
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
