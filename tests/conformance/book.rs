//! Programs P2 and P3: the reductions, the scans and the bodies of the book "C++ AMP". What
//! makes them worth a test is their control flow around barriers: loops whose counter every
//! thread computes alike, halves of a tile that go idle, several elements a thread.

use amp::prelude::*;
use testkit::numbers::random;
use testkit::{assert_same, becomes, everywhere, gives, input, launch};

const TILE: usize = 64;
const N: usize = 64 * 64;

fn numbers() -> Vec<u32> {
    random(70).map(|word| word >> 12).take(N).collect()
}

fn sums_of(numbers: &[u32], width: usize) -> Vec<u32> {
    numbers
        .chunks(width)
        .map(|part| part.iter().sum())
        .collect()
}

/// One launch a step, without tiles.
#[amp_kernel]
fn add_upper_half(idx: Index<1>, half: usize, a: &mut ArrayViewMut<u32, 1>) {
    a[idx] += a[idx[0] + half];
}

#[test]
fn program_02_reduction_without_tiles() {
    let numbers = numbers();
    let total: u32 = numbers.iter().sum();
    testkit::everywhere(|view| {
        let mut data = numbers.clone();
        let mut a = ArrayViewMut::new(N, &mut data).expect("not empty");
        let mut half = N / 2;
        while half > 0 {
            launch(view, half, add_upper_half(half, &mut a)).expect("a valid launch");
            half /= 2;
        }
        a.synchronize().expect("no fault");
        drop(a);
        assert_eq!(data[0], total, "{view}");
    });
}

/// Every other thread, then every fourth: the loop is left by all at once.
#[amp_kernel]
fn interleaved(t_idx: TiledIndex<1, TILE>, a: &ArrayView<u32, 1>, sums: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut part: [u32; TILE];
    let i = t_idx.local[0];
    part[i] = a[t_idx.global];
    t_idx.barrier.wait();
    let mut stride = 1;
    while stride < TILE {
        if i % (2 * stride) == 0 {
            part[i] += part[i + stride];
        }
        t_idx.barrier.wait();
        stride *= 2;
    }
    if i == 0 {
        sums[t_idx.tile] = part[0];
    }
}

/// The lower threads, whose neighbours stay busy with them.
#[amp_kernel]
fn less_divergent(
    t_idx: TiledIndex<1, TILE>,
    a: &ArrayView<u32, 1>,
    sums: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut part: [u32; TILE];
    let i = t_idx.local[0];
    part[i] = a[t_idx.global];
    t_idx.barrier.wait();
    let mut stride = 1;
    while stride < TILE {
        let k = 2 * stride * i;
        if k + stride < TILE {
            part[k] += part[k + stride];
        }
        t_idx.barrier.wait_with_tile_static_memory_fence();
        stride *= 2;
    }
    if i == 0 {
        sums[t_idx.tile] = part[0];
    }
}

/// Two elements a thread before the first barrier, then halves.
#[amp_kernel]
fn none_stalled(
    t_idx: TiledIndex<1, TILE>,
    a: &ArrayView<u32, 1>,
    sums: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut part: [u32; TILE];
    let i = t_idx.local[0];
    let first = 2 * TILE * t_idx.tile[0] + i;
    part[i] = a[first] + a[first + TILE];
    t_idx.barrier.wait();
    let mut half = TILE / 2;
    while half > 0 {
        if i < half {
            part[i] += part[i + half];
        }
        t_idx.barrier.wait();
        half /= 2;
    }
    if i == 0 {
        sums[t_idx.tile] = part[0];
    }
}

/// Each thread walks the whole array in steps of the grid; few tiles are left to add up.
#[amp_kernel]
fn cascading(
    t_idx: TiledIndex<1, TILE>,
    tiles: usize,
    a: &ArrayView<u32, 1>,
    sums: &mut ArrayViewMut<u32, 1>,
) {
    #[tile_static]
    let mut part: [u32; TILE];
    let i = t_idx.local[0];
    let mut sum = 0;
    let mut at = t_idx.global[0];
    while at < a.extent()[0] {
        sum += a[at];
        at += tiles * TILE;
    }
    part[i] = sum;
    t_idx.barrier.wait();
    for step in (0..6).rev() {
        let half = 1_usize << step;
        if i < half {
            part[i] += part[i + half];
        }
        t_idx.barrier.wait();
    }
    if i == 0 {
        sums[t_idx.tile] = part[0];
    }
}

