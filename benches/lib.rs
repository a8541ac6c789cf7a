//! What the benchmarks share: kernels in GLSL that the run time launches as its own,
//! and medians.

#![forbid(unsafe_code)]

use std::{borrow::Cow, fs, io, path::Path, time::Duration};

use amp::__private::{Artifact, Binding, Param, ParamKind, ReadSource, WriteSource};
use amp::Element;

/// A kernel compiled by another compiler, with the argument block of an amp kernel over
/// the same parameters.
pub struct Foreign {
    artifact: &'static Artifact,
    constants: &'static [u64],
}

impl Foreign {
    /// Reads a module whose entry point is `main` and that takes two views to read and
    /// one to write, all of two dimensions and of elements of so many bytes. `constants` are its specialization
    /// constants from 16 on. What is read is kept until the program ends, as the kernels
    /// in a program are.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn load(path: &Path, tiled: bool, bytes: u32, constants: &[u64]) -> io::Result<Self> {
        let header = if tiled { 16 } else { 24 };
        let view = |name, number: u32, writes: bool| Param {
            name: Cow::Borrowed(name),
            offset: header + 24 * number,
            kind: ParamKind::View {
                rank: 2,
                element_bytes: bytes,
                reads: !writes,
                writes,
            },
        };
        let artifact = Artifact {
            name: Cow::Borrowed("main"),
            spirv: Cow::Owned(fs::read(path)?),
            rank: 2,
            tiled,
            has_barrier: tiled,
            params: Cow::Owned(vec![
                view("a", 0, false),
                view("b", 1, false),
                view("c", 2, true),
            ]),
            block_bytes: header + 3 * 24,
            spilled: false,
            constant_bytes: vec![4; constants.len()].into(),
            features: Cow::Borrowed(&[]),
            files: Cow::Borrowed(&[]),
            faults: Cow::Borrowed(&[]),
            messages: Cow::Borrowed(&[]),
            ..Artifact::default()
        };
        Ok(Self {
            artifact: Box::leak(Box::new(artifact)),
            constants: Box::leak(constants.into()),
        })
    }

    /// The kernel with its arguments. It has no twin: the CPU accelerator runs nothing.
    pub fn bind<'a, T: Element, I: amp::__private::KernelIndex>(
        &self,
        a: &'a impl ReadSource<T, 2>,
        b: &'a impl ReadSource<T, 2>,
        c: &'a mut impl WriteSource<T, 2>,
    ) -> amp::Kernel<'a, I> {
        let mut binding = Binding::new(self.artifact, self.constants);
        binding.read(a);
        binding.read(b);
        binding.write(c);
        binding.finish(|_, _| {})
    }
}

/// The middle of some times.
///
/// # Panics
///
/// If there are none.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
