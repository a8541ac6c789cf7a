//! The numeric methods as tables: which there are for each scalar, and with what types.

use amp_spirv::tree::{BinaryOp, MathOp, Scalar};

use super::library;

/// What a numeric method is in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MathMethod {
    /// A math operation.
    Op(MathOp),
    /// An operator: `wrapping_add` is `+`.
    Binary(BinaryOp),
    /// `wrapping_neg`
    Neg,
    /// `wrapping_div`, `wrapping_rem`: the operator, but `MIN` by -1 is no fault.
    WrappingDivision(BinaryOp),
    /// `to_f32`, `to_f64`, `from_f32` of the `half` crate's floats.
    Convert,
}

/// Type of an argument or result, relative to the receiver.
#[derive(Clone, Copy)]
pub(super) enum Rel {
    /// The same.
    Same,
    /// The unsigned integer that is as wide.
    Unsigned,
    /// Always this.
    Is(Scalar),
}

/// A method: what it is, and its types without the receiver's.
pub(super) struct Entry {
    pub method: MathMethod,
    pub arguments: &'static [Rel],
    pub result: Rel,
}

const fn entry(op: MathOp, arguments: &'static [Rel], result: Rel) -> Option<Entry> {
    Some(Entry {
        method: MathMethod::Op(op),
        arguments,
        result,
    })
}

const SAME: Rel = Rel::Same;
const UNSIGNED: Rel = Rel::Unsigned;
const U32: Rel = Rel::Is(Scalar::U32);
const BOOL: Rel = Rel::Is(Scalar::Bool);

fn integer_method(name: &str, scalar: Scalar) -> Option<Entry> {
    use MathOp::*;
    let binary = |op, argument: &'static [Rel]| {
        Some(Entry {
            method: MathMethod::Binary(op),
            arguments: argument,
            result: SAME,
        })
    };
    let division = |op| {
        Some(Entry {
            method: MathMethod::WrappingDivision(op),
            arguments: &[SAME],
            result: SAME,
        })
    };
    let signed = scalar.is_signed();
    match name {
        "min" => entry(Min, &[SAME], SAME),
        "max" => entry(Max, &[SAME], SAME),
        "clamp" => entry(Clamp, &[SAME, SAME], SAME),
        "abs" | "wrapping_abs" if signed => entry(Abs, &[], SAME),
        "signum" if signed => entry(Signum, &[], SAME),
        "unsigned_abs" if signed => entry(UnsignedAbs, &[], UNSIGNED),
        "abs_diff" => entry(AbsDiff, &[SAME], UNSIGNED),
        "count_ones" => entry(CountOnes, &[], U32),
        "count_zeros" => entry(CountZeros, &[], U32),
        "leading_zeros" => entry(LeadingZeros, &[], U32),
        "trailing_zeros" => entry(TrailingZeros, &[], U32),
        "leading_ones" => entry(LeadingOnes, &[], U32),
        "trailing_ones" => entry(TrailingOnes, &[], U32),
        "reverse_bits" => entry(ReverseBits, &[], SAME),
        "swap_bytes" => entry(SwapBytes, &[], SAME),
        "rotate_left" => entry(RotateLeft, &[U32], SAME),
        "rotate_right" => entry(RotateRight, &[U32], SAME),
        "pow" | "wrapping_pow" => entry(IntPow, &[U32], SAME),
        "is_power_of_two" if !signed => entry(IsPowerOfTwo, &[], BOOL),
        "rem_euclid" => entry(RemEuclid, &[SAME], SAME),
        "div_euclid" => entry(DivEuclid, &[SAME], SAME),
        "div_ceil" if !signed => entry(DivCeil, &[SAME], SAME),
        "wrapping_add" => binary(BinaryOp::Add, &[SAME]),
        "wrapping_sub" => binary(BinaryOp::Sub, &[SAME]),
        "wrapping_mul" => binary(BinaryOp::Mul, &[SAME]),
        "wrapping_div" => division(BinaryOp::Div),
        "wrapping_rem" => division(BinaryOp::Rem),
        "wrapping_shl" => binary(BinaryOp::Shl, &[U32]),
        "wrapping_shr" => binary(BinaryOp::Shr, &[U32]),
        "wrapping_neg" => Some(Entry {
            method: MathMethod::Neg,
            arguments: &[],
            result: SAME,
        }),
        _ => None,
    }
}

