//! The types of what operations give, from those of their operands.
//!
//! One function for each kind of operation, from types to a type, or to what is wrong: the
//! rules of the tree, and of what is built from it.

use super::{BinaryOp, Len, MathOp, Scalar, SubgroupOp, Type, UnaryOp};

/// A type, or what is wrong with the operands.
pub(crate) type Typed = Result<Type, String>;

pub(crate) fn unary(op: UnaryOp, operand: &Type) -> Typed {
    let scalar = scalar(operand)?;
    let fits = match op {
        UnaryOp::Neg => scalar != Scalar::Bool,
        UnaryOp::Not => !scalar.is_float(),
    };
    match fits {
        true => Ok(operand.clone()),
        false => Err(format!("is not made for {}", scalar.name())),
    }
}

pub(crate) fn binary(op: BinaryOp, a: &Type, b: &Type) -> Typed {
    let (left, right) = (scalar(a)?, scalar(b)?);
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
    let shape = shape(&[a, b])?;
    Ok(match op.is_comparison() {
        true => shape.with_scalar(Scalar::Bool),
        false => shape.with_scalar(left),
    })
}

/// The type of a cast to this one or to a scalar of it.
pub(crate) fn cast(from: &Type, to: &Type) -> Typed {
    scalar(from)?;
    Ok(from.with_scalar(scalar(to)?))
}

/// The type of a numeric method; what it is said to be decides where the operands do not.
pub(crate) fn math(op: MathOp, operands: &[Type], stated: &Type) -> Typed {
    let count = operand_count(op);
    if operands.len() != count {
        return Err(format!("has {} operands, not {count}", operands.len()));
    }
    if op == MathOp::Select {
        let ty = &operands[1];
        let fits = match &operands[0] {
            Type::Scalar(scalar) => *scalar == Scalar::Bool,
            mask => *mask == ty.with_scalar(Scalar::Bool),
        };
        return match fits && *ty == operands[2] {
            true => Ok(ty.clone()),
            false => Err("has operands of the wrong type".to_owned()),
        };
    }
    let receiver = scalar(&operands[0])?;
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
        MathOp::FromBits => match scalar(stated)? {
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
    Ok(shape(&all)?.with_scalar(result))
}

/// The type of an operation of a subgroup, where a `usize` is of this type.
pub(crate) fn subgroup(op: SubgroupOp, operands: &[Type], usize: &Type) -> Typed {
    let (wanted, result) = match (op, operands.first()) {
        (SubgroupOp::Size | SubgroupOp::Index, _) => (vec![], usize.clone()),
        (SubgroupOp::Elect, _) => (vec![], Type::BOOL),
        (SubgroupOp::Barrier, _) => (vec![], Type::Unit),
        (SubgroupOp::All | SubgroupOp::Any, _) => (vec![Type::BOOL], Type::BOOL),
        (SubgroupOp::Ballot, _) => {
            let words = Type::Array(Type::U32.into(), Len::Literal(4));
            (vec![Type::BOOL], words)
        }
        (_, None) => return Err("has no operands".to_owned()),
        (SubgroupOp::Shuffle | SubgroupOp::ShuffleXor, Some(ty)) => {
            (vec![ty.clone(), usize.clone()], ty.clone())
        }
        (
            SubgroupOp::Add
            | SubgroupOp::Min
            | SubgroupOp::Max
            | SubgroupOp::InclusiveAdd
            | SubgroupOp::ExclusiveAdd,
            Some(ty),
        ) => (vec![ty.clone()], ty.clone()),
    };
    match operands == wanted {
        true => Ok(result),
        false => Err("has operands of the wrong type".to_owned()),
    }
}

/// The scalar, or that of a vector's components.
pub(crate) fn scalar(ty: &Type) -> Result<Scalar, String> {
    match ty {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => Ok(*scalar),
        _ => Err("is made for scalars and vectors".to_owned()),
    }
}

/// The type that has as many components as the vectors among these.
fn shape(types: &[&Type]) -> Typed {
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
