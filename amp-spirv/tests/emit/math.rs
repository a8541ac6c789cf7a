//! Every operator, cast and method.

use amp_spirv::artifact::FaultKind;
use amp_spirv::ir::*;

use crate::check::{count, faults, listing, valid};
use crate::ir::*;

/// `out[idx] = make(a[idx], b[idx], c[idx])`
pub fn elementwise(
    operand: Type,
    result: Type,
    make: impl FnOnce(Expr, Expr, Expr) -> Expr,
) -> Module {
    let mut f = Fun::new("elementwise");
    let idx = f.param("idx", Type::Index(1));
    let [a, b, c] = ["a", "b", "c"].map(|name| f.param(name, view(operand.clone(), 1, false)));
    let out = f.param("out", view(result, 1, true));
    let [a, b, c] = [a, b, c].map(|view| load(view.at(idx.get())));
    let body = block(vec![assign(out.at(idx.get()), make(a, b, c))]);
    module(Domain::Range { rank: 1 }, vec![f.finish(body)])
}

/// A `usize`, `isize` or `bool` can be in no view, so these go by way of `u32`.
pub fn elementwise_of(
    operand: Scalar,
    result: Scalar,
    make: impl FnOnce(Expr, Expr, Expr) -> Expr,
) -> Module {
    let stored = |scalar: Scalar| match scalar {
        other if !other.is_element() => Type::U32,
        other => Type::Scalar(other),
    };
    let arrive = |value: Expr| match operand {
        Scalar::Bool => bin(BinaryOp::Ne, value, u32_(0)),
        other if !other.is_element() => cast(value, Type::Scalar(other)),
        _ => value,
    };
    elementwise(stored(operand), stored(result), |a, b, c| {
        let value = make(arrive(a), arrive(b), arrive(c));
        match result {
            other if !other.is_element() => cast(value, Type::U32),
            _ => value,
        }
    })
}

pub fn integers() -> impl Iterator<Item = Scalar> {
    Scalar::ALL.into_iter().filter(|scalar| scalar.is_integer())
}

/// Integer methods: how many operands beside the receiver, and the type of the result
/// if it is not the receiver's.
pub const INTEGER_OPS: &[(MathOp, usize, Option<Scalar>)] = &[
    (MathOp::Min, 1, None),
    (MathOp::Max, 1, None),
    (MathOp::Clamp, 2, None),
    (MathOp::Abs, 0, None),
    (MathOp::Signum, 0, None),
    (MathOp::CountOnes, 0, Some(Scalar::U32)),
    (MathOp::CountZeros, 0, Some(Scalar::U32)),
    (MathOp::LeadingZeros, 0, Some(Scalar::U32)),
    (MathOp::TrailingZeros, 0, Some(Scalar::U32)),
    (MathOp::LeadingOnes, 0, Some(Scalar::U32)),
    (MathOp::TrailingOnes, 0, Some(Scalar::U32)),
    (MathOp::ReverseBits, 0, None),
    (MathOp::SwapBytes, 0, None),
    (MathOp::RotateLeft, 1, None),
    (MathOp::RotateRight, 1, None),
    (MathOp::AbsDiff, 1, None),
    (MathOp::IntPow, 1, None),
    (MathOp::IsPowerOfTwo, 0, Some(Scalar::Bool)),
    (MathOp::RemEuclid, 1, None),
    (MathOp::DivEuclid, 1, None),
    (MathOp::DivCeil, 1, None),
    (MathOp::UnsignedAbs, 0, None),
];

