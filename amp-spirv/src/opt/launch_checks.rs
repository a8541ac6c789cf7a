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

use super::graph::Graph;
use crate::ir::Len;
use crate::mir::{Bound, Def, End, Inst, InstId, Module, Op, Proof, RegionId, Value};
use crate::proof::{Check, GROUPS, Node, Operation, Proofs};

/// Finds the checks of a module's kernel.
pub fn run(module: &mut Module) {
    let Some(kernel) = module.functions.last() else {
        return;
    };
    let mut finder = Finder {
        graph: Graph::of(module, kernel, Vec::new()),
        groups: Vec::new(),
        proven: Vec::new(),
    };
    finder.region(kernel.body);
    let Finder {
        graph,
        groups,
        proven,
    } = finder;
    let checks = (0..).zip(groups).flat_map(|(number, conditions)| {
        let group = number.min(GROUPS - 1);
        conditions.into_iter().map(move |(value, limit)| Check {
            group,
            value,
            limit,
        })
    });
    module.proofs = Proofs::new(&graph.nodes, &checks.collect::<Vec<_>>(), &[]);
    let Some(kernel) = module.functions.last_mut() else {
        return;
    };
    for (id, group) in proven {
        if let Op::InBounds(_, proof) = &mut kernel.insts[id.0 as usize].op {
            *proof = Proof::Launch(group.min(GROUPS - 1));
        }
    }
}

struct Finder<'m> {
    graph: Graph<'m>,
    /// Conditions of each group: values and what they are less than.
    groups: Vec<Vec<(u32, u32)>>,
    /// Checks with their groups.
    proven: Vec<(InstId, u32)>,
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
        let value = self.graph.value(value);
        let bounded = self.graph.is_bounded(value) && self.graph.is_bounded(limit);
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
            let bounded = self.graph.is_bounded(end) && self.graph.is_bounded(limit);
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
        if let Def::Param(position) = self.graph.function.def(view) {
            return Some(
                self.graph
                    .node(Node::Extent(position.checked_sub(1)?, dimension)),
            );
        }
        let inst = self.graph.function.def_inst(view)?;
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
                Some(self.graph.value(length))
            }
            _ => None,
        }
    }
}
