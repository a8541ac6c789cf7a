//! What a generated crate calls: launches on every accelerator, compared with the
//! interpreter.

use amp::{AcceleratorView, ArrayView, ArrayViewMut, Error, KernelFault};

use crate::interpret::{self, Outcome};
use crate::launch::{self, Launched};
use crate::program::{Dialect, Program};
use crate::world::{Inputs, Item, MATRIX, ROW};

/// What kernels are called with.
#[allow(missing_docs)]
pub struct Arguments<'a> {
    pub numbers: ArrayView<'a, u32, 1>,
    pub matrix: ArrayView<'a, f32, 2>,
    pub items: ArrayView<'a, Item, 1>,
    pub words: ArrayViewMut<'a, u32, 2>,
    pub items_out: ArrayViewMut<'a, Item, 1>,
    pub inputs: Inputs,
}

/// Runs the program of a seed on every accelerator; prints what is wrong, and gives on how
/// many it was.
///
/// # Panics
///
/// If the program has no result.
pub fn compare(
    seed: u64,
    kernel: impl Fn(&AcceleratorView, &mut Arguments<'_>) -> amp::Result<()>,
) -> usize {
    let program = Program::new(seed, Dialect::Rust);
    let expected = interpret::run(&program).expect("only such programs are written");
    let mut wrong = 0;
    for view in amp_tests::new_views() {
        let difference = match run(&view, &program, &kernel) {
            Ok((found, fault)) => {
                launch::results_differ(&expected, &found).or_else(|| wrong_fault(&expected, &fault))
            }
            Err(error) => Some(error.to_string()),
        };
        if let Some(difference) = difference {
            println!("seed {seed} on {view}: {difference}");
            wrong += 1;
        }
    }
    wrong
}

fn run(
    view: &AcceleratorView,
    program: &Program,
    kernel: impl Fn(&AcceleratorView, &mut Arguments<'_>) -> amp::Result<()>,
) -> amp::Result<(Launched, Option<KernelFault>)> {
    let inputs = program.inputs.clone();
    let threads = program.shape.threads() as usize;
    let mut words = vec![0_u32; threads * ROW as usize];
    let mut items_out = vec![Item::ZERO; threads];
    let mut fault = None;
    {
        let mut arguments = Arguments {
            numbers: ArrayView::new(inputs.numbers.len(), &inputs.numbers)?,
            matrix: ArrayView::new(MATRIX, &inputs.matrix)?,
            items: ArrayView::new(inputs.items.len(), &inputs.items)?,
            words: ArrayViewMut::new([threads, ROW as usize], &mut words)?,
            items_out: ArrayViewMut::new(threads, &mut items_out)?,
            inputs: inputs.clone(),
        };
        kernel(view, &mut arguments)?;
        let results = [
            arguments.words.synchronize(),
            arguments.items_out.synchronize(),
            view.wait(),
        ];
        for result in results {
            match result {
                Err(Error::KernelFault(found)) => fault = Some(*found),
                other => other?,
            }
        }
    }
    let found = Launched {
        words,
        items: items_out,
        fault: None,
    };
    Ok((found, fault))
}

/// What is wrong with the fault that was reported. Its line is of the text, which the
/// interpreter does not know.
fn wrong_fault(expected: &Outcome, found: &Option<KernelFault>) -> Option<String> {
    match found {
        None if expected.faults.is_empty() => None,
        None => Some(format!("no fault, expected one of {:?}", expected.faults)),
        Some(found) => {
            let known = expected.faults.iter().any(|it| it.thread == found.thread);
            (!known).then(|| format!("{found}, expected one of {:?}", expected.faults))
        }
    }
}