#[test]
fn program_02_reductions_in_tiles() {
    let numbers = numbers();
    let tiles = |threads: usize| Extent::from(threads).tile::<TILE>();
    gives(&sums_of(&numbers, TILE), |view, sums| {
        launch(view, tiles(N), interleaved(&input(&numbers), sums))
    });
    gives(&sums_of(&numbers, TILE), |view, sums| {
        launch(view, tiles(N), less_divergent(&input(&numbers), sums))
    });
    gives(&sums_of(&numbers, 2 * TILE), |view, sums| {
        launch(view, tiles(N / 2), none_stalled(&input(&numbers), sums))
    });
    let of_tile = |tile: usize| {
        let mine = |(i, _): &(usize, &u32)| i % (4 * TILE) / TILE == tile;
        let all = numbers.iter().enumerate().filter(mine);
        all.map(|(_, number)| number).sum()
    };
    let expected: Vec<u32> = (0..4).map(of_tile).collect();
    gives(&expected, |view, sums| {
        launch(view, tiles(4 * TILE), cascading(4, &input(&numbers), sums))
    });
}

/// Hillis and Steele's inclusive scan of each tile, between two halves of tile memory.
#[amp_kernel]
fn scan_doubling(t_idx: TiledIndex<1, TILE>, a: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut data: [[u32; TILE]; 2];
    let i = t_idx.local[0];
    let (mut from, mut to) = (0, 1);
    data[0][i] = a[t_idx.global];
    t_idx.barrier.wait();
    let mut offset = 1;
    while offset < TILE {
        data[to][i] = if i >= offset {
            data[from][i] + data[from][i - offset]
        } else {
            data[from][i]
        };
        (from, to) = (to, from);
        t_idx.barrier.wait();
        offset *= 2;
    }
    a[t_idx.global] = data[from][i];
}

/// Blelloch's exclusive scan of each tile: up the tree, and down again.
#[amp_kernel]
fn scan_tree(t_idx: TiledIndex<1, TILE>, a: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut data: [u32; TILE];
    let i = t_idx.local[0];
    data[i] = a[t_idx.global];
    let mut stride = 1;
    while stride < TILE {
        t_idx.barrier.wait();
        let k = 2 * stride * (i + 1) - 1;
        if k < TILE {
            data[k] += data[k - stride];
        }
        stride *= 2;
    }
    t_idx.barrier.wait();
    if i == 0 {
        data[TILE - 1] = 0;
    }
    while stride > 1 {
        stride /= 2;
        t_idx.barrier.wait();
        let k = 2 * stride * (i + 1) - 1;
        if k < TILE {
            let left = data[k - stride];
            data[k - stride] = data[k];
            data[k] += left;
        }
    }
    t_idx.barrier.wait();
    a[t_idx.global] = data[i];
}

#[test]
fn program_02_scans_of_tiles() {
    let numbers = numbers();
    let tiles = Extent::from(N).tile::<TILE>();
    let (mut inclusive, mut exclusive) = (Vec::new(), Vec::new());
    for part in numbers.chunks(TILE) {
        let mut sum = 0;
        for number in part {
            exclusive.push(sum);
            sum += number;
            inclusive.push(sum);
        }
    }
    becomes([N], &numbers, &inclusive, |view, a| {
        launch(view, tiles, scan_doubling(a))
    });
    becomes([N], &numbers, &exclusive, |view, a| {
        launch(view, tiles, scan_tree(a))
    });
}

/// A position or a velocity: 12 bytes, as `float_3` has.
#[amp_struct]
#[derive(Debug, PartialEq)]
struct Triple {
    x: f32,
    y: f32,
    z: f32,
}

const SOFTENING: f32 = 1.5625e-6;
const DAMPING: f32 = 0.9995;
const STEP: f32 = 0.1;
const MASS: f32 = 66.73;

/// What one body adds to the acceleration of another.
#[amp_fn]
fn pull(of: Triple, on: Triple, sum: Triple) -> Triple {
    let (x, y, z) = (of.x - on.x, of.y - on.y, of.z - on.z);
    let square = x * x + y * y + z * z + SOFTENING;
    let inverse = 1.0 / square.sqrt();
    let strength = MASS * (inverse * inverse * inverse);
    Triple {
        x: sum.x + x * strength,
        y: sum.y + y * strength,
        z: sum.z + z * strength,
    }
}

#[amp_fn]
fn faster(velocity: Triple, acceleration: Triple) -> Triple {
    Triple {
        x: (velocity.x + acceleration.x * STEP) * DAMPING,
        y: (velocity.y + acceleration.y * STEP) * DAMPING,
        z: (velocity.z + acceleration.z * STEP) * DAMPING,
    }
}

