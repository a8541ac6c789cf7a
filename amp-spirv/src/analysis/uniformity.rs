//! Which dimensions of the tile each value varies along, and each instruction's execution.
//!
//! Threads are compared where they execute the same instruction in the same rounds of the loops
//! around it. A value varies along ([`Varies`])
//!
//! * what its operands and its guard vary along, and what its operation finds by itself;
//! * if it leaves an `if`, a block or a loop on several ways, or goes into a next round on several,
//!   what the choice of the way varies along. Inside of a loop nothing varies because threads
//!   leave it in different rounds: those that have left do not hold the value;
//! * if it is loaded from a slot, what is ever stored there varies along, and what decides whether
//!   it is.
//!
//! Execution varies along the conditions around an instruction, and along those on which threads
//! have jumped past it ([`Uniformity::execution`]).
//!
//! Memory that threads share is read as if no two threads raced, since no program can rely on
//! what a race brings: a load varies along its index. Between two barriers all threads that read
//! an element then read the same. Fences that are no barriers let a thread see what another has
//! just written; where there are such, loads of what they order vary in any case.
//!
//! For the passes that give one hardware thread the work of several, coarsening and widening: what
//! varies along no dimension that is merged is done once, and what all execute together needs no
//! condition of its own.
//!
//! Leaves out what parts of an aggregate vary along, except those of the thread's index, and what
//! cancels out: `t_idx.global[0] - t_idx.local[0]` varies.

use std::collections::BTreeMap;

use super::effects::{Footprints, Object, Place, touches};
pub use super::varies::Varies;
use crate::mir::{Def, End, Function, Inst, InstId, Module, Op, Param, RegionId, SlotId, Value};
use crate::tree::{Domain, FunctionId, SharedMemory};
use rustc_hash::FxHashMap as HashMap;

/// What the values and instructions of a function vary along, if its parameters, but for the
/// kernel's index, are the same in all threads, and all threads of a tile call it together.
#[derive(Clone, Debug)]
pub struct Uniformity {
    /// By value.
    values: Vec<Varies>,
    /// By slot.
    slots: Vec<Varies>,
    /// By instruction.
    execution: Vec<Varies>,
    /// What it returns.
    result: Varies,
}

impl Uniformity {
    /// Facts about the functions of a module.
    pub fn of(module: &Module) -> Vec<Uniformity> {
        let footprints = Footprints::of(module);
        let mut free = SharedMemory::default();
        for function in &module.functions {
            function.walk(function.body, &mut |_, inst| match inst.op {
                Op::Barrier(..) => {}
                _ => free |= inst.op.orders(),
            });
        }
        let mut known: Vec<Uniformity> = Vec::new();
        for (number, function) in (0..).zip(&module.functions) {
            let is_kernel = number as usize + 1 == module.functions.len();
            let mut walk = Walk {
                function,
                id: FunctionId(number),
                position: is_kernel.then_some(&module.domain),
                footprints: &footprints,
                free,
                callees: &known,
                facts: Uniformity {
                    values: vec![Varies::UNIFORM; function.values.len()],
                    slots: vec![Varies::UNIFORM; function.slots.len()],
                    execution: vec![Varies::UNIFORM; function.insts.len()],
                    result: Varies::UNIFORM,
                },
                frames: Vec::new(),
                heads: HashMap::default(),
                grown: true,
            };
            walk.start();
            while std::mem::take(&mut walk.grown) {
                walk.body();
            }
            let mut facts = walk.facts;
            if let Some(slot) = function.result_slot {
                facts.result |= facts.slots[slot.0 as usize];
            }
            known.push(facts);
        }
        known
    }

    /// What a value varies along.
    pub fn value(&self, value: Value) -> Varies {
        self.values[value.0 as usize]
    }

    /// What a variable's contents vary along.
    pub fn slot(&self, slot: SlotId) -> Varies {
        self.slots[slot.0 as usize]
    }

    /// What it varies along whether a thread executes an instruction that others do.
    pub fn execution(&self, inst: InstId) -> Varies {
        self.execution[inst.0 as usize]
    }
}

