//! Transforms of real numbers.
//!
//! Where the last length is even, the numbers of a line are taken as half as many complex ones: the even ones are
//! real parts. Their transform has those of the even and of the odd numbers, of which the spectrum is made. Lines of
//! an odd length are transformed as complex numbers.

use super::super::launcher::{Anywhere, Launcher};
use super::super::source::{Source, Target};
use super::kernels::Lengths;
use super::plan::{Axis, FORWARD, Lines, Table, roots};
use super::{Fft, FftElement, kept, run_axes};
use crate::{ArrayView, ArrayViewMut, Result};

/// What real transforms need besides that of complex numbers.
pub struct RealPlan<T: FftElement> {
    /// The transform of half of a line, and the roots of unity of the line; nothing if its length is odd.
    half: Option<(Axis<T>, Table<T::Pair>)>,
    spare: Option<Table<T::Pair>>,
    /// What is between two steps: with whole lines the numbers and the spectrum, else the transform of halves and
    /// what is transformed along the other dimensions.
    between: [Option<Table<T::Pair>>; 2],
}

impl<T: FftElement> RealPlan<T> {
    /// For lines of a length.
    pub fn new(length: usize) -> Result<Self> {
        let half = match length % 2 {
            0 => {
                let roots = roots::<T>(length / 2 + 1, |at| at, length)?;
                Some((Axis::new(length / 2)?, roots))
            }
            _ => None,
        };
        Ok(Self {
            half,
            spare: None,
            between: [None, None],
        })
    }
}

impl<T: FftElement, const D: usize> Fft<T, D> {
    /// Transforms real numbers, where the arrays live. Of the last dimension only the first `n / 2 + 1` results are
    /// stored; the others are the conjugates of these. It takes about half as long as that of complex numbers if the
    /// last dimension's length is even.
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
        match self.lengths[D - 1] % 2 {
            0 => self.forward_halves(on, &from.reinterpret()?, &mut to),
            _ => self.forward_whole(on, &from, &mut to),
        }
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
        match self.lengths[D - 1] % 2 {
            0 => self.inverse_halves(on, &from, &mut to.reinterpret()?),
            _ => self.inverse_whole(on, &from, &mut to),
        }
    }

    /// Elements of a real transform's spectrum.
    fn half(&self, total: usize) -> usize {
        let last = self.lengths[D - 1];
        total / last * (last / 2 + 1)
    }

    fn forward_whole(
        &mut self,
        on: &mut impl Launcher,
        from: &ArrayView<'_, T, 1>,
        to: &mut ArrayViewMut<'_, T::Pair, 1>,
    ) -> Result<()> {
        let [mut numbers, mut spectrum] = self.between([from.extent()[0]; 2])?;
        T::complex(on, from, &mut numbers)?;
        self.run(on, false, &numbers.as_view(), &mut spectrum)?;
        T::halve(on, self.lengths[D - 1], &spectrum.as_view(), to)?;
        self.real.between = [Some(numbers), Some(spectrum)];
        Ok(())
    }

    fn inverse_whole(
        &mut self,
        on: &mut impl Launcher,
        from: &ArrayView<'_, T::Pair, 1>,
        to: &mut ArrayViewMut<'_, T, 1>,
    ) -> Result<()> {
        let [mut numbers, mut spectrum] = self.between([to.extent()[0]; 2])?;
        let mut lengths = self.lengths.iter().rev().map(|length| *length as u32);
        let lengths = Lengths {
            inner: lengths.next().unwrap_or(1),
            middle: lengths.next().unwrap_or(1),
            outer: lengths.next().unwrap_or(1),
        };
        T::unhalve(on, lengths, from, &mut spectrum)?;
        self.run(on, true, &spectrum.as_view(), &mut numbers)?;
        T::real(on, &numbers.as_view(), to)?;
        self.real.between = [Some(numbers), Some(spectrum)];
        Ok(())
    }

    fn forward_halves(
        &mut self,
        on: &mut impl Launcher,
        from: &ArrayView<'_, T::Pair, 1>,
        to: &mut ArrayViewMut<'_, T::Pair, 1>,
    ) -> Result<()> {
        let [mut halves, mut lines] = self.between([from.extent()[0], to.extent()[0]])?;
        let RealPlan { half, spare, .. } = &mut self.real;
        if let Some((axis, roots)) = half {
            let axis = std::slice::from_mut(axis);
            run_axes(on, axis, FORWARD, spare, from, &mut halves)?;
            let halves = halves.as_view();
            match &mut self.axes[1..] {
                [] => T::join(on, roots, &halves, to)?,
                others => {
                    T::join(on, roots, &halves, &mut lines)?;
                    let beside = roots.extent()[0];
                    let across = Lines { beside, ..FORWARD };
                    run_axes(on, others, across, &mut self.spare, &lines.as_view(), to)?;
                }
            }
        }
        self.real.between = [Some(halves), Some(lines)];
        Ok(())
    }

    fn inverse_halves(
        &mut self,
        on: &mut impl Launcher,
        from: &ArrayView<'_, T::Pair, 1>,
        to: &mut ArrayViewMut<'_, T::Pair, 1>,
    ) -> Result<()> {
        let [mut halves, mut lines] = self.between([to.extent()[0], from.extent()[0]])?;
        let size: usize = self.lengths.iter().product();
        let inverse = Lines {
            inverts: true,
            ..FORWARD
        };
        let RealPlan { half, spare, .. } = &mut self.real;
        if let Some((axis, roots)) = half {
            match &mut self.axes[1..] {
                [] => T::part(on, roots, from, &mut halves)?,
                others => {
                    let beside = roots.extent()[0];
                    let across = Lines { beside, ..inverse };
                    run_axes(on, others, across, &mut self.spare, from, &mut lines)?;
                    T::part(on, roots, &lines.as_view(), &mut halves)?;
                }
            }
            let scale = 1.0 / size as f64;
            let along = Lines { scale, ..inverse };
            let axis = std::slice::from_mut(axis);
            run_axes(on, axis, along, spare, &halves.as_view(), to)?;
        }
        self.real.between = [Some(halves), Some(lines)];
        Ok(())
    }

    /// What is between two steps, of so many elements.
    fn between(&mut self, [one, other]: [usize; 2]) -> Result<[Table<T::Pair>; 2]> {
        let [first, second] = std::mem::take(&mut self.real.between);
        Ok([kept(first, one)?, kept(second, other)?])
    }
}
