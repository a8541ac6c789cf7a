//! Checks of indices that the host can make for a whole launch.
//!
//! ```text
//! %ok = in_bounds %a[%i, %j]          %ok = in_bounds %a[%i, %j] proven by launch(0)
//! ```
//!
//! and in [`Module::proofs`]: `%i < a.extent()[0]`, `%j < a.extent()[1]`, where both sides are
//! [graphs](crate::proof) over what the host knows of a launch. The guard stays where it is; a
//! pipeline that is specialised for the group has it true.
//!
//! The last of the passes that move checks: a check that is proven under a condition must not
//! be taken for one outside of it. Needs calls to be inlined: it looks at the kernel alone. Conditions around an index count as
//! far as they compare it with something (`if i + 1 < n`), those of loops too.
//!
//! Leaves out what is computed from data, and values that loops carry, except counters and
//! what only shrinks.

mod graph;

use std::collections::HashMap;

use crate::ir::{BinaryOp, Len, UnaryOp};
use crate::mir::{Bound, Def, End, Function, Inst, InstId, Module, Op, Proof, RegionId, Value};
use crate::proof::{Check, GROUPS, Node, Operation, Proofs};

/// Definitions that are followed for one value.
const BUDGET: u32 = 200;

/// Finds the checks of a module's kernel.
pub fn run(module: &mut Module) {
    let Some(kernel) = module.functions.last() else {
        return;
    };
    let mut finder = Finder {
        module,
        function: kernel,
        nodes: Vec::new(),
        numbers: HashMap::new(),
        facts: Vec::new(),
        groups: Vec::new(),
        proven: Vec::new(),
        budget: 0,
    };
    finder.region(kernel.body);
    let Finder {
        nodes,
        groups,
        proven,
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
    module.proofs = Proofs::new(&nodes, &checks.collect::<Vec<_>>());
    let Some(kernel) = module.functions.last_mut() else {
        return;
    };
    for (id, group) in proven {
        if let Op::InBounds(_, proof) = &mut kernel.insts[id.0 as usize].op {
            *proof = Proof::Launch(group.min(GROUPS - 1));
        }
    }
}

/// What is known of a value in a region.
#[derive(Clone, Copy)]
enum Fact {
    Below(Value),
    AtMost(Value),
    AtLeast(Value),
    Above(Value),
}

struct Finder<'m> {
    module: &'m Module,
    function: &'m Function,
    nodes: Vec<Node>,
    numbers: HashMap<Node, u32>,
    /// What conditions around the current point say.
    facts: Vec<(Value, Fact)>,
    /// Conditions of each group: values and what they are less than.
    groups: Vec<Vec<(u32, u32)>>,
    /// Checks with their groups.
    proven: Vec<(InstId, u32)>,
    /// Definitions that may still be followed.
    budget: u32,
}

