//! Scalars: literals, operators, casts and methods.

use amp_spirv::ir::*;

use super::Generator;
use crate::build::*;
use crate::world;

impl Generator {
    /// A scalar expression.
    pub fn scalar(&mut self, scalar: Scalar, depth: u32) -> Expr {
        if depth == 0 || self.budget <= 0 || self.one_in(5) {
            return self.leaf(scalar);
        }
        let lower = depth - 1;
        match scalar {
            Scalar::Bool => self.boolean(lower),
            Scalar::F32 => self.float(lower),
            Scalar::Usize if self.is_rust() => self.small_size(lower),
            _ => self.integer(scalar, lower),
        }
    }

    /// A literal, a constant, a variable or an element.
    fn leaf(&mut self, scalar: Scalar) -> Expr {
        let ty = Type::Scalar(scalar);
        match self.rng.u8(0..10) {
            0..=4 => {
                if let Some(place) = self.place(&ty, false) {
                    return load(place);
                }
            }
            5 | 6 => {
                if let Some(value) = self.viewed(&ty) {
                    return value;
                }
            }
            7 => {
                let fitting: Vec<u32> = (0..self.consts.len() as u32)
                    .filter(|&id| self.consts[id as usize].ty == scalar)
                    .collect();
                if let Some(&id) = self.rng.choice(&fitting) {
                    return expr(ExprKind::Const(ConstId(id)), ty);
                }
            }
            8 if scalar == Scalar::Usize => {
                if let Some(extent) = self.extent() {
                    return extent;
                }
            }
            _ => {}
        }
        let literal = match scalar {
            Scalar::Bool => Literal::Bool(self.rng.bool()),
            Scalar::F32 => Literal::F32(world::float(&mut self.rng).to_bits()),
            Scalar::I32 => Literal::I32(world::number(&mut self.rng).cast_signed()),
            Scalar::U32 => Literal::U32(world::number(&mut self.rng)),
            _ if self.is_rust() => Literal::Usize(self.rng.u32(0..40)),
            _ => Literal::Usize(world::number(&mut self.rng)),
        };
        // A literal has no sign and no infinity.
        match literal {
            Literal::I32(value) if value < 0 && value > i32::MIN => {
                negated(expr(ExprKind::Literal(Literal::I32(-value)), ty))
            }
            Literal::I32(i32::MIN) => {
                let most = expr(ExprKind::Literal(Literal::I32(i32::MAX)), ty.clone());
                expr(ExprKind::Unary(UnaryOp::Not, Box::new(most)), ty)
            }
            Literal::F32(bits) => {
                let value = f32::from_bits(bits);
                if value.is_infinite() {
                    return math(MathOp::FromBits, Type::F32, vec![u32_(bits)]);
                }
                let size = Literal::F32(value.abs().to_bits());
                let size = expr(ExprKind::Literal(size), ty);
                if value.is_sign_negative() {
                    negated(size)
                } else {
                    size
                }
            }
            other => expr(ExprKind::Literal(other), ty),
        }
    }

    /// An operator that numbers, or bools, have.
    pub fn operator(&mut self, ty: &Type) -> BinaryOp {
        use BinaryOp::*;
        let all: &[BinaryOp] = match ty {
            Type::Scalar(Scalar::Bool) => &[BitAnd, BitOr, BitXor],
            Type::Scalar(Scalar::F32) => &[Add, Sub, Mul, Div, Rem],
            _ => &[
                Add, Add, Sub, Mul, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr,
            ],
        };
        *self.rng.choice(all).expect("there are some")
    }

    /// The right side of a shift.
    pub fn shift_count(&mut self, depth: u32) -> Expr {
        let ty = [Type::U32, Type::I32][self.rng.usize(0..2)].clone();
        self.value(&ty, depth)
    }

    /// The right side of an operator: often a literal that is not zero, for a division.
    fn right(&mut self, op: BinaryOp, ty: &Type, depth: u32) -> Expr {
        match op {
            BinaryOp::Shl | BinaryOp::Shr => self.shift_count(depth),
            BinaryOp::Div | BinaryOp::Rem if *ty != Type::F32 && self.rng.u8(0..4) > 0 => {
                let divisor = self.rng.u32(1..9);
                let literal = match ty {
                    Type::Scalar(Scalar::I32) => Literal::I32(divisor as i32),
                    Type::Scalar(Scalar::U32) => Literal::U32(divisor),
                    _ => Literal::Usize(divisor),
                };
                expr(ExprKind::Literal(literal), ty.clone())
            }
            _ => self.value(ty, depth),
        }
    }

