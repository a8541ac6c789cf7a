//! What is known when a kernel is compiled.
//!
//! ```text
//! %2: u32 = literal 8                 %2: u32 = literal 8
//! %3: u32 = rem %0, %2                %4: u32 = literal 7
//! %5: u32 = add %2, %2                %3: u32 = bitand %0, %4
//!                                     %5: u32 = literal 16
//! ```
//!
//! Operations on literals, and on vectors of them, become literals, with the arithmetic of
//! [`crate::value`]; a part of what is put together is that part; identities that hold for every
//! value, NaN and -0.0 included, go; unsigned division by a power of two becomes a shift, and a
//! power with a small exponent a chain of products. No arithmetic on literals is left to drivers:
//! NVIDIA's (580) does not round what it computes from floats.
//!
//! Leaves out floats of 16 bits, and results that are NaN: which one is the device's business.
//! Conditions that are known stay, for the regions are not its own.

mod power;

use super::replace::Replaced;
use crate::mir::{Def, Function, Inst, InstId, Module, Op, RegionId, Types, Value};
use crate::tree::{BinaryOp, Literal, MathOp, Scalar, Span, Type, UnaryOp};
use crate::value::{self, number};

/// Folds all functions.
pub fn run(module: &mut Module) {
    for function in &mut module.functions {
        let mut folding = Folding {
            replaced: Replaced::new(function),
            types: &mut module.types,
            function,
        };
        folding.region(folding.function.body);
        let Folding {
            replaced, function, ..
        } = folding;
        replaced.apply(function);
    }
}

struct Folding<'f> {
    function: &'f mut Function,
    types: &'f mut Types,
    replaced: Replaced,
}

/// What an instruction is replaced by.
enum Fold {
    /// It stays.
    Not,
    /// Its result is another value.
    Is(Value),
    /// It is a literal.
    Literal(Literal),
    /// It is a vector of literals.
    Vector(Vec<Literal>),
    /// It is this operation of its first operand and a literal.
    With(BinaryOp, Literal),
    /// It does nothing.
    Nothing,
}

