//! The operands and results of arithmetic.

use super::Verifier;
use super::rules::{Row, Rule};
use crate::ir::{BinaryOp, Len, MathOp, Scalar, SubgroupOp, Type};
use crate::mir::Inst;

impl Verifier<'_> {
    pub(super) fn binary(&self, inst: &Inst, op: BinaryOp) -> Rule {
        let (a, b) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let (left, right) = (scalar(&a)?, scalar(&b)?);
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if !is_shift && left != right || is_shift && !right.is_integer() {
            return Err("has operands of two types".to_owned());
        }
        let fits = match op {
            _ if op.is_comparison() => true,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => !left.is_float(),
            BinaryOp::Shl | BinaryOp::Shr => left.is_integer(),
            _ => left != Scalar::Bool,
        };
        if !fits {
            return Err(format!("is not made for {}", left.name()));
        }
        // A scalar stands for each component of the other.
        let shape = shape(&[&a, &b])?;
        let result = match op.is_comparison() {
            true => shape.with_scalar(Scalar::Bool),
            false => shape.with_scalar(left),
        };
        Ok(Row::new(vec![a, b], result))
    }

    pub(super) fn cast(&self, inst: &Inst) -> Rule {
        let (from, to) = (self.operand(inst, 0)?, self.result(inst)?);
        scalar(&from)?;
        let result = from.with_scalar(scalar(&to)?);
        Ok(Row::new(vec![from], result))
    }

    pub(super) fn math(&self, inst: &Inst, op: MathOp) -> Rule {
        let operands = self.types_of(&inst.args);
        if op == MathOp::Select {
            let ty = self.operand(inst, 1)?;
            let condition = match self.operand(inst, 0)? {
                Type::Scalar(_) => Type::BOOL,
                _ => ty.with_scalar(Scalar::Bool),
            };
            return Ok(Row::new(
                vec![condition, ty.clone(), ty],
                self.result(inst)?,
            ));
        }
        let receiver = scalar(&self.operand(inst, 0)?)?;
        let count = operand_count(op);
        if operands.len() != count {
            return Err(format!("has {} operands, not {count}", operands.len()));
        }
        let own = match op {
            MathOp::IntPow | MathOp::RotateLeft | MathOp::RotateRight => Scalar::U32,
            MathOp::Powi => Scalar::I32,
            _ => receiver,
        };
        for operand in &operands[1..] {
            if scalar(operand)? != own {
                return Err("has operands of the wrong type".to_owned());
            }
        }
        let result = match op {
            MathOp::CountOnes
            | MathOp::CountZeros
            | MathOp::LeadingZeros
            | MathOp::TrailingZeros
            | MathOp::LeadingOnes
            | MathOp::TrailingOnes => Scalar::U32,
            MathOp::UnsignedAbs | MathOp::AbsDiff | MathOp::ToBits => receiver.unsigned(),
            MathOp::FromBits => match scalar(&self.result(inst)?)? {
                float if float.is_float() && float.bits() == receiver.bits() => float,
                _ => return Err("is no float of as many bits".to_owned()),
            },
            MathOp::IsPowerOfTwo
            | MathOp::IsNan
            | MathOp::IsInfinite
            | MathOp::IsFinite
            | MathOp::IsSignNegative
            | MathOp::IsSignPositive => Scalar::Bool,
            _ => receiver,
        };
        let all: Vec<&Type> = operands.iter().collect();
        let result = shape(&all)?.with_scalar(result);
        Ok(Row::new(operands, result))
    }

    pub(super) fn subgroup(&self, inst: &Inst, op: SubgroupOp) -> Rule {
        Ok(match op {
            SubgroupOp::Size | SubgroupOp::Index => Row::new(Vec::new(), self.usize()),
            SubgroupOp::Elect => Row::new(Vec::new(), Type::BOOL),
            SubgroupOp::All | SubgroupOp::Any => Row::new(vec![Type::BOOL], Type::BOOL),
            SubgroupOp::Ballot => {
                let words = Type::Array(Type::U32.into(), Len::Literal(4));
                Row::new(vec![Type::BOOL], words)
            }
            SubgroupOp::Shuffle | SubgroupOp::ShuffleXor => {
                let ty = self.operand(inst, 0)?;
                Row::new(vec![ty.clone(), self.usize()], ty)
            }
            SubgroupOp::Add
            | SubgroupOp::Min
            | SubgroupOp::Max
            | SubgroupOp::InclusiveAdd
            | SubgroupOp::ExclusiveAdd => {
                let ty = self.operand(inst, 0)?;
                Row::new(vec![ty.clone()], ty)
            }
        })
    }
}

/// The scalar, or that of a vector's components.
pub(super) fn scalar(ty: &Type) -> Result<Scalar, String> {
    match ty {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => Ok(*scalar),
        _ => Err("is made for scalars and vectors".to_owned()),
    }
}

/// The type that has as many components as the vectors among these.
fn shape(types: &[&Type]) -> Result<Type, String> {
    let mut shape = types[0];
    for ty in types {
        match (shape, ty) {
            (Type::Vector(_, a), Type::Vector(_, b)) if a != b => {
                return Err("has vectors of two lengths".to_owned());
            }
            (Type::Scalar(_), Type::Vector(..)) => shape = ty,
            _ => {}
        }
    }
    Ok(shape.clone())
}

/// How many operands a method has.
fn operand_count(op: MathOp) -> usize {
    use MathOp::*;
    match op {
        Select | Clamp | MulAdd => 3,
        Min | Max | RotateLeft | RotateRight | AbsDiff | IntPow | RemEuclid | DivEuclid
        | DivCeil | Copysign | Atan2 | Log | Powf | Powi | Hypot => 2,
        _ => 1,
    }
}
