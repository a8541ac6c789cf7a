//! One kernel, measured: with amp's checks, without them, and as other compilers made it; on the
//! CPU accelerator, beside rayon.
//!
//! Before a case is measured, each version runs once. Some elements that the first one computed are
//! compared with what Rust computes, and all that the others did with those of the first.

use std::fmt;
use std::time::Instant;

use amp::glam::Vec4;
use amp::{AcceleratorView, Array, Element, Extent, Kernel};
use amp_benches::median;
use half::f16;
use rayon::prelude::*;

use crate::figures::{Figures, Unit};
use crate::foreign::{self, Foreign};
use crate::{Bench, Outcome, random};

/// Elements of a result that are computed in Rust.
const SAMPLES: usize = 1000;

/// A kernel with its data, whose result is an array.
pub struct Case<'a, T: Value, const N: usize> {
    /// Its name in the table, and that of its GLSL.
    pub name: &'static str,
    pub result: Extent<N>,
    pub work: Work,
    /// Operations on floats for each byte that has to come from memory or go there; 0 if there are
    /// none.
    pub intensity: f64,
    pub launch: Launch<'a, T, N>,
    /// Moves as many bytes between the same arrays, and does nothing else.
    pub copy: Option<Launch<'a, T, N>>,
    /// The same over rayon, if that makes sense.
    pub rayon: Option<Host<'a, T>>,
    /// An element of the result, by its place in memory.
    pub expected: Box<dyn Fn(usize) -> T + 'a>,
    /// Whether amp's versions compute what Rust does bit for bit, not only closely.
    pub exact: bool,
}

/// An element of a result.
pub trait Value: Element + PartialEq + fmt::Debug {
    /// Whether two differ by no more than rounding.
    fn is_close(self, other: Self) -> bool;
}

impl Value for u8 {
    fn is_close(self, other: Self) -> bool {
        self == other
    }
}

impl Value for u32 {
    fn is_close(self, other: Self) -> bool {
        self == other
    }
}

impl Value for f32 {
    fn is_close(self, other: Self) -> bool {
        (self - other).abs() <= 1e-3 * other.abs().max(1.0)
    }
}

impl Value for f16 {
    fn is_close(self, other: Self) -> bool {
        self.to_f32().is_close(other.to_f32())
    }
}

impl Value for Vec4 {
    fn is_close(self, other: Self) -> bool {
        (0..4).all(|i| self[i].is_close(other[i]))
    }
}

/// Runs a version of a kernel.
pub type Launch<'a, T, const N: usize> =
    Box<dyn Fn(&AcceleratorView, &Version, &mut Array<T, N>) -> amp::Result<()> + 'a>;

/// Computes all elements on the host.
type Host<'a, T> = Box<dyn Fn(&mut [T]) + 'a>;

/// How a kernel was compiled.
pub enum Version {
    Checked,
    Unchecked,
    Foreign(Foreign),
    /// Not the kernel at all, but [`Case::copy`].
    Copy,
}

/// Amp's versions.
fn own() -> Vec<(String, Version)> {
    vec![
        ("checked".into(), Version::Checked),
        ("unchecked".into(), Version::Unchecked),
    ]
}

impl Version {
    /// The threads of this version, where a thread of amp's takes one element of a row.
    pub fn threads<const N: usize>(&self, extent: Extent<N>) -> Extent<N> {
        let mut threads = extent;
        if let Self::Foreign(module) = self {
            threads[N - 1] /= module.elements;
        }
        threads
    }

    /// This version of an amp kernel.
    pub fn of<'a, I>(&self, kernel: Kernel<'a, I>) -> Kernel<'a, I> {
        match self {
            Self::Checked => kernel,
            // SAFETY: the checked version ran first, on the same data, and found no fault.
            Self::Unchecked => unsafe { kernel.unchecked() },
            Self::Foreign(module) => {
                let artifact = module.in_place_of(kernel.artifact());
                // SAFETY: the modules are written for the argument block of the kernel, and
                // access the same elements.
                unsafe { kernel.with_artifact(artifact) }
            }
            // It is a kernel of its own.
            Self::Copy => kernel,
        }
    }
}

/// What a launch does.
#[derive(Clone, Copy)]
pub enum Work {
    /// Bytes that it reads and writes.
    Bytes(usize),
    /// Operations on floats.
    Flops(usize),
    /// Pairs of bodies.
    Interactions(usize),
    /// Something whose time counts as a whole.
    Round,
}

impl Work {
    fn split(self) -> (Unit, usize) {
        match self {
            Self::Bytes(amount) => (Unit::Bytes, amount),
            Self::Flops(amount) => (Unit::Flops, amount),
            Self::Interactions(amount) => (Unit::Interactions, amount),
            Self::Round => (Unit::Milliseconds, 1),
        }
    }
}

