//! Every operator, cast and method.

use amp_spirv::artifact::FaultKind;
use amp_spirv::tree::{BinaryOp, MathOp, Module, Scalar};

use crate::check::{count, faults, listing, read, valid};

/// Elements of three views, as text.
type Elements = [&'static str; 3];

/// `out[idx] = make(a[idx], b[idx], c[idx])`
fn elementwise(operand: Scalar, result: Scalar, make: impl FnOnce(Elements) -> String) -> Module {
    let (operand, result) = (operand.name(), result.name());
    let value = make(["a[idx]", "b[idx]", "c[idx]"]);
    let params = ["a", "b", "c"].map(|name| format!("{name}: &ArrayView<{operand}, 1>"));
    read(&format!(
        "kernel elementwise over Index<1>
fn elementwise#0(idx: Index<1>, {}, out: &mut ArrayViewMut<{result}, 1>) {{
    out[idx] = {value};
}}",
        params.join(", ")
    ))
}

/// A `usize`, `isize` or `bool` can be in no view, so these go by way of `u32`.
fn elementwise_of(
    operand: Scalar,
    result: Scalar,
    make: impl FnOnce([String; 3]) -> String,
) -> Module {
    let stored = |scalar: Scalar| match scalar.is_element() {
        true => scalar,
        false => Scalar::U32,
    };
    elementwise(stored(operand), stored(result), |elements| {
        let value = make(elements.map(|element| match operand {
            Scalar::Bool => format!("({element} != 0u32)"),
            other if !other.is_element() => cast(element, other),
            _ => element.to_owned(),
        }));
        match result.is_element() {
            true => value,
            false => cast(&value, Scalar::U32),
        }
    })
}

fn cast(value: &str, to: Scalar) -> String {
    format!("({value} as {})", to.name())
}

fn binary(op: BinaryOp, a: &str, b: &str) -> String {
    format!("({a} {} {b})", op.symbol())
}

fn integers() -> impl Iterator<Item = Scalar> {
    Scalar::ALL.into_iter().filter(|scalar| scalar.is_integer())
}

/// Integer methods: how many operands beside the receiver, and the type of the result
/// if it is not the receiver's.
const INTEGER_OPS: &[(MathOp, usize, Option<Scalar>)] = &[
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

const FLOAT_OPS: &[(MathOp, usize, Option<Scalar>)] = &[
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

const OPERATORS: &[BinaryOp] = &[
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
fn method(op: MathOp, others: usize, operand: Scalar, result: Option<Scalar>) -> Module {
    let result = match op {
        MathOp::AbsDiff | MathOp::UnsignedAbs | MathOp::ToBits => operand.unsigned(),
        _ => result.unwrap_or(operand),
    };
    elementwise_of(operand, result, |[a, b, c]| {
        let second = match op {
            // These take a `u32` beside any receiver.
            MathOp::IntPow | MathOp::RotateLeft | MathOp::RotateRight => cast(&b, Scalar::U32),
            _ => b,
        };
        format!("{op:?}({})", [a, second, c][..=others].join(", "))
    })
}

/// The kernel of one operator, or nothing if the type does not have it.
fn operator(op: BinaryOp, operand: Scalar) -> Option<Module> {
    use BinaryOp::*;
    let compares = matches!(op, Eq | Ne | Lt | Le | Gt | Ge);
    let bitwise = matches!(op, BitAnd | BitOr | BitXor);
    let exists = match operand {
        Scalar::Bool => compares || bitwise,
        float if float.is_float() => !bitwise && !matches!(op, Shl | Shr),
        _ => true,
    };
    let result = if compares { Scalar::Bool } else { operand };
    exists.then(|| elementwise_of(operand, result, |[a, b, _]| binary(op, &a, &b)))
}

#[test]
fn every_operator() {
    for operand in Scalar::ALL {
        for op in OPERATORS {
            if let Some(module) = operator(*op, operand) {
                valid(&module);
            }
        }
        let op = if operand == Scalar::Bool { "!" } else { "-" };
        valid(&elementwise_of(operand, operand, |[a, ..]| {
            format!("{op}{a}")
        }));
    }
    for operand in integers() {
        valid(&elementwise_of(operand, operand, |[a, ..]| format!("!{a}")));
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
                valid(&elementwise_of(from, to, |[a, ..]| cast(&a, to)));
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

fn of_bits(float: Scalar) -> Module {
    elementwise(float.unsigned(), float, |[a, ..]| {
        format!("FromBits<{}>({a})", float.name())
    })
}

fn power(float: Scalar, exponent: impl FnOnce(&str) -> String) -> Module {
    elementwise(float, float, |[a, b, _]| {
        format!("Powi({a}, {})", exponent(b))
    })
}

#[test]
fn every_method_of_other_floats() {
    for (op, others, result) in FLOAT_OPS {
        if is_exact(*op) {
            valid(&method(*op, *others, Scalar::F64, *result));
        }
    }
    for operand in [Scalar::F64, Scalar::F16, Scalar::Bf16] {
        valid(&of_bits(operand));
    }
    for exponent in [0, 1, 5, -3, 100] {
        valid(&power(Scalar::F64, |_| format!("{exponent}i32")));
    }
    valid(&power(Scalar::F64, |b| cast(b, Scalar::I32)));
}

#[test]
fn a_module_asks_for_what_it_uses() {
    use amp_spirv::artifact::Feature::{Float64, Int8, Int16, Int64, Storage8, Storage16};
    let sum = |scalar| elementwise_of(scalar, scalar, |[a, b, _]| format!("({a} + {b})"));
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
    let local = elementwise(Scalar::U32, Scalar::U32, |[a, ..]| {
        cast(&cast(a, Scalar::I8), Scalar::U32)
    });
    assert_eq!(valid(&local).features.to_vec(), []);
}

#[test]
fn every_float_method() {
    for (op, others, result) in FLOAT_OPS {
        valid(&method(*op, *others, Scalar::F32, *result));
    }
    valid(&of_bits(Scalar::F32));
    for exponent in [0, 1, 2, 5, -3, 100, i32::MIN] {
        valid(&power(Scalar::F32, |_| format!("{exponent}i32")));
    }
    valid(&power(Scalar::F32, |b| cast(b, Scalar::I32)));
}

#[test]
fn division_by_a_literal_is_not_checked() {
    let divide = |divisor: i32| {
        let module = elementwise(Scalar::I32, Scalar::I32, |[a, ..]| {
            format!("({a} / {divisor}i32)")
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
    let module = elementwise(Scalar::F32, Scalar::F32, |[a, ..]| {
        format!("Clamp({a}, 0.0f32, 1.0f32)")
    });
    let faults = faults(&valid(&module));
    assert!(faults.iter().all(|kind| *kind == FaultKind::OutOfBounds));
}

#[test]
fn floats_are_never_contracted() {
    let module = elementwise(Scalar::F32, Scalar::F32, |[a, b, c]| {
        format!("(({a} * {b}) + {c})")
    });
    if let Some(text) = listing(&module) {
        assert_eq!(count(&text, "NoContraction"), 2);
    }
}
