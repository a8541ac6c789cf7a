//! Passes over [`mir`](crate::mir), one a file.

pub mod branches;
mod coarsen;
pub mod cse;
mod cuts;
pub mod dce;
pub mod fences;
pub mod flatten;
pub mod fold;
mod graph;
pub mod inline;

mod lane_sites;
pub mod launch_checks;
pub mod licm;
mod places;
pub mod quirks;
pub mod ranges;
mod replace;
mod returns;
pub mod rounds;
pub mod whiles;
mod widen;

#[cfg(test)]
mod tests;

use crate::analysis::effects::Footprints;
use crate::analysis::pointwise::is_pointwise;
use crate::mir::{Function, Module};

/// A pass by its name.
type Pass = (&'static str, fn(&mut Module, &Footprints));

/// The passes behind [`inline`], in order: over what each thread of the source does, and over what
/// each of a device does. Those before [`widen`] add no access, call or fence but copies, so what their
/// module may do to memory when they start, it may still do when they end ([`coarsen`] adds
/// functions); those behind it ask nothing of memory. Checks for the launch come after all that moves
/// checks: see [`launch_checks`].
const PASSES: [&[Pass]; 2] = [BEFORE, BEHIND];

const BEFORE: &[Pass] = &[
    ("fold", |module, _| fold::run(module)),
    ("cse", cse::run),
    // Literals that were stored are now known where they are loaded.
    ("fold", |module, _| fold::run(module)),
    ("licm", licm::run),
    ("dce", |module, _| each(module, dce::run)),
    ("cuts", |module, _| cuts::run(module)),
    ("launch_checks", |module, _| launch_checks::run(module)),
    ("coarsen", |module, _| coarsen::run(module)),
];

const BEHIND: &[Pass] = &[
    ("ranges", ranges::run),
    ("rounds", rounds::run),
    ("fences", fences::run),
    ("widen", |module, _| widen::run(module)),
    ("branches", |module, _| branches::run(module)),
    ("whiles", |module, _| whiles::run(module)),
    ("quirks", |module, _| quirks::run(module)),
];

/// Optimises a module, and shows what each pass leaves to `watch`. With the feature
/// `testing`, builds with debug assertions verify the result; the tests of random programs verify what
/// each pass leaves.
pub fn run(module: &mut Module, watch: &mut dyn FnMut(&'static str, &Module)) {
    inline::run(module);
    module.pointwise = is_pointwise(module);
    watch("inline", module);
    for passes in PASSES {
        let footprints = Footprints::of(module);
        for (name, pass) in passes {
            pass(module, &footprints);
            watch(name, module);
        }
    }
    #[cfg(feature = "testing")]
    debug_assert_eq!(crate::mir::verify(module), Ok(()));
}

/// Runs a pass over each function.
fn each(module: &mut Module, pass: fn(&mut Function)) {
    module.functions.iter_mut().for_each(pass);
}
