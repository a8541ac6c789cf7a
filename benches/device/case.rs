//! One kernel, measured: with amp's checks, without them, and as other compilers made it.
//!
//! Before a case is measured, each version runs once. Some elements that the first one computed are
//! compared with what Rust computes, and all that the others did with those of the first.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use amp::glam::Vec4;
use amp::{AcceleratorView, Array, Element, Extent, Kernel};
use amp_benches::median;
use half::f16;
use serde_json::json;

use crate::foreign::{self, Foreign};
use crate::{Bench, random};

/// Elements of a result that are computed in Rust.
const SAMPLES: usize = 1000;

/// A kernel with its data, whose result is an array.
pub struct Case<'a, T: Value, const N: usize> {
    /// Its name in the table, and that of its GLSL.
    pub name: &'static str,
    pub result: Extent<N>,
    pub work: Work,
    pub launch: Launch<'a, T, N>,
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
type Launch<'a, T, const N: usize> =
    Box<dyn Fn(&AcceleratorView, &Version, &mut Array<T, N>) -> amp::Result<()> + 'a>;

/// How a kernel was compiled.
pub enum Version {
    Checked,
    Unchecked,
    Foreign(Foreign),
}

impl Version {
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
}

impl Work {
    /// Units of 10^9 in so many seconds.
    fn rate(self, seconds: f64) -> f64 {
        let (Self::Bytes(amount) | Self::Flops(amount) | Self::Interactions(amount)) = self;
        amount as f64 / seconds / 1e9
    }

    fn unit(self) -> &'static str {
        match self {
            Self::Bytes(_) => "GB/s",
            Self::Flops(_) => "GFLOP/s",
            Self::Interactions(_) => "G interactions/s",
        }
    }
}

impl<T: Value, const N: usize> Case<'_, T, N> {
    /// Checks and measures the case.
    pub fn measure(self, bench: &Bench) -> Result<Figures, Box<dyn Error>> {
        let mut versions = vec![
            ("checked".to_owned(), Version::Checked),
            ("unchecked".to_owned(), Version::Unchecked),
        ];
        let foreign = foreign::versions(self.name, bench.glsl.as_deref())?;
        versions.extend(
            foreign
                .into_iter()
                .map(|(name, it)| (name, Version::Foreign(it))),
        );

        let mut first: Option<Vec<T>> = None;
        for (name, version) in &versions {
            let found = self.run(bench, version)?;
            // Drivers contract some of what GLSL calls `precise`.
            let exact = self.exact && !matches!(version, Version::Foreign(_));
            let checked = match &first {
                Some(expected) => compare(&found, 0..found.len(), |i| expected[i], exact),
                None => {
                    let places = random::indices(0, SAMPLES.min(found.len()), found.len());
                    let places = places.into_iter().map(|i| i as usize);
                    compare(&found, places, &self.expected, exact)
                }
            };
            checked.map_err(|error| format!("{name}: {error}"))?;
            first.get_or_insert(found);
        }

        let mut output = Array::builder(self.result).on(&bench.view).build()?;
        let mut times = vec![Vec::new(); versions.len()];
        let rounds = bench.rounds();
        for round in 0..rounds + rounds / 5 {
            for ((_, version), times) in versions.iter().zip(&mut times) {
                let launch = || (self.launch)(&bench.view, version, &mut output);
                let time = bench.view.elapsed(launch)?;
                if round >= rounds / 5 {
                    times.push(time);
                }
            }
        }
        let names = versions.into_iter().map(|(name, _)| name);
        Ok(Figures {
            name: self.name,
            work: self.work,
            times: names.zip(times.into_iter().map(median)).collect(),
        })
    }

    /// The results of a version.
    fn run(&self, bench: &Bench, version: &Version) -> amp::Result<Vec<T>> {
        let mut output = Array::builder(self.result).on(&bench.view).build()?;
        (self.launch)(&bench.view, version, &mut output)?;
        output.to_vec()
    }
}

/// Requires that some elements of a result are as expected.
fn compare<T: Value>(
    found: &[T],
    places: impl IntoIterator<Item = usize>,
    expected: impl Fn(usize) -> T,
    exact: bool,
) -> Result<(), String> {
    for place in places {
        let (found, expected) = (found[place], expected(place));
        if !(found == expected || !exact && found.is_close(expected)) {
            return Err(format!("element {place} is {found:?}, not {expected:?}"));
        }
    }
    Ok(())
}

/// What was measured of a case.
pub struct Figures {
    name: &'static str,
    work: Work,
    /// By version.
    times: Vec<(String, Duration)>,
}

impl Figures {
    pub fn json(&self) -> serde_json::Value {
        let versions = self.times.iter().map(|(name, time)| {
            let seconds = time.as_secs_f64();
            json!({"version": name, "ms": seconds * 1e3, "rate": self.work.rate(seconds)})
        });
        json!({
            "name": self.name,
            "unit": self.work.unit(),
            "versions": versions.collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:14}", self.name)?;
        for (name, time) in &self.times {
            let seconds = time.as_secs_f64();
            let (rate, ms) = (self.work.rate(seconds), seconds * 1e3);
            write!(f, "  {name} {rate:8.1} ({ms:7.3} ms)")?;
        }
        write!(f, "  {}", self.work.unit())
    }
}
