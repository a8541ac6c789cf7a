//! Checks that a loop makes of its counter, made once for all rounds before it.
//!
//! ```text
//! for %s, %e, %one as %k: usize {     %n = sub %e, %s
//!     %ok = in_bounds view 1 %a, %k   %all = in_bounds section 1 %a, %s, %n
//!     note_fault #0 %ok, %k, %len     if %all {
//!     %x = load %a[%k] if %ok             for %s, %e, %one as %k: usize {
//!     ...                                     %ok = in_bounds view 1 in_range %a, %k
//! }                                           %x = load %a[%k] if %ok
//!                                             ...
//!                                         }
//!                                     } else {
//!                                         the loop as it was
//!                                     }
//! ```
//!
//! For loops over ranges that only the device knows, such as a row of a sparse matrix; what the
//! host can prove needs no second loop, so this comes after
//! [`launch_checks`](super::launch_checks). A counter plus or minus what the loop does not change
//! takes neighbouring values, so the elements that the rounds access are a section of the view,
//! and exist if the section does. Where it does not, the loop runs as it was: with its results and
//! faults, if the rounds get to one. Nothing moves from round to round, so loops may carry values,
//! be left early and do what they like to memory.
//!
//! Such a loop is in the code twice, so only innermost ones of at most 100 instructions are.
//! Leaves out those of known length; those in which threads wait for each other, since a tile's
//! need not agree on the way; and what a `while` or a range that includes its end counts.

use super::dce;
use crate::analysis::affine::Affine;
use crate::analysis::effects::Footprints;
use crate::analysis::loops::{Loop, Loops, Rounds};
use crate::mir::{
    Bound, Def, End, Function, Inst, InstId, Module, Op, Proof, Region, RegionId, Ty, Types, Value,
};
use crate::tree::{BinaryOp, FunctionId, Literal, Scalar, Span, Type};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Instructions of a loop that is worth having twice.
const MOST: usize = 100;

/// Makes checks of a module's kernel before its loops.
pub fn run(module: &mut Module, footprints: &Footprints) {
    let Some(number) = module.functions.len().checked_sub(1) else {
        return;
    };
    let affine = Affine::of(module, FunctionId(number as u32));
    let (bool, index) = (module.types.bool(), module.index.scalar());
    let index_ty = module.types.scalar(index);
    let function = &mut module.functions[number];
    let loops = Loops::of(function, &affine, footprints);
    let mut changed = false;
    for looping in loops.iter() {
        if !is_suited(function, looping) {
            continue;
        }
        let (checks, inside) = Finding::of(function, &module.types, index, looping.inst).checks();
        if !checks.is_empty() {
            let twice = Twice {
                function,
                id: looping.inst,
                inside,
                checks,
                index,
                types: [index_ty, bool],
                values: HashMap::default(),
                jumps: HashMap::default(),
                before: Vec::new(),
            };
            twice.run();
            changed = true;
        }
    }
    if changed {
        dce::run(function);
    }
}

/// Whether a loop may be in the code twice.
fn is_suited(function: &Function, looping: &Loop) -> bool {
    let inst = function.inst(looping.inst);
    let (mut count, mut is_innermost) = (0, true);
    function.walk(inst.regions[0], &mut |_, inst| {
        count += 1;
        is_innermost &= !inst.op.is_loop();
    });
    inst.op == Op::For
        && looping.rounds == Rounds::Unknown
        && !looping.footprint.meets
        && is_innermost
        && count <= MOST
}

/// A check that can be made for all rounds at once.
struct Check {
    inst: InstId,
    /// Of each component of its index.
    ways: Vec<Way>,
}

/// What a value does from round to round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// It is the same in all.
    Stays,
    /// It is as much more than in another as the counter is.
    Follows,
}

/// The search for such checks in a loop.
struct Finding<'f> {
    function: &'f Function,
    types: &'f Types,
    index: Scalar,
    body: RegionId,
    counter: Value,
    /// Values of the loop.
    inside: HashSet<Value>,
    /// What those of them do that are known so far.
    ways: HashMap<Value, Way>,
}

impl<'f> Finding<'f> {
    fn of(function: &'f Function, types: &'f Types, index: Scalar, id: InstId) -> Self {
        let body = function.inst(id).regions[0];
        let params = &function.region(body).params;
        let mut inside: HashSet<Value> = params.iter().copied().collect();
        function.walk(body, &mut |_, inst| {
            inside.extend(&inst.results);
        });
        Self {
            function,
            types,
            index,
            body,
            counter: params[0],
            inside,
            ways: HashMap::from_iter([(params[0], Way::Follows)]),
        }
    }

