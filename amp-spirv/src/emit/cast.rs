//! `as` between scalars.
//!
//! `OpConvertFToS` and `OpConvertFToU` are undefined for what the target cannot hold,
//! so they only ever see values that it can; saturation and NaN are done by selection.

use spirv::{Op, Word};

use super::Emitter;
use super::scalar::machine;
use crate::tree::{Scalar, Type};

impl Emitter<'_> {
    /// `value as target`, and the conversions between halves and other floats.
    pub fn cast(&mut self, value: Word, source: &Type, target: &Type) -> Word {
        if let Type::Vector(..) = source {
            return self.vector_cast(value, source, target);
        }
        let (Some(from), Some(to)) = (source.scalar(), target.scalar()) else {
            return value;
        };
        let ty = self.ty(target);
        match (from, to) {
            _ if from == to => value,
            (Scalar::Bool, _) => {
                let (one, zero) = match to.is_float() {
                    true => (self.real(to, 1.0), self.real(to, 0.0)),
                    false => (self.number(to, 1), self.number(to, 0)),
                };
                self.b.select(ty, value, one, zero)
            }
            _ if from.is_float() && to.is_float() => {
                let converted = match machine(from) == machine(to) {
                    true => value,
                    false if to == Scalar::F64 => self.widened_float(value),
                    false => self.b.op(Op::FConvert, ty, &[value]),
                };
                self.fitted(converted, target)
            }
            _ if from.is_float() => self.saturate(value, from, to),
            _ if to.is_float() => {
                let op = match from.is_signed() {
                    true => Op::ConvertSToF,
                    false => Op::ConvertUToF,
                };
                let converted = self.b.op(op, ty, &[value]);
                self.fitted(converted, target)
            }
            _ => self.integer_cast(value, from, to),
        }
    }

    fn integer_cast(&mut self, value: Word, from: Scalar, to: Scalar) -> Word {
        let (source, target) = (machine(from), machine(to));
        let ty = self.scalar_ty(to);
        let unsigned = self.scalar_ty(target.unsigned());
        let converted = match (source.bits(), target.bits()) {
            (32, 64) if from.is_signed() => self.b.op(Op::SConvert, ty, &[value]),
            (32, 64) | (64, 32) => self.b.op(Op::UConvert, unsigned, &[value]),
            _ => value,
        };
        let given = match (source.bits(), target.bits()) {
            (32, 64) if from.is_signed() => target,
            (32, 64) | (64, 32) => target.unsigned(),
            _ => source,
        };
        let converted = match given == target {
            true => converted,
            false => self.b.bitcast(ty, converted),
        };
        match to.min() <= from.min() && from.max() <= to.max() {
            true => converted,
            false => self.fitted(converted, &Type::Scalar(to)),
        }
    }

    /// Converts what the target can hold; below that it is the target's least value,
    /// above it the greatest, and NaN is zero.
    fn saturate(&mut self, value: Word, from: Scalar, to: Scalar) -> Word {
        let (float, ty) = (self.scalar_ty(from), self.scalar_ty(to));
        let (op, bool) = match to.is_signed() {
            true => (Op::ConvertFToS, self.b.scalar.bool),
            false => (Op::ConvertFToU, self.b.scalar.bool),
        };
        let (low, high) = (self.number(to, to.min()), self.number(to, to.max()));
        // Powers of two, or zero: every float type has them.
        let first = self.real(from, to.min() as f64);
        let end = self.real(from, (to.max() + 1) as f64);
        let above = self.b.test(Op::FOrdGreaterThanEqual, value, end);
        let below = self.b.test(Op::FOrdLessThan, value, first);
        let from_first = self.b.test(Op::FOrdGreaterThanEqual, value, first);
        let not_above = self.b.not(above);
        let holds = self.b.op(Op::LogicalAnd, bool, &[from_first, not_above]);
        let zero = self.real(from, 0.0);
        let safe = self.b.select(float, holds, value, zero);
        let number = self.b.op(op, ty, &[safe]);
        let number = self.b.select(ty, below, low, number);
        self.b.select(ty, above, high, number)
    }
}
