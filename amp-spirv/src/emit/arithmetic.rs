//! Operators, with Rust's results in a release build.
//!
//! Integers wrap, a shift masks its count, floats are never contracted. Where a division's
//! guard does not hold, its divisor is replaced by one before it is executed, so that no
//! device traps.

use spirv::{Op, Word};

use super::Emitter;
use super::format::Format;
use super::function::Operand;
use super::scalar::{is_signed, is_wide};
use crate::tree::{BinaryOp, Scalar, Type, UnaryOp};

/// A quotient and its remainder; both are zero unless the guard holds.
pub(super) struct Divided {
    pub quotient: Word,
    pub remainder: Word,
}

impl Emitter<'_> {
    /// `op value`
    pub fn unary(&mut self, op: UnaryOp, ty: &Type, value: Word) -> Word {
        if let Type::Vector(..) = ty {
            return self.vector_unary(op, ty, value);
        }
        let id = self.ty(ty);
        let op = match (op, ty.scalar()) {
            (UnaryOp::Neg, Some(scalar)) if scalar.is_float() => {
                return self.b.op(Op::FNegate, id, &[value]);
            }
            (UnaryOp::Neg, _) => Op::SNegate,
            (UnaryOp::Not, Some(Scalar::Bool)) => Op::LogicalNot,
            (UnaryOp::Not, _) => Op::Not,
        };
        let result = self.b.op(op, id, &[value]);
        self.fitted(result, ty)
    }

    /// `a op b`, zero unless the guard holds.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        left: Operand<'_>,
        right: Operand<'_>,
        guard: Option<Word>,
    ) -> Word {
        if let (Type::Vector(..), _) | (_, Type::Vector(..)) = (left.ty, right.ty) {
            return self.vector_binary(op, left, right, guard);
        }
        let (ty, a, b) = (left.ty, left.word, right.word);
        match ty.scalar() {
            Some(Scalar::Bool) => self.logical(op, a, b),
            Some(Scalar::F32) => self.float(op, a, b),
            Some(Scalar::F64) => self.double(op, a, b),
            Some(scalar) if let Some(half) = scalar.half() => {
                let (a, b) = (self.half_number(half, a), self.half_number(half, b));
                let result = self.float(op, a, b);
                match op.is_comparison() {
                    true => result,
                    false => self.half_result(half, result),
                }
            }
            _ => self.integer(op, ty, a, right, guard),
        }
    }

    fn logical(&mut self, op: BinaryOp, mut a: Word, mut b: Word) -> Word {
        match op {
            BinaryOp::Lt | BinaryOp::Le => a = self.b.not(a),
            BinaryOp::Gt | BinaryOp::Ge => b = self.b.not(b),
            _ => {}
        }
        let op = match op {
            BinaryOp::BitAnd | BinaryOp::Lt | BinaryOp::Gt => Op::LogicalAnd,
            BinaryOp::BitOr | BinaryOp::Le | BinaryOp::Ge => Op::LogicalOr,
            BinaryOp::Eq => Op::LogicalEqual,
            _ => Op::LogicalNotEqual,
        };
        self.b.test(op, a, b)
    }

    fn float(&mut self, op: BinaryOp, a: Word, b: Word) -> Word {
        let operation = match op {
            BinaryOp::Add => Op::FAdd,
            BinaryOp::Sub => Op::FSub,
            BinaryOp::Mul => Op::FMul,
            BinaryOp::Div => return self.divide_floats(a, b),
            BinaryOp::Rem => return self.float_remainder(Format::SINGLE, a, b),
            // Floats have no bit operators.
            _ => return self.compare_floats(op, a, b),
        };
        self.b.float(operation, a, b)
    }

    fn integer(
        &mut self,
        op: BinaryOp,
        ty: &Type,
        a: Word,
        right: Operand<'_>,
        guard: Option<Word>,
    ) -> Word {
        let b = right.word;
        let signed = is_signed(ty);
        let id = self.ty(ty);
        let pick = |unsigned, with_sign| if signed { with_sign } else { unsigned };
        let op = match op {
            BinaryOp::Div => return self.divide(ty, a, b, guard).quotient,
            BinaryOp::Rem => return self.divide(ty, a, b, guard).remainder,
            BinaryOp::Shl | BinaryOp::Shr => {
                let count = match is_wide(right.ty) {
                    true => self.b.op(Op::UConvert, self.b.scalar.u32, &[b]),
                    false => b,
                };
                let count = self.shift_count(count, ty.scalar().unwrap_or(Scalar::U32));
                if op == BinaryOp::Shr {
                    let op = pick(Op::ShiftRightLogical, Op::ShiftRightArithmetic);
                    return self.b.op(op, id, &[a, count]);
                }
                let shifted = self.b.op(Op::ShiftLeftLogical, id, &[a, count]);
                return self.fitted(shifted, ty);
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let op = match op {
                    BinaryOp::Add => Op::IAdd,
                    BinaryOp::Sub => Op::ISub,
                    _ => Op::IMul,
                };
                let result = self.b.op(op, id, &[a, b]);
                return self.fitted(result, ty);
            }
            BinaryOp::BitAnd => Op::BitwiseAnd,
            BinaryOp::BitOr => Op::BitwiseOr,
            BinaryOp::BitXor => Op::BitwiseXor,
            BinaryOp::Eq => return self.b.test(Op::IEqual, a, b),
            BinaryOp::Ne => return self.b.test(Op::INotEqual, a, b),
            BinaryOp::Lt => return self.b.test(pick(Op::ULessThan, Op::SLessThan), a, b),
            BinaryOp::Le => {
                return self
                    .b
                    .test(pick(Op::ULessThanEqual, Op::SLessThanEqual), a, b);
            }
            BinaryOp::Gt => return self.b.test(pick(Op::UGreaterThan, Op::SGreaterThan), a, b),
            BinaryOp::Ge => {
                let op = pick(Op::UGreaterThanEqual, Op::SGreaterThanEqual);
                return self.b.test(op, a, b);
            }
        };
        self.b.op(op, id, &[a, b])
    }

    /// Integer division, both of whose results are zero unless the guard holds.
    pub fn divide(&mut self, ty: &Type, a: Word, b: Word, guard: Option<Word>) -> Divided {
        let scalar = ty.scalar().unwrap_or(Scalar::U32);
        let id = self.ty(ty);
        let op = match scalar.is_signed() {
            true => Op::SDiv,
            false => Op::UDiv,
        };
        let divisor = match guard {
            Some(ok) => {
                let one = self.number(scalar, 1);
                self.b.select(id, ok, b, one)
            }
            None => b,
        };
        let quotient = self.b.op(op, id, &[a, divisor]);
        // `OpSRem` need not be right for negative operands. Dividing by the divisor
        // that stands for a bad one, which is one, leaves no remainder.
        let product = self.b.op(Op::IMul, id, &[quotient, divisor]);
        let remainder = self.b.op(Op::ISub, id, &[a, product]);
        let quotient = match guard {
            Some(ok) => {
                let zero = self.b.null(id);
                self.b.select(id, ok, quotient, zero)
            }
            None => quotient,
        };
        Divided {
            quotient,
            remainder,
        }
    }
}
