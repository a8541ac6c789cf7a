//! Generic helpers, with constants and helpers that only this crate sees.

use amp::prelude::*;

const OFFSET: i32 = 7;
const ROUNDS: usize = 3;

/// Integers wrap and divide in here as everywhere in kernels.
#[amp_fn]
pub fn mixed<T: Scalar>(a: T, b: T, t: T) -> T {
    let difference = b - a;
    a + difference * t + series(t)
}

#[amp_fn]
fn series<U>(x: U) -> U
where
    U: Scalar,
{
    let mut sum = U::ZERO;
    for i in 0..ROUNDS {
        sum += x * U::from_usize(i) / U::from_i32(2);
    }
    sum -= U::ONE % U::from_u32(5);
    sum + U::from_i32(OFFSET)
}

/// A sum over an array of any length.
#[amp_fn]
pub fn summed<T: Scalar, const N: usize>(values: [T; N]) -> T {
    let mut sum = T::ZERO;
    for x in values {
        sum += x;
    }
    sum * T::from_usize(N)
}

/// Calls what it is given, through a helper that does so too.
#[amp_fn]
pub fn thrice<F: Fn(f32) -> f32>(f: F, x: f32) -> f32 {
    f(twice(&f, x))
}

#[amp_fn]
fn twice<G>(g: G, x: f32) -> f32
where
    G: Fn(f32) -> f32,
{
    g(g(x))
}

/// A kernel that generic functions of other crates launch.
#[amp_kernel(T = f32 | i32, instances = Blend)]
pub fn blend<T: Scalar>(idx: Index<1>, a: &ArrayView<T, 1>, b: &mut ArrayViewMut<T, 1>, t: T) {
    b[idx] = mixed(a[idx], b[idx], t);
}
