//! The most common algorithms as methods of arrays and views.

use super::fill::fill;
use super::moves::reverse;
use super::operation::{Add, Max, Min, Mul, Operation};
use super::reduce::reduce;
use super::sort::{SortKey, sort};
use super::source::{Source, Target};
use crate::{Element, Result};

/// Algorithms that read an array or view, as its methods.
///
/// ```
/// use amp::algorithms::SourceAlgorithms;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let numbers = Array::new(4, &[3, 1, 4, 1])?;
/// assert_eq!((numbers.sum()?, numbers.product()?), (9, 12));
/// assert_eq!((numbers.min()?, numbers.max()?), (1, 4));
/// # Ok(())
/// # }
/// ```
pub trait SourceAlgorithms<T: Element>: Source<T> + Sized {
    /// [`reduce`] with [`Add`].
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(Array::new(4, &[3, 1, 4, 1])?.sum()?, 9);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`reduce`].
    fn sum(&self) -> Result<T>
    where
        Add: Operation<T>,
    {
        reduce(self, Add)
    }

    /// [`reduce`] with [`Mul`].
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(Array::new(4, &[3, 1, 4, 1])?.product()?, 12);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`reduce`].
    fn product(&self) -> Result<T>
    where
        Mul: Operation<T>,
    {
        reduce(self, Mul)
    }

    /// [`reduce`] with [`Min`].
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(Array::new(4, &[3, 1, 4, 1])?.min()?, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`reduce`].
    fn min(&self) -> Result<T>
    where
        Min: Operation<T>,
    {
        reduce(self, Min)
    }

    /// [`reduce`] with [`Max`].
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// assert_eq!(Array::new(4, &[3, 1, 4, 1])?.max()?, 4);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`reduce`].
    fn max(&self) -> Result<T>
    where
        Max: Operation<T>,
    {
        reduce(self, Max)
    }
}

impl<T: Element, S: Source<T>> SourceAlgorithms<T> for S {}

/// Algorithms that write an array or view, as its methods.
///
/// ```
/// use amp::algorithms::TargetAlgorithms;
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let mut numbers = Array::new(4, &[3, 1, 4, 1])?;
/// numbers.sort()?;
/// assert_eq!(numbers.to_vec()?, [1, 1, 3, 4]);
/// numbers.reverse()?;
/// assert_eq!(numbers.to_vec()?, [4, 3, 1, 1]);
/// numbers.fill(7)?;
/// assert_eq!(numbers.to_vec()?, [7, 7, 7, 7]);
/// # Ok(())
/// # }
/// ```
pub trait TargetAlgorithms<T: Element>: Target<T> + Sized {
    /// The function [`fill`].
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let mut x = Array::new(4, &[3, 1, 4, 1])?;
    /// x.fill(7)?;
    /// assert_eq!(x.to_vec()?, [7; 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`fill`].
    fn fill(&mut self, value: T) -> Result<()> {
        fill(self, value)
    }

    /// The function [`sort`].
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let mut x = Array::new(4, &[3, 1, 4, 1])?;
    /// x.sort()?;
    /// assert_eq!(x.to_vec()?, [1, 1, 3, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`sort`].
    fn sort(&mut self) -> Result<()>
    where
        T: SortKey,
    {
        sort(self)
    }

    /// The function [`reverse`].
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// let mut x = Array::new(4, &[3, 1, 4, 1])?;
    /// x.reverse()?;
    /// assert_eq!(x.to_vec()?, [1, 4, 1, 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`reverse`].
    fn reverse(&mut self) -> Result<()> {
        reverse(self)
    }
}

impl<T: Element, S: Target<T>> TargetAlgorithms<T> for S {}
