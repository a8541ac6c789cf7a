//! Multiplies matrices as in Daniel Moth's article on C++ AMP: serially on the CPU, with a
//! simple kernel and with a tiled one, all of them in `product.rs`. Compares the results
//! element by element and prints the time of each.
//!
//! `cargo run --release --example matmul -- --help` lists the options.

mod measure;
pub(crate) mod options;
pub(crate) mod product;
mod report;

use std::error::Error;
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
        let [m, n, w] = options.sizes;
        let checks = if options.checked { "on" } else { "off" };
        println!("{accelerator} [{}]", accelerator.device_path());
        println!("C ({m} x {n}) = A ({m} x {w}) * B ({w} x {n}), f32, bounds checks {checks}");
    }
    let report = multiply(&view, &options)?;
    if options.json {
        println!("{:#}", report.json(&options, &accelerator));
    } else {
        println!("{}", report.table(&options));
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
                difference: first_difference(c, &reference, n, rows.iter().copied()),
            });
        }
        Ok(entry)
    };

    let mut simple = matrix(m, n)?;
    entries.push(run_kernel("simple kernel", Method::Simple, &mut simple)?);

    let mut tiled = matrix(m, n)?;
    let name = format!("tiled kernel, {0} x {0}", options.tile);
    let mut entry = run_kernel(&name, Method::Tiled(options.tile), &mut tiled)?;
    entry.checks.push(Check {
        with: "simple kernel".into(),
        difference: first_difference(&tiled, &simple, n, 0..m),
    });
    entries.push(entry);
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

/// The first difference between a matrix with all rows and one that has only `rows`: row,
/// column, and the two elements.
pub(crate) fn first_difference(
    all: &[f32],
    some: &[f32],
    columns: usize,
    rows: impl IntoIterator<Item = usize>,
) -> Option<Difference> {
    rows.into_iter()
        .zip(some.chunks(columns))
        .find_map(|(row, wanted)| {
            let found = &all[row * columns..][..columns];
            let column = (0..columns).find(|&column| found[column] != wanted[column])?;
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
