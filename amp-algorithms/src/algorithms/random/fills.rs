//! Arrays full of random numbers. A thread makes the elements of a block of four words.

use super::super::launcher::{Anywhere, Launcher};
use super::super::source::Target;
use super::philox::generator::{self, Philox};
use crate::prelude::*;
use crate::{Element, Result};

pub(super) mod sealed {
    pub trait Sealed {}

    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// Types of which [`fill_uniform`] and [`fill_normal`] make numbers: `f32`, `f64`, and with the feature `half` `f16` and
/// `bf16`.
///
/// ```
/// use amp::algorithms::random::{Philox, Real, fill_uniform};
/// use amp::prelude::*;
///
/// fn noise<T: Real>(count: usize) -> amp::Result<Vec<T>> {
///     let mut numbers = ArrayViewMut::uninit(count)?;
///     fill_uniform(Philox::new(1), &mut numbers)?;
///     numbers.to_vec()
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(noise::<f32>(10)?.len() + noise::<f64>(5)?.len(), 15);
/// # Ok(())
/// # }
/// ```
pub trait Real: Element + sealed::Sealed {
    #[doc(hidden)]
    fn uniform(
        on: &mut impl Launcher,
        from: Philox,
        to: &mut ArrayViewMut<'_, Self, 1>,
    ) -> Result<()>;
    #[doc(hidden)]
    fn normal(
        on: &mut impl Launcher,
        from: Philox,
        mean: Self,
        deviation: Self,
        to: &mut ArrayViewMut<'_, Self, 1>,
    ) -> Result<()>;
}

#[amp_fn]
fn bits(from: Philox, block: u32) -> [u32; 4] {
    from.block(block)
}

#[amp_fn]
fn uniform_f32(from: Philox, block: u32) -> [f32; 4] {
    let words = from.block(block);
    // No loop, as lavapipe keeps an array that is indexed by one in memory.
    [
        generator::unit_f32(words[0]),
        generator::unit_f32(words[1]),
        generator::unit_f32(words[2]),
        generator::unit_f32(words[3]),
    ]
}

#[amp_fn]
fn uniform_f64(from: Philox, block: u32) -> [f64; 2] {
    let words = from.block(block);
    [
        generator::unit_f64(words[0], words[1]),
        generator::unit_f64(words[2], words[3]),
    ]
}

#[amp_fn]
fn normal_f32(from: Philox, mean: f32, deviation: f32, block: u32) -> [f32; 4] {
    let words = from.block(block);
    let [a, b] = generator::normals_f32(words[0], words[1]);
    let [c, d] = generator::normals_f32(words[2], words[3]);
    [
        mean + deviation * a,
        mean + deviation * b,
        mean + deviation * c,
        mean + deviation * d,
    ]
}

#[amp_fn]
fn normal_f64(from: Philox, mean: f64, deviation: f64, block: u32) -> [f64; 2] {
    let [a, b] = generator::normals_f64(from.block(block));
    [mean + deviation * a, mean + deviation * b]
}

/// A module with a function that fills an array with what another makes of each block of the generator.
/// A thread writes the numbers of a block at once, as a vector, where the array's memory allows that.
macro_rules! fill_blocks {
    ($module:ident by $made:ident: $number:ty, $vector:ident of $count:literal, ($($parameter:ident: $type:ty),*)) => {
        mod $module {
            use super::*;
            use crate::__private::glam::$vector;

            #[amp_kernel]
            fn vectors(
                idx: Index<1>,
                from: Philox,
                $($parameter: $type,)*
                to: &mut ArrayViewMut<$vector, 1>,
            ) {
                to[idx] = $vector::from_array(super::$made(from, $($parameter,)* idx[0] as u32));
            }

            #[amp_kernel]
            fn numbers(
                idx: Index<1>,
                from: Philox,
                $($parameter: $type,)*
                first: usize,
                to: &mut ArrayViewMut<$number, 1>,
            ) {
                let made = super::$made(from, $($parameter,)* (first + idx[0]) as u32);
                for k in 0..$count {
                    if $count * idx[0] + k < to.extent()[0] {
                        to[$count * idx[0] + k] = made[k];
                    }
                }
            }

            pub fn fill(
                on: &mut impl Launcher,
                from: Philox,
                $($parameter: $type,)*
                to: &mut ArrayViewMut<'_, $number, 1>,
            ) -> Result<()> {
                let n = to.extent()[0];
                let mut done = 0;
                if n >= $count
                    && let Ok(mut blocks) = to.section(0, n / $count * $count)?.into_reinterpret()
                {
                    on.launch(blocks.extent(), vectors(from, $($parameter,)* &mut blocks))?;
                    done = blocks.extent()[0];
                }
                if n == $count * done {
                    return Ok(());
                }
                let mut rest = to.section($count * done, n - $count * done)?;
                let blocks = rest.extent()[0].div_ceil($count);
                on.launch(blocks, numbers(from, $($parameter,)* done, &mut rest))
            }
        }
    };
}
pub(super) use fill_blocks;

fill_blocks!(all_bits by bits: u32, UVec4 of 4, ());
fill_blocks!(all_uniform_f32 by uniform_f32: f32, Vec4 of 4, ());
fill_blocks!(all_uniform_f64 by uniform_f64: f64, DVec2 of 2, ());
fill_blocks!(all_normal_f32 by normal_f32: f32, Vec4 of 4, (mean: f32, deviation: f32));
fill_blocks!(all_normal_f64 by normal_f64: f64, DVec2 of 2, (mean: f64, deviation: f64));

#[amp_kernel]
fn poisson(idx: Index<1>, from: Philox, mean: f32, to: &mut ArrayViewMut<u32, 1>) {
    let mut own = from.apart(idx[0] as u32);
    to[idx] = own.poisson(mean);
}

/// What fills arrays of a type, by expressions of the trait's parameters.
macro_rules! real {
    (
        $type:ty: |$on:ident, $from:ident, $to:ident| $uniform:expr,
        |$mean:ident, $deviation:ident| $normal:expr
    ) => {
        impl Real for $type {
            fn uniform(
                $on: &mut impl Launcher,
                $from: Philox,
                $to: &mut ArrayViewMut<'_, Self, 1>,
            ) -> Result<()> {
                $uniform
            }

            fn normal(
                $on: &mut impl Launcher,
                $from: Philox,
                $mean: Self,
                $deviation: Self,
                $to: &mut ArrayViewMut<'_, Self, 1>,
            ) -> Result<()> {
                $normal
            }
        }
    };
}
real!(
    f32: |on, from, to| all_uniform_f32::fill(on, from, to),
    |mean, deviation| all_normal_f32::fill(on, from, mean, deviation, to)
);
real!(
    f64: |on, from, to| all_uniform_f64::fill(on, from, to),
    |mean, deviation| all_normal_f64::fill(on, from, mean, deviation, to)
);
#[cfg(feature = "half")]
pub(super) use real;

/// Fills an array with random words: element i is word i that the generator draws.
///
/// ```
/// use amp::algorithms::random::{Philox, fill_bits};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut random = Philox::new(42);
/// let mut words = Array::zeroed(3)?;
/// fill_bits(random, &mut words)?;
/// assert_eq!(words.to_vec()?, [random.next_u32(), random.next_u32(), random.next_u32()]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn fill_bits(from: Philox, to: &mut impl Target<u32>) -> Result<()> {
    fill_bits_on(&mut Anywhere, from, to)
}

