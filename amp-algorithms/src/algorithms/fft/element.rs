//! The types of transforms.

use super::super::launcher::Launcher;
use super::kernels::{Chirp, Lengths, Pass, of_f32, of_f64};
use super::powers::{self, PowerPass};
use crate::prelude::*;
use crate::{__private::glam, Element, Result};

mod sealed {
    pub trait Sealed {}

    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// A complex number of two `f32`, as in C, Fortran and the crate `num-complex`.
///
/// ```
/// use amp::algorithms::Complex32;
///
/// let i = Complex32 { re: 0.0, im: 1.0 };
/// assert_eq!(i, Complex32 { im: 1.0, ..Default::default() });
/// ```
#[amp_struct]
#[derive(Debug, Default, PartialEq)]
pub struct Complex32 {
    /// The real part.
    pub re: f32,
    /// The imaginary part.
    pub im: f32,
}

/// A complex number of two `f64`, as in C, Fortran and the crate `num-complex`.
///
/// ```
/// use amp::algorithms::Complex64;
///
/// let i = Complex64 { re: 0.0, im: 1.0 };
/// assert_eq!(i, Complex64 { im: 1.0, ..Default::default() });
/// ```
#[amp_struct]
#[derive(Debug, Default, PartialEq)]
pub struct Complex64 {
    /// The real part.
    pub re: f64,
    /// The imaginary part.
    pub im: f64,
}

/// Types of which [`Fft`](super::Fft) computes transforms: `f32` and `f64`.
///
/// ```
/// use amp::algorithms::{Fft, FftElement};
/// use amp::prelude::*;
///
/// fn spectrum<T: FftElement>(x: &Array<T, 1>) -> amp::Result<Vec<T::Complex>> {
///     let length = x.extent()[0];
///     let mut spectrum = Array::zeroed(length / 2 + 1)?;
///     Fft::new([length])?.forward_real(x, &mut spectrum)?;
///     spectrum.to_vec()
/// }
///
/// # fn main() -> amp::Result<()> {
/// let spectrum = spectrum(&Array::new(4, &[1.0_f32, 2.0, 3.0, 4.0])?)?;
/// assert_eq!((spectrum[0].re, spectrum[2].re), (10.0, -2.0));
/// # Ok(())
/// # }
/// ```
pub trait FftElement: Element + Kernels + sealed::Sealed {
    /// The complex numbers of this type: [`Complex32`] or [`Complex64`].
    type Complex: Element;
}

impl FftElement for f32 {
    type Complex = Complex32;
}

impl FftElement for f64 {
    type Complex = Complex64;
}

/// The roots of unity of a pass: those of its short transforms, and those of the line.
pub struct Tables<'a, P: Element> {
    pub short: &'a ArrayViewMut<'static, P, 1>,
    pub coarse: &'a ArrayViewMut<'static, P, 1>,
    pub fine: &'a ArrayViewMut<'static, P, 1>,
}

type View<'a, 'v, P> = &'a ArrayView<'v, P, 1>;
type ViewMut<'a, 'v, P> = &'a mut ArrayViewMut<'v, P, 1>;

/// The kernels of a type.
#[doc(hidden)]
pub trait Kernels: Element {
    /// A complex number, as kernels compute with it.
    type Pair: Element;

    /// Elements that a tile of threads transforms.
    const POINTS: usize;

    fn pair(re: f64, im: f64) -> Self::Pair;
    fn of_f64(x: f64) -> Self;

    /// A pass whose short transforms have stages of some radices.
    fn pass(
        on: &mut impl Launcher,
        radices: &ArrayViewMut<'static, u32, 1>,
        pass: Pass,
        scale: Self,
        tables: &Tables<'_, Self::Pair>,
        from: View<'_, '_, Self::Pair>,
        to: ViewMut<'_, '_, Self::Pair>,
    ) -> Result<()>;

