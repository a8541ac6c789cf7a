//! Times the products.

use std::time::{Duration, Instant};

use amp::{AcceleratorView, Result};

use super::product::{self, Method, Product};

/// The number of launches for the median, unless the user sets it or `BUDGET` is spent
/// earlier.
const LAUNCHES: usize = 9;

/// The time to spend on repeated launches.
const BUDGET: Duration = Duration::from_secs(2);

/// Two matrices to multiply.
pub struct Inputs {
    /// M, N and W.
    pub sizes: [usize; 3],
    /// M × W elements.
    pub a: Vec<f32>,
    /// W × N elements.
    pub b: Vec<f32>,
}

/// How long one product took.
#[derive(Clone, Copy)]
pub struct Times {
    /// From matrices on the host to the result on the host.
    pub with_transfers: Duration,
    /// The kernel alone, with all data on its accelerator.
    pub without_transfers: Duration,
}

/// Computes rows of C on the host.
pub fn serial(inputs: &Inputs, c: &mut [f32], rows: &[usize], row_done: impl FnMut()) -> Duration {
    let start = Instant::now();
    product::serial(c, &inputs.a, &inputs.b, inputs.sizes, rows, row_done);
    start.elapsed()
}

/// Computes C with a kernel.
pub fn kernel(
    inputs: &Inputs,
    c: &mut [f32],
    view: &AcceleratorView,
    method: Method,
    checked: bool,
    repeat: Option<usize>,
) -> Result<Times> {
    // The first launch compiles the kernel, and leaves A, B and C on the
    // accelerator.
    let start = Instant::now();
    let mut product = Product::new(c, &inputs.a, &inputs.b, inputs.sizes)?;
    product.launch(view, method, checked)?;
    product.finish()?;
    let first = start.elapsed();

    let without_transfers = median(repeat, || {
        view.elapsed(|| product.launch(view, method, checked))
    })?;
    drop(product);

    // If a product takes this long, the compilation in the first launch does not matter.
    let with_transfers = if repeat.is_none() && first >= BUDGET {
        first
    } else {
        median(repeat, || {
            let start = Instant::now();
            let mut product = Product::new(c, &inputs.a, &inputs.b, inputs.sizes)?;
            product.launch(view, method, checked)?;
            product.finish()?;
            Ok(start.elapsed())
        })?
    };
    Ok(Times {
        with_transfers,
        without_transfers,
    })
}

/// The median of as many times as the user requests, or as there is time for.
fn median(repeat: Option<usize>, mut run: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let start = Instant::now();
    let mut times = vec![run()?];
    while match repeat {
        Some(count) => times.len() < count,
        None => times.len() < LAUNCHES && start.elapsed() < BUDGET,
    } {
        times.push(run()?);
    }
    times.sort();
    Ok(times[times.len() / 2])
}
