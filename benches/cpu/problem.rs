//! A problem, the versions that solve it, and its row of the table.

use std::error::Error;
use std::fmt;
use std::time::{Duration, Instant};

use amp::AcceleratorView;
use amp_benches::median;

use crate::Bench;

/// Measures a problem.
pub type Measure = fn(&Bench) -> Result<Row, Box<dyn Error>>;

/// How long a version took, and its result.
pub type Solution<T> = (Duration, Vec<T>);

/// The same computation in plain Rust and in kernels.
pub struct Problem<'a, T> {
    /// What is computed, and how plain Rust does it.
    pub what: String,
    pub plain: &'a dyn Fn() -> Solution<T>,
    pub amp: &'a dyn Fn(&AcceleratorView) -> amp::Result<Solution<T>>,
    /// Whether two results agree: bit for bit, unless the versions add in different orders.
    pub agree: fn(&[T], &[T]) -> bool,
}

/// The times of a problem.
pub struct Row {
    what: String,
    plain: Duration,
    cpu: Duration,
    lavapipe: Option<Duration>,
}

impl<T: PartialEq> Problem<'_, T> {
    pub fn measure(&self, bench: &Bench) -> Result<Row, Box<dyn Error>> {
        let (mut plain, mut cpu, mut lavapipe) = (Vec::new(), Vec::new(), Vec::new());
        // The first round compiles pipelines and starts threads.
        for round in 0..=bench.rounds() {
            let (time, expected) = (self.plain)();
            let mut times = vec![(&mut plain, time)];
            let (time, found) = (self.amp)(&bench.cpu)?;
            self.check("the CPU accelerator", &found, &expected)?;
            times.push((&mut cpu, time));
            if let Some(view) = &bench.lavapipe {
                let (time, found) = (self.amp)(view)?;
                self.check("lavapipe", &found, &expected)?;
                times.push((&mut lavapipe, time));
            }
            if round > 0 {
                times.into_iter().for_each(|(all, time)| all.push(time));
            }
        }
        Ok(Row {
            what: self.what.clone(),
            plain: median(plain),
            cpu: median(cpu),
            lavapipe: bench.lavapipe.is_some().then(|| median(lavapipe)),
        })
    }

    fn check(&self, by: &str, found: &[T], expected: &[T]) -> Result<(), String> {
        match (self.agree)(found, expected) {
            true => Ok(()),
            false => Err(format!(
                "the result of {by} differs from that of plain Rust"
            )),
        }
    }
}

/// Runs something, and measures how long that takes.
pub fn timed<R>(run: impl FnOnce() -> R) -> (Duration, R) {
    let start = Instant::now();
    let result = run();
    (start.elapsed(), result)
}

/// Launches kernels, waits for them, and measures how long both take.
pub fn timed_on(
    view: &AcceleratorView,
    launch: impl FnOnce() -> amp::Result<()>,
) -> amp::Result<Duration> {
    view.wait()?;
    let (time, done) = timed(|| {
        launch()?;
        view.wait()
    });
    done.map(|()| time)
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        write!(
            f,
            "| {} | {:.2} ms | {:.2} ms | ",
            self.what,
            milliseconds(self.plain),
            milliseconds(self.cpu)
        )?;
        if let Some(time) = self.lavapipe {
            write!(f, "{:.2} ms ", milliseconds(time))?;
        }
        write!(
            f,
            "| {:.2} |",
            self.cpu.as_secs_f64() / self.plain.as_secs_f64()
        )
    }
}
