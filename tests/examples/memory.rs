//! The pond of `shared_memory`: the host and a kernel in the same memory or not, and the
//! same waves.

use amp::AccessType;
use testkit::everywhere;

use super::shared_memory::{buoy, drop_at, rain};

/// The pond in plain Rust.
fn on_the_host(side: usize, steps: usize) -> Vec<f32> {
    let (mut now, mut other) = (vec![0.0_f32; side * side], vec![0.0_f32; side * side]);
    let at = |[row, column]: [usize; 2]| row * side + column;
    let mut heights = Vec::new();
    for step in 0..steps {
        now[at(drop_at(step, side))] += 1.0;
        for row in 0..side {
            for column in 0..side {
                let cell = at([row, column]);
                let above = now[at([row.max(1) - 1, column])];
                let below = now[at([(row + 1).min(side - 1), column])];
                let left = now[at([row, column.max(1) - 1])];
                let right = now[at([row, (column + 1).min(side - 1)])];
                let force = above + below + left + right - 4.0 * now[cell];
                other[cell] = 0.995 * (2.0 * now[cell] - other[cell] + 0.25 * force);
            }
        }
        std::mem::swap(&mut now, &mut other);
        heights.push(now[at(buoy(side))]);
    }
    heights
}

#[test]
fn the_buoy_floats_the_same_in_shared_memory_and_in_copies() {
    let (side, steps) = (24, 40);
    let expected = on_the_host(side, steps);
    assert!(expected.iter().any(|&height| height != 0.0));
    everywhere(|view| {
        for access in [AccessType::Auto, AccessType::None] {
            let heights = rain(view, access, side, steps).unwrap();
            assert_eq!(heights, expected, "{view}, {access}");
        }
    });
}