impl<T: Value, const N: usize> Case<'_, T, N> {
    /// Checks and measures the case.
    pub fn measure(self, bench: &Bench) -> Outcome {
        let mut versions = own();
        if !bench.is_on_cpu() {
            for (name, module) in foreign::versions(self.name, bench.glsl.as_deref())? {
                versions.push((name, Version::Foreign(module)));
            }
            if self.copy.is_some() {
                versions.push(("copy".into(), Version::Copy));
            }
        }
        self.measure_versions(bench, &versions)
    }

    /// Measures amp's versions only.
    pub fn measure_alone(self, bench: &Bench) -> Outcome {
        self.measure_versions(bench, &own())
    }

    /// Measures the same code twice, so that any difference is one of the measurement.
    pub fn measure_twice(mut self, bench: &Bench) -> Outcome {
        self.rayon = None;
        self.intensity = 0.0;
        let versions = [
            ("checked".to_owned(), Version::Checked),
            ("again".to_owned(), Version::Foreign(Foreign::same())),
        ];
        self.measure_versions(bench, &versions)
    }

    fn measure_versions(self, bench: &Bench, versions: &[(String, Version)]) -> Outcome {
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        for (name, version) in versions {
            // Drivers contract some of what GLSL calls `precise`.
            let exact = self.exact && !matches!(version, Version::Foreign(_));
            let checked = match version {
                Version::Copy => Ok(()),
                _ if expected.is_empty() => {
                    expected = self.run(bench, version)?.to_vec()?;
                    let places = random::indices(0, SAMPLES.min(expected.len()), expected.len());
                    places.into_iter().try_for_each(|place| {
                        let place = place as usize;
                        compare(place, expected[place], (self.expected)(place), exact)
                    })
                }
                _ => {
                    found.resize(expected.len(), T::zeroed());
                    self.run(bench, version)?.copy_to(&mut found)?;
                    compare_all(&found, &expected, exact)
                }
            };
            checked.map_err(|error| format!("{name}: {error}"))?;
        }
        let rayon = self.rayon.as_ref().filter(|_| bench.is_on_cpu());
        let mut on_host = vec![T::zeroed(); if rayon.is_some() { expected.len() } else { 0 }];
        if let Some(rayon) = rayon {
            rayon(&mut on_host);
            compare_all(&on_host, &expected, false).map_err(|error| format!("rayon: {error}"))?;
        }

        let mut output = Array::builder(self.result).on(&bench.view).build()?;
        let mut times = vec![Vec::new(); versions.len()];
        let mut host_times = Vec::new();
        let rounds = bench.rounds();
        for round in 0..rounds + rounds / 5 {
            let measured = round >= rounds / 5;
            for ((_, version), times) in versions.iter().zip(&mut times) {
                let launch = match (version, &self.copy) {
                    (Version::Copy, Some(copy)) => copy,
                    _ => &self.launch,
                };
                let launch = || launch(&bench.view, version, &mut output);
                let time = bench.view.elapsed(launch)?;
                if measured {
                    times.push(time);
                }
            }
            if let Some(rayon) = rayon {
                let start = Instant::now();
                rayon(&mut on_host);
                if measured {
                    host_times.push(start.elapsed());
                }
            }
        }
        let (unit, amount) = self.work.split();
        let mut figures = Figures::new(self.name, unit);
        figures.intensity = Some(self.intensity).filter(|it| *it > 0.0);
        for ((name, _), times) in versions.iter().zip(times) {
            figures = figures.with(name, amount, median(times));
        }
        if rayon.is_some() {
            figures = figures.with("rayon", amount, median(host_times));
        }
        Ok(vec![figures])
    }

    /// The result of a version.
    fn run(&self, bench: &Bench, version: &Version) -> amp::Result<Array<T, N>> {
        let mut output = Array::builder(self.result).on(&bench.view).build()?;
        (self.launch)(&bench.view, version, &mut output)?;
        Ok(output)
    }
}

/// Requires that an element of a result is as expected.
fn compare<T: Value>(place: usize, found: T, expected: T, exact: bool) -> Result<(), String> {
    match found == expected || !exact && found.is_close(expected) {
        true => Ok(()),
        false => Err(format!("element {place} is {found:?}, not {expected:?}")),
    }
}

/// Requires that all are.
pub fn compare_all<T: Value>(found: &[T], expected: &[T], exact: bool) -> Result<(), String> {
    let places = found.par_iter().zip(expected).enumerate();
    places
        .with_min_len(1 << 12)
        .try_for_each(|(place, (found, expected))| compare(place, *found, *expected, exact))
}
