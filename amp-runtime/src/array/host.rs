//! What the host does with the elements of an array where they are.
//!
//! An array whose accelerator shares memory with the host is read and written in place:
//! nothing is copied, the host only waits for the kernels that use it. How it may access an
//! array, `AccessType` says. What is not allowed is an error, and a panic where an index
//! cannot return one.

use std::ops;

use super::Array;
use crate::types::element::Element;
use crate::types::error::{Error, Result};
use crate::types::index::Index;

impl<T: Element, const N: usize> From<Array<T, N>> for Vec<T> {
    /// The elements in row-major order, as [`to_vec`](Array::to_vec) copies them.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let array: Array<u8, 1> = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
    /// assert_eq!(Vec::from(array), [1, 2, 3]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If the array is on a device that is lost, which [`to_vec`](Array::to_vec) returns as an error.
    #[track_caller]
    fn from(array: Array<T, N>) -> Self {
        match array.to_vec() {
            Ok(elements) => elements,
            Err(error) => refuse(&error, "`to_vec` returns"),
        }
    }
}

impl<T: Element, const N: usize> Array<T, N> {
    /// The elements in row-major order, where they are. Waits for the kernels that use them.
    /// (C++ AMP §5.1.3, `data`.)
    ///
    /// ```
    /// use amp_runtime::{Accelerator, AccessType, Array, Error};
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let open: Array<u8, 1> = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
    /// assert_eq!(open.data()?, [1, 2, 3]);
    ///
    /// let closed: Array<u8, 1> =
    ///     Array::builder(3).on(&view).cpu_access(AccessType::None).build()?;
    /// assert!(matches!(closed.data(), Err(Error::NotAccessible { .. })));
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotAccessible`] if the host may not read the array;
    /// [`Error::AcceleratorViewRemoved`] if the device is lost.
    pub fn data(&self) -> Result<&[T]> {
        self.check(self.access.reads(), "read")?;
        self.window.slice()
    }

    /// The elements in row-major order, where they are, to be written. Waits for the kernels
    /// that use them; those that come later see what the host wrote.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let mut array: Array<u8, 1> = Array::builder(3).on(&view).build()?;
    /// array.data_mut()?[1] = 5;
    /// assert_eq!(array.to_vec()?, [0, 5, 0]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NotAccessible`] if the host may not write the array;
    /// [`Error::AcceleratorViewRemoved`] if the device is lost.
    pub fn data_mut(&mut self) -> Result<&mut [T]> {
        self.check(self.access.writes(), "write")?;
        self.window.slice_mut()
    }

    fn check(&self, allowed: bool, wanted: &'static str) -> Result<()> {
        match allowed {
            true => Ok(()),
            false => Err(self.not_accessible(wanted)),
        }
    }

    #[cold]
    fn not_accessible(&self, wanted: &'static str) -> Error {
        Error::NotAccessible {
            wanted,
            accelerator: self.view.accelerator().to_string(),
            access: self.access,
        }
    }

    #[inline(always)]
    #[track_caller]
    fn element(&self, index: [usize; N]) -> &T {
        if !self.access.reads() {
            refuse(&self.not_accessible("read"), INSTEAD);
        }
        self.window.element(index)
    }

    #[inline(always)]
    #[track_caller]
    fn element_mut(&mut self, index: [usize; N]) -> &mut T {
        if !self.access.writes() {
            refuse(&self.not_accessible("write"), INSTEAD);
        }
        self.window.element_mut(index)
    }
}

/// What to call instead of indexing.
const INSTEAD: &str = "`data` and `data_mut` return";

/// What is done with an error that cannot be returned.
#[cold]
#[track_caller]
fn refuse(error: &Error, instead: &str) -> ! {
    panic!("{error}; {instead} this as an error")
}

impl<T: Element, const N: usize> ops::Index<[usize; N]> for Array<T, N> {
    type Output = T;

    /// The element at an index, where it is. Waits for the kernels that use the array.
    ///
    /// # Panics
    ///
    /// If the index is out of bounds, as indexing a slice does; or if the host may not read
    /// the array or its device is lost, which [`data`](Array::data) returns as an error.
    #[inline]
    #[track_caller]
    fn index(&self, index: [usize; N]) -> &T {
        self.element(index)
    }
}

impl<T: Element, const N: usize> ops::Index<Index<N>> for Array<T, N> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: Index<N>) -> &T {
        self.element(index.to_array())
    }
}

impl<T: Element> ops::Index<usize> for Array<T, 1> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        self.element([index])
    }
}

impl<T: Element, const N: usize> ops::IndexMut<[usize; N]> for Array<T, N> {
    /// The element at an index, where it is, to be written. Waits for the kernels that use
    /// the array; those that come later see what the host wrote.
    ///
    /// # Panics
    ///
    /// As indexing for reading does, if the host may not write the array.
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        self.element_mut(index)
    }
}

impl<T: Element, const N: usize> ops::IndexMut<Index<N>> for Array<T, N> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: Index<N>) -> &mut T {
        self.element_mut(index.to_array())
    }
}

impl<T: Element> ops::IndexMut<usize> for Array<T, 1> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        self.element_mut([index])
    }
}