impl Folding<'_> {
    fn region(&mut self, region: RegionId) {
        let insts = std::mem::take(&mut self.function.regions[region.0 as usize].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for id in insts {
            self.inst(id, &mut kept);
            for inner in self.function.inst(id).regions.clone() {
                self.region(inner);
            }
        }
        self.function.regions[region.0 as usize].insts = kept;
    }

    fn inst(&mut self, id: InstId, kept: &mut Vec<InstId>) {
        let inst = &mut self.function.insts[id.0 as usize];
        for value in inst.args.iter_mut().chain(&mut inst.guard) {
            *value = self.replaced.now(*value);
        }
        self.unguard(id);
        let mut fold = self.fold(self.function.inst(id));
        if let Fold::Not = fold
            && let Some(product) = self.power(id, kept)
        {
            fold = Fold::Is(product);
        }
        let inst = &mut self.function.insts[id.0 as usize];
        match fold {
            Fold::Not => {}
            Fold::Is(value) => {
                let result = inst.results[0];
                return self.replaced.set(result, value);
            }
            Fold::Literal(literal) => {
                inst.op = Op::Literal(literal);
                inst.args.clear();
                inst.guard = None;
            }
            Fold::Vector(literals) => {
                inst.op = Op::Construct;
                inst.guard = None;
                let span = inst.span;
                let add = |literal| self.new_literal(literal, span, kept);
                let parts: Vec<Value> = literals.into_iter().map(add).collect();
                self.function.insts[id.0 as usize].args = parts;
            }
            Fold::With(op, literal) => {
                inst.op = Op::Binary(op);
                inst.guard = None;
                let span = inst.span;
                let operand = self.new_literal(literal, span, kept);
                self.function.insts[id.0 as usize].args[1] = operand;
            }
            Fold::Nothing => return,
        }
        kept.push(id);
    }

    fn new_literal(&mut self, literal: Literal, span: Span, kept: &mut Vec<InstId>) -> Value {
        let ty = self.types.scalar(literal.scalar());
        let inst = Inst::new(Op::Literal(literal), Vec::new(), span);
        let id = self.function.new_inst(inst, &[ty]);
        kept.push(id);
        self.function.inst(id).results[0]
    }

    /// Takes the guard from a division by a literal that always has a result.
    fn unguard(&mut self, id: InstId) {
        let inst = self.function.inst(id);
        let divides = matches!(
            inst.op,
            Op::Binary(BinaryOp::Div | BinaryOp::Rem)
                | Op::Math(MathOp::DivEuclid | MathOp::RemEuclid | MathOp::DivCeil)
        );
        if divides && inst.guard.is_some_and(|guard| self.is(guard, 1)) {
            let divisor = self.literal(inst.args[1]).and_then(Literal::integer);
            if divisor.is_some_and(|divisor| !matches!(divisor, 0 | -1)) {
                self.function.insts[id.0 as usize].guard = None;
            }
        }
    }

    /// The literal that a value is.
    fn literal(&self, value: Value) -> Option<Literal> {
        let Def::Inst(id, _) = self.function.def(value) else {
            return None;
        };
        match self.function.inst(id).op {
            Op::Literal(literal) => Some(literal),
            Op::Zero => Some(Literal::new(self.scalar(value)?, 0)),
            _ => None,
        }
    }

    fn scalar(&self, value: Value) -> Option<Scalar> {
        self.type_of(value).scalar()
    }

    /// Whether a value is an integer or `bool` of these bits.
    fn is(&self, value: Value, bits: u64) -> bool {
        let literal = self.literal(value);
        literal.is_some_and(|it| !it.scalar().is_float() && it.bits() == bits)
    }

    fn fold(&self, inst: &Inst) -> Fold {
        match &inst.op {
            Op::NoteFault(_) if self.is(inst.args[0], 1) => return Fold::Nothing,
            Op::Extract(part) => return self.part(inst.args[0], *part),
            Op::Math(MathOp::Select) => {
                if let Some(Literal::Bool(first)) = self.literal(inst.args[0]) {
                    return Fold::Is(inst.args[if first { 1 } else { 2 }]);
                }
            }
            _ => {}
        }
        let is_computed = matches!(
            inst.op,
            Op::Unary(_) | Op::Binary(_) | Op::Cast | Op::Math(_)
        );
        if !is_computed || inst.results.len() != 1 {
            return Fold::Not;
        }
        if let Some(known) = self.computed(inst) {
            return known;
        }
        match inst.op {
            Op::Unary(op) => self.twice(op, inst.args[0]),
            Op::Binary(op) => self.identity(op, inst),
            Op::Cast if self.function.ty(inst.args[0]) == self.function.ty(inst.results[0]) => {
                Fold::Is(inst.args[0])
            }
            _ => Fold::Not,
        }
    }

    /// A part of a value that was put together.
    fn part(&self, whole: Value, part: u32) -> Fold {
        let mut whole = whole;
        while let Some(inst) = self.function.def_inst(whole) {
            match inst.op {
                Op::Construct => return Fold::Is(inst.args[part as usize]),
                Op::Insert(other) if other == part => return Fold::Is(inst.args[1]),
                Op::Insert(_) => whole = inst.args[0],
                _ => break,
            }
        }
        Fold::Not
    }

    /// `!!x`
    fn twice(&self, op: UnaryOp, operand: Value) -> Fold {
        match self.function.def_inst(operand) {
            Some(inner) if op == UnaryOp::Not && inner.op == Op::Unary(op) => {
                Fold::Is(inner.args[0])
            }
            _ => Fold::Not,
        }
    }

    /// What an operation on literals, or on vectors of them, gives.
    fn computed(&self, inst: &Inst) -> Option<Fold> {
        let ty = self.type_of(inst.results[0]);
        let (Type::Scalar(to) | Type::Vector(to, _)) = *ty else {
            return None;
        };
        if to.is_half() {
            return None;
        }
        if matches!(ty, Type::Scalar(_)) && inst.guard.is_some_and(|guard| self.is(guard, 0)) {
            return Some(Fold::Literal(Literal::new(to, 0)));
        }
        let values = inst.args.iter().map(|it| self.known(*it));
        let values: Vec<value::Value> = values.collect::<Option<_>>()?;
        let from = self.type_of(*inst.args.first()?);
        let value = match inst.op {
            Op::Unary(op) => number::unary(op, ty, &values[0]),
            Op::Binary(op) => number::binary(op, from, &values[0], &values[1]).ok()?,
            Op::Cast => number::cast(&values[0], ty),
            Op::Math(op) if is_exact(op) => number::math(op, from, ty, &values).ok()?,
            _ => return None,
        };
        let literal = |value: &value::Value| {
            let is_nan = matches!(value, value::Value::Float(it) if it.is_nan());
            (!is_nan).then(|| Literal::new(to, number::to_bits(to, value)))
        };
        Some(match &value {
            value::Value::Parts(parts) => {
                Fold::Vector(parts.iter().map(literal).collect::<Option<_>>()?)
            }
            value => Fold::Literal(literal(value)?),
        })
    }

    /// The number that a value is, or the numbers that the components of a vector are.
    fn known(&self, value: Value) -> Option<value::Value> {
        if let Some(literal) = self.literal(value) {
            let scalar = literal.scalar();
            return (!scalar.is_half()).then(|| number::of_bits(scalar, literal.bits()));
        }
        let inst = self.function.def_inst(value)?;
        let is_vector = matches!(self.type_of(value), Type::Vector(..));
        let parts = inst.args.iter().map(|part| self.known(*part));
        match is_vector && inst.op == Op::Construct {
            true => Some(value::Value::Parts(parts.collect::<Option<_>>()?)),
            false => None,
        }
    }

    fn type_of(&self, value: Value) -> &Type {
        &self.types[self.function.ty(value)]
    }

    /// `x + 0` and the like, of integers and `bool`.
    fn identity(&self, op: BinaryOp, inst: &Inst) -> Fold {
        use BinaryOp::*;
        let (a, b) = (inst.args[0], inst.args[1]);
        let Some(scalar) = self.scalar(a).filter(|it| !it.is_float()) else {
            return Fold::Not;
        };
        if self.scalar(b).is_none() {
            return Fold::Not;
        }
        let ones = match scalar {
            Scalar::Bool => 1,
            _ => u64::MAX >> (64 - scalar.bits()),
        };
        match op {
            Add | BitOr | BitXor if self.is(a, 0) => Fold::Is(b),
            Add | Sub | BitOr | BitXor | Shl | Shr if self.is(b, 0) => Fold::Is(a),
            Mul if self.is(a, 1) => Fold::Is(b),
            Mul if self.is(b, 1) => Fold::Is(a),
            BitAnd if self.is(a, ones) => Fold::Is(b),
            BitAnd if self.is(b, ones) => Fold::Is(a),
            Mul | BitAnd if self.is(a, 0) || self.is(b, 0) => {
                Fold::Literal(Literal::new(scalar, 0))
            }
            BitAnd | BitOr if a == b => Fold::Is(a),
            BitOr if scalar == Scalar::Bool && (self.is(a, 1) || self.is(b, 1)) => {
                Fold::Literal(Literal::Bool(true))
            }
            Div | Rem if !scalar.is_signed() && inst.guard.is_none() => {
                let divisor = self.literal(b).map_or(0, Literal::bits);
                match (op, divisor.is_power_of_two()) {
                    (_, false) => Fold::Not,
                    (Div, _) if divisor == 1 => Fold::Is(a),
                    (Div, _) => {
                        let shift = divisor.trailing_zeros();
                        Fold::With(Shr, Literal::new(scalar, shift.into()))
                    }
                    _ => Fold::With(BitAnd, Literal::new(scalar, divisor - 1)),
                }
            }
            _ => Fold::Not,
        }
    }
}

