//! Powers with integer exponents.
//!
//! One with a small literal exponent is a chain of products, by squaring from the lowest bit;
//! the others are functions of the [`library`](super::library), which multiply in the same
//! order.

use spirv::{Op, Word};

use super::Emitter;
use super::function::Operand;
use super::library::Routine;
use crate::tree::Scalar;

/// Up to this exponent a power is a chain of products.
const UNROLLED: u32 = 32;

/// The magnitude of an exponent that is a small literal, and whether it is negative.
pub fn unrolled(exponent: Operand<'_>) -> Option<(u32, bool)> {
    let n = exponent.literal?.integer()?;
    let size = u32::try_from(n.unsigned_abs()).ok()?;
    (size <= UNROLLED).then_some((size, n < 0))
}

impl Emitter<'_> {
    /// `x.powi(n)` of an `f32` or `f64`.
    pub fn powi(&mut self, of: Scalar, x: Word, exponent: Operand<'_>) -> Word {
        let n = exponent.word;
        let arithmetic = |emitter: &mut Self, op, a, b| match (of, op) {
            (Scalar::F64, _) => emitter.double_op(op, a, b),
            (_, Op::FDiv) => emitter.divide_floats(a, b),
            _ => emitter.b.float(op, a, b),
        };
        let ty = self.scalar_ty(of);
        let one = self.real(of, 1.0);
        if let Some((size, is_negative)) = unrolled(exponent) {
            let power = self.power_chain(x, size, one, |emitter, a, b| {
                arithmetic(emitter, Op::FMul, a, b)
            });
            return match is_negative {
                false => power,
                true => arithmetic(self, Op::FDiv, one, power),
            };
        }
        let (i32_ty, u32_ty) = (self.b.scalar.i32, self.b.scalar.u32);
        let zero = self.b.i32(0);
        let negative = self.b.test(Op::SLessThan, n, zero);
        let negated = self.b.op(Op::SNegate, i32_ty, &[n]);
        let size = self.b.select(i32_ty, negative, negated, n);
        let size = self.b.bitcast(u32_ty, size);
        let routine = match of {
            Scalar::F64 => Routine::DoubleIntegerPower,
            _ => Routine::FloatIntegerPower,
        };
        let power = self.call_routine(routine, ty, &[x, size]);
        let inverse = arithmetic(self, Op::FDiv, one, power);
        self.b.select(ty, negative, inverse, power)
    }

    /// A power with a known exponent.
    pub fn power_chain(
        &mut self,
        base: Word,
        exponent: u32,
        one: Word,
        mut times: impl FnMut(&mut Self, Word, Word) -> Word,
    ) -> Word {
        let (mut base, mut rest, mut product) = (base, exponent, None);
        while rest > 0 {
            if rest & 1 == 1 {
                product = Some(match product {
                    Some(product) => times(self, product, base),
                    None => base,
                });
            }
            rest >>= 1;
            if rest > 0 {
                base = times(self, base, base);
            }
        }
        product.unwrap_or(one)
    }
}
