//! Floats: operators and methods of the type that the float has.

use amp_spirv::ir::{BinaryOp, MathOp, Scalar};
use half::{bf16, f16};

use super::number::{NoResult, Result};
use super::value::Value;

/// The value of a type that is nearest to a real one.
pub fn rounded(scalar: Scalar, value: f64) -> f64 {
    match scalar {
        Scalar::F16 => f16::from_f64(value).into(),
        Scalar::Bf16 => bf16::from_f64(value).into(),
        Scalar::F32 => (value as f32).into(),
        Scalar::F64 => value,
        other => panic!("{other:?} is no float"),
    }
}

/// `a op b`, for an operator that gives a float.
pub fn operator(op: BinaryOp, scalar: Scalar, a: f64, b: f64) -> f64 {
    macro_rules! of {
        ($a:expr, $b:expr) => {
            match op {
                BinaryOp::Add => ($a + $b).into(),
                BinaryOp::Sub => ($a - $b).into(),
                BinaryOp::Mul => ($a * $b).into(),
                BinaryOp::Div => ($a / $b).into(),
                BinaryOp::Rem => ($a % $b).into(),
                other => panic!("floats have no {other:?}"),
            }
        };
    }
    match scalar {
        Scalar::F16 => of!(f16::from_f64(a), f16::from_f64(b)),
        Scalar::Bf16 => of!(bf16::from_f64(a), bf16::from_f64(b)),
        Scalar::F32 => of!(a as f32, b as f32),
        _ => of!(a, b),
    }
}

/// The float of some bits.
pub fn from_bits(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::F16 => f16::from_bits(bits as u16).into(),
        Scalar::Bf16 => bf16::from_bits(bits as u16).into(),
        Scalar::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// The bits of a float.
pub fn to_bits(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        Scalar::F16 => f16::from_f64(value).to_bits().into(),
        Scalar::Bf16 => bf16::from_f64(value).to_bits().into(),
        Scalar::F32 => (value as f32).to_bits().into(),
        _ => value.to_bits(),
    }
}

/// A method of a float. Those that round are computed in the float's own type.
pub fn method(op: MathOp, scalar: Scalar, values: &[Value]) -> Result {
    let arg = |k: usize| values[k].as_float();
    let x = arg(0);
    Ok(Value::Float(match op {
        // The zero and the NaN that amp promises.
        MathOp::Min if x < arg(1) || arg(1).is_nan() => x,
        MathOp::Max if x > arg(1) || arg(1).is_nan() => x,
        MathOp::Min | MathOp::Max => arg(1),
        MathOp::Clamp => {
            let bounds_hold = arg(1) <= arg(2);
            if !bounds_hold {
                return Err(NoResult(Value::Float(x)));
            }
            x.clamp(arg(1), arg(2))
        }
        MathOp::Abs => x.abs(),
        MathOp::Signum => x.signum(),
        MathOp::Floor => x.floor(),
        MathOp::Ceil => x.ceil(),
        MathOp::Trunc => x.trunc(),
        MathOp::Round => x.round(),
        MathOp::RoundTiesEven => x.round_ties_even(),
        MathOp::Fract => x.fract(),
        MathOp::Copysign => x.copysign(arg(1)),
        MathOp::Sqrt if scalar == Scalar::F32 => (x as f32).sqrt().into(),
        MathOp::Sqrt => x.sqrt(),
        MathOp::MulAdd if scalar == Scalar::F32 => {
            (x as f32).mul_add(arg(1) as f32, arg(2) as f32).into()
        }
        MathOp::MulAdd => x.mul_add(arg(1), arg(2)),
        MathOp::Recip if scalar == Scalar::F32 => (x as f32).recip().into(),
        MathOp::Recip => x.recip(),
        MathOp::ToBits => return Ok(Value::Int(to_bits(scalar, x).into())),
        MathOp::IsNan => return Ok(Value::Bool(x.is_nan())),
        MathOp::IsInfinite => return Ok(Value::Bool(x.is_infinite())),
        MathOp::IsFinite => return Ok(Value::Bool(x.is_finite())),
        MathOp::IsSignNegative => return Ok(Value::Bool(x.is_sign_negative())),
        MathOp::IsSignPositive => return Ok(Value::Bool(x.is_sign_positive())),
        other => panic!("{other:?} is not made for floats"),
    }))
}
