//! Kernels on a device, each beside the same kernel in GLSL that `glslc` compiled, launched by
//! the same run time on the same arrays.
//!
//! ```text
//! cargo bench -p amp-benches --bench device -- \
//!     [--quick] [--only NAME]... [--json FILE] [--plot FOLDER] [--beside FILE]... [--glsl FOLDER]
//! cargo bench -p amp-benches --bench device -- --report ../docs/performance.md
//! ```
//!
//! In each round every version of a kernel runs once, in turn; a figure is the median of the
//! rounds' device times. Before that the results are checked, all against each other and some
//! elements against Rust: see [`case`]. `control` is amp's module twice: where its ratio is not 1,
//! no ratio of that run means anything. On the CPU accelerator the same over rayon stands in the
//! place of GLSL.
//!
//! A case is a function in the list of its file, which [`GROUPS`] names. Most are a
//! [`case::Case`], a kernel and its data. What is no kernel makes its [`Figures`] itself.
//!
//! Each case has a process of its own: on an H200, kernels that memory limits were up to five times slower
//! where other cases had allocated and freed arrays before them.
//!
//! Figures are printed as they are found: the unit, how good amp is beside the other, and each version's
//! figure. `--json` writes them to a file, too, which a further run of other cases adds to. `--plot`
//! draws charts of them, and `--beside` adds the figures of another program (`benches/peers`) to cases
//! of the same names.
//!
//! `--report` measures nothing: it fills in a page's figures and charts from files that `--json` wrote
//! ([`report`]).
//!
//! `--quick` runs small cases a few times, to see that all is well. `--only` runs the cases whose
//! name has NAME in it.
//!
//! `--glsl` keeps the modules that `glslc` makes in a folder, and takes those that are there: for
//! machines without it, and for comparisons with modules that were made or edited by hand. The
//! folder's modules are called `CASE.spv`, and any `CASE.VERSION.spv` runs as one more version
//! of the case.

mod algorithms;
mod bodies;
mod by_hand;
mod case;
mod exactness;
mod figures;
mod foreign;
mod goals;
mod grids;
mod launches;
mod numerics;
mod pairs;
mod peak;
mod plot;
mod products;
mod report;
mod scans;
mod shaders;
mod sizes;
mod starts;
mod streams;
mod sums;
mod transfers;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use amp::{Accelerator, AcceleratorKind, AcceleratorView};
use amp_benches::random;
use lexopt::prelude::*;

use figures::{Figures, Run};

