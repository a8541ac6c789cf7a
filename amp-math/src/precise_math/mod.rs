//! Mathematical functions with bounds on their error (C++ AMP §9, `precise_math`).
//!
//! Every function returns the same bits on every accelerator and on the host, because it uses
//! only operations that are exact everywhere. The error of a function is at most this, in units in
//! the last place, which C++ AMP allows:
//!
//! | functions | `f32` | `f64` |
//! |---|---|---|
//! | [`ceil`], [`copysign`], [`fabs`], [`fdim`], [`floor`], [`fma`], [`fmax`], [`fmin`], [`fmod`], [`fpclassify`], [`frexp`], [`ilogb`], [`ldexp`], [`logb`], [`modf`], [`nan`], [`nearbyint`], [`nextafter`], [`remainder`], [`remquo`], [`round`], [`scalb`], [`scalbn`], [`sqrt`], [`trunc`] and the predicates | 0 | 0 |
//! | [`cbrt`], [`exp`], [`expm1`], [`log`], [`log1p`] | 1 | 1 |
//! | [`cos`], [`cospi`], [`sin`], [`sincos`] | 1 | 2 |
//! | [`exp10`], [`exp2`], [`log10`], [`log2`], [`rcbrt`], [`rsqrt`] | 2 | 1 |
//! | [`acos`], [`asin`], [`asinh`], [`atan`], [`atan2`], [`cosh`], [`hypot`], [`pow`], [`sinh`], [`sinpi`], [`tan`], [`tanh`], [`tanpi`] | 2 | 2 |
//! | [`acosh`], [`atanh`], [`erf`] | 3 | 2 |
//! | [`erfinv`] | 3 | 8 |
//! | [`erfc`] | 6 | 5 |
//! | [`lgamma`], but between -10.001 and -2.264 | 6 | 4 |
//! | [`erfcinv`] | 7 | 8 |
//! | [`tgamma`] | 11 | 8 |
//!
//! `docs/support-matrix.md` has the measured errors.
//!
//! Names are C++ AMP's. Each function takes `f32` or `f64`, like C++'s overloads; C++'s
//! `sinf` is [`single::sin`], and [`double`] has the functions for `f64` alone. If the C function
//! writes through a pointer, this one returns a tuple; predicates return `bool`. The error and
//! gamma functions of `f32` are computed as `f64`, which the device must support; the others of
//! `f32` need neither `f64` nor tables in memory. The methods of `f32` and `f64` in kernels, such
//! as `x.sin()`, are these functions, unless the kernel or helper has `fast_math`.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn logistic(idx: Index<1>, x: &mut ArrayViewMut<f32, 1>) {
//!     x[idx] = 1.0 / (1.0 + precise_math::exp(-x[idx]));
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let mut numbers = [0.0_f32, 1.0, -80.0];
//! let mut x = ArrayViewMut::new(3, &mut numbers)?;
//! parallel_for_each(3, logistic(&mut x))?;
//! assert_eq!(x[0], 0.5);
//! assert_eq!(x[1], 1.0 / (1.0 + precise_math::exp(-1.0)));
//! # Ok(())
//! # }
//! ```

mod by_type;
pub mod double;
mod exact;
pub mod single;

pub use self::by_type::{
    Float, acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, ceil, copysign, cos, cosh, cospi,
    erf, erfc, erfcinv, erfinv, exp, exp2, exp10, expm1, fabs, fdim, floor, fma, fmax, fmin, fmod,
    fpclassify, frexp, hypot, ilogb, isfinite, isinf, isnan, isnormal, ldexp, lgamma, log, log1p,
    log2, log10, logb, modf, nan, nearbyint, nextafter, pow, rcbrt, remainder, remquo, round,
    rsqrt, scalb, scalbn, signbit, sin, sincos, sinh, sinpi, sqrt, tan, tanh, tanpi, tgamma, trunc,
};
