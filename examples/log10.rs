//! Computes logarithms of an array in place: kernels have the float methods of Rust.

use std::process::ExitCode;

use amp::prelude::*;

#[amp_kernel]
fn log10_of(idx: Index<1>, numbers: &mut ArrayViewMut<f32, 1>) {
    numbers[idx] = numbers[idx].log10();
}

/// Replaces each number by its logarithm to base 10, on `view`.
pub fn log10_in_place(view: &AcceleratorView, numbers: &mut [f32]) -> amp::Result<()> {
    let mut numbers = ArrayViewMut::new(numbers.len(), numbers)?;
    view.parallel_for_each(numbers.extent(), log10_of(&mut numbers))?;
    numbers.synchronize()
}

fn run() -> amp::Result<()> {
    let view = Accelerator::default()?.default_view()?;
    let numbers = [1.0, 10.0, 60.0, 100.0, 600.0, 1000.0];
    let mut logarithms = numbers;
    log10_in_place(&view, &mut logarithms)?;
    for (number, logarithm) in numbers.iter().zip(logarithms) {
        println!("log10({number}) = {logarithm}");
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
