//! `fill`: the same element everywhere.

use super::launcher::Launcher;
use super::queue::{Queue, Workspace};
use super::source::Target;
use super::words::by_word;
use crate::__private::bytemuck;
use crate::prelude::*;
use crate::{Element, Result};

/// Each element has one word.
#[amp_kernel(T = u8 | u16 | u32)]
fn fill_words<T: Scalar>(idx: Index<1>, x: &mut ArrayViewMut<T, 1>, value: T) {
    x[idx] = value;
}

/// Each element has as many words as the value.
#[amp_kernel(T = u8 | u16 | u32)]
fn fill_groups<T: Scalar>(idx: Index<1>, x: &mut ArrayViewMut<T, 1>, value: &ArrayView<T, 1>) {
    x[idx] = value[idx[0] % value.extent()[0]];
}

/// Makes all elements equal to a value.
///
/// ```
/// use amp::algorithms::fill;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut numbers = Array::zeroed(4)?;
/// fill(&mut numbers, 1.5)?;
/// fill(&mut numbers.section_mut(1, 2)?, -1.0)?;
/// assert_eq!(numbers.to_vec()?, [1.5, -1.0, -1.0, 1.5]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn fill<T: Element>(target: &mut impl Target<T>, value: T) -> Result<()> {
    let mut workspace = Workspace::default();
    fill_on(&mut workspace.at(target)?, target, value)
}

/// [`fill`] on a queue. A graph does not record a value of more than four bytes, but launches the
/// kernels anew.
///
/// ```
/// # use amp::{algorithms::*, prelude::*};
/// # fn main() -> amp::Result<()> {
/// let mut x = Array::zeroed(2)?;
/// let mut workspace = Workspace::default();
/// let queue = &mut workspace.on(&x.accelerator_view());
/// fill_on(queue, &mut x, 7)?;
/// assert_eq!(x.to_vec()?, [7, 7]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`parallel_for_each`].
pub fn fill_on<T: Element>(
    queue: &mut Queue<'_>,
    target: &mut impl Target<T>,
    value: T,
) -> Result<()> {
    let mut view = target.elements_mut();
    view.discard_data();
    by_word!(T, Word => {
        let words: &[Word] = bytemuck::cast_slice(std::slice::from_ref(&value));
        let mut view = view.reinterpret::<Word>()?;
        let domain = view.extent();
        match *words {
            [word] => queue.launch(domain, fill_words(&mut view, word)),
            _ => {
                let value = ArrayView::new(words.len(), words)?;
                queue.launch(domain, fill_groups(&mut view, &value))
            }
        }
    })
}
