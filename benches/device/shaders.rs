//! Algorithms as they are usually written in GLSL: `glsl/algorithms/*.comp`, a module for each step. They are
//! launched by the same run time, in the place of a kernel that has their argument block.

use std::error::Error;

use amp::prelude::*;

use crate::Bench;
use crate::foreign::{self, Foreign};

/// Its body says which views are written. The shaders run in its place.
#[amp_kernel]
fn shader(
    t_idx: TiledIndex<1, 256>,
    a: &ArrayView<u32, 1>,
    b: &ArrayView<u32, 1>,
    c: &mut ArrayViewMut<u32, 1>,
    d: &mut ArrayViewMut<u32, 1>,
    e: &mut ArrayViewMut<u32, 1>,
    n: u32,
    p: u32,
) {
    let at = t_idx.global[0];
    c[at] += a[at] + n;
    d[at] += b[at] + p;
    e[at] += 1;
}

/// What a step takes.
pub struct Arguments<'a> {
    pub a: ArrayView<'a, u32, 1>,
    pub b: ArrayView<'a, u32, 1>,
    pub c: ArrayViewMut<'a, u32, 1>,
    pub d: ArrayViewMut<'a, u32, 1>,
    pub e: ArrayViewMut<'a, u32, 1>,
    pub n: usize,
    pub p: usize,
}

impl Default for Arguments<'_> {
    fn default() -> Self {
        Self {
            a: (&[]).into(),
            b: (&[]).into(),
            c: (&mut []).into(),
            d: (&mut []).into(),
            e: (&mut []).into(),
            n: 0,
            p: 0,
        }
    }
}

/// The steps of an algorithm.
pub struct Shaders {
    view: AcceleratorView,
    steps: Vec<Foreign>,
}

impl Shaders {
    /// So many steps; nothing on the CPU accelerator, which takes no modules.
    pub fn of(bench: &Bench, name: &str, steps: usize) -> Result<Option<Self>, Box<dyn Error>> {
        if bench.is_on_cpu() {
            return Ok(None);
        }
        let view = bench.view.clone();
        let steps = foreign::steps(name, steps, bench.glsl.as_deref())?;
        Ok(Some(Self { view, steps }))
    }

    /// Runs groups of 256 threads.
    pub fn run(&self, step: usize, groups: usize, arguments: Arguments<'_>) -> amp::Result<()> {
        let Arguments {
            a,
            b,
            mut c,
            mut d,
            mut e,
            n,
            p,
        } = arguments;
        let kernel = shader(&a, &b, &mut c, &mut d, &mut e, n as u32, p as u32);
        let artifact = self.steps[step].in_place_of(kernel.artifact());
        // SAFETY: the shaders are written for this kernel's argument block, and access the elements of its views.
        let kernel = unsafe { kernel.with_artifact(artifact) };
        let threads = Extent::new([256 * groups]).tile::<256>();
        self.view.parallel_for_each(threads, kernel)
    }
}
