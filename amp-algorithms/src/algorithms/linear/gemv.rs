//! Products of a matrix and a vector, in 32 partial sums.

use super::super::launcher::{Anywhere, Launcher, is_on_cpu};
use super::super::source::{Source, Target};
use super::gemm::MatrixElement;
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::prelude::*;
use crate::{Error, Result};

/// Rows of a tile of threads, and partial sums of an element.
const ROWS: usize = 8;
const PARTS: usize = 32;
/// Columns that a thread of the CPU accelerator sums.
const STRIP: usize = 16;

/// The product of a matrix and a vector, as BLAS defines it: `y = alpha * a * x + beta * y`.
///
/// The matrix may be transposed, and all three may be sections. Without settings, `alpha` is one and
/// `beta` zero; if `beta` is zero, `y` is not read.
///
/// An element of `a * x` has 32 partial sums: sum p has the terms p, p + 32, p + 64 and so on, in this order,
/// with one rounding for each product and addition. Then the second half of the sums is added to the
/// first, until one is left. So all accelerators return the same bits. With `f16` and `bf16` all of this is computed as
/// `f32`, also `alpha` and `beta` times something, and only `y` is rounded.
///
/// ```
/// use amp::algorithms::Gemv;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let a = Array::new([2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let x = Array::new(2, &[1.0, -1.0])?;
/// let mut y = Array::new(3, &[1.0; 3])?;
/// Gemv::new().transpose().alpha(2.0).beta(1.0).run(&a, &x, &mut y)?;
/// assert_eq!(y.to_vec()?, [-5.0; 3]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Gemv<T> {
    alpha: T,
    beta: T,
    transposes: bool,
}

impl<T: MatrixElement> Default for Gemv<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: MatrixElement> Gemv<T> {
    /// `y = a * x`.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let (a, x) = (Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?, Array::new(2, &[1.0, 1.0])?);
    /// let mut y = Array::new(2, &[1.0, 1.0])?;
    /// Gemv::new().run(&a, &x, &mut y)?;
    /// assert_eq!(y.to_vec()?, [3.0, 7.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            alpha: T::UNIT,
            beta: T::zeroed(),
            transposes: false,
        }
    }

    /// Multiplies the product by a number.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let (a, x) = (Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?, Array::new(2, &[1.0, 1.0])?);
    /// let mut y = Array::new(2, &[1.0, 1.0])?;
    /// Gemv::new().alpha(2.0).run(&a, &x, &mut y)?;
    /// assert_eq!(y.to_vec()?, [6.0, 14.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn alpha(self, alpha: T) -> Self {
        Self { alpha, ..self }
    }

    /// Adds a multiple of what is in `y`.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let (a, x) = (Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?, Array::new(2, &[1.0, 1.0])?);
    /// let mut y = Array::new(2, &[1.0, 1.0])?;
    /// Gemv::new().beta(1.0).run(&a, &x, &mut y)?;
    /// assert_eq!(y.to_vec()?, [4.0, 8.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn beta(self, beta: T) -> Self {
        Self { beta, ..self }
    }

    /// Takes the transpose of the matrix.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let (a, x) = (Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?, Array::new(2, &[1.0, 1.0])?);
    /// let mut y = Array::new(2, &[1.0, 1.0])?;
    /// Gemv::new().transpose().run(&a, &x, &mut y)?;
    /// assert_eq!(y.to_vec()?, [4.0, 6.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn transpose(self) -> Self {
        Self {
            transposes: true,
            ..self
        }
    }

    /// Computes the product, where the arrays live.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let (a, x) = (Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?, Array::new(2, &[1.0, 1.0])?);
    /// let mut y = Array::new(2, &[1.0, 1.0])?;
    /// let row = a.section([1, 0], [1, 2])?;
    /// Gemv::new().run(&row, &x, &mut y.section_mut(0, 1)?)?;
    /// assert_eq!(y.to_vec()?, [7.0, 1.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] if the extents do not fit each other, and as [`parallel_for_each`].
    pub fn run(
        &self,
        a: &impl Source<T, 2>,
        x: &impl Source<T>,
        y: &mut impl Target<T>,
    ) -> Result<()> {
        self.run_on(&mut Anywhere, a, x, y)
    }

    /// [`run`](Self::run), on an accelerator view or in a graph.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let (a, x) = (Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?, Array::new(2, &[1.0, 1.0])?);
    /// let mut y = Array::new(2, &[1.0, 1.0])?;
    /// Gemv::new().run_on(&mut a.accelerator_view(), &a, &x, &mut y)?;
    /// assert_eq!(y.to_vec()?, [3.0, 7.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn run_on(
        &self,
        on: &mut impl Launcher,
        a: &impl Source<T, 2>,
        x: &impl Source<T>,
        y: &mut impl Target<T>,
    ) -> Result<()> {
        let on_cpu = is_on_cpu(on, [y.home(), a.home(), x.home()])?;
        let (a, x, mut y) = (a.elements(), x.elements(), y.elements_mut());
        let [rows, columns] = a.extent().to_array();
        let [results, terms] = match self.transposes {
            true => [columns, rows],
            false => [rows, columns],
        };
        let (of_x, of_y) = (x.extent()[0], y.extent()[0]);
        if (of_x, of_y) != (terms, results) {
            return Err(Error::InvalidArgument(format!(
                "the product of a matrix of {results}×{terms} needs a vector of {terms} elements and a result of {results}, but they have {of_x} and {of_y}"
            )));
        }
        T::gemv(
            on,
            (self.transposes, on_cpu),
            self.alpha,
            &a,
            &x,
            self.beta,
            &mut y,
        )
    }
}

