//! The host version whose threads run in lockstep: what the CPU accelerator runs of a kernel with
//! barriers, or with loops that all threads go through together.
//!
//! It is the user's function, cut at what all threads of a group do together (`plan`): control flow that
//! is the same for all of them, by the shapes of values (`shape`), and barriers. The statements in between
//! are regions (`region`), which run for one thread after the other:
//!
//! ```text
//! let mut sum = 0.0;                       let mut sums = group.variables(0.0);
//! for k in 0..n {                          let mut row = group.rows();
//!     sum += a[[i, k]] * b[[k, j]];        while row.next() {
//! }                                            let sums = row.of(&mut sums);
//! c[[i, j]] = sum;                             for k in 0..n {
//!                                                  let (a, b) = (a[[i, k]], b.along(&row, [k, j], ..));
//!                                                  for thread in 0..row.count() {
//!                                                      let mut sum = sums[thread];
//!                                                      sum += a * b[thread];
//!                                                      sums[thread] = sum;
//!                                              ..
//!                                              c.set_along(&row, [i, j], sums);
//! ```
//!
//! What faults, and where, is the same as thread by thread: `amp_runtime`'s `cpu::group` orders the faults.
//! Values, names and borrows are proven by the host version for one thread, which stays beside this one.
//!
//! Leaves out, and so leaves to coroutines: operations of subgroups, barriers in helpers and closures,
//! kernels with closures around barriers, and variables without a zero that live across regions.

mod assignment;
mod emit;
mod hoist;
mod jumps;
mod plan;
mod quiet;
mod region;
mod rows;
mod shape;
mod store;
mod strided;
mod walk;

use std::collections::{HashMap, HashSet};

use amp_spirv::tree::LocalId;
use proc_macro2::{Ident, TokenStream};
use syn::ItemFn;

pub(super) use self::quiet::QuietHelpers;
use self::{
    emit::Emit,
    plan::{Piece, Planner, Refusal, regions},
    quiet::is_value,
    region::{Region, crossing},
    shape::Shapes,
};
use super::{host_version::HostVersion, types};
use crate::infer::{Callee, FunctionDef, Program};
use crate::visit::{self, Visit};

/// How often variables that were taken to be the same in all threads may turn out not to be.
const MOST_TRIES: usize = 8;

/// The function that runs a kernel's threads in lockstep, called `name`; nothing if it cannot be cut, or
/// if a kernel without barriers gains nothing. `item` is the kernel as inference saw it.
pub(super) fn kernel<'a>(
    host: &mut HostVersion<'a>,
    helpers: &'a QuietHelpers,
    mut item: ItemFn,
    has_barrier: bool,
    name: &Ident,
) -> Option<TokenStream> {
    let (program, function) = (host.program, host.function);
    let typed = &function.typed;
    let assigns_references =
        !typed.assigned_slices.is_empty() || !typed.assigned_references.is_empty();
    if assigns_references || meets_elsewhere(program, function) || finds_places(program, function) {
        return None;
    }
    let (pieces, shapes, derived, has_loops) = planned(program, function, helpers, &item)?;
    if !has_barrier && !has_loops && !pieces.iter().all(Piece::is_vector) {
        return None;
    }
    let mut found = Vec::new();
    regions(&pieces, &mut found);
    let mut crossing = crossing(&found, &shapes);
    crossing.retain(|local| !derived.contains(local));
    let mut names = Declared {
        function,
        names: HashMap::new(),
    };
    names.visit_block(&item.block);
    let names = names.names;
    let mut variables = HashMap::new();
    for local in crossing {
        let ty = &function.typed.locals[local.0 as usize].ty;
        let name = names.get(&local)?.clone();
        let has_zero = is_value(ty) && program.without_zero(ty).is_none();
        let ty = has_zero.then(|| types::written(program, function, ty))??;
        variables.insert(local, (name, ty));
    }
    let is_sound = |region: &&Region| is_sound(region, &shapes, &derived, &variables);
    if shapes.assigned.contains(&LocalId(0)) || !found.iter().all(is_sound) {
        return None;
    }
    Some(Emit::new(host, &shapes, &variables).kernel(&mut item, &pieces, name))
}