/// Methods whose result depends on how wide the integer is: usize and isize are 32 bits
/// wide on a device and 64 on the CPU.
pub(super) fn depends_on_width(name: &str) -> bool {
    matches!(
        name,
        "count_zeros"
            | "leading_zeros"
            | "trailing_zeros"
            | "leading_ones"
            | "reverse_bits"
            | "swap_bytes"
            | "rotate_left"
            | "rotate_right"
    )
}

fn float_method(name: &str) -> Option<Entry> {
    use MathOp::*;
    match name {
        "min" => entry(Min, &[SAME], SAME),
        "max" => entry(Max, &[SAME], SAME),
        "clamp" => entry(Clamp, &[SAME, SAME], SAME),
        "abs" => entry(Abs, &[], SAME),
        "signum" => entry(Signum, &[], SAME),
        "sqrt" => entry(Sqrt, &[], SAME),
        "mul_add" => entry(MulAdd, &[SAME, SAME], SAME),
        "floor" => entry(Floor, &[], SAME),
        "ceil" => entry(Ceil, &[], SAME),
        "trunc" => entry(Trunc, &[], SAME),
        "round" => entry(Round, &[], SAME),
        "round_ties_even" => entry(RoundTiesEven, &[], SAME),
        "fract" => entry(Fract, &[], SAME),
        "copysign" => entry(Copysign, &[SAME], SAME),
        "to_bits" => entry(ToBits, &[], UNSIGNED),
        "is_nan" => entry(IsNan, &[], BOOL),
        "is_infinite" => entry(IsInfinite, &[], BOOL),
        "is_finite" => entry(IsFinite, &[], BOOL),
        "is_sign_negative" => entry(IsSignNegative, &[], BOOL),
        "is_sign_positive" => entry(IsSignPositive, &[], BOOL),
        "rem_euclid" => entry(RemEuclid, &[SAME], SAME),
        "div_euclid" => entry(DivEuclid, &[SAME], SAME),
        "recip" => entry(Recip, &[], SAME),
        "sin" => entry(Sin, &[], SAME),
        "cos" => entry(Cos, &[], SAME),
        "tan" => entry(Tan, &[], SAME),
        "asin" => entry(Asin, &[], SAME),
        "acos" => entry(Acos, &[], SAME),
        "atan" => entry(Atan, &[], SAME),
        "atan2" => entry(Atan2, &[SAME], SAME),
        "sinh" => entry(Sinh, &[], SAME),
        "cosh" => entry(Cosh, &[], SAME),
        "tanh" => entry(Tanh, &[], SAME),
        "asinh" => entry(Asinh, &[], SAME),
        "acosh" => entry(Acosh, &[], SAME),
        "atanh" => entry(Atanh, &[], SAME),
        "exp" => entry(Exp, &[], SAME),
        "exp2" => entry(Exp2, &[], SAME),
        "ln" => entry(Ln, &[], SAME),
        "log2" => entry(Log2, &[], SAME),
        "log10" => entry(Log10, &[], SAME),
        "log" => entry(Log, &[SAME], SAME),
        "powf" => entry(Powf, &[SAME], SAME),
        "powi" => entry(Powi, &[Rel::Is(Scalar::I32)], SAME),
        "hypot" => entry(Hypot, &[SAME], SAME),
        "cbrt" => entry(Cbrt, &[], SAME),
        "to_degrees" => entry(ToDegrees, &[], SAME),
        "to_radians" => entry(ToRadians, &[], SAME),
        _ => None,
    }
}

/// Methods of `f64`: those that are exact, since devices have no others. The others are
/// functions of the library.
fn double_method(name: &str) -> Option<Entry> {
    let entry = float_method(name)?;
    let MathMethod::Op(op) = entry.method else {
        return None;
    };
    use MathOp::*;
    let exact = matches!(
        op,
        Min | Max
            | Clamp
            | Abs
            | Signum
            | Sqrt
            | MulAdd
            | Floor
            | Ceil
            | Trunc
            | Round
            | RoundTiesEven
            | Fract
            | Copysign
            | ToBits
            | IsNan
            | IsInfinite
            | IsFinite
            | IsSignNegative
            | IsSignPositive
            | RemEuclid
            | DivEuclid
            | Recip
            | Powi
            | ToDegrees
            | ToRadians
    );
    exact.then_some(entry)
}

