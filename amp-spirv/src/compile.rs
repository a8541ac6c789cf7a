//! The way of a kernel from its tree to its artifact.

use std::borrow::Cow;

use crate::artifact::Artifact;
use crate::check::{Reach, check};
use crate::clear::cleared;
use crate::diagnostic::Diagnostic;
use crate::emit::emit;
use crate::tree::Module;
use crate::{mir, opt};

/// A form that a kernel takes on its way.
pub enum Form<'f> {
    /// The tree that MIR is built from.
    Tree(&'f Module),
    /// MIR after `build` or the pass of this name.
    Mir(&'static str, &'f mir::Module),
}

/// Compiles a kernel, or tells what is wrong with it.
///
/// How it is compiled is in the tree: the width of indices, and for each function whether it
/// need be exact.
///
/// # Errors
///
/// With what [`check`](crate::check) found.
pub fn compile(tree: &Module) -> Result<Artifact, Vec<Diagnostic>> {
    compile_watched(tree, &mut |_| {})
}

/// The same, and shows each form to `watch`.
///
/// # Errors
///
/// As [`compile`].
pub fn compile_watched(
    tree: &Module,
    watch: &mut dyn FnMut(Form<'_>),
) -> Result<Artifact, Vec<Diagnostic>> {
    let found = check(tree);
    if !found.is_empty() {
        return Err(found);
    }
    let cleared = cleared(tree);
    #[cfg(feature = "testing")]
    debug_assert_eq!(crate::tree::verify(&cleared), Ok(()));
    watch(Form::Tree(&cleared));
    let mut module = mir::build(&cleared);
    #[cfg(feature = "testing")]
    debug_assert_eq!(mir::verify(&module), Ok(()));
    watch(Form::Mir("build", &module));
    opt::run(&mut module, &mut |pass, module| {
        watch(Form::Mir(pass, module));
    });
    let mut artifact = emit(&module);
    artifact.inlined = inlined(tree, &module);
    if let Cow::Owned(_) = cleared {
        // What a device clears is zero on the CPU anyway, so nothing waits for it there.
        artifact.has_barrier = Reach::of(tree).kernel().meets();
    }
    Ok(artifact)
}

/// The names of the functions that are no longer there.
fn inlined(tree: &Module, module: &mir::Module) -> Cow<'static, [Cow<'static, str>]> {
    let stays = |span| {
        module
            .functions
            .iter()
            .any(|function| function.span == span)
    };
    let gone = tree.functions.iter().filter(|it| !stays(it.span));
    let mut names: Vec<Cow<'static, str>> = gone.map(|it| it.name.clone().into()).collect();
    // A generic function has several instances.
    names.sort_unstable();
    names.dedup();
    names.into()
}
