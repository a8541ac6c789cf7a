//! Bodies that attract each other: arithmetic on what a tile has loaded.

use amp::glam::{Vec3, Vec4};
use amp::prelude::*;
use amp_benches::kernels::pull;
use rayon::prelude::*;

use crate::case::{Case, Work};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[("nbody-fast", all_pairs)];

const TILE: usize = 256;
/// The acceleration of each body, whose place and mass are a `Vec4`.
#[amp_kernel(fast_math)]
fn nbody(
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
        #[unroll]
        for other in 0..TILE {
            acceleration += pull(place, others[other]);
        }
        t_idx.barrier.wait();
    }
    accelerations[t_idx] = acceleration.extend(0.0);
}

fn all_pairs(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 16, 1 << 10);
    let numbers = random::floats(1, 4 * n);
    let body = |part: &[f32]| Vec4::new(part[0], part[1], part[2], part[3] / n as f32);
    let bodies: Vec<Vec4> = numbers.chunks(4).map(body).collect();
    let from = Array::builder(n).on(&bench.view).data(&bodies).build()?;
    let acceleration = |i: usize| {
        let pulls = bodies
            .iter()
            .map(|other| pull(bodies[i].truncate(), *other));
        pulls.sum::<Vec3>().extend(0.0)
    };
    let case = Case {
        name: "nbody-fast",
        result: n.into(),
        work: Work::Interactions(n * n),
        intensity: 0.0,
        launch: Box::new(|view, version, accelerations| {
            let domain = accelerations.extent().tile::<TILE>();
            view.parallel_for_each(domain, version.of(nbody(&from, accelerations)))
        }),
        copy: None,
        rayon: Some(Box::new(|accelerations| {
            let all = accelerations.par_iter_mut().enumerate();
            all.for_each(|(i, it)| *it = acceleration(i));
        })),
        expected: Box::new(acceleration),
        exact: false,
    };
    case.measure(bench)
}
