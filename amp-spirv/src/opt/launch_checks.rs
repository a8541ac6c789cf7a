//! Checks that the host can make for a whole launch: of indices and provable.
//!
//! ```text
//! %ok = in_bounds %a[%i, %j]          %ok = in_bounds %a[%i, %j] proven by launch(0)
//!
//! %ok = ne %n, %zero                  %is = ne %n, %zero
//! note_fault #0 %ok, ..               %ok = proven 1 %is
//! %x = rem %k, %n if %ok              note_fault #0 %ok, ..
//!                                     %x = rem %k, %n if %ok
//! ```
//!
//! and in [`Module::proofs`]: `%i < a.extent()[0]`, `%j < a.extent()[1]` and `0 < %n`, where both
//! sides are [graphs](crate::proof) over what the host knows about a launch. The guard stays where
//! it is; a pipeline that is specialised for the group has it true. A check of an index that stays
//! says why.
//!
//! The last of the passes that move checks: a check that is proven under a condition must not
//! be taken for one outside of it. Needs calls to be inlined: it looks at the kernel alone.
//! Conditions around an index count as far as they compare it, or what it is computed from, with
//! something (`if i + 1 < n`), those of loops too.
//!
//! Leaves out what is computed from data.

use super::cuts;
use super::graph::Graph;
use crate::mir::{Bound, Def, End, Function, Inst, InstId, Module, Op, Proof, RegionId, Value};
use crate::proof::{Check, GROUPS, Node, Operation, Proofs};
use crate::remark::Unproven;
use crate::tree::{BinaryOp, Len};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// Finds the checks of a module's kernel.
pub fn run(module: &mut Module) {
    let Some(kernel) = module.functions.last() else {
        return;
    };
    let mut noted = HashSet::default();
    kernel.walk(kernel.body, &mut |_, inst| {
        if let Op::NoteFault(_) = inst.op {
            noted.insert(inst.args[0]);
        }
    });
    let mut finder = Finder {
        graph: Graph::of(module, kernel),
        noted,
        groups: Vec::new(),
        found: Vec::new(),
        rounds: None,
        provable: HashMap::default(),
    };
    finder.region(kernel.body);
    let Finder {
        graph,
        groups,
        found,
        provable,
        ..
    } = finder;
    let checks = (0..).zip(groups).flat_map(|(number, conditions)| {
        let group = number.min(GROUPS - 1);
        conditions.into_iter().map(move |(value, limit)| Check {
            group,
            value,
            limit,
        })
    });
    module.proofs = Proofs::new(&graph.nodes, &checks.collect::<Vec<_>>());
    let Some(kernel) = module.functions.last_mut() else {
        return;
    };
    for (id, found) in found {
        if let Op::InBounds(_, proof) = &mut kernel.insts[id.0 as usize].op {
            *proof = match found {
                Ok(group) => Proof::Launch(group.min(GROUPS - 1)),
                Err(why) => Proof::Unproven(why),
            };
        }
    }
    for number in 0..kernel.regions.len() {
        let mut insts = Vec::new();
        for id in std::mem::take(&mut kernel.regions[number].insts) {
            if let Some(&group) = provable.get(&id) {
                let group = Op::Proven(group.min(GROUPS - 1));
                insts.push(apart(kernel, id, group));
            }
            insts.push(id);
        }
        kernel.regions[number].insts = insts;
    }
}

/// Moves the computation of a condition to a new instruction, which it gives, and leaves in its place
/// that the host may prove it.
fn apart(function: &mut Function, id: InstId, proven: Op) -> InstId {
    let inst = function.inst(id);
    let (condition, ty) = (
        Inst::new(inst.op.clone(), inst.args.clone(), inst.span),
        function.ty(inst.results[0]),
    );
    let condition = function.new_inst(condition, &[ty]);
    let result = function.inst(condition).results[0];
    let inst = &mut function.insts[id.0 as usize];
    inst.op = proven;
    inst.args = vec![result];
    condition
}

