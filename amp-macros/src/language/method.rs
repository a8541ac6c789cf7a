//! The methods of numbers, one row each: who has it, its types, what it is in the tree, what the
//! host version calls in its stead, and the function of the library that it is where the device has
//! none.

use amp_spirv::tree::{BinaryOp, MathOp, Scalar};

use super::standard;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rel {
    /// The same.
    Same,
    /// The unsigned integer that is as wide.
    Unsigned,
    /// Always this.
    Is(Scalar),
}

impl Rel {
    /// The type for this receiver.
    pub fn to(self, receiver: Scalar) -> Scalar {
        match self {
            Rel::Same => receiver,
            Rel::Unsigned => receiver.unsigned(),
            Rel::Is(scalar) => scalar,
        }
    }
}

/// What the host version calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// Rust's method of the same name.
    Same,
    /// Rust's method of this name, which wraps where that panics.
    Method(&'static str),
    /// A function of the run time.
    Function(&'static str),
}

/// A numeric method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    pub name: &'static str,
    /// The classes of scalars that have it on a device.
    of: u8,
    pub means: MathMethod,
    /// Types of the arguments behind the receiver.
    pub arguments: &'static [Rel],
    pub result: Rel,
    pub host: Host,
    /// The function of `precise_math` that it is for `f32` and `f64`, where floats are precise.
    pub library: Option<&'static str>,
}

const SIGNED: u8 = 1;
const UNSIGNED: u8 = 1 << 1;
const ISIZE: u8 = 1 << 2;
const USIZE: u8 = 1 << 3;
const F32: u8 = 1 << 4;
const F64: u8 = 1 << 5;
const HALF: u8 = 1 << 6;
const ALL_SIGNED: u8 = SIGNED | ISIZE;
const ALL_UNSIGNED: u8 = UNSIGNED | USIZE;
const INTEGERS: u8 = ALL_SIGNED | ALL_UNSIGNED;
/// The integers that are as wide on a device as on the host.
const FIXED: u8 = SIGNED | UNSIGNED;
const FLOATS: u8 = F32 | F64;
const ALL_FLOATS: u8 = FLOATS | HALF;

fn class(scalar: Scalar) -> u8 {
    match scalar {
        Scalar::Bool => 0,
        half if half.is_half() => HALF,
        Scalar::F32 => F32,
        Scalar::F64 => F64,
        Scalar::Isize => ISIZE,
        Scalar::Usize => USIZE,
        integer if integer.is_signed() => SIGNED,
        _ => UNSIGNED,
    }
}

const fn row(
    name: &'static str,
    of: u8,
    means: MathMethod,
    arguments: &'static [Rel],
    result: Rel,
) -> Method {
    Method {
        name,
        of,
        means,
        arguments,
        result,
        host: Host::Same,
        library: None,
    }
}

const fn op(
    name: &'static str,
    of: u8,
    op: MathOp,
    arguments: &'static [Rel],
    result: Rel,
) -> Method {
    row(name, of, MathMethod::Op(op), arguments, result)
}

/// A function of floats whose results have the precision of the device: of `f32` alone.
const fn inexact(name: &'static str, of: MathOp, arguments: &'static [Rel]) -> Method {
    op(name, F32, of, arguments, SAME).library(name)
}

/// An operator that wraps.
const fn wrapping(name: &'static str, op: BinaryOp, arguments: &'static [Rel]) -> Method {
    row(name, INTEGERS, MathMethod::Binary(op), arguments, SAME)
}

const fn wrapping_division(name: &'static str, op: BinaryOp) -> Method {
    let means = MathMethod::WrappingDivision(op);
    row(name, INTEGERS, means, &[SAME], SAME).host(Host::Function(name))
}

impl Method {
    const fn host(self, host: Host) -> Method {
        Method { host, ..self }
    }

    /// Whether integers have it from `Ord`.
    pub fn is_of_ord(&self) -> bool {
        use MathOp::{Clamp, Max, Min};
        matches!(self.means, MathMethod::Op(Min | Max | Clamp))
    }

    const fn library(self, function: &'static str) -> Method {
        let library = Some(function);
        Method { library, ..self }
    }
}

const SAME: Rel = Rel::Same;
const BITS: Rel = Rel::Unsigned;
const U32: Rel = Rel::Is(Scalar::U32);
const BOOL: Rel = Rel::Is(Scalar::Bool);

/// What the trait `Integer` has.
pub const OF_INTEGERS: &[&str] = &[
    "count_ones",
    "count_zeros",
    "leading_ones",
    "leading_zeros",
    "trailing_ones",
    "trailing_zeros",
    "reverse_bits",
    "swap_bytes",
    "rotate_left",
    "rotate_right",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "wrapping_neg",
    "wrapping_pow",
    "wrapping_shl",
    "wrapping_shr",
];

