//! Products of matrices: what is computed, and by which kernel.

use super::super::launcher::{Anywhere, Launcher, is_on_cpu};
use super::super::source::{Source, Target};
use super::{blocks, strips, wide};
#[cfg(feature = "half")]
use crate::__private::half::{bf16, f16};
use crate::{ArrayView, ArrayViewMut, Element, Error, Result};

mod sealed {
    pub trait Sealed {}
}

/// Types of which [`Gemm`] and [`Gemv`](super::Gemv) compute products: `f32`, `f64`, and with the feature `half`
/// `f16` and `bf16`.
///
/// ```
/// use amp::algorithms::{MatrixElement, gemm};
/// use amp::prelude::*;
///
/// fn square<T: MatrixElement>(a: &Array<T, 2>) -> amp::Result<Array<T, 2>> {
///     let mut product = Array::zeroed(a.extent())?;
///     gemm(a, a, &mut product)?;
///     Ok(product)
/// }
///
/// # fn main() -> amp::Result<()> {
/// let a = Array::new([2, 2], &[1.0, 1.0, 0.0, 1.0])?;
/// assert_eq!(square(&a)?.to_vec()?, [1.0, 2.0, 0.0, 1.0]);
/// # Ok(())
/// # }
/// ```
pub trait MatrixElement: Element + super::gemv::Kernels + sealed::Sealed {
    /// 1
    #[doc(hidden)]
    const UNIT: Self;

