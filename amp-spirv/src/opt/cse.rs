//! What has been computed before.
//!
//! ```text
//! %3: bool = in_bounds view 1 %1, %2      %3: bool = in_bounds view 1 %1, %2
//! note_fault #0 %3, %2, %4                note_fault #0 %3, %2, %4
//! %5: f32 = load %1[%2] if %3             %5: f32 = load %1[%2] if %3
//! %6: bool = in_bounds view 1 %1, %2      %7: f32 = add %5, %5
//! note_fault #1 %6, %2, %4
//! %8: f32 = load %1[%2] if %6
//! %7: f32 = add %5, %8
//! ```
//!
//! An instruction gives the results of an equal one before it, in its region or in one around
//! it. A load does if nothing between may write to memory of its class; a view that is a
//! read-only parameter of the kernel is never written in a launch. A fault that has been noted
//! on the same condition cannot be a thread's first.
//!
//! Leaves out loads after a store to the same place.

use std::collections::{HashMap, HashSet};

use super::replace::Replaced;
use crate::ir::Type;
use crate::mir::{
    Def, Effects, Function, Inst, InstId, Memory, Module, Op, RegionId, Ty, Types, Value,
};

/// Merges equal instructions of all functions.
pub fn run(module: &mut Module) {
    let kernel = module.functions.len().saturating_sub(1);
    for (number, function) in module.functions.iter_mut().enumerate() {
        let mut merging = Merging {
            replaced: Replaced::new(function),
            types: &module.types,
            is_kernel: number == kernel,
            known: HashMap::new(),
            noted: HashSet::new(),
            versions: [0; CLASSES],
            function,
        };
        merging.region(merging.function.body);
        let Merging {
            replaced, function, ..
        } = merging;
        replaced.apply(function);
    }
}

/// Classes of [`Memory`] that are loaded.
const CLASSES: usize = 3;

/// What makes instructions equal.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    args: Vec<Value>,
    guard: Option<Value>,
    types: Vec<Ty>,
    /// How often the memory that it reads may have changed.
    version: u32,
}

struct Merging<'f> {
    function: &'f mut Function,
    types: &'f Types,
    is_kernel: bool,
    replaced: Replaced,
    known: HashMap<Key, InstId>,
    /// Conditions on which a fault has been noted.
    noted: HashSet<Value>,
    versions: [u32; CLASSES],
}