pub const FLOAT_OPS: &[(MathOp, usize, Option<Scalar>)] = &[
    (MathOp::Min, 1, None),
    (MathOp::Max, 1, None),
    (MathOp::Clamp, 2, None),
    (MathOp::Abs, 0, None),
    (MathOp::Signum, 0, None),
    (MathOp::Sqrt, 0, None),
    (MathOp::MulAdd, 2, None),
    (MathOp::Floor, 0, None),
    (MathOp::Ceil, 0, None),
    (MathOp::Trunc, 0, None),
    (MathOp::Round, 0, None),
    (MathOp::RoundTiesEven, 0, None),
    (MathOp::Fract, 0, None),
    (MathOp::Copysign, 1, None),
    (MathOp::RemEuclid, 1, None),
    (MathOp::DivEuclid, 1, None),
    (MathOp::ToBits, 0, None),
    (MathOp::IsNan, 0, Some(Scalar::Bool)),
    (MathOp::IsInfinite, 0, Some(Scalar::Bool)),
    (MathOp::IsFinite, 0, Some(Scalar::Bool)),
    (MathOp::IsSignNegative, 0, Some(Scalar::Bool)),
    (MathOp::IsSignPositive, 0, Some(Scalar::Bool)),
    (MathOp::Recip, 0, None),
    (MathOp::Sin, 0, None),
    (MathOp::Cos, 0, None),
    (MathOp::Tan, 0, None),
    (MathOp::Asin, 0, None),
    (MathOp::Acos, 0, None),
    (MathOp::Atan, 0, None),
    (MathOp::Atan2, 1, None),
    (MathOp::Sinh, 0, None),
    (MathOp::Cosh, 0, None),
    (MathOp::Tanh, 0, None),
    (MathOp::Asinh, 0, None),
    (MathOp::Acosh, 0, None),
    (MathOp::Atanh, 0, None),
    (MathOp::Exp, 0, None),
    (MathOp::Exp2, 0, None),
    (MathOp::Ln, 0, None),
    (MathOp::Log2, 0, None),
    (MathOp::Log10, 0, None),
    (MathOp::Log, 1, None),
    (MathOp::Powf, 1, None),
    (MathOp::Hypot, 1, None),
    (MathOp::Cbrt, 0, None),
    (MathOp::ToDegrees, 0, None),
    (MathOp::ToRadians, 0, None),
];

pub const OPERATORS: &[BinaryOp] = &[
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
];

/// The kernel of one method.
pub fn method(op: MathOp, others: usize, operand: Scalar, result: Option<Scalar>) -> Module {
    let result = match op {
        MathOp::AbsDiff | MathOp::UnsignedAbs | MathOp::ToBits => operand.unsigned(),
        _ => result.unwrap_or(operand),
    };
    elementwise_of(operand, result, |a, b, c| {
        let second = match op {
            // These take a `u32` beside any receiver.
            MathOp::IntPow | MathOp::RotateLeft | MathOp::RotateRight => cast(b, Type::U32),
            _ => b,
        };
        let operands = [a, second, c].into_iter().take(1 + others).collect();
        math(op, Type::Scalar(result), operands)
    })
}

/// The kernel of one operator, or nothing if the type does not have it.
pub fn operator(op: BinaryOp, operand: Scalar) -> Option<Module> {
    use BinaryOp::*;
    let compares = matches!(op, Eq | Ne | Lt | Le | Gt | Ge);
    let bitwise = matches!(op, BitAnd | BitOr | BitXor);
    let exists = match operand {
        Scalar::Bool => compares || bitwise,
        float if float.is_float() => !bitwise && !matches!(op, Shl | Shr),
        _ => true,
    };
    let result = if compares { Scalar::Bool } else { operand };
    exists.then(|| elementwise_of(operand, result, |a, b, _| bin(op, a, b)))
}

#[test]
fn every_operator() {
    for operand in Scalar::ALL {
        for op in OPERATORS {
            if let Some(module) = operator(*op, operand) {
                valid(&module);
            }
        }
        let op = if operand == Scalar::Bool {
            UnaryOp::Not
        } else {
            UnaryOp::Neg
        };
        valid(&elementwise_of(operand, operand, |a, _, _| un(op, a)));
    }
    for operand in integers() {
        valid(&elementwise_of(operand, operand, |a, _, _| {
            un(UnaryOp::Not, a)
        }));
    }
}

#[test]
fn every_cast() {
    for from in Scalar::ALL {
        for to in Scalar::ALL {
            let allowed = match (from, to) {
                (_, Scalar::Bool) => from == to,
                (Scalar::Bool, to) => !to.is_float(),
                _ => true,
            };
            if allowed {
                valid(&elementwise_of(from, to, |a, _, _| {
                    cast(a, Type::Scalar(to))
                }));
            }
        }
    }
}

#[test]
fn every_integer_method() {
    for operand in integers() {
        for (op, others, result) in INTEGER_OPS {
            valid(&method(*op, *others, operand, *result));
        }
    }
}

/// Methods that floats of other widths have too.
fn is_exact(op: MathOp) -> bool {
    use MathOp::*;
    let arithmetic = matches!(
        op,
        Sqrt | MulAdd | RemEuclid | DivEuclid | Recip | ToDegrees | ToRadians
    );
    let rounding = matches!(op, Floor | Ceil | Trunc | Round | RoundTiesEven | Fract);
    let choice = matches!(op, Min | Max | Clamp | Abs | Signum | Copysign | ToBits);
    let question = matches!(
        op,
        IsNan | IsInfinite | IsFinite | IsSignNegative | IsSignPositive
    );
    arithmetic || rounding || choice || question
}

