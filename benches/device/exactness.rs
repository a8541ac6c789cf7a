//! What exact floats cost: loops that do little else than one operation, as they are and with
//! `fast_math`. The ratio is that of the times: 0.5 is twice the time.

use std::time::Duration;

use amp::prelude::*;
use amp_benches::median;

use crate::figures::{Figures, Unit};
use crate::{Bench, Outcome};

/// Operations of each thread, each of which waits for the one before it.
const STEPS: usize = 1024;

type Launch = fn(&AcceleratorView, &mut Array<f32, 1>) -> amp::Result<()>;

macro_rules! operations {
    ($($name:ident($x:ident, $y:ident) { $operation:expr })+) => {
        $(
            mod $name {
                use super::*;

                #[amp_kernel]
                pub fn exact(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
                    let $y = c[idx];
                    let mut $x = $y;
                    for _ in 0..STEPS {
                        $x = $operation;
                    }
                    c[idx] = $x;
                }

                #[amp_kernel(fast_math)]
                pub fn fast(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
                    let $y = c[idx];
                    let mut $x = $y;
                    for _ in 0..STEPS {
                        $x = $operation;
                    }
                    c[idx] = $x;
                }
            }
        )+

        pub const CASES: &[crate::Entry] = &[$((
            concat!("exact-", stringify!($name)),
            |bench| {
                let exact: Launch = |view, c| view.parallel_for_each(c.extent(), $name::exact(c));
                let fast: Launch = |view, c| view.parallel_for_each(c.extent(), $name::fast(c));
                measure(bench, concat!("exact-", stringify!($name)), [exact, fast])
            },
        )),+];
    };
}

operations! {
    sum_of_product(x, y) { x * y + 1.0 }
    quotient(x, y) { y / x }
    root(x, y) { (x + y).sqrt() }
    fused(x, y) { x.mul_add(y, 0.5) }
    smaller(x, y) { if x < y { x + 1.0 } else { x - y } }
    clamped(x, y) { (x + y).clamp(-2.0, 3.0) }
    longest(x, y) { (x - 1.0).max(y) }
}

fn measure(bench: &Bench, name: &str, versions: [Launch; 2]) -> Outcome {
    let threads = bench.size(1 << 20, 1 << 10);
    let start: Vec<f32> = (0..threads)
        .map(|i| 0.5 + (i % 61) as f32 / 128.0)
        .collect();
    let fresh = || Array::builder(threads).on(&bench.view).data(&start).build();
    let mut results = Vec::new();
    for launch in versions {
        let mut c = fresh()?;
        launch(&bench.view, &mut c)?;
        results.push(c.to_vec()?);
    }
    let is_close =
        |(exact, fast): (&f32, &f32)| (exact - fast).abs() <= 1e-3 * exact.abs().max(1.0);
    if !results[0].iter().zip(&results[1]).all(is_close) {
        return Err("it differs too much with `fast_math`".into());
    }
    let mut c = fresh()?;
    let mut times: [Vec<Duration>; 2] = Default::default();
    for round in 0..bench.rounds() + bench.rounds() / 5 {
        for (launch, times) in versions.iter().zip(&mut times) {
            c.copy_from(&start)?;
            let time = bench.view.elapsed(|| launch(&bench.view, &mut c))?;
            if round >= bench.rounds() / 5 {
                times.push(time);
            }
        }
    }
    let [exact, fast] = times.map(median);
    let figures = Figures::new(name, Unit::Milliseconds);
    Ok(vec![figures.with("checked", 1, exact).with(
        "fast_math",
        1,
        fast,
    )])
}
