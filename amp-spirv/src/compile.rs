//! The way of a kernel from its tree to its artifact.

use std::borrow::Cow;

use crate::artifact::Artifact;
use crate::check::{Reach, check};
use crate::clear::cleared;
use crate::diagnostic::Diagnostic;
use crate::emit::emit;
use crate::ir::Module;
use crate::{mir, opt};

/// Compiles a kernel, or tells what is wrong with it.
///
/// How it is compiled is in the tree: the width of indices, and for each function whether it
/// need be exact.
///
/// # Errors
///
/// With what [`check`](crate::check) found.
pub fn compile(tree: &Module) -> Result<Artifact, Vec<Diagnostic>> {
    let found = check(tree);
    if !found.is_empty() {
        return Err(found);
    }
    let cleared = cleared(tree);
    let mut module = mir::build(&cleared);
    debug_assert_eq!(mir::verify(&module), Ok(()));
    opt::run(&mut module);
    let mut artifact = emit(&module);
    if let Cow::Owned(_) = cleared {
        // What a device clears is zero on the CPU anyway, so nothing waits for it there.
        artifact.has_barrier = Reach::of(tree).kernel().meets();
    }
    Ok(artifact)
}
