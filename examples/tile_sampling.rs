//! Samples a matrix: each tile of S × S elements becomes one element, its average.
//!
//! The tile size is a const parameter of the kernel, so one kernel serves any size.

use std::process::ExitCode;

use amp::prelude::*;

/// Rows and columns of the matrix.
pub const SIZE: usize = 8;

#[amp_kernel]
fn sample<const S: usize>(
    t_idx: TiledIndex<2, S, S>,
    data: &ArrayView<f32, 2>,
    averages: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut values: [[f32; S]; S];
    values[t_idx.local[0]][t_idx.local[1]] = data[t_idx];
    t_idx.barrier.wait();
    // One thread of each tile computes the sum.
    if t_idx.local[0] == 0 && t_idx.local[1] == 0 {
        let mut sum = 0.0;
        for row in 0..S {
            for column in 0..S {
                sum += values[row][column];
            }
        }
        averages[t_idx.tile] = sum / (S * S) as f32;
    }
}

/// The averages of the tiles of the matrix 0, 1, 2, …, computed on `view`.
pub fn tile_sampling<const S: usize>(view: &AcceleratorView) -> amp::Result<Vec<f32>> {
    let data: Vec<f32> = (0u8..).take(SIZE * SIZE).map(f32::from).collect();
    let data = ArrayView::new([SIZE, SIZE], &data)?;
    let mut averages = ArrayViewMut::uninit([SIZE / S, SIZE / S])?;
    let domain = data.extent().tile::<S, S>();
    view.parallel_for_each(domain, sample::<S>(&data, &mut averages))?;
    averages.to_vec()
}

fn print_averages<const S: usize>(view: &AcceleratorView) -> amp::Result<()> {
    println!("tiles of {S} × {S}:");
    for row in tile_sampling::<S>(view)?.chunks(SIZE / S) {
        for average in row {
            print!("{average:5.1}");
        }
        println!();
    }
    Ok(())
}

fn run() -> amp::Result<()> {
    let view = Accelerator::default()?.default_view()?;
    print_averages::<2>(&view)?;
    print_averages::<4>(&view)
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