    #[doc(hidden)]
    fn gemm(
        gemm: &Gemm<Self>,
        on: &mut impl Launcher,
        on_cpu: bool,
        factors: [&ArrayView<'_, Self, 2>; 2],
        c: &mut ArrayViewMut<'_, Self, 2>,
    ) -> Result<()>;

    #[doc(hidden)]
    fn gemm_batch(
        gemm: &Gemm<Self>,
        on: &mut impl Launcher,
        on_cpu: bool,
        factors: [&ArrayView<'_, Self, 3>; 2],
        c: &mut ArrayViewMut<'_, Self, 3>,
    ) -> Result<()>;
}

/// The product of two matrices, as BLAS defines it: `c = alpha * a * b + beta * c`.
///
/// `a` and `b` may be transposed, and all three may be sections of larger arrays. Without settings,
/// `alpha` is one and `beta` zero; if `beta` is zero, `c` is not read.
///
/// An element of `a * b` is the sum of its terms in their order, from 0 on, with one rounding for each
/// product and one for each addition: what `sum += a[[i, k]] * b[[k, j]]` computes for increasing `k`. So
/// all accelerators return the same bits. [`fast_math`](Self::fast_math) lets devices fuse the two. With `f16` and
/// `bf16` all of this is computed as `f32`, also `alpha` and `beta` times something, and only `c` is rounded.
///
/// ```
/// use amp::algorithms::Gemm;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let a = Array::new([3, 2], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0])?;
/// let b = Array::new([3, 1], &[1.0, 0.0, -1.0])?;
/// let mut c = Array::new([2, 1], &[100.0, 200.0])?;
/// Gemm::new().alpha(2.0).transpose_a().beta(1.0).run(&a, &b, &mut c)?;
/// assert_eq!(c.to_vec()?, [96.0, 196.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Gemm<T> {
    alpha: T,
    beta: T,
    transposes_a: bool,
    transposes_b: bool,
    is_fast: bool,
}

impl<T: MatrixElement> Default for Gemm<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: MatrixElement> Gemm<T> {
    /// `c = a * b`.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let a = Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?;
    /// let mut c = Array::new([2, 2], &[1.0; 4])?;
    /// Gemm::new().run(&a, &a, &mut c)?;
    /// assert_eq!(c.to_vec()?, [7.0, 10.0, 15.0, 22.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            alpha: T::UNIT,
            beta: T::zeroed(),
            transposes_a: false,
            transposes_b: false,
            is_fast: false,
        }
    }

    /// Multiplies the product by a number.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let a = Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?;
    /// let mut c = Array::new([2, 2], &[1.0; 4])?;
    /// Gemm::new().alpha(2.0).run(&a, &a, &mut c)?;
    /// assert_eq!(c.to_vec()?, [14.0, 20.0, 30.0, 44.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn alpha(self, alpha: T) -> Self {
        Self { alpha, ..self }
    }

    /// Adds a multiple of what is in `c`.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let a = Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?;
    /// let mut c = Array::new([2, 2], &[1.0; 4])?;
    /// Gemm::new().beta(-1.0).run(&a, &a, &mut c)?;
    /// assert_eq!(c.to_vec()?, [6.0, 9.0, 14.0, 21.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn beta(self, beta: T) -> Self {
        Self { beta, ..self }
    }

    /// Takes the transpose of `a`.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let a = Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?;
    /// let mut c = Array::new([2, 2], &[1.0; 4])?;
    /// Gemm::new().transpose_a().run(&a, &a, &mut c)?;
    /// assert_eq!(c.to_vec()?, [10.0, 14.0, 14.0, 20.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn transpose_a(self) -> Self {
        Self {
            transposes_a: true,
            ..self
        }
    }

    /// Takes the transpose of `b`.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let a = Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?;
    /// let mut c = Array::new([2, 2], &[1.0; 4])?;
    /// Gemm::new().transpose_b().run(&a, &a, &mut c)?;
    /// assert_eq!(c.to_vec()?, [5.0, 11.0, 11.0, 25.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn transpose_b(self) -> Self {
        Self {
            transposes_b: true,
            ..self
        }
    }

    /// Lets devices use their own floating-point arithmetic, which is about 1.7 times as fast. The order of the terms is
    /// the same, but results may differ between devices.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let a = Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?;
    /// let mut c = Array::new([2, 2], &[1.0; 4])?;
    /// Gemm::new().fast_math().run(&a, &a, &mut c)?;
    /// assert_eq!(c.to_vec()?, [7.0, 10.0, 15.0, 22.0]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn fast_math(self) -> Self {
        Self {
            is_fast: true,
            ..self
        }
    }

    /// Computes a product, where the arrays live.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let a = Array::new([2, 2], &[1.0, 2.0, 3.0, 4.0])?;
    /// let mut c = Array::new([2, 2], &[1.0; 4])?;
    /// Gemm::new().run(&a.section([0, 0], [1, 2])?, &a, &mut c.section_mut([1, 0], [1, 2])?)?;
    /// assert_eq!(c.to_vec()?, [1.0, 1.0, 7.0, 10.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] if the extents do not fit each other, and as
    /// [`parallel_for_each`](crate::parallel_for_each).
    pub fn run(
        &self,
        a: &impl Source<T, 2>,
        b: &impl Source<T, 2>,
        c: &mut impl Target<T, 2>,
    ) -> Result<()> {
        self.run_on(&mut Anywhere, a, b, c)
    }

    /// [`run`](Self::run), on an accelerator view or in a graph.
    ///
    /// ```
    /// use amp::algorithms::Gemm;
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// let view = Accelerator::default()?.default_view()?;
    /// let turn = Array::builder([2, 2]).on(&view).data(&[0.0, -1.0, 1.0, 0.0]).build()?;
    /// let now = Array::builder([2, 1]).on(&view).data(&[1.0, 0.0]).build()?;
    /// let next = Array::builder([2, 1]).on(&view).build()?;
    /// let mut graph = view.record_with((now, next), |recording, (now, next)| {
    ///     Gemm::new().run_on(recording, &turn, now, next)?;
    ///     Gemm::new().run_on(recording, &turn, next, now)
    /// })?;
    /// graph.replay()?;
    /// assert_eq!(graph.captures().0.to_vec()?, [-1.0, 0.0]);
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
        b: &impl Source<T, 2>,
        c: &mut impl Target<T, 2>,
    ) -> Result<()> {
        let on_cpu = is_on_cpu(on, [c.home(), a.home(), b.home()])?;
        let (a, b, mut c) = (a.elements(), b.elements(), c.elements_mut());
        let extents = [a.extent(), b.extent(), c.extent()];
        self.check(extents.map(|extent| extent.to_array()))?;
        T::gemm(self, on, on_cpu, [&a, &b], &mut c)
    }

    /// Computes many products of the same size: row i of `c`, a matrix, is that of row i of `a` and row i of `b`.
    ///
    /// ```
    /// use amp::algorithms::Gemm;
    /// use amp::prelude::*;
    ///
    /// # fn main() -> amp::Result<()> {
    /// let a = Array::new([2, 1, 2], &[1.0, 2.0, 3.0, 4.0])?;
    /// let b = Array::new([2, 2, 1], &[1.0, 1.0, 1.0, -1.0])?;
    /// let mut c = Array::zeroed([2, 1, 1])?;
    /// Gemm::new().run_batch(&a, &b, &mut c)?;
    /// assert_eq!(c.to_vec()?, [3.0, -1.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn run_batch(
        &self,
        a: &impl Source<T, 3>,
        b: &impl Source<T, 3>,
        c: &mut impl Target<T, 3>,
    ) -> Result<()> {
        self.run_batch_on(&mut Anywhere, a, b, c)
    }

    /// [`run_batch`](Self::run_batch), on an accelerator view or in a graph.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let a = Array::new([2, 1, 1], &[2.0, 3.0])?;
    /// let mut c = Array::zeroed([2, 1, 1])?;
    /// Gemm::new().run_batch_on(&mut a.accelerator_view(), &a, &a, &mut c)?;
    /// assert_eq!(c.to_vec()?, [4.0, 9.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn run_batch_on(
        &self,
        on: &mut impl Launcher,
        a: &impl Source<T, 3>,
        b: &impl Source<T, 3>,
        c: &mut impl Target<T, 3>,
    ) -> Result<()> {
        let on_cpu = is_on_cpu(on, [c.home(), a.home(), b.home()])?;
        let (a, b, mut c) = (a.elements(), b.elements(), c.elements_mut());
        let extents = [a.extent(), b.extent(), c.extent()].map(|extent| extent.to_array());
        let [of_a, of_b, of_c] = extents.map(|[number, ..]| number);
        if of_a != of_c || of_b != of_c {
            return Err(Error::InvalidArgument(format!(
                "a batch needs as many matrices of each kind, but there are {of_a} of a, {of_b} of b and {of_c} of c"
            )));
        }
        self.check(extents.map(|[_, rows, columns]| [rows, columns]))?;
        T::gemm_batch(self, on, on_cpu, [&a, &b], &mut c)
    }

    fn check(&self, [a, b, c]: [[usize; 2]; 3]) -> Result<()> {
        let taken = |[rows, columns]: [usize; 2], is_transposed| match is_transposed {
            true => [columns, rows],
            false => [rows, columns],
        };
        let (a, b) = (taken(a, self.transposes_a), taken(b, self.transposes_b));
        if a[1] == b[0] && c == [a[0], b[1]] {
            return Ok(());
        }
        let [a, b, c] = [a, b, c].map(|[rows, columns]| format!("{rows}×{columns}"));
        Err(Error::InvalidArgument(format!(
            "a product needs factors of m×k and k×n for a result of m×n, but the factors are {a} and {b} and the result is {c}"
        )))
    }
}

