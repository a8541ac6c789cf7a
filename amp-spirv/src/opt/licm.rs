//! What every round of a loop computes again.
//!
//! ```text
//! loop {                              %3: u32 = mul %1, %1
//!     %3: u32 = mul %1, %1            loop {
//!     ...                                 ...
//! ```
//!
//! Pure instructions move before the loop if their operands and guard are from outside; checks
//! of bounds are among them. Nothing that can fault is pure without a guard, so what moves
//! may be computed although the loop has no round.
//!
//! Loads of views move, too, if nothing in the loop writes their memory or has the thread see what
//! others wrote, and every round does them. Drivers cannot do that: to them all views may overlap.
//! A load of a loop that may have no round is guarded by its first test as well: an index that is
//! never used need not be in bounds of an unchecked kernel.
//!
//! ```text
//! for %4, %5, %6 as %7: usize {       %9: bool = lt %4, %5
//!     %8: f32 = load %1[%2] if %3     %10: bool = bitand %3, %9
//!     ...                             %8: f32 = load %1[%2] if %10
//!                                     for %4, %5, %6 as %7: usize {
//! ```
//!
//! Leaves out what rounds compute only under conditions, that of a `while` among them, and loads of
//! local arrays and tile memory: drivers move these, after they have unrolled the loop, and fewer of
//! them stay in registers if they leave it before (docs/compiler.md has the figure).

use crate::analysis::affine::Affine;
use crate::analysis::effects::{Footprints, touches};
use crate::analysis::loops::{Loop, Loops, Rounds};
use crate::mir::{Base, Effects, Function, Inst, InstId, Module, Op, RegionId, Ty, Value};
use crate::tree::{BinaryOp, FunctionId};
use rustc_hash::FxHashMap as HashMap;

/// Moves what a module's loops compute again and again.
pub fn run(module: &mut Module, footprints: &Footprints) {
    let bool = module.types.bool();
    for number in 0..module.functions.len() {
        let id = FunctionId(number as u32);
        let affine = Affine::of(module, id);
        let function = &mut module.functions[number];
        let loops = Loops::of(function, &affine, footprints);
        let mut depths = vec![0; function.values.len()];
        define(function, function.body, 1, &mut depths);
        let mut hoisting = Hoisting {
            footprints,
            loops: loops.iter().map(|it| (it.inst, it)).collect(),
            id,
            bool,
            depths,
            function,
        };
        hoisting.region(hoisting.function.body, 1);
    }
}

/// Notes for each value how many regions it is in.
fn define(function: &Function, region: RegionId, depth: u32, depths: &mut [u32]) {
    let region = function.region(region);
    for param in &region.params {
        depths[param.0 as usize] = depth;
    }
    for id in &region.insts {
        let inst = function.inst(*id);
        for result in &inst.results {
            depths[result.0 as usize] = depth;
        }
        for inner in &inst.regions {
            define(function, *inner, depth + 1, depths);
        }
    }
}

struct Hoisting<'f> {
    function: &'f mut Function,
    footprints: &'f Footprints,
    loops: HashMap<InstId, &'f Loop>,
    id: FunctionId,
    bool: Ty,
    /// By value: how many regions it is in.
    depths: Vec<u32>,
}

