//! Loops that the driver is asked to unroll.
//!
//! ```text
//! for %0, %n, %1 as %i: usize {       for unroll 0 %0, %n, %1 as %i: usize {
//! ```
//!
//! and in [`Module::proofs`] the bounds of the loop as [graphs](crate::proof), and how much code
//! a round is. A driver unrolls better than a compiler before it (on an NVIDIA H200 a blocked
//! product is a third faster for the hint, and a quarter slower unrolled beforehand), but it
//! unrolls whatever it is asked to. So the host decides, which knows the constants:
//! [`Artifact::unrolled`](crate::artifact::Artifact::unrolled).
//!
//! Comes last, for it counts the code that is left. Leaves out loops around barriers, and those
//! whose bounds depend on more than constants.

use super::graph::Graph;
use crate::mir::{Base, Function, Inst, InstId, LoopId, Module, Op, RegionId};
use crate::proof::{Loop, NO_LOOP, Node, Proofs};

/// Gives hints to the loops of all functions.
pub fn run(module: &mut Module) {
    let mut nodes: Vec<Node> = module.proofs.nodes().collect();
    let (mut loops, mut hints) = (Vec::new(), Vec::new());
    let mut callees = Vec::new();
    for function in &module.functions {
        let mut finder = Finder {
            graph: Graph::of(module, function, nodes),
            callees: &callees,
            loops,
            hints: Vec::new(),
        };
        let size = finder.region(function.body, NO_LOOP);
        let waits = finder.waits(function.body);
        (nodes, loops) = (finder.graph.nodes, finder.loops);
        hints.push(finder.hints);
        callees.push(Callee { size, waits });
    }
    let checks: Vec<_> = module.proofs.checks().collect();
    module.proofs = Proofs::new(&nodes, &checks, &loops);
    for (function, hints) in module.functions.iter_mut().zip(hints) {
        for (inst, number) in hints {
            if let Op::For(hint) | Op::ForInclusive(hint) = &mut function.insts[inst.0 as usize].op
            {
                *hint = Some(LoopId(number));
            }
        }
    }
}

/// What is known of a function that others call.
struct Callee {
    size: u32,
    waits: bool,
}

struct Finder<'f> {
    graph: Graph<'f>,
    callees: &'f [Callee],
    loops: Vec<Loop>,
    /// The loops of this function with their numbers.
    hints: Vec<(InstId, u32)>,
}

impl<'f> Finder<'f> {
    /// Finds the loops of a region inside of a loop; gives the size of the code that is in none
    /// of them.
    fn region(&mut self, region: RegionId, outer: u32) -> u32 {
        let function: &'f Function = self.graph.function;
        let mut size = 0_u32;
        for &id in &function.region(region).insts {
            let inst = function.inst(id);
            let found = match inst.op {
                Op::For(_) | Op::ForInclusive(_) => self.range(inst),
                _ => None,
            };
            let Some([start, end, step]) = found else {
                size = size.saturating_add(self.size(inst));
                for &inner in &inst.regions {
                    size = size.saturating_add(self.region(inner, outer));
                }
                continue;
            };
            let number = self.loops.len() as u32;
            self.hints.push((id, number));
            self.loops.push(Loop {
                start,
                end,
                step,
                size: 0,
                outer,
            });
            let inside = self.region(inst.regions[0], number);
            self.loops[number as usize].size = inside.max(1);
        }
        size
    }

    /// The bounds of a loop that may be unrolled.
    fn range(&mut self, inst: &Inst) -> Option<[u32; 3]> {
        let range = self.graph.constant_range(inst)?;
        (!self.waits(inst.regions[0])).then_some(range)
    }

    /// Whether the threads of a tile wait for each other in a region.
    fn waits(&self, region: RegionId) -> bool {
        let mut waits = false;
        self.graph.function.walk(region, &mut |_, inst| {
            waits |= match inst.op {
                Op::Barrier(..) => true,
                Op::Call(callee) => self.callees[callee.0 as usize].waits,
                _ => false,
            };
        });
        waits
    }

    /// The code that an instruction is once loops are unrolled: an index that is then a constant
    /// is none, nor is an element of a local array, which is a register.
    fn size(&self, inst: &Inst) -> u32 {
        match &inst.op {
            Op::Literal(_) | Op::Const(_) | Op::Zero | Op::InBounds(..) | Op::NoteFault(_) => 0,
            Op::Construct | Op::Extract(_) | Op::Insert(_) | Op::ViewExtent(_) => 0,
            Op::Load(access) | Op::Store(access) if matches!(access.base, Base::Slot(_)) => 0,
            Op::Call(callee) => self.callees[callee.0 as usize].size.saturating_add(1),
            _ => 1,
        }
    }
}
