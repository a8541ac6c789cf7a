//! Multiplies an array by ten in the memory of the accelerator.
//!
//! An `ArrayView` makes data of the host available to kernels, and copies it when it is used.
//! An `Array` owns its data, which stays on one accelerator until the host reads it.

use std::process::ExitCode;

use amp::prelude::*;

#[amp_kernel]
fn times_ten(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>) {
    a[idx] *= 10;
}

/// Ten times each element of `data`, computed on `view`.
pub fn array_times_ten(view: &AcceleratorView, data: &[i32]) -> amp::Result<Vec<i32>> {
    let mut array = Array::builder(data.len()).on(view).data(data).build()?;
    // It runs on the accelerator that owns the array.
    parallel_for_each(array.extent(), times_ten(&mut array))?;
    array.to_vec()
}

fn run() -> amp::Result<()> {
    let view = Accelerator::default()?.default_view()?;
    for element in array_times_ten(&view, &[0, 1, 2, 3, 4])? {
        println!("{element}");
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
