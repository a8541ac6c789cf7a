//! What the first uses cost in a process: each figure is the median of several processes.
//!
//! They are this program again, with an option that has it [run](child) the steps of a case and
//! print what each took. Pipelines are in their file from the first process on, which is not
//! counted.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::process::Command;
use std::time::{Duration, Instant};

use amp::prelude::*;
use amp::{Accelerator, copy};
use amp_benches::median;

use crate::figures::{Figures, Unit};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[
    ("start", |bench| measure(bench, "start")),
    ("first-copies", |bench| measure(bench, "first-copies")),
    ("small-job", |bench| measure(bench, "small-job")),
];

/// Elements that the small job uploads, and downloads.
const JOB: [usize; 2] = [425_000, 150_000];

#[amp_kernel]
fn sum_pairs(idx: Index<1>, a: &ArrayView<f32, 1>, b: &mut ArrayViewMut<f32, 1>) {
    let at = 2 * idx[0];
    b[idx] = a[at] + a[at + 1];
}

/// What steps took, each under the name of a version; one whose name comes again took its median.
#[derive(Default)]
struct Steps(Vec<(&'static str, Duration)>);

impl Steps {
    fn time<T>(&mut self, name: &'static str, step: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = step();
        self.0.push((name, start.elapsed()));
        result
    }
}

/// Runs a case's steps in this process, and prints a line for each: its name and its nanoseconds.
pub fn child(case: &str) -> Result<(), Box<dyn Error>> {
    let mut steps = Steps::default();
    match case {
        "start" => start(&mut steps)?,
        "first-copies" => copies(&mut steps)?,
        _ => jobs(&mut steps)?,
    }
    for (name, time) in steps.0 {
        println!("{name}\t{}", time.as_nanos());
    }
    Ok(())
}

fn start(steps: &mut Steps) -> amp::Result<()> {
    let begin = Instant::now();
    let accelerator = steps.time("amp, search", Accelerator::default)?;
    steps.time("amp, open", || accelerator.default_view())?;
    steps.0.insert(0, ("amp", begin.elapsed()));
    Ok(())
}

fn copies(steps: &mut Steps) -> Result<(), Box<dyn Error>> {
    let view = Accelerator::default()?.default_view()?;
    let bits = random::made(1, 1 << 20, |bits| bits);
    let mut found = vec![1; bits.len()];
    let mut array = Array::builder(bits.len()).on(&view).build()?;
    view.wait()?;
    let mut upload = |name| {
        steps.time(name, || {
            copy(&bits, &mut array)?;
            view.wait()
        })
    };
    upload("amp, first upload")?;
    (0..9).try_for_each(|_| upload("amp, upload"))?;
    let mut download = |name| {
        found.fill(1);
        steps.time(name, || copy(&array, &mut found))?;
        match found == bits {
            true => Ok::<_, Box<dyn Error>>(()),
            false => Err("an upload and a download have changed data".into()),
        }
    };
    download("amp, first download")?;
    (0..9).try_for_each(|_| download("amp, download"))
}

fn jobs(steps: &mut Steps) -> Result<(), Box<dyn Error>> {
    Accelerator::default()?.default_view()?;
    let [from, to] = JOB;
    let data = random::floats(1, from);
    let names = ["amp, first", "amp, second"].into_iter();
    for name in names.chain(["amp, later"; 10]) {
        let mut sums = vec![0.0; to];
        steps.time(name, || {
            let a = ArrayView::new(from, &data)?;
            let mut b = ArrayViewMut::new(to, &mut sums)?;
            b.discard_data();
            parallel_for_each(b.extent(), sum_pairs(&a, &mut b))?;
            b.synchronize()
        })?;
        let expected = data.chunks(2).map(|pair| pair[0] + pair[1]);
        if !sums.iter().copied().eq(expected.take(to)) {
            return Err(format!("a sum of the {name} job is wrong").into());
        }
    }
    Ok(())
}

/// Runs a case in processes of its own.
fn measure(bench: &Bench, case: &str) -> Outcome {
    let mut order = Vec::new();
    let mut times: BTreeMap<String, Vec<Duration>> = BTreeMap::new();
    for process in 0..=bench.size(10, 1) {
        for (name, time) in run(case)? {
            if process == 0 {
                order.push(name);
            } else {
                times.entry(name).or_default().push(time);
            }
        }
    }
    let mut figures = Figures::new(case, Unit::Milliseconds);
    for name in order {
        // Once for all steps of a name.
        if let Some(times) = times.remove(&name) {
            figures = figures.with(name, 1, median(times));
        }
    }
    Ok(vec![figures])
}

/// Runs a case in one process. Returns its steps.
fn run(case: &str) -> Result<Vec<(String, Duration)>, Box<dyn Error>> {
    let output = Command::new(env::current_exe()?)
        .args(["--child", case])
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let lines = String::from_utf8(output.stdout)?;
    let step = |line: &str| {
        let (name, nanoseconds) = line.split_once('\t')?;
        Some((name.into(), Duration::from_nanos(nanoseconds.parse().ok()?)))
    };
    Ok(lines.lines().filter_map(step).collect())
}
