//! The functions of `f32`.
//!
//! [`precise_math`](super) has them under the same names for both types.

mod angles;
mod exact;
mod exponentials;
mod hyperbolic;
mod inverses;
mod logarithms;
mod roots;
mod wide;

pub use self::{
    angles::{cos, cospi, sin, sincos, sinpi, tan, tanpi},
    exact::{
        ceil, copysign, fabs, fdim, floor, fma, fmax, fmin, fmod, fpclassify, frexp, ilogb,
        isfinite, isinf, isnan, isnormal, ldexp, logb, modf, nan, nearbyint, nextafter, remainder,
        remquo, round, scalb, scalbn, signbit, sqrt, trunc,
    },
    exponentials::{exp, exp2, exp10, expm1},
    hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh},
    inverses::{acos, asin, atan, atan2},
    logarithms::{log, log_to_base, log1p, log2, log10, pow},
    roots::{cbrt, hypot, rcbrt, rsqrt},
    wide::{erf, erfc, erfcinv, erfinv, lgamma, tgamma},
};
