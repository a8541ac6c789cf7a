//! What a run found, as lines for people and as JSON.

use std::error::Error;
use std::path::Path;
use std::time::Duration;
use std::{fmt, fs};

use amp::Accelerator;
use serde::{Deserialize, Serialize};

use super::Bench;

/// All figures of one run on one accelerator.
#[derive(Serialize, Deserialize)]
pub struct Run {
    pub accelerator: String,
    pub driver: String,
    /// The processor of the host, and how many threads it has for us.
    pub host: String,
    /// The commit that the benchmark was built from.
    pub commit: String,
    pub rounds: usize,
    /// Whether the cases were small, so that the figures mean nothing.
    pub quick: bool,
    pub cases: Vec<Figures>,
}

impl Run {
    /// A run that has no figures yet.
    pub fn on(accelerator: &Accelerator, bench: &Bench) -> Self {
        Self {
            accelerator: accelerator.to_string(),
            driver: accelerator.properties().driver,
            host: host(),
            commit: env!("AMP_COMMIT").into(),
            rounds: bench.rounds(),
            quick: bench.quick,
            cases: Vec::new(),
        }
    }

    /// What [`save`](Self::save) wrote.
    pub fn load(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let run = serde_json::from_slice(&text);
        Ok(run.map_err(|error| format!("{}: {error}", path.display()))?)
    }

    /// Takes over what is in a file already, if it is of the same code on the same accelerator: a run can
    /// be made in parts.
    pub fn resume(&mut self, path: &Path) {
        if let Ok(before) = Self::load(path)
            && before.accelerator == self.accelerator
            && before.commit == self.commit
            && before.quick == self.quick
        {
            self.cases = before.cases;
        }
    }

    /// Adds figures, in the place of those that the case had.
    pub fn add(&mut self, figures: Figures) {
        match self.cases.iter_mut().find(|it| it.name == figures.name) {
            Some(before) => *before = figures,
            None => self.cases.push(figures),
        }
    }

    /// Writes the run as JSON.
    pub fn save(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        Ok(fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?)
    }

    /// A version's figure of a case, and its unit.
    pub fn value(&self, case: &str, version: &str) -> Option<(f64, Unit)> {
        let figures = self.cases.iter().find(|it| it.name == case)?;
        Some((figures.value(version)?, figures.unit))
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, driver {}", self.accelerator, self.driver)?;
        write!(f, "; host {}; commit {}", self.host, self.commit)?;
        write!(f, "; medians of {} rounds", self.rounds)?;
        if self.quick {
            write!(f, " of small cases")?;
        }
        Ok(())
    }
}

/// The processor of this machine, as far as Linux says.
fn host() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text
        .lines()
        .find(|line| line.starts_with("model name"))
        .and_then(|line| line.split_once(": "));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{}, {threads} threads",
        name.map_or("unknown", |(_, name)| name)
    )
}

/// What was measured of a case: one figure for each version.
///
/// The first is amp's own, with checks. Further ones of amp are `unchecked`, or have `amp` in their names;
/// all others are what the first is compared with.
#[derive(Serialize, Deserialize)]
pub struct Figures {
    pub name: String,
    pub unit: Unit,
    /// Operations on floats for each byte that has to come from memory or go there, of cases that
    /// have a place in the roofline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intensity: Option<f64>,
    pub versions: Vec<Figure>,
}

#[derive(Clone, Serialize, Deserialize)]
pub struct Figure {
    pub version: String,
    pub value: f64,
}

/// What a figure counts.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    #[serde(rename = "GB/s")]
    Bytes,
    #[serde(rename = "GFLOP/s")]
    Flops,
    #[serde(rename = "G interactions/s")]
    Interactions,
    #[serde(rename = "µs")]
    Microseconds,
    #[serde(rename = "ms")]
    Milliseconds,
}

/// A figure, with so many digits as mean something.
fn number(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        1.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

impl Unit {
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "GB/s",
            Self::Flops => "GFLOP/s",
            Self::Interactions => "G interactions/s",
            Self::Microseconds => "µs",
            Self::Milliseconds => "ms",
        }
    }

    pub fn is_time(self) -> bool {
        matches!(self, Self::Microseconds | Self::Milliseconds)
    }

    /// A figure with its unit; of many operations it counts more of them.
    pub fn text(self, value: f64) -> String {
        match self {
            Self::Flops if value >= 1000.0 => format!("{} TFLOP/s", number(value / 1000.0)),
            _ => format!("{} {}", number(value), self.name()),
        }
    }

    /// A figure in this unit, for so many bytes, operations or interactions; of a time it is the time
    /// of each of them.
    fn figure(self, amount: usize, time: Duration) -> f64 {
        let (amount, seconds) = (amount as f64, time.as_secs_f64());
        match self {
            Self::Bytes | Self::Flops | Self::Interactions => amount / seconds / 1e9,
            Self::Microseconds => seconds / amount * 1e6,
            Self::Milliseconds => seconds / amount * 1e3,
        }
    }
}

impl Figures {
    /// A case that has no figures yet.
    pub fn new(name: impl Into<String>, unit: Unit) -> Self {
        Self {
            name: name.into(),
            unit,
            intensity: None,
            versions: Vec::new(),
        }
    }

    /// Adds what a version took for so many bytes, operations, interactions, or for so many of what a
    /// time is the time of.
    pub fn with(mut self, version: impl Into<String>, amount: usize, time: Duration) -> Self {
        self.versions.push(Figure {
            version: version.into(),
            value: self.unit.figure(amount, time),
        });
        self
    }

    pub fn value(&self, version: &str) -> Option<f64> {
        let figure = self.versions.iter().find(|it| it.version == version)?;
        Some(figure.value)
    }

    /// Adds what others measured of the same case.
    pub fn add(&mut self, others: &[Self]) {
        let others = others.iter().filter(|it| it.name == self.name);
        for other in others.filter(|it| it.unit == self.unit) {
            self.versions.extend(other.versions.iter().cloned());
        }
    }

    /// Whether a version is one of amp's, by its name.
    pub fn is_own(version: &str) -> bool {
        matches!(version, "checked" | "unchecked") || version.contains("amp")
    }

    /// What the first version is compared with: the first that is not amp's.
    pub fn other(&self) -> Option<&Figure> {
        let others = self.versions.iter().skip(1);
        others.into_iter().find(|it| !Self::is_own(&it.version))
    }

    /// How good the first version is beside the first that is not amp's: 1 if they are equal, more
    /// if the first is better.
    pub fn ratio(&self) -> Option<f64> {
        let (first, other) = (self.versions.first()?, self.other()?);
        Some(match self.unit.is_time() {
            true => other.value / first.value,
            false => first.value / other.value,
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:24} {:>16}", self.name, self.unit.name())?;
        let ratio = self.ratio().map(|it| format!("{it:.2}"));
        write!(f, " {:>6}", ratio.unwrap_or_default())?;
        for Figure { version, value } in &self.versions {
            write!(f, "  {version} {:>8}", number(*value))?;
        }
        Ok(())
    }
}