    /// A pass over a power of two, from 16 to 256.
    fn power_pass(
        on: &mut impl Launcher,
        size: usize,
        pass: PowerPass,
        scale: Self,
        tables: &Tables<'_, Self::Pair>,
        from: View<'_, '_, Self::Pair>,
        to: ViewMut<'_, '_, Self::Pair>,
    ) -> Result<()>;

    fn pad(
        on: &mut impl Launcher,
        chirp: Chirp,
        twiddles: &ArrayViewMut<'static, Self::Pair, 1>,
        from: View<'_, '_, Self::Pair>,
        to: ViewMut<'_, '_, Self::Pair>,
    ) -> Result<()>;

    fn convolve(
        on: &mut impl Launcher,
        chirp: Chirp,
        spectrum: &ArrayViewMut<'static, Self::Pair, 1>,
        points: ViewMut<'_, '_, Self::Pair>,
    ) -> Result<()>;

    fn unpad(
        on: &mut impl Launcher,
        chirp: Chirp,
        scale: Self,
        twiddles: &ArrayViewMut<'static, Self::Pair, 1>,
        from: View<'_, '_, Self::Pair>,
        to: ViewMut<'_, '_, Self::Pair>,
    ) -> Result<()>;

    fn join(
        on: &mut impl Launcher,
        roots: &ArrayViewMut<'static, Self::Pair, 1>,
        from: View<'_, '_, Self::Pair>,
        to: ViewMut<'_, '_, Self::Pair>,
    ) -> Result<()>;

    fn part(
        on: &mut impl Launcher,
        roots: &ArrayViewMut<'static, Self::Pair, 1>,
        from: View<'_, '_, Self::Pair>,
        to: ViewMut<'_, '_, Self::Pair>,
    ) -> Result<()>;

    fn complex(
        on: &mut impl Launcher,
        from: View<'_, '_, Self>,
        to: ViewMut<'_, '_, Self::Pair>,
    ) -> Result<()>;

    fn real(
        on: &mut impl Launcher,
        from: View<'_, '_, Self::Pair>,
        to: ViewMut<'_, '_, Self>,
    ) -> Result<()>;

    fn halve(
        on: &mut impl Launcher,
        length: usize,
        from: View<'_, '_, Self::Pair>,
        to: ViewMut<'_, '_, Self::Pair>,
    ) -> Result<()>;

    fn unhalve(
        on: &mut impl Launcher,
        lengths: Lengths,
        from: View<'_, '_, Self::Pair>,
        to: ViewMut<'_, '_, Self::Pair>,
    ) -> Result<()>;
}

