//! `as` between scalars.
//!
//! `OpConvertFToS` and `OpConvertFToU` are undefined for what the target cannot hold,
//! so they only ever see values that it can; saturation and NaN are done by selection.

use rspirv::spirv::{Op, Word};

use super::Emitter;
use crate::ir::{Scalar, Type};

impl Emitter<'_> {
    /// `value as target`
    pub fn cast(&mut self, value: Word, source: &Type, target: &Type) -> Word {
        if let Type::Vector(..) = source {
            return self.vector_cast(value, source, target);
        }
        let (Some(from), Some(to)) = (source.scalar(), target.scalar()) else {
            return value;
        };
        let ty = self.ty(target);
        if ty == self.ty(source) {
            return value;
        }
        match (from, to) {
            (Scalar::Bool, _) => {
                let (one, zero) = match to {
                    Scalar::I32 => (self.b.i32(1), self.b.i32(0)),
                    Scalar::F32 => (self.b.f32(1.0), self.b.f32(0.0)),
                    _ => (self.b.u32(1), self.b.u32(0)),
                };
                self.b.select(ty, value, one, zero)
            }
            (Scalar::F32, Scalar::I32) => {
                let (low, high) = (self.b.i32(i32::MIN), self.b.i32(i32::MAX));
                self.saturate(
                    value,
                    (-2147483648.0, low),
                    (2147483648.0, high),
                    Op::ConvertFToS,
                )
            }
            (Scalar::F32, _) => {
                let (low, high) = (self.b.u32(0), self.b.u32(u32::MAX));
                self.saturate(value, (0.0, low), (4294967296.0, high), Op::ConvertFToU)
            }
            (Scalar::I32, Scalar::F32) => self.b.op(Op::ConvertSToF, ty, &[value]),
            (_, Scalar::F32) => self.b.op(Op::ConvertUToF, ty, &[value]),
            _ => self.b.bitcast(ty, value),
        }
    }

    /// Converts what lies in `low.0..high.0`; below it is `low.1`, from its end on
    /// `high.1`, and NaN is zero.
    fn saturate(&mut self, value: Word, low: (f32, Word), high: (f32, Word), op: Op) -> Word {
        let (f32_ty, bool) = (self.b.scalar.f32, self.b.scalar.bool);
        let ty = match op {
            Op::ConvertFToS => self.b.scalar.i32,
            _ => self.b.scalar.u32,
        };
        let (first, end) = (self.b.f32(low.0), self.b.f32(high.0));
        let above = self.b.test(Op::FOrdGreaterThanEqual, value, end);
        let below = self.b.test(Op::FOrdLessThan, value, first);
        let from_first = self.b.test(Op::FOrdGreaterThanEqual, value, first);
        let not_above = self.b.not(above);
        let holds = self.b.op(Op::LogicalAnd, bool, &[from_first, not_above]);
        let zero = self.b.f32(0.0);
        let safe = self.b.select(f32_ty, holds, value, zero);
        let number = self.b.op(op, ty, &[safe]);
        let number = self.b.select(ty, below, low.1, number);
        self.b.select(ty, above, high.1, number)
    }
}