/// Methods whose results are the same everywhere.
fn is_exact(op: MathOp) -> bool {
    use MathOp::*;
    !matches!(
        op,
        Recip
            | Sin
            | Cos
            | Tan
            | Asin
            | Acos
            | Atan
            | Atan2
            | Sinh
            | Cosh
            | Tanh
            | Asinh
            | Acosh
            | Atanh
            | Exp
            | Exp2
            | Ln
            | Log2
            | Log10
            | Log
            | Powf
            | Powi
            | Hypot
            | Cbrt
            | ToDegrees
            | ToRadians
    )
}

#[cfg(test)]
mod tests {
    use crate::opt::tests::body_becomes;

    #[track_caller]
    fn becomes(before: &str, expected: &str) {
        body_becomes(before, expected, |module, _| super::run(module));
    }

    #[test]
    fn literals_and_identities_go() {
        becomes(
            "    %5: u32 = literal 8
    %6: u32 = literal 0
    %7: u32 = mul %5, %5
    %8: u32 = add %4, %6
    %9: u32 = bitxor %8, %7
    %10: (u32, u32) = construct %9, %5
    %11: u32 = extract 0 %10
    %12: u32 = math Min %11, %5
    %13: bool = in_bounds view 1 %2, %3
    store %2[%3], %12 if %13
    return
",
            "    %5: u32 = literal 8
    %6: u32 = literal 0
    %7: u32 = literal 64
    %8: u32 = bitxor %4, %7
    %9: (u32, u32) = construct %8, %5
    %10: u32 = math Min %8, %5
    %11: bool = in_bounds view 1 %2, %3
    store %2[%3], %10 if %11
    return
",
        );
    }

