//! The graphs of what loops count and carry.

use super::Graph;
use crate::mir::{End, Inst, Op, RegionId, Value};
use crate::proof::{Int, Node, Operation};
use crate::remark::Unproven;
use crate::tree::{BinaryOp, MathOp};

impl Graph<'_> {
    /// A parameter of a region: a loop's counter, or what it carries.
    pub(super) fn carried(&mut self, region: RegionId, position: u32, int: Int) -> u32 {
        let any = self.node(Node::Any(int, Unproven::Carried));
        let owner = self
            .function
            .insts
            .iter()
            .find(|inst| inst.regions.contains(&region));
        let Some(owner) = owner else { return any };
        match (&owner.op, position) {
            (Op::For | Op::ForInclusive, 0) => {
                let [start, mut end, step] = [0, 1, 2].map(|at| self.follow(owner.args[at]));
                if owner.op == Op::ForInclusive {
                    let one = self.node(Node::Constant(1));
                    end = self.node(Node::Binary(Operation::Add, end, one, int));
                }
                self.node(Node::Counter { start, end, step })
            }
            (Op::For | Op::ForInclusive, _) => self.rounds(owner, region, position, 2, int),
            (Op::Loop, _) => self.rounds(owner, region, position, 0, int),
            _ => any,
        }
    }

    /// What a loop carries.
    fn rounds(
        &mut self,
        owner: &Inst,
        region: RegionId,
        position: u32,
        more_args: usize,
        int: Int,
    ) -> u32 {
        let param = self.function.region(region).params[position as usize];
        if let Some(known) = self.carried.get(&param) {
            return *known;
        }
        let nexts = self.next_values(owner, region, position as usize, more_args);
        let Some(nexts) = nexts else {
            return self.node(Node::Any(int, Unproven::Carried));
        };
        if !int.signed && nexts.iter().all(|next| self.is_no_greater(*next, param)) {
            return self.shrinking(owner.args[position as usize + more_args], int);
        }
        // What holds here need not hold in other rounds.
        let facts = std::mem::take(&mut self.facts);
        let first = self.follow(owner.args[position as usize + more_args]);
        let round = self.node(Node::Round(first, param.0, int));
        self.carried.insert(param, round);
        let unknown = self.node(Node::Any(Int::BOOL, Unproven::Unbounded));
        let mut all = round;
        for next in nexts {
            let next = self.follow(next);
            all = self.node(Node::Choice(unknown, all, next));
        }
        let carried = self.node(Node::Carried(round, all));
        self.carried.insert(param, carried);
        self.facts = facts;
        carried
    }

    /// What a loop carries, if each round leaves it or makes it smaller, as in `half /= 2`.
    fn shrinking(&mut self, first: Value, int: Int) -> u32 {
        let any = self.node(Node::Any(int, Unproven::Carried));
        let first = self.follow(first);
        self.node(Node::Binary(Operation::Min, any, first, int))
    }

    /// What the next rounds of a loop may get for a parameter.
    fn next_values(
        &self,
        owner: &Inst,
        region: RegionId,
        position: usize,
        more_args: usize,
    ) -> Option<Vec<Value>> {
        // The counter of a `for` is no operand of the ends.
        let position = match more_args {
            0 => position,
            _ => position.checked_sub(1)?,
        };
        let mut nexts = Vec::new();
        let mut open = vec![region];
        while let Some(at) = open.pop() {
            let this = self.function.region(at);
            for &id in &this.insts {
                open.extend(&self.function.inst(id).regions);
            }
            match &this.end {
                End::Yield(values) if at == region => nexts.push(*values.get(position)?),
                End::Continue(target, values)
                    if std::ptr::eq(self.function.inst(*target), owner) =>
                {
                    nexts.push(*values.get(position)?);
                }
                _ => {}
            }
        }
        Some(nexts)
    }

    fn is_no_greater(&self, value: Value, than: Value) -> bool {
        if value == than {
            return true;
        }
        let Some(inst) = self.function.def_inst(value) else {
            return false;
        };
        let shrinks = matches!(
            inst.op,
            Op::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shr | BinaryOp::BitAnd)
                | Op::Math(MathOp::Min)
        );
        shrinks && self.is_no_greater(inst.args[0], than)
    }
}
