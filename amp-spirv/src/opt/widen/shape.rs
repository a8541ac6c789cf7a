//! What a value is for the indices of a thread.

use crate::mir::{Def, End, Function, Inst, Module, Op, RegionId, Value};
use crate::tree::{BinaryOp, Literal};

/// How the values of a thread's indices differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Not at all.
    Same,
    /// They are the indices themselves.
    Index,
    /// They are the last components of these, and so much more.
    Along(i64),
    /// In any way.
    Varies,
}

/// The shapes of a kernel's values.
pub(super) struct Shapes(Vec<Shape>);

impl Shapes {
    pub fn of(module: &Module, kernel: &Function) -> Self {
        let mut shapes = Shapes(vec![Shape::Varies; kernel.values.len()]);
        for (position, value) in kernel.values.iter().enumerate() {
            shapes.0[position] = match value.def {
                Def::Param(0) => Shape::Index,
                Def::Param(_) => Shape::Same,
                _ => Shape::Varies,
            };
        }
        shapes.region(module.domain.rank(), kernel, kernel.body);
        shapes
    }

    pub fn of_value(&self, value: Value) -> Shape {
        self.0[value.0 as usize]
    }

    pub fn is_same(&self, value: Value) -> bool {
        self.of_value(value) == Shape::Same
    }

    /// Whether an instruction does the same for all indices.
    pub fn does_same(&self, inst: &Inst) -> bool {
        let mut operands = inst.args.iter().chain(&inst.guard);
        operands.all(|it| self.is_same(*it))
    }

    fn region(&mut self, rank: u32, kernel: &Function, region: RegionId) {
        for id in &kernel.region(region).insts {
            let inst = kernel.inst(*id);
            for inner in &inst.regions {
                self.region(rank, kernel, *inner);
            }
            for (position, result) in inst.results.iter().enumerate() {
                self.0[result.0 as usize] = self.result(rank, kernel, inst, position);
            }
        }
    }

    fn result(&self, rank: u32, kernel: &Function, inst: &Inst, position: usize) -> Shape {
        let literal = |value: Value| match kernel.def_inst(value)?.op {
            Op::Literal(literal) => Literal::integer(literal).and_then(|it| i64::try_from(it).ok()),
            _ => None,
        };
        let yields_same = |region: &RegionId| match &kernel.region(*region).end {
            End::Yield(values) => self.is_same(values[position]),
            _ => false,
        };
        if self.does_same(inst) && inst.regions.iter().all(yields_same) {
            return Shape::Same;
        }
        let shape = |operand: usize| self.of_value(inst.args[operand]);
        match inst.op {
            Op::Extract(part) if shape(0) == Shape::Index => match part + 1 == rank {
                true => Shape::Along(0),
                false => Shape::Same,
            },
            Op::Binary(op @ (BinaryOp::Add | BinaryOp::Sub)) => {
                let (a, b) = (inst.args[0], inst.args[1]);
                let sum = match (op, shape(0), shape(1)) {
                    (BinaryOp::Add, Shape::Along(offset), _) => (literal(b), offset, 1),
                    (BinaryOp::Add, _, Shape::Along(offset)) => (literal(a), offset, 1),
                    (_, Shape::Along(offset), _) => (literal(b), offset, -1),
                    _ => return Shape::Varies,
                };
                // Longer distances lead to no neighbour, and sums of them might overflow.
                match sum {
                    (Some(by @ 0..=0xffff), offset, sign) if offset.abs() <= 0xffff => {
                        Shape::Along(offset + sign * by)
                    }
                    _ => Shape::Varies,
                }
            }
            _ => Shape::Varies,
        }
    }
}
