//! Fast mathematical functions with the precision of the device (C++ AMP §9, `fast_math`).
//!
//! On a device they are its own instructions, with the precision that Vulkan requires
//! (`sin` and `cos` within 2⁻¹¹ from -π to π, `exp` within 3 + 2|x| units in the last place,
//! `log` 3 or 2⁻²¹, `sqrt` 3, `atan` 4096); on the host and on the CPU accelerator they are
//! the standard library's. In a kernel with `fast_math`, methods of `f32` such as `x.sin()` use the
//! same instructions of the device. The functions that return the same bits everywhere are those
//! of [`precise_math`](crate::precise_math), also when such a kernel calls them.
//!
//! Names are C++ AMP's; arguments and results are `f32`. If the C function writes through a
//! pointer, this one returns a tuple; predicates return `bool`.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn gauss(idx: Index<1>, x: &mut ArrayViewMut<f32, 1>) {
//!     x[idx] = fast_math::exp(-0.5 * x[idx] * x[idx]) * fast_math::rsqrt(6.283_185_5);
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let mut numbers = [0.0_f32, 1.0];
//! let mut x = ArrayViewMut::new(2, &mut numbers)?;
//! parallel_for_each(2, gauss(&mut x))?;
//! assert!((x[0] - 0.398_942_3).abs() < 1e-5);
//! # Ok(())
//! # }
//! ```

use crate::amp_fn;

pub use crate::precise_math::single::{
    ceil, fabs, floor, fmax, fmin, fmod, frexp, isfinite, isinf, isnan, ldexp, modf, round,
    signbit, trunc,
};

/// Functions that Rust has as methods.
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident($x:ident $(, $y:ident)*) = $method:ident;)*) => {$(
        $(#[$doc])*
        #[amp_fn(fast_math)]
        #[must_use]
        pub fn $name($x: f32 $(, $y: f32)*) -> f32 {
            $x.$method($($y),*)
        }
    )*};
}

methods! {
    /// The angle whose cosine is `x`.
    acos(x) = acos;
    /// The angle whose sine is `x`.
    asin(x) = asin;
    /// The angle whose tangent is `x`.
    atan(x) = atan;
    /// The angle of the point `(x, y)`, from -π to π.
    atan2(y, x) = atan2;
    /// The cosine.
    cos(x) = cos;
    /// The hyperbolic cosine.
    cosh(x) = cosh;
    /// The exponential function.
    exp(x) = exp;
    /// Two to the power of `x`.
    exp2(x) = exp2;
    /// The natural logarithm.
    log(x) = ln;
    /// The logarithm to base 10.
    log10(x) = log10;
    /// The logarithm to base 2.
    log2(x) = log2;
    /// `x` to the power of `y`.
    pow(x, y) = powf;
    /// The sine.
    sin(x) = sin;
    /// The hyperbolic sine.
    sinh(x) = sinh;
    /// The square root.
    sqrt(x) = sqrt;
    /// The tangent.
    tan(x) = tan;
    /// The hyperbolic tangent.
    tanh(x) = tanh;
}

/// One divided by the square root.
#[amp_fn(fast_math)]
#[must_use]
pub fn rsqrt(x: f32) -> f32 {
    1.0 / x.sqrt()
}

/// The sine and the cosine.
#[amp_fn(fast_math)]
#[must_use]
pub fn sincos(x: f32) -> (f32, f32) {
    (x.sin(), x.cos())
}
