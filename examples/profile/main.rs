//! Profiles a small pipeline on two views: each multiplies matrices, the product of the
//! first is copied to the second, which adds both. Prints a table of the times, writes a
//! trace for <https://ui.perfetto.dev>, and optionally draws the trace as an SVG file.
//!
//! ```sh
//! cargo run --release --example profile -- profile.json profile.svg
//! ```

pub mod picture;

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use amp::prelude::*;
use amp::profile::Profile;

/// Rows and columns of a tile.
const TILE: usize = 16;
/// Products that each view computes.
pub const ROUNDS: usize = 3;

#[amp_kernel]
fn multiply(
    t_idx: TiledIndex<2, TILE, TILE>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut a_tile: [[f32; TILE]; TILE];
    #[tile_static]
    let mut b_tile: [[f32; TILE]; TILE];
    let (row, col) = (t_idx.local[0], t_idx.local[1]);
    let mut sum = 0.0;
    for i in (0..a.extent()[1]).step_by(TILE) {
        a_tile[row][col] = a[[t_idx.global[0], col + i]];
        b_tile[row][col] = b[[row + i, t_idx.global[1]]];
        t_idx.barrier.wait();
        for k in 0..TILE {
            sum += a_tile[row][k] * b_tile[k][col];
        }
        t_idx.barrier.wait();
    }
    c[t_idx.global] = sum;
}

#[amp_kernel]
fn add(idx: Index<2>, a: &ArrayView<f32, 2>, sum: &mut ArrayViewMut<f32, 2>) {
    sum[idx] += a[idx];
}

/// Computes a matrix to the power of `ROUNDS` + 1 on a view.
fn power(view: &AcceleratorView, matrix: &[f32], size: usize) -> amp::Result<Array<f32, 2>> {
    let build = || Array::builder([size, size]).on(view);
    let factor = build().data(matrix).build()?;
    let mut from = build().data(matrix).build()?;
    let mut to = build().build()?;
    for _ in 0..ROUNDS {
        let domain = to.extent().tile::<TILE, TILE>();
        view.parallel_for_each(domain, multiply(&from, &factor, &mut to))?;
        std::mem::swap(&mut from, &mut to);
    }
    view.flush()?;
    Ok(from)
}

/// Computes a power of `a` and one of `b`, square matrices of `size` rows, each on its own
/// view. Returns their sum and the profile.
pub fn profiled_sum(
    [first, second]: [&AcceleratorView; 2],
    a: &[f32],
    b: &[f32],
    size: usize,
) -> amp::Result<(Vec<f32>, Profile)> {
    let work = || {
        let of_a = power(first, a, size)?;
        let mut of_b = power(second, b, size)?;
        let mut copied = Array::builder([size, size]).on(second).build()?;
        copy(&of_a, &mut copied)?;
        second.parallel_for_each(of_b.extent(), add(&copied, &mut of_b))?;
        of_b.to_vec()
    };
    let ((sum, of_second), of_first) = first.profile(|| second.profile(work))?;
    Ok((sum, of_first.merge(of_second)))
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut paths = std::env::args_os().skip(1);
    let trace = paths.next().unwrap_or_else(|| "profile.json".into());
    let accelerator = Accelerator::default()?;
    let (first, second) = (
        accelerator.create_view(QueuingMode::Automatic)?,
        accelerator.create_view(QueuingMode::Automatic)?,
    );

    let size = 256;
    let matrix = |seed: usize| -> Vec<f32> {
        let numbers = (0..size * size).map(|i| (i * seed % 101) as f32 / 8192.0);
        numbers.collect()
    };
    let (sum, profile) = profiled_sum([&first, &second], &matrix(7), &matrix(13), size)?;
    println!("{accelerator}: the sum starts with {:?}", &sum[..4]);
    println!("{profile}");
    profile.write_chrome_trace(fs::File::create(&trace)?)?;
    println!("wrote {}", trace.display());
    if let Some(path) = paths.next() {
        fs::write(&path, picture::svg(&profile))?;
        println!("wrote {}", path.display());
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
