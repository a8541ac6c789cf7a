//! Random Rust: kernels as users write them, through rustc and the attributes, on every
//! accelerator against the interpreter.
//!
//! | variable | |
//! |---|---|
//! | `AMP_FUZZ_KERNELS` | how many kernels, 40 without it |
//! | `AMP_FUZZ_SEED` | the first seed, 0 without it |
//!
//! Kernels come in crates of 100, which are compiled in the target folder of the tests.

use std::path::Path;
use std::process::Command;

use amp_fuzz::source::{main_rs, programs};
use amp_fuzz::variable;

/// Kernels of a crate.
const BATCH: usize = 100;

/// Writes a crate and runs it; gives what it printed if something was wrong.
fn run(folder: &Path, main: &str) -> Result<(), String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("../..");
    let testkit = here.join("../testkit");
    let manifest = format!(
        "[package]\nname = \"amp-fuzz-batch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\namp-gpu = {{ path = {root:?}, features = [\"glam\", \"half\"] }}\namp-fuzz = {{ path = {here:?} }}\n\
         testkit = {{ path = {testkit:?} }}\n\n\
         [workspace]\n"
    );
    std::fs::create_dir_all(folder.join("src")).expect("the target folder can be written");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("the target folder can be written");
    };
    write("Cargo.toml", &manifest);
    write("src/main.rs", main);
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))
        .expect("the workspace has a lock file");
    // What the tests are built from is there already.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo runs");
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}

#[test]
fn accelerators_agree_with_the_interpreter() {
    let mut seed = variable("AMP_FUZZ_SEED").unwrap_or(0);
    let mut left = variable("AMP_FUZZ_KERNELS").unwrap_or(40) as usize;
    while left > 0 {
        let count = left.min(BATCH);
        let (batch, next) = programs(seed, count);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("batch");
        if let Err(text) = run(&folder, &main_rs(&batch)) {
            let main = folder.join("src/main.rs");
            panic!(
                "kernels of seeds {seed}..{next} in {}:\n{text}",
                main.display()
            );
        }
        println!("seeds {seed}..{next}: {count} kernels are right");
        (seed, left) = (next, left - count);
    }
}