/// Methods of `half::f16` and `half::bf16`, which have few of their own.
fn half_method(name: &str) -> Option<Entry> {
    use MathOp::*;
    let convert = |target| {
        Some(Entry {
            method: MathMethod::Convert,
            arguments: &[],
            result: Rel::Is(target),
        })
    };
    match name {
        "to_f32" => convert(Scalar::F32),
        "to_f64" => convert(Scalar::F64),
        "min" => entry(Min, &[SAME], SAME),
        "max" => entry(Max, &[SAME], SAME),
        "clamp" => entry(Clamp, &[SAME, SAME], SAME),
        "signum" => entry(Signum, &[], SAME),
        "copysign" => entry(Copysign, &[SAME], SAME),
        "to_bits" => entry(ToBits, &[], UNSIGNED),
        "is_nan" => entry(IsNan, &[], BOOL),
        "is_infinite" => entry(IsInfinite, &[], BOOL),
        "is_finite" => entry(IsFinite, &[], BOOL),
        "is_sign_negative" => entry(IsSignNegative, &[], BOOL),
        "is_sign_positive" => entry(IsSignPositive, &[], BOOL),
        _ => None,
    }
}

/// The method of a scalar that has this name.
pub(super) fn scalar_method(name: &str, scalar: Scalar) -> Option<Entry> {
    match scalar {
        Scalar::F32 => float_method(name),
        Scalar::F64 => double_method(name),
        Scalar::F16 | Scalar::Bf16 => half_method(name),
        Scalar::Usize | Scalar::Isize if depends_on_width(name) => None,
        scalar if scalar.is_integer() => integer_method(name, scalar),
        _ => None,
    }
}

/// The names of all numeric methods, for suggestions.
const METHODS: &[&str] = &[
    "min",
    "max",
    "clamp",
    "abs",
    "wrapping_abs",
    "signum",
    "unsigned_abs",
    "abs_diff",
    "count_ones",
    "count_zeros",
    "leading_zeros",
    "trailing_zeros",
    "leading_ones",
    "trailing_ones",
    "reverse_bits",
    "swap_bytes",
    "rotate_left",
    "rotate_right",
    "pow",
    "wrapping_pow",
    "is_power_of_two",
    "rem_euclid",
    "div_euclid",
    "div_ceil",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "wrapping_div",
    "wrapping_rem",
    "wrapping_shl",
    "wrapping_shr",
    "wrapping_neg",
    "sqrt",
    "mul_add",
    "floor",
    "ceil",
    "trunc",
    "round",
    "round_ties_even",
    "fract",
    "copysign",
    "to_bits",
    "is_nan",
    "is_infinite",
    "is_finite",
    "is_sign_negative",
    "is_sign_positive",
    "recip",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "ln",
    "log2",
    "log10",
    "log",
    "powf",
    "powi",
    "hypot",
    "cbrt",
    "to_degrees",
    "to_radians",
    "to_f32",
    "to_f64",
];

/// The names of a scalar's methods.
pub(super) fn method_names(scalar: Scalar) -> impl Iterator<Item = &'static str> {
    let names = METHODS.iter().chain(&library::METHODS).copied();
    names.filter(move |name| {
        scalar_method(name, scalar).is_some() || library::method(name, scalar, false).is_some()
    })
}

/// A function `scalar::name` that makes a scalar of another, with its argument's type.
pub(super) fn constructor(name: &str, scalar: Scalar) -> Option<(MathMethod, Scalar)> {
    match name {
        "from_bits" if scalar.is_float() => {
            Some((MathMethod::Op(MathOp::FromBits), scalar.unsigned()))
        }
        "from_f32" if scalar.is_half() => Some((MathMethod::Convert, Scalar::F32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use amp_spirv::tree::Scalar;

    use super::{METHODS, library, scalar_method};

    #[test]
    fn the_documents_list_every_method() {
        let text = include_str!("../../../docs/methods.md");
        let listed: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        for name in METHODS.iter().chain(&library::METHODS) {
            assert!(
                listed.contains(name),
                "docs/methods.md does not list {name}"
            );
        }
    }

    #[test]
    fn the_names_are_those_of_the_tables() {
        let scalars = [Scalar::I32, Scalar::U32, Scalar::F32, Scalar::F16];
        for name in METHODS {
            let mut of = scalars.into_iter();
            assert!(of.any(|of| scalar_method(name, of).is_some()), "{name}");
        }
        // Each arm of a table starts with names.
        let tables = include_str!("numeric.rs").split("const METHODS").next();
        let arms = tables.unwrap_or_default().lines().filter_map(|line| {
            let (names, method) = line.trim().split_once(" => ")?;
            let is_arm = names.starts_with('"') && !method.starts_with("Some((");
            is_arm.then(|| names.split('"').skip(1).step_by(2))
        });
        for name in arms.flatten() {
            assert!(METHODS.contains(&name), "{name} is not listed");
        }
    }
}
