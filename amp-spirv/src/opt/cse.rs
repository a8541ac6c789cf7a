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
//! it. A load gives what an equal load gave or a store put there, if nothing between may write
//! to the place or have the thread see what others wrote; see `places.rs`. What is
//! stored is loaded bit for bit, so the value takes the place of the load, with the zero that
//! the load gives without its guard:
//!
//! ```text
//! store %2[%3], %4 if %6              store %2[%3], %4 if %6
//! %7: u32 = load %2[%3] if %6         %8: u32 = zero
//!                                     %7: u32 = math Select %6, %4, %8
//! ```
//!
//! A fault that has been noted on the same condition cannot be a thread's first.
//!
//! Leaves out stores that a later one makes needless, and structs that were stored under a guard.

use super::places::{Facts, Known, Places};
use super::replace::Replaced;
use crate::analysis::affine::Affine;
use crate::analysis::effects::{Footprints, Object, touches};
use crate::mir::{Effects, Function, Inst, InstId, Module, Op, RegionId, Ty, Types, Value};
use crate::tree::{FunctionId, MathOp, Type};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Merges equal instructions of all functions.
pub fn run(module: &mut Module, footprints: &Footprints) {
    for number in 0..module.functions.len() {
        let id = FunctionId(number as u32);
        let facts = Facts {
            footprints,
            affine: Affine::of(module, id),
            id,
        };
        let function = &mut module.functions[number];
        let mut merging = Merging {
            replaced: Replaced::new(function),
            types: &module.types,
            facts: &facts,
            known: HashMap::default(),
            noted: HashSet::default(),
            places: Places::default(),
            function,
        };
        merging.region(merging.function.body);
        let Merging {
            replaced, function, ..
        } = merging;
        replaced.apply(function);
    }
}

/// What makes instructions equal.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    args: Vec<Value>,
    guard: Option<Value>,
    types: Vec<Ty>,
}

struct Merging<'f> {
    function: &'f mut Function,
    types: &'f Types,
    facts: &'f Facts<'f>,
    replaced: Replaced,
    known: HashMap<Key, InstId>,
    /// Conditions on which a fault has been noted.
    noted: HashSet<Value>,
    places: Places,
}

