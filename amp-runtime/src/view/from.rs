//! Views of one dimension over all elements of a slice, vector or array, and over one value.
//!
//! Unlike [`ArrayView::new`], whose extent may not fit the slice, these cannot fail. A view of an
//! empty slice has no elements: kernels may take it, and its extent is no domain of a launch.

use std::slice;
use std::sync::Arc;

use super::{ArrayView, ArrayViewMut};
use crate::device::cpu::memory::HostMemory;
use crate::residency::Allocation;
use crate::types::element::Element;

/// Refuses elements that a kernel cannot tell apart.
const fn assert_sized<T>() {
    assert!(
        size_of::<T>() > 0,
        "elements without a size; give them a field"
    );
}

impl<'a, T: Element> From<&'a [T]> for ArrayView<'a, T, 1> {
    /// A view of all elements, none if the slice is empty.
    ///
    /// ```
    /// use amp_runtime::ArrayView;
    ///
    /// let numbers = vec![1, 2, 3];
    /// assert_eq!(ArrayView::from(&numbers[1..]).to_vec()?, [2, 3]);
    /// assert_eq!(ArrayView::from(&numbers).extent()[0], 3);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    fn from(slice: &'a [T]) -> Self {
        const { assert_sized::<T>() }
        let allocation = Allocation::of_slice(HostMemory::shared(slice));
        Self::whole(Arc::new(allocation), slice.len().into())
    }
}

impl<'a, T: Element> From<&'a mut [T]> for ArrayViewMut<'a, T, 1> {
    /// A view of all elements, none if the slice is empty.
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let mut numbers = vec![1, 2, 3];
    /// ArrayViewMut::from(&mut numbers)[1] = 7;
    /// assert_eq!(numbers, [1, 7, 3]);
    /// ```
    fn from(slice: &'a mut [T]) -> Self {
        const { assert_sized::<T>() }
        let extent = slice.len().into();
        let allocation = Allocation::of_slice(HostMemory::exclusive(slice));
        Self::whole(Arc::new(allocation), extent)
    }
}

/// The same for what derefs to a slice.
macro_rules! of_owners {
    ($($owner:ty $(, const $length:ident)?;)*) => {$(
        impl<'a, T: Element $(, const $length: usize)?> From<&'a $owner> for ArrayView<'a, T, 1> {
            fn from(elements: &'a $owner) -> Self {
                elements.as_slice().into()
            }
        }

        impl<'a, T: Element $(, const $length: usize)?> From<&'a mut $owner>
            for ArrayViewMut<'a, T, 1>
        {
            fn from(elements: &'a mut $owner) -> Self {
                elements.as_mut_slice().into()
            }
        }
    )*};
}
of_owners! {
    Vec<T>;
    [T; M], const M;
}

impl<'a, T: Element> ArrayView<'a, T, 1> {
    /// A view of one value, as [`std::slice::from_ref`] makes a slice of one.
    ///
    /// ```
    /// use amp_runtime::ArrayView;
    ///
    /// assert_eq!(ArrayView::from_ref(&7).extent()[0], 1);
    /// ```
    pub fn from_ref(value: &'a T) -> Self {
        slice::from_ref(value).into()
    }
}

impl<'a, T: Element> ArrayViewMut<'a, T, 1> {
    /// A view of one value, such as the result of a sum. As with a slice, the value is complete
    /// when the view is [synchronised](Self::synchronize) or dropped.
    ///
    /// ```
    /// use amp_runtime::ArrayViewMut;
    ///
    /// let mut sum = 3;
    /// ArrayViewMut::from_mut(&mut sum)[0] += 4;
    /// assert_eq!(sum, 7);
    /// ```
    pub fn from_mut(value: &'a mut T) -> Self {
        slice::from_mut(value).into()
    }
}