type PlannedKernel<'a> = (Vec<Piece>, Shapes<'a>, HashSet<LocalId>, bool);

fn planned<'a>(
    program: &'a Program,
    function: &'a FunctionDef,
    helpers: &'a QuietHelpers,
    item: &ItemFn,
) -> Option<PlannedKernel<'a>> {
    let mut varying = Vec::new();
    for _ in 0..MOST_TRIES {
        let shapes = walk::shapes(program, function, helpers, &item.block, &varying);
        let mut planner = Planner::new(&shapes);
        match planner.body(&item.block) {
            Ok(pieces) => {
                let (derived, has_loops) = (planner.derived, planner.has_loops);
                return Some((pieces, shapes, derived, has_loops));
            }
            Err(Refusal::Apart(local)) => varying.push(local),
            Err(Refusal::Uncut) => return None,
        }
    }
    None
}

/// Whether threads meet where no plan sees it: in helpers and closures, or as subgroups.
fn meets_elsewhere(program: &Program, kernel: &FunctionDef) -> bool {
    program.functions.iter().any(|function| {
        let is_kernel = std::ptr::eq(function, kernel);
        let mut facts = function.typed.facts.iter();
        facts.any(|fact| match fact.callee {
            Some(Callee::Subgroup(_)) => true,
            Some(Callee::Barrier(_)) => !is_kernel,
            _ => false,
        })
    })
}

/// Whether a kernel calls functions that return references: no plan sees what it writes through these.
fn finds_places(program: &Program, kernel: &FunctionDef) -> bool {
    let mut facts = kernel.typed.facts.iter();
    facts.any(|fact| {
        let function = fact.helper();
        function.is_some_and(|function| program.functions[function].result.is_reference())
    })
}

/// Finds the names of all variables that a function declares.
struct Declared<'a> {
    function: &'a FunctionDef,
    names: HashMap<LocalId, Ident>,
}

impl<'ast> Visit<'ast> for Declared<'_> {
    fn visit_pat_ident(&mut self, ident: &'ast syn::PatIdent) {
        let local = self.function.typed.of(ident).local;
        self.names
            .extend(local.map(|local| (local, ident.ident.clone())));
        visit::visit_pat_ident(self, ident);
    }
}

/// Whether every variable that a region assigns to is that of a thread, and its names are told apart: what
/// it shares with others is declared at its start, under the name that the user gave it.
fn is_sound(
    region: &Region,
    shapes: &Shapes<'_>,
    derived: &HashSet<LocalId>,
    variables: &HashMap<LocalId, (Ident, TokenStream)>,
) -> bool {
    let mut assigned = region.assigned.iter();
    let is_own = |local: &LocalId| region.declared.contains(local);
    if !assigned.all(|local| is_own(local) || variables.contains_key(local)) {
        return false;
    }
    let mut locals = region
        .used
        .union(&region.declared)
        .copied()
        .collect::<HashSet<_>>();
    if locals.iter().any(|local| derived.contains(local)) {
        locals.extend(derived);
        locals.insert(LocalId(0));
    }
    let typed = &shapes.function.typed;
    let name = |local: &LocalId| &typed.locals[local.0 as usize].name;
    let is_inner = |local: &LocalId| is_own(local) && !variables.contains_key(local);
    // One that is only read may be hidden by one that the region declares.
    let is_hidden = |local: &LocalId, by: &LocalId| {
        !is_own(local) && !region.assigned.contains(local) && is_own(by)
    };
    locals.iter().filter(|local| !is_inner(local)).all(|local| {
        let is_another = |other: &LocalId| {
            let is_told_apart = is_hidden(local, other) || is_hidden(other, local);
            other != local && name(other) == name(local) && !is_told_apart
        };
        !locals.iter().any(is_another)
            && typed.tile_statics.iter().all(|it| it.name != *name(local))
    })
}
