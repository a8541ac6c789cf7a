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

/// What generated crates name.
pub use {glam, half};

pub use program::{Dialect, Program};

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
