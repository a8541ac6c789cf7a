//! Kernels on a device, each beside the same kernel in GLSL that `glslc` compiled, launched by
//! the same run time on the same arrays.
//!
//! ```text
//! cargo bench -p amp-benches --bench device -- [--quick] [--json] [--only NAME]... [--glsl FOLDER]
//! ```
//!
//! In each round every version of a kernel runs once, in turn; a figure is the median of the
//! rounds' device times. Before that the results are checked, all against each other and some
//! elements against Rust: see [`case`].
//!
//! `--quick` runs small cases a few times, to see that all is well. `--only` runs the cases whose
//! name has NAME in it.
//!
//! `--glsl` keeps the modules that `glslc` makes in a folder, and takes those that are there: for
//! machines without it, and for comparisons with modules that were made or edited by hand. The
//! folder's modules are called `CASE.spv`, and any `CASE.VERSION.spv` runs as one more version
//! of the case.

mod bodies;
mod case;
mod foreign;
mod grids;
mod products;
mod random;
mod streams;
mod sums;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use amp::{Accelerator, AcceleratorView};
use lexopt::prelude::*;
use serde_json::json;

use case::Figures;

/// A case by its name. Its data lives as long as the call.
type Entry = (&'static str, fn(&Bench) -> Outcome);
type Outcome = Result<Figures, Box<dyn Error>>;

/// All cases, by the file that has them.
const GROUPS: [&[Entry]; 5] = [
    streams::CASES,
    grids::CASES,
    sums::CASES,
    products::CASES,
    bodies::CASES,
];

/// Where and how the cases run.
struct Bench {
    view: AcceleratorView,
    quick: bool,
    /// Where modules are kept.
    glsl: Option<PathBuf>,
}

impl Bench {
    /// A size of a case.
    fn size(&self, usual: usize, quick: usize) -> usize {
        if self.quick { quick } else { usual }
    }

    /// Rounds that are measured, after others that are not.
    fn rounds(&self) -> usize {
        if self.quick { 3 } else { 25 }
    }
}

struct Options {
    quick: bool,
    json: bool,
    only: Vec<String>,
    glsl: Option<PathBuf>,
}

impl Options {
    fn parse() -> Result<Self, lexopt::Error> {
        let mut options = Self {
            quick: false,
            json: false,
            only: Vec::new(),
            glsl: None,
        };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("quick") => options.quick = true,
                Long("json") => options.json = true,
                Long("only") => options.only.push(parser.value()?.string()?),
                Long("glsl") => options.glsl = Some(parser.value()?.into()),
                // Cargo says so.
                Long("bench") => {}
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }

    fn cases(&self) -> Result<Vec<Entry>, String> {
        let all = GROUPS.concat();
        let wanted =
            |name: &str| self.only.is_empty() || self.only.iter().any(|it| name.contains(it));
        let cases: Vec<Entry> = all
            .iter()
            .copied()
            .filter(|(name, _)| wanted(name))
            .collect();
        if cases.is_empty() {
            let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
            return Err(format!("the cases are {}", names.join(", ")));
        }
        Ok(cases)
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let options = Options::parse()?;
    let cases = options.cases()?;
    let accelerator = Accelerator::default()?;
    let bench = Bench {
        view: accelerator.default_view()?,
        quick: options.quick,
        glsl: options.glsl,
    };
    let (driver, rounds) = (accelerator.properties().driver, bench.rounds());
    if !options.json {
        println!("{accelerator}, {driver}, medians of {rounds} rounds");
    }
    let mut all = Vec::new();
    let mut failed = Vec::new();
    for (name, case) in cases {
        match case(&bench) {
            Ok(figures) if options.json => all.push(figures.json()),
            Ok(figures) => println!("{figures}"),
            Err(error) => failed.push(format!("{name}: {error}")),
        }
    }
    if options.json {
        let document = json!({
            "accelerator": accelerator.to_string(),
            "driver": driver,
            "rounds": rounds,
            "cases": all,
        });
        println!("{document:#}");
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(failed.join("\n").into()),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
