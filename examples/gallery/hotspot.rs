//! Simulates the temperature of a chip whose parts have different power (Rodinia's hotspot).
//!
//! `cargo run --release --example hotspot -- 1024 100`

use amp::prelude::*;

mod support;

/// Heat flows to the four neighbours, and through the package to the air.
#[amp_struct]
struct Chip {
    step: f32,
    across: f32,
    along: f32,
    down: f32,
    air: f32,
}

const CHIP: Chip = Chip {
    step: 0.2,
    across: 0.9,
    along: 0.9,
    down: 0.02,
    air: 80.0,
};

#[amp_kernel]
fn step(
    idx: Index<2>,
    chip: Chip,
    power: &ArrayView<f32, 2>,
    now: &ArrayView<f32, 2>,
    next: &mut ArrayViewMut<f32, 2>,
) {
    let [rows, columns] = now.extent().to_array();
    let [i, j] = idx.to_array();
    let here = now[idx];
    let up = now[[i.saturating_sub(1), j]];
    let down = now[[(i + 1).min(rows - 1), j]];
    let left = now[[i, j.saturating_sub(1)]];
    let right = now[[i, (j + 1).min(columns - 1)]];
    let flow = (up + down - 2.0 * here) * chip.along
        + (left + right - 2.0 * here) * chip.across
        + (chip.air - here) * chip.down;
    next[idx] = here + chip.step * (power[idx] + flow);
}

fn simulate(size: usize, steps: usize, power: &[f32]) -> amp::Result<Vec<f32>> {
    let power = Array::new([size, size], power)?;
    let mut now = Array::new([size, size], &vec![CHIP.air; size * size])?;
    let mut next = Array::zeroed([size, size])?;
    for _ in 0..steps {
        parallel_for_each(now.extent(), step(CHIP, &power, &now, &mut next))?;
        std::mem::swap(&mut now, &mut next);
    }
    now.to_vec()
}

fn on_host(size: usize, steps: usize, power: &[f32]) -> Vec<f32> {
    let mut now = vec![CHIP.air; size * size];
    for _ in 0..steps {
        let at = |i: usize, j: usize| now[i * size + j];
        let next = |n: usize| {
            let (i, j) = (n / size, n % size);
            let here = now[n];
            let (up, down) = (at(i.saturating_sub(1), j), at((i + 1).min(size - 1), j));
            let (left, right) = (at(i, j.saturating_sub(1)), at(i, (j + 1).min(size - 1)));
            let flow = (up + down - 2.0 * here) * CHIP.along
                + (left + right - 2.0 * here) * CHIP.across
                + (CHIP.air - here) * CHIP.down;
            here + CHIP.step * (power[n] + flow)
        };
        now = (0..size * size).map(next).collect();
    }
    now
}

fn main() -> amp::Result<()> {
    let (size, steps) = (support::argument(1, 48), support::argument(2, 20));
    let is_busy = |x: usize| x % size > size / 4 && x % size < size / 2;
    let power = |n: usize| {
        if is_busy(n / size) && is_busy(n) {
            5.0
        } else {
            0.1
        }
    };
    let power: Vec<f32> = (0..size * size).map(power).collect();
    let heat = simulate(size, steps, &power)?;
    assert!(
        heat == on_host(size, steps, &power),
        "differs from the host"
    );
    let hottest = heat.iter().copied().fold(0.0, f32::max);
    println!("hotspot: {size} × {size} after {steps} steps, at most {hottest:.2} degrees");
    Ok(())
}
