//! Races on tile_static variables that are certain to happen.
//!
//! Makes one [`Code::Race`] for each access to a tile_static variable that collides with
//! another: two threads of a tile use the same element, at least one of them writes, and
//! no barrier that orders tile_static memory stands between the two on any way.
//!
//! # The analysis
//!
//! A few threads are followed through the kernel side by side ([`walk`]): the first two
//! and the last in each dimension of the tile. Each knows its position; what else it knows
//! is a sum of constants and of values that are the same in all threads
//! ([`value`](super::value)). Every use of tile_static memory at an index known in this way is
//! kept with the interval between barriers in which it stands, and the uses of each interval are
//! compared ([`access`]).
//!
//! A use counts only if the thread is certain to come to it: conditions that the thread
//! cannot decide hide what they guard. Conditions that the launch decides for all threads
//! alike, without the data, are taken both ways, and two uses collide only if what was
//! taken to hold for one includes what was taken to hold for the other ([`control`]); a
//! loop that goes on by such a condition is taken to go round twice ([`repeat`]).
//!
//! # What is never refused
//!
//! * Two threads that write the same value to the same place, or values not known to
//!   differ: by the letter of C++ AMP §8.1.2 that is a race too, but a harmless one that
//!   programs use. Elements of a view at different indices count as different values.
//! * A read by a thread that has itself written the same value there since the barrier.
//! * `|=` and `&=` by all threads with one value.
//! * Atomic operations beside atomic operations. Beside a plain read or write they race.
//!
//! A tile whose dimensions are constants is taken to have more than one thread, in
//! whichever dimension: a race counts if it happens in every such tile.
//!
//! # What it leaves out
//!
//! Races through views; races among threads that are not followed; whatever depends on data.

mod access;
mod control;
mod memory;
mod repeat;
mod report;
mod walk;

#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use self::{
    access::Access,
    walk::{Presence, State, Walker},
};
use super::reach::Reach;
use super::symbols::Symbols;
use super::value::Value;
#[cfg(doc)]
use crate::diagnostic::Code;
use rustc_hash::FxHashMap as HashMap;

use crate::{
    diagnostic::Diagnostic,
    tree::{ConstId, Domain, Len, LocalId, Module, Span, TileStaticId},
};

/// Expressions that are walked, in all threads together. A kernel that is longer is
/// followed only so far.
const FUEL: u32 = 20_000;
/// Uses of tile_static memory between two barriers that are compared.
const COMPARED: usize = 1024;

/// Which constants that are dimensions of the tile are at least 2; the others are 1.
struct Case {
    dimensions: BTreeMap<ConstId, bool>,
}

/// Two accesses that race, the earlier in the walk first.
struct Race {
    accesses: [Access; 2],
    /// Positions in the tile of the two threads.
    threads: [Vec<u32>; 2],
}

/// What tells races apart.
type Key = (TileStaticId, Span, Span);

/// Checks every tile_static variable of a kernel whose barriers are uniform.
pub(super) fn check(module: &Module, reach: &Reach) -> Vec<Diagnostic> {
    let Domain::Tiled { tile } = &module.domain else {
        return Vec::new();
    };
    if module.tile_statics.is_empty() {
        return Vec::new();
    }
    let mut races: Option<Vec<(Key, Race)>> = None;
    for case in cases(tile) {
        let found = collisions(module, reach, tile, &case);
        match &mut races {
            None => races = Some(found),
            Some(races) => {
                races.retain(|(key, _)| found.iter().any(|(other, _)| other == key));
            }
        }
    }
    let mut races = races.unwrap_or_default();
    // A use that races with itself explains its other races too.
    races.sort_by_key(|((_, first, second), _)| first != second);
    let mut reported = BTreeSet::new();
    races.retain(|((variable, first, second), _)| {
        let known = [first, second].map(|span| !reported.insert((*variable, *span)));
        first == second || known == [false, false]
    });
    races
        .iter()
        .map(|(_, race)| report::diagnostic(module, race))
        .collect()
}

/// Every way in which the tile has more than one thread.
fn cases(tile: &[Len]) -> Vec<Case> {
    let constants: BTreeSet<ConstId> = tile
        .iter()
        .filter_map(|len| match len {
            Len::Const(id) => Some(*id),
            Len::Literal(_) => None,
        })
        .collect();
    let several = tile.iter().any(|len| matches!(len, Len::Literal(2..)));
    // All of them first: its threads are the easiest to understand.
    (0..1_u32 << constants.len())
        .rev()
        .filter(|bits| several || *bits != 0)
        .map(|bits| Case {
            dimensions: constants
                .iter()
                .enumerate()
                .map(|(position, id)| (*id, bits >> position & 1 == 1))
                .collect(),
        })
        .collect()
}

/// The threads that are followed.
fn threads(tile: &[Len], case: &Case) -> Vec<Vec<u32>> {
    let mut threads = vec![Vec::new()];
    for len in tile {
        let positions: BTreeSet<u32> = match len {
            Len::Literal(length) => [0, 1, length.saturating_sub(1)]
                .into_iter()
                .filter(|at| at < length)
                .collect(),
            Len::Const(id) if case.dimensions[id] => [0, 1].into(),
            Len::Const(_) => [0].into(),
        };
        threads = threads
            .iter()
            .flat_map(|thread: &Vec<u32>| {
                positions.iter().map(|position| {
                    let mut thread = thread.clone();
                    thread.push(*position);
                    thread
                })
            })
            .collect();
    }
    threads
}

/// The races of one case, in the order of the walk.
fn collisions(module: &Module, reach: &Reach, tile: &[Len], case: &Case) -> Vec<(Key, Race)> {
    let threads = threads(tile, case);
    let kernel = module.kernel();
    let mut symbols = Symbols::default();
    let locals = threads.iter().map(|thread| {
        let mut locals: Vec<Value> = (0..kernel.params)
            .map(|param| match param {
                0 => symbols.tiled_index(module, Some(thread)),
                _ => symbols.parameter(module, LocalId(param)),
            })
            .collect();
        locals.resize(kernel.locals.len(), Value::Unknown);
        locals
    });
    let locals = locals.collect();
    let mut walker = Walker {
        module,
        case,
        reach,
        symbols,
        function: kernel,
        state: State {
            presence: vec![Presence::Here; threads.len()],
            locals,
        },
        frames: Vec::new(),
        assumptions: Rc::default(),
        rounds: Vec::new(),
        intervals: vec![Vec::new()],
        assumed: HashMap::default(),
        jumps: vec![0; threads.len()],
        counter: 0,
        fuel: FUEL,
    };
    walker.kernel();

    let mut seen = BTreeSet::new();
    let mut races = Vec::new();
    for interval in &walker.intervals {
        let compared = &interval[..interval.len().min(COMPARED)];
        for (position, second) in compared.iter().enumerate() {
            for first in &compared[..position] {
                let key = (first.variable, first.span, second.span);
                if first.races(second, &walker.symbols) && seen.insert(key) {
                    let accesses = [first.clone(), second.clone()];
                    let threads = [first, second].map(|access| threads[access.thread].clone());
                    races.push((key, Race { accesses, threads }));
                }
            }
        }
    }
    races
}
