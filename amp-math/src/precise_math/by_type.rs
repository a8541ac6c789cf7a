//! The functions under one name for both types.
//!
//! On the host they go through a trait. In a kernel `by_type` has the compiler take the
//! function of [`single`](super::single) or [`double`](super::double) that the argument's
//! type asks for.

use core::ops::Neg;

use amp_runtime::Scalar;

use crate::amp_fn;

/// The types that [`precise_math`](super) has functions of: `f32` and `f64`.
///
/// ```
/// use amp::precise_math::{self, Float};
/// use amp::prelude::*;
///
/// #[amp_fn]
/// fn logistic<T: Float>(x: T) -> T {
///     T::ONE / (T::ONE + precise_math::exp(T::ZERO - x))
/// }
///
/// assert_eq!(logistic(0.0_f32), 0.5);
/// assert_eq!(logistic(0.0_f64), 0.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`precise_math` has no functions of `{Self}`",
    note = "there are those of `f32` and `f64`"
)]
pub trait Float: Scalar + Neg<Output = Self> + Functions<Self> {}

impl Float for f32 {}
impl Float for f64 {}

/// Declares the functions, and the trait that leads to those of each type.
macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($x:ident: $ty:ty),*) -> $result:ty;)*) => {
        /// The functions of a type.
        pub trait Functions<T> {
            $(fn $name($($x: $ty),*) -> $result;)*
        }

        mod of_f32 {
            type T = f32;

            impl super::Functions<T> for T {
                $(fn $name($($x: $ty),*) -> $result {
                    crate::precise_math::single::$name($($x),*)
                })*
            }
        }

        mod of_f64 {
            type T = f64;

            impl super::Functions<T> for T {
                $(fn $name($($x: $ty),*) -> $result {
                    crate::precise_math::double::$name($($x),*)
                })*
            }
        }

        $(
            $(#[$doc])*
            #[amp_fn(by_type)]
            #[must_use]
            pub fn $name<T: Float>($($x: $ty),*) -> $result {
                <T as Functions<T>>::$name($($x),*)
            }
        )*
    };
}

