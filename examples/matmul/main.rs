//! Multiplies matrices as in Daniel Moth's article on C++ AMP: serially on the CPU, with a
//! simple kernel and with a tiled one (`product.rs`); with that in larger tiles, of which each thread
//! runs a part (`coarsened.rs`); and with one that is as fast as the hardware
//! lets it be (`blocked.rs`). Compares the results element by element, prints the time of each and
//! draws a chart.
//!
//! `cargo run --release --example matmul -- --help` lists the options.

mod blocked;
mod chart;
mod coarsened;
mod measure;
pub(crate) mod options;
pub(crate) mod product;
mod report;

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use amp::AcceleratorView;
use indicatif::{ProgressBar, ProgressStyle};

use measure::Inputs;
use options::{HELP, Options};
use product::Method;
use report::{Check, Difference, Entry, Report};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the program. Returns whether all results agree.
fn run() -> Result<bool, Box<dyn Error>> {
    let Some(options) = Options::parse(std::env::args_os().skip(1))? else {
        println!("{HELP}");
        return Ok(true);
    };
    let accelerator = options.accelerator()?;
    let view = accelerator.default_view()?;
    if cfg!(debug_assertions) {
        eprintln!("note: built without --release, which makes all that runs on the CPU slow");
    }
    if !options.json {
        println!("{accelerator} [{}]", accelerator.device_path());
        println!("{}", options.title());
    }
    let report = multiply(&view, &options)?;
    if options.json {
        println!("{:#}", report.json(&options, &accelerator));
    } else {
        println!("{}", report.table(&options));
        println!("\n{}", chart::bars(&report.rates(&options)));
    }
    if let Some(path) = &options.plot {
        let title = format!("{}, {}", accelerator.description(), options.title());
        fs::write(path, chart::svg(&title, &report.rates(&options)))?;
    }
    Ok(report.is_verified())
}

/// Computes one product in all ways, and compares the results.
pub(crate) fn multiply(
    view: &AcceleratorView,
    options: &Options,
) -> Result<Report, Box<dyn Error>> {
    let [m, n, w] = options.sizes;
    let inputs = Inputs {
        sizes: options.sizes,
        a: random(m, w, 1)?,
        b: random(w, n, 2)?,
    };
    let rows = options.serial_rows();
    let progress = progress_bar(options, rows.len());
    let mut entries = Vec::new();

    let mut reference = matrix(rows.len(), n)?;
    if !rows.is_empty() {
        progress.set_message("CPU serial");
        let time = measure::serial(&inputs, &mut reference, &rows, || progress.inc(1));
        entries.push(Entry::serial(rows.len(), time));
    }
    let run_kernel = |name: &str, method, c: &mut [f32]| -> amp::Result<Entry> {
        progress.set_message(name.to_owned());
        let times = measure::kernel(&inputs, c, view, method, options.checked, options.repeat)?;
        let mut entry = Entry::kernel(name, m, times);
        if !rows.is_empty() {
            entry.checks.push(Check {
                with: match rows.len() {
                    count if count < m => format!("CPU serial in {count} rows"),
                    _ => "CPU serial".into(),
                },
                difference: first_difference(
                    c,
                    &reference,
                    n,
                    rows.iter().copied(),
                    tolerance(method),
                ),
            });
        }
        Ok(entry)
    };

    let mut first: Option<(String, Vec<f32>)> = None;
    for (name, method) in options.methods() {
        let mut c = matrix(m, n)?;
        let mut entry = run_kernel(&name, method, &mut c)?;
        match &first {
            None => first = Some((name, c)),
            Some((with, expected)) => entry.checks.push(Check {
                with: with.clone(),
                difference: first_difference(&c, expected, n, 0..m, tolerance(method)),
            }),
        }
        entries.push(entry);
    }
    progress.finish_and_clear();
    Ok(Report { entries })
}

/// A matrix of zeroes, or an error if it is too large for the host.
fn matrix(rows: usize, columns: usize) -> Result<Vec<f32>, String> {
    let too_large = || format!("there is no memory for a matrix of {rows} x {columns} elements");
    let length = rows.checked_mul(columns).ok_or_else(too_large)?;
    let mut matrix = Vec::new();
    matrix.try_reserve_exact(length).map_err(|_| too_large())?;
    matrix.resize(length, 0.0);
    Ok(matrix)
}

/// A matrix of numbers from 0 to 1, the same ones in every run.
fn random(rows: usize, columns: usize, seed: u64) -> Result<Vec<f32>, String> {
    let mut state = seed;
    let mut matrix = matrix(rows, columns)?;
    for element in &mut matrix {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        *element = (state >> 40) as f32 / (1 << 24) as f32;
    }
    Ok(matrix)
}

/// How much an element may differ from the host's, as a part of it.
fn tolerance(method: Method) -> f32 {
    match method {
        Method::Coarsened { fast: true } | Method::Blocked { fast: true } => 1e-4,
        _ => 0.0,
    }
}

/// The first difference between a matrix with all rows and one that has only `rows`: row,
/// column, and the two elements.
pub(crate) fn first_difference(
    all: &[f32],
    some: &[f32],
    columns: usize,
    rows: impl IntoIterator<Item = usize>,
    tolerance: f32,
) -> Option<Difference> {
    let is_equal = |found: f32, wanted: f32| {
        found == wanted || (found - wanted).abs() <= tolerance * wanted.abs()
    };
    rows.into_iter()
        .zip(some.chunks(columns))
        .find_map(|(row, wanted)| {
            let found = &all[row * columns..][..columns];
            let column = (0..columns).find(|&at| !is_equal(found[at], wanted[at]))?;
            Some((row, column, found[column], wanted[column]))
        })
}

/// Shows the progress of the serial product on a terminal. It is drawn a few times a second,
/// so that its cost is negligible.
fn progress_bar(options: &Options, rows: usize) -> ProgressBar {
    if options.json {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} rows, {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(rows as u64).with_style(style)
}
