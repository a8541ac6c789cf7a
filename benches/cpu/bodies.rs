//! Bodies that attract each other.

use std::error::Error;

use amp::glam::{Vec3, Vec4};
use amp::prelude::*;
use rayon::prelude::*;

use amp_benches::kernels::pull;
use amp_benches::random;

use crate::Bench;
use crate::problem::{Problem, Row, timed, timed_on};

const TILE: usize = 256;

/// The acceleration of each body, whose place and mass are a `Vec4`.
#[amp_kernel]
fn accelerate(
    t_idx: TiledIndex<1, TILE>,
    bodies: &ArrayView<Vec4, 1>,
    accelerations: &mut ArrayViewMut<Vec4, 1>,
) {
    #[tile_static]
    let mut others: [Vec4; TILE];
    let local = t_idx.local[0];
    let place = bodies[t_idx].truncate();
    let mut acceleration = Vec3::ZERO;
    for first in (0..bodies.extent()[0]).step_by(TILE) {
        others[local] = bodies[first + local];
        t_idx.barrier.wait();
        for other in 0..TILE {
            acceleration += pull(place, others[other]);
        }
        t_idx.barrier.wait();
    }
    accelerations[t_idx] = acceleration.extend(0.0);
}

pub fn n_body(bench: &Bench) -> Result<Row, Box<dyn Error>> {
    let n = bench.size(4096, TILE);
    let numbers = random::floats(1, 4 * n);
    let body = |part: &[f32]| Vec4::new(part[0], part[1], part[2], part[3] / n as f32);
    let bodies: Vec<Vec4> = numbers.chunks(4).map(body).collect();
    let problem = Problem {
        what: format!("n-body, {n} bodies"),
        plain: &|| {
            let mut accelerations = vec![Vec4::ONE; n];
            let (time, ()) = timed(|| {
                let all = accelerations.par_iter_mut().zip(&bodies);
                all.for_each(|(it, body)| {
                    let pulls = bodies.iter().map(|other| pull(body.truncate(), *other));
                    *it = pulls.sum::<Vec3>().extend(0.0);
                });
            });
            (time, accelerations)
        },
        amp: &|view| {
            let bodies = Array::builder(n).on(view).data(&bodies).build()?;
            let mut accelerations = Array::builder(n).on(view).build()?;
            let domain = Extent::from(n).tile::<TILE>();
            let time = timed_on(view, || {
                view.parallel_for_each(domain, accelerate(&bodies, &mut accelerations))
            })?;
            Ok((time, accelerations.to_vec()?))
        },
        agree: |found, expected| found == expected,
    };
    problem.measure(bench)
}