/// Where threads that have jumped go on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    /// Behind an instruction.
    Behind(InstId),
    /// In the next round of a loop.
    Next(InstId),
    /// Behind the function's call.
    Caller,
}

/// The function or an instruction that jumps leave, around the current point. What is in it is
/// relative to the threads that have entered it.
#[derive(Default)]
struct Frame {
    /// What the conditions around the current point vary along.
    guard: Varies,
    /// Where threads have gone ahead of those that are here, and what that varies along.
    away: BTreeMap<Target, Varies>,
    /// What it varies along on which way a thread leaves, with a jump or without.
    exits: Varies,
    /// What it varies along on which way a thread goes into the next round.
    nexts: Varies,
}

struct Walk<'m> {
    function: &'m Function,
    id: FunctionId,
    /// What the first parameter is a position in, in the kernel.
    position: Option<&'m Domain>,
    footprints: &'m Footprints,
    /// What fences order that are no barriers.
    free: SharedMemory,
    callees: &'m [Uniformity],
    facts: Uniformity,
    /// Innermost last, with the instruction; none for the function.
    frames: Vec<(Option<InstId>, Frame)>,
    /// Which threads are away where a round of a loop begins.
    heads: HashMap<InstId, BTreeMap<Target, Varies>>,
    /// Something varies that did not.
    grown: bool,
}

impl<'m> Walk<'m> {
    /// The kernel's index as a whole varies along all dimensions.
    fn start(&mut self) {
        if let (Some(domain), Some(Param::Value(index))) =
            (self.position, self.function.params.first())
        {
            let dimensions = (0..domain.rank()).map(Varies::along);
            self.vary(*index, dimensions.collect());
        }
    }

    fn body(&mut self) {
        self.frames.push((None, Frame::default()));
        self.region(self.function.body);
        self.frames.pop();
    }

    fn region(&mut self, region: RegionId) {
        let function = self.function;
        for &id in &function.region(region).insts {
            let execution = self.division(0);
            self.facts.execution[id.0 as usize] |= execution;
            self.inst(id, function.inst(id));
        }
        match &function.region(region).end {
            End::Break(to, values) => {
                let found = self.jump(Target::Behind(*to), |frame| &mut frame.exits);
                self.pass(values, &function.inst(*to).results, found);
            }
            End::Continue(to, values) => {
                let found = self.jump(Target::Next(*to), |frame| &mut frame.nexts);
                self.pass(values, self.carried(*to), found);
            }
            End::Return(value) => {
                let found = self.jump(Target::Caller, |frame| &mut frame.exits);
                let value = value.map_or(Varies::UNIFORM, |value| self.value(value));
                self.facts.result |= value | found;
            }
            End::Yield(_) | End::Unreachable => {}
        }
    }

    /// What it varies along whether a thread is here, among those that have entered the frames
    /// from this one on.
    fn division(&self, from: usize) -> Varies {
        let frames = self.frames[from..].iter();
        frames
            .flat_map(|(_, frame)| frame.away.values().copied().chain([frame.guard]))
            .collect()
    }

    /// The threads that are here jump, and their target notes the way. What it varies along which
    /// way threads take to the target.
    fn jump(&mut self, target: Target, way: impl Fn(&mut Frame) -> &mut Varies) -> Varies {
        let inst = match target {
            Target::Behind(inst) | Target::Next(inst) => Some(inst),
            Target::Caller => None,
        };
        let position = self.frames.iter().rposition(|(of, _)| *of == inst);
        let position = position.unwrap_or(0);
        let division = self.division(position);
        *way(&mut self.frames[position].1) |= division;
        if !division.is_uniform()
            && let Some((_, frame)) = self.frames.last_mut()
        {
            *frame.away.entry(target).or_default() |= division;
        }
        division
    }

