//! What exact floats cost: loops that do little else than one operation, as they are and
//! with `fast_math`, by device time.
//!
//! ```sh
//! cargo bench -p amp-benches --bench exactness -- [THREADS [ROUNDS]]
//! ```

use std::env;
use std::error::Error;
use std::time::Duration;

use amp::prelude::*;
use amp_benches::median;

/// Operations of each thread, each of which waits for the one before it.
const STEPS: usize = 1024;

/// What is measured: the two kernels of each operation, under its name.
struct Row {
    name: &'static str,
    exact: fn(&AcceleratorView, &mut Array<f32, 1>) -> amp::Result<()>,
    fast: fn(&AcceleratorView, &mut Array<f32, 1>) -> amp::Result<()>,
}

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

        fn rows() -> Vec<Row> {
            vec![$(Row {
                name: stringify!($operation),
                exact: |view, c| view.parallel_for_each(c.extent(), $name::exact(c)),
                fast: |view, c| view.parallel_for_each(c.extent(), $name::fast(c)),
            }),+]
        }
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

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).filter(|a| a != "--bench").collect();
    let threads: usize = arguments.first().map_or(Ok(1 << 14), |n| n.parse())?;
    let rounds: usize = arguments.get(1).map_or(Ok(15), |n| n.parse())?;
    let view = Accelerator::default()?.default_view()?;
    println!(
        "{}, {threads} threads of {STEPS} steps, median of {rounds}",
        view.accelerator()
    );
    let start: Vec<f32> = (0..threads)
        .map(|i| 0.5 + (i % 61) as f32 / 128.0)
        .collect();
    let fresh = || Array::builder(threads).on(&view).data(&start).build();
    let mut rows: Vec<(Row, [Vec<Duration>; 2])> = rows()
        .into_iter()
        .map(|row| (row, Default::default()))
        .collect();
    for (row, _) in &rows {
        let mut results = Vec::new();
        for run in [row.exact, row.fast] {
            let mut c = fresh()?;
            run(&view, &mut c)?;
            results.push(c.to_vec()?);
        }
        let close = results[0]
            .iter()
            .zip(&results[1])
            .all(|(exact, fast)| (exact - fast).abs() <= 1e-3 * exact.abs().max(1.0));
        if !close {
            return Err(format!("`{}` differs too much with fast_math", row.name).into());
        }
    }
    for _ in 0..rounds {
        for (row, times) in &mut rows {
            for (run, times) in [row.exact, row.fast].into_iter().zip(times) {
                let mut c = fresh()?;
                times.push(view.elapsed(|| run(&view, &mut c))?);
            }
        }
    }
    println!(
        "{:42} {:>10} {:>10} {:>6}",
        "", "exact", "fast_math", "ratio"
    );
    for (row, [exact, fast]) in rows {
        let (exact, fast) = (median(exact).as_secs_f64(), median(fast).as_secs_f64());
        println!(
            "{:42} {:7.3} ms {:7.3} ms {:6.2}",
            row.name,
            exact * 1e3,
            fast * 1e3,
            exact / fast
        );
    }
    Ok(())
}