/// The product of a matrix and a vector: `y = a * x`. [`Gemv`] has more, and defines the result.
///
/// ```
/// use amp::algorithms::gemv;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let a = Array::new([2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let mut y = Array::zeroed(2)?;
/// gemv(&a, &Array::new(2, &[1.0, 10.0])?, &mut y)?;
/// assert_eq!(y.to_vec()?, [21.0, 43.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`Gemv::run`].
pub fn gemv<T: MatrixElement>(
    a: &impl Source<T, 2>,
    x: &impl Source<T>,
    y: &mut impl Target<T>,
) -> Result<()> {
    Gemv::new().run(a, x, y)
}

/// The kernels of a type.
#[doc(hidden)]
pub trait Kernels: crate::Element {
    /// Computes a product, of the transpose or not, on the CPU accelerator or not.
    fn gemv(
        on: &mut impl Launcher,
        way: (bool, bool),
        alpha: Self,
        a: &ArrayView<'_, Self, 2>,
        x: &ArrayView<'_, Self, 1>,
        beta: Self,
        y: &mut ArrayViewMut<'_, Self, 1>,
    ) -> Result<()>;
}

macro_rules! kernels {
    ($module:ident: $type:ty as $sum:ty) => {
        mod $module {
            use super::super::wide::$module::{narrowed, widened};
            use super::*;

            #[amp_fn]
            fn put(y: &mut $type, alpha: $sum, sum: $sum, beta: $sum) {
                let mut result = alpha * sum;
                if beta != 0.0 {
                    result += beta * widened(*y);
                }
                *y = narrowed(result);
            }

            /// A row of threads sums a row of the matrix.
            #[amp_kernel]
            fn rows(
                t_idx: TiledIndex<2, ROWS, PARTS>,
                alpha: $sum,
                a: &ArrayView<$type, 2>,
                x: &ArrayView<$type, 1>,
                beta: $sum,
                y: &mut ArrayViewMut<$type, 1>,
            ) {
                #[tile_static]
                let mut parts: [[$sum; PARTS]; ROWS];
                let (own, lane) = (t_idx.local[0], t_idx.local[1]);
                let row = t_idx.global[0];
                let mut sum = 0.0;
                if row < a.extent()[0] {
                    for k in (lane..a.extent()[1]).step_by(PARTS) {
                        sum += widened(a[[row, k]]) * widened(x[k]);
                    }
                }
                parts[own][lane] = sum;
                t_idx.barrier.wait();
                let mut half = PARTS / 2;
                while half > 0 {
                    if lane < half {
                        parts[own][lane] += parts[own][lane + half];
                    }
                    t_idx.barrier.wait();
                    half /= 2;
                }
                if lane == 0 && row < a.extent()[0] {
                    put(&mut y[row], alpha, parts[own][0], beta);
                }
            }

            /// A column of threads sums a column of the matrix, with several partial sums in each.
            #[amp_kernel]
            fn columns(
                t_idx: TiledIndex<2, ROWS, PARTS>,
                alpha: $sum,
                a: &ArrayView<$type, 2>,
                x: &ArrayView<$type, 1>,
                beta: $sum,
                y: &mut ArrayViewMut<$type, 1>,
            ) {
                #[tile_static]
                let mut parts: [[$sum; PARTS]; PARTS];
                let (own, lane) = (t_idx.local[0], t_idx.local[1]);
                let column = t_idx.global[1];
                let mut sums: [$sum; PARTS / ROWS] = [0.0; PARTS / ROWS];
                if column < a.extent()[1] {
                    for first in (own..a.extent()[0]).step_by(PARTS) {
                        for part in 0..PARTS / ROWS {
                            let k = first + part * ROWS;
                            if k < a.extent()[0] {
                                sums[part] += widened(a[[k, column]]) * widened(x[k]);
                            }
                        }
                    }
                }
                for part in 0..PARTS / ROWS {
                    parts[part * ROWS + own][lane] = sums[part];
                }
                t_idx.barrier.wait();
                let mut half = PARTS / 2;
                while half > 0 {
                    for part in (own..half).step_by(ROWS) {
                        parts[part][lane] += parts[part + half][lane];
                    }
                    t_idx.barrier.wait();
                    half /= 2;
                }
                if own == 0 && column < a.extent()[1] {
                    put(&mut y[column], alpha, parts[0][lane], beta);
                }
            }

            /// On the CPU accelerator: a thread sums a row.
            #[amp_kernel]
            fn whole_rows(
                idx: Index<1>,
                alpha: $sum,
                a: &ArrayView<$type, 2>,
                x: &ArrayView<$type, 1>,
                beta: $sum,
                y: &mut ArrayViewMut<$type, 1>,
            ) {
                let mut parts: [$sum; PARTS] = [0.0; PARTS];
                let row = a.row(idx[0]);
                let terms = row.extent()[0];
                for first in (0..terms).step_by(PARTS) {
                    for lane in 0..PARTS.min(terms - first) {
                        parts[lane] += widened(row[first + lane]) * widened(x[first + lane]);
                    }
                }
                let mut half = PARTS / 2;
                while half > 0 {
                    for lane in 0..half {
                        parts[lane] += parts[lane + half];
                    }
                    half /= 2;
                }
                put(&mut y[idx], alpha, parts[0], beta);
            }

            /// On the CPU accelerator: a thread sums some columns.
            #[amp_kernel]
            fn whole_columns(
                idx: Index<1>,
                alpha: $sum,
                a: &ArrayView<$type, 2>,
                x: &ArrayView<$type, 1>,
                beta: $sum,
                y: &mut ArrayViewMut<$type, 1>,
            ) {
                let mut parts: [[$sum; STRIP]; PARTS] = [[0.0; STRIP]; PARTS];
                let first = idx[0] * STRIP;
                let count = STRIP.min(a.extent()[1] - first);
                for k in 0..a.extent()[0] {
                    for lane in 0..count {
                        parts[k % PARTS][lane] += widened(a[[k, first + lane]]) * widened(x[k]);
                    }
                }
                let mut half = PARTS / 2;
                while half > 0 {
                    for part in 0..half {
                        for lane in 0..STRIP {
                            parts[part][lane] += parts[part + half][lane];
                        }
                    }
                    half /= 2;
                }
                for lane in 0..count {
                    put(&mut y[first + lane], alpha, parts[0][lane], beta);
                }
            }

            impl Kernels for $type {
                fn gemv(
                    on: &mut impl Launcher,
                    (transposes, on_cpu): (bool, bool),
                    alpha: Self,
                    a: &ArrayView<'_, Self, 2>,
                    x: &ArrayView<'_, Self, 1>,
                    beta: Self,
                    y: &mut ArrayViewMut<'_, Self, 1>,
                ) -> Result<()> {
                    let results = y.extent()[0];
                    let (alpha, beta) = (widened(alpha), widened(beta));
                    match (transposes, on_cpu) {
                        (false, true) => on.launch(results, whole_rows(alpha, a, x, beta, y)),
                        (true, true) => {
                            on.launch(results.div_ceil(STRIP), whole_columns(alpha, a, x, beta, y))
                        }
                        (false, false) => {
                            let threads = Extent::new([results, PARTS]).tile().pad();
                            on.launch(threads, rows(alpha, a, x, beta, y))
                        }
                        (true, false) => {
                            let threads = Extent::new([ROWS, results]).tile().pad();
                            on.launch(threads, columns(alpha, a, x, beta, y))
                        }
                    }
                }
            }
        }
    };
}

kernels!(of_f32: f32 as f32);
kernels!(of_f64: f64 as f64);
#[cfg(feature = "half")]
kernels!(of_f16: f16 as f32);
#[cfg(feature = "half")]
kernels!(of_bf16: bf16 as f32);