/// The methods.
pub const METHODS: &[Method] = {
    use MathOp::*;
    &[
        op("min", INTEGERS, Min, &[SAME], SAME),
        op("min", ALL_FLOATS, Min, &[SAME], SAME).host(Host::Function("min_float")),
        op("max", INTEGERS, Max, &[SAME], SAME),
        op("max", ALL_FLOATS, Max, &[SAME], SAME).host(Host::Function("max_float")),
        op("clamp", INTEGERS | ALL_FLOATS, Clamp, &[SAME, SAME], SAME)
            .host(Host::Function("clamp")),
        op("abs", ALL_SIGNED, Abs, &[], SAME).host(Host::Method("wrapping_abs")),
        op("abs", FLOATS, Abs, &[], SAME),
        op("wrapping_abs", ALL_SIGNED, Abs, &[], SAME),
        op("signum", ALL_SIGNED | ALL_FLOATS, Signum, &[], SAME),
        op("unsigned_abs", ALL_SIGNED, UnsignedAbs, &[], BITS),
        op("abs_diff", INTEGERS, AbsDiff, &[SAME], BITS),
        op("count_ones", INTEGERS, CountOnes, &[], U32),
        op("count_zeros", FIXED, CountZeros, &[], U32),
        op("leading_zeros", FIXED, LeadingZeros, &[], U32),
        op("trailing_zeros", FIXED, TrailingZeros, &[], U32),
        op("leading_ones", FIXED, LeadingOnes, &[], U32),
        op("trailing_ones", INTEGERS, TrailingOnes, &[], U32),
        op("reverse_bits", FIXED, ReverseBits, &[], SAME),
        op("swap_bytes", FIXED, SwapBytes, &[], SAME),
        op("rotate_left", FIXED, RotateLeft, &[U32], SAME),
        op("rotate_right", FIXED, RotateRight, &[U32], SAME),
        op("pow", INTEGERS, IntPow, &[U32], SAME).host(Host::Method("wrapping_pow")),
        op("wrapping_pow", INTEGERS, IntPow, &[U32], SAME),
        op("is_power_of_two", ALL_UNSIGNED, IsPowerOfTwo, &[], BOOL),
        op("rem_euclid", INTEGERS, RemEuclid, &[SAME], SAME).host(Host::Function("rem_euclid")),
        op("rem_euclid", FLOATS, RemEuclid, &[SAME], SAME),
        op("div_euclid", INTEGERS, DivEuclid, &[SAME], SAME).host(Host::Function("div_euclid")),
        op("div_euclid", FLOATS, DivEuclid, &[SAME], SAME),
        op("div_ceil", ALL_UNSIGNED, DivCeil, &[SAME], SAME).host(Host::Function("div_ceil")),
        wrapping("wrapping_add", BinaryOp::Add, &[SAME]),
        wrapping("wrapping_sub", BinaryOp::Sub, &[SAME]),
        wrapping("wrapping_mul", BinaryOp::Mul, &[SAME]),
        wrapping_division("wrapping_div", BinaryOp::Div),
        wrapping_division("wrapping_rem", BinaryOp::Rem),
        wrapping("wrapping_shl", BinaryOp::Shl, &[U32]),
        wrapping("wrapping_shr", BinaryOp::Shr, &[U32]),
        row("wrapping_neg", INTEGERS, MathMethod::Neg, &[], SAME),
        op("sqrt", FLOATS, Sqrt, &[], SAME),
        op("mul_add", FLOATS, MulAdd, &[SAME, SAME], SAME),
        op("floor", FLOATS, Floor, &[], SAME),
        op("ceil", FLOATS, Ceil, &[], SAME),
        op("trunc", FLOATS, Trunc, &[], SAME),
        op("round", FLOATS, Round, &[], SAME),
        op("round_ties_even", FLOATS, RoundTiesEven, &[], SAME),
        op("fract", FLOATS, Fract, &[], SAME),
        op("copysign", ALL_FLOATS, Copysign, &[SAME], SAME),
        op("to_bits", ALL_FLOATS, ToBits, &[], BITS),
        op("is_nan", ALL_FLOATS, IsNan, &[], BOOL),
        op("is_infinite", ALL_FLOATS, IsInfinite, &[], BOOL),
        op("is_finite", ALL_FLOATS, IsFinite, &[], BOOL),
        op("is_sign_negative", ALL_FLOATS, IsSignNegative, &[], BOOL),
        op("is_sign_positive", ALL_FLOATS, IsSignPositive, &[], BOOL),
        op("recip", FLOATS, Recip, &[], SAME),
        inexact("sin", Sin, &[]),
        inexact("cos", Cos, &[]),
        inexact("tan", Tan, &[]),
        inexact("asin", Asin, &[]),
        inexact("acos", Acos, &[]),
        inexact("atan", Atan, &[]),
        inexact("atan2", Atan2, &[SAME]),
        inexact("sinh", Sinh, &[]),
        inexact("cosh", Cosh, &[]),
        inexact("tanh", Tanh, &[]),
        inexact("asinh", Asinh, &[]),
        inexact("acosh", Acosh, &[]),
        inexact("atanh", Atanh, &[]),
        inexact("exp", Exp, &[]),
        inexact("exp2", Exp2, &[]),
        inexact("ln", Ln, &[]).library("log"),
        inexact("log2", Log2, &[]),
        inexact("log10", Log10, &[]),
        inexact("log", Log, &[SAME]).library("log_to_base"),
        inexact("powf", Powf, &[SAME]).library("pow"),
        op("powi", FLOATS, Powi, &[Rel::Is(Scalar::I32)], SAME).host(Host::Function("powi")),
        inexact("hypot", Hypot, &[SAME]),
        inexact("cbrt", Cbrt, &[]),
        op("to_degrees", FLOATS, ToDegrees, &[], SAME),
        op("to_radians", FLOATS, ToRadians, &[], SAME),
        row(
            "to_f32",
            HALF,
            MathMethod::Convert,
            &[],
            Rel::Is(Scalar::F32),
        ),
        row(
            "to_f64",
            HALF,
            MathMethod::Convert,
            &[],
            Rel::Is(Scalar::F64),
        ),
    ]
};

