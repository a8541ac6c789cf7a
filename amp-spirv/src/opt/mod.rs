//! Passes over [`mir`](crate::mir), one a file.

pub mod cse;
pub mod dce;
pub mod fences;
pub mod flatten;
pub mod fold;
mod graph;
pub mod inline;
pub mod launch_checks;
pub mod licm;
mod places;
pub mod quirks;
mod replace;

#[cfg(test)]
mod tests;

use crate::mir::{Function, Module, verify};

/// A pass by its name.
pub type Pass = (&'static str, fn(&mut Module));

/// The passes, in order. Checks for the launch come after all that moves checks: see
/// [`launch_checks`].
pub const PASSES: &[Pass] = &[
    ("inline", inline::run),
    ("fold", fold::run),
    ("cse", cse::run),
    ("licm", licm::run),
    ("dce", |module| each(module, dce::run)),
    ("launch_checks", launch_checks::run),
    ("fences", fences::run),
    ("quirks", quirks::run),
];

/// Optimises a module, and shows what each pass leaves to `watch`. Builds with debug assertions
/// verify it.
pub fn run(module: &mut Module, watch: &mut dyn FnMut(&'static str, &Module)) {
    for (name, pass) in PASSES {
        pass(module);
        debug_assert_eq!(verify(module), Ok(()), "after {name}");
        watch(name, module);
    }
}

/// Runs a pass over each function.
fn each(module: &mut Module, pass: fn(&mut Function)) {
    module.functions.iter_mut().for_each(pass);
}
