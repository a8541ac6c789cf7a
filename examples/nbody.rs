//! Simulates bodies that attract each other, with the vectors of `glam`.
//!
//! A body's place and mass are one `Vec4`, which a device loads and stores by one access. The
//! threads of a tile load the places of as many bodies together, so that each is read from
//! global memory once per tile and not once per thread.

use std::process::ExitCode;

use amp::glam::{Vec3, Vec4};
use amp::prelude::*;

/// Bodies of a tile.
pub const TILE: usize = 64;

/// Bounds the force of a body that is very near.
const SOFTENING: f32 = 1.0e-3;

/// A body.
#[amp_struct]
#[derive(Debug, PartialEq)]
pub struct Body {
    /// Three coordinates and the mass.
    pub place: Vec4,
    /// Three components of the speed; the fourth is unused.
    pub speed: Vec4,
}

/// The acceleration at `place` due to another body.
#[amp_fn]
pub fn pull(place: Vec3, other: Vec4) -> Vec3 {
    let way = other.truncate() - place;
    let squared = way.length_squared() + SOFTENING;
    way * (other.w / (squared * squared.sqrt()))
}

#[amp_kernel]
fn advance(
    t_idx: TiledIndex<1, TILE>,
    bodies: &ArrayView<Body, 1>,
    time: f32,
    moved: &mut ArrayViewMut<Body, 1>,
) {
    #[tile_static]
    let mut others: [Vec4; TILE];
    let local = t_idx.local[0];
    let body = bodies[t_idx];
    let mut acceleration = Vec3::ZERO;
    for first in (0..bodies.extent()[0]).step_by(TILE) {
        others[local] = bodies[first + local].place;
        t_idx.barrier.wait();
        for other in 0..TILE {
            acceleration += pull(body.place.truncate(), others[other]);
        }
        // No thread loads the next bodies before all threads have read these.
        t_idx.barrier.wait();
    }
    let speed = body.speed + (acceleration * time).extend(0.0);
    moved[t_idx] = Body {
        place: body.place + (speed.truncate() * time).extend(0.0),
        speed,
    };
}

/// Simulates some steps of `time` each on `view`. The number of bodies is a multiple of [`TILE`].
pub fn simulate(
    view: &AcceleratorView,
    bodies: &[Body],
    steps: usize,
    time: f32,
) -> amp::Result<Vec<Body>> {
    let count = bodies.len();
    let mut now = Array::builder(count).on(view).data(bodies).build()?;
    let mut next = Array::builder(count).on(view).build()?;
    for _ in 0..steps {
        let domain = now.extent().tile::<TILE>();
        view.parallel_for_each(domain, advance(&now, time, &mut next))?;
        std::mem::swap(&mut now, &mut next);
    }
    now.to_vec()
}

/// Bodies on a ring, with speeds along it.
pub fn ring(count: usize) -> Vec<Body> {
    (0..count)
        .map(|i| {
            let (sin, cos) = (i as f32 / count as f32 * std::f32::consts::TAU).sin_cos();
            Body {
                place: Vec4::new(cos, sin, 0.01 * (i % 7) as f32, 1.0 / count as f32),
                speed: Vec4::new(-sin, cos, 0.0, 0.0) * 0.5,
            }
        })
        .collect()
}

fn run() -> amp::Result<()> {
    let view = Accelerator::default()?.default_view()?;
    let mut bodies = ring(4 * TILE);
    for second in 0..5 {
        let distances = bodies.iter().map(|body| body.place.truncate().length());
        let mean = distances.sum::<f32>() / bodies.len() as f32;
        println!("after {second} s the mean distance from the middle is {mean:.4}");
        bodies = simulate(&view, &bodies, 100, 0.01)?;
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
