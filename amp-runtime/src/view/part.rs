//! [`ArrayPartMut`]: a part of a view while the view is borrowed.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use bytemuck::TransparentWrapper;

use super::{ArrayViewMut, Window, WriteBack};
use crate::types::element::Element;

/// A part of an [`ArrayViewMut`] or an array that borrows it: a section, a row, a half, another
/// shape.
///
/// It has all methods of an [`ArrayViewMut`], and kernels, copies and functions that take an
/// `&mut ArrayViewMut` accept it. Nothing happens when it is dropped, so the borrow ends with its
/// last use, as that of a part of a slice does:
///
/// ```
/// use amp_runtime::ArrayViewMut;
///
/// let mut view = ArrayViewMut::<i32, 1>::uninit(4)?;
/// let mut left = view.section_mut(0, 2)?;
/// left[1] = 7;
/// let mut right = view.section_mut(2, 2)?;
/// right[0] = 8;
/// assert_eq!(view.to_vec()?, [0, 7, 8, 0]);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
///
/// Where an [`ArrayViewMut`] is wanted by value, such as in a field of a struct, `into` makes one.
/// A view that is swapped into the place of a part is not written back, as if it were forgotten.
pub struct ArrayPartMut<'a, T: Element, const N: usize> {
    pub(super) window: Window<'a, N>,
    /// Only in what [`ArrayViewMut`] consists of; views made from one by value have it in common.
    /// This type does not implement `Drop`, which would keep the borrow until the end of the scope.
    pub(super) write_back: Option<Arc<WriteBack<'a>>>,
    elements: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element, const N: usize> ArrayPartMut<'a, T, N> {
    pub(crate) fn over(window: Window<'a, N>) -> Self {
        Self::new(window, None)
    }

    pub(super) fn new(window: Window<'a, N>, write_back: Option<Arc<WriteBack<'a>>>) -> Self {
        Self {
            window,
            write_back,
            elements: PhantomData,
        }
    }
}

impl<'a, T: Element, const N: usize> Deref for ArrayPartMut<'a, T, N> {
    type Target = ArrayViewMut<'a, T, N>;

    fn deref(&self) -> &Self::Target {
        ArrayViewMut::wrap_ref(self)
    }
}

impl<T: Element, const N: usize> DerefMut for ArrayPartMut<'_, T, N> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        ArrayViewMut::wrap_mut(self)
    }
}

impl<'a, T: Element, const N: usize> From<ArrayPartMut<'a, T, N>> for ArrayViewMut<'a, T, N> {
    fn from(part: ArrayPartMut<'a, T, N>) -> Self {
        Self(part)
    }
}

impl<T: Element, const N: usize> fmt::Debug for ArrayPartMut<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
