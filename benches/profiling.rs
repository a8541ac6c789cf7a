//! What a profile costs: series of launches outside of a profile and within one, from the
//! first launch to the end of the wait, by the host's clock.
//!
//! ```sh
//! cargo bench -p amp-benches --bench profiling -- [ROUNDS]
//! ```

use std::env;
use std::error::Error;
use std::time::{Duration, Instant};

use amp::prelude::*;
use amp_benches::median;

/// Launches of a series.
const LAUNCHES: usize = 1000;

#[amp_kernel]
fn scale(idx: Index<1>, x: &mut ArrayViewMut<f32, 1>, by: f32) {
    x[idx] *= by;
}

fn series(view: &AcceleratorView, x: &mut Array<f32, 1>) -> amp::Result<Duration> {
    view.wait()?;
    let start = Instant::now();
    for _ in 0..LAUNCHES {
        view.parallel_for_each(x.extent(), scale(x, 1.0))?;
    }
    view.wait()?;
    Ok(start.elapsed())
}

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo says `--bench` too.
    let mut numbers = env::args().skip(1).filter(|it| it != "--bench");
    let rounds: usize = numbers.next().map_or(Ok(15), |it| it.parse())?;
    let accelerator = Accelerator::default()?;
    let view = accelerator.default_view()?;
    println!("{accelerator}, {LAUNCHES} launches, medians of {rounds} rounds");
    println!("{:>10} {:>14} {:>14}", "elements", "outside", "profiled");
    for elements in [64, 1 << 16] {
        let mut x = Array::builder(elements).on(&view).build()?;
        series(&view, &mut x)?;
        let (mut outside, mut profiled) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            outside.push(series(&view, &mut x)?);
            profiled.push(view.profile(|| series(&view, &mut x))?.0);
        }
        let each = |times: Vec<Duration>| {
            let time = median(times) / LAUNCHES as u32;
            format!("{:.2} µs", time.as_secs_f64() * 1e6)
        };
        println!(
            "{elements:>10} {:>14} {:>14}",
            each(outside),
            each(profiled)
        );
    }
    Ok(())
}
