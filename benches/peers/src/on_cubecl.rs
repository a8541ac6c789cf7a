//! The cases in CubeCL, with its checks, on its runtime for Vulkan.

use std::error::Error;
use std::time::Duration;

use cubecl::prelude::*;

use crate::cases::{Case, S};

/// Rows and columns of a tile.
const TILE: usize = 16;

#[cube(launch)]
fn triad(a: &[f32], b: &[f32], c: &mut [f32], s: f32) {
    if ABSOLUTE_POS < c.len() {
        c[ABSOLUTE_POS] = a[ABSOLUTE_POS] + s * b[ABSOLUTE_POS];
    }
}

#[cube(launch)]
fn stencil(a: &[f32], b: &mut [f32], n: usize) {
    let x = ABSOLUTE_POS_X as usize;
    let y = ABSOLUTE_POS_Y as usize;
    let i = y * n + x;
    if y > 0 && y + 1 < n && x > 0 && x + 1 < n {
        b[i] = 0.5 * a[i] + 0.125 * (a[i - n] + a[i + n] + a[i - 1] + a[i + 1]);
    } else {
        b[i] = a[i];
    }
}

#[cube(launch)]
fn transpose(a: &[f32], b: &mut [f32], n: usize) {
    let mut block = Shared::<[f32]>::new_slice(TILE * (TILE + 1));
    let row = UNIT_POS_Y as usize;
    let col = UNIT_POS_X as usize;
    let first_row = CUBE_POS_Y as usize * TILE;
    let first_col = CUBE_POS_X as usize * TILE;
    block[row * (TILE + 1) + col] = a[(first_row + row) * n + first_col + col];
    sync_cube();
    b[(first_col + row) * n + first_row + col] = block[col * (TILE + 1) + row];
}

#[cube(launch)]
fn sum(a: &[f32], sums: &mut [f32]) {
    let mut sum = 0.0f32;
    let mut i = ABSOLUTE_POS;
    while i < a.len() {
        sum += a[i];
        i += sums.len();
    }
    if ABSOLUTE_POS < sums.len() {
        sums[ABSOLUTE_POS] = sum;
    }
}

#[cube(launch)]
fn simple(a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    let col = ABSOLUTE_POS_X as usize;
    let row = ABSOLUTE_POS_Y as usize;
    let mut sum = 0.0f32;
    for k in 0..n {
        sum += a[row * n + k] * b[k * n + col];
    }
    c[row * n + col] = sum;
}

#[cube(launch)]
fn tiled(a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
    let mut loc_a = Shared::<[f32]>::new_slice(TILE * TILE);
    let mut loc_b = Shared::<[f32]>::new_slice(TILE * TILE);
    let row = UNIT_POS_Y as usize;
    let col = UNIT_POS_X as usize;
    let global_row = ABSOLUTE_POS_Y as usize;
    let global_col = ABSOLUTE_POS_X as usize;
    let mut sum = 0.0f32;
    for tile in 0..n / TILE {
        let i = tile * TILE;
        loc_a[row * TILE + col] = a[global_row * n + i + col];
        loc_b[row * TILE + col] = b[(i + row) * n + global_col];
        sync_cube();
        #[unroll]
        for k in 0..TILE {
            sum += loc_a[row * TILE + k] * loc_b[k * TILE + col];
        }
        sync_cube();
    }
    c[global_row * n + global_col] = sum;
}

/// Runs a case so many times on the device that CubeCL prefers. Returns the result, and what each
/// round took.
pub fn run(case: &Case, rounds: usize) -> Result<(Vec<f32>, Vec<Duration>), Box<dyn Error>> {
    let client = &cubecl::Device::default().client();
    let inputs: Vec<_> = case
        .inputs
        .iter()
        .map(|input| client.create_from_slice(f32::as_bytes(input)))
        .collect();
    let output = client.empty(4 * case.length);
    let launch = || {
        let count = CubeCount::Static(case.groups[0], case.groups[1], 1);
        let dim = CubeDim::new_2d(case.group[0], case.group[1]);
        let n = case.extent[1];
        // SAFETY: the handles have as many elements.
        let input = |i: usize| unsafe {
            BufferArg::from_raw_parts(inputs[i].clone(), case.inputs[i].len())
        };
        let result = unsafe { BufferArg::from_raw_parts(output.clone(), case.length) };
        match case.name {
            "triad" => triad::launch(client, count, dim, input(0), input(1), result, S),
            "stencil" => stencil::launch(client, count, dim, input(0), result, n),
            "transpose" => transpose::launch(client, count, dim, input(0), result, n),
            "sum" => sum::launch(client, count, dim, input(0), result),
            "simple" => simple::launch(client, count, dim, input(0), input(1), result, n),
            _ => tiled::launch(client, count, dim, input(0), input(1), result, n),
        }
    };
    let mut times = Vec::new();
    for _ in 0..rounds {
        let ((), duration) = client
            .profile(launch, case.name)
            .map_err(|error| format!("{error:?}"))?;
        let ticks = pollster::block_on(duration.resolve()).ok_or("there are no times")?;
        times.push(ticks.duration());
    }
    let bytes = client
        .read_one(output)
        .map_err(|error| format!("{error:?}"))?;
    Ok((f32::from_bytes(&bytes).to_vec(), times))
}
