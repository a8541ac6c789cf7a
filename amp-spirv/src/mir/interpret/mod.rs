//! What a module means: an interpreter, written to be obviously right.
//!
//! It is what passes are tested against: a launch leaves the same before and after. The threads
//! of a tile take turns: each runs to its next barrier. What the rules of the form forbid, as
//! a division by zero or a check that is wrongly proven, ends the launch ([`Refusal::Broken`]).
//!
//! What it leaves out: transcendental methods, subgroups of more than one lane, elements of
//! views as others of another width, and the text of prints.

mod compute;
mod memory;
#[cfg(test)]
mod tests;
mod thread;

use self::thread::{Status, Thread};
use super::{Function, Module, SiteId};
use crate::tree::{Domain, TiledField};
pub use crate::value::{Array, Value, View};

/// What a kernel is launched with.
#[derive(Clone, Debug)]
pub struct Launch<'m> {
    /// The kernel and what it calls.
    pub module: &'m Module,
    /// Bits of the module's constants, those above their own being zero.
    pub constants: &'m [u64],
    /// What it runs over; a multiple of the tile's extent.
    pub extent: &'m [u32],
    /// The tile's extent; nothing over `Index`.
    pub tile: Option<&'m [u32]>,
    /// The parameters after the index.
    pub arguments: Vec<Argument>,
    /// The most instructions of a thread.
    pub steps: u32,
    /// Whether threads run several indices where there are so many: the wide kernel.
    pub wide: bool,
}

/// What a parameter is.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A value.
    Value(Value),
    /// All of the array of this number.
    Array(usize),
}

/// Why a launch has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A thread takes too many steps.
    TooLong,
    /// A thread reads a variable that has no value.
    Uninitialised,
    /// The module does what no module does.
    Broken(String),
}

/// A thread's first fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Position in the domain.
    pub thread: Vec<u32>,
    /// What went wrong where.
    pub site: SiteId,
    /// The operands of [`Op::NoteFault`](super::Op::NoteFault), or of the message.
    pub operands: Vec<Value>,
}

/// What the threads of a launch share.
struct Shared<'l> {
    launch: &'l Launch<'l>,
    arrays: &'l mut [Array],
    /// The variables of the tile that runs.
    statics: Vec<Option<Value>>,
}

/// Runs a launch on its arrays; gives the first fault of each thread that has one.
///
/// # Errors
///
/// If the launch has no result.
pub fn run(launch: &Launch<'_>, arrays: &mut [Array]) -> Result<Vec<Fault>, Refusal> {
    let mut shared = Shared {
        launch,
        arrays,
        statics: Vec::new(),
    };
    let mut faults = Vec::new();
    let kernel = launch.module.kernel();
    if let (true, Some(wide)) = (launch.wide, launch.module.wide_kernel()) {
        return run_wide(&mut shared, wide, kernel);
    }
    let (tile, origins) = match (&launch.module.domain, launch.tile) {
        (Domain::Tiled { .. }, Some(tile)) => (tile.to_vec(), positions(launch.extent, tile)),
        (Domain::Tiled { .. }, None) => {
            return Err(Refusal::Broken("the launch has no tiles".to_owned()));
        }
        (Domain::Range { .. }, _) => {
            let one = vec![1; launch.extent.len()];
            let all = positions(launch.extent, &one);
            (one, all)
        }
    };
    let ones = vec![1; tile.len()];
    let merged = &launch.module.merged;
    let threads_of: Vec<u32> = match merged.is_empty() {
        true => tile.clone(),
        false => tile.iter().zip(merged).map(|(n, by)| n / by).collect(),
    };
    for origin in origins {
        shared.statics = vec![None; launch.module.tile_statics.len()];
        let locals = positions(&threads_of, &ones);
        let mut threads = Vec::new();
        for local in &locals {
            let global: Vec<u32> = origin.iter().zip(local).map(|(a, b)| a + b).collect();
            let index = index(launch, &origin, local, &global);
            threads.push(Thread::new(&shared, kernel, index, global));
        }
        run_tile(&mut threads, &mut shared)?;
        faults.extend(threads.into_iter().flat_map(|thread| thread.faults));
    }
    Ok(faults)
}

/// The same with a wide kernel, and the other one for what is left of a row.
fn run_wide<'l>(
    shared: &mut Shared<'l>,
    wide: &'l Function,
    kernel: &'l Function,
) -> Result<Vec<Fault>, Refusal> {
    let (lanes, extent) = (shared.launch.module.lanes, shared.launch.extent);
    let [rows @ .., length] = extent else {
        return Err(Refusal::Broken("the launch has no domain".to_owned()));
    };
    let mut faults = Vec::new();
    for row in positions(rows, &vec![1; rows.len()]) {
        let mut at = 0;
        while at < *length {
            let position = [row.as_slice(), &[at]].concat();
            let (function, step) = match length - at >= lanes {
                true => (wide, lanes),
                false => (kernel, 1),
            };
            let index = Value::index(&position);
            let mut threads = [Thread::new(shared, function, index, position)];
            run_tile(&mut threads, shared)?;
            let [mut thread] = threads;
            thread.faults.sort_by(|a, b| a.thread.cmp(&b.thread));
            faults.append(&mut thread.faults);
            at += step;
        }
    }
    Ok(faults)
}

/// Runs the threads of a tile to their ends.
fn run_tile<'l>(threads: &mut [Thread<'l>], shared: &mut Shared<'l>) -> Result<(), Refusal> {
    let mut waiting = true;
    while waiting {
        waiting = false;
        for thread in threads.iter_mut() {
            // Who has returned is not waited for.
            waiting |= thread.go_on(shared)? == Status::Waits;
        }
    }
    Ok(())
}

/// The multiples of some steps in an extent, row-major.
fn positions(extent: &[u32], steps: &[u32]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for (&length, &step) in extent.iter().zip(steps) {
        let extended = all.into_iter().flat_map(|front: Vec<u32>| {
            let next = (0..length).step_by(step.max(1) as usize);
            next.map(move |last| [front.as_slice(), &[last]].concat())
        });
        all = extended.collect();
    }
    all
}

/// The index of a thread, an `Index` or a `TiledIndex`.
fn index(launch: &Launch<'_>, origin: &[u32], local: &[u32], global: &[u32]) -> Value {
    let Some(extent) = launch.tile else {
        return Value::index(global);
    };
    let tile: Vec<u32> = origin
        .iter()
        .zip(extent)
        .map(|(at, step)| at / step)
        .collect();
    let mut fields = vec![Value::Unit; 4];
    fields[TiledField::Global as usize] = Value::index(global);
    fields[TiledField::Local as usize] = Value::index(local);
    fields[TiledField::Tile as usize] = Value::index(&tile);
    fields[TiledField::TileOrigin as usize] = Value::index(origin);
    Value::Parts(fields)
}
