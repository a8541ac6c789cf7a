//! Transposition, through tile memory: both matrices are accessed along their rows.

use super::super::launcher::{Anywhere, Launcher, is_on_cpu};
use super::super::source::{Source, Target};
use crate::prelude::*;
use crate::{Element, Error, Result};

/// Rows of a tile of threads, and rows and columns of the block that it transposes.
const ROWS: usize = 8;
const BLOCK: usize = 32;

#[amp_kernel(T = i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f32 | f64)]
fn by_blocks<T: Scalar>(
    t_idx: TiledIndex<2, ROWS, BLOCK>,
    a: &ArrayView<T, 2>,
    b: &mut ArrayViewMut<T, 2>,
) {
    #[tile_static]
    let mut block: [[T; BLOCK]; BLOCK];
    let (own, lane) = (t_idx.local[0], t_idx.local[1]);
    let (first_row, first_col) = (t_idx.tile[0] * BLOCK, t_idx.tile[1] * BLOCK);
    // What does not exist is replaced by the last row and column, so that all of the block is known to be written.
    // Threads that load a column of it find each element in a bank of its own.
    let [rows, columns] = a.extent().to_array();
    #[unroll]
    for part in 0..BLOCK / ROWS {
        let row = own + part * ROWS;
        let at = [
            (first_row + row).min(rows - 1),
            (first_col + lane).min(columns - 1),
        ];
        block[row][lane ^ row] = a[at];
    }
    t_idx.barrier.wait();
    for row in (own..BLOCK).step_by(ROWS) {
        if first_col + row < b.extent()[0] && first_row + lane < b.extent()[1] {
            b[[first_col + row, first_row + lane]] = block[lane][row ^ lane];
        }
    }
}

#[amp_kernel(T = i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64 | f32 | f64)]
fn by_elements<T: Scalar>(idx: Index<2>, a: &ArrayView<T, 2>, b: &mut ArrayViewMut<T, 2>) {
    b[idx] = a[[idx[1], idx[0]]];
}

mod sealed {
    pub trait Sealed {}
}

/// Types whose matrices are transposed: integers of 8 to 64 bits, `f32` and `f64`.
///
/// ```
/// use amp::algorithms::{TransposeElement, transpose};
/// use amp::prelude::*;
///
/// fn transposed<T: TransposeElement>(a: &Array<T, 2>) -> amp::Result<Array<T, 2>> {
///     let [rows, columns] = a.extent().to_array();
///     let mut result = Array::zeroed([columns, rows])?;
///     transpose(a, &mut result)?;
///     Ok(result)
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(transposed(&Array::new([1, 2], &[1, 2])?)?.extent(), [2, 1].into());
/// # Ok(())
/// # }
/// ```
pub trait TransposeElement: Element + sealed::Sealed {
    #[doc(hidden)]
    fn transpose(
        on: &mut impl Launcher,
        on_cpu: bool,
        a: &ArrayView<'_, Self, 2>,
        b: &mut ArrayViewMut<'_, Self, 2>,
    ) -> Result<()>;
}

macro_rules! transpose_element {
    ($($type:ty)*) => {$(
        impl sealed::Sealed for $type {}

        impl TransposeElement for $type {
            fn transpose(
                on: &mut impl Launcher,
                on_cpu: bool,
                a: &ArrayView<'_, Self, 2>,
                b: &mut ArrayViewMut<'_, Self, 2>,
            ) -> Result<()> {
                if on_cpu {
                    return on.launch(b.extent(), by_elements(a, b));
                }
                let [rows, columns] = a.extent().to_array().map(|length| length.div_ceil(BLOCK));
                let threads = Extent::new([rows * ROWS, columns * BLOCK]).tile();
                on.launch(threads, by_blocks(a, b))
            }
        }
    )*};
}
transpose_element!(i8 u8 i16 u16 i32 u32 i64 u64 f32 f64);

/// Transposes a matrix: `b[[j, i]] = a[[i, j]]`.
///
/// ```
/// use amp::algorithms::transpose;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let a = Array::new([2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let mut b = Array::zeroed([3, 2])?;
/// transpose(&a, &mut b)?;
/// assert_eq!(b.to_vec()?, [1, 4, 2, 5, 3, 6]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// [`Error::InvalidArgument`] if the extents do not fit each other, and as [`parallel_for_each`].
pub fn transpose<T: TransposeElement>(
    a: &impl Source<T, 2>,
    b: &mut impl Target<T, 2>,
) -> Result<()> {
    transpose_on(&mut Anywhere, a, b)
}

/// [`transpose`], on an accelerator view or in a graph.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let (a, mut b) = (Array::new([1, 2], &[1_u8, 2])?, Array::zeroed([2, 1])?);
/// transpose_on(&mut a.accelerator_view(), &a, &mut b)?;
/// assert_eq!(b[[1, 0]], 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`transpose`].
pub fn transpose_on<T: TransposeElement>(
    on: &mut impl Launcher,
    a: &impl Source<T, 2>,
    b: &mut impl Target<T, 2>,
) -> Result<()> {
    let on_cpu = is_on_cpu(on, [b.home(), a.home()])?;
    let (a, mut b) = (a.elements(), b.elements_mut());
    let ([rows, columns], found) = (a.extent().to_array(), b.extent().to_array());
    if found != [columns, rows] {
        let [found_rows, found_columns] = found;
        return Err(Error::InvalidArgument(format!(
            "the transpose of a matrix of {rows}×{columns} has {columns}×{rows} elements, but the result has {found_rows}×{found_columns}"
        )));
    }
    T::transpose(on, on_cpu, &a, &mut b)
}