    #[test]
    fn vectors_of_literals_are_computed() {
        becomes(
            "    %5: f32 = literal 0.1
    %6: f32 = literal 3.0
    %7: <f32; 2> = construct %5, %6
    %8: <f32; 2> = mul %7, %5
    %9: <i32; 2> = cast %8
    return
",
            "    %5: f32 = literal 0.1
    %6: f32 = literal 3.0
    %7: <f32; 2> = construct %5, %6
    %8: f32 = literal 0.010000001
    %9: f32 = literal 0.3
    %10: <f32; 2> = construct %8, %9
    %11: i32 = literal 0
    %12: i32 = literal 0
    %13: <i32; 2> = construct %11, %12
    return
",
        );
    }

    #[test]
    fn unsigned_division_by_a_power_of_two_is_a_shift_or_a_mask() {
        becomes(
            "    %5: u32 = literal 8
    %6: bool = literal true
    %7: u32 = div %4, %5 if %6
    %8: u32 = rem %7, %5
    return
",
            "    %5: u32 = literal 8
    %6: bool = literal true
    %7: u32 = literal 3
    %8: u32 = shr %4, %7
    %9: u32 = literal 7
    %10: u32 = bitand %8, %9
    return
",
        );
    }

    #[test]
    fn powers_with_small_exponents_are_products() {
        becomes(
            "    %5: f32 = cast %4
    %6: i32 = literal -5
    %7: f32 = math Powi %5, %6
    %8: u8 = cast %4
    %9: u32 = literal 3
    %10: u8 = math IntPow %8, %9
    %11: u32 = literal 0
    %12: u32 = math IntPow %4, %11
    %13: u32 = literal 33
    %14: u32 = math IntPow %12, %13
    %15: u32 = math IntPow %4, %13
    return
",
            "    %5: f32 = cast %4
    %6: i32 = literal -5
    %7: f32 = mul %5, %5
    %8: f32 = mul %7, %7
    %9: f32 = mul %5, %8
    %10: f32 = math Recip %9
    %11: u8 = cast %4
    %12: u32 = literal 3
    %13: u32 = cast %11
    %14: u32 = mul %13, %13
    %15: u32 = mul %13, %14
    %16: u8 = cast %15
    %17: u32 = literal 0
    %18: u32 = literal 1
    %19: u32 = literal 1
    %20: u32 = literal 33
    %21: u32 = literal 1
    %22: u32 = math IntPow %4, %20
    return
",
        );
    }

    #[test]
    fn float_operations_that_may_be_nan_or_negative_zero_are_not_folded() {
        let body = "    %5: f32 = literal 0.0
    %6: f32 = cast %4
    %7: f32 = add %6, %5
    %8: f32 = div %5, %5
    return
";
        becomes(body, body);
    }
}