struct Finder<'m> {
    graph: Graph<'m>,
    /// Conditions without which there is a fault.
    noted: HashSet<Value>,
    /// Conditions of each group: values and what they are less than.
    groups: Vec<Vec<(u32, u32)>>,
    /// Checks with their groups, or why they have none.
    found: Vec<(InstId, Result<u32, Unproven>)>,
    /// The group in which there are few rounds, if there is one, once a note has asked.
    rounds: Option<Option<u32>>,
    /// Conditions of faults, with the groups in which they hold.
    provable: HashMap<InstId, u32>,
}

impl Finder<'_> {
    fn region(&mut self, region: RegionId) {
        let outside = self.graph.facts.len();
        for &id in &self.graph.function.region(region).insts {
            self.inst(id);
        }
        self.graph.facts.truncate(outside);
    }

    fn inst(&mut self, id: InstId) {
        let inst = self.graph.function.inst(id);
        match &inst.op {
            Op::InBounds(bound, Proof::None) => self.check(id, *bound, inst),
            Op::Binary(_) if self.noted.contains(&inst.results[0]) => self.check_divisor(id, inst),
            Op::NoteCut(_) => self.check_rounds(inst),
            Op::If => {
                let (condition, [then, otherwise]) = (inst.args[0], [0, 1]);
                let before = self.graph.facts.len();
                self.graph.assume(condition, true);
                self.region(inst.regions[then]);
                self.graph.facts.truncate(before);
                self.graph.assume(condition, false);
                self.region(inst.regions[otherwise]);
                self.graph.facts.truncate(before);
                // What leaves one way only leaves the other way's condition behind.
                let goes_on = |way: usize| {
                    matches!(
                        self.graph.function.region(inst.regions[way]).end,
                        End::Yield(_)
                    )
                };
                match (goes_on(then), goes_on(otherwise)) {
                    (true, false) => self.graph.assume(condition, true),
                    (false, true) => self.graph.assume(condition, false),
                    _ => {}
                }
            }
            _ => {
                for &region in &inst.regions {
                    self.region(region);
                }
            }
        }
    }

    /// Notes a check if its sides are known to the host.
    fn check(&mut self, id: InstId, bound: Bound, inst: &Inst) {
        let mut conditions = Vec::new();
        let known = match bound {
            Bound::View(_) => self.below_extents(inst.args[0], &inst.args[1..], &mut conditions),
            Bound::Row => self.below_extents(inst.args[0], &inst.args[1..2], &mut conditions),
            Bound::Len(len) => {
                let limit = match len {
                    Len::Literal(len) => self.graph.node(Node::Constant(len.into())),
                    Len::Const(id) => self.graph.constant(id.0),
                };
                self.below(inst.args[0], limit, &mut conditions)
            }
            Bound::Section(rank) => {
                let (origin, extent) = inst.args[1..].split_at(rank as usize);
                self.within(inst.args[0], origin, extent, &mut conditions)
            }
            Bound::Shape(_) | Bound::Elements(_) => Err(Unproven::Extent),
        };
        let group = known.map(|()| self.group(conditions));
        self.found.push((id, group));
    }

    /// The group of checks that depend on some conditions.
    fn group(&mut self, conditions: Vec<(u32, u32)>) -> u32 {
        let found = self.groups.iter().position(|group| *group == conditions);
        let group = found.unwrap_or_else(|| {
            self.groups.push(conditions);
            self.groups.len() - 1
        });
        group as u32
    }

    /// Notes that a division does not fault if the host finds its divisor to be more than zero.
    fn check_divisor(&mut self, id: InstId, inst: &Inst) {
        let Some(divisor) = self.divisor(inst) else {
            return;
        };
        let (zero, divisor) = (
            self.graph.node(Node::Constant(0)),
            self.graph.value(divisor),
        );
        let mut conditions = Vec::new();
        if self.less(zero, divisor, &mut conditions).is_ok() {
            let group = self.group(conditions);
            self.provable.insert(id, group);
        }
    }

    /// Notes that no driver ends a loop early if the host finds that there are few rounds.
    fn check_rounds(&mut self, inst: &Inst) {
        let group = self.rounds.unwrap_or_else(|| {
            // What holds here need not hold in other loops.
            let facts = std::mem::take(&mut self.graph.facts);
            let conditions = cuts::few_rounds(&mut self.graph);
            self.graph.facts = facts;
            conditions.map(|it| self.group(it))
        });
        self.rounds = Some(group);
        if let (Def::Inst(id, _), Some(group)) = (self.graph.function.def(inst.args[0]), group) {
            self.provable.insert(id, group);
        }
    }

    /// What a condition requires not to be zero, or not to be -1 where that overflows; nothing if
    /// it is a constant, which drivers know.
    fn divisor(&self, inst: &Inst) -> Option<Value> {
        let op = |value| Some(&self.graph.function.def_inst(value)?.op);
        match (&inst.op, &inst.args[..]) {
            (Op::Binary(BinaryOp::Ne), &[divisor, bad]) => match (op(divisor), op(bad)?) {
                (Some(Op::Const(_)), _) => None,
                (_, Op::Literal(bad)) => matches!(bad.integer()?, 0 | -1).then_some(divisor),
                _ => None,
            },
            (Op::Binary(BinaryOp::BitOr), &[_, harmless]) => {
                self.divisor(self.graph.function.def_inst(harmless)?)
            }
            _ => None,
        }
    }

    /// Each component is less than the view's extent there.
    fn below_extents(
        &mut self,
        view: Value,
        components: &[Value],
        conditions: &mut Vec<(u32, u32)>,
    ) -> Result<(), Unproven> {
        for (dimension, component) in (0..).zip(components) {
            let limit = self.extent(view, dimension, conditions)?;
            self.below(*component, limit, conditions)?;
        }
        Ok(())
    }

    fn below(
        &mut self,
        value: Value,
        limit: u32,
        conditions: &mut Vec<(u32, u32)>,
    ) -> Result<(), Unproven> {
        let value = self.graph.value(value);
        self.less(value, limit, conditions)
    }

    /// Adds a condition that the host can make true.
    fn less(
        &self,
        value: u32,
        limit: u32,
        conditions: &mut Vec<(u32, u32)>,
    ) -> Result<(), Unproven> {
        self.graph.bounded(value)?;
        self.graph.bounded(limit)?;
        conditions.push((value, limit));
        Ok(())
    }

    /// A section lies within a view: `origin + extent < whole + 1`.
    fn within(
        &mut self,
        view: Value,
        origin: &[Value],
        extent: &[Value],
        conditions: &mut Vec<(u32, u32)>,
    ) -> Result<(), Unproven> {
        let int = self.graph.index();
        for (dimension, (origin, extent)) in (0..).zip(origin.iter().zip(extent)) {
            let whole = self.extent(view, dimension, conditions)?;
            let one = self.graph.node(Node::Constant(1));
            let limit = self
                .graph
                .node(Node::Binary(Operation::Add, whole, one, int));
            let (start, length) = (self.graph.value(*origin), self.graph.value(*extent));
            let end = self
                .graph
                .node(Node::Binary(Operation::Add, start, length, int));
            self.less(end, limit, conditions)?;
        }
        Ok(())
    }

    /// The extent of a view; what has to hold for it is added to the conditions.
    fn extent(
        &mut self,
        view: Value,
        dimension: u32,
        conditions: &mut Vec<(u32, u32)>,
    ) -> Result<u32, Unproven> {
        let inst = match self.graph.function.def(view) {
            Def::Inst(id, _) => self.graph.function.inst(id),
            // The first parameter is the kernel's index.
            Def::Param(position @ 1..) => {
                return Ok(self.graph.node(Node::Extent(position - 1, dimension)));
            }
            _ => return Err(Unproven::Extent),
        };
        match inst.op {
            Op::Row => {
                self.below_extents(inst.args[0], &inst.args[1..2], conditions)?;
                self.extent(inst.args[0], dimension + 1, conditions)
            }
            Op::Section => {
                let (origin, extent) = inst.args[1..].split_at((inst.args.len() - 1) / 2);
                self.within(inst.args[0], origin, extent, conditions)?;
                Ok(self.graph.value(extent[dimension as usize]))
            }
            _ => Err(Unproven::Extent),
        }
    }
}
