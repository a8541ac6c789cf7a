//! What mathematics costs that is the same everywhere: loops of 64 calls of one function, as
//! `f32` has it in a kernel and in one with `fast_math`, by device time. What the loops make
//! is checked against the CPU accelerator first: bit for bit, and closely.
//!
//! ```sh
//! cargo bench -p amp-benches --bench mathematics -- [THREADS [ROUNDS]]
//! ```

use std::env;
use std::error::Error;

use amp::prelude::*;
use amp_benches::median;

/// Calls of each thread, whose results are added.
const STEPS: usize = 64;

/// Runs one of the kernels.
type Run = fn(&AcceleratorView, &ArrayView<'_, f32, 1>, &mut Array<f32, 1>) -> amp::Result<()>;

/// A function, the least and the greatest of its arguments, and the kernels that call it.
struct Row {
    name: &'static str,
    range: (f32, f32),
    precise: Run,
    fast: Run,
}

macro_rules! functions {
    ($($name:ident($x:ident from $least:literal to $most:literal) { $call:expr })+) => {
        $(
            mod $name {
                use super::*;

                #[amp_kernel]
                pub fn precise(
                    idx: Index<1>,
                    from: &ArrayView<f32, 1>,
                    c: &mut ArrayViewMut<f32, 1>,
                ) {
                    let (mut $x, mut sum) = (from[idx], 0.0);
                    for _ in 0..STEPS {
                        sum += $call;
                        $x *= 1.000_976_6;
                    }
                    c[idx] = sum;
                }

                #[amp_kernel(fast_math)]
                pub fn fast(
                    idx: Index<1>,
                    from: &ArrayView<f32, 1>,
                    c: &mut ArrayViewMut<f32, 1>,
                ) {
                    let (mut $x, mut sum) = (from[idx], 0.0);
                    for _ in 0..STEPS {
                        sum += $call;
                        $x *= 1.000_976_6;
                    }
                    c[idx] = sum;
                }
            }
        )+

        fn rows() -> Vec<Row> {
            vec![$(Row {
                name: stringify!($name),
                range: ($least, $most),
                precise: |view, x, c| view.parallel_for_each(c.extent(), $name::precise(x, c)),
                fast: |view, x, c| view.parallel_for_each(c.extent(), $name::fast(x, c)),
            }),+]
        }
    };
}

functions! {
    nothing(x from 0.0 to 1.0) { x }
    sin(x from -100.0 to 100.0) { x.sin() }
    cos(x from -100.0 to 100.0) { x.cos() }
    tan(x from 0.1 to 1.2) { x.tan() }
    asin(x from -0.9 to 0.9) { x.asin() }
    acos(x from -0.9 to 0.9) { x.acos() }
    atan(x from -8.0 to 8.0) { x.atan() }
    atan2(x from -8.0 to 8.0) { x.atan2(1.5) }
    sinh(x from -8.0 to 8.0) { x.sinh() }
    cosh(x from -8.0 to 8.0) { x.cosh() }
    tanh(x from -8.0 to 8.0) { x.tanh() }
    asinh(x from -8.0 to 8.0) { x.asinh() }
    acosh(x from 1.5 to 8.0) { x.acosh() }
    atanh(x from -0.9 to 0.9) { x.atanh() }
    exp(x from -60.0 to 60.0) { x.exp() }
    exp2(x from -60.0 to 60.0) { x.exp2() }
    ln(x from 0.1 to 100.0) { x.ln() }
    log2(x from 0.1 to 100.0) { x.log2() }
    log10(x from 0.1 to 100.0) { x.log10() }
    powf(x from 0.1 to 100.0) { x.powf(2.4) }
    cbrt(x from 0.1 to 100.0) { x.cbrt() }
    hypot(x from 0.1 to 100.0) { x.hypot(1.5) }
    sine_of_large(x from 1e6 to 1e9) { x.sin() }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).filter(|a| a != "--bench").collect();
    let threads: usize = arguments.first().map_or(Ok(1 << 14), |n| n.parse())?;
    let rounds: usize = arguments.get(1).map_or(Ok(15), |n| n.parse())?;
    let view = Accelerator::default()?.default_view()?;
    let cpu = Accelerator::cpu().default_view()?;
    println!(
        "{}, {threads} threads of {STEPS} calls, median of {rounds}",
        view.accelerator()
    );
    println!(
        "{:16} {:>10} {:>10} {:>6}",
        "", "precise", "fast_math", "ratio"
    );
    for row in rows() {
        let (least, most) = row.range;
        let arguments = |count: usize| -> Vec<f32> {
            let part = move |i: usize| i as f32 / count as f32;
            (0..count)
                .map(|i| least + part(i) * (most - least))
                .collect()
        };
        check(&row, &view, &cpu, &arguments(4096.min(threads)))?;
        let start = arguments(threads);
        let x = ArrayView::new(threads, &start)?;
        let mut c = Array::builder(threads).on(&view).build()?;
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..rounds {
            for (run, times) in [row.precise, row.fast].into_iter().zip(&mut times) {
                times.push(view.elapsed(|| run(&view, &x, &mut c))?);
            }
        }
        let [precise, fast] = times.map(|times| median(times).as_secs_f64());
        println!(
            "{:16} {:7.3} ms {:7.3} ms {:6.2}",
            row.name,
            precise * 1e3,
            fast * 1e3,
            precise / fast
        );
    }
    Ok(())
}

/// Requires that a function's results are those of the CPU accelerator, and about those with
/// `fast_math`.
fn check(
    row: &Row,
    view: &AcceleratorView,
    cpu: &AcceleratorView,
    arguments: &[f32],
) -> Result<(), Box<dyn Error>> {
    let results = |on: &AcceleratorView, run: Run| -> amp::Result<Vec<f32>> {
        let x = ArrayView::new(arguments.len(), arguments)?;
        let mut c = Array::builder(arguments.len()).on(on).build()?;
        run(on, &x, &mut c)?;
        c.to_vec()
    };
    let (found, expected) = (results(view, row.precise)?, results(cpu, row.precise)?);
    let differs = |(a, b): (&f32, &f32)| a.to_bits() != b.to_bits();
    if let Some(at) = found
        .iter()
        .zip(&expected)
        .position(|(a, b)| differs((a, b)))
    {
        let (x, a, b) = (arguments[at], found[at], expected[at]);
        return Err(format!("`{}` from {x:e} on: {a:e}, on the CPU {b:e}", row.name).into());
    }
    // Devices reduce large angles badly.
    let is_close = |(fast, exact): (&f32, &f32)| {
        (fast - exact).abs() <= 1e-2 * exact.abs().max(STEPS as f32) || row.name == "sine_of_large"
    };
    let fast = results(view, row.fast)?;
    if !fast.iter().zip(&expected).all(is_close) {
        return Err(format!("`{}` differs too much with fast_math", row.name).into());
    }
    Ok(())
}
