//! The formulas of vectors, as in glam's `src/f32/vec3.rs`.

use amp_spirv::tree::{self, BinaryOp, MathOp, Scalar, Type};

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
            Compare(op) => self.binary(*op, a, b),
            WrappingAdd => self.add(a, b),
            WrappingSub => self.sub(a, b),
            WrappingMul => self.mul(a, b),
            Select => self.select(a, b, c),
            Min => self.least(a, b),
            Max => self.greatest(a, b),
            Clamp => self.clamp(a, b, c),
            MinElement => self.extreme(&a, Self::least),
            MaxElement => self.extreme(&a, Self::greatest),
            ElementSum => self.fold(BinaryOp::Add, self.parts(&a)),
            ElementProduct => self.fold(BinaryOp::Mul, self.parts(&a)),
            Dot => self.dot(&a, &b),
            DotIntoVec => {
                let dot = self.dot(&a, &b);
                self.splat(&ty, dot)
            }
            Cross => self.cross(&a, &b),
            Perp => self.vector(vec![self.neg(self.part(&a, 1)), self.part(&a, 0)]),
            PerpDot => {
                let left = self.mul(self.part(&a, 0), self.part(&b, 1));
                self.sub(left, self.mul(self.part(&a, 1), self.part(&b, 0)))
            }
            Rotate => {
                let (ax, ay, bx, by) = {
                    let (a, b) = (self.parts(&a), self.parts(&b));
                    (a[0].clone(), a[1].clone(), b[0].clone(), b[1].clone())
                };
                let x = self.sub(
                    self.mul(ax.clone(), bx.clone()),
                    self.mul(ay.clone(), by.clone()),
                );
                let y = self.add(self.mul(ay, bx), self.mul(ax, by));
                self.vector(vec![x, y])
            }
            LengthSquared => self.dot(&a, &a),
            DistanceSquared => {
                let way = self.keep(self.sub(a, b));
                self.dot(&way, &way)
            }
            _ => self.float_method(operation, a, b, c, &ty),
        }
    }

    fn float_method(
        &mut self,
        operation: &Operation,
        a: tree::Expr,
        b: tree::Expr,
        c: tree::Expr,
        ty: &Type,
    ) -> tree::Expr {
        use Operation::*;
        let one = self.number(&a, 1.0);
        let two = self.number(&a, 2.0);
        match operation {
            Saturate => self.saturate(a),
            Length => self.length(&a),
            LengthRecip => {
                let length = self.length(&a);
                self.div(one, length)
            }
            Distance => {
                let way = self.keep(self.sub(a, b));
                self.length(&way)
            }
            Normalize => {
                let length = self.length(&a);
                self.mul(a, self.div(one, length))
            }
            NormalizeOr => self.normalize_or(a, b),
            NormalizeOrZero => {
                let zero = self.constant(ty, "ZERO");
                self.normalize_or(a, zero)
            }
            IsNormalized => {
                let squared = self.dot(&a, &a);
                let error = self.math(MathOp::Abs, vec![self.sub(squared, one)]);
                self.binary(BinaryOp::Le, error, self.number(&a, 2e-4))
            }
            ProjectOnto => self.project_onto(a, b),
            RejectFrom => {
                let along = self.project_onto(a.clone(), b);
                self.sub(a, along)
            }
            ProjectOntoNormalized => {
                let dot = self.dot(&a, &b);
                self.mul(b, dot)
            }
            RejectFromNormalized => {
                let dot = self.dot(&a, &b);
                self.sub(a, self.mul(b, dot))
            }
            Reflect => {
                let dot = self.dot(&a, &b);
                self.sub(a, self.mul(self.mul(two, dot), b))
            }
            Refract => self.refract(a, b, c),
            Lerp => {
                let rest = self.keep(self.sub(one, c.clone()));
                self.add(self.mul(a, rest), self.mul(b, c))
            }
            Midpoint => {
                let half = self.number(&a, 0.5);
                self.mul(self.add(a, b), half)
            }
            MoveTowards => {
                let way = self.keep(self.sub(b.clone(), a.clone()));
                let length = self.length(&way);
                let length = self.keep(length);
                let near = self.binary(BinaryOp::Le, length.clone(), c.clone());
                let tiny = self.binary(BinaryOp::Le, length.clone(), self.number(&a, 1e-4));
                let arrived = self.binary(BinaryOp::BitOr, near, tiny);
                let moved = self.add(a, self.mul(self.div(way, length), c));
                self.select(arrived, b, moved)
            }
            ClampLength => self.clamp_length(a, Some(b), Some(c)),
            ClampLengthMin => self.clamp_length(a, Some(b), None),
            ClampLengthMax => self.clamp_length(a, None, Some(b)),
            AbsDiffEq => {
                let difference = self.math(MathOp::Abs, vec![self.sub(a, b)]);
                let near = self.keep(self.binary(BinaryOp::Le, difference, c));
                self.fold(BinaryOp::BitAnd, self.parts(&near))
            }
            Step => {
                let below = self.binary(BinaryOp::Lt, b, a.clone());
                let (zero, one) = (self.constant(ty, "ZERO"), self.constant(ty, "ONE"));
                self.select(below, zero, one)
            }
            Smoothstep => {
                let (from, to) = (b, c);
                let width = self.sub(to, from.clone());
                let t = self.keep(self.div(self.sub(a.clone(), from), width));
                let t = self.saturate(t);
                let t = self.keep(t);
                let three = self.number(&a, 3.0);
                let rest = self.sub(three, self.mul(two, t.clone()));
                self.mul(self.mul(t.clone(), t), rest)
            }
            Recip => self.div(one, a),
            FractGl => {
                let floor = self.math(MathOp::Floor, vec![a.clone()]);
                self.sub(a, floor)
            }
            Powf => self.math(MathOp::Powf, vec![a, b]),
            IsNan => {
                let nan = self.keep(self.math(MathOp::IsNan, vec![a]));
                self.fold(BinaryOp::BitOr, self.parts(&nan))
            }
            IsFinite => {
                let finite = self.keep(self.math(MathOp::IsFinite, vec![a]));
                self.fold(BinaryOp::BitAnd, self.parts(&finite))
            }
            _ => unreachable!("inference gives a vector no function of a matrix"),
        }
    }

    pub fn dot(&mut self, a: &tree::Expr, b: &tree::Expr) -> tree::Expr {
        let products = self.keep(self.mul(a.clone(), b.clone()));
        self.fold(BinaryOp::Add, self.parts(&products))
    }

    /// glam's order of factors: `a.y * b.z - b.y * a.z`.
    pub fn cross(&mut self, a: &tree::Expr, b: &tree::Expr) -> tree::Expr {
        let components = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let left = self.mul(self.part(a, i), self.part(b, j));
            self.sub(left, self.mul(self.part(b, i), self.part(a, j)))
        });
        self.vector(components.into())
    }

    /// `if a < b { a } else { b }` in each component: not the `min` of a scalar, which
    /// leaves NaN out.
    fn least(&mut self, a: tree::Expr, b: tree::Expr) -> tree::Expr {
        let (a, b) = (self.keep(a), self.keep(b));
        let less = self.binary(BinaryOp::Lt, a.clone(), b.clone());
        self.select(less, a, b)
    }

    fn greatest(&mut self, a: tree::Expr, b: tree::Expr) -> tree::Expr {
        let (a, b) = (self.keep(a), self.keep(b));
        let more = self.binary(BinaryOp::Gt, a.clone(), b.clone());
        self.select(more, a, b)
    }

    fn clamp(&mut self, value: tree::Expr, low: tree::Expr, high: tree::Expr) -> tree::Expr {
        let raised = self.greatest(value, low);
        self.least(raised, high)
    }

    fn saturate(&mut self, value: tree::Expr) -> tree::Expr {
        let ty = value.ty.clone();
        let (zero, one) = (self.constant(&ty, "ZERO"), self.constant(&ty, "ONE"));
        self.clamp(value, zero, one)
    }

    /// `pick(x, pick(y, z))`
    fn extreme(
        &mut self,
        of: &tree::Expr,
        pick: fn(&mut Self, tree::Expr, tree::Expr) -> tree::Expr,
    ) -> tree::Expr {
        let mut parts = self.parts(of).into_iter().rev();
        let last = parts.next().expect("a vector has components");
        parts.fold(last, |picked, part| pick(self, part, picked))
    }

    fn length(&mut self, of: &tree::Expr) -> tree::Expr {
        let squared = self.dot(of, of);
        self.math(MathOp::Sqrt, vec![squared])
    }

    fn normalize_or(&mut self, value: tree::Expr, fallback: tree::Expr) -> tree::Expr {
        let (zero, one) = (self.number(&value, 0.0), self.number(&value, 1.0));
        let length = self.length(&value);
        let recip = self.keep(self.div(one, length));
        let finite = self.math(MathOp::IsFinite, vec![recip.clone()]);
        let positive = self.binary(BinaryOp::Gt, recip.clone(), zero);
        let usable = self.binary(BinaryOp::BitAnd, finite, positive);
        let scaled = self.mul(value, recip);
        self.select(usable, scaled, fallback)
    }

    fn project_onto(&mut self, value: tree::Expr, onto: tree::Expr) -> tree::Expr {
        let squared = self.dot(&onto, &onto);
        let squared = self.keep(squared);
        let dot = self.dot(&value, &onto);
        self.mul(onto, self.div(dot, squared))
    }

    fn refract(&mut self, value: tree::Expr, normal: tree::Expr, eta: tree::Expr) -> tree::Expr {
        let (zero, one) = (self.number(&value, 0.0), self.number(&value, 1.0));
        let dot = self.dot(&normal, &value);
        let dot = self.keep(dot);
        let rest = self.sub(one.clone(), self.mul(dot.clone(), dot.clone()));
        let k = self.sub(one, self.mul(self.mul(eta.clone(), eta.clone()), rest));
        let k = self.keep(k);
        let root = self.math(MathOp::Sqrt, vec![k.clone()]);
        let along = self.add(self.mul(eta.clone(), dot), root);
        let bent = self.sub(self.mul(eta, value.clone()), self.mul(along, normal));
        let none = self.constant(&value.ty, "ZERO");
        let passes = self.binary(BinaryOp::Ge, k, zero);
        self.select(passes, bent, none)
    }

    fn clamp_length(
        &mut self,
        value: tree::Expr,
        min: Option<tree::Expr>,
        max: Option<tree::Expr>,
    ) -> tree::Expr {
        let squared = self.dot(&value, &value);
        let squared = self.keep(squared);
        let root = self.math(MathOp::Sqrt, vec![squared.clone()]);
        let direction = self.keep(self.div(value.clone(), root));
        let mut clamped = value;
        for (limit, op) in [(max, BinaryOp::Gt), (min, BinaryOp::Lt)] {
            if let Some(limit) = limit {
                let bound = self.mul(limit.clone(), limit.clone());
                let outside = self.binary(op, squared.clone(), bound);
                let scaled = self.mul(limit, direction.clone());
                clamped = self.select(outside, scaled, clamped);
            }
        }
        clamped
    }
}
