//! Launches of programs on devices.

use amp::__private::{Artifact, Binding};
use amp::{AcceleratorView, ArrayView, ArrayViewMut, Domain, Error, Extent, Kernel, KernelFault};
use amp_spirv::emit::emit;

use crate::interpret::Outcome;
use crate::program::Program;
use crate::world::{Inputs, Item, MATRIX, Param, ROW, Shape};

/// What a launch left, and the fault that it reported.
#[derive(Debug)]
pub struct Launched {
    /// [`Param::Words`]
    pub words: Vec<u32>,
    /// [`Param::ItemsOut`]
    pub items: Vec<Item>,
    /// The first fault.
    pub fault: Option<KernelFault>,
}

/// Compiles a program. What it gives is never freed: pipelines are known by its address.
pub fn compile(program: &Program) -> &'static Artifact {
    Box::leak(Box::new(emit(&program.module)))
}

/// Runs a program, with checks or without.
///
/// # Errors
///
/// Whatever the launch or its end gives, faults excepted.
pub fn launch(
    view: &AcceleratorView,
    program: &Program,
    artifact: &'static Artifact,
    checked: bool,
) -> amp::Result<Launched> {
    let extent = program.shape.extent();
    let size = |k: usize| extent[k] as usize;
    let target = Target {
        view,
        program,
        artifact,
        checked,
    };
    match program.shape {
        Shape::Line => target.over(Extent::new([size(0)])),
        Shape::Plane => target.over(Extent::new([size(0), size(1)])),
        Shape::Space => target.over(Extent::new([size(0), size(1), size(2)])),
        Shape::Tiles8 => target.over(Extent::new([size(0)]).tile::<8>()),
        Shape::Tiles32 => target.over(Extent::new([size(0)]).tile::<32>()),
        Shape::Tiles4x4 => target.over(Extent::new([size(0), size(1)]).tile::<4, 4>()),
        Shape::Tiles2x2x2 => {
            target.over(Extent::new([size(0), size(1), size(2)]).tile::<2, 2, 2>())
        }
    }
}

struct Target<'a> {
    view: &'a AcceleratorView,
    program: &'a Program,
    artifact: &'static Artifact,
    checked: bool,
}

impl Target<'_> {
    fn over<D: Domain>(&self, domain: D) -> amp::Result<Launched> {
        let Inputs {
            numbers,
            matrix,
            items,
            ..
        } = &self.program.inputs;
        let threads = self.program.shape.threads() as usize;
        let mut words = vec![0_u32; threads * ROW as usize];
        let mut items_out = vec![Item::ZERO; threads];
        let mut fault = None;
        {
            let numbers = ArrayView::new(numbers.len(), numbers)?;
            let matrix = ArrayView::new(MATRIX, matrix)?;
            let items = ArrayView::new(items.len(), items)?;
            let mut words = ArrayViewMut::new([threads, ROW as usize], &mut words)?;
            let mut items_out = ArrayViewMut::new(threads, &mut items_out)?;
            let kernel = {
                let (words, items_out) = (&mut words, &mut items_out);
                self.bind::<D>(&numbers, &matrix, &items, words, items_out)
            };
            self.view.parallel_for_each(domain, kernel)?;
            for result in [
                words.synchronize(),
                items_out.synchronize(),
                self.view.wait(),
            ] {
                match result {
                    Err(Error::KernelFault(found)) => fault = Some(*found),
                    other => other?,
                }
            }
        }
        Ok(Launched {
            words,
            items: items_out,
            fault,
        })
    }

    fn bind<'a, D: Domain>(
        &self,
        numbers: &'a ArrayView<'_, u32, 1>,
        matrix: &'a ArrayView<'_, f32, 2>,
        items: &'a ArrayView<'_, Item, 1>,
        words: &'a mut ArrayViewMut<'_, u32, 2>,
        items_out: &'a mut ArrayViewMut<'_, Item, 1>,
    ) -> Kernel<'a, D::Index> {
        let inputs = &self.program.inputs;
        let constants: Vec<u64> = self
            .program
            .constants
            .iter()
            .map(|&word| word.into())
            .collect();
        let constants: &'static [u64] = Box::leak(constants.into());
        let mut binding = Binding::new(self.artifact, constants);
        let (mut words, mut items_out) = (Some(words), Some(items_out));
        for param in &self.program.params {
            match param {
                Param::Numbers => drop(binding.read(numbers)),
                Param::Matrix => drop(binding.read(matrix)),
                Param::Items => drop(binding.read(items)),
                Param::Words => {
                    binding.write(words.take().expect("it comes once"));
                }
                Param::ItemsOut => {
                    binding.write(items_out.take().expect("it comes once"));
                }
                Param::Signed => binding.value(inputs.signed),
                Param::Unsigned => binding.value(inputs.unsigned),
                Param::Float => binding.value(inputs.float),
                Param::Size => binding.value(inputs.size),
                Param::Flag => binding.value(inputs.flag),
            }
        }
        let kernel = binding.finish(|_, _| {});
        if self.checked {
            kernel
        } else {
            // SAFETY: the caller has seen the program run without a fault.
            unsafe { kernel.unchecked() }
        }
    }
}

/// What is wrong with what a launch left and reported, if anything.
pub fn difference(expected: &Outcome, found: &Launched) -> Option<String> {
    results_differ(expected, found).or_else(|| wrong_fault(expected, found))
}

/// What is wrong with what a launch left, if anything.
pub fn results_differ(expected: &Outcome, found: &Launched) -> Option<String> {
    for (k, (a, b)) in expected.words.iter().zip(&found.words).enumerate() {
        if a != b {
            return Some(format!("word {k} is {b:#x} ({b}), expected {a:#x} ({a})"));
        }
    }
    for (k, (a, b)) in expected.items.iter().zip(&found.items).enumerate() {
        let same = |x: f32, y: f32| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
        let weights = a.weights.iter().zip(b.weights).all(|(x, y)| same(*x, y));
        if !weights || (a.key, a.count) != (b.key, b.count) {
            return Some(format!("item {k} is {b:?}, expected {a:?}"));
        }
    }
    None
}

fn wrong_fault(expected: &Outcome, found: &Launched) -> Option<String> {
    match &found.fault {
        None if expected.faults.is_empty() => None,
        None => Some(format!("no fault, expected one of {:?}", expected.faults)),
        Some(found) => {
            let known = expected
                .faults
                .iter()
                .any(|it| (&it.thread, it.line) == (&found.thread, found.line));
            (!known).then(|| format!("{found}, expected one of {:?}", expected.faults))
        }
    }
}
