//! Mathematical functions with bounds on their error (C++ AMP §9, `precise_math`).
//!
//! Every function gives the same bits on every accelerator and on the host, for it is made
//! of operations that are exact everywhere. Of those that are not exact themselves the
//! error is at most the one that C++ AMP allows, in units in the last place:
//!
//! | functions | error |
//! |---|---|
//! | [`ceil`], [`copysign`], [`fabs`], [`fdim`], [`floor`], [`fma`], [`fmax`], [`fmin`], [`fmod`], [`frexp`], [`ilogb`], [`ldexp`], [`logb`], [`modf`], [`nearbyint`], [`nextafter`], [`remainder`], [`round`], [`scalbn`], [`sqrt`], [`trunc`] and the predicates | 0 |
//! | [`cbrt`], [`expm1`], [`log`] | 1 |
//! | [`atan`], [`cos`], [`cosh`], [`cospi`], [`exp`], [`exp10`], [`exp2`], [`log1p`], [`rcbrt`], [`rsqrt`], [`sin`], [`sincos`], [`sinpi`], [`tanh`], [`tanpi`] | 2 |
//! | [`acos`], [`asinh`], [`atan2`], [`atanh`], [`hypot`], [`log10`], [`log2`], [`sinh`] | 3 |
//! | [`acosh`], [`asin`], [`tan`] | 4 |
//!
//! Names are C++ AMP's, arguments and results `f32`. Where C writes through a pointer the
//! function returns a tuple; predicates return `bool`. `pow` and the error and gamma
//! functions are not here, nor are the functions of `double`.
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

mod angles;
mod exact;
mod exponentials;
mod hyperbolic;
mod inverses;
mod roots;

pub use self::{
    angles::{cos, cospi, sin, sincos, sinpi, tan, tanpi},
    exact::{
        ceil, copysign, fabs, fdim, floor, fma, fmax, fmin, fmod, frexp, ilogb, isfinite, isinf,
        isnan, isnormal, ldexp, logb, modf, nearbyint, nextafter, remainder, round, scalbn,
        signbit, sqrt, trunc,
    },
    exponentials::{exp, exp2, exp10, expm1, log, log1p, log2, log10},
    hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh},
    inverses::{acos, asin, atan, atan2},
    roots::{cbrt, hypot, rcbrt, rsqrt},
};
