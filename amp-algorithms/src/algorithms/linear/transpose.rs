//! Transposition, through tile memory: both matrices are accessed along their rows. What is transposed are words,
//! of which each element has a few.

use super::super::launcher::{Anywhere, Launcher, is_on_cpu};
use super::super::source::{Source, Target};
use super::super::words::by_word;
use crate::__private::{rows_as, rows_as_mut};
use crate::prelude::*;
use crate::{Element, Error, Result};

/// Rows of a tile of threads, and rows and columns of the block that it transposes.
const ROWS: usize = 8;
const BLOCK: usize = 32;

#[amp_kernel(T = u8 | u16 | u32 | u64)]
fn by_blocks<T: Scalar>(
    t_idx: TiledIndex<2, ROWS, BLOCK>,
    a: &ArrayView<T, 2>,
    b: &mut ArrayViewMut<T, 2>,
    width: usize,
) {
    #[tile_static]
    let mut block: [[T; BLOCK]; BLOCK];
    let (own, lane) = (t_idx.local[0], t_idx.local[1]);
    let (first_row, first_col) = (t_idx.tile[0] * BLOCK, t_idx.tile[1] * BLOCK);
    let [rows, words] = a.extent().to_array();
    for word in 0..width {
        // What does not exist is replaced by the last row and word, so that all of the block is known to be
        // written. Threads that load a column of it find each element in a bank of its own.
        #[unroll]
        for part in 0..BLOCK / ROWS {
            let row = own + part * ROWS;
            let at = [
                (first_row + row).min(rows - 1),
                ((first_col + lane) * width + word).min(words - 1),
            ];
            block[row][lane ^ row] = a[at];
        }
        t_idx.barrier.wait();
        let to = (first_row + lane) * width + word;
        for row in (own..BLOCK).step_by(ROWS) {
            if first_col + row < b.extent()[0] && to < b.extent()[1] {
                b[[first_col + row, to]] = block[lane][row ^ lane];
            }
        }
        // The next words replace these.
        t_idx.barrier.wait();
    }
}

#[amp_kernel(T = u8 | u16 | u32 | u64)]
fn by_elements<T: Scalar>(
    idx: Index<2>,
    a: &ArrayView<T, 2>,
    b: &mut ArrayViewMut<T, 2>,
    width: usize,
) {
    for word in 0..width {
        b[[idx[0], idx[1] * width + word]] = a[[idx[1], idx[0] * width + word]];
    }
}

/// A word of elements.
trait Word: Element {
    /// Transposes a matrix whose elements have so many words.
    fn transpose(
        on: &mut impl Launcher,
        on_cpu: bool,
        a: &ArrayView<'_, Self, 2>,
        b: &mut ArrayViewMut<'_, Self, 2>,
        width: usize,
    ) -> Result<()>;
}

macro_rules! words {
    ($($word:ident)*) => {$(
        impl Word for $word {
            fn transpose(
                on: &mut impl Launcher,
                on_cpu: bool,
                a: &ArrayView<'_, Self, 2>,
                b: &mut ArrayViewMut<'_, Self, 2>,
                width: usize,
            ) -> Result<()> {
                let (columns, rows) = (b.extent()[0], a.extent()[0]);
                if on_cpu {
                    return on.launch([columns, rows], by_elements(a, b, width));
                }
                let [rows, columns] = [rows, columns].map(|length| length.div_ceil(BLOCK));
                let threads = Extent::new([rows * ROWS, columns * BLOCK]).tile();
                on.launch(threads, by_blocks(a, b, width))
            }
        }
    )*};
}
words!(u8 u16 u32 u64);

fn in_words<T: Element, W: Word>(
    on: &mut impl Launcher,
    on_cpu: bool,
    a: &ArrayView<'_, T, 2>,
    b: ArrayViewMut<'_, T, 2>,
) -> Result<()> {
    let width = size_of::<T>() / size_of::<W>();
    W::transpose(on, on_cpu, &rows_as(a)?, &mut rows_as_mut(b)?, width)
}

/// Transposes a matrix of any elements: `b[[j, i]] = a[[i, j]]`.
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
pub fn transpose<T: Element>(a: &impl Source<T, 2>, b: &mut impl Target<T, 2>) -> Result<()> {
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
pub fn transpose_on<T: Element>(
    on: &mut impl Launcher,
    a: &impl Source<T, 2>,
    b: &mut impl Target<T, 2>,
) -> Result<()> {
    let on_cpu = is_on_cpu(on, [b.home(), a.home()])?;
    let (a, b) = (a.elements(), b.elements_mut());
    let ([rows, columns], found) = (a.extent().to_array(), b.extent().to_array());
    if found != [columns, rows] {
        let [found_rows, found_columns] = found;
        return Err(Error::InvalidArgument(format!(
            "the transpose of a matrix of {rows}×{columns} has {columns}×{rows} elements, but the result has {found_rows}×{found_columns}"
        )));
    }
    // Elements that a device aligns to eight bytes are numbers of so many, or have some.
    match (size_of::<T>(), align_of::<T>()) {
        (8, 8) => in_words::<T, u64>(on, on_cpu, &a, b),
        _ => by_word!(T, Word => in_words::<T, Word>(on, on_cpu, &a, b)),
    }
}
