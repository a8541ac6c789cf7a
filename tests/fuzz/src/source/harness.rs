//! What a generated crate calls: launches on accelerators, compared with the
//! interpreter.

use amp::AcceleratorView;

use crate::arguments::{Arguments, results_differ, run, wrong_fault};
use crate::interpret;
use crate::program::{Dialect, Program};

/// Runs the program of a seed on each view; prints what is wrong, and gives on how
/// many it was.
///
/// # Panics
///
/// If the program has no result.
pub fn compare(
    seed: u64,
    views: &[AcceleratorView],
    kernel: impl Fn(&AcceleratorView, &mut Arguments<'_>) -> amp::Result<()>,
) -> usize {
    let program = Program::new(seed, Dialect::Rust);
    let expected = interpret::run(&program).expect("only such programs are written");
    let mut wrong = 0;
    for view in views {
        let difference = match run(view, &program, &kernel) {
            // A fault's line is of the text, which the interpreter does not know.
            Ok(found) => results_differ(&expected, &found)
                .or_else(|| wrong_fault(&expected, &found, |_, _| true)),
            Err(error) => Some(error.to_string()),
        };
        if let Some(difference) = difference {
            println!("seed {seed} on {view}: {difference}");
            wrong += 1;
        }
    }
    wrong
}
