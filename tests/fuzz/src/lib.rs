//! Random kernels, and what they mean.
//!
//! ```text
//! seed ─ generate ─► Program ─┬─ interpret ──────────────► what it must leave
//!                             ├─ launch: emit, device ───► what it leaves
//!                             └─ source: Rust, rustc, amp ► what it leaves, everywhere
//! ```
//!
//! `tests/tree.rs` hands modules to the compiler and runs them on devices, `tests/mir.rs` runs what
//! each pass makes of them; a difference from the interpreter is reduced to a small program.
//! `tests/source.rs` writes the same kind
//! of programs as Rust, in crates of many kernels, and runs them on every accelerator.
//!
//! A program is known by its seed, which is all that is needed to see it again.

mod arguments;
mod build;
mod generate;
pub mod interpret;
pub mod launch;
pub mod middle;
mod number;
mod program;
pub mod reduce;
pub mod source;
pub mod world;

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// What generated crates name.
pub use {glam, half};

pub use program::{Dialect, Program};

/// Calls `test` with each of these seeds, on all processors, and returns what it found, by seed. It ends
/// early when several seeds have found something.
///
/// # Panics
///
/// If a call does.
pub fn each_seed<R: Send>(seeds: Range<u64>, test: impl Fn(u64) -> Option<R> + Sync) -> Vec<R> {
    const ENOUGH: usize = 3;
    let next = AtomicU64::new(seeds.start);
    let found = Mutex::new(Vec::new());
    let work = || {
        while let seed = next.fetch_add(1, Ordering::Relaxed)
            && seed < seeds.end
            && found.lock().unwrap().len() < ENOUGH
        {
            if let Some(result) = test(seed) {
                found.lock().unwrap().push((seed, result));
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(seed, _)| *seed);
    found.into_iter().map(|(_, result)| result).collect()
}

/// Reads a number from the environment.
///
/// # Panics
///
/// If the variable holds something else.
pub fn variable(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(
        value
            .parse()
            .unwrap_or_else(|_| panic!("{name}={value} is no number")),
    )
}