impl Hoisting<'_> {
    /// Handles the loops in a region, inner ones first.
    fn region(&mut self, id: RegionId, depth: u32) {
        let insts = std::mem::take(&mut self.function.regions[id.0 as usize].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            for inner in self.function.inst(inst).regions.clone() {
                self.region(inner, depth + 1);
            }
            if let Some(&looping) = self.loops.get(&inst) {
                self.hoist(looping, depth, &mut kept);
            }
            kept.push(inst);
        }
        self.function.regions[id.0 as usize].insts = kept;
    }

    /// Moves instructions of a loop's body to `before`, which is in `depth` regions.
    fn hoist(&mut self, looping: &Loop, depth: u32, before: &mut Vec<InstId>) {
        let body = self.function.inst(looping.inst).regions[0];
        let insts = std::mem::take(&mut self.function.regions[body.0 as usize].insts);
        let mut kept = Vec::with_capacity(insts.len());
        let mut some_round = None;
        let mut in_all_rounds = true;
        for id in insts {
            let inst = self.function.inst(id);
            in_all_rounds &= inst.regions.is_empty();
            let is_load = in_all_rounds && self.is_steady(inst, looping);
            let is_pure = inst.op.info().effects == Effects::default() && inst.regions.is_empty();
            let is_outside = |value: &Value| self.depths[value.0 as usize] <= depth;
            let moves = inst.args.iter().chain(&inst.guard).all(is_outside);
            if !(moves && (is_pure || is_load)) {
                kept.push(id);
                continue;
            }
            if is_load {
                let some_round =
                    *some_round.get_or_insert_with(|| self.some_round(looping, depth, before));
                self.guard(id, some_round, depth, before);
            }
            for result in &self.function.inst(id).results {
                self.depths[result.0 as usize] = depth;
            }
            before.push(id);
        }
        self.function.regions[body.0 as usize].insts = kept;
    }

    /// Whether an instruction is a load of what a loop leaves alone.
    fn is_steady(&self, inst: &Inst, looping: &Loop) -> bool {
        let does = &looping.footprint;
        let changes = |object| self.footprints.changes(self.id, does, object);
        matches!(&inst.op, Op::Load(access) if matches!(access.base, Base::Element(_)))
            && !touches(inst).any(|it| changes(it.place.object(self.function)))
    }

    /// Whether a loop has a round; nothing if it always has.
    fn some_round(
        &mut self,
        looping: &Loop,
        depth: u32,
        before: &mut Vec<InstId>,
    ) -> Option<Value> {
        let inst = self.function.inst(looping.inst);
        let test = match (&inst.op, looping.rounds) {
            (Op::Loop, _) | (_, Rounds::Literal(1..)) => return None,
            (Op::For, _) => BinaryOp::Lt,
            _ => BinaryOp::Le,
        };
        let limits = inst.args[..2].to_vec();
        Some(self.test(looping.inst, test, limits, depth, before))
    }

    /// Adds to what a load is guarded by.
    fn guard(
        &mut self,
        load: InstId,
        condition: Option<Value>,
        depth: u32,
        before: &mut Vec<InstId>,
    ) {
        let Some(condition) = condition else { return };
        let guard = match self.function.inst(load).guard {
            Some(guard) => self.test(
                load,
                BinaryOp::BitAnd,
                vec![guard, condition],
                depth,
                before,
            ),
            None => condition,
        };
        self.function.insts[load.0 as usize].guard = Some(guard);
    }

    /// A new `bool` before a loop, at the place in the source of an instruction.
    fn test(
        &mut self,
        at: InstId,
        op: BinaryOp,
        args: Vec<Value>,
        depth: u32,
        before: &mut Vec<InstId>,
    ) -> Value {
        let inst = Inst::new(Op::Binary(op), args, self.function.inst(at).span);
        let id = self.function.new_inst(inst, &[self.bool]);
        before.push(id);
        self.depths.push(depth);
        self.function.inst(id).results[0]
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
    fn pure_instructions_leave_all_loops_that_they_can() {
        becomes(
            "    for %4, %4, %4 as %5: u32 {
        for %4, %4, %4 as %6: u32 {
            %7: bool = in_bounds view 1 %2, %3
            %8: u32 = mul %5, %5
            %9: u32 = add %8, %6
            store %2[%3], %9 if %7
            yield
        }
        yield
    }
    return
",
            "    %5: bool = in_bounds view 1 %2, %3
    for %4, %4, %4 as %6: u32 {
        %7: u32 = mul %6, %6
        for %4, %4, %4 as %8: u32 {
            %9: u32 = add %7, %8
            store %2[%3], %9 if %5
            yield
        }
        yield
    }
    return
",
        );
    }

    #[test]
    fn loads_of_views_that_nothing_changes_leave_loops_with_their_guards() {
        becomes(
            "    slot s$0: u32
    store s$0, %4
    for %4, %4, %4 as %5: u32 {
        %6: bool = in_bounds view 1 %1, %3
        note_fault #0 %6, %3, %3
        %7: u32 = load %1[%3] if %6
        %8: u32 = load s$0
        %9: bool = in_bounds view 1 %2, %3
        %10: u32 = load %2[%3] if %9
        %11: u32 = add %7, %8
        %12: u32 = add %10, %11
        store %2[%3], %12 if %9
        yield
    }
    loop {
        %13: bool = in_bounds view 1 %2, %3
        %14: u32 = load %2[%3] if %13
        store s$0, %14
        if %13 {
            yield
        } else {
            return
        }
        %15: u32 = load %1[%3] if %13
        store s$0, %15
        yield
    }
    unreachable
",
            "    slot s$0: u32
    store s$0, %4
    %5: bool = in_bounds view 1 %1, %3
    %6: bool = lt %4, %4
    %7: bool = bitand %5, %6
    %8: u32 = load %1[%3] if %7
    %9: bool = in_bounds view 1 %2, %3
    for %4, %4, %4 as %10: u32 {
        note_fault #0 %5, %3, %3
        %11: u32 = load s$0
        %12: u32 = load %2[%3] if %9
        %13: u32 = add %8, %11
        %14: u32 = add %12, %13
        store %2[%3], %14 if %9
        yield
    }
    %15: bool = in_bounds view 1 %2, %3
    %16: u32 = load %2[%3] if %15
    loop {
        store s$0, %16
        if %15 {
            yield
        } else {
            return
        }
        %17: u32 = load %1[%3] if %15
        store s$0, %17
        yield
    }
    unreachable
",
        );
    }

    #[test]
    fn loads_stay_where_others_may_write() {
        let body = "    %5: bool = in_bounds view 1 %2, %3
    for %4, %4, %4 as %6: u32 {
        %7: u32 = load %2[%3] if %5
        note_fault #0 %5, %3, %3
        fence Global
        yield
    }
    return
";
        becomes(body, body);
    }
}