/// A case by its name. Its data lives as long as the call.
type Entry = (&'static str, fn(&Bench) -> Outcome);
/// What was measured; several figures if they are found together.
type Outcome = Result<Vec<Figures>, Box<dyn Error>>;

/// All cases, by the file that has them.
const GROUPS: &[&[Entry]] = &[
    peak::CASES,
    streams::CASES,
    grids::CASES,
    sums::CASES,
    products::CASES,
    numerics::CASES,
    sizes::CASES,
    bodies::CASES,
    exactness::CASES,
    launches::CASES,
    transfers::CASES,
    pairs::CASES,
    starts::CASES,
    algorithms::CASES,
    scans::CASES,
];

/// Where and how the cases run.
struct Bench {
    view: AcceleratorView,
    quick: bool,
    /// Where modules are kept.
    glsl: Option<PathBuf>,
}

impl Bench {
    /// Whether the device is a program.
    fn is_software(&self) -> bool {
        let kind = self.view.accelerator().properties().kind;
        matches!(kind, AcceleratorKind::Cpu | AcceleratorKind::Software)
    }

    /// A size of a case. A device that is a program gets a sixteenth of what suits others, and no
    /// more than lavapipe has groups of threads for in a row.
    fn size(&self, usual: usize, quick: usize) -> usize {
        match (self.quick, self.is_software()) {
            (true, _) => quick,
            (false, true) => quick.max(usual / 16).min(1 << 23),
            (false, false) => usual,
        }
    }

    /// Whether kernels run on the CPU accelerator, which takes no modules.
    fn is_on_cpu(&self) -> bool {
        self.view.accelerator().properties().kind == AcceleratorKind::Cpu
    }

    /// Rounds that are measured, after others that are not.
    fn rounds(&self) -> usize {
        match (self.quick, self.is_software()) {
            (true, _) => 3,
            (false, true) => 9,
            (false, false) => 25,
        }
    }
}

struct Options {
    quick: bool,
    json: Option<PathBuf>,
    plot: Option<PathBuf>,
    beside: Vec<PathBuf>,
    report: Option<PathBuf>,
    only: Vec<String>,
    glsl: Option<PathBuf>,
    /// A case to be run in this process.
    case: Option<String>,
    /// A case whose steps are to be run in this process.
    child: Option<String>,
}

impl Options {
    fn parse() -> Result<Self, lexopt::Error> {
        let mut options = Self {
            quick: false,
            json: None,
            plot: None,
            beside: Vec::new(),
            report: None,
            only: Vec::new(),
            glsl: None,
            case: None,
            child: None,
        };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("quick") => options.quick = true,
                Long("json") => options.json = Some(parser.value()?.into()),
                Long("plot") => options.plot = Some(parser.value()?.into()),
                Long("beside") => options.beside.push(parser.value()?.into()),
                Long("report") => options.report = Some(parser.value()?.into()),
                Long("only") => options.only.push(parser.value()?.string()?),
                // This program says so, and `starts`.
                Long("case") => options.case = Some(parser.value()?.string()?),
                Long("child") => options.child = Some(parser.value()?.string()?),
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

impl Options {
    fn bench(&self, accelerator: &Accelerator) -> amp::Result<Bench> {
        Ok(Bench {
            view: accelerator.default_view()?,
            quick: self.quick,
            glsl: self.glsl.clone(),
        })
    }

    /// Measures a case, prints its figures, and adds them to the file.
    fn run_case(&self, case: &str) -> Result<(), Box<dyn Error>> {
        let all = GROUPS.concat();
        let (_, measure) = all
            .iter()
            .find(|(name, _)| *name == case)
            .ok_or("no such case")?;
        let accelerator = Accelerator::default()?;
        let bench = self.bench(&accelerator)?;
        let mut run = Run::on(&accelerator, &bench);
        let mut others = Vec::new();
        for path in &self.beside {
            others.extend(Run::load(path)?.cases);
        }
        if let Some(path) = &self.json {
            run.resume(path);
        }
        for mut figures in measure(&bench).map_err(|error| format!("{case}: {error}"))? {
            figures.add(&others);
            println!("{figures}");
            run.add(figures);
        }
        match &self.json {
            Some(path) => run.save(path),
            None => Ok(()),
        }
    }

    /// A process that measures a case.
    fn process(&self, case: &str, figures: &Path) -> Command {
        let this = std::env::current_exe().unwrap_or_default();
        let mut command = Command::new(this);
        command.args(["--case", case]).arg("--json").arg(figures);
        command.args(self.quick.then_some("--quick"));
        for path in &self.beside {
            command.arg("--beside").arg(path);
        }
        if let Some(folder) = &self.glsl {
            command.arg("--glsl").arg(folder);
        }
        command
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let options = Options::parse()?;
    if let Some(page) = &options.report {
        return report::fill(page);
    }
    if let Some(case) = &options.child {
        return starts::child(case);
    }
    if let Some(case) = &options.case {
        return options.run_case(case);
    }
    let accelerator = Accelerator::default()?;
    let mut run = Run::on(&accelerator, &options.bench(&accelerator)?);
    println!("{run}");
    // Where the processes of the cases leave their figures.
    let scratch = match &options.json {
        Some(path) => path.clone(),
        None => std::env::temp_dir().join(format!("amp-device-{}.json", std::process::id())),
    };
    let failed = options.cases()?.into_iter().filter(|(name, _)| {
        let status = options.process(name, &scratch).status();
        !status.is_ok_and(|status| status.success())
    });
    let failed: Vec<&str> = failed.map(|(name, _)| name).collect();
    run.resume(&scratch);
    if options.json.is_none() {
        let _ = std::fs::remove_file(&scratch);
    }
    if let Some(folder) = options.plot {
        plot::charts(&run, &folder, "")?;
    }
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("not measured: {}", failed.join(", ")).into()),
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