impl Finder<'_> {
    fn region(&mut self, region: RegionId) {
        let outside = self.facts.len();
        for &id in &self.function.region(region).insts {
            self.inst(id);
        }
        self.facts.truncate(outside);
    }

    fn inst(&mut self, id: InstId) {
        let inst = self.function.inst(id);
        match &inst.op {
            Op::InBounds(bound, Proof::None) => self.check(id, *bound, inst),
            Op::If => {
                let (condition, [then, otherwise]) = (inst.args[0], [0, 1]);
                let before = self.facts.len();
                self.assume(condition, true);
                self.region(inst.regions[then]);
                self.facts.truncate(before);
                self.assume(condition, false);
                self.region(inst.regions[otherwise]);
                self.facts.truncate(before);
                // What leaves one way only leaves the other way's condition behind.
                let goes_on = |way: usize| {
                    matches!(self.function.region(inst.regions[way]).end, End::Yield(_))
                };
                match (goes_on(then), goes_on(otherwise)) {
                    (true, false) => self.assume(condition, true),
                    (false, true) => self.assume(condition, false),
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

    /// Adds what a condition says where it holds, or where it does not.
    fn assume(&mut self, condition: Value, holds: bool) {
        let Some(inst) = self.function.def_inst(condition) else {
            return;
        };
        match (&inst.op, holds) {
            (Op::Unary(UnaryOp::Not), _) => self.assume(inst.args[0], !holds),
            (Op::Binary(BinaryOp::BitAnd), true) | (Op::Binary(BinaryOp::BitOr), false) => {
                self.assume(inst.args[0], holds);
                self.assume(inst.args[1], holds);
            }
            (Op::Binary(op), _) => {
                let (a, b) = (inst.args[0], inst.args[1]);
                let op = match (op, holds) {
                    (op, true) => *op,
                    (BinaryOp::Lt, false) => BinaryOp::Ge,
                    (BinaryOp::Le, false) => BinaryOp::Gt,
                    (BinaryOp::Gt, false) => BinaryOp::Le,
                    (BinaryOp::Ge, false) => BinaryOp::Lt,
                    (BinaryOp::Ne, false) => BinaryOp::Eq,
                    _ => return,
                };
                let facts = match op {
                    BinaryOp::Lt => [(a, Fact::Below(b)), (b, Fact::Above(a))],
                    BinaryOp::Le => [(a, Fact::AtMost(b)), (b, Fact::AtLeast(a))],
                    BinaryOp::Gt => [(a, Fact::Above(b)), (b, Fact::Below(a))],
                    BinaryOp::Ge => [(a, Fact::AtLeast(b)), (b, Fact::AtMost(a))],
                    BinaryOp::Eq => [(a, Fact::AtMost(b)), (a, Fact::AtLeast(b))],
                    _ => return,
                };
                let is_integer = self.int(a).is_some();
                self.facts.extend(facts.into_iter().filter(|_| is_integer));
            }
            // `a && b` and `a || b` with a right side that is not always computed.
            (Op::If, _) => {
                let Def::Inst(_, position) = self.function.def(condition) else {
                    return;
                };
                let ways = [0, 1].map(|way| self.yielded(inst, way, position));
                match (ways, holds) {
                    ([Some(more), Some(decided)], true) if self.is_bool(decided, false) => {
                        self.assume(inst.args[0], true);
                        self.assume(more, true);
                    }
                    ([Some(decided), Some(more)], false) if self.is_bool(decided, true) => {
                        self.assume(inst.args[0], false);
                        self.assume(more, false);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// The value of a way of an `if` for one of its results.
    fn yielded(&self, inst: &Inst, way: usize, position: u32) -> Option<Value> {
        match &self.function.region(*inst.regions.get(way)?).end {
            End::Yield(values) => values.get(position as usize).copied(),
            _ => None,
        }
    }

    fn is_bool(&self, value: Value, wanted: bool) -> bool {
        let inst = self.function.def_inst(value);
        matches!(inst.map(|it| &it.op), Some(Op::Literal(literal)) if literal.bits() == u64::from(wanted))
    }

    /// Notes a check if its sides are known to the host.
    fn check(&mut self, id: InstId, bound: Bound, inst: &Inst) {
        let mut conditions = Vec::new();
        let known = match bound {
            Bound::View(_) => self.below_extents(inst.args[0], &inst.args[1..], &mut conditions),
            Bound::Row => self.below_extents(inst.args[0], &inst.args[1..2], &mut conditions),
            Bound::Len(len) => {
                let limit = match len {
                    Len::Literal(len) => self.node(Node::Constant(len.into())),
                    Len::Const(id) => self.constant(id.0),
                };
                self.below(inst.args[0], Some(limit), &mut conditions)
            }
            Bound::Section(rank) => {
                let (origin, extent) = inst.args[1..].split_at(rank as usize);
                self.within(inst.args[0], origin, extent, &mut conditions)
            }
            Bound::Shape(_) | Bound::Elements(_) => None,
        };
        if known.is_none() {
            return;
        }
        let found = self.groups.iter().position(|group| *group == conditions);
        let group = found.unwrap_or_else(|| {
            self.groups.push(conditions);
            self.groups.len() - 1
        });
        self.proven.push((id, group as u32));
    }

    /// Each component is less than the view's extent there.
    fn below_extents(
        &mut self,
        view: Value,
        components: &[Value],
        conditions: &mut Vec<(u32, u32)>,
    ) -> Option<()> {
        for (dimension, component) in (0..).zip(components) {
            let limit = self.extent(view, dimension, conditions);
            self.below(*component, limit, conditions)?;
        }
        Some(())
    }

    fn below(
        &mut self,
        value: Value,
        limit: Option<u32>,
        conditions: &mut Vec<(u32, u32)>,
    ) -> Option<()> {
        let limit = limit?;
        let value = self.value(value);
        let bounded = self.is_bounded(value) && self.is_bounded(limit);
        bounded.then(|| conditions.push((value, limit)))
    }

    /// A section lies within a view: `origin + extent < whole + 1`.
    fn within(
        &mut self,
        view: Value,
        origin: &[Value],
        extent: &[Value],
        conditions: &mut Vec<(u32, u32)>,
    ) -> Option<()> {
        let int = self.index();
        for (dimension, (origin, extent)) in (0..).zip(origin.iter().zip(extent)) {
            let whole = self.extent(view, dimension, conditions)?;
            let one = self.node(Node::Constant(1));
            let limit = self.node(Node::Binary(Operation::Add, whole, one, int));
            let (start, length) = (self.value(*origin), self.value(*extent));
            let end = self.node(Node::Binary(Operation::Add, start, length, int));
            let bounded = self.is_bounded(end) && self.is_bounded(limit);
            bounded.then(|| conditions.push((end, limit)))?;
        }
        Some(())
    }

    /// The extent of a view; what has to hold for it is added to the conditions.
    fn extent(
        &mut self,
        view: Value,
        dimension: u32,
        conditions: &mut Vec<(u32, u32)>,
    ) -> Option<u32> {
        if let Def::Param(position) = self.function.def(view) {
            return Some(self.node(Node::Extent(position.checked_sub(1)?, dimension)));
        }
        let inst = self.function.def_inst(view)?;
        let of = *inst.args.first()?;
        match inst.op {
            Op::Row => {
                self.below_extents(of, &inst.args[1..2], conditions)?;
                self.extent(of, dimension + 1, conditions)
            }
            Op::Section => {
                let (origin, extent) = inst.args[1..].split_at((inst.args.len() - 1) / 2);
                self.within(of, origin, extent, conditions)?;
                let length = *extent.get(dimension as usize)?;
                Some(self.value(length))
            }
            _ => None,
        }
    }
}
