//! Operators, with Rust's results in a release build.
//!
//! Integers wrap, a shift masks its count, floats are never contracted. Division is
//! the one that can fault: its divisor is replaced by one before the division is
//! executed, whether or not anybody asked for checks, so that no device traps.

use spirv::{Op, Word};

use super::Emitter;
use super::exact::Format;
use super::fault::Check;
use super::scalar::{is_signed, is_wide};
use crate::artifact::FaultKind;
use crate::ir::{BinaryOp, Expr, ExprKind, Scalar, Span, Type, UnaryOp};

/// A quotient and what it took to compute it.
struct Division {
    quotient: Word,
    /// The divisor that was used.
    divisor: Word,
    /// Whether it was used in place of one that has no quotient.
    replaced: Option<Word>,
}

/// A quotient and its remainder; both are zero after a fault.
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

    /// `a op b`; `ty` is the type of `a`, `right` the expression behind `b`.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        ty: &Type,
        a: Word,
        b: Word,
        right: &Expr,
        span: Span,
    ) -> Word {
        if let (Type::Vector(..), _) | (_, Type::Vector(..)) = (ty, &right.ty) {
            return self.vector_binary(op, ty, a, b, right, span);
        }
        match ty.scalar() {
            Some(Scalar::Bool) => self.logical(op, a, b),
            Some(Scalar::F32) => self.float(op, a, b),
            Some(Scalar::F64) => self.double(op, a, b),
            Some(scalar) if scalar.is_half() => {
                let result = self.float(op, a, b);
                match op.is_comparison() {
                    true => result,
                    false => self.fitted(result, ty),
                }
            }
            _ => self.integer(op, ty, a, b, right, span),
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
        if let Some(known) = self.known_float(op, a, b) {
            let known = self.b.f32(known);
            return self.opaque(known, &Type::Scalar(Scalar::F32));
        }
        self.b.float(operation, a, b)
    }

    /// What comes of two literals: NVIDIA's driver (580) does not round what it makes of
    /// them.
    fn known_float(&mut self, op: BinaryOp, a: Word, b: Word) -> Option<f32> {
        let (a, b) = (self.b.f32_literal(a)?, self.b.f32_literal(b)?);
        let known = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            _ => return None,
        };
        known.is_finite().then_some(known)
    }

    fn integer(
        &mut self,
        op: BinaryOp,
        ty: &Type,
        a: Word,
        b: Word,
        right: &Expr,
        span: Span,
    ) -> Word {
        let signed = is_signed(ty);
        let id = self.ty(ty);
        let pick = |unsigned, with_sign| if signed { with_sign } else { unsigned };
        let op = match op {
            BinaryOp::Div => return self.divide(ty, a, b, right, span).quotient,
            BinaryOp::Rem => return self.divide(ty, a, b, right, span).remainder,
            BinaryOp::Shl | BinaryOp::Shr => {
                let count = match is_wide(&right.ty) {
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
            BinaryOp::BitAnd => return self.bit_and(ty, a, b),
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

    /// `a & b`. A single bit is one that the driver does not know for such, if it can come of
    /// 64 bits.
    fn bit_and(&mut self, ty: &Type, a: Word, b: Word) -> Word {
        let (id, scalar) = (self.ty(ty), ty.scalar().unwrap_or(Scalar::U32));
        let one = self.number(scalar, 1);
        let [a, b] = [a, b].map(|operand| match operand == one && self.uses.has_wide {
            true => self.unknown_bits(one, scalar),
            false => operand,
        });
        self.b.op(Op::BitwiseAnd, id, &[a, b])
    }

    /// Integer division with its checks; `right` is the expression behind `b`.
    pub fn divide(&mut self, ty: &Type, a: Word, b: Word, right: &Expr, span: Span) -> Divided {
        let id = self.ty(ty);
        let division = self.division(ty, a, b, right, span);
        let Division {
            quotient, divisor, ..
        } = division;
        // `OpSRem` need not be right for negative operands. Dividing by the divisor
        // that stands for a bad one, which is one, leaves no remainder.
        let mut product = self.b.op(Op::IMul, id, &[quotient, divisor]);
        if ty.scalar() == Some(Scalar::U64) {
            // The remainder may have a single bit.
            product = self.unknown_bits(product, Scalar::U64);
        }
        let remainder = self.b.op(Op::ISub, id, &[a, product]);
        let quotient = match division.replaced {
            Some(replaced) => {
                let zero = self.b.null(id);
                self.b.select(id, replaced, zero, quotient)
            }
            None => quotient,
        };
        Divided {
            quotient,
            remainder,
        }
    }

    fn division(&mut self, ty: &Type, a: Word, b: Word, right: &Expr, span: Span) -> Division {
        let scalar = ty.scalar().unwrap_or(Scalar::U32);
        let signed = scalar.is_signed();
        let id = self.ty(ty);
        let op = if signed { Op::SDiv } else { Op::UDiv };
        let literal = match right.kind {
            ExprKind::Literal(literal) => literal.integer(),
            _ => None,
        };
        let can_be_zero = literal.is_none_or(|value| value == 0);
        let can_overflow = signed && literal.is_none_or(|value| value == -1);

        let zero = self.b.null(id);
        let mut checks = Vec::new();
        let mut all = None;
        if can_be_zero {
            let ok = self.b.test(Op::INotEqual, b, zero);
            let operand = self.fault_operand(a, ty);
            let zero = self.index_number(0);
            checks.push(Check {
                ok,
                site: self.fault_site(FaultKind::DivisionByZero, span),
                operands: [operand, zero],
            });
            all = Some(ok);
        }
        if can_overflow {
            let (min, minus_one) = (self.number(scalar, scalar.min()), self.number(scalar, -1));
            let fits = self.b.test(Op::INotEqual, a, min);
            let harmless = self.b.test(Op::INotEqual, b, minus_one);
            let ok = self.b.test(Op::LogicalOr, fits, harmless);
            let operands = [self.fault_operand(a, ty), self.fault_operand(b, ty)];
            checks.push(Check {
                ok,
                site: self.fault_site(FaultKind::DivisionOverflow, span),
                operands,
            });
            all = Some(match all {
                Some(all) => self.b.test(Op::LogicalAnd, all, ok),
                None => ok,
            });
        }
        let Some(ok) = all else {
            return Division {
                quotient: self.b.op(op, id, &[a, b]),
                divisor: b,
                replaced: None,
            };
        };
        self.watch(checks);
        let one = self.number(scalar, 1);
        let divisor = self.b.select(id, ok, b, one);
        Division {
            quotient: self.b.op(op, id, &[a, divisor]),
            divisor,
            replaced: Some(self.b.not(ok)),
        }
    }
}
