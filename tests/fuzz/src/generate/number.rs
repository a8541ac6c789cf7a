//! Scalars: literals, operators, casts and what is true.

use amp_spirv::tree::*;

use super::Generator;
use crate::build::*;
use crate::world;
use amp_spirv::value::to_bits;

impl Generator {
    /// A scalar expression.
    pub fn scalar(&mut self, scalar: Scalar, depth: u32) -> Expr {
        if depth == 0 || self.budget <= 0 || self.one_in(5) {
            return self.leaf(scalar);
        }
        let lower = depth - 1;
        if self.one_in(30) {
            return self.selected(&Type::Scalar(scalar), lower);
        }
        match scalar {
            Scalar::Bool => self.boolean(lower),
            scalar if scalar.is_float() => self.float(scalar, lower),
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
        let bits = self.bits(scalar);
        written(scalar, bits)
    }

    /// The bits of some value.
    pub fn bits(&mut self, scalar: Scalar) -> u64 {
        match scalar {
            Scalar::Bool => self.rng.u64(0..2),
            Scalar::Usize if self.is_rust() => self.rng.u64(0..40),
            scalar if scalar.is_float() => to_bits(scalar, world::float(&mut self.rng, scalar)),
            scalar => Literal::new(scalar, world::number(&mut self.rng)).bits(),
        }
    }

    /// An operator that numbers, or bools, have.
    pub fn operator(&mut self, ty: &Type) -> BinaryOp {
        use BinaryOp::*;
        let all: &[BinaryOp] = match ty {
            Type::Scalar(Scalar::Bool) => &[BitAnd, BitOr, BitXor],
            Type::Scalar(scalar) if scalar.is_float() => &[Add, Sub, Mul, Div, Rem],
            _ => &[
                Add, Add, Sub, Mul, Mul, Div, Rem, BitAnd, BitOr, BitXor, Shl, Shr,
            ],
        };
        *self.rng.choice(all).expect("there are some")
    }

    /// The right side of a shift.
    pub fn shift_count(&mut self, depth: u32) -> Expr {
        let ty = match self.rng.u8(0..4) {
            0 => Type::U32,
            1 => Type::I32,
            _ => self.integer_ty(),
        };
        self.value(&ty, depth)
    }

    /// An integer type of the program.
    pub fn integer_ty(&mut self) -> Type {
        loop {
            let ty = self.scalar_ty();
            if ty.scalar().is_some_and(Scalar::is_integer) {
                return ty;
            }
        }
    }

    /// A float type; one of the program, if it has any.
    pub fn float_ty(&mut self) -> Type {
        let floats: Vec<Scalar> = self
            .palette
            .iter()
            .copied()
            .filter(|it| it.is_float())
            .collect();
        Type::Scalar(self.rng.choice(&floats).copied().unwrap_or(Scalar::F32))
    }

    /// The right side of an operator: often a literal that is not zero, for a division.
    pub fn right(&mut self, op: BinaryOp, ty: &Type, depth: u32) -> Expr {
        match (op, ty) {
            (BinaryOp::Shl | BinaryOp::Shr, _) => self.shift_count(depth),
            (BinaryOp::Div | BinaryOp::Rem, Type::Scalar(scalar))
                if scalar.is_integer() && self.rng.u8(0..4) > 0 =>
            {
                let divisor = self.rng.u64(1..9);
                let literal = Literal::new(*scalar, divisor);
                expr(ExprKind::Literal(literal), ty.clone())
            }
            _ => self.value(ty, depth),
        }
    }

    /// One of two values, of which both are computed: the tree has it for vectors.
    fn selected(&mut self, ty: &Type, depth: u32) -> Expr {
        if self.is_rust() {
            return self.value(ty, depth);
        }
        let condition = self.value(&Type::BOOL, depth);
        let first = self.value(ty, depth);
        let second = self.value(ty, depth);
        math(MathOp::Select, ty.clone(), vec![condition, first, second])
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
            _ => self.question(depth),
        }
    }