    /// The checks, and the values of the loop.
    fn checks(mut self) -> (Vec<Check>, HashSet<Value>) {
        let mut checks = Vec::new();
        self.function.walk(self.body, &mut |id, inst| {
            if let (Some(way), [result]) = (self.way_of(inst), &inst.results[..]) {
                self.ways.insert(*result, way);
            }
            if let Op::InBounds(Bound::View(_), Proof::Unproven(_)) = inst.op
                && !self.inside.contains(&inst.args[0])
                && let Some(ways) = inst.args[1..].iter().map(|it| self.way(*it)).collect()
            {
                checks.push(Check { inst: id, ways });
            }
        });
        (checks, self.inside)
    }

    fn way(&self, value: Value) -> Option<Way> {
        match self.inside.contains(&value) {
            true => self.ways.get(&value).copied(),
            false => Some(Way::Stays),
        }
    }

    /// What the result of an instruction of the loop does.
    fn way_of(&self, inst: &Inst) -> Option<Way> {
        match (&inst.op, &inst.args[..]) {
            (Op::Cast, [from]) => {
                // What has fewer bits than an index wraps earlier, but for the counter itself.
                let bits = match self.types[self.function.ty(*from)] {
                    Type::Scalar(scalar) if scalar.is_integer() => scalar.bits(),
                    _ => return None,
                };
                let fits = match *from == self.counter {
                    true => bits <= self.index.bits(),
                    false => bits == self.index.bits(),
                };
                self.way(*from).filter(|_| fits)
            }
            (Op::Binary(op), [a, b]) => match (self.way(*a)?, op, self.way(*b)?) {
                (a, BinaryOp::Add | BinaryOp::Sub, Way::Stays) => Some(a),
                (Way::Stays, BinaryOp::Add, b) => Some(b),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A loop that becomes two.
struct Twice<'f> {
    function: &'f mut Function,
    id: InstId,
    /// Its values.
    inside: HashSet<Value>,
    checks: Vec<Check>,
    index: Scalar,
    /// Of indices and of conditions.
    types: [Ty; 2],
    /// What its values are, first when it starts, and then in its copy.
    values: HashMap<Value, Value>,
    /// What its blocks, and the loop itself, are in its copy.
    jumps: HashMap<InstId, InstId>,
    /// What comes before it.
    before: Vec<InstId>,
}

impl Twice<'_> {
    fn run(mut self) {
        let id = self.id;
        let mut homes = self.function.regions.iter();
        let Some(home) = homes.position(|it| it.insts.contains(&id)) else {
            return;
        };
        let all = self.test();
        self.values.clear();
        let copy = self.copy(id);
        // Its results become those of the two.
        let results = std::mem::take(&mut self.function.insts[id.0 as usize].results);
        for result in &results {
            self.function.new_result(id, self.function.ty(*result));
        }
        let regions = [copy, id].map(|looping| {
            let results = self.function.inst(looping).results.clone();
            let region = self.function.new_region();
            self.function.regions[region.0 as usize].insts.push(looping);
            self.function.regions[region.0 as usize].end = End::Yield(results);
            region
        });
        let choice = Inst {
            regions: regions.to_vec(),
            results,
            ..Inst::new(Op::If, vec![all], self.function.inst(id).span)
        };
        let choice = self.function.new_inst(choice, &[]);
        for (position, result) in (0..).zip(&self.function.insts[choice.0 as usize].results) {
            self.function.values[result.0 as usize].def = Def::Inst(choice, position);
        }
        self.before.push(choice);
        let insts = &mut self.function.regions[home].insts;
        if let Some(at) = insts.iter().position(|it| *it == id) {
            insts.splice(at..=at, self.before);
        }
        for check in &self.checks {
            if let Op::InBounds(_, proof) = &mut self.function.insts[check.inst.0 as usize].op {
                *proof = Proof::Range;
            }
        }
    }

    /// Whether all checks hold in all rounds.
    fn test(&mut self) -> Value {
        let Inst {
            args,
            regions,
            span,
            ..
        } = self.function.inst(self.id).clone();
        let counter = self.function.region(regions[0]).params[0];
        let [start, end] = [0, 1].map(|at| self.as_index(args[at], span));
        let [index, bool] = self.types;
        let rounds = Inst::new(Op::Binary(BinaryOp::Sub), vec![end, start], span);
        let rounds = self.push(rounds, index);
        let one = Op::Literal(Literal::new(self.index, 1));
        let one = self.push(Inst::new(one, Vec::new(), span), index);
        self.values.insert(counter, args[0]);
        let mut all = None;
        for check in std::mem::take(&mut self.checks) {
            let Inst { args, span, .. } = self.function.inst(check.inst).clone();
            let mut operands = vec![args[0]];
            operands.extend(args[1..].iter().map(|it| self.at_start(*it)));
            operands.extend(check.ways.iter().map(|way| match way {
                Way::Stays => one,
                Way::Follows => rounds,
            }));
            let section = Op::InBounds(Bound::Section(check.ways.len() as u32), Proof::Range);
            let exists = self.push(Inst::new(section, operands, span), bool);
            all = Some(match all {
                None => exists,
                Some(all) => {
                    let both = Op::Binary(BinaryOp::BitAnd);
                    self.push(Inst::new(both, vec![all, exists], span), bool)
                }
            });
            self.checks.push(check);
        }
        all.unwrap_or(one)
    }

    fn as_index(&mut self, value: Value, span: Span) -> Value {
        let [index, _] = self.types;
        match self.function.ty(value) == index {
            true => value,
            false => self.push(Inst::new(Op::Cast, vec![value], span), index),
        }
    }

    /// A component of an index in the first round.
    fn at_start(&mut self, value: Value) -> Value {
        if let Some(known) = self.values.get(&value) {
            return *known;
        }
        let Def::Inst(id, _) = self.function.def(value) else {
            return value;
        };
        if !self.inside.contains(&value) {
            return value;
        }
        let Inst { op, args, span, .. } = self.function.inst(id).clone();
        let args = args.iter().map(|it| self.at_start(*it)).collect();
        let now = self.push(Inst::new(op, args, span), self.function.ty(value));
        self.values.insert(value, now);
        now
    }

    fn push(&mut self, inst: Inst, ty: Ty) -> Value {
        let id = self.function.new_inst(inst, &[ty]);
        self.before.push(id);
        self.function.inst(id).results[0]
    }

    /// An instruction of the loop, as it is where all checks hold.
    fn copy(&mut self, id: InstId) -> InstId {
        let mut inst = self.function.inst(id).clone();
        let regions = std::mem::take(&mut inst.regions);
        let results = std::mem::take(&mut inst.results);
        for value in inst.args.iter_mut().chain(&mut inst.guard) {
            *value = self.now(*value);
        }
        if let Op::InBounds(_, proof) = &mut inst.op
            && self.checks.iter().any(|check| check.inst == id)
        {
            *proof = Proof::InRange;
        }
        let copy = self.function.new_inst(inst, &[]);
        self.jumps.insert(id, copy);
        for region in regions {
            let region = self.copy_region(region);
            self.function.insts[copy.0 as usize].regions.push(region);
        }
        for result in results {
            let now = self.function.new_result(copy, self.function.ty(result));
            self.values.insert(result, now);
        }
        copy
    }

    fn copy_region(&mut self, id: RegionId) -> RegionId {
        let copy = self.function.new_region();
        let Region {
            params,
            insts,
            mut end,
        } = self.function.region(id).clone();
        for param in params {
            let now = self.function.region_param(copy, self.function.ty(param));
            self.values.insert(param, now);
        }
        for inst in insts {
            if !self.is_needless(inst) {
                let inst = self.copy(inst);
                self.function.regions[copy.0 as usize].insts.push(inst);
            }
        }
        if let End::Break(to, _) | End::Continue(to, _) = &mut end {
            *to = *self.jumps.get(to).unwrap_or(to);
        }
        for value in end.values_mut() {
            *value = self.now(*value);
        }
        self.function.regions[copy.0 as usize].end = end;
        copy
    }

    fn now(&self, value: Value) -> Value {
        *self.values.get(&value).unwrap_or(&value)
    }

    /// Whether an instruction notes a fault that none of the checks lets happen.
    fn is_needless(&self, id: InstId) -> bool {
        let inst = self.function.inst(id);
        let is_checked = |check: &Check| self.function.inst(check.inst).results == inst.args[..1];
        matches!(inst.op, Op::NoteFault(_)) && self.checks.iter().any(is_checked)
    }
}

#[cfg(test)]
mod tests;
