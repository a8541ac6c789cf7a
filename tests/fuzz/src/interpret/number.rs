//! Arithmetic. Nothing but Rust's own operators, applied at the width of the type.

use amp_spirv::ir::{BinaryOp, MathOp, Scalar, Type, UnaryOp};

use super::value::Value;

/// The operation has no result: a fault, which gives zero or the operand that it names.
pub struct NoResult(pub Value);

type Result = std::result::Result<Value, NoResult>;

/// An integer cut to its type.
pub fn cut(scalar: Scalar, value: i128) -> Value {
    Value::Int(match scalar {
        Scalar::I32 => (value as i32).into(),
        Scalar::U32 | Scalar::Usize => (value as u32).into(),
        other => panic!("{other:?} is no integer"),
    })
}

fn scalar(ty: &Type) -> Scalar {
    ty.scalar().unwrap_or_else(|| panic!("{ty:?} is no scalar"))
}

pub fn unary(op: UnaryOp, ty: &Type, value: &Value) -> Value {
    match (op, value) {
        (UnaryOp::Neg, Value::F32(x)) => Value::F32(-x),
        (UnaryOp::Neg, x) => cut(scalar(ty), -x.as_int()),
        (UnaryOp::Not, Value::Bool(x)) => Value::Bool(!x),
        (UnaryOp::Not, x) => cut(scalar(ty), !x.as_int()),
    }
}

pub fn binary(op: BinaryOp, ty: &Type, a: &Value, b: &Value) -> Result {
    use BinaryOp::*;
    Ok(match (a, b) {
        (Value::F32(a), Value::F32(b)) => match op {
            Add => Value::F32(a + b),
            Sub => Value::F32(a - b),
            Mul => Value::F32(a * b),
            Div => Value::F32(a / b),
            Rem => Value::F32(a % b),
            _ => compare(op, a, b),
        },
        (Value::Bool(a), Value::Bool(b)) => match op {
            BitAnd => Value::Bool(a & b),
            BitOr => Value::Bool(a | b),
            BitXor => Value::Bool(a ^ b),
            _ => compare(op, a, b),
        },
        _ => {
            let (a, b) = (a.as_int(), b.as_int());
            let scalar = scalar(ty);
            let bits = 32;
            match op {
                Add => cut(scalar, a + b),
                Sub => cut(scalar, a - b),
                Mul => cut(scalar, a.wrapping_mul(b)),
                Div | Rem | BitAnd | BitOr | BitXor => match op {
                    Div => cut(scalar, divided(scalar, a, b)?.0),
                    Rem => cut(scalar, divided(scalar, a, b)?.1),
                    BitAnd => cut(scalar, a & b),
                    BitOr => cut(scalar, a | b),
                    _ => cut(scalar, a ^ b),
                },
                Shl => cut(scalar, a << b.rem_euclid(bits)),
                Shr => cut(scalar, a >> b.rem_euclid(bits)),
                _ => compare(op, &a, &b),
            }
        }
    })
}

fn compare<T: PartialOrd>(op: BinaryOp, a: &T, b: &T) -> Value {
    Value::Bool(match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        other => panic!("{other:?} compares nothing"),
    })
}

/// Quotient and remainder, unless there is none.
fn divided(scalar: Scalar, a: i128, b: i128) -> std::result::Result<(i128, i128), NoResult> {
    if b == 0 || cut(scalar, a / b) != Value::Int(a / b) {
        return Err(NoResult(Value::Int(0)));
    }
    Ok((a / b, a % b))
}

pub fn cast(value: &Value, from: &Type, to: &Type) -> Value {
    match (value, scalar(to)) {
        (Value::Bool(x), Scalar::Bool) => Value::Bool(*x),
        (Value::Bool(x), to) => cut(to, (*x).into()),
        (Value::F32(x), Scalar::F32) => Value::F32(*x),
        (Value::F32(x), Scalar::I32) => Value::Int((*x as i32).into()),
        (Value::F32(x), _) => Value::Int((*x as u32).into()),
        (Value::Int(x), Scalar::F32) => Value::F32(match scalar(from) {
            Scalar::I32 => *x as i32 as f32,
            _ => *x as u32 as f32,
        }),
        (Value::Int(x), to) => cut(to, *x),
        (other, _) => panic!("{other:?} is not cast"),
    }
}

/// A method. `ty` is the type of the receiver.
pub fn math(op: MathOp, ty: &Type, values: &[Value]) -> Result {
    match &values[0] {
        Value::F32(x) => float(op, *x, values),
        Value::Int(bits) if op == MathOp::FromBits => Ok(Value::F32(f32::from_bits(*bits as u32))),
        Value::Int(x) => match scalar(ty) {
            Scalar::I32 => signed(op, *x as i32, values),
            other => unsigned(op, other, *x as u32, values),
        },
        other => panic!("{other:?} has no methods"),
    }
}