/// [`fill_bits`], on an accelerator view or in a graph.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// use amp::algorithms::random::*;
/// let mut x = Array::zeroed(1)?;
/// fill_bits_on(&mut x.accelerator_view(), Philox::new(0), &mut x)?;
/// assert_eq!(x.to_vec()?, [0x6627_e8d5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`fill_bits`].
pub fn fill_bits_on(on: &mut impl Launcher, from: Philox, to: &mut impl Target<u32>) -> Result<()> {
    let mut to = to.elements_mut();
    all_bits::fill(on, from, &mut to)
}

/// Fills an array with numbers in [0, 1): element i is number i that the generator draws by
/// [`uniform`](Philox::uniform) or [`uniform_f64`](Philox::uniform_f64). Of `f16` and `bf16` it is the first 11 and 8
/// bits of word i, as a fraction.
///
/// ```
/// use amp::algorithms::random::{Philox, fill_uniform};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut random = Philox::new(42);
/// let mut numbers = Array::<f32, 1>::zeroed(2)?;
/// fill_uniform(random, &mut numbers)?;
/// assert_eq!(numbers.to_vec()?, [random.uniform(), random.uniform()]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn fill_uniform<T: Real>(from: Philox, to: &mut impl Target<T>) -> Result<()> {
    fill_uniform_on(&mut Anywhere, from, to)
}

