//! The operands and results of arithmetic.

use super::Verifier;
use super::rules::{Row, Rule};
use crate::mir::Inst;
use crate::tree::{BinaryOp, MathOp, SubgroupOp, UnaryOp, typing};

impl Verifier<'_> {
    pub(super) fn unary(&self, inst: &Inst, op: UnaryOp) -> Rule {
        let operand = self.operand(inst, 0)?;
        let result = typing::unary(op, &operand)?;
        Ok(Row::new(vec![operand], result))
    }

    pub(super) fn binary(&self, inst: &Inst, op: BinaryOp) -> Rule {
        let (a, b) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let result = typing::binary(op, &a, &b)?;
        Ok(Row::new(vec![a, b], result))
    }

    pub(super) fn cast(&self, inst: &Inst) -> Rule {
        let from = self.operand(inst, 0)?;
        let result = typing::cast(&from, &self.result(inst)?)?;
        Ok(Row::new(vec![from], result))
    }

    pub(super) fn math(&self, inst: &Inst, op: MathOp) -> Rule {
        let operands = self.types_of(&inst.args);
        let result = typing::math(op, &operands, &self.result(inst)?)?;
        Ok(Row::new(operands, result))
    }

    pub(super) fn subgroup(&self, inst: &Inst, op: SubgroupOp) -> Rule {
        let operands = self.types_of(&inst.args);
        let result = typing::subgroup(op, &operands, &self.usize())?;
        Ok(Row::new(operands, result))
    }
}