/// The product of two matrices: `c = a * b`. [`Gemm`] has more, and defines the result.
///
/// ```
/// use amp::algorithms::gemm;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let a = Array::new([2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?;
/// let mut c = Array::zeroed([2, 2])?;
/// gemm(&a, &a, &mut c)?;
/// assert_eq!(c.to_vec()?, [7.0, 10.0, 15.0, 22.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`Gemm::run`].
pub fn gemm<T: MatrixElement>(
    a: &impl Source<T, 2>,
    b: &impl Source<T, 2>,
    c: &mut impl Target<T, 2>,
) -> Result<()> {
    Gemm::new().run(a, b, c)
}

/// So many large blocks occupy a device; with fewer, small ones are faster.
const LARGE_BLOCKS: usize = 96;

/// A kernel for the layouts of both factors: whether their terms are in the last dimension.
macro_rules! laid_out {
    ($gemm:ident, $kernel:path, $wide:ident, $a:ident, $b:ident, $c:ident) => {{
        use $kernel as kernel;
        let (alpha, beta) = (
            wide::$wide::widened($gemm.alpha),
            wide::$wide::widened($gemm.beta),
        );
        match (!$gemm.transposes_a, $gemm.transposes_b) {
            (true, true) => kernel::<true, true>(alpha, $a, $b, beta, $c),
            (true, false) => kernel::<true, false>(alpha, $a, $b, beta, $c),
            (false, true) => kernel::<false, true>(alpha, $a, $b, beta, $c),
            (false, false) => kernel::<false, false>(alpha, $a, $b, beta, $c),
        }
    }};
}

