//! Barriers stand in control flow that is uniform across the tile (C++ AMP §8.1.1).
//!
//! Makes one [`Code::DivergentBarrier`] for each barrier that a part of a tile may reach
//! without the rest, with the condition that divides the threads and the chain of
//! assignments that makes the condition vary. Fences may stand anywhere. Operations of
//! subgroups are barriers here, with a [`Code`] of their own.
//!
//! # The analysis
//!
//! An abstract interpretation of the tree, forwards, in evaluation order. At each point
//! it knows ([`flow::Flow`])
//!
//! * for each variable, by component, whether all threads of the tile that are here hold
//!   the same value ([`value::Value`]);
//! * which targets some of the tile's threads have jumped to ahead of the others
//!   ([`flow::Away`]);
//! * which barrier was the last one;
//!
//! and the walker knows the innermost enclosing condition that varies. A point is
//! *divergent* if there is such a condition or if a thread is away. Each of these facts
//! only grows, from uniform to varying, towards a loop's head; loops are walked until
//! nothing grows. What is reported is therefore never retracted.
//!
//! Uniform are literals, specialization constants, parameters of the kernel,
//! `t_idx.tile`, `t_idx.tile_origin`, extents, elements of views that the kernel cannot
//! write at uniform indices, and what is computed from uniform values. A variable
//! assigned at a divergent point varies. `if`, `&&` and `||` meet again behind
//! themselves. Threads that are away are back
//!
//! * after a `break`: behind its loop or block. All iterations of the loop are divergent
//!   from then on, so also what stands in the body before the `break`;
//! * after a `continue`: at the loop's continue point;
//! * after a `return`: behind the call, where all threads that made the call together go
//!   on together. A kernel's `return` is final.
//!
//! # Helpers
//!
//! A helper is analysed for what it is called with: once for each [`value::Mask`] of its
//! arguments and last barriers ([`Summary`], memoised by [`Key`]), always as if the
//! threads that call it were the whole tile. If they are not, each barrier that it can
//! reach is reported with the caller's reason. Reasons inside a summary speak of its
//! arguments and are rewritten at each call.
//!
//! # Tile_static memory
//!
//! A load of a tile_static variable at a uniform index is uniform if a barrier that orders
//! tile_static memory was passed on every way to it and no thread writes the variable
//! between any such barrier and the next, neither before nor after the load. Writes are
//! collected for the whole kernel, so the kernel is walked again until no more are found.
//!
//! Behind a loop that all threads leave together none is in it any more, though the barrier
//! that was the last may stand in it. So an interval ([`flow::Interval`]) has parts: up to the
//! end of such a loop, and behind it. What is written in a part counts for the parts before it
//! too, as one thread may be ahead of another; and for a part behind it only if it may have
//! been written on a way to there ([`flow::Past`]).
//!
//! # What it leaves out
//!
//! Races: a varying value that a race makes uniform is never taken for uniform, but
//! nothing here reports the race. Loops without an exit: threads that never come back
//! are not counted as away. Arithmetic: `t_idx.global[0] - t_idx.local[0]` varies.

mod call;
mod cause;
mod control;
mod flow;
mod report;
mod value;
mod walk;

#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use self::{
    cause::Why,
    flow::{Interval, Since},
    value::{Mask, Value},
};
use super::reach::Reach;
#[cfg(doc)]
use crate::diagnostic::Code;
use rustc_hash::FxHashMap as HashMap;

use crate::{
    diagnostic::Diagnostic,
    tree::{Domain, FunctionId, Module, Span, TileStaticId},
};

/// Checks every barrier that the kernel can reach.
pub(super) fn check(module: &Module, reach: &Reach) -> Vec<Diagnostic> {
    let is_tiled = matches!(module.domain, Domain::Tiled { .. });
    if !is_tiled || !reach.kernel().meets() {
        return Vec::new();
    }
    let mut analysis = Analysis {
        module,
        written: BTreeSet::new(),
        subgroup: BTreeSet::new(),
        summaries: HashMap::default(),
    };
    loop {
        let written = analysis.written.len();
        analysis.summaries.clear();
        let kernel = analysis.kernel();
        if analysis.written.len() == written {
            let subgroup = &analysis.subgroup;
            let report =
                |it: &Violation<'_>| report::diagnostic(it, subgroup.contains(&it.barrier));
            return kernel.violations.values().map(report).collect();
        }
    }
}

/// What is shared by the walks of all functions.
struct Analysis<'m> {
    module: &'m Module,
    /// Which tile_static variables may be written in which interval.
    written: BTreeSet<(Interval, TileStaticId)>,
    /// Operations of subgroups; all else that threads meet at is a barrier.
    subgroup: BTreeSet<Span>,
    summaries: HashMap<Key, Rc<Summary<'m>>>,
}

/// What of a call matters to the callee.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    function: FunctionId,
    arguments: Vec<Mask>,
    since: Since,
}

/// The calls between a function and a barrier, innermost first: where each stands and
/// what it calls.
type Path<'m> = Vec<(Span, &'m str)>;

/// What a function does when all its callers call it together.
struct Summary<'m> {
    /// Its result.
    result: Value<'m>,
    /// The intervals, in one of which it returns; empty if it never does.
    since: Since,
    /// Barriers that are reached, with the way there.
    barriers: BTreeMap<Span, Path<'m>>,
    /// Barriers that are reached by a part of the callers.
    violations: BTreeMap<Span, Violation<'m>>,
}

/// A barrier that a part of a tile reaches.
struct Violation<'m> {
    barrier: Span,
    path: Path<'m>,
    /// What divides the tile.
    why: Why<'m>,
}