    /// A method that gives a `bool`.
    fn question(&mut self, depth: u32) -> Expr {
        use MathOp::*;
        if self.one_in(4) {
            let ty = self.integer_ty().scalar().map(Scalar::unsigned);
            let value = self.value(&Type::Scalar(ty.unwrap_or(Scalar::U32)), depth);
            return math(IsPowerOfTwo, Type::BOOL, vec![value]);
        }
        let ops = [IsNan, IsInfinite, IsFinite, IsSignNegative, IsSignPositive];
        let op = ops[self.rng.usize(0..ops.len())];
        let ty = self.float_ty();
        let value = self.value(&ty, depth);
        let value = match op {
            IsSignNegative | IsSignPositive => number_of(value),
            _ => value,
        };
        math(op, Type::BOOL, vec![value])
    }

    /// `value as scalar`, of a type that may be converted.
    pub fn converted(&mut self, scalar: Scalar, depth: u32) -> Expr {
        let to = Type::Scalar(scalar);
        let is_size = matches!(scalar, Scalar::Usize | Scalar::Isize);
        let from = loop {
            let from = match scalar {
                // `half` has no other conversion.
                Scalar::F16 | Scalar::Bf16 => Scalar::F32,
                _ => match self.scalar_ty() {
                    Type::Scalar(from) => from,
                    _ => continue,
                },
            };
            let fits = match from {
                Scalar::Bool => !scalar.is_float(),
                from if from.is_half() => matches!(scalar, Scalar::F32 | Scalar::F64),
                // What is out of range of a `usize` depends on its width.
                from if from.is_float() => !(is_size && self.is_rust()),
                _ => true,
            };
            if fits && from != scalar {
                break from;
            }
        };
        let value = self.value(&Type::Scalar(from), depth);
        cast(value, to)
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

/// A value as it is written: a literal has no sign and no infinity, and there are none of halves.
fn written(scalar: Scalar, bits: u64) -> Expr {
    let ty = Type::Scalar(scalar);
    let plain = |bits| expr(ExprKind::Literal(Literal::new(scalar, bits)), ty.clone());
    if scalar == Scalar::Bool {
        return plain(bits);
    }
    if let Some(value) = Literal::new(scalar, bits).integer() {
        return if value >= 0 {
            plain(bits)
        } else if value > scalar.min() {
            negated(plain((-value) as u64))
        } else {
            let most = plain(scalar.max() as u64);
            expr(ExprKind::Unary(UnaryOp::Not, Box::new(most)), ty.clone())
        };
    }
    let value = amp_spirv::value::from_bits(scalar, bits);
    if scalar.is_half() || value.is_infinite() {
        return of_bits(scalar, bits);
    }
    let size = plain(to_bits(scalar, value.abs()));
    match value.is_sign_negative() {
        true => negated(size),
        false => size,
    }
}

/// `scalar::from_bits(bits)`
fn of_bits(scalar: Scalar, bits: u64) -> Expr {
    let unsigned = scalar.unsigned();
    let literal = ExprKind::Literal(Literal::new(unsigned, bits));
    let literal = expr(literal, Type::Scalar(unsigned));
    math(MathOp::FromBits, Type::Scalar(scalar), vec![literal])
}

/// The value, or something else if it is NaN, whose sign and bits are not defined.
pub fn number_of(value: Expr) -> Expr {
    let ty = value.ty.clone();
    let scalar = ty.scalar().expect("floats are scalars");
    let least = of_bits(scalar, to_bits(scalar, f64::NEG_INFINITY));
    math(MathOp::Max, ty, vec![value, least])
}

pub fn negated(value: Expr) -> Expr {
    let ty = value.ty.clone();
    expr(ExprKind::Unary(UnaryOp::Neg, Box::new(value)), ty)
}
