//! Fourier transforms of any length, in one to three dimensions.

mod element;
mod kernels;
mod plan;
mod powers;
mod real;

use std::fmt;

use self::plan::{Axis, Buffers, Lines, Table};
use self::real::RealPlan;
use super::launcher::{Anywhere, Launcher};
use super::source::{Source, Target};
use crate::{ArrayView, ArrayViewMut, Error, Result};

pub use element::{Complex32, Complex64, FftElement};

/// The discrete Fourier transform of lines, matrices or volumes of a size, with the tables and the memory
/// that it needs.
///
/// [`forward`](Self::forward) computes `y[k] = Σ x[n] · exp(-2πi · k · n / N)` for each dimension, and
/// [`inverse`](Self::inverse) the same with the opposite sign, divided by the number of elements: it
/// undoes `forward`. Arrays have rank 1: their elements are those of the matrix or volume in row-major order
/// ([`view_as`](crate::ArrayView::view_as) gives them that shape), of one after another if there are several.
///
/// Lengths may be any. Those whose prime factors are up to 31 go through passes of up to 256, which are several times
/// faster if the length is a power of two from 16 on; the transforms of other lengths are convolutions of powers
/// of two (Bluestein). All accelerators return the same bits.
/// The error is about 10⁻⁷ of the largest result for `f32`, and 10⁻¹⁵ for `f64`.
///
/// In a graph, the transform must be among what the graph borrows or owns, as it keeps intermediate results. It
/// allocates memory when it is used for the first time, and when the number of elements has changed.
///
/// ```
/// use amp::algorithms::{Complex32, Fft};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let wave: Vec<Complex32> = (0..8)
///     .map(|n| Complex32 { re: (n as f32 * std::f32::consts::FRAC_PI_4).cos(), im: 0.0 })
///     .collect();
/// let wave = Array::new(8, &wave)?;
/// let mut spectrum = Array::zeroed(8)?;
/// Fft::<f32, 1>::new([8])?.forward(&wave, &mut spectrum)?;
/// let spectrum: Vec<f32> = spectrum.to_vec()?.iter().map(|x: &Complex32| x.re.round()).collect();
/// assert_eq!(spectrum, [0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0]);
/// # Ok(())
/// # }
/// ```
pub struct Fft<T: FftElement, const D: usize> {
    lengths: [usize; D],
    axes: Vec<Axis<T>>,
    spare: Option<Table<T::Pair>>,
    /// What real transforms need besides.
    real: RealPlan<T>,
}

impl<T: FftElement, const D: usize> Fft<T, D> {
    /// The transform of lines (`[n]`), matrices (`[rows, columns]`) or volumes of a size.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let fft = Fft::<f64, 3>::new([10, 30, 17]);
    /// assert!(fft.is_ok() && Fft::<f64, 1>::new([0]).is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] if there are not one to three lengths, or one is zero; and as
    /// [`parallel_for_each`](crate::parallel_for_each), as some tables are transformed.
    pub fn new(lengths: [usize; D]) -> Result<Self> {
        if !(1..=3).contains(&D) || lengths.contains(&0) {
            let found = format!(
                "a transform has one to three dimensions of a length that is not zero, not {lengths:?}"
            );
            return Err(Error::InvalidArgument(found));
        }
        let axes = lengths.iter().rev().map(|length| Axis::new(*length));
        Ok(Self {
            lengths,
            axes: axes.collect::<Result<_>>()?,
            spare: None,
            real: RealPlan::new(lengths[D - 1])?,
        })
    }

    /// Transforms complex numbers, where the arrays live.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let pulse = [Complex32 { re: 1.0, im: 0.0 }, Complex32::default()];
    /// let (x, mut y) = (Array::new(2, &pulse)?, Array::zeroed(2)?);
    /// Fft::<f32, 1>::new([2])?.forward(&x, &mut y)?;
    /// assert_eq!(y.to_vec()?, [Complex32 { re: 1.0, im: 0.0 }; 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] if the numbers of elements do not fit, and as
    /// [`parallel_for_each`](crate::parallel_for_each).
    pub fn forward(
        &mut self,
        from: &impl Source<T::Complex>,
        to: &mut impl Target<T::Complex>,
    ) -> Result<()> {
        self.forward_on(&mut Anywhere, from, to)
    }

    /// [`forward`](Self::forward), on an accelerator view or in a graph.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let pulse = [Complex32 { re: 1.0, im: 0.0 }, Complex32::default()];
    /// let (x, mut y) = (Array::new(2, &pulse)?, Array::zeroed(2)?);
    /// let mut fft = Fft::<f32, 1>::new([2])?;
    /// fft.forward_on(&mut x.accelerator_view(), &x, &mut y)?;
    /// assert_eq!(y.to_vec()?[1].re, 1.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`forward`](Self::forward).
    pub fn forward_on(
        &mut self,
        on: &mut impl Launcher,
        from: &impl Source<T::Complex>,
        to: &mut impl Target<T::Complex>,
    ) -> Result<()> {
        self.transform(on, false, from, to)
    }

