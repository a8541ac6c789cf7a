//! What kernels are called with, and what they leave.

use amp::{AcceleratorView, ArrayView, ArrayViewMut, Error, KernelFault};

use crate::interpret::Outcome;
use crate::program::Program;
use crate::world::{BYTES, Inputs, Item, MATRIX, ROW, TABLE};

/// What kernels are called with.
#[allow(missing_docs)]
pub struct Arguments<'a> {
    pub numbers: ArrayView<'a, u32, 1>,
    pub matrix: ArrayView<'a, f32, 2>,
    pub items: ArrayView<'a, Item, 1>,
    pub longs: ArrayView<'a, i64, 1>,
    pub table: ArrayView<'a, u8, 2>,
    pub doubles: ArrayView<'a, f64, 1>,
    pub pixels: ArrayView<'a, [u8; 4], 1>,
    pub words: ArrayViewMut<'a, u32, 2>,
    pub items_out: ArrayViewMut<'a, Item, 1>,
    pub bytes_out: ArrayViewMut<'a, u8, 2>,
    pub cells: ArrayViewMut<'a, u32, 1>,
    pub signed_cells: ArrayViewMut<'a, i32, 1>,
    pub inputs: &'a Inputs,
}

/// What a launch left, and the fault that it reported. Views that the kernel does not have
/// are as they were.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Launched {
    pub words: Vec<u32>,
    pub items: Vec<Item>,
    pub bytes: Vec<u8>,
    pub cells: Vec<u32>,
    pub signed_cells: Vec<i32>,
    /// The first fault.
    pub fault: Option<KernelFault>,
}

impl Launched {
    fn before(program: &Program) -> Self {
        let threads = program.shape.threads() as usize;
        Self {
            words: vec![0; threads * ROW as usize],
            items: vec![Item::ZERO; threads],
            bytes: vec![0; threads * BYTES as usize],
            cells: program.inputs.cells.clone(),
            signed_cells: program.inputs.signed_cells.clone(),
            fault: None,
        }
    }
}

/// Launches a program's kernel.
///
/// # Errors
///
/// Whatever the launch or its end gives, faults excepted.
pub fn run(
    view: &AcceleratorView,
    program: &Program,
    kernel: impl Fn(&AcceleratorView, &mut Arguments<'_>) -> amp::Result<()>,
) -> amp::Result<Launched> {
    let inputs = &program.inputs;
    let threads = program.shape.threads() as usize;
    let mut left = Launched::before(program);
    let mut fault = None;
    {
        let cells = left.cells.len();
        let mut arguments = Arguments {
            numbers: ArrayView::new(inputs.numbers.len(), &inputs.numbers)?,
            matrix: ArrayView::new(MATRIX, &inputs.matrix)?,
            items: ArrayView::new(inputs.items.len(), &inputs.items)?,
            longs: ArrayView::new(inputs.longs.len(), &inputs.longs)?,
            table: ArrayView::new(TABLE, &inputs.table)?,
            doubles: ArrayView::new(inputs.doubles.len(), &inputs.doubles)?,
            pixels: ArrayView::new(inputs.pixels.len(), &inputs.pixels)?,
            words: ArrayViewMut::new([threads, ROW as usize], &mut left.words)?,
            items_out: ArrayViewMut::new(threads, &mut left.items)?,
            bytes_out: ArrayViewMut::new([threads, BYTES as usize], &mut left.bytes)?,
            cells: ArrayViewMut::new(cells, &mut left.cells)?,
            signed_cells: ArrayViewMut::new(cells, &mut left.signed_cells)?,
            inputs,
        };
        kernel(view, &mut arguments)?;
        let results = [
            arguments.words.synchronize(),
            arguments.items_out.synchronize(),
            arguments.bytes_out.synchronize(),
            arguments.cells.synchronize(),
            arguments.signed_cells.synchronize(),
            view.wait(),
        ];
        for result in results {
            match result {
                Err(Error::KernelFault(found)) => fault = Some(*found),
                other => other?,
            }
        }
    }
    left.fault = fault;
    Ok(left)
}

/// What is wrong with what a launch left, if anything.
pub fn results_differ(expected: &Outcome, found: &Launched) -> Option<String> {
    fn differ<T: PartialEq + std::fmt::Debug>(
        name: &str,
        expected: &[T],
        found: &[T],
    ) -> Option<String> {
        // A view that the kernel does not have is not expected to be anything.
        let (k, (a, b)) = expected
            .iter()
            .zip(found)
            .enumerate()
            .find(|(_, (a, b))| a != b)?;
        Some(format!("{name} {k} is {b:?}, expected {a:?}"))
    }
    let items = || {
        let pairs = expected.items.iter().zip(&found.items);
        let (k, (a, b)) = pairs.enumerate().find(|(_, (a, b))| !a.same(b))?;
        Some(format!("item {k} is {b:?}, expected {a:?}"))
    };
    differ("word", &expected.words, &found.words)
        .or_else(items)
        .or_else(|| differ("byte", &expected.bytes, &found.bytes))
        .or_else(|| differ("cell", &expected.cells, &found.cells))
        .or_else(|| differ("signed cell", &expected.signed_cells, &found.signed_cells))
}

/// What is wrong with the fault that was reported, if anything: it has to be the first of a
/// thread, and `is_it` has to say that its place is right too.
pub fn wrong_fault(
    expected: &Outcome,
    found: &Launched,
    is_it: impl Fn(&crate::interpret::Fault, &KernelFault) -> bool,
) -> Option<String> {
    match &found.fault {
        None if expected.faults.is_empty() => None,
        None => Some(format!("no fault, expected one of {:?}", expected.faults)),
        Some(found) => {
            let known = expected
                .faults
                .iter()
                .any(|it| it.thread == found.thread && is_it(it, found));
            (!known).then(|| format!("{found}, expected one of {:?}", expected.faults))
        }
    }
}
