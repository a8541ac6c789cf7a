//! Conditions of several indices.
//!
//! ```text
//! if %1 { A } else { B }      if %1 & %2 { A of all } else { if %1 { A } else { B }
//!                                                            if %2 { A } else { B } }
//! ```
//!
//! Where it does not hold for all, each index goes its own way, one after the other. A way
//! without accesses is not worth a copy for all.

use super::lanes::{Lanes, Widening};
use crate::mir::{End, Function, Inst, Op, RegionId, Ty, Value};
use crate::tree::BinaryOp;

impl Widening<'_> {
    /// A condition.
    pub fn condition(&mut self, inst: &Inst, lanes: Lanes) {
        let (condition, [then, otherwise]) = (inst.args[0], [inst.regions[0], inst.regions[1]]);
        let made = match lanes {
            Lanes::One(lane) => {
                let condition = self.value(condition, lane);
                vec![self.branch(inst, condition, [then, otherwise], lanes)]
            }
            Lanes::All if self.plan.shapes.is_same(condition) => self.together(inst, condition),
            Lanes::All => {
                let lanes = 0..self.plan.lanes;
                let conditions: Vec<Value> =
                    lanes.map(|lane| self.value(condition, lane)).collect();
                self.apart(inst, &conditions)
            }
        };
        self.define(inst, made);
    }

    /// All indices go the same way.
    fn together(&mut self, inst: &Inst, condition: Value) -> Vec<Vec<Value>> {
        let condition = self.value(condition, 0);
        let regions = [0, 1].map(|way| self.way(inst, way));
        let results = self.add_if(inst, condition, regions, self.plan.lanes);
        chunks(results, self.plan.lanes)
    }

    /// Indices go ways of their own.
    fn apart(&mut self, inst: &Inst, conditions: &[Value]) -> Vec<Vec<Value>> {
        let [all_then, all_otherwise] = [0, 1].map(|way| accesses(self.kernel, inst.regions[way]));
        let results = match (all_then, all_otherwise) {
            (true, _) => {
                let all = self.joined(BinaryOp::BitAnd, conditions, inst);
                let then = self.way(inst, 0);
                let others = self.inside(|it| match all_otherwise {
                    true => it.unless_none(inst, conditions),
                    false => it.one_by_one(inst, conditions),
                });
                self.add_if(inst, all, [then, others], self.plan.lanes)
            }
            (false, true) => self.unless_none(inst, conditions),
            (false, false) => self.one_by_one(inst, conditions),
        };
        chunks(results, self.plan.lanes)
    }

    /// Where the condition holds for none, the other way for all.
    fn unless_none(&mut self, inst: &Inst, conditions: &[Value]) -> Vec<Value> {
        let any = self.joined(BinaryOp::BitOr, conditions, inst);
        let own = self.inside(|it| it.one_by_one(inst, conditions));
        let otherwise = self.way(inst, 1);
        self.add_if(inst, any, [own, otherwise], self.plan.lanes)
    }

    /// A condition for each index.
    fn one_by_one(&mut self, inst: &Inst, conditions: &[Value]) -> Vec<Value> {
        let ways = [inst.regions[0], inst.regions[1]];
        let lanes: Vec<Vec<Value>> = (0..)
            .zip(conditions)
            .map(|(lane, condition)| self.branch(inst, *condition, ways, Lanes::One(lane)))
            .collect();
        let by_result = (0..inst.results.len()).flat_map(|at| lanes.iter().map(move |it| it[at]));
        by_result.collect()
    }

    /// One index goes one of two ways.
    fn branch(
        &mut self,
        inst: &Inst,
        condition: Value,
        ways: [RegionId; 2],
        lanes: Lanes,
    ) -> Vec<Value> {
        let Lanes::One(lane) = lanes else {
            return Vec::new();
        };
        let regions = ways.map(|way| {
            self.inside(|it| {
                it.insts(way, lanes);
                let values = it.kernel.region(way).end.values();
                it.all(values, lane)
            })
        });
        self.add_if(inst, condition, regions, 1)
    }

    /// A way of all indices.
    fn way(&mut self, inst: &Inst, way: usize) -> RegionId {
        let region = inst.regions[way];
        self.inside(|it| {
            it.insts(region, Lanes::All);
            it.yields(region)
        })
    }

    /// What a region yields for each index: all of the first value, then of the next.
    fn yields(&mut self, region: RegionId) -> Vec<Value> {
        let mut yielded = Vec::new();
        for value in self.kernel.region(region).end.values() {
            for lane in 0..self.plan.lanes {
                yielded.push(self.value(*value, lane));
            }
        }
        yielded
    }

    /// A new region with what `fill` adds, which yields what that gives.
    fn inside(&mut self, fill: impl FnOnce(&mut Self) -> Vec<Value>) -> RegionId {
        let region = self.wide.new_region();
        let outer = std::mem::replace(&mut self.at, region);
        let known = self.elements.clone();
        let values = fill(self);
        self.elements = known;
        self.at = outer;
        self.wide.regions[region.0 as usize].end = End::Yield(values);
        region
    }

    fn add_if(
        &mut self,
        of: &Inst,
        condition: Value,
        regions: [RegionId; 2],
        lanes: u32,
    ) -> Vec<Value> {
        let types = of.results.iter().map(|it| self.kernel.ty(*it));
        let types: Vec<Ty> = types.flat_map(|ty| vec![ty; lanes as usize]).collect();
        let mut inst = Inst::new(Op::If, vec![condition], of.span);
        inst.regions = regions.to_vec();
        self.add(inst, &types)
    }

    fn joined(&mut self, op: BinaryOp, conditions: &[Value], of: &Inst) -> Value {
        let bool = self.module.types.bool();
        let mut joined = conditions[0];
        for condition in &conditions[1..] {
            let args = vec![joined, *condition];
            joined = self.add(Inst::new(Op::Binary(op), args, of.span), &[bool])[0];
        }
        joined
    }
}

/// Results by index from results by value.
fn chunks(results: Vec<Value>, lanes: u32) -> Vec<Vec<Value>> {
    let lanes = lanes as usize;
    let of = |lane: usize| results.iter().skip(lane).step_by(lanes).copied().collect();
    (0..lanes).map(of).collect()
}

/// Whether anything in a region reads or writes elements.
fn accesses(kernel: &Function, region: RegionId) -> bool {
    let mut found = false;
    kernel.walk(region, &mut |_, inst| {
        found |= !inst.op.accesses().is_empty()
    });
    found
}
