//! The functions of `f64`, which are methods of `f64` in kernels too.
//!
//! [`precise_math`](super) has them under the same names for both types.

// Halves of constants are written as they are rounded.
#![allow(clippy::approx_constant)]

mod angles;
mod errors;
mod exact;
mod exponentials;
mod gamma;
mod hyperbolic;
mod inverses;
mod logarithms;
mod pair;
mod roots;

pub use self::{
    angles::{cos, cospi, sin, sincos, sinpi, tan, tanpi},
    errors::{erf, erfc, erfcinv, erfinv},
    exact::{
        ceil, copysign, fabs, fdim, floor, fma, fmax, fmin, fmod, fpclassify, frexp, ilogb,
        isfinite, isinf, isnan, isnormal, ldexp, logb, modf, nan, nearbyint, nextafter, remainder,
        remquo, round, scalb, scalbn, signbit, sqrt, trunc,
    },
    exponentials::{exp, exp2, exp10, expm1},
    gamma::{lgamma, tgamma},
    hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh},
    inverses::{acos, asin, atan, atan2},
    logarithms::{log, log_to_base, log1p, log2, log10, pow},
    roots::{cbrt, hypot, rcbrt, rsqrt},
};