macro_rules! kernels {
    ($type:ty, $pair:ident, $module:ident) => {
        impl Kernels for $type {
            type Pair = glam::$pair;

            const POINTS: usize = $module::POINTS;

            fn pair(re: f64, im: f64) -> Self::Pair {
                glam::$pair::new(re as $type, im as $type)
            }

            fn of_f64(x: f64) -> Self {
                x as $type
            }

            fn pass(
                on: &mut impl Launcher,
                radices: &ArrayViewMut<'static, u32, 1>,
                pass: Pass,
                scale: Self,
                tables: &Tables<'_, Self::Pair>,
                from: View<'_, '_, Self::Pair>,
                to: ViewMut<'_, '_, Self::Pair>,
            ) -> Result<()> {
                let tiles = pass.count.div_ceil(pass.width) as usize;
                let threads = Extent::new([tiles * $module::THREADS]).tile();
                let Tables {
                    short,
                    coarse,
                    fine,
                } = *tables;
                let kernel = $module::pass(pass, scale, radices, short, coarse, fine, from, to);
                on.launch(threads, kernel)
            }

            fn power_pass(
                on: &mut impl Launcher,
                size: usize,
                pass: PowerPass,
                scale: Self,
                tables: &Tables<'_, Self::Pair>,
                from: View<'_, '_, Self::Pair>,
                to: ViewMut<'_, '_, Self::Pair>,
            ) -> Result<()> {
                use powers::$module as kernels;
                let columns = kernels::THREADS * 16 / size;
                let tiles = (pass.count as usize).div_ceil(columns);
                let threads = Extent::new([tiles * kernels::THREADS]).tile();
                let Tables {
                    short,
                    coarse,
                    fine,
                } = *tables;
                macro_rules! launch {
                    ($second:literal) => {
                        on.launch(
                            threads,
                            kernels::pass::<$second>(pass, scale, short, coarse, fine, from, to),
                        )
                    };
                }
                match size {
                    16 => launch!(1),
                    32 => launch!(2),
                    64 => launch!(4),
                    128 => launch!(8),
                    _ => launch!(16),
                }
            }

            fn pad(
                on: &mut impl Launcher,
                chirp: Chirp,
                twiddles: &ArrayViewMut<'static, Self::Pair, 1>,
                from: View<'_, '_, Self::Pair>,
                to: ViewMut<'_, '_, Self::Pair>,
            ) -> Result<()> {
                on.launch(to.extent(), $module::pad(chirp, twiddles, from, to))
            }

            fn convolve(
                on: &mut impl Launcher,
                chirp: Chirp,
                spectrum: &ArrayViewMut<'static, Self::Pair, 1>,
                points: ViewMut<'_, '_, Self::Pair>,
            ) -> Result<()> {
                on.launch(points.extent(), $module::convolve(chirp, spectrum, points))
            }

            fn unpad(
                on: &mut impl Launcher,
                chirp: Chirp,
                scale: Self,
                twiddles: &ArrayViewMut<'static, Self::Pair, 1>,
                from: View<'_, '_, Self::Pair>,
                to: ViewMut<'_, '_, Self::Pair>,
            ) -> Result<()> {
                on.launch(
                    to.extent(),
                    $module::unpad(chirp, scale, twiddles, from, to),
                )
            }

            fn join(
                on: &mut impl Launcher,
                roots: &ArrayViewMut<'static, Self::Pair, 1>,
                from: View<'_, '_, Self::Pair>,
                to: ViewMut<'_, '_, Self::Pair>,
            ) -> Result<()> {
                on.launch(to.extent(), $module::join(roots, from, to))
            }

            fn part(
                on: &mut impl Launcher,
                roots: &ArrayViewMut<'static, Self::Pair, 1>,
                from: View<'_, '_, Self::Pair>,
                to: ViewMut<'_, '_, Self::Pair>,
            ) -> Result<()> {
                on.launch(to.extent(), $module::part(roots, from, to))
            }

            fn complex(
                on: &mut impl Launcher,
                from: View<'_, '_, Self>,
                to: ViewMut<'_, '_, Self::Pair>,
            ) -> Result<()> {
                on.launch(to.extent(), $module::complex(from, to))
            }

            fn real(
                on: &mut impl Launcher,
                from: View<'_, '_, Self::Pair>,
                to: ViewMut<'_, '_, Self>,
            ) -> Result<()> {
                on.launch(to.extent(), $module::real(from, to))
            }

            fn halve(
                on: &mut impl Launcher,
                length: usize,
                from: View<'_, '_, Self::Pair>,
                to: ViewMut<'_, '_, Self::Pair>,
            ) -> Result<()> {
                let mut to = to.view_as([from.extent()[0] / length, length / 2 + 1])?;
                on.launch(to.extent(), $module::halve(length, from, &mut to))
            }

            fn unhalve(
                on: &mut impl Launcher,
                lengths: Lengths,
                from: View<'_, '_, Self::Pair>,
                to: ViewMut<'_, '_, Self::Pair>,
            ) -> Result<()> {
                on.launch(to.extent(), $module::unhalve(lengths, from, to))
            }
        }
    };
}

kernels!(f32, Vec2, of_f32);
kernels!(f64, DVec2, of_f64);
