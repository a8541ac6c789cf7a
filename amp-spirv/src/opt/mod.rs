//! Passes over [`mir`](crate::mir), one a file.

pub mod branches;
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
pub mod ranges;
mod replace;
pub mod rounds;
pub mod whiles;
mod widen;

#[cfg(test)]
mod tests;

use crate::analysis::effects::Footprints;
use crate::mir::{Function, Module, verify};

/// A pass by its name.
type Pass = (&'static str, fn(&mut Module, &Footprints));

/// The passes behind [`inline`], in order. Those before [`widen`] add no access, call or fence but
/// copies, so what their module may do to memory when they start, it may still do when they end; those
/// behind it ask nothing of memory. Checks for the launch come after all that moves checks: see
/// [`launch_checks`].
const PASSES: &[Pass] = &[
    ("fold", |module, _| fold::run(module)),
    ("cse", cse::run),
    // Literals that were stored are now known where they are loaded.
    ("fold", |module, _| fold::run(module)),
    ("licm", licm::run),
    ("dce", |module, _| each(module, dce::run)),
    ("launch_checks", |module, _| launch_checks::run(module)),
    ("ranges", ranges::run),
    ("rounds", rounds::run),
    ("fences", fences::run),
    ("widen", |module, _| widen::run(module)),
    ("branches", |module, _| branches::run(module)),
    ("whiles", |module, _| whiles::run(module)),
    ("quirks", |module, _| quirks::run(module)),
];

/// Optimises a module, and shows what each pass leaves to `watch`. Builds with debug assertions
/// verify it.
pub fn run(module: &mut Module, watch: &mut dyn FnMut(&'static str, &Module)) {
    inline::run(module);
    let footprints = Footprints::of(module);
    let mut done = |name, module: &Module| {
        debug_assert_eq!(verify(module), Ok(()), "after {name}");
        watch(name, module);
    };
    done("inline", module);
    for (name, pass) in PASSES {
        pass(module, &footprints);
        done(name, module);
    }
}

/// Runs a pass over each function.
fn each(module: &mut Module, pass: fn(&mut Function)) {
    module.functions.iter_mut().for_each(pass);
}
