//! Programs as Rust: crates of many kernels, which rustc and amp compile.
//!
//! A generated crate depends on this one. It knows its programs by their seeds, so what
//! they are launched with and what they must leave is computed when it runs.

mod forms;
mod harness;
mod print;
mod shared;
mod statement;
mod surface;
mod vector;
mod ways;

use std::collections::BTreeSet;
use std::ops::Range;

use amp_spirv::check::check;
use amp_spirv::tree::Type;

pub use crate::arguments::Arguments;
pub use harness::compare;

use crate::interpret;
use crate::program::{Dialect, Program};

/// The first programs from a seed on that can be run, as many as wanted, and the seed
/// after the last.
pub fn programs(mut seed: u64, wanted: usize) -> (Vec<Program>, u64) {
    let mut found = Vec::with_capacity(wanted);
    while found.len() < wanted {
        let program = Program::new(seed, Dialect::Rust);
        if check(&program.module).is_empty() && interpret::run(&program).is_ok() {
            found.push(program);
        }
        seed += 1;
    }
    (found, seed)
}

/// The texts of the forms that the table has and the programs of none of these seeds.
pub fn absent_forms(seeds: Range<u64>) -> Vec<&'static str> {
    let mut absent: BTreeSet<&str> = forms::all().map(|form| form.text).collect();
    for seed in seeds {
        let (_, present) = print::module(&Program::new(seed, Dialect::Rust));
        absent.retain(|form| !present.contains(form));
    }
    absent.into_iter().collect()
}

/// The text of a crate's `main.rs`.
pub fn main_rs(programs: &[Program]) -> String {
    let mut text = String::from(
        "#![allow(warnings, clippy::all, arithmetic_overflow, unconditional_panic, overflowing_literals)]\n",
    );
    for program in programs {
        if print::in_module(program) {
            text += "\n#[amp::amp_module]";
        }
        text += &format!("\nmod program_{} {{\n", program.seed);
        text += &print::module(program).0;
        text += "}\n";
    }
    text += "\nfn main() {\n    let mut wrong = 0;\n";
    for program in programs {
        let extent: Vec<String> = program.shape.extent().iter().map(u32::to_string).collect();
        let mut domain = format!("amp::Extent::new([{}])", extent.join(", "));
        if let Some(tile) = program.shape.tile() {
            let tile: Vec<String> = tile.iter().map(u32::to_string).collect();
            domain += &format!(".tile::<{}>()", tile.join(", "));
        }
        let arguments: Vec<String> = program
            .params
            .iter()
            .map(|param| {
                let name = param.name();
                match param.ty() {
                    Type::View(view) if view.mutable => format!("&mut a.{name}"),
                    Type::View(_) => format!("&a.{name}"),
                    _ => format!("a.inputs.{name}"),
                }
            })
            .collect();
        let seed = program.seed;
        text += &format!(
            "    wrong += amp_fuzz::source::compare({seed}, &testkit::new_views(), |view, a| {{\n        \
             view.parallel_for_each({domain}, program_{seed}::kernel_{seed}({}))\n    }});\n",
            arguments.join(", ")
        );
    }
    text += "    std::process::exit(if wrong == 0 { 0 } else { 1 });\n}\n";
    text
}
