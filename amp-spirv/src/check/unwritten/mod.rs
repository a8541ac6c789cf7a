//! tile_static variables of which an element may be read that no thread has written.
//!
//! The emitter clears these before the kernel starts, so that no thread finds what another
//! tile, or another launch, left there. All others cost nothing.
//!
//! # The analysis
//!
//! One thread is followed through the kernel ([`walk`]), with its position as a symbol
//! ([`value`](super::value)). A [`Write`] is memory that it has certainly written: at an index
//! that depends on its position, if a condition on its position holds, in each round of a
//! loop. Where control flow meets, only what was written on every way is kept. All threads of
//! the tile come to a barrier together, so what the writes of all threads cover there
//! ([`cover`]) has been written from then on. A read is in order if its variable is covered,
//! or if the thread has itself written the same element.
//!
//! # What it leaves out
//!
//! What it does not prove is cleared: indices and conditions that depend on data, variables
//! that a `while` goes through, arrays and tiles whose sizes are different constants, and
//! whatever lies behind the end of [`FUEL`].

mod control;
mod cover;
mod state;
mod walk;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::reach::Reach;
use super::symbols::Symbols;
use super::value::{Form, Step, Value};
use crate::tree::{Domain, LocalId, Module, Scalar, TileStaticId};

use self::walk::Walker;

/// Expressions that are walked.
const FUEL: u32 = 20_000;
/// Elements that may be marked to tell what the writes cover.
const EFFORT: u32 = 1 << 18;
/// Writes that are remembered at a time.
const WRITES: usize = 64;

/// What a thread has certainly written.
#[derive(Clone, Debug, PartialEq)]
struct Write {
    variable: TileStaticId,
    path: Vec<Step>,
    /// It has, if these conditions are so.
    conditions: Vec<(Form, bool)>,
    /// It has for each value of these, outermost first.
    ranges: Vec<Range>,
}

/// The numbers that the variable of a loop goes through.
#[derive(Clone, Debug, PartialEq)]
struct Range {
    variable: Form,
    ty: Scalar,
    start: Form,
    /// The first number that is not reached.
    end: Form,
    step: Form,
}

/// The variables of a kernel, whose barriers are uniform, that have to be cleared.
pub(crate) fn unwritten(module: &Module) -> BTreeSet<TileStaticId> {
    let Domain::Tiled { tile } = &module.domain else {
        return BTreeSet::new();
    };
    if module.tile_statics.is_empty() {
        return BTreeSet::new();
    }
    let mut symbols = Symbols::default();
    let kernel = module.kernel();
    let mut locals: Vec<Value> = (0..kernel.params)
        .map(|param| match param {
            0 => symbols.tiled_index(module, None),
            _ => symbols.parameter(module, LocalId(param)),
        })
        .collect();
    locals.resize(kernel.locals.len(), Value::Unknown);
    let reach = Reach::of(module);
    let mut walker = Walker::new(module, tile, &reach, symbols, locals);
    walker.kernel();
    walker.unwritten()
}