fn float(op: MathOp, x: f32, values: &[Value]) -> Result {
    let arg = |k: usize| values[k].as_f32();
    Ok(Value::F32(match op {
        // The zero and the NaN that amp promises.
        MathOp::Min => {
            if x < arg(1) || arg(1).is_nan() {
                x
            } else {
                arg(1)
            }
        }
        MathOp::Max => {
            if x > arg(1) || arg(1).is_nan() {
                x
            } else {
                arg(1)
            }
        }
        MathOp::Clamp => {
            let bounds_hold = arg(1) <= arg(2);
            if !bounds_hold {
                return Err(NoResult(Value::F32(x)));
            }
            x.clamp(arg(1), arg(2))
        }
        MathOp::Abs => x.abs(),
        MathOp::Signum => x.signum(),
        MathOp::Sqrt => x.sqrt(),
        MathOp::Floor => x.floor(),
        MathOp::Ceil => x.ceil(),
        MathOp::Trunc => x.trunc(),
        MathOp::Round => x.round(),
        MathOp::RoundTiesEven => x.round_ties_even(),
        MathOp::Fract => x.fract(),
        MathOp::Copysign => x.copysign(arg(1)),
        MathOp::ToBits => return Ok(Value::Int(x.to_bits().into())),
        MathOp::IsNan => return Ok(Value::Bool(x.is_nan())),
        MathOp::IsInfinite => return Ok(Value::Bool(x.is_infinite())),
        MathOp::IsFinite => return Ok(Value::Bool(x.is_finite())),
        MathOp::IsSignNegative => return Ok(Value::Bool(x.is_sign_negative())),
        MathOp::IsSignPositive => return Ok(Value::Bool(x.is_sign_positive())),
        other => panic!("{other:?} is not made for floats"),
    }))
}

fn signed(op: MathOp, x: i32, values: &[Value]) -> Result {
    let arg = |k: usize| values[k].as_int() as i32;
    let count = || values[1].as_int() as u32;
    let int = |value: i32| Ok(Value::Int(value.into()));
    let no_result = || NoResult(Value::Int(0));
    match op {
        MathOp::Min => int(x.min(arg(1))),
        MathOp::Max => int(x.max(arg(1))),
        MathOp::Clamp if arg(1) > arg(2) => Err(NoResult(Value::Int(x.into()))),
        MathOp::Clamp => int(x.clamp(arg(1), arg(2))),
        MathOp::Abs => int(x.wrapping_abs()),
        MathOp::Signum => int(x.signum()),
        MathOp::UnsignedAbs => Ok(Value::Int(x.unsigned_abs().into())),
        MathOp::AbsDiff => Ok(Value::Int(x.abs_diff(arg(1)).into())),
        MathOp::RotateLeft => int(x.rotate_left(count())),
        MathOp::RotateRight => int(x.rotate_right(count())),
        MathOp::ReverseBits => int(x.reverse_bits()),
        MathOp::SwapBytes => int(x.swap_bytes()),
        MathOp::IntPow => int(x.wrapping_pow(count())),
        MathOp::RemEuclid => x
            .checked_rem_euclid(arg(1))
            .ok_or_else(no_result)
            .and_then(int),
        MathOp::DivEuclid => x
            .checked_div_euclid(arg(1))
            .ok_or_else(no_result)
            .and_then(int),
        op => Ok(bits(op, x.cast_unsigned())),
    }
}

fn unsigned(op: MathOp, scalar: Scalar, x: u32, values: &[Value]) -> Result {
    let arg = |k: usize| values[k].as_int() as u32;
    let int = |value: u32| Ok(cut(scalar, value.into()));
    let no_result = || NoResult(Value::Int(0));
    match op {
        MathOp::Min => int(x.min(arg(1))),
        MathOp::Max => int(x.max(arg(1))),
        MathOp::Clamp if arg(1) > arg(2) => Err(NoResult(Value::Int(x.into()))),
        MathOp::Clamp => int(x.clamp(arg(1), arg(2))),
        MathOp::AbsDiff => int(x.abs_diff(arg(1))),
        MathOp::RotateLeft => int(x.rotate_left(arg(1))),
        MathOp::RotateRight => int(x.rotate_right(arg(1))),
        MathOp::ReverseBits => int(x.reverse_bits()),
        MathOp::SwapBytes => int(x.swap_bytes()),
        MathOp::IntPow => int(x.wrapping_pow(arg(1))),
        MathOp::IsPowerOfTwo => Ok(Value::Bool(x.is_power_of_two())),
        MathOp::RemEuclid => x
            .checked_rem_euclid(arg(1))
            .ok_or_else(no_result)
            .and_then(int),
        MathOp::DivEuclid => x
            .checked_div_euclid(arg(1))
            .ok_or_else(no_result)
            .and_then(int),
        MathOp::DivCeil if arg(1) == 0 => Err(no_result()),
        MathOp::DivCeil => int(x.div_ceil(arg(1))),
        op => Ok(bits(op, x)),
    }
}

/// Methods that count bits.
fn bits(op: MathOp, x: u32) -> Value {
    let count = match op {
        MathOp::CountOnes => x.count_ones(),
        MathOp::CountZeros => x.count_zeros(),
        MathOp::LeadingZeros => x.leading_zeros(),
        MathOp::TrailingZeros => x.trailing_zeros(),
        MathOp::LeadingOnes => x.leading_ones(),
        MathOp::TrailingOnes => x.trailing_ones(),
        other => panic!("{other:?} is not made for integers"),
    };
    Value::Int(count.into())
}
