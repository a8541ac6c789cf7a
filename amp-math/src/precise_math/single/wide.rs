//! Functions that are computed as `f64`, and rounded: the device needs that type, as C++
//! AMP has it for all of `precise_math`.

use crate::{amp_fn, precise_math::double};

/// Functions of `f64` of the same name.
macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($x:ident $(, $y:ident)*);)*) => {$(
        $(#[$doc])*
        #[amp_fn(exact)]
        #[must_use]
        pub fn $name($x: f32 $(, $y: f32)*) -> f32 {
            double::$name($x as f64 $(, $y as f64)*) as f32
        }
    )*};
}

functions! {
    /// The error function.
    erf(x);
    /// One less the error function, precise for large `x` too.
    erfc(x);
    /// The number whose complement of the error function is `x`; NaN if there is none.
    erfcinv(x);
    /// The number whose error function is `x`; NaN if there is none.
    erfinv(x);
    /// The gamma function; NaN for negative integers.
    tgamma(x);
}

/// The logarithm of the magnitude of the gamma function, and the sign of that.
#[amp_fn(exact)]
#[must_use]
pub fn lgamma(x: f32) -> (f32, i32) {
    let (logarithm, sign) = double::lgamma(x as f64);
    (logarithm as f32, sign)
}