    fn boolean(&mut self, depth: u32) -> Expr {
        use BinaryOp::*;
        match self.rng.u8(0..10) {
            0..=4 => {
                let ty = self.scalar_ty();
                let op = [Eq, Ne, Lt, Le, Gt, Ge][self.rng.usize(0..6)];
                let left = self.value(&ty, depth);
                let right = self.value(&ty, depth);
                binary(op, left, right)
            }
            5 | 6 => {
                let op = [LazyOp::And, LazyOp::Or][self.rng.usize(0..2)];
                let left = self.value(&Type::BOOL, depth);
                let right = self.value(&Type::BOOL, depth);
                expr(
                    ExprKind::Lazy(op, Box::new(left), Box::new(right)),
                    Type::BOOL,
                )
            }
            7 => {
                let op = self.operator(&Type::BOOL);
                let left = self.value(&Type::BOOL, depth);
                let right = self.value(&Type::BOOL, depth);
                binary(op, left, right)
            }
            8 => {
                let value = self.value(&Type::BOOL, depth);
                expr(ExprKind::Unary(UnaryOp::Not, Box::new(value)), Type::BOOL)
            }
            _ => {
                use MathOp::*;
                let op = [
                    IsNan,
                    IsInfinite,
                    IsFinite,
                    IsSignNegative,
                    IsSignPositive,
                    IsPowerOfTwo,
                ][self.rng.usize(0..6)];
                if op == IsPowerOfTwo {
                    let value = self.value(&Type::U32, depth);
                    return math(op, Type::BOOL, vec![value]);
                }
                let value = self.value(&Type::F32, depth);
                let value = match op {
                    IsSignNegative | IsSignPositive => self.number_of(value),
                    _ => value,
                };
                math(op, Type::BOOL, vec![value])
            }
        }
    }

    /// The value, or something else if it is NaN, whose sign and bits nobody promises.
    fn number_of(&mut self, value: Expr) -> Expr {
        let least = vec![u32_(f32::NEG_INFINITY.to_bits())];
        let least = math(MathOp::FromBits, Type::F32, least);
        math(MathOp::Max, Type::F32, vec![value, least])
    }

    fn float(&mut self, depth: u32) -> Expr {
        use MathOp::*;
        let ty = Type::F32;
        match self.rng.u8(0..10) {
            0..=4 => {
                let op = self.operator(&ty);
                let left = self.value(&ty, depth);
                let right = self.value(&ty, depth);
                binary(op, left, right)
            }
            5 => {
                let value = self.value(&ty, depth);
                negated(value)
            }
            6 => {
                let from = [Type::I32, Type::U32, Type::USIZE][self.rng.usize(0..3)].clone();
                let value = self.value(&from, depth);
                cast(value, ty)
            }
            7 => {
                let op = [Min, Max, Copysign, Clamp, FromBits][self.rng.usize(0..5)];
                let operands = match op {
                    FromBits => vec![self.value(&Type::U32, depth)],
                    Clamp => (0..3).map(|_| self.value(&ty, depth)).collect(),
                    Copysign => {
                        let size = self.value(&ty, depth);
                        let sign = self.value(&ty, depth);
                        vec![size, self.number_of(sign)]
                    }
                    _ => (0..2).map(|_| self.value(&ty, depth)).collect(),
                };
                math(op, ty, operands)
            }
            _ => {
                let ops = [
                    Abs,
                    Signum,
                    Sqrt,
                    Floor,
                    Ceil,
                    Trunc,
                    Round,
                    RoundTiesEven,
                    Fract,
                ];
                let op = *self.rng.choice(&ops).expect("there are some");
                let value = self.value(&ty, depth);
                math(op, ty, vec![value])
            }
        }
    }

    fn integer(&mut self, scalar: Scalar, depth: u32) -> Expr {
        let ty = Type::Scalar(scalar);
        match self.rng.u8(0..10) {
            0..=4 => {
                let op = self.operator(&ty);
                let left = self.value(&ty, depth);
                let right = self.right(op, &ty, depth);
                binary(op, left, right)
            }
            5 => {
                let value = self.value(&ty, depth);
                match scalar {
                    Scalar::I32 if self.rng.bool() => negated(value),
                    _ => expr(ExprKind::Unary(UnaryOp::Not, Box::new(value)), ty),
                }
            }
            6 | 7 => {
                let mut from = self.scalar_ty();
                // What is out of range of a `usize` depends on its width.
                if from == ty || (from == Type::F32 && scalar == Scalar::Usize) {
                    from = Type::BOOL;
                }
                let value = self.value(&from, depth);
                cast(value, ty)
            }
            _ => self.integer_method(scalar, depth),
        }
    }

