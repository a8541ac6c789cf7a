//! Fourier transforms of any length, in one to three dimensions.

mod element;
mod kernels;
mod plan;
mod powers;

use std::fmt;

use self::kernels::Lengths;
use self::plan::{Axis, Buffers, Lines, Table};
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
    /// The numbers and the whole spectrum of real transforms.
    whole: [Option<Table<T::Pair>>; 2],
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
            whole: [None, None],
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

    /// Transforms real numbers, where the arrays live. Of the last dimension only the first `n / 2 + 1` results are
    /// stored; the others are the conjugates of these.
    ///
    /// ```
    /// use amp::algorithms::Fft;
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// let x = Array::new(6, &[1.0_f32, 0.0, 0.0, 0.0, 0.0, 0.0])?;
    /// let (mut spectrum, mut back) = (Array::zeroed(4)?, Array::zeroed(6)?);
    /// let mut fft = Fft::new([6])?;
    /// fft.forward_real(&x, &mut spectrum)?;
    /// fft.inverse_real(&spectrum, &mut back)?;
    /// assert!((back.to_vec()?[0] - 1.0).abs() < 1e-6);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`forward`](Self::forward).
    pub fn forward_real(
        &mut self,
        from: &impl Source<T>,
        to: &mut impl Target<T::Complex>,
    ) -> Result<()> {
        self.forward_real_on(&mut Anywhere, from, to)
    }

    /// [`forward_real`](Self::forward_real), on an accelerator view or in a graph.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let (x, mut y) = (Array::new(2, &[1.0_f32, 3.0])?, Array::zeroed(2)?);
    /// let mut fft = Fft::new([2])?;
    /// fft.forward_real_on(&mut x.accelerator_view(), &x, &mut y)?;
    /// assert_eq!((y.to_vec()?[0].re, y.to_vec()?[1].re), (4.0, -2.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`forward`](Self::forward).
    pub fn forward_real_on(
        &mut self,
        on: &mut impl Launcher,
        from: &impl Source<T>,
        to: &mut impl Target<T::Complex>,
    ) -> Result<()> {
        let (from, mut to) = (from.elements(), to.elements_mut());
        let mut to = to.reinterpret::<T::Pair>()?;
        let total = from.extent()[0];
        self.check(total, self.half(total), to.extent()[0])?;
        let [mut numbers, mut spectrum] = self.take_whole(total)?;
        T::complex(on, &from, &mut numbers)?;
        self.run(on, false, &numbers.as_view(), &mut spectrum)?;
        T::halve(on, self.lengths[D - 1], &spectrum.as_view(), &mut to)?;
        self.whole = [Some(numbers), Some(spectrum)];
        Ok(())
    }

    /// Undoes [`forward_real`](Self::forward_real), where the arrays live.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let spectrum = [4.0, -2.0].map(|re| Complex32 { re, im: 0.0 });
    /// let (y, mut x) = (Array::new(2, &spectrum)?, Array::<f32, 1>::zeroed(2)?);
    /// Fft::new([2])?.inverse_real(&y, &mut x)?;
    /// assert_eq!(x.to_vec()?, [1.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`forward`](Self::forward).
    pub fn inverse_real(
        &mut self,
        from: &impl Source<T::Complex>,
        to: &mut impl Target<T>,
    ) -> Result<()> {
        self.inverse_real_on(&mut Anywhere, from, to)
    }

    /// [`inverse_real`](Self::inverse_real), on an accelerator view or in a graph.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let spectrum = [4.0, -2.0].map(|re| Complex32 { re, im: 0.0 });
    /// let (y, mut x) = (Array::new(2, &spectrum)?, Array::<f32, 1>::zeroed(2)?);
    /// let mut fft = Fft::new([2])?;
    /// fft.inverse_real_on(&mut y.accelerator_view(), &y, &mut x)?;
    /// assert_eq!(x.to_vec()?, [1.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`forward`](Self::forward).
    pub fn inverse_real_on(
        &mut self,
        on: &mut impl Launcher,
        from: &impl Source<T::Complex>,
        to: &mut impl Target<T>,
    ) -> Result<()> {
        let (from, mut to) = (from.elements(), to.elements_mut());
        let from = from.reinterpret::<T::Pair>()?;
        let total = to.extent()[0];
        self.check(total, self.half(total), from.extent()[0])?;
        let [mut numbers, mut spectrum] = self.take_whole(total)?;
        let mut lengths = self.lengths.iter().rev().map(|length| *length as u32);
        let lengths = Lengths {
            inner: lengths.next().unwrap_or(1),
            middle: lengths.next().unwrap_or(1),
            outer: lengths.next().unwrap_or(1),
        };
        T::unhalve(on, lengths, &from, &mut spectrum)?;
        self.run(on, true, &spectrum.as_view(), &mut numbers)?;
        T::real(on, &numbers.as_view(), &mut to)?;
        self.whole = [Some(numbers), Some(spectrum)];
        Ok(())
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
        let mut kept = kept(self.spare.take(), to.extent()[0])?;
        let (mut spare, mut result) = (kept.as_view_mut(), to.as_view_mut());
        let mut buffers = Buffers {
            input: Some(from),
            spare: &mut spare,
            result: &mut result,
            steps: self.axes.iter().map(Axis::steps).sum(),
        };
        let size: usize = self.lengths.iter().product();
        let mut lines = Lines {
            beside: 1,
            inverts,
            scale: 1.0,
        };
        let axes = self.axes.iter_mut().zip(self.lengths.iter().rev());
        for (number, (axis, length)) in axes.enumerate() {
            // Results are scaled once, at the end.
            if inverts && number + 1 == D {
                lines.scale = 1.0 / size as f64;
            }
            axis.run(on, lines, &mut buffers)?;
            lines = Lines {
                beside: lines.beside * length,
                scale: 1.0,
                ..lines
            };
        }
        drop((spare, result));
        self.spare = Some(kept);
        Ok(())
    }

    /// Elements of a real transform's spectrum.
    fn half(&self, total: usize) -> usize {
        let last = self.lengths[D - 1];
        total / last * (last / 2 + 1)
    }

    fn take_whole(&mut self, total: usize) -> Result<[Table<T::Pair>; 2]> {
        let [numbers, spectrum] = std::mem::take(&mut self.whole);
        Ok([kept(numbers, total)?, kept(spectrum, total)?])
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

/// What was kept if it has so many elements, else a new one.
fn kept<P: crate::Element>(kept: Option<Table<P>>, total: usize) -> Result<Table<P>> {
    match kept {
        Some(kept) if kept.extent()[0] == total => Ok(kept),
        _ => ArrayViewMut::uninit(total),
    }
}
