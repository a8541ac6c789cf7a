//! A fluid in a box whose lid moves, as particles on a lattice (D2Q9, Bhatnagar, Gross and Krook).
//!
//! `cargo run --release --example lattice_boltzmann -- 256 5000`

use amp::prelude::*;

mod support;

/// The directions that particles take: at rest, to the sides, and diagonally.
const Q: usize = 9;
const CX: [i32; Q] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
const CY: [i32; Q] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
/// The weight of each direction at rest.
const W: [f32; Q] = [
    4.0 / 9.0,
    1.0 / 9.0,
    1.0 / 9.0,
    1.0 / 9.0,
    1.0 / 9.0,
    1.0 / 36.0,
    1.0 / 36.0,
    1.0 / 36.0,
    1.0 / 36.0,
];
/// The direction back.
const BACK: [usize; Q] = [0, 3, 4, 1, 2, 7, 8, 5, 6];

const LID: f32 = 0.1;
const RELAXATION: f32 = 1.7;

/// How many particles move in each direction after many collisions.
#[amp_fn]
fn equilibrium(density: f32, velocity: [f32; 2], q: usize) -> f32 {
    let [ux, uy] = velocity;
    let along = CX[q] as f32 * ux + CY[q] as f32 * uy;
    let square = ux * ux + uy * uy;
    W[q] * density * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * square)
}

#[amp_fn]
fn density_and_velocity(f: &[f32; Q]) -> (f32, [f32; 2]) {
    let density: f32 = f.iter().sum();
    let ux: f32 = f.iter().zip(CX).map(|(f, c)| f * c as f32).sum();
    let uy: f32 = f.iter().zip(CY).map(|(f, c)| f * c as f32).sum();
    (density, [ux / density, uy / density])
}

/// Moves the particles to a cell from its neighbours, and lets them collide there. Walls throw them
/// back; the lid, which is in front of row 0, takes them along.
#[amp_kernel]
fn step(idx: Index<2>, now: &ArrayView<f32, 3>, next: &mut ArrayViewMut<f32, 3>) {
    let [_, height, width] = now.extent().to_array();
    let [y, x] = idx.to_array();
    let mut f = [0.0; Q];
    for q in 0..Q {
        let (from_x, from_y) = (x as i32 - CX[q], y as i32 - CY[q]);
        let is_inside =
            0 <= from_x && from_x < width as i32 && 0 <= from_y && from_y < height as i32;
        f[q] = if is_inside {
            now[[q, from_y as usize, from_x as usize]]
        } else {
            let dragged = if from_y < 0 {
                6.0 * W[q] * CX[q] as f32 * LID
            } else {
                0.0
            };
            now[[BACK[q], y, x]] + dragged
        };
    }
    let (density, velocity) = density_and_velocity(&f);
    for (q, f) in f.iter().enumerate() {
        next[[q, y, x]] = f + RELAXATION * (equilibrium(density, velocity, q) - f);
    }
}

fn simulate(size: usize, steps: usize) -> amp::Result<Vec<f32>> {
    let at_rest = W
        .iter()
        .flat_map(|&weight| std::iter::repeat_n(weight, size * size));
    let mut now = Array::from_iter([Q, size, size], at_rest)?;
    let mut next = Array::zeroed([Q, size, size])?;
    for _ in 0..steps {
        parallel_for_each([size, size], step(&now, &mut next))?;
        std::mem::swap(&mut now, &mut next);
    }
    now.to_vec()
}

fn on_host(size: usize, steps: usize) -> Vec<f32> {
    let cells = size * size;
    let mut now: Vec<f32> = (0..Q * cells).map(|n| W[n / cells]).collect();
    for _ in 0..steps {
        let mut next = vec![0.0; Q * cells];
        for n in 0..cells {
            let (y, x) = ((n / size) as i32, (n % size) as i32);
            let mut f = [0.0; Q];
            for q in 0..Q {
                let (from_x, from_y) = (x - CX[q], y - CY[q]);
                let inside = 0..size as i32;
                f[q] = if inside.contains(&from_x) && inside.contains(&from_y) {
                    now[q * cells + from_y as usize * size + from_x as usize]
                } else {
                    let dragged = if from_y < 0 {
                        6.0 * W[q] * CX[q] as f32 * LID
                    } else {
                        0.0
                    };
                    now[BACK[q] * cells + n] + dragged
                };
            }
            let density: f32 = f.iter().sum();
            let ux = f.iter().zip(CX).map(|(f, c)| f * c as f32).sum::<f32>() / density;
            let uy = f.iter().zip(CY).map(|(f, c)| f * c as f32).sum::<f32>() / density;
            for q in 0..Q {
                let along = CX[q] as f32 * ux + CY[q] as f32 * uy;
                let rest = 1.0 + 3.0 * along + 4.5 * along * along - 1.5 * (ux * ux + uy * uy);
                next[q * cells + n] = f[q] + RELAXATION * (W[q] * density * rest - f[q]);
            }
        }
        now = next;
    }
    now
}

fn main() -> amp::Result<()> {
    let (size, steps) = (support::argument(1, 24), support::argument(2, 30));
    let particles = simulate(size, steps)?;
    assert!(particles == on_host(size, steps), "differs from the host");
    let mass: f64 = particles.iter().map(|&f| f64::from(f)).sum();
    let cells = (size * size) as f64;
    println!(
        "lattice_boltzmann: {size} × {size} after {steps} steps, mean density {:.4}",
        mass / cells
    );
    Ok(())
}
