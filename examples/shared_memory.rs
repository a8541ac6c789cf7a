//! Simulates rain on a pond. In each step a kernel moves the waves, and the host lets a drop
//! fall on one cell and reads the height of a buoy on another.
//!
//! If the accelerator shares memory with the host, the host indexes the array in place: it
//! waits for the kernel and accesses two numbers, and nothing is copied. Otherwise an array
//! cannot be indexed, and the host copies sections of one cell in both directions. The program
//! does both on every accelerator that supports both.
//!
//! `cargo run --release --example shared_memory -- 64` simulates a pond of 64 × 64 cells.

use std::error::Error;
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;

use amp::prelude::*;
use amp::{AcceleratorView, AccessType};

/// Computes the heights of the next step. They replace those of the previous step in `other`.
#[amp_kernel]
fn wave(idx: Index<2>, now: &ArrayView<f32, 2>, other: &mut ArrayViewMut<f32, 2>) {
    let (row, column) = (idx[0], idx[1]);
    let (last_row, last_column) = (now.extent()[0] - 1, now.extent()[1] - 1);
    let above = now[[row.max(1) - 1, column]];
    let below = now[[(row + 1).min(last_row), column]];
    let left = now[[row, column.max(1) - 1]];
    let right = now[[row, (column + 1).min(last_column)]];
    let force = above + below + left + right - 4.0 * now[idx];
    other[idx] = 0.995 * (2.0 * now[idx] - other[idx] + 0.25 * force);
}

/// The cell that the drop of a step hits, on a pond of `side` × `side` cells.
pub fn drop_at(step: usize, side: usize) -> [usize; 2] {
    [step * 37 % side, step * 91 % side]
}

/// The cell of the buoy.
pub fn buoy(side: usize) -> [usize; 2] {
    [side / 2, side / 3]
}

/// The heights of the buoy after each step. `access` selects how the host accesses the cells.
pub fn rain(
    view: &AcceleratorView,
    access: AccessType,
    side: usize,
    steps: usize,
) -> amp::Result<Vec<f32>> {
    let pond = || {
        let pond = Array::builder([side, side]).on(view).cpu_access(access);
        pond.build()
    };
    let (mut now, mut other): (Array<f32, 2>, _) = (pond()?, pond()?);
    let shared = now.cpu_access_type() == AccessType::ReadWrite;
    let mut heights = Vec::with_capacity(steps);
    for step in 0..steps {
        let cell = drop_at(step, side);
        if shared {
            now[cell] += 1.0;
        } else {
            now.section_mut(cell, [1, 1])?[[0, 0]] += 1.0;
        }
        parallel_for_each(now.extent(), wave(&now, &mut other))?;
        std::mem::swap(&mut now, &mut other);
        heights.push(match shared {
            true => now[buoy(side)],
            false => now.section(buoy(side), [1, 1])?[[0, 0]],
        });
    }
    Ok(heights)
}

fn run() -> Result<(), Box<dyn Error>> {
    let (side, steps) = match std::env::args().nth(1) {
        Some(side) => (side.parse::<NonZeroUsize>()?.get(), 200),
        None => (512, 200),
    };
    for accelerator in Accelerator::all() {
        let view = accelerator.default_view()?;
        println!("{accelerator}");
        if !accelerator.supports_cpu_shared_memory() {
            println!("  does not share memory with the host: an array cannot be indexed in place");
        }
        for access in [AccessType::ReadWrite, AccessType::None] {
            if access == AccessType::ReadWrite && !accelerator.supports_cpu_shared_memory() {
                continue;
            }
            rain(&view, access, side, 2)?;
            let start = Instant::now();
            let heights = rain(&view, access, side, steps)?;
            let time = start.elapsed() / steps as u32;
            let highest = heights.iter().copied().fold(f32::MIN, f32::max);
            let how = match access {
                AccessType::None => "by sections that are copied",
                _ => "in place",
            };
            println!("  {how}: {time:?} a step; the buoy rose to {highest}");
        }
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
