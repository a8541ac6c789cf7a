//! Floats: operators and methods of the type that the float has.

use super::{NoResult, Result, Value};
use crate::tree::{BinaryOp, Half, MathOp, Scalar};

/// Bits of the mantissa of an `f64`.
const MANTISSA: u32 = f64::MANTISSA_DIGITS - 1;

impl Half {
    /// Bits below the sign.
    fn magnitude_bits(&self) -> u32 {
        self.exponent_bits + self.mantissa_bits
    }

    /// The exponent of infinities and NaNs.
    fn most(&self) -> u64 {
        (1 << self.exponent_bits) - 1
    }

    /// The bits of the float that is nearest to a value, even ones first.
    fn bits(&self, value: f64) -> u64 {
        let sign = u64::from(value.is_sign_negative()) << self.magnitude_bits();
        let (most, dropped) = (self.most(), MANTISSA - self.mantissa_bits);
        let mantissa = value.to_bits() & ((1 << MANTISSA) - 1);
        let infinity = most << self.mantissa_bits;
        if value.is_nan() {
            let quiet = 1 << (self.mantissa_bits - 1);
            return sign | infinity | quiet | mantissa >> dropped;
        }
        let exponent = (value.to_bits() >> MANTISSA & 0x7FF).cast_signed();
        let exponent = exponent - 1023 + (most / 2).cast_signed();
        if exponent >= most.cast_signed() {
            return sign | infinity;
        }
        // A denormal is a multiple of the least.
        let shift = i64::from(dropped) + (1 - exponent).max(0);
        if shift > i64::from(MANTISSA) + 1 {
            return sign;
        }
        let whole = mantissa | 1 << MANTISSA;
        let (kept, rest, half) = (whole >> shift, whole & ((1 << shift) - 1), 1 << (shift - 1));
        let up = rest > half || rest == half && kept & 1 == 1;
        // A carry goes to the exponent, whose lowest bit the kept ones include.
        let base = (exponent.max(1) - 1).cast_unsigned() << self.mantissa_bits;
        sign | (base + kept + u64::from(up))
    }

    /// The value of the float of some bits.
    fn value(&self, bits: u64) -> f64 {
        let sign = if bits >> self.magnitude_bits() & 1 == 1 {
            -1.0
        } else {
            1.0
        };
        let mantissa = bits & ((1 << self.mantissa_bits) - 1);
        let exponent = bits >> self.mantissa_bits & self.most();
        if exponent == self.most() {
            let wide = mantissa << (MANTISSA - self.mantissa_bits);
            return f64::from_bits(f64::INFINITY.to_bits() | wide).copysign(sign);
        }
        let whole = if exponent == 0 {
            0
        } else {
            1 << self.mantissa_bits
        } | mantissa;
        let power = exponent.max(1) + 1023 - self.most() / 2 - u64::from(self.mantissa_bits);
        sign * whole as f64 * f64::from_bits(power << MANTISSA)
    }
}

/// The value of a type that is nearest to a real one.
pub fn rounded(scalar: Scalar, value: f64) -> f64 {
    if let Some(half) = scalar.half() {
        return half.value(half.bits(value));
    }
    match scalar {
        Scalar::F32 => (value as f32).into(),
        Scalar::F64 => value,
        other => unreachable!("{other:?} is no float"),
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
                other => unreachable!("floats have no {other:?}"),
            }
        };
    }
    match scalar {
        // What the `half` crate does.
        half if half.is_half() => rounded(scalar, of!(a as f32, b as f32)),
        Scalar::F32 => of!(a as f32, b as f32),
        _ => of!(a, b),
    }
}

/// The float of some bits.
pub fn from_bits(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::F32 => f32::from_bits(bits as u32).into(),
        _ if let Some(half) = scalar.half() => half.value(bits),
        _ => f64::from_bits(bits),
    }
}

/// The bits of a float.
pub fn to_bits(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        Scalar::F32 => (value as f32).to_bits().into(),
        _ if let Some(half) = scalar.half() => half.bits(value),
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
        other => unreachable!("{other:?} is not made for floats"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_the_half_crate_are_exact() {
        for scalar in Scalar::ALL.into_iter().filter(|scalar| scalar.is_half()) {
            for bits in 0..1_u64 << scalar.bits() {
                let value = from_bits(scalar, bits);
                if !value.is_nan() {
                    assert_eq!(to_bits(scalar, value), bits, "{bits:#x}");
                }
            }
        }
    }

    #[test]
    fn ties_go_to_even_ones() {
        let f16 = |value| to_bits(Scalar::F16, value);
        assert_eq!(f16(1.0 + 1.0 / 2048.0), 0x3C00);
        assert_eq!(f16(1.0 + 3.0 / 2048.0), 0x3C02);
        assert_eq!(f16(1.0 + 1.0 / 2048.0 + f64::EPSILON), 0x3C01);
        assert_eq!(f16(65519.9), 0x7BFF);
        assert_eq!(f16(65520.0), 0x7C00);
        assert_eq!(f16(-(2_f64.powi(-25))), 0x8000);
        assert_eq!(f16(2_f64.powi(-25) * 1.1), 1);
        assert_eq!(f16(f64::NAN), 0x7E00);
        assert_eq!(to_bits(Scalar::Bf16, 1e300), 0x7F80);
    }
}
