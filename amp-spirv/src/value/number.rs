//! Arithmetic. Nothing but Rust's own operators, applied at the width of the type, and to
//! vectors component by component.

use super::{NoResult, Result, Value, float, integer};
use crate::tree::{BinaryOp, MathOp, Scalar, Type, UnaryOp};

/// An integer cut to its type.
pub fn cut(scalar: Scalar, value: i128) -> Value {
    let unused = i128::BITS - scalar.bits();
    let raised = value << unused;
    Value::Int(match scalar.is_signed() {
        true => raised >> unused,
        false => (raised.cast_unsigned() >> unused).cast_signed(),
    })
}

/// A scalar of some bits.
pub fn of_bits(scalar: Scalar, bits: u64) -> Value {
    match scalar {
        Scalar::Bool => Value::Bool(bits != 0),
        scalar if scalar.is_float() => Value::Float(float::from_bits(scalar, bits)),
        scalar => cut(scalar, bits.into()),
    }
}

/// The bits of a scalar.
pub fn to_bits(scalar: Scalar, value: &Value) -> u64 {
    match value {
        Value::Float(value) => float::to_bits(scalar, *value),
        Value::Bool(value) => (*value).into(),
        value => value.as_int() as u64,
    }
}

/// The scalar, or that of a vector's components.
fn scalar(ty: &Type) -> Scalar {
    match ty {
        Type::Scalar(scalar) | Type::Vector(scalar, _) => *scalar,
        other => unreachable!("{other:?} is no scalar"),
    }
}

/// What `of` makes of each component of some values; a scalar stands for each. A component
/// without a result is a fault of the whole, of which the others have theirs.
fn by_component(values: &[&Value], of: impl Fn(&[&Value]) -> Result) -> Result {
    let count = values.iter().find_map(|value| match value {
        Value::Parts(parts) => Some(parts.len()),
        _ => None,
    });
    let Some(count) = count else {
        return of(values);
    };
    let mut faulted = false;
    let parts = (0..count).map(|k| {
        let parts: Vec<&Value> = values
            .iter()
            .map(|value| match value {
                Value::Parts(parts) => &parts[k],
                scalar => scalar,
            })
            .collect();
        of(&parts).unwrap_or_else(|NoResult(value)| {
            faulted = true;
            value
        })
    });
    let whole = Value::Parts(parts.collect());
    match faulted {
        true => Err(NoResult(whole)),
        false => Ok(whole),
    }
}

/// A value that there always is.
fn sure(result: Result) -> Value {
    result.unwrap_or_else(|NoResult(value)| unreachable!("{value:?} has no fault"))
}

/// `op value`, of type `ty`.
pub fn unary(op: UnaryOp, ty: &Type, value: &Value) -> Value {
    sure(by_component(&[value], |values| {
        Ok(match (op, values[0]) {
            (UnaryOp::Neg, Value::Float(x)) => Value::Float(-x),
            (UnaryOp::Neg, x) => cut(scalar(ty), -x.as_int()),
            (UnaryOp::Not, Value::Bool(x)) => Value::Bool(!x),
            (UnaryOp::Not, x) => cut(scalar(ty), !x.as_int()),
        })
    }))
}

/// `a op b`, where `ty` is the type of `a`.
pub fn binary(op: BinaryOp, ty: &Type, a: &Value, b: &Value) -> Result {
    by_component(&[a, b], |values| {
        scalar_binary(op, scalar(ty), values[0], values[1])
    })
}

fn scalar_binary(op: BinaryOp, scalar: Scalar, a: &Value, b: &Value) -> Result {
    use BinaryOp::*;
    Ok(match (a, b) {
        (Value::Float(a), Value::Float(b)) => match op {
            _ if op.is_comparison() => compare(op, a, b),
            _ => Value::Float(float::operator(op, scalar, *a, *b)),
        },
        (Value::Bool(a), Value::Bool(b)) => match op {
            BitAnd => Value::Bool(a & b),
            BitOr => Value::Bool(a | b),
            BitXor => Value::Bool(a ^ b),
            _ => compare(op, a, b),
        },
        _ => {
            let (a, b) = (a.as_int(), b.as_int());
            let bits = i128::from(scalar.bits());
            match op {
                Add => cut(scalar, a + b),
                Sub => cut(scalar, a - b),
                Mul => cut(scalar, a.wrapping_mul(b)),
                Div => cut(scalar, divided(scalar, a, b)?.0),
                Rem => cut(scalar, divided(scalar, a, b)?.1),
                BitAnd => cut(scalar, a & b),
                BitOr => cut(scalar, a | b),
                BitXor => cut(scalar, a ^ b),
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
        other => unreachable!("{other:?} compares nothing"),
    })
}

/// Quotient and remainder, unless there is none.
fn divided(scalar: Scalar, a: i128, b: i128) -> std::result::Result<(i128, i128), NoResult> {
    if b == 0 || cut(scalar, a / b) != Value::Int(a / b) {
        return Err(NoResult(Value::Int(0)));
    }
    Ok((a / b, a % b))
}

/// `value as to`
pub fn cast(value: &Value, to: &Type) -> Value {
    let to = scalar(to);
    sure(by_component(&[value], |values| {
        Ok(match values[0] {
            Value::Bool(x) if to == Scalar::Bool => Value::Bool(*x),
            Value::Bool(x) if to.is_float() => Value::Float(f64::from(u8::from(*x))),
            Value::Bool(x) => Value::Int((*x).into()),
            Value::Float(x) if to.is_float() => Value::Float(float::rounded(to, *x)),
            // A cast of Rust's saturates.
            Value::Float(x) => Value::Int((*x as i128).clamp(to.min(), to.max())),
            // Rounded once, whatever the float is.
            Value::Int(x) if to == Scalar::F32 => Value::Float((*x as f32).into()),
            Value::Int(x) if to == Scalar::F64 => Value::Float(*x as f64),
            Value::Int(x) => cut(to, *x),
            other => unreachable!("{other:?} is not cast"),
        })
    }))
}

/// A method. `receiver` is the type of the first operand, `ty` that of the result.
pub fn math(op: MathOp, receiver: &Type, ty: &Type, values: &[Value]) -> Result {
    let values: Vec<&Value> = values.iter().collect();
    by_component(&values, |values| {
        let values: Vec<Value> = values.iter().copied().cloned().collect();
        match (op, &values[0]) {
            (MathOp::Select, Value::Bool(first)) => Ok(values[if *first { 1 } else { 2 }].clone()),
            (MathOp::FromBits, bits) => Ok(of_bits(scalar(ty), bits.as_int() as u64)),
            (_, Value::Float(_)) => float::method(op, scalar(receiver), &values),
            _ => integer::method(op, scalar(receiver), &values),
        }
    })
}
