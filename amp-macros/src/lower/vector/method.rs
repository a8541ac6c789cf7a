//! What vectors have besides arithmetic: constants, equality, and functions that move, convert or
//! compare components.

use amp_spirv::tree::{self, BinaryOp, Scalar, Type};

use super::calculation::{Calculation, count, scalar};
use crate::infer::Operation;

impl Calculation<'_, '_, '_> {
    /// A constant of the type.
    pub fn constant(&self, ty: &Type, name: &str) -> tree::Expr {
        let (size, like) = (count(ty), self.construct(ty.clone(), Vec::new()));
        let parts = |value: &dyn Fn(usize) -> tree::Expr| (0..size).map(value).collect();
        if let Type::Array(column, _) = ty {
            let columns = parts(&|k| match name {
                "IDENTITY" => self.constant(column, ["X", "Y", "Z", "W"][k]),
                name => self.constant(column, name),
            });
            return self.construct(ty.clone(), columns);
        }
        let all = |value: f64| vec![self.number(&like, value); size];
        let limit = |of_i32: i32, of_u32: u32, of_f32: f32, of_f64: f64| {
            let literal = match scalar(ty) {
                Scalar::I32 => tree::Literal::I32(of_i32),
                Scalar::U32 => tree::Literal::U32(of_u32),
                Scalar::F64 => tree::Literal::new(Scalar::F64, of_f64.to_bits()),
                _ => tree::Literal::F32(of_f32.to_bits()),
            };
            let mut part = self.number(&like, 0.0);
            part.kind = tree::ExprKind::Literal(literal);
            vec![part; size]
        };
        let components = match name {
            "ZERO" | "FALSE" => all(0.0),
            "ONE" | "TRUE" => all(1.0),
            "NEG_ONE" => all(-1.0),
            "NAN" => all(f64::NAN),
            "INFINITY" => all(f64::INFINITY),
            "NEG_INFINITY" => all(f64::NEG_INFINITY),
            "MIN" => limit(i32::MIN, u32::MIN, f32::MIN, f64::MIN),
            "MAX" => limit(i32::MAX, u32::MAX, f32::MAX, f64::MAX),
            axis => {
                let length = if axis.starts_with("NEG_") { -1.0 } else { 1.0 };
                let position = ["X", "Y", "Z", "W"].map(|letter| axis.ends_with(letter));
                parts(&|k| self.number(&like, if position[k] { length } else { 0.0 }))
            }
        };
        self.construct(ty.clone(), components)
    }

    /// `left == right`, `left != right`, of vectors or matrices.
    pub fn equality(&mut self, op: BinaryOp, left: &tree::Expr, right: &tree::Expr) -> tree::Expr {
        let joined = match op {
            BinaryOp::Eq => BinaryOp::BitAnd,
            _ => BinaryOp::BitOr,
        };
        let mut tests = Vec::new();
        for (a, b) in self.parts(left).into_iter().zip(self.parts(right)) {
            tests.push(match a.ty {
                Type::Vector(..) => self.equality(op, &a, &b),
                _ => self.binary(op, a, b),
            });
        }
        self.fold(joined, tests)
    }

    /// A function of a vector type. The arguments are kept, `ty` is that of the result.
    pub fn method(
        &mut self,
        operation: &Operation,
        arguments: &[tree::Expr],
        ty: Type,
    ) -> tree::Expr {
        use Operation::*;
        let a = arguments[0].clone();
        let b = arguments.get(1).cloned().unwrap_or_else(|| a.clone());
        let c = arguments.get(2).cloned().unwrap_or_else(|| b.clone());
        match operation {
            FromArray => {
                let parts = self.parts(&a);
                self.construct(ty, parts)
            }
            FromTuple => {
                let mut components = Vec::new();
                for part in self.parts(&a) {
                    match part.ty {
                        Type::Vector(..) => components.extend(self.parts(&part)),
                        _ => components.push(part),
                    }
                }
                self.construct(ty, components)
            }
            Cast => self.cast(a, ty),
            Splat => self.splat(&ty, a),
            ToArray | Truncate => {
                let mut parts = self.parts(&a);
                parts.truncate(count(&ty));
                self.construct(ty, parts)
            }
            Extend => {
                let mut parts = self.parts(&a);
                parts.push(b);
                self.construct(ty, parts)
            }
            With(position) => {
                let mut parts = self.parts(&a);
                parts[*position as usize] = b;
                self.construct(ty, parts)
            }
            Swizzle(taken) => {
                let parts = taken.iter().map(|&k| self.part(&a, k as usize)).collect();
                self.construct(ty, parts)
            }
            Any => self.fold(BinaryOp::BitOr, self.parts(&a)),
            All => self.fold(BinaryOp::BitAnd, self.parts(&a)),
            Bitmask => {
                let bits = self.parts(&a).into_iter().enumerate();
                let bits = bits.map(|(k, bit)| {
                    let word = self.cast(bit, Type::U32);
                    let shift = self.number(&word, k as f64);
                    self.binary(BinaryOp::Shl, word, shift)
                });
                self.fold(BinaryOp::BitOr, bits.collect())
            }
            Each(op, _) => self.math(*op, arguments.to_vec()),
            Compare(op, _) => self.binary(*op, a, b),
            Select => self.select(a, b, c),
            New | FromDiagonal | Diagonal | Transpose | Column | Row | Matrix(..) => {
                unreachable!("inference gives a vector no function of a matrix")
            }
        }
    }
}
