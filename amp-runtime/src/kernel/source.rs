//! What kernels take as views: arrays and views of the host, bound for one launch.

use std::fmt;
use std::sync::Arc;

use crate::array::Array;
use crate::device::cpu::ElementType;
use crate::residency::Allocation;
use crate::types::element::Element;
use crate::types::lengths::Lengths;
use crate::types::ranges::Ranges;
use crate::view::{ArrayPartMut, ArrayView, ArrayViewMut, Window};

mod sealed {
    pub trait Sealed {}
}

/// What a kernel can read through `&ArrayView<T, N>`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a kernel cannot read `{Self}` as an array of `{T}` with {N} dimensions",
    note = "pass a reference to an `ArrayView`, `ArrayViewMut` or `Array` of that element and rank"
)]
pub trait ReadSource<T: Element, const N: usize>: sealed::Sealed {
    #[doc(hidden)]
    fn bind(&self) -> Bound<'_>;
}

/// What a kernel can write through `&mut ArrayViewMut<T, N>`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a kernel cannot write `{Self}` as an array of `{T}` with {N} dimensions",
    note = "pass a mutable reference to an `ArrayViewMut` or `Array` of that element and rank"
)]
pub trait WriteSource<T: Element, const N: usize>: sealed::Sealed {
    #[doc(hidden)]
    fn bind_mut(&mut self) -> Bound<'_>;
}

/// An array or view among a kernel's arguments.
#[doc(hidden)]
pub struct Bound<'a> {
    pub(crate) allocation: Arc<Allocation<'a>>,
    /// The bytes of its elements, of which byte `start` is the first.
    pub(crate) bytes: Arc<Ranges>,
    pub(crate) start: usize,
    /// The type of its elements.
    pub(crate) element: ElementType,
    /// Its extent, then its strides in elements, most significant first.
    pub(super) layout: Lengths,
    /// Whether it is an array itself, so that the kernel runs where that lives.
    pub(crate) is_array: bool,
    /// Whether it is a staging array, which no kernel takes.
    pub(super) is_staging: bool,
    pub(crate) writable: bool,
    /// Whether the kernel reads, and writes, elements.
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    /// Byte offset of the address in the block.
    pub(crate) offset: usize,
}

impl fmt::Debug for Bound<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound")
            .field("extent", &self.extent())
            .finish_non_exhaustive()
    }
}

impl<'a> Bound<'a> {
    /// A view of elements of type `T`, to be read.
    pub(super) fn new<T: Element, const N: usize>(window: &Window<'a, N>) -> Self {
        let part = window.layout();
        let strides = part.strides().iter().map(|bytes| bytes / size_of::<T>());
        Self {
            allocation: Arc::clone(window.allocation()),
            bytes: Arc::clone(window.bytes()),
            start: part.start(),
            element: ElementType::of::<T>(),
            layout: part.extent().iter().copied().chain(strides).collect(),
            is_array: false,
            is_staging: false,
            writable: false,
            reads: true,
            writes: false,
            offset: 0,
        }
    }

    /// The same, to be written as well.
    pub(super) fn writable(self) -> Self {
        Self {
            writable: true,
            writes: true,
            ..self
        }
    }

    pub(crate) fn extent(&self) -> &[usize] {
        &self.layout[..self.layout.len() / 2]
    }

    /// In elements, most significant first.
    pub(crate) fn strides(&self) -> &[usize] {
        &self.layout[self.layout.len() / 2..]
    }

    /// The strides of all dimensions but the last.
    pub(super) fn rows(&self) -> impl Iterator<Item = usize> {
        let strides = self.strides();
        strides[..strides.len() - 1].iter().copied()
    }

    /// Whether its rows are whole groups of so many elements, each at a multiple of its size: the
    /// buffers of devices start at multiples of more.
    pub(crate) fn is_cut_into(&self, group: usize) -> bool {
        self.start.is_multiple_of(group * self.element.bytes)
            && self.rows().all(|stride| stride.is_multiple_of(group))
    }

    /// Elements from the first to the last, those between that it does not have included.
    pub(super) fn span(&self) -> u64 {
        if self.extent().contains(&0) {
            return 0;
        }
        let dimensions = self.extent().iter().zip(self.strides());
        let last: u64 = dimensions
            .map(|(&length, &stride)| (length as u64 - 1) * stride as u64)
            .sum();
        last + 1
    }
}

macro_rules! sources {
    ($($ty:ident $(<$life:lifetime>)?, |$source:ident| $bound:expr;)*) => {$(
        impl<T: Element, const N: usize> sealed::Sealed for $ty<$($life,)? T, N> {}
        impl<T: Element, const N: usize> ReadSource<T, N> for $ty<$($life,)? T, N> {
            fn bind(&self) -> Bound<'_> {
                let $source = self;
                $bound
            }
        }
    )*};
}
sources! {
    ArrayView<'_>, |view| Bound::new::<T, N>(view.window());
    ArrayViewMut<'_>, |view| Bound::new::<T, N>(view.window());
    ArrayPartMut<'_>, |view| Bound::new::<T, N>(view.window());
    Array, |array| Bound {
        is_array: true,
        is_staging: array.is_staging(),
        ..Bound::new::<T, N>(&array.window)
    };
}

impl<T: Element, const N: usize> WriteSource<T, N> for ArrayViewMut<'_, T, N> {
    fn bind_mut(&mut self) -> Bound<'_> {
        self.bind().writable()
    }
}

impl<T: Element, const N: usize> WriteSource<T, N> for ArrayPartMut<'_, T, N> {
    fn bind_mut(&mut self) -> Bound<'_> {
        self.bind().writable()
    }
}

impl<T: Element, const N: usize> WriteSource<T, N> for Array<T, N> {
    fn bind_mut(&mut self) -> Bound<'_> {
        self.bind().writable()
    }
}

/// Borrows what a kernel in an expression captures, be it the thing itself or a reference
/// to it: method calls see through references.
#[doc(hidden)]
pub trait Capture {
    /// To be read.
    fn amp_captured(&self) -> &Self {
        self
    }

    /// To be written.
    fn amp_captured_mut(&mut self) -> &mut Self {
        self
    }
}

impl<S: ?Sized> Capture for S {}