/// The methods of `f32` and `f64` that no device has, with their functions in `precise_math`.
const OF_LIBRARY: &[(&str, &str)] = &[
    ("exp_m1", "expm1"),
    ("ln_1p", "log1p"),
    ("sin_cos", "sincos"),
];

/// The functions `scalar::name` that make a scalar of another; they take no receiver.
const CONSTRUCTORS: &[Method] = &[
    op("from_bits", ALL_FLOATS, MathOp::FromBits, &[BITS], SAME),
    row(
        "from_f32",
        HALF,
        MathMethod::Convert,
        &[Rel::Is(Scalar::F32)],
        SAME,
    ),
];

fn find(rows: &'static [Method], name: &str, scalar: Scalar) -> Option<&'static Method> {
    let class = class(scalar);
    let mut rows = rows.iter();
    rows.find(|method| method.of & class != 0 && method.name == name)
}

/// The method of a scalar that has this name.
pub fn scalar_method(name: &str, scalar: Scalar) -> Option<&'static Method> {
    find(METHODS, name, scalar)
}

/// The function `scalar::name` that makes a scalar of another.
pub fn constructor(name: &str, scalar: Scalar) -> Option<&'static Method> {
    find(CONSTRUCTORS, name, scalar)
}

/// The methods of `f32` and `f64` that are functions of `precise_math`, with these.
fn of_library() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = METHODS.iter();
    let inexact = rows.filter_map(|method| Some((method.name, method.library?)));
    inexact.chain(OF_LIBRARY.iter().copied())
}

/// The function of `precise_math` that is a method of a scalar.
pub fn library_function(name: &str, scalar: Scalar) -> Option<&'static str> {
    let is_float = class(scalar) & FLOATS != 0;
    let found = of_library().find(|(method, _)| is_float && *method == name);
    found.map(|(_, function)| function)
}

/// The names of a scalar's methods.
pub fn method_names(scalar: Scalar) -> impl Iterator<Item = &'static str> {
    let names = METHODS.iter().map(|method| method.name);
    let names = names.chain(OF_LIBRARY.iter().map(|(name, _)| *name));
    let names = names.filter(move |name| {
        scalar_method(name, scalar).is_some() || library_function(name, scalar).is_some()
    });
    names.chain(standard::names(scalar))
}

/// Whether the result of a method depends on how wide the integer is: usize and isize are 32
/// bits wide on a device and 64 on the CPU.
pub fn depends_on_width(name: &str) -> bool {
    let mut rows = METHODS.iter();
    rows.any(|method| method.of == FIXED && method.name == name) || standard::depends_on_width(name)
}

/// How kernels make a float of the `half` crate of an `f32`, for a message.
pub fn half_of(half: Scalar, value: &str) -> String {
    format!("`{}::from_f32({value})`", half.name())
}

/// How they make any of them.
pub fn half_constructors() -> String {
    let halves = Scalar::ALL.into_iter().filter(|scalar| scalar.is_half());
    let calls = halves.map(|half| half_of(half, "x"));
    calls.collect::<Vec<_>>().join(" or ")
}

/// Whether a path is one that this module makes.
pub fn is_library_path(path: &str) -> bool {
    path.starts_with("::amp::")
}

#[cfg(test)]
mod tests {
    use super::{METHODS, OF_LIBRARY, Scalar, standard};

    #[test]
    fn the_documents_list_every_scalar() {
        let text = include_str!("../../../docs/language.md");
        let (_, types) = text.split_once("## Types").unwrap();
        let (types, _) = types.split_once("\n## ").unwrap();
        for scalar in Scalar::ALL {
            let name = format!("`{}`", scalar.name());
            assert!(
                types.contains(&name),
                "docs/language.md does not list {name}"
            );
        }
    }

    #[test]
    fn the_documents_list_every_method() {
        let text = include_str!("../../../docs/methods.md");
        let listed: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let names = METHODS.iter().map(|method| method.name);
        let names = names.chain(OF_LIBRARY.iter().map(|(name, _)| *name));
        for name in names.chain(standard::all_names()) {
            assert!(
                listed.contains(&name),
                "docs/methods.md does not list {name}"
            );
        }
    }
}
