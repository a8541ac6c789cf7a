//! The command line.

use std::ffi::OsString;

use amp::{Accelerator, Result};
use lexopt::prelude::*;

use super::product::TILES;

/// What `--help` prints.
pub const HELP: &str = "\
Multiplies C (M x N) = A (M x W) * B (W x N) on the CPU, with a simple and with a tiled
kernel, compares the results element by element, and prints how long each took.

Usage: matmul [OPTIONS] [M N W]        (default: 1024 1024 1024)

  --tile <TS>            rows and columns of a tile: 2, 4, 8, 16 (default) or 32
  --accelerator <NAME>   part of an accelerator's description or path, in any case; the
                         default is what AMP_ACCELERATOR says, else the best there is
  --unchecked            leave out the kernels' bounds checks
  --serial <ROWS>        rows that the CPU computes, and that the kernels' results are
                         compared with: full, sample (at most 64 rows) or none; the
                         default is full up to 1024 1024 1024, and sample beyond
  --repeat <COUNT>       launches of which the median is printed; the default is 9, or
                         as many as fit in two seconds
  --json                 print JSON and no progress
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
    pub tile: usize,
    pub accelerator: Option<String>,
    pub checked: bool,
    pub serial: Option<Serial>,
    pub repeat: Option<usize>,
    pub json: bool,
}

impl Options {
    /// Parses the command line without the program's name; `None` if it requests help.
    pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Option<Self>, lexopt::Error> {
        let mut options = Self {
            sizes: [1024; 3],
            tile: 16,
            accelerator: None,
            checked: true,
            serial: None,
            repeat: None,
            json: false,
        };
        let mut sizes = Vec::new();
        let mut parser = lexopt::Parser::from_args(args);
        while let Some(arg) = parser.next()? {
            match arg {
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
