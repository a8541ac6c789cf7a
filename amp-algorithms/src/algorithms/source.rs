//! What algorithms read and write: arrays and views.

use crate::{
    __private, AcceleratorView, Array, ArrayPartMut, ArrayView, ArrayViewMut, Element, Error,
    Result,
};

mod sealed {
    pub trait Sealed {}
}

/// An array or view whose elements an algorithm reads: an [`ArrayView`], [`ArrayViewMut`] or
/// [`Array`], of rank 1 if nothing else is said.
///
/// ```
/// use amp::algorithms::Source;
/// use amp::prelude::*;
///
/// fn length(numbers: &impl Source<u32>) -> usize {
///     numbers.elements().extent()[0]
/// }
///
/// # fn main() -> amp::Result<()> {
/// assert_eq!(length(&ArrayView::new(4, &[0, 1, 0, 2])?), 4);
/// assert_eq!(length(&Array::zeroed(3)?), 3);
/// # Ok(())
/// # }
/// ```
pub trait Source<T: Element, const N: usize = 1>: sealed::Sealed {
    /// Its elements.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(Source::elements(&Array::new(2, &[1, 2])?).to_vec()?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    fn elements(&self) -> ArrayView<'_, T, N>;

    /// The accelerator view of the array that it is, or is a part of; nothing if its data is a
    /// slice or has no source.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let x = Array::new(2, &[1, 2])?;
    /// assert_eq!((x.home(), ArrayView::new(1, &[1])?.home()), (Some(x.accelerator_view()), None));
    /// # Ok(())
    /// # }
    /// ```
    fn home(&self) -> Option<AcceleratorView> {
        __private::home(&self.elements())
    }
}

/// An array or view whose elements an algorithm writes: an [`ArrayViewMut`] or [`Array`], of rank 1 if
/// nothing else is said.
///
/// ```
/// use amp::algorithms::{Target, fill};
/// use amp::prelude::*;
///
/// fn clear(numbers: &mut impl Target<u32>) -> amp::Result<()> {
///     fill(numbers, 0)
/// }
///
/// # fn main() -> amp::Result<()> {
/// let mut numbers = Array::new(3, &[1, 2, 3])?;
/// clear(&mut numbers)?;
/// assert_eq!(numbers.to_vec()?, [0, 0, 0]);
/// # Ok(())
/// # }
/// ```
pub trait Target<T: Element, const N: usize = 1>: Source<T, N> {
    /// Its elements.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let mut x = Array::new(2, &[1, 2])?;
    /// x.elements_mut()[0] = 3;
    /// assert_eq!(x.to_vec()?, [3, 2]);
    /// # Ok(())
    /// # }
    /// ```
    fn elements_mut(&mut self) -> ArrayViewMut<'_, T, N>;
}

impl<T: Element, const N: usize> sealed::Sealed for ArrayView<'_, T, N> {}

impl<T: Element, const N: usize> Source<T, N> for ArrayView<'_, T, N> {
    fn elements(&self) -> ArrayView<'_, T, N> {
        self.clone()
    }
}

macro_rules! writable_views {
    ($($view:ident)*) => {$(
        impl<T: Element, const N: usize> sealed::Sealed for $view<'_, T, N> {}

        impl<T: Element, const N: usize> Source<T, N> for $view<'_, T, N> {
            fn elements(&self) -> ArrayView<'_, T, N> {
                self.as_view()
            }
        }

        impl<T: Element, const N: usize> Target<T, N> for $view<'_, T, N> {
            fn elements_mut(&mut self) -> ArrayViewMut<'_, T, N> {
                self.as_view_mut()
            }
        }
    )*};
}
writable_views!(ArrayViewMut ArrayPartMut);

impl<T: Element, const N: usize> sealed::Sealed for Array<T, N> {}

impl<T: Element, const N: usize> Source<T, N> for Array<T, N> {
    fn elements(&self) -> ArrayView<'_, T, N> {
        self.view()
    }
}

impl<T: Element, const N: usize> Target<T, N> for Array<T, N> {
    fn elements_mut(&mut self) -> ArrayViewMut<'_, T, N> {
        self.view_mut()
    }
}

/// Refuses results that are not as many as the elements.
pub(super) fn same_length<T: Element, U: Element>(
    input: &ArrayView<'_, T, 1>,
    results: &ArrayViewMut<'_, U, 1>,
) -> Result<()> {
    same_length_of(input.extent()[0], results.extent()[0])
}

/// Refuses arrays of different lengths.
pub(super) fn same_length_of(wanted: usize, found: usize) -> Result<()> {
    if wanted == found {
        return Ok(());
    }
    Err(Error::InvalidArgument(format!(
        "arrays of {wanted} and {found} elements, where both must have as many; pass a section"
    )))
}
