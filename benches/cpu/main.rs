//! What a machine without a GPU offers: each problem in plain Rust, on the CPU accelerator and on
//! lavapipe, in one run.
//!
//! ```text
//! cargo bench -p amp-benches --bench cpu -- [--quick] [--only NAME]...
//! ```
//!
//! In each round, every version runs once, in turn; a figure is the median over the rounds of the time that
//! passes on the host, from the first launch until the last one is complete. Copies of inputs and results are
//! not part of it. The results of all versions are compared in each round. A machine without lavapipe leaves
//! its column empty.
//!
//! The output is the table of `docs/performance.md`.

mod bodies;
mod equations;
mod grids;
mod matrices;
mod problem;
mod streams;

use std::error::Error;
use std::process::ExitCode;

use amp::{Accelerator, AcceleratorView};
use lexopt::prelude::*;

use problem::Measure;

/// Where and how the problems run.
pub struct Bench {
    cpu: AcceleratorView,
    lavapipe: Option<AcceleratorView>,
    quick: bool,
}

impl Bench {
    fn rounds(&self) -> usize {
        if self.quick { 1 } else { 9 }
    }

    /// A size of a problem.
    fn size(&self, usual: usize, quick: usize) -> usize {
        if self.quick { quick } else { usual }
    }
}

/// All problems, by name.
const PROBLEMS: &[(&str, Measure)] = &[
    ("triad", streams::triad),
    ("reduction", streams::reduction),
    ("histogram", streams::histogram),
    ("simple product", matrices::simple),
    ("tiled product", matrices::tiled),
    ("LU", matrices::lu),
    ("Floyd-Warshall", matrices::floyd_warshall),
    ("stencil", grids::stencil),
    ("hotspot", grids::hotspot),
    ("Mandelbrot", grids::mandelbrot),
    ("n-body", bodies::n_body),
    ("conjugate gradient", equations::conjugate_gradient),
];

fn run() -> Result<(), Box<dyn Error>> {
    let (mut quick, mut only) = (false, Vec::new());
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("quick") => quick = true,
            Long("only") => only.push(parser.value()?.string()?),
            // Cargo passes it.
            Long("bench") => {}
            other => return Err(other.unexpected().into()),
        }
    }
    let lavapipe = Accelerator::find("lavapipe").ok();
    let bench = Bench {
        cpu: Accelerator::cpu().default_view()?,
        lavapipe: lavapipe.map(|it| it.default_view()).transpose()?,
        quick,
    };
    let threads = std::thread::available_parallelism()?;
    println!("{threads} threads, medians of {} rounds\n", bench.rounds());
    println!("| problem | plain Rust | CPU accelerator | lavapipe | ratio |");
    println!("|---|---|---|---|---|");
    for (name, measure) in PROBLEMS {
        if only.is_empty() || only.iter().any(|it| name.contains(it.as_str())) {
            println!(
                "{}",
                measure(&bench).map_err(|error| format!("{name}: {error}"))?
            );
        }
    }
    Ok(())
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
