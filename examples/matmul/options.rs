//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use amp::{Accelerator, Result};
use lexopt::prelude::*;

use super::blocked::BLOCK;
use super::coarsened::TS;
use super::product::{Method, TILES};

/// What `--help` prints.
pub const HELP: &str = "\
Multiplies C (M x N) = A (M x W) * B (W x N) on the CPU and with several kernels, compares
the results element by element, and prints how long each took.

Usage: matmul [OPTIONS] [M N W]        (default: 1024 1024 1024)

  --method <NAME>        simple, tiled, coarsened (tiles of 64 x 64, of which each thread
                         runs 8 x 2) or blocked (16 x 8 elements in each thread); may be
                         given several times; the default is all of them
  --tile <TS>            rows and columns of a tile: 2, 4, 8, 16 (default) or 32
  --fast-math            let these two round a product and a sum once
  --accelerator <NAME>   part of an accelerator's description or path, in any case; the
                         default is what AMP_ACCELERATOR says, else the best there is
  --unchecked            leave out the kernels' bounds checks
  --serial <ROWS>        rows that the CPU computes, and that the kernels' results are
                         compared with: full, sample (at most 64 rows) or none; the
                         default is full up to 1024 1024 1024, and sample beyond
  --repeat <COUNT>       launches of which the median is printed; the default is 9, or
                         as many as fit in two seconds
  --json                 print JSON and no progress
  --plot <FILE>          draw the chart as SVG, too
  --help                 print this

The exit code is 0 if all results agree, 1 if they do not, 2 if there was an error.";

/// How much of C the CPU computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Serial {
    Full,
    Sample,
    None,
}

/// The maximal number of rows in a sample.
const SAMPLE: usize = 64;

/// The maximal number of multiplications that the CPU does by default: 1024 x 1024 x 1024.
const PATIENCE: usize = 1 << 30;

/// The options of the command line.
#[derive(Clone, Debug)]
pub struct Options {
    /// M, N and W.
    pub sizes: [usize; 3],
    /// The names of the methods to run; all if there are none.
    pub methods: Vec<String>,
    pub tile: usize,
    pub fast_math: bool,
    pub accelerator: Option<String>,
    pub checked: bool,
    pub serial: Option<Serial>,
    pub repeat: Option<usize>,
    pub json: bool,
    pub plot: Option<PathBuf>,
}

impl Options {
    /// Parses the command line without the program's name; `None` if it requests help.
    pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Option<Self>, lexopt::Error> {
        let mut options = Self {
            sizes: [1024; 3],
            methods: Vec::new(),
            tile: 16,
            fast_math: false,
            accelerator: None,
            checked: true,
            serial: None,
            repeat: None,
            json: false,
            plot: None,
        };
        let mut sizes = Vec::new();
        let mut parser = lexopt::Parser::from_args(args);
        while let Some(arg) = parser.next()? {
            match arg {
                Long("method") => options.methods.push(parser.value()?.parse_with(method)?),
                Long("fast-math") => options.fast_math = true,
                Long("plot") => options.plot = Some(parser.value()?.into()),
                Long("tile") => options.tile = parser.value()?.parse_with(tile)?,
                Long("accelerator") => options.accelerator = Some(parser.value()?.string()?),
                Long("unchecked") => options.checked = false,
                Long("serial") => options.serial = Some(parser.value()?.parse_with(serial)?),
                Long("repeat") => options.repeat = Some(parser.value()?.parse_with(positive)?),
                Long("json") => options.json = true,
                Long("help") | Short('h') => return Ok(None),
                Value(size) => sizes.push(size.parse_with(positive)?),
                _ => return Err(arg.unexpected()),
            }
        }
        match sizes.len() {
            0 => {}
            3 => options.sizes.copy_from_slice(&sizes),
            found => return Err(format!("three sizes M N W are wanted, but {found} given").into()),
        }
        Ok(Some(options))
    }

    /// The methods to run, each under its name, in the order of the table.
    pub fn methods(&self) -> Vec<(String, Method)> {
        let tile = self.tile;
        let (fast, note) = match self.fast_math {
            true => (true, ", fast_math"),
            false => (false, ""),
        };
        let all = [
            ("simple kernel".into(), Method::Simple),
            (
                format!("tiled kernel, {tile} x {tile}"),
                Method::Tiled(tile),
            ),
            (
                format!("coarsened kernel, {TS} x {TS}{note}"),
                Method::Coarsened { fast },
            ),
            (
                format!("blocked kernel, {BLOCK} x {BLOCK}{note}"),
                Method::Blocked { fast },
            ),
        ];
        let wanted = |(name, _): &(String, _)| {
            self.methods.is_empty() || self.methods.iter().any(|it| name.starts_with(it))
        };
        all.into_iter().filter(wanted).collect()
    }

    /// What is computed.
    pub fn title(&self) -> String {
        let [m, n, w] = self.sizes;
        let checks = if self.checked { "on" } else { "off" };
        format!("C ({m} x {n}) = A ({m} x {w}) * B ({w} x {n}), f32, bounds checks {checks}")
    }

    /// The accelerator to run on.
    pub fn accelerator(&self) -> Result<Accelerator> {
        match &self.accelerator {
            Some(part) => Accelerator::find(part),
            None => Accelerator::default(),
        }
    }

    /// The rows of C that the CPU computes: all, or an evenly spaced sample.
    pub fn serial_rows(&self) -> Vec<usize> {
        let [m, n, w] = self.sizes;
        let work_of_row = n.saturating_mul(w);
        let serial = self.serial.unwrap_or(match m.saturating_mul(work_of_row) {
            0..=PATIENCE => Serial::Full,
            _ => Serial::Sample,
        });
        let count = match serial {
            Serial::Full => m,
            Serial::Sample => (PATIENCE / work_of_row).clamp(1, SAMPLE).min(m),
            Serial::None => 0,
        };
        (0..count).map(|k| k * m / count).collect()
    }
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number >= 1 => Ok(number),
        _ => Err("a whole number from 1 is wanted".into()),
    }
}

fn method(text: &str) -> Result<String, String> {
    match text {
        "simple" | "tiled" | "coarsened" | "blocked" => Ok(text.into()),
        _ => Err("simple, tiled, coarsened or blocked is wanted".into()),
    }
}

fn tile(text: &str) -> Result<usize, String> {
    let found = TILES.into_iter().find(|tile| tile.to_string() == text);
    found.ok_or_else(|| format!("there are kernels for tiles of {TILES:?}"))
}

fn serial(text: &str) -> Result<Serial, String> {
    match text {
        "full" => Ok(Serial::Full),
        "sample" => Ok(Serial::Sample),
        "none" => Ok(Serial::None),
        _ => Err("full, sample or none is wanted".into()),
    }
}