    /// The values that a loop carries into its rounds.
    fn carried(&self, id: InstId) -> &'m [Value] {
        let inst = self.function.inst(id);
        let params = &self.function.region(inst.regions[0]).params;
        match inst.op {
            Op::Loop => params,
            // The counter is not carried.
            _ => &params[1..],
        }
    }

    fn value(&self, value: Value) -> Varies {
        self.facts.value(value)
    }

    fn all(&self, values: &[Value]) -> Varies {
        values.iter().map(|value| self.value(*value)).collect()
    }

    fn vary(&mut self, value: Value, varies: Varies) {
        let known = &mut self.facts.values[value.0 as usize];
        self.grown |= !known.includes(varies);
        *known |= varies;
    }

    /// Values become others, on one of several ways.
    fn pass(&mut self, from: &[Value], to: &[Value], way: Varies) {
        for (from, to) in from.iter().zip(to) {
            self.vary(*to, self.value(*from) | way);
        }
    }

    fn inst(&mut self, id: InstId, inst: &'m Inst) {
        match inst.op {
            Op::If => self.choice(inst),
            Op::Block => self.block(id, inst),
            Op::Loop | Op::For | Op::ForInclusive => self.repeat(id, inst),
            _ => {
                let operands = self.all(&inst.args) | self.all(inst.guard.as_slice());
                let varies = self.found(inst, operands);
                for &result in &inst.results {
                    self.vary(result, varies);
                }
                self.write(inst, varies);
            }
        }
    }

    /// What the result of an instruction without regions varies along.
    fn found(&self, inst: &Inst, operands: Varies) -> Varies {
        let by_itself = match &inst.op {
            Op::Extract(part) => match self.position(inst.args[0], *part) {
                Some(position) => return position,
                None => Varies::UNIFORM,
            },
            Op::Atomic(..) => Varies::of_atomic(),
            Op::Subgroup(op) => Varies::of_subgroup(*op),
            Op::Call(callee) => {
                let slots = inst.slots.iter().map(|slot| self.slot(*slot));
                slots.collect::<Varies>() | self.callees[callee.0 as usize].result
            }
            _ => {
                let reads = touches(inst).filter(|touch| touch.reads);
                reads.map(|touch| self.read(touch.place)).collect()
            }
        };
        operands | by_itself
    }

    /// A component of the kernel's index.
    fn position(&self, whole: Value, part: u32) -> Option<Varies> {
        match (self.function.def(whole), self.position?) {
            (Def::Param(0), Domain::Range { .. }) => Some(Varies::along(part)),
            (Def::Inst(id, _), Domain::Tiled { .. }) => {
                let inst = self.function.inst(id);
                match inst.op {
                    Op::Extract(field) if self.function.def(inst.args[0]) == Def::Param(0) => {
                        Some(Varies::of_position(field, part))
                    }
                    _ => None,
                }
            }
            (Def::Param(0), Domain::Tiled { tile }) => {
                let components = 0..tile.len() as u32;
                Some(components.map(|it| Varies::of_position(part, it)).collect())
            }
            _ => None,
        }
    }

    fn slot(&self, slot: SlotId) -> Varies {
        self.facts.slots[slot.0 as usize]
    }

    /// What an element varies along besides its index.
    fn read(&self, place: Place<'_>) -> Varies {
        let is_watched = match place.object(self.function) {
            Object::Slot(slot) => return self.slot(slot),
            Object::TileStatic(_) => self.free.tile,
            Object::View(param) => self.free.views && self.footprints.is_mutable(self.id, param),
        };
        match is_watched {
            true => Varies::ANY,
            false => Varies::UNIFORM,
        }
    }

    /// Slots take what an instruction writes, or what a call gives back.
    fn write(&mut self, inst: &Inst, varies: Varies) {
        let varies = varies | self.division(0);
        let written = touches(inst).filter(|touch| touch.writes);
        let written = written.map(|touch| touch.place.object(self.function));
        // A call writes at most the slot of its result, the first.
        let of_call = match inst.op {
            Op::Call(_) => inst.slots.first(),
            _ => None,
        };
        let of_call = of_call.map(|slot| Object::Slot(*slot));
        for object in written.chain(of_call) {
            if let Object::Slot(slot) = object {
                let known = &mut self.facts.slots[slot.0 as usize];
                self.grown |= !known.includes(varies);
                *known |= varies;
            }
        }
    }

    fn choice(&mut self, inst: &'m Inst) {
        let condition = self.value(inst.args[0]);
        let yields =
            |region: &&RegionId| matches!(self.function.region(**region).end, End::Yield(_));
        // What only one way comes out of does not depend on the choice.
        let way = match inst.regions.iter().filter(yields).count() {
            2 => condition,
            _ => Varies::UNIFORM,
        };
        let Some((_, frame)) = self.frames.last_mut() else {
            return;
        };
        let guard = frame.guard;
        let before = frame.away.clone();
        let mut after = before.clone();
        for &region in &inst.regions {
            if let Some((_, frame)) = self.frames.last_mut() {
                frame.guard = guard | condition;
                frame.away.clone_from(&before);
            }
            self.region(region);
            if let End::Yield(values) = &self.function.region(region).end {
                self.pass(values, &inst.results, way);
            }
            if let Some((_, frame)) = self.frames.last() {
                add(&mut after, &frame.away);
            }
        }
        if let Some((_, frame)) = self.frames.last_mut() {
            frame.guard = guard;
            frame.away = after;
        }
    }

    fn block(&mut self, id: InstId, inst: &'m Inst) {
        self.frames.push((Some(id), Frame::default()));
        self.region(inst.regions[0]);
        if let End::Yield(values) = &self.function.region(inst.regions[0]).end {
            self.pass(values, &inst.results, Varies::UNIFORM);
        }
        self.leave(id, inst);
    }

    fn repeat(&mut self, id: InstId, inst: &'m Inst) {
        let region = inst.regions[0];
        let carried = self.carried(id);
        let first = &inst.args[inst.args.len() - carried.len()..];
        self.pass(first, carried, Varies::UNIFORM);
        let mut frame = Frame {
            away: self.heads.get(&id).cloned().unwrap_or_default(),
            ..Frame::default()
        };
        if inst.op != Op::Loop {
            let range = [0, 1, 2].map(|at| self.value(inst.args[at]));
            let [start, _, step] = range;
            self.vary(self.function.region(region).params[0], start | step);
            // Some threads stop while others go on.
            let rounds: Varies = range.into_iter().collect();
            frame.exits = rounds;
            if !rounds.is_uniform() {
                *frame.away.entry(Target::Behind(id)).or_default() |= rounds;
            }
        }
        self.frames.push((Some(id), frame));
        self.region(region);
        if let End::Yield(values) = &self.function.region(region).end {
            self.pass(values, carried, Varies::UNIFORM);
        }
        if let Some((_, frame)) = self.frames.last_mut() {
            // Those who have gone ahead into the next round are met there.
            let nexts = frame.nexts;
            let mut away = frame.away.clone();
            away.remove(&Target::Next(id));
            let head = self.heads.entry(id).or_default();
            self.grown |= add(head, &away);
            for &value in carried {
                self.vary(value, nexts);
            }
        }
        if inst.op != Op::Loop {
            self.pass(carried, &inst.results, Varies::UNIFORM);
        }
        self.leave(id, inst);
    }

    /// Behind a block or loop.
    fn leave(&mut self, id: InstId, inst: &Inst) {
        let Some((_, inner)) = self.frames.pop() else {
            return;
        };
        for &result in &inst.results {
            self.vary(result, inner.exits);
        }
        if let Some((_, frame)) = self.frames.last_mut() {
            let mut away = inner.away;
            away.remove(&Target::Behind(id));
            away.remove(&Target::Next(id));
            add(&mut frame.away, &away);
        }
    }
}

/// Adds what more threads are away; whether there are any.
fn add(away: &mut BTreeMap<Target, Varies>, more: &BTreeMap<Target, Varies>) -> bool {
    let mut grown = false;
    for (target, varies) in more {
        let known = away.entry(*target).or_default();
        grown |= !known.includes(*varies);
        *known |= *varies;
    }
    grown
}

#[cfg(test)]
mod tests;
