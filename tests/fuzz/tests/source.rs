//! Random Rust: kernels as users write them, through rustc and the attributes, on every
//! accelerator against the interpreter.
//!
//! | variable | |
//! |---|---|
//! | `AMP_FUZZ_KERNELS` | how many kernels, 32 without it |
//! | `AMP_FUZZ_SEED` | the first seed, 0 without it |
//!
//! Kernels come in crates of 100, which are compiled with what this test is linked with.

use std::fs;
use std::path::Path;
use std::process::Command;

use amp_fuzz::source::{absent_forms, main_rs, programs};
use amp_fuzz::variable;

/// rustc, and where it finds what this test is linked with.
const RUSTC: &[&str] = rustc_flags::rustc_flags!();

/// Kernels of a crate.
const BATCH: usize = 100;

/// What a command printed if something was wrong.
fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().expect("the command starts");
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// Compiles a crate and runs it.
fn compile_and_run(folder: &Path, main: &str) -> Result<(), String> {
    let (source, program) = (folder.join("main.rs"), folder.join("batch"));
    fs::create_dir_all(folder).expect("the target folder can be written");
    fs::write(&source, main).expect("the target folder can be written");
    run(Command::new(RUSTC[0])
        .args(&RUSTC[1..])
        .args(["--edition=2024", "--crate-name=batch", "-o"])
        .arg(&program)
        .arg(&source))?;
    run(&mut Command::new(&program))
}

#[test]
fn accelerators_agree_with_the_interpreter() {
    let mut seed = variable("AMP_FUZZ_SEED").unwrap_or(0);
    let mut left = variable("AMP_FUZZ_KERNELS").unwrap_or(32) as usize;
    while left > 0 {
        let count = left.min(BATCH);
        let (batch, next) = programs(seed, count);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("batch");
        if let Err(text) = compile_and_run(&folder, &main_rs(&batch)) {
            let main = folder.join("main.rs");
            panic!(
                "kernels of seeds {seed}..{next} in {}:\n{text}",
                main.display()
            );
        }
        println!("seeds {seed}..{next}: {count} kernels are right");
        (seed, left) = (next, left - count);
    }
}

#[test]
fn every_form_occurs() {
    assert_eq!(absent_forms(0..800), Vec::<&str>::new());
}