#[amp_kernel]
fn bodies(
    idx: Index<1>,
    positions: &ArrayView<Triple, 1>,
    velocities: &mut ArrayViewMut<Triple, 1>,
) {
    let mut acceleration = Triple {
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };
    for k in 0..positions.extent()[0] {
        acceleration = pull(positions[k], positions[idx], acceleration);
    }
    velocities[idx] = faster(velocities[idx], acceleration);
}

#[amp_kernel]
fn bodies_in_tiles(
    t_idx: TiledIndex<1, TILE>,
    positions: &ArrayView<Triple, 1>,
    velocities: &mut ArrayViewMut<Triple, 1>,
) {
    #[tile_static]
    let mut part: [Triple; TILE];
    let mine = positions[t_idx.global];
    let mut acceleration = Triple {
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };
    for start in (0..positions.extent()[0]).step_by(TILE) {
        part[t_idx.local[0]] = positions[start + t_idx.local[0]];
        t_idx.barrier.wait();
        for k in 0..TILE {
            acceleration = pull(part[k], mine, acceleration);
        }
        t_idx.barrier.wait();
    }
    velocities[t_idx.global] = faster(velocities[t_idx.global], acceleration);
}

/// The book's kernels capture a struct of references to arrays.
#[amp_struct]
struct Particles<'a> {
    positions: ArrayView<'a, Triple, 1>,
    velocities: ArrayViewMut<'a, Triple, 1>,
}

/// What the others do to one body.
#[amp_fn]
fn accelerated(particles: &Particles, i: usize) -> Triple {
    let mut acceleration = Triple {
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };
    for k in 0..particles.positions.extent()[0] {
        acceleration = pull(particles.positions[k], particles.positions[i], acceleration);
    }
    acceleration
}

#[amp_kernel]
fn particles(idx: Index<1>, particles: &mut Particles) {
    let acceleration = accelerated(particles, idx[0]);
    particles.velocities[idx] = faster(particles.velocities[idx], acceleration);
}

/// Tiles of the particles from `start` on, as the version for several devices has them.
#[amp_kernel]
fn particles_in_tiles(t_idx: TiledIndex<1, TILE>, particles: &mut Particles, start: usize) {
    #[tile_static]
    let mut part: [Triple; TILE];
    let own = start + t_idx.global[0];
    let mut acceleration = Triple {
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };
    for first in (0..particles.positions.extent()[0]).step_by(TILE) {
        part[t_idx.local[0]] = particles.positions[first + t_idx.local[0]];
        t_idx.barrier.wait();
        for k in 0..TILE {
            acceleration = pull(part[k], particles.positions[own], acceleration);
        }
        t_idx.barrier.wait();
    }
    particles.velocities[own] = faster(particles.velocities[own], acceleration);
}

testkit::same_by_eq!(Triple);

#[test]
fn program_03_bodies() {
    const BODIES: usize = 4 * TILE;
    let mut coordinates = testkit::numbers::random_unit(71);
    let mut triple = || {
        let mut next = || coordinates.next().unwrap_or_default();
        Triple {
            x: next(),
            y: next(),
            z: next(),
        }
    };
    let positions: Vec<Triple> = (0..BODIES).map(|_| triple()).collect();
    let velocities: Vec<Triple> = (0..BODIES).map(|_| triple()).collect();
    let expected: Vec<Triple> = positions
        .iter()
        .zip(&velocities)
        .map(|(&mine, &velocity)| {
            let mut acceleration = Triple {
                x: 0.0,
                y: 0.0,
                z: 0.0,
            };
            for &other in &positions {
                acceleration = pull(other, mine, acceleration);
            }
            faster(velocity, acceleration)
        })
        .collect();
    becomes([BODIES], &velocities, &expected, |view, velocities| {
        launch(view, BODIES, bodies(&input(&positions), velocities))
    });
    becomes([BODIES], &velocities, &expected, |view, velocities| {
        let tiles = Extent::from(BODIES).tile::<TILE>();
        launch(view, tiles, bodies_in_tiles(&input(&positions), velocities))
    });
    everywhere(|view| {
        let on_view = |data: &[Triple]| Array::builder(BODIES).on(view).data(data).build();
        let positions = on_view(&positions).unwrap();
        for is_tiled in [false, true] {
            let mut moved = on_view(&velocities).unwrap();
            let mut both = Particles {
                positions: positions.view(),
                velocities: moved.view_mut(),
            };
            if is_tiled {
                for start in [0, BODIES / 2] {
                    let half = Extent::from(BODIES / 2).tile::<TILE>();
                    launch(view, half, particles_in_tiles(&mut both, start)).unwrap();
                }
            } else {
                launch(view, BODIES, particles(&mut both)).unwrap();
            }
            drop(both);
            assert_same(&moved.to_vec().unwrap(), &expected, &view.to_string());
        }
    });
}
