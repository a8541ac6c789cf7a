//! Powers whose exponents are known and small: chains of products.
//!
//! ```text
//! %2: i32 = literal -3                %2: i32 = literal -3
//! %3: f32 = math Powi %1, %2          %4: f32 = mul %1, %1
//!                                     %5: f32 = mul %1, %4
//!                                     %3: f32 = math Recip %5
//! ```
//!
//! By squaring from the lowest bit, the order in which Rust's `powi` multiplies. Narrow integers
//! are multiplied with 32 bits, and wrap once.
//!
//! Leaves larger exponents to the functions that `emit` has for powers.

use super::Folding;
use crate::mir::{Inst, InstId, Op, Value};
use crate::tree::{BinaryOp, Literal, MathOp, Scalar, Span, Type};
use crate::value::{self, number};

/// Up to this exponent a power is a chain of products.
const LARGEST: u32 = 32;

impl Folding<'_> {
    /// The product that an instruction computes, if that is a power.
    pub fn power(&mut self, id: InstId, kept: &mut Vec<InstId>) -> Option<Value> {
        let inst = self.function.inst(id);
        if !matches!(inst.op, Op::Math(MathOp::Powi | MathOp::IntPow)) {
            return None;
        }
        let (base, result, span) = (inst.args[0], inst.results[0], inst.span);
        let exponent = self.literal(inst.args[1])?.integer()?;
        let mut rest = u32::try_from(exponent.unsigned_abs()).ok()?;
        if rest > LARGEST {
            return None;
        }
        let scalar = self.scalar(result)?;
        let register = match (scalar.bits() < 32, scalar.is_signed()) {
            (false, _) => scalar,
            (true, true) => Scalar::I32,
            (true, false) => Scalar::U32,
        };
        let one = number::cast(&value::Value::Int(1), Type::of(register));
        let one = Literal::new(register, number::to_bits(register, &one));
        let mut base = self.add(Op::Cast, vec![base], register, span, kept);
        let mut product = None;
        while rest > 0 {
            let mut times = |a, b| {
                let op = Op::Binary(BinaryOp::Mul);
                self.add(op, vec![a, b], register, span, kept)
            };
            if rest & 1 == 1 {
                product = Some(product.map_or(base, |product| times(product, base)));
            }
            rest >>= 1;
            if rest > 0 {
                base = times(base, base);
            }
        }
        let mut power = product.unwrap_or_else(|| self.new_literal(one, span, kept));
        if exponent < 0 {
            let op = Op::Math(MathOp::Recip);
            power = self.add(op, vec![power], register, span, kept);
        }
        Some(self.add(Op::Cast, vec![power], scalar, span, kept))
    }

    /// The result of a new instruction, which is folded, too.
    fn add(
        &mut self,
        op: Op,
        args: Vec<Value>,
        scalar: Scalar,
        span: Span,
        kept: &mut Vec<InstId>,
    ) -> Value {
        let ty = self.types.scalar(scalar);
        let id = self.function.new_inst(Inst::new(op, args, span), &[ty]);
        self.inst(id, kept);
        self.replaced.now(self.function.inst(id).results[0])
    }
}