impl Merging<'_> {
    fn region(&mut self, region: RegionId) {
        let insts = std::mem::take(&mut self.function.regions[region.0 as usize].insts);
        let (mut keys, mut conditions) = (Vec::new(), Vec::new());
        let mut kept = Vec::with_capacity(insts.len());
        for id in insts {
            self.rename(id);
            let inst = self.function.inst(id);
            let effects = inst.op.info().effects;
            if let Op::NoteFault(_) = inst.op {
                let condition = inst.args[0];
                if self.noted.insert(condition) {
                    conditions.push(condition);
                    kept.push(id);
                }
                continue;
            }
            if !inst.regions.is_empty() {
                kept.push(id);
                let written = self.written(inst);
                self.change(written);
                for inner in self.function.inst(id).regions.clone() {
                    self.region(inner);
                    self.change(written);
                }
                continue;
            }
            let Some(key) = self.key(inst, effects) else {
                kept.push(id);
                self.change(written_by(effects));
                continue;
            };
            match self.known.get(&key) {
                Some(same) => {
                    let same = self.function.inst(*same).results.clone();
                    for (old, new) in self.function.inst(id).results.iter().zip(same) {
                        self.replaced.set(*old, new);
                    }
                }
                None => {
                    self.known.insert(key.clone(), id);
                    keys.push(key);
                    kept.push(id);
                }
            }
        }
        for key in keys {
            self.known.remove(&key);
        }
        for condition in conditions {
            self.noted.remove(&condition);
        }
        self.function.regions[region.0 as usize].insts = kept;
    }

    fn rename(&mut self, id: InstId) {
        let inst = &mut self.function.insts[id.0 as usize];
        for value in inst.args.iter_mut().chain(&mut inst.guard) {
            *value = self.replaced.now(*value);
        }
    }

    /// What an instruction is known by, if it can give the results of another.
    fn key(&self, inst: &Inst, effects: Effects) -> Option<Key> {
        let reads_only = Effects {
            reads: effects.reads,
            ..Effects::default()
        };
        if effects != reads_only || inst.results.is_empty() {
            return None;
        }
        let version = match effects.reads {
            None => 0,
            Some(Memory::View) if self.is_constant(inst.args[0]) => 0,
            Some(class) => *self.versions.get(class as usize)?,
        };
        Some(Key {
            op: inst.op.clone(),
            args: inst.args.clone(),
            guard: inst.guard,
            types: inst
                .results
                .iter()
                .map(|it| self.function.ty(*it))
                .collect(),
            version,
        })
    }

    /// Whether nothing in a launch writes the elements of a view.
    fn is_constant(&self, view: Value) -> bool {
        match self.function.def(view) {
            Def::Param(_) => {
                let ty = &self.types[self.function.ty(view)];
                self.is_kernel && matches!(ty, Type::View(view) if !view.mutable)
            }
            Def::Inst(id, _) => self.is_constant(self.function.inst(id).args[0]),
            Def::Region(..) => false,
        }
    }

    fn change(&mut self, written: [bool; CLASSES]) {
        for (version, written) in self.versions.iter_mut().zip(written) {
            *version += u32::from(written);
        }
    }

    /// The memory that the regions of an instruction may write.
    fn written(&self, inst: &Inst) -> [bool; CLASSES] {
        let mut all = [false; CLASSES];
        for region in &inst.regions {
            self.function.walk(*region, &mut |_, inst| {
                let written = written_by(inst.op.info().effects);
                for (all, written) in all.iter_mut().zip(written) {
                    *all |= written;
                }
            });
        }
        all
    }
}

fn written_by(effects: Effects) -> [bool; CLASSES] {
    [Memory::Slot, Memory::TileStatic, Memory::View]
        .map(|class| effects.fixed || effects.convergent || effects.writes == Some(class))
}

#[cfg(test)]
mod tests {
    use crate::opt::tests::body_becomes;

    #[track_caller]
    fn becomes(before: &str, expected: &str) {
        body_becomes(before, expected, super::run);
    }

    #[test]
    fn checks_faults_and_loads_of_constant_views_merge() {
        becomes(
            "    %5: bool = in_bounds view 1 %1, %3
    %6: bool = in_bounds view 1 %2, %3
    note_fault #0 %5, %3, %3
    %7: u32 = load %1[%3] if %5
    store %2[%3], %7 if %6
    %8: bool = in_bounds view 1 %1, %3
    note_fault #0 %8, %3, %3
    %9: u32 = load %1[%3] if %8
    %10: u32 = add %7, %9
    store %2[%3], %10 if %6
    return
",
            "    %5: bool = in_bounds view 1 %1, %3
    %6: bool = in_bounds view 1 %2, %3
    note_fault #0 %5, %3, %3
    %7: u32 = load %1[%3] if %5
    store %2[%3], %7 if %6
    %8: u32 = add %7, %7
    store %2[%3], %8 if %6
    return
",
        );
    }

    #[test]
    fn loads_stay_behind_what_may_write() {
        let body = "    %5: bool = in_bounds view 1 %2, %3
    %6: u32 = load %2[%3] if %5
    for %4, %4, %4 as %7: u32 {
        %8: u32 = load %2[%3] if %5
        store %2[%3], %8 if %5
        yield
    }
    %9: u32 = load %2[%3] if %5
    barrier All
    %10: u32 = load %2[%3] if %5
    %11: u32 = add %6, %9
    %12: u32 = add %10, %11
    store %2[%3], %12 if %5
    return
";
        becomes(body, body);
    }

    #[test]
    fn what_is_computed_on_one_way_is_not_known_behind_it() {
        let body = "    %5: bool = eq %4, %4
    if %5 {
        %6: u32 = mul %4, %4
        yield
    } else {
        yield
    }
    %7: u32 = mul %4, %4
    return
";
        becomes(body, body);
    }
}
