//! Prints the accelerators that amp finds, what each can do, which is the default and why, and
//! what was found that is no accelerator: as text, or with `--json` as JSON.

mod choice;
mod json;
mod text;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use amp::{Accelerator, Properties};
use choice::Choice;
use lexopt::prelude::*;

const HELP: &str = "\
Prints the accelerators that amp finds, what each can do, and which is the default and why;
and devices that are no accelerators, with what they lack.

Usage: amp-info [--json]

  --json    print JSON
  --help    print this

AMP_ACCELERATOR chooses the default: cpu, or part of a description, path or driver, in any case.
The exit code is 0, 1 if AMP_ACCELERATOR names no accelerator, 2 if there was an error.";

/// An accelerator and what is known of it.
struct Entry {
    accelerator: Accelerator,
    properties: Properties,
    /// What kernels compute in software there, or why that could not be found out.
    software_floats: Result<Vec<&'static str>, String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("amp-info: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, Box<dyn Error>> {
    let Some(wants_json) = arguments().map_err(|error| format!("{error}\n\n{HELP}"))? else {
        println!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    };
    let entries: Vec<Entry> = Accelerator::all().into_iter().map(Entry::new).collect();
    let rejected = Accelerator::rejected();
    let choice = Choice::new();
    let output = match wants_json {
        true => format!("{:#}\n", json::document(&entries, &rejected, &choice)),
        false => text::page(&entries, &rejected, &choice),
    };
    std::io::stdout().write_all(output.as_bytes())?;
    Ok(match choice.accelerator {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

/// Whether the command line asks for JSON; nothing if it asks for help.
fn arguments() -> Result<Option<bool>, lexopt::Error> {
    let mut wants_json = false;
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("json") => wants_json = true,
            Long("help") | Short('h') => return Ok(None),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Some(wants_json))
}

impl Entry {
    fn new(accelerator: Accelerator) -> Self {
        Self {
            properties: accelerator.properties(),
            software_floats: accelerator
                .software_floats()
                .map_err(|error| error.to_string()),
            accelerator,
        }
    }
}
