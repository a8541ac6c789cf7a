//! Direct3D's functions on numbers (C++ AMP §9.3, `concurrency::direct3d`).
//!
//! C++ overloads them; here those of `f32` have the plain name, and those of `i32` and
//! `u32` begin with `i` and `u`, the one of `f64` with `d`. `noise` does not exist here:
//! Direct3D has it for textures that shaders fill, does not define its values, and no longer has it
//! in compute shaders.
//!
//! ```
//! use amp::prelude::*;
//!
//! #[amp_kernel]
//! fn edges(idx: Index<1>, x: &mut ArrayViewMut<f32, 1>) {
//!     x[idx] = direct3d::smoothstep(0.0, 1.0, direct3d::saturate(x[idx]));
//! }
//!
//! # fn main() -> amp::Result<()> {
//! let mut numbers = [-1.0_f32, 0.5, 7.0];
//! let mut x = ArrayViewMut::new(3, &mut numbers)?;
//! parallel_for_each(3, edges(&mut x))?;
//! x.synchronize()?;
//! drop(x);
//! assert_eq!(numbers, [0.0, 0.5, 1.0]);
//! assert_eq!(direct3d::firstbithigh(40), 5);
//! # Ok(())
//! # }
//! ```

use crate::amp_fn;

/// The magnitude; that of `i32::MIN` is itself.
#[amp_fn]
#[must_use]
pub fn abs(x: i32) -> i32 {
    x.wrapping_abs()
}

/// `x` clamped to `low` to `high`.
#[amp_fn]
#[must_use]
pub fn clamp(x: f32, low: f32, high: f32) -> f32 {
    x.max(low).min(high)
}

/// `x` clamped to `low` to `high`.
#[amp_fn]
#[must_use]
pub fn iclamp(x: i32, low: i32, high: i32) -> i32 {
    x.max(low).min(high)
}

/// How many bits are set.
#[amp_fn]
#[must_use]
pub fn countbits(x: u32) -> u32 {
    x.count_ones()
}

/// The position of the highest bit that differs from the sign; -1 if there is none.
#[amp_fn]
#[must_use]
pub fn firstbithigh(x: i32) -> i32 {
    let bits = if x < 0 { !x } else { x };
    31 - bits.leading_zeros() as i32
}

/// The position of the lowest bit that is set; -1 if there is none.
#[amp_fn]
#[must_use]
pub fn firstbitlow(x: i32) -> i32 {
    if x == 0 {
        -1
    } else {
        x.trailing_zeros() as i32
    }
}

/// The greater one.
#[amp_fn]
#[must_use]
pub fn imax(x: i32, y: i32) -> i32 {
    x.max(y)
}

/// The smaller one.
#[amp_fn]
#[must_use]
pub fn imin(x: i32, y: i32) -> i32 {
    x.min(y)
}

/// The greater one.
#[amp_fn]
#[must_use]
pub fn umax(x: u32, y: u32) -> u32 {
    x.max(y)
}

/// The smaller one.
#[amp_fn]
#[must_use]
pub fn umin(x: u32, y: u32) -> u32 {
    x.min(y)
}

/// `x * y + z`, in one or two operations, at the device's choice.
#[amp_fn(fast_math)]
#[must_use]
pub fn mad(x: f32, y: f32, z: f32) -> f32 {
    x * y + z
}

/// `x * y + z`, in two operations.
#[amp_fn]
#[must_use]
pub fn dmad(x: f64, y: f64, z: f64) -> f64 {
    x * y + z
}

/// `x * y + z`, wrapping.
#[amp_fn]
#[must_use]
pub fn imad(x: i32, y: i32, z: i32) -> i32 {
    x.wrapping_mul(y).wrapping_add(z)
}

/// `x * y + z`, wrapping.
#[amp_fn]
#[must_use]
pub fn umad(x: u32, y: u32, z: u32) -> u32 {
    x.wrapping_mul(y).wrapping_add(z)
}

/// The masked sum of absolute differences: to each of four sums are added the differences
/// between the four bytes of `reference` and those of `source`, from its lowest byte on for
/// the first sum, from the next one on for the second. Bytes of `reference` that are zero do
/// not count.
#[amp_fn]
#[must_use]
pub fn msad4(reference: u32, source: [u32; 2], sums: [u32; 4]) -> [u32; 4] {
    let mut sums = sums;
    for start in 0..4 {
        for byte in 0..4 {
            let wanted = reference >> (8 * byte) & 0xff;
            let at = start + byte;
            let found = source[at / 4] >> (8 * (at & 3)) & 0xff;
            if wanted != 0 {
                sums[start] = sums[start].wrapping_add(wanted.abs_diff(found));
            }
        }
    }
    sums
}

/// Degrees as radians.
#[amp_fn]
#[must_use]
pub fn radians(x: f32) -> f32 {
    x.to_radians()
}

/// One divided by `x`, with the precision of the device.
#[amp_fn(fast_math)]
#[must_use]
pub fn rcp(x: f32) -> f32 {
    1.0 / x
}

/// The bits in the opposite order.
#[amp_fn]
#[must_use]
pub fn reversebits(x: u32) -> u32 {
    x.reverse_bits()
}

/// `x` clamped to 0 to 1; 0 for NaN.
#[amp_fn]
#[must_use]
pub fn saturate(x: f32) -> f32 {
    x.max(0.0).min(1.0)
}

/// -1, 0 or 1.
#[amp_fn]
#[must_use]
pub fn sign(x: i32) -> i32 {
    x.signum()
}

/// The smooth (Hermite) transition from 0 to 1 while `x` goes from `low` to `high`.
#[amp_fn]
#[must_use]
pub fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    let t = saturate((x - low) / (high - low));
    t * t * (3.0 - 2.0 * t)
}

/// 1 if `x` is at least `edge`, else 0.
#[amp_fn]
#[must_use]
pub fn step(edge: f32, x: f32) -> f32 {
    if x >= edge { 1.0 } else { 0.0 }
}