#[test]
fn every_method_of_other_floats() {
    for (op, others, result) in FLOAT_OPS {
        if is_exact(*op) {
            valid(&method(*op, *others, Scalar::F64, *result));
        }
    }
    for operand in [Scalar::F64, Scalar::F16, Scalar::Bf16] {
        let bits = Type::Scalar(operand.unsigned());
        valid(&elementwise(bits, Type::Scalar(operand), |a, _, _| {
            math(MathOp::FromBits, Type::Scalar(operand), vec![a])
        }));
    }
    let ty = || Type::Scalar(Scalar::F64);
    for exponent in [0, 1, 5, -3, 100] {
        valid(&elementwise(ty(), ty(), |a, _, _| {
            math(MathOp::Powi, ty(), vec![a, i32_(exponent)])
        }));
    }
    valid(&elementwise(ty(), ty(), |a, b, _| {
        math(MathOp::Powi, ty(), vec![a, cast(b, Type::I32)])
    }));
}

#[test]
fn a_module_asks_for_what_it_uses() {
    use amp_spirv::artifact::Feature::{Float64, Int8, Int16, Int64, Storage8, Storage16};
    let sum = |scalar| elementwise_of(scalar, scalar, |a, b, _| bin(BinaryOp::Add, a, b));
    let features = |scalar| valid(&sum(scalar)).features.to_vec();
    for scalar in [
        Scalar::I32,
        Scalar::U32,
        Scalar::Usize,
        Scalar::Isize,
        Scalar::F32,
    ] {
        assert_eq!(features(scalar), []);
    }
    assert_eq!(features(Scalar::U8), [Int8, Storage8]);
    assert_eq!(features(Scalar::I16), [Int16, Storage16]);
    assert_eq!(features(Scalar::F16), [Int16, Storage16]);
    assert_eq!(features(Scalar::U64), [Int64]);
    assert_eq!(features(Scalar::F64), [Float64]);
    // Narrow values that lie in no array need nothing.
    let local = elementwise(Type::U32, Type::U32, |a, _, _| {
        cast(cast(a, Type::Scalar(Scalar::I8)), Type::U32)
    });
    assert_eq!(valid(&local).features.to_vec(), []);
}

#[test]
fn every_float_method() {
    for (op, others, result) in FLOAT_OPS {
        valid(&method(*op, *others, Scalar::F32, *result));
    }
    valid(&elementwise(Type::U32, Type::F32, |a, _, _| {
        math(MathOp::FromBits, Type::F32, vec![a])
    }));
    for exponent in [0, 1, 2, 5, -3, 100, i32::MIN] {
        valid(&elementwise(Type::F32, Type::F32, |a, _, _| {
            math(MathOp::Powi, Type::F32, vec![a, i32_(exponent)])
        }));
    }
    valid(&elementwise(Type::F32, Type::F32, |a, b, _| {
        math(MathOp::Powi, Type::F32, vec![a, cast(b, Type::I32)])
    }));
}

#[test]
fn division_by_a_literal_is_not_checked() {
    let divide = |divisor: i32| {
        let module = elementwise(Type::I32, Type::I32, |a, _, _| {
            bin(BinaryOp::Div, a, i32_(divisor))
        });
        let faults = faults(&valid(&module));
        faults
            .into_iter()
            .filter(|kind| *kind != FaultKind::OutOfBounds)
            .collect::<Vec<_>>()
    };
    assert_eq!(divide(7), []);
    assert_eq!(divide(-1), [FaultKind::DivisionOverflow]);
    assert_eq!(divide(0), [FaultKind::DivisionByZero]);
}

#[test]
fn clamp_between_ordered_literals_is_not_checked() {
    let module = elementwise(Type::F32, Type::F32, |a, _, _| {
        math(MathOp::Clamp, Type::F32, vec![a, f32_(0.0), f32_(1.0)])
    });
    let faults = faults(&valid(&module));
    assert!(faults.iter().all(|kind| *kind == FaultKind::OutOfBounds));
}

#[test]
fn floats_are_never_contracted() {
    let module = elementwise(Type::F32, Type::F32, |a, b, c| {
        bin(BinaryOp::Add, bin(BinaryOp::Mul, a, b), c)
    });
    if let Some(text) = listing(&module) {
        assert_eq!(count(&text, "NoContraction"), 2);
    }
}
