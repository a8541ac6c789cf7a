//! What the programming model demands of a kernel, proved on the IR.
//!
//! One analysis a file; each is a function from the module to diagnostics.

mod uniformity;

use crate::{diagnostic::Diagnostic, ir::Module};

/// Runs every check. An empty list means that the module may be emitted.
pub fn check(module: &Module) -> Vec<Diagnostic> {
    uniformity::check(module)
}
