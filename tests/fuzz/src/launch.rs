//! Launches of programs on devices, from the tree.

use amp::__private::{Artifact, Binding};
use amp::{AcceleratorView, Domain, Extent, Kernel};

use crate::arguments::{self, Arguments, Launched, results_differ, wrong_fault};
use crate::interpret::Outcome;
use crate::program::Program;
use crate::world::{Param, Shape};

/// Compiles a program that [`check`](amp_spirv::check::check) accepts. What it gives is never
/// freed: pipelines are known by its address.
pub fn compile(program: &Program) -> &'static Artifact {
    let artifact = amp_spirv::compile(&program.module);
    Box::leak(Box::new(artifact.expect("the checks find nothing")))
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
        program,
        artifact,
        checked,
    };
    arguments::run(view, program, |view, arguments| match program.shape {
        Shape::Line => target.over(view, Extent::new([size(0)]), arguments),
        Shape::Plane => target.over(view, Extent::new([size(0), size(1)]), arguments),
        Shape::Space => target.over(view, Extent::new([size(0), size(1), size(2)]), arguments),
        Shape::Tiles8 => target.over(view, Extent::new([size(0)]).tile::<8>(), arguments),
        Shape::Tiles32 => target.over(view, Extent::new([size(0)]).tile::<32>(), arguments),
        Shape::Tiles4x4 => {
            let extent = Extent::new([size(0), size(1)]);
            target.over(view, extent.tile::<4, 4>(), arguments)
        }
        Shape::Tiles2x2x2 => {
            let extent = Extent::new([size(0), size(1), size(2)]);
            target.over(view, extent.tile::<2, 2, 2>(), arguments)
        }
    })
}

struct Target<'a> {
    program: &'a Program,
    artifact: &'static Artifact,
    checked: bool,
}

impl Target<'_> {
    fn over<D: Domain>(
        &self,
        view: &AcceleratorView,
        domain: D,
        arguments: &mut Arguments<'_>,
    ) -> amp::Result<()> {
        view.parallel_for_each(domain, self.bind::<D>(arguments))
    }

    fn bind<'a, D: Domain>(&self, arguments: &'a mut Arguments<'_>) -> Kernel<'a, D::Index> {
        let constants: Vec<u64> = self.program.registers();
        let constants: &'static [u64] = Box::leak(constants.into());
        let mut binding = Binding::new(self.artifact, constants);
        let Arguments {
            numbers,
            matrix,
            items,
            longs,
            table,
            doubles,
            pixels,
            words,
            items_out,
            bytes_out,
            cells,
            signed_cells,
            inputs,
        } = arguments;
        let (mut words, mut items_out) = (Some(words), Some(items_out));
        let (mut bytes_out, mut cells) = (Some(bytes_out), Some(cells));
        let mut signed_cells = Some(signed_cells);
        const ONCE: &str = "a parameter comes once";
        for param in &self.program.params {
            match param {
                Param::Numbers => drop(binding.read(&*numbers)),
                Param::Matrix => drop(binding.read(&*matrix)),
                Param::Items => drop(binding.read(&*items)),
                Param::Longs => drop(binding.read(&*longs)),
                Param::Table => drop(binding.read(&*table)),
                Param::Doubles => drop(binding.read(&*doubles)),
                Param::Pixels => drop(binding.read(&*pixels)),
                Param::Words => drop(binding.write(words.take().expect(ONCE))),
                Param::ItemsOut => drop(binding.write(items_out.take().expect(ONCE))),
                Param::BytesOut => drop(binding.write(bytes_out.take().expect(ONCE))),
                Param::Cells => drop(binding.write(cells.take().expect(ONCE))),
                Param::SignedCells => drop(binding.write(signed_cells.take().expect(ONCE))),
                Param::Signed => binding.value(inputs.signed),
                Param::Unsigned => binding.value(inputs.unsigned),
                Param::Float => binding.value(inputs.float),
                Param::Size => binding.value(inputs.size),
                Param::Flag => binding.value(inputs.flag),
                Param::Long => binding.value(inputs.long),
                Param::Double => binding.value(inputs.double),
                Param::Byte => binding.value(inputs.byte),
                Param::Short => binding.value(inputs.short),
                Param::Half => binding.value(inputs.half),
                Param::Whole => binding.value(inputs.whole),
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
    results_differ(expected, found)
        .or_else(|| wrong_fault(expected, found, |it, found| it.line == found.line))
}