    fn integer_method(&mut self, scalar: Scalar, depth: u32) -> Expr {
        use MathOp::*;
        let ty = Type::Scalar(scalar);
        // These are of type u32 whatever is counted.
        if scalar == Scalar::U32 && self.rng.bool() {
            let ops = [
                CountOnes,
                CountZeros,
                LeadingZeros,
                TrailingZeros,
                LeadingOnes,
                TrailingOnes,
                ToBits,
                UnsignedAbs,
            ];
            let op = *self.rng.choice(&ops).expect("there are some");
            let value = match op {
                ToBits => {
                    let value = self.value(&Type::F32, depth);
                    self.number_of(value)
                }
                UnsignedAbs => self.value(&Type::I32, depth),
                _ => {
                    let from = [Type::I32, Type::U32][self.rng.usize(0..2)].clone();
                    self.value(&from, depth)
                }
            };
            return math(op, Type::U32, vec![value]);
        }
        let op = match scalar {
            Scalar::I32 => {
                let ops = [
                    Min,
                    Max,
                    Clamp,
                    Abs,
                    Signum,
                    ReverseBits,
                    SwapBytes,
                    RotateLeft,
                    RotateRight,
                    IntPow,
                    RemEuclid,
                    DivEuclid,
                ];
                *self.rng.choice(&ops).expect("there are some")
            }
            _ => {
                let ops = [
                    Min,
                    Max,
                    Clamp,
                    AbsDiff,
                    ReverseBits,
                    SwapBytes,
                    RotateLeft,
                    RotateRight,
                    IntPow,
                    RemEuclid,
                    DivEuclid,
                    DivCeil,
                ];
                *self.rng.choice(&ops).expect("there are some")
            }
        };
        let mut operands = vec![self.value(&ty, depth)];
        match op {
            Min | Max | AbsDiff => operands.push(self.value(&ty, depth)),
            Clamp => {
                operands.push(self.value(&ty, depth));
                operands.push(self.value(&ty, depth));
            }
            RotateLeft | RotateRight => operands.push(self.value(&Type::U32, depth)),
            IntPow => operands.push(match self.rng.bool() {
                true => u32_(self.rng.u32(0..6)),
                false => self.value(&Type::U32, depth),
            }),
            RemEuclid | DivEuclid | DivCeil => {
                operands.push(self.right(BinaryOp::Div, &ty, depth));
            }
            _ => {}
        }
        math(op, ty, operands)
    }

    /// A `usize` below 65536, whose arithmetic is the same at every width.
    fn small_size(&mut self, depth: u32) -> Expr {
        let ty = Type::USIZE;
        let masked = |value| binary(BinaryOp::BitAnd, value, usize_(0xffff));
        match self.rng.u8(0..8) {
            0 | 1 => {
                let value = self.value(&Type::U32, depth);
                masked(cast(value, ty))
            }
            2 | 3 => {
                let op = [BinaryOp::Add, BinaryOp::Mul][self.rng.usize(0..2)];
                let left = self.value(&ty, depth);
                let right = self.value(&ty, depth);
                masked(binary(op, left, right))
            }
            4 => {
                let op = [BinaryOp::Div, BinaryOp::Rem][self.rng.usize(0..2)];
                let left = self.value(&ty, depth);
                let right = self.right(op, &ty, depth);
                binary(op, left, right)
            }
            5 => {
                let op = [BinaryOp::BitAnd, BinaryOp::BitOr, BinaryOp::BitXor];
                let op = op[self.rng.usize(0..3)];
                let left = self.value(&ty, depth);
                let right = self.value(&ty, depth);
                binary(op, left, right)
            }
            6 => {
                let left = self.value(&ty, depth);
                let count = self.rng.u32(0..32);
                binary(BinaryOp::Shr, left, u32_(count))
            }
            _ => {
                let op = [MathOp::Min, MathOp::Max, MathOp::AbsDiff][self.rng.usize(0..3)];
                let left = self.value(&ty, depth);
                let right = self.value(&ty, depth);
                math(op, ty, vec![left, right])
            }
        }
    }
}

fn negated(value: Expr) -> Expr {
    let ty = value.ty.clone();
    expr(ExprKind::Unary(UnaryOp::Neg, Box::new(value)), ty)
}