    /// Undoes [`forward`](Self::forward), where the arrays live.
    ///
    /// ```
    /// use amp::algorithms::{Complex64, Fft};
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// let spectrum = [Complex64 { re: 6.0, im: 0.0 }; 6];
    /// let mut pulse = ArrayViewMut::uninit(6)?;
    /// Fft::<f64, 2>::new([2, 3])?.inverse(&ArrayView::new(6, &spectrum)?, &mut pulse)?;
    /// assert!((pulse[0].re - 6.0).abs() < 1e-14 && pulse[5].re.abs() < 1e-14);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`forward`](Self::forward).
    pub fn inverse(
        &mut self,
        from: &impl Source<T::Complex>,
        to: &mut impl Target<T::Complex>,
    ) -> Result<()> {
        self.inverse_on(&mut Anywhere, from, to)
    }

    /// [`inverse`](Self::inverse), on an accelerator view or in a graph.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let pulse = [Complex32 { re: 1.0, im: 0.0 }, Complex32::default()];
    /// let (x, mut y) = (Array::new(2, &pulse)?, Array::zeroed(2)?);
    /// let mut fft = Fft::<f32, 1>::new([2])?;
    /// fft.inverse_on(&mut x.accelerator_view(), &x, &mut y)?;
    /// assert_eq!(y.to_vec()?[1].re, 0.5);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`forward`](Self::forward).
    pub fn inverse_on(
        &mut self,
        on: &mut impl Launcher,
        from: &impl Source<T::Complex>,
        to: &mut impl Target<T::Complex>,
    ) -> Result<()> {
        self.transform(on, true, from, to)
    }

    fn transform(
        &mut self,
        on: &mut impl Launcher,
        inverts: bool,
        from: &impl Source<T::Complex>,
        to: &mut impl Target<T::Complex>,
    ) -> Result<()> {
        let (from, mut to) = (from.elements(), to.elements_mut());
        let (from, mut to) = (from.reinterpret::<T::Pair>()?, to.reinterpret::<T::Pair>()?);
        let total = from.extent()[0];
        self.check(total, total, to.extent()[0])?;
        self.run(on, inverts, &from, &mut to)
    }

    /// All dimensions of numbers that have been checked.
    fn run(
        &mut self,
        on: &mut impl Launcher,
        inverts: bool,
        from: &ArrayView<'_, T::Pair, 1>,
        to: &mut ArrayViewMut<'_, T::Pair, 1>,
    ) -> Result<()> {
        let size: usize = self.lengths.iter().product();
        let lines = Lines {
            beside: 1,
            inverts,
            scale: if inverts { 1.0 / size as f64 } else { 1.0 },
        };
        run_axes(on, &mut self.axes, lines, &mut self.spare, from, to)
    }

    /// Requires whole transforms of `total` elements, and as many elements at the other end as wanted.
    fn check(&self, total: usize, wanted: usize, found: usize) -> Result<()> {
        let size: usize = self.lengths.iter().product();
        if total.is_multiple_of(size) && found == wanted {
            return Ok(());
        }
        Err(Error::InvalidArgument(format!(
            "transforms of {:?} take a multiple of {size} elements, and for {total} the spectrum or result \
             has {wanted}, not {found}",
            self.lengths
        )))
    }
}

impl<T: FftElement, const D: usize> fmt::Debug for Fft<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fft")
            .field("lengths", &self.lengths)
            .finish_non_exhaustive()
    }
}

/// Transforms along dimensions, of which the first one's lines lie as these do. Results are scaled once, at the
/// end.
fn run_axes<T: FftElement>(
    on: &mut impl Launcher,
    axes: &mut [Axis<T>],
    lines: Lines,
    spare: &mut Option<Table<T::Pair>>,
    from: &ArrayView<'_, T::Pair, 1>,
    to: &mut ArrayViewMut<'_, T::Pair, 1>,
) -> Result<()> {
    let mut taken = kept(spare.take(), to.extent()[0])?;
    let (mut other, mut result) = (taken.as_view_mut(), to.as_view_mut());
    let mut buffers = Buffers {
        input: Some(from),
        spare: &mut other,
        result: &mut result,
        steps: axes.iter().map(Axis::steps).sum(),
    };
    let count = axes.len();
    let mut beside = lines.beside;
    for (number, axis) in axes.iter_mut().enumerate() {
        let scale = if number + 1 == count {
            lines.scale
        } else {
            1.0
        };
        let own = Lines {
            beside,
            scale,
            ..lines
        };
        axis.run(on, own, &mut buffers)?;
        beside *= axis.length();
    }
    drop((other, result));
    *spare = Some(taken);
    Ok(())
}

/// What was kept if it has so many elements, else a new one.
fn kept<P: crate::Element>(kept: Option<Table<P>>, total: usize) -> Result<Table<P>> {
    match kept {
        Some(kept) if kept.extent()[0] == total => Ok(kept),
        _ => ArrayViewMut::uninit(total),
    }
}
