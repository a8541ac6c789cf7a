//! Simulates heat that spreads along a rod, in many small steps.
//!
//! Each step is a launch, with so little work that launching it takes longer than executing
//! it. The steps of a round are therefore recorded once, as a graph. A replay compares each
//! step with the recorded one, and sends some hundreds by one command. Between rounds the host heats one
//! end; its temperature is a captured value that changes.
//!
//! `cargo run --release --example replay -- 20` makes 20 rounds.

use std::error::Error;
use std::num::NonZeroU32;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use amp::prelude::*;

/// Points of the rod.
pub const POINTS: usize = 1000;
/// Steps of a round.
pub const STEPS: usize = 100;

/// One step: heat flows to the neighbours, and the first point has the temperature of the
/// oven.
#[amp_kernel]
fn spread(idx: Index<1>, from: &ArrayView<f32, 1>, to: &mut ArrayViewMut<f32, 1>, oven: f32) {
    let i = idx[0];
    if i == 0 {
        to[i] = oven;
    } else {
        let right = (i + 1).min(from.extent()[0] - 1);
        to[i] = from[i] + 0.25 * (from[i - 1] - 2.0 * from[i] + from[right]);
    }
}

/// The cold rod, and an array for the next step.
fn cold(view: &AcceleratorView) -> amp::Result<[Array<f32, 1>; 2]> {
    let rod = || Array::builder(POINTS).on(view).build();
    Ok([rod()?, rod()?])
}

/// Launches each step. Returns the rod after one round per temperature of the oven, and the
/// host's time for the launches of the fastest round.
pub fn launched(view: &AcceleratorView, ovens: &[f32]) -> amp::Result<(Vec<f32>, Duration)> {
    let [mut rod, mut next] = cold(view)?;
    let mut time = Duration::MAX;
    for &oven in ovens {
        let start = Instant::now();
        for _ in 0..STEPS / 2 {
            view.parallel_for_each(POINTS, spread(&rod, &mut next, oven))?;
            view.parallel_for_each(POINTS, spread(&next, &mut rod, oven))?;
        }
        time = time.min(start.elapsed());
        view.wait()?;
    }
    Ok((rod.to_vec()?, time))
}

/// The same, recorded once and replayed, with the host's time for the fastest replay. A round whose
/// temperature differs from the previous one's is recorded again.
pub fn replayed(view: &AcceleratorView, ovens: &[f32]) -> amp::Result<(Vec<f32>, Duration)> {
    let [rod, next] = cold(view)?;
    let mut graph = view.record_with((rod, next, 0.0), |g, (rod, next, oven)| {
        for _ in 0..STEPS / 2 {
            g.parallel_for_each(POINTS, spread(rod, next, *oven))?;
            g.parallel_for_each(POINTS, spread(next, rod, *oven))?;
        }
        Ok(())
    })?;
    let mut time = Duration::MAX;
    for &oven in ovens {
        if graph.captures().2 != oven {
            graph.captures_mut().2 = oven;
        }
        let start = Instant::now();
        graph.replay()?;
        time = time.min(start.elapsed());
        view.wait()?;
    }
    Ok((graph.captures().0.to_vec()?, time))
}

fn run() -> Result<bool, Box<dyn Error>> {
    let view = Accelerator::default()?.default_view()?;
    let rounds = match std::env::args().nth(1) {
        Some(rounds) => rounds.parse::<NonZeroU32>()?.get(),
        None => 200,
    };
    let oven = |round| if round < rounds / 2 { 100.0 } else { 20.0 };
    let ovens: Vec<f32> = (0..rounds).map(oven).collect();
    // One-time work, such as compiling pipelines, is not measured.
    launched(&view, &ovens[..1])?;
    let (one, launches) = launched(&view, &ovens)?;
    let (other, replays) = replayed(&view, &ovens)?;
    println!("{}", view.accelerator().description());
    println!("the rod, every 100 points:");
    for heat in other.iter().step_by(100) {
        print!("{heat:8.3}");
    }
    println!("\nthe host's time for the fastest round of {STEPS} steps:");
    println!("  launched  {launches:?}");
    println!("  replayed  {replays:?}");
    println!(
        "the results {}",
        if one == other { "agree" } else { "differ" }
    );
    Ok(one == other)
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