/// The launch of a product in blocks of some size.
macro_rules! in_blocks {
    ($gemm:ident, $on:ident, $wide:ident, $size:ident, $threads:ident, $exact:ident, $fast:ident, $factors:expr, $c:ident) => {{
        let (threads, [a, b]) = (blocks::$size::$threads($c.extent()), $factors);
        match $gemm.is_fast {
            true => $on.launch(
                threads,
                laid_out!($gemm, blocks::$size::$fast, $wide, a, b, $c),
            ),
            false => $on.launch(
                threads,
                laid_out!($gemm, blocks::$size::$exact, $wide, a, b, $c),
            ),
        }
    }};
}

macro_rules! matrix_element {
    ($type:ty, $one:expr, $wide:ident, $large:ident, $small:ident) => {
        impl sealed::Sealed for $type {}

        impl MatrixElement for $type {
            const UNIT: Self = $one;

            fn gemm(
                gemm: &Gemm<Self>,
                on: &mut impl Launcher,
                on_cpu: bool,
                [a, b]: [&ArrayView<'_, Self, 2>; 2],
                c: &mut ArrayViewMut<'_, Self, 2>,
            ) -> Result<()> {
                let extent = c.extent();
                let [rows, columns] = extent.to_array();
                let blocks =
                    rows.div_ceil(blocks::$large::BLOCK) * columns.div_ceil(blocks::$large::BLOCK);
                if on_cpu {
                    let kernel = laid_out!(gemm, strips::$wide::plain, $wide, a, b, c);
                    return on.launch(strips::counts(rows, columns), kernel);
                }
                match blocks >= LARGE_BLOCKS {
                    true => in_blocks!(gemm, on, $wide, $large, threads, exact, fast, [a, b], c),
                    false => in_blocks!(gemm, on, $wide, $small, threads, exact, fast, [a, b], c),
                }
            }

            fn gemm_batch(
                gemm: &Gemm<Self>,
                on: &mut impl Launcher,
                on_cpu: bool,
                [a, b]: [&ArrayView<'_, Self, 3>; 2],
                c: &mut ArrayViewMut<'_, Self, 3>,
            ) -> Result<()> {
                let extent = c.extent();
                let [number, rows, columns] = extent.to_array();
                if on_cpu {
                    let [strip_rows, strip_columns] = strips::counts(rows, columns);
                    let kernel = laid_out!(gemm, strips::$wide::batch, $wide, a, b, c);
                    return on.launch([number, strip_rows, strip_columns], kernel);
                }
                // A large block that is mostly beyond the matrix is a waste, however many there are.
                let is_large = rows.min(columns) >= blocks::$large::BLOCK;
                match is_large {
                    true => in_blocks!(
                        gemm,
                        on,
                        $wide,
                        $large,
                        batch_threads,
                        exact_batch,
                        fast_batch,
                        [a, b],
                        c
                    ),
                    false => in_blocks!(
                        gemm,
                        on,
                        $wide,
                        $small,
                        batch_threads,
                        exact_batch,
                        fast_batch,
                        [a, b],
                        c
                    ),
                }
            }
        }
    };
}

matrix_element!(f32, 1.0, of_f32, large_f32, small_f32);
matrix_element!(f64, 1.0, of_f64, large_f64, small_f64);
#[cfg(feature = "half")]
matrix_element!(f16, f16::ONE, of_f16, large_f16, small_f16);
#[cfg(feature = "half")]
matrix_element!(bf16, bf16::ONE, of_bf16, large_bf16, small_bf16);
