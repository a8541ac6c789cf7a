//! What host indexing costs: loops that read or write every element of a slice, of a view and
//! of an array that the host has, by element.
//!
//! ```sh
//! cargo bench -p amp-benches --bench indexing -- [ROUNDS]
//! ```

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use amp::prelude::*;
use amp_benches::median;

/// Elements in each dimension, few enough for the first cache.
const SIDE: usize = 64;
const ELEMENTS: usize = SIDE * SIDE;

/// The median time of a pass over all elements, by element.
fn print(name: &str, rounds: usize, mut pass: impl FnMut()) {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        pass();
        start.elapsed()
    });
    let times: Vec<Duration> = times.collect();
    let time = median(times).as_nanos() as f64 / ELEMENTS as f64;
    println!("{name:<24} {time:>6.2} ns");
}

macro_rules! sum {
    ($data:expr) => {
        (0..ELEMENTS).fold(0, |sum: u32, i| sum.wrapping_add(black_box(&$data)[i]))
    };
}

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo says `--bench` too.
    let mut numbers = env::args().skip(1).filter(|it| it != "--bench");
    let rounds: usize = numbers.next().map_or(Ok(1001), |it| it.parse())?;
    println!("{ELEMENTS} elements, medians of {rounds} rounds");

    let data: Vec<u32> = (0..).take(ELEMENTS).collect();
    let (mut line, mut square) = (data.clone(), data.clone());
    let view = ArrayView::new(ELEMENTS, &data)?;
    let mut line = ArrayViewMut::new(ELEMENTS, &mut line)?;
    let mut square = ArrayViewMut::new([SIDE, SIDE], &mut square)?;
    let cpu = Accelerator::cpu().default_view()?;
    let mut array = Array::builder(ELEMENTS).on(&cpu).data(&data).build()?;

    print("read a slice", rounds, || {
        black_box(sum!(&data[..]));
    });
    print("read a view", rounds, || {
        black_box(sum!(view));
    });
    print("read an array", rounds, || {
        black_box(sum!(array));
    });
    print("write a view", rounds, || {
        (0..ELEMENTS).for_each(|i| black_box(&mut line)[i] = i as u32);
    });
    print("write an array", rounds, || {
        (0..ELEMENTS).for_each(|i| black_box(&mut array)[i] = i as u32);
    });
    print("write a view of rank 2", rounds, || {
        for i in 0..SIDE {
            for j in 0..SIDE {
                black_box(&mut square)[[i, j]] = j as u32;
            }
        }
    });
    Ok(())
}
