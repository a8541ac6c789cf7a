//! Arithmetic without memory: how much there is of it, which other cases may be compared with.

use amp::prelude::*;
use rayon::prelude::*;

use crate::case::{Case, Work};
use crate::{Bench, Entry, Outcome};

pub const CASES: &[Entry] = &[
    ("peak", |bench| chains(bench, false)),
    ("peak-fast", |bench| chains(bench, true)),
];

/// Sums of products that do not wait for each other.
const CHAINS: usize = 8;
/// Those that do, in a round.
const STEPS: usize = 32;

macro_rules! chains {
    ($name:ident, #[$attribute:meta]) => {
        #[$attribute]
        fn $name(idx: Index<1>, ends: &mut ArrayViewMut<f32, 1>, rounds: u32, factor: f32) {
            let mut x = [0.0; CHAINS];
            for i in 0..CHAINS {
                x[i] = (idx[0] % 64 + i) as f32;
            }
            for _ in 0..rounds {
                #[unroll]
                for _ in 0..STEPS {
                    for i in 0..CHAINS {
                        x[i] = x[i] * factor + 1.0;
                    }
                }
            }
            let mut sum = 0.0;
            for i in 0..CHAINS {
                sum += x[i];
            }
            ends[idx] = sum;
        }
    };
}
chains!(exact_chains, #[amp_kernel]);
chains!(fast_chains, #[amp_kernel(fast_math)]);

fn chains(bench: &Bench, fast: bool) -> Outcome {
    let threads = bench.size(1 << 20, 1 << 12);
    let rounds = 32;
    let factor = 0.5;
    let end = |thread: usize| {
        let chain = |i| {
            let start = (thread % 64 + i) as f32;
            (0..rounds * STEPS).fold(start, |x, _| x * factor + 1.0)
        };
        (0..CHAINS).map(chain).fold(0.0, |sum, x| sum + x)
    };
    let case = Case {
        name: if fast { "peak-fast" } else { "peak" },
        result: threads.into(),
        work: Work::Flops(2 * CHAINS * STEPS * rounds * threads),
        intensity: 0.0,
        launch: Box::new(|view, version, ends| {
            let domain = ends.extent();
            let kernel = match fast {
                true => fast_chains(ends, rounds as u32, factor),
                false => exact_chains(ends, rounds as u32, factor),
            };
            view.parallel_for_each(domain, version.of(kernel))
        }),
        copy: None,
        rayon: Some(Box::new(|ends| {
            ends.par_iter_mut()
                .enumerate()
                .for_each(|(i, it)| *it = end(i));
        })),
        expected: Box::new(end),
        exact: !fast,
    };
    case.measure(bench)
}
