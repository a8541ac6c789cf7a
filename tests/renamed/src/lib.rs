//! Kernels and helpers of a crate that knows `amp` by another name.

#![forbid(unsafe_code)]

use gpu::{precise_math, prelude::*};

const STEP: u32 = 3;

/// An element of arrays.
#[amp_struct]
pub struct Pair {
    /// The first.
    pub a: u32,
    /// The second.
    pub b: f32,
}

/// Passed as an argument.
#[amp_enum]
pub enum Way {
    /// Upwards.
    Up,
    /// Downwards.
    Down,
}

/// Constants for kernels of crates that know `amp` by its own name.
#[amp_const]
pub const PAIRS: [Pair; 3] = [
    Pair { a: 1, b: 0.5 },
    Pair { a: 2, b: 1.5 },
    Pair { a: 3, b: 2.5 },
];

/// Of these, some numbers.
#[amp_const]
pub const NUMBERS: &[u32] = &[10, 20, 30];

/// A helper with a constant and an assertion, of the library's functions.
#[amp_fn]
pub fn stepped(x: u32) -> u32 {
    assert!(x < 1000, "{x} is too large");
    let angle = f64::from(x);
    let (sin, cos) = angle.sin_cos();
    let one = precise_math::sqrt(sin * sin + cos * cos);
    x + STEP * (one + 0.5) as u32
}

/// One kernel for each type.
#[amp_kernel(T = u32 | f32, instances = Twice)]
pub fn twice<T: Scalar>(i: Index<1>, x: &mut ArrayViewMut<T, 1>) {
    x[i] = x[i] + x[i];
}

/// Items that see each other.
#[amp_module]
pub mod members {
    use gpu::prelude::*;

    /// With a method.
    pub struct Counter {
        /// The number.
        pub n: u32,
    }

    impl Counter {
        /// One more.
        pub fn next(self) -> u32 {
            self.n + 1
        }
    }

    /// In tiles, with a barrier.
    #[amp_kernel]
    pub fn counted(t: TiledIndex<1, 4>, x: &mut ArrayViewMut<u32, 1>) {
        #[tile_static]
        let mut sums: [u32; 4];
        sums[t.local[0]] = Counter { n: x[t.global] }.next();
        t.barrier.wait();
        x[t.global] = sums[3 - t.local[0]];
    }
}

/// A kernel in an expression.
///
/// # Errors
///
/// If the launch fails.
pub fn shift(view: &AcceleratorView, x: &mut ArrayViewMut<u32, 1>) -> gpu::Result<()> {
    let by = 7;
    view.parallel_for_each(
        x.extent(),
        gpu::kernel!(|i: Index<1>| [x: &mut ArrayViewMut<u32, 1>, by: u32] {
            x[i] += by;
        }),
    )
}
