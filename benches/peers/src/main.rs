//! Cases of amp's device benchmark, written for wgpu (WGSL) and for CubeCL as one writes them there.
//!
//! ```text
//! cargo run --release -- [--quick] [--only NAME]... [--json FILE]
//! ```
//!
//! A figure is the median of the rounds' times by the device's clock. Results are compared with Rust's.
//! Each case runs in a process of its own, since some end some drivers. The file is one that the device
//! benchmark's `--beside` takes; `run.sh` does all of it.

mod cases;
mod on_cubecl;
mod on_wgpu;
#[path = "../../device/random.rs"]
#[allow(dead_code)]
mod random;

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use lexopt::prelude::{Long, ValueExt};
use serde_json::{Value, json};

use cases::Scale;

/// Rounds that are measured, after a fifth of them that are not.
const ROUNDS: usize = 25;

const PEERS: [&str; 2] = ["wgpu", "CubeCL"];

#[derive(Default)]
struct Options {
    quick: bool,
    only: Vec<String>,
    json: Option<PathBuf>,
    /// A peer and a case: what a process of its own measures.
    child: Option<(String, String)>,
}

impl Options {
    fn parse() -> Result<Self, lexopt::Error> {
        let mut options = Self::default();
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("quick") => options.quick = true,
                Long("only") => options.only.push(parser.value()?.string()?),
                Long("json") => options.json = Some(parser.value()?.into()),
                Long("child") => {
                    options.child = Some((parser.value()?.string()?, parser.value()?.string()?));
                }
                other => return Err(other.unexpected()),
            }
        }
        Ok(options)
    }

    fn rounds(&self) -> usize {
        if self.quick { 3 } else { ROUNDS }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse()?;
    let device = on_wgpu::Device::open()?;
    if let Some((peer, name)) = &options.child {
        println!("{}", measure(&options, &device, peer, name)?);
        return Ok(());
    }
    println!("{}, driver {}", device.name, device.driver);
    let mut all = Vec::new();
    for (name, _) in cases::ALL {
        if !options.only.is_empty() && !options.only.iter().any(|it| name.contains(it)) {
            continue;
        }
        let (mut unit, mut versions) = (None, Vec::new());
        for peer in PEERS {
            let mut command = Command::new(env::current_exe()?);
            command.args(["--child", peer, name]);
            if options.quick {
                command.arg("--quick");
            }
            let output = command.output()?;
            match serde_json::from_slice::<Value>(&output.stdout) {
                Ok(found) => {
                    let text = found["unit"].as_str().unwrap_or_default();
                    let value = found["value"].as_f64().unwrap_or_default();
                    println!("{name:16} {text:>8}  {peer:8} {value:10.2}");
                    versions.push(json!({"version": peer, "value": found["value"]}));
                    unit = Some(found["unit"].clone());
                }
                Err(_) => {
                    let error = String::from_utf8_lossy(&output.stderr);
                    let last = error.trim().lines().last().unwrap_or_default();
                    println!("{name:16} {:>8}  {peer:8} {}: {last}", "", output.status);
                }
            }
        }
        if let Some(unit) = unit {
            all.push(json!({"name": name, "unit": unit, "versions": versions}));
        }
    }
    if let Some(file) = &options.json {
        let document = json!({
            "accelerator": device.name,
            "driver": device.driver,
            "host": "",
            "commit": "",
            "rounds": options.rounds(),
            "quick": options.quick,
            "cases": all,
        });
        fs::write(file, format!("{document:#}\n"))?;
    }
    Ok(())
}

/// Checks and measures a case.
fn measure(
    options: &Options,
    device: &on_wgpu::Device,
    peer: &str,
    name: &str,
) -> Result<Value, Box<dyn Error>> {
    let (_, make) = cases::ALL
        .into_iter()
        .find(|(it, _)| *it == name)
        .ok_or("there is no such case")?;
    let case = make(match (options.quick, device.is_software) {
        (true, _) => Scale::Quick,
        (false, true) => Scale::Software,
        (false, false) => Scale::Full,
    });
    let rounds = options.rounds();
    let before = rounds / 5;
    let (found, mut times) = match peer {
        "wgpu" => device.run(&case, before + rounds)?,
        _ => on_cubecl::run(&case, before + rounds)?,
    };
    case.check(&found)?;
    let times = &mut times[before..];
    times.sort_unstable();
    let rate = case.amount as f64 / times[times.len() / 2].as_secs_f64() / 1e9;
    Ok(json!({"unit": case.unit, "value": rate}))
}