/// [`fill_uniform`], on an accelerator view or in a graph.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// use amp::algorithms::random::*;
/// let mut x = Array::<f64, 1>::zeroed(9)?;
/// fill_uniform_on(&mut x.accelerator_view(), Philox::new(0), &mut x)?;
/// assert!(x.min()? >= 0.0 && x.max()? < 1.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`fill_uniform`].
pub fn fill_uniform_on<T: Real>(
    on: &mut impl Launcher,
    from: Philox,
    to: &mut impl Target<T>,
) -> Result<()> {
    let mut to = to.elements_mut();
    T::uniform(on, from, &mut to)
}

/// Fills an array with numbers of a normal distribution, `mean + deviation * x`: elements 2i and
/// 2i + 1 have the `x` that the generator draws by call i of [`normals`](Philox::normals) or
/// [`normals_f64`](Philox::normals_f64). Those of `f16` and `bf16` are computed as `f32`.
///
/// ```
/// use amp::algorithms::random::{Philox, fill_normal};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut heights = Array::zeroed(10_000)?;
/// fill_normal(Philox::new(42), 1.75_f32, 0.1, &mut heights)?;
/// let mean = heights.to_vec()?.iter().sum::<f32>() / 10_000.0;
/// assert!((1.74..1.76).contains(&mean));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn fill_normal<T: Real>(
    from: Philox,
    mean: T,
    deviation: T,
    to: &mut impl Target<T>,
) -> Result<()> {
    fill_normal_on(&mut Anywhere, from, mean, deviation, to)
}

/// [`fill_normal`], on an accelerator view or in a graph.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// use amp::algorithms::random::*;
/// let mut x = Array::<f64, 1>::zeroed(9)?;
/// fill_normal_on(&mut x.accelerator_view(), Philox::new(0), 100.0, 1.0, &mut x)?;
/// assert!(x.min()? > 90.0 && x.max()? < 110.0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`fill_normal`].
pub fn fill_normal_on<T: Real>(
    on: &mut impl Launcher,
    from: Philox,
    mean: T,
    deviation: T,
    to: &mut impl Target<T>,
) -> Result<()> {
    let mut to = to.elements_mut();
    T::normal(on, from, mean, deviation, &mut to)
}

/// Fills an array with numbers of a Poisson distribution, as [`Philox::poisson`] draws them. Each
/// element draws its own words, far from all others of the stream.
///
/// ```
/// use amp::algorithms::random::{Philox, fill_poisson};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut arrivals = Array::zeroed(10_000)?;
/// fill_poisson(Philox::new(42), 3.0, &mut arrivals)?;
/// let sum: u32 = arrivals.to_vec()?.iter().sum();
/// assert!((29_000..31_000).contains(&sum));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn fill_poisson(from: Philox, mean: f32, to: &mut impl Target<u32>) -> Result<()> {
    fill_poisson_on(&mut Anywhere, from, mean, to)
}

/// [`fill_poisson`], on an accelerator view or in a graph.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// use amp::algorithms::random::*;
/// let mut x = Array::zeroed(99)?;
/// fill_poisson_on(&mut x.accelerator_view(), Philox::new(0), 5.0, &mut x)?;
/// assert!((300..700).contains(&x.sum()?));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`fill_poisson`].
pub fn fill_poisson_on(
    on: &mut impl Launcher,
    from: Philox,
    mean: f32,
    to: &mut impl Target<u32>,
) -> Result<()> {
    let mut to = to.elements_mut();
    on.launch(to.extent(), poisson(from, mean, &mut to))
}
