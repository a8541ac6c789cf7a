//! Adds two arrays: the first program of Microsoft's overview of C++ AMP.
//!
//! A kernel is a function marked `#[amp_kernel]`. Its first parameter is the index of the
//! thread; the others are what C++ AMP's lambda would capture.

use std::process::ExitCode;

use amp::prelude::*;

#[amp_kernel]
fn add(
    idx: Index<1>,
    a: &ArrayView<i32, 1>,
    b: &ArrayView<i32, 1>,
    sum: &mut ArrayViewMut<i32, 1>,
) {
    sum[idx] = a[idx] + b[idx];
}

/// The sums of the corresponding elements of `a` and `b`, computed on `view`.
pub fn add_arrays(view: &AcceleratorView, a: &[i32], b: &[i32]) -> amp::Result<Vec<i32>> {
    let mut sums = vec![0; a.len()];
    let a = ArrayView::new(a.len(), a)?;
    let b = ArrayView::new(b.len(), b)?;
    let mut sum = ArrayViewMut::new(sums.len(), &mut sums)?;
    // The old contents are not needed, so they need not be copied to the accelerator.
    sum.discard_data();
    view.parallel_for_each(sum.extent(), add(&a, &b, &mut sum))?;
    // Wait for the kernel and bring its results back to `sums`.
    sum.synchronize()?;
    drop(sum);
    Ok(sums)
}

fn run() -> amp::Result<()> {
    let view = Accelerator::default()?.default_view()?;
    for sum in add_arrays(&view, &[1, 2, 3, 4, 5], &[6, 7, 8, 9, 10])? {
        println!("{sum}");
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
