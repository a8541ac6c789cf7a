//! What the programming model demands of a kernel, proved on the tree.
//!
//! One analysis a file, each a function from the module to diagnostics:
//!
//! * `uniformity`: every barrier is reached by all threads of a tile together;
//! * `coarsening`: threads of a tile can be merged as the kernel asks for;
//! * `limits`: a tile whose dimensions are literal is one that every device runs;
//! * `arrays`: the local arrays of a thread fit its memory;
//! * `bounds`: no index is known to be outside;
//! * `atomic`: atomic operations work on what several threads see;
//! * `subgroup`: a kernel with operations of subgroups has tiles;
//! * `initialisation`: a tile_static variable is written before it is read;
//! * `race`: no two threads of a tile are certain to use the same memory at the same time.
//!
//! The checks assume a tree that keeps the rules of [`crate::tree`], as
//! [`verify`](crate::tree::verify()) tells; they report what a user wrote wrong, not what a front
//! end did. Tile_static memory is *not* limited
//! here: devices offer 16 KiB and more, so its size is judged when the pipeline is
//! made.

mod arrays;
mod atomic;
mod bounds;
mod coarsening;
mod initialisation;
mod launched;
mod limits;
mod race;
mod reach;
mod subgroup;
mod symbols;
mod uniformity;
mod unwritten;
mod value;

#[cfg(test)]
mod build;

pub(crate) use self::reach::Reach;
pub(crate) use self::unwritten::unwritten;
use crate::{diagnostic::Diagnostic, tree::Module};

/// Runs every check. An empty list means that the module may be emitted.
pub fn check(module: &Module) -> Vec<Diagnostic> {
    let mut diagnostics = limits::check(module);
    diagnostics.extend(arrays::check(module));
    diagnostics.extend(bounds::check(module));
    diagnostics.extend(initialisation::check(module));
    diagnostics.extend(atomic::check(module));
    diagnostics.extend(subgroup::check(module));
    let reach = Reach::of(module);
    diagnostics.extend(coarsening::check(module, &reach));
    let divergent = uniformity::check(module, &reach);
    // Where threads wait at different barriers there are no intervals between them.
    if divergent.is_empty() {
        diagnostics.extend(race::check(module, &reach));
    }
    diagnostics.extend(divergent);
    diagnostics
}