impl Merging<'_> {
    fn region(&mut self, region: RegionId) {
        let insts = std::mem::take(&mut self.function.regions[region.0 as usize].insts);
        let (mut keys, mut conditions) = (Vec::new(), Vec::new());
        let mut kept = Vec::with_capacity(insts.len());
        for id in insts {
            self.rename(id);
            let inst = self.function.inst(id);
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
                self.regions(id);
                continue;
            }
            let Some(key) = self.key(inst) else {
                if !self.load(id, &mut kept) {
                    kept.push(id);
                }
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

    /// The regions of an instruction, each of which starts with what is known before all.
    fn regions(&mut self, id: InstId) {
        let inst = self.function.inst(id);
        let does = self.facts.footprints.inst(self.function, inst);
        let repeats = inst.op.is_loop();
        if repeats {
            self.places.past(self.facts, self.function, &does);
        }
        let mut before = self.places.clone();
        for inner in inst.regions.clone() {
            self.places.clone_from(&before);
            self.region(inner);
        }
        if !repeats {
            before.past(self.facts, self.function, &does);
        }
        self.places = before;
    }

    /// Goes past what is not known by its operands alone; whether it is a load whose result is
    /// known.
    fn load(&mut self, id: InstId, kept: &mut Vec<InstId>) -> bool {
        let inst = self.function.inst(id);
        let (Op::Load(_), &[result]) = (&inst.op, &inst.results[..]) else {
            self.places.pass(self.facts, self.function, inst);
            return false;
        };
        let value = match self.places.get(self.function, inst) {
            Some(Known::Loaded(value)) => Some(value),
            Some(Known::Stored(value)) => match inst.guard {
                Some(guard) if !self.function.always_holds(guard) => {
                    self.selected(id, guard, value, kept)
                }
                _ => Some(value),
            },
            None => None,
        };
        let inst = self.function.inst(id);
        self.places
            .load(self.function, inst, value.unwrap_or(result));
        if let Some(value) = value {
            self.replaced.set(result, value);
        }
        value.is_some()
    }

    /// What a load gives of what was stored under its guard.
    fn selected(
        &mut self,
        load: InstId,
        guard: Value,
        value: Value,
        kept: &mut Vec<InstId>,
    ) -> Option<Value> {
        let ty = self.function.ty(value);
        let (Type::Scalar(_) | Type::Vector(..)) = self.types[ty] else {
            return None;
        };
        let span = self.function.inst(load).span;
        let mut add = |op, args| {
            let id = self.function.new_inst(Inst::new(op, args, span), &[ty]);
            kept.push(id);
            self.function.inst(id).results[0]
        };
        let zero = add(Op::Zero, Vec::new());
        Some(add(Op::Math(MathOp::Select), vec![guard, value, zero]))
    }

    fn rename(&mut self, id: InstId) {
        let inst = &mut self.function.insts[id.0 as usize];
        for value in inst.args.iter_mut().chain(&mut inst.guard) {
            *value = self.replaced.now(*value);
        }
    }

    /// What an instruction is known by, if its operands alone decide what it gives.
    fn key(&self, inst: &Inst) -> Option<Key> {
        let is_pure = match inst.op {
            Op::Load(_) => touches(inst).all(|touch| match touch.place.object(self.function) {
                Object::View(param) => !self.facts.footprints.is_mutable(self.facts.id, param),
                Object::Slot(_) | Object::TileStatic(_) => false,
            }),
            _ => inst.op.info().effects == Effects::default(),
        };
        (is_pure && !inst.results.is_empty()).then(|| Key {
            op: inst.op.clone(),
            args: inst.args.clone(),
            guard: inst.guard,
            types: inst
                .results
                .iter()
                .map(|it| self.function.ty(*it))
                .collect(),
        })
    }
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
    fn values_of_one_branch_are_unknown_after_it() {
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

    #[test]
    fn loads_use_the_stored_value() {
        becomes(
            "    slot s$0: [u32; 4]
    %5: usize = literal 1
    %6: usize = add %3, %5
    %7: bool = in_bounds view 1 %2, %3
    %8: bool = in_bounds view 1 %2, %6
    %9: bool = in_bounds len 4 always %5
    store %2[%3], %4 if %7
    store %2[%6], %4 if %8
    store s$0[%5], %4 if %9
    %10: u32 = load %2[%3] if %7
    %11: u32 = load s$0[%5] if %9
    %12: u32 = add %10, %11
    %13: u32 = load %2[%3] if %7
    store %2[%3], %12 if %7
    store s$0[%5], %13 if %9
    return
",
            "    slot s$0: [u32; 4]
    %5: usize = literal 1
    %6: usize = add %3, %5
    %7: bool = in_bounds view 1 %2, %3
    %8: bool = in_bounds view 1 %2, %6
    %9: bool = in_bounds len 4 always %5
    store %2[%3], %4 if %7
    store %2[%6], %4 if %8
    store s$0[%5], %4 if %9
    %10: u32 = zero
    %11: u32 = math Select %7, %4, %10
    %12: u32 = add %11, %4
    store %2[%3], %12 if %7
    store s$0[%5], %11 if %9
    return
",
        );
    }

    #[test]
    fn a_place_that_may_have_changed_is_loaded_again() {
        let kept = |between: &str| {
            let body = format!(
                "    %5: usize = literal 0
    %6: bool = in_bounds view 1 %2, %3
    %7: bool = in_bounds view 1 %2, %5
    store %2[%3], %4 if %6
    {between}
    %8: u32 = load %2[%3] if %6
    store %2[%5], %8 if %7
    return
"
            );
            becomes(&body, &body);
        };
        kept("store %2[%5], %4 if %7");
        kept("atomic Add %2[%5], %4 if %7");
        kept("barrier Global");
        kept("fence Global");
        kept("device_fence");
        kept(
            "if %6 {\n        store %2[%5], %4 if %7\n        yield\n    } else {\n        yield\n    }",
        );
    }
}
