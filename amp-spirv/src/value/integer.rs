//! Methods of integers: Rust's own, of the type that the integer has.

use super::{NoResult, Result, Value};
use crate::tree::{MathOp, Scalar};

/// A method of an integer.
pub fn method(op: MathOp, scalar: Scalar, values: &[Value]) -> Result {
    match (scalar.is_signed(), scalar.bits()) {
        (true, 8) => i8(op, values),
        (true, 16) => i16(op, values),
        (true, 32) => i32(op, values),
        (true, _) => i64(op, values),
        (false, 8) => u8(op, values),
        (false, 16) => u16(op, values),
        (false, 32) => u32(op, values),
        (false, _) => u64(op, values),
    }
}

/// The methods of a type; those that only some types have come last.
macro_rules! methods {
    ($ty:ident, |$x:ident, $op:ident, $values:ident| { $($own:tt)* }) => {
        fn $ty($op: MathOp, $values: &[Value]) -> Result {
            let arg = |k: usize| $values[k].as_int() as $ty;
            let count = || $values[1].as_int() as u32;
            let int = |value: $ty| Ok(Value::Int(value.into()));
            let checked = |value: Option<$ty>| match value {
                Some(value) => int(value),
                None => Err(NoResult(Value::Int(0))),
            };
            let counted = |value: u32| Ok(Value::Int(value.into()));
            let $x = arg(0);
            match $op {
                MathOp::Min => int($x.min(arg(1))),
                MathOp::Max => int($x.max(arg(1))),
                MathOp::Clamp if arg(1) > arg(2) => Err(NoResult(Value::Int($x.into()))),
                MathOp::Clamp => int($x.clamp(arg(1), arg(2))),
                MathOp::AbsDiff => Ok(Value::Int($x.abs_diff(arg(1)).into())),
                MathOp::RotateLeft => int($x.rotate_left(count())),
                MathOp::RotateRight => int($x.rotate_right(count())),
                MathOp::ReverseBits => int($x.reverse_bits()),
                MathOp::SwapBytes => int($x.swap_bytes()),
                MathOp::IntPow => int($x.wrapping_pow(count())),
                MathOp::RemEuclid => checked($x.checked_rem_euclid(arg(1))),
                MathOp::DivEuclid => checked($x.checked_div_euclid(arg(1))),
                MathOp::CountOnes => counted($x.count_ones()),
                MathOp::CountZeros => counted($x.count_zeros()),
                MathOp::LeadingZeros => counted($x.leading_zeros()),
                MathOp::TrailingZeros => counted($x.trailing_zeros()),
                MathOp::LeadingOnes => counted($x.leading_ones()),
                MathOp::TrailingOnes => counted($x.trailing_ones()),
                $($own)*
                other => unreachable!("{other:?} is not made for {}", stringify!($ty)),
            }
        }
    };
}

macro_rules! signed {
    ($($ty:ident)*) => {$(
        methods! { $ty, |x, op, values| {
            MathOp::Abs => Ok(Value::Int(x.wrapping_abs().into())),
            MathOp::Signum => Ok(Value::Int(x.signum().into())),
            MathOp::UnsignedAbs => Ok(Value::Int(x.unsigned_abs().into())),
        } }
    )*};
}

macro_rules! unsigned {
    ($($ty:ident)*) => {$(
        methods! { $ty, |x, op, values| {
            MathOp::IsPowerOfTwo => Ok(Value::Bool(x.is_power_of_two())),
            MathOp::DivCeil => match values[1].as_int() {
                0 => Err(NoResult(Value::Int(0))),
                y => Ok(Value::Int(x.div_ceil(y as $ty).into())),
            },
        } }
    )*};
}

signed! { i8 i16 i32 i64 }
unsigned! { u8 u16 u32 u64 }