functions! {
    /// The angle whose cosine is `x`; NaN if there is none.
    acos(x: T) -> T;
    /// The number whose hyperbolic cosine is `x`; NaN if there is none.
    acosh(x: T) -> T;
    /// The angle whose sine is `x`; NaN if there is none.
    asin(x: T) -> T;
    /// The number whose hyperbolic sine is `x`.
    asinh(x: T) -> T;
    /// The angle whose tangent is `x`.
    atan(x: T) -> T;
    /// The angle of the point `(x, y)`, from -π to π.
    atan2(y: T, x: T) -> T;
    /// The number whose hyperbolic tangent is `x`; NaN if there is none.
    atanh(x: T) -> T;
    /// The cube root.
    cbrt(x: T) -> T;
    /// The smallest integer that is not less.
    ceil(x: T) -> T;
    /// The magnitude of `x` with the sign of `y`.
    copysign(x: T, y: T) -> T;
    /// The cosine; NaN for infinities.
    cos(x: T) -> T;
    /// The hyperbolic cosine.
    cosh(x: T) -> T;
    /// The cosine of `x` half turns; NaN for infinities.
    cospi(x: T) -> T;
    /// The error function.
    erf(x: T) -> T;
    /// One less the error function, precise for large `x` too.
    erfc(x: T) -> T;
    /// The number whose complement of the error function is `x`; NaN if there is none.
    erfcinv(x: T) -> T;
    /// The number whose error function is `x`; NaN if there is none.
    erfinv(x: T) -> T;
    /// The exponential function.
    exp(x: T) -> T;
    /// Ten to the power of `x`.
    exp10(x: T) -> T;
    /// Two to the power of `x`.
    exp2(x: T) -> T;
    /// `exp(x) - 1`, precise for small `x` too.
    expm1(x: T) -> T;
    /// The magnitude.
    fabs(x: T) -> T;
    /// `x - y` if that is positive, else zero.
    fdim(x: T, y: T) -> T;
    /// The largest integer that is not greater.
    floor(x: T) -> T;
    /// `x * y + z`, rounded once.
    fma(x: T, y: T, z: T) -> T;
    /// The greater one; of a NaN and a number, the number.
    fmax(x: T, y: T) -> T;
    /// The smaller one; of a NaN and a number, the number.
    fmin(x: T, y: T) -> T;
    /// The remainder of the division that rounds toward zero, with the sign of `x`.
    fmod(x: T, y: T) -> T;
    /// What kind of number it is: 0 for NaN, 1 for an infinity, 2 for zero, 3 for a denormal, 4
    /// for any other.
    fpclassify(x: T) -> i32;
    /// A fraction from 0.5 up to 1 with the sign of `x`, and the power of two that makes `x` of
    /// it. Zero, infinities and NaN are their own fractions, with 0.
    frexp(x: T) -> (T, i32);
    /// The length of the hypotenuse.
    hypot(x: T, y: T) -> T;
    /// The exponent of two; `i32::MIN` for zero and NaN, `i32::MAX` for infinities.
    ilogb(x: T) -> i32;
    /// Whether it is neither infinite nor NaN.
    isfinite(x: T) -> bool;
    /// Whether it is infinite.
    isinf(x: T) -> bool;
    /// Whether it is NaN.
    isnan(x: T) -> bool;
    /// Whether it is neither zero nor denormal nor infinite nor NaN.
    isnormal(x: T) -> bool;
    /// As [`scalbn`].
    ldexp(x: T, n: i32) -> T;
    /// The logarithm of the magnitude of the gamma function, and the sign of that. Next to
    /// where the logarithm is zero for a negative `x` only its absolute error is small.
    lgamma(x: T) -> (T, i32);
    /// The natural logarithm.
    log(x: T) -> T;
    /// The logarithm to base 10.
    log10(x: T) -> T;
    /// The logarithm of `1 + x`, precise for small `x` too.
    log1p(x: T) -> T;
    /// The logarithm to base 2.
    log2(x: T) -> T;
    /// The exponent of two as a float: -∞ for zero, ∞ for infinities.
    logb(x: T) -> T;
    /// The fraction and the whole part, both with the sign of `x`.
    modf(x: T) -> (T, T);
    /// A quiet NaN whose payload is `tag`.
    nan(tag: i32) -> T;
    /// The nearest integer, of two the even one.
    nearbyint(x: T) -> T;
    /// The float next to `x` in the direction of `y`.
    nextafter(x: T, y: T) -> T;
    /// `x` to the power of `y`, as C has it.
    pow(x: T, y: T) -> T;
    /// One divided by the cube root.
    rcbrt(x: T) -> T;
    /// The remainder of the division that rounds to the nearest integer (IEEE 754).
    remainder(x: T, y: T) -> T;
    /// The remainder of the division that rounds to the nearest integer (IEEE 754), and the
    /// lowest three bits of that integer with its sign.
    remquo(x: T, y: T) -> (T, i32);
    /// The nearest integer, of two the one farther from zero.
    round(x: T) -> T;
    /// One divided by the square root.
    rsqrt(x: T) -> T;
    /// `x` times two to the power of `y`, which is an integer: else NaN.
    scalb(x: T, y: T) -> T;
    /// `x` times two to the power of `n`, rounded once.
    scalbn(x: T, n: i32) -> T;
    /// Whether the sign is set, as that of -0.0 is.
    signbit(x: T) -> bool;
    /// The sine; NaN for infinities.
    sin(x: T) -> T;
    /// The sine and the cosine; NaN for infinities.
    sincos(x: T) -> (T, T);
    /// The hyperbolic sine.
    sinh(x: T) -> T;
    /// The sine of `x` half turns; NaN for infinities.
    sinpi(x: T) -> T;
    /// The square root.
    sqrt(x: T) -> T;
    /// The tangent; NaN for infinities.
    tan(x: T) -> T;
    /// The hyperbolic tangent.
    tanh(x: T) -> T;
    /// The tangent of `x` half turns; NaN for infinities.
    tanpi(x: T) -> T;
    /// The gamma function; NaN for negative integers.
    tgamma(x: T) -> T;
    /// The integer next to it on the side of zero.
    trunc(x: T) -> T;
}
