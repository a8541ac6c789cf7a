//! What the programming model demands of a kernel, proved on the IR.
//!
//! One analysis a file, each a function from the module to diagnostics, none of which
//! depends on another:
//!
//! * `uniformity`: every barrier is reached by all threads of a tile together;
//! * `limits`: a tile whose dimensions are literal is one that every device runs.
//!
//! The checks assume an IR that keeps the rules of [`crate::ir`]; they report what a
//! user wrote wrong, not what a front end did. Tile_static memory is *not* limited
//! here: devices offer 16 KiB and more, so its size is judged when the pipeline is
//! made. Races on tile_static variables are not looked for.

mod limits;
mod uniformity;

#[cfg(test)]
mod build;

use crate::{diagnostic::Diagnostic, ir::Module};

/// Runs every check. An empty list means that the module may be emitted.
pub fn check(module: &Module) -> Vec<Diagnostic> {
    let mut diagnostics = limits::check(module);
    diagnostics.extend(uniformity::check(module));
    diagnostics
}
