//! Arrays: data that lives on one accelerator view.
//!
//! [`builder`] makes them, [`host`] has what the host does with their elements where they
//! are, [`ends`] makes them sources and destinations of copies.

mod builder;
mod ends;
mod host;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::copy::{CopyDestination, CopySource, FitsRank, Rank, copy};
use crate::residency::Allocation;
use crate::types::element::Element;
use crate::types::error::Result;
use crate::types::index::{Extent, Index};
use crate::types::part::Part;
use crate::view::{ArrayPartMut, ArrayView, ArrayViewMut, Window};
use crate::{AcceleratorView, AccessType};

pub use builder::ArrayBuilder;

/// An array of `N` dimensions that lives on an accelerator view (`array<T, N>`).
///
/// Kernels that take it run on that view. It owns its data, row-major and contiguous.
///
/// ```
/// use amp_runtime::{Accelerator, Array};
///
/// let view = Accelerator::cpu().default_view()?;
/// let array = Array::builder([2, 2]).on(&view).data(&[1, 2, 3, 4]).build()?;
/// assert_eq!(array.to_vec()?, [1, 2, 3, 4]);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
pub struct Array<T: Element, const N: usize> {
    pub(crate) window: Window<'static, N>,
    view: AcceleratorView,
    /// Where a staging array's elements go to and come from.
    associated: Option<AcceleratorView>,
    /// Never [`AccessType::Auto`].
    access: AccessType,
    elements: PhantomData<T>,
}

impl<T: Element, const N: usize> Array<T, N> {
    /// An array on the default accelerator with the first elements of `data`, in
    /// row-major order. (C++ AMP §5.1.2.)
    ///
    /// ```
    /// use amp_runtime::{Array, Error};
    ///
    /// let array = Array::new([2, 2], &[1, 2, 3, 4])?;
    /// assert_eq!(array.to_vec()?, [1, 2, 3, 4]);
    /// // Nine elements are required.
    /// let short = Array::new([3, 3], &[1, 2, 3, 4]);
    /// assert!(matches!(short, Err(Error::SourceTooShort { elements: 9, found: 4, .. })));
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayBuilder::build`].
    pub fn new(extent: impl Into<Extent<N>>, data: &[T]) -> Result<Self> {
        Array::builder(extent).data(data).build()
    }

    /// An array on the default accelerator with the first elements of `source`, in
    /// row-major order. It takes no more of them than it has room for.
    ///
    /// ```
    /// use amp_runtime::Array;
    ///
    /// let array: Array<u32, 2> = Array::from_iter([2, 2], (1..).map(|i| i * i))?;
    /// assert_eq!(array.to_vec()?, [1, 4, 9, 16]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayBuilder::build_from`].
    pub fn from_iter(
        extent: impl Into<Extent<N>>,
        source: impl IntoIterator<Item = T>,
    ) -> Result<Self> {
        Array::builder(extent).build_from(source)
    }

    /// An array of zeroes on the default accelerator. (C++ AMP §5.1.2, where the elements of
    /// such an array are undefined.)
    ///
    /// ```
    /// use amp_runtime::Array;
    ///
    /// let sums: Array<f32, 2> = Array::zeroed([2, 3])?;
    /// assert_eq!(sums.to_vec()?, [0.0; 6]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayBuilder::build`].
    pub fn zeroed(extent: impl Into<Extent<N>>) -> Result<Self> {
        Self::builder(extent).build()
    }

    /// Starts a builder, for arrays with more options than their data.
    pub fn builder<'a>(extent: impl Into<Extent<N>>) -> ArrayBuilder<'a, T, N> {
        ArrayBuilder::new(extent.into())
    }

    /// An array with the data of an allocation, which the host does not access in place.
    pub(crate) fn over(
        view: &AcceleratorView,
        allocation: Allocation<'static>,
        extent: Extent<N>,
    ) -> Self {
        let part = Part::whole(extent, size_of::<T>());
        Self {
            window: Window::new(Arc::new(allocation), part),
            view: view.clone(),
            associated: None,
            access: AccessType::None,
            elements: PhantomData,
        }
    }

    /// The extent.
    pub fn extent(&self) -> Extent<N> {
        Extent::new(*self.window.layout().extent())
    }

    /// The accelerator view that the array lives on.
    pub fn accelerator_view(&self) -> AcceleratorView {
        self.view.clone()
    }

    /// The accelerator view that a staging array's elements go to and come from; of another
    /// array, the one that it lives on.
    pub fn associated_accelerator_view(&self) -> AcceleratorView {
        self.associated.as_ref().unwrap_or(&self.view).clone()
    }

    /// Whether it is a staging array ([`ArrayBuilder::associated`]), so no kernel's.
    pub(crate) fn is_staging(&self) -> bool {
        self.associated.is_some()
    }

    /// How the host may access the elements where they are.
    pub fn cpu_access_type(&self) -> AccessType {
        self.access
    }

    /// A read-only view of the whole array.
    ///
    /// ```
    /// use amp_runtime::{Array, ArrayView};
    ///
    /// fn sum(numbers: ArrayView<'_, i32, 1>) -> amp_runtime::Result<i32> {
    ///     Ok(numbers.data()?.iter().sum())
    /// }
    ///
    /// let array = Array::new(3, &[1, 2, 3])?;
    /// assert_eq!(sum(array.view())?, 6);
    /// assert_eq!(array.view().source_accelerator_view(), array.accelerator_view());
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    pub fn view(&self) -> ArrayView<'_, T, N> {
        ArrayView::whole(self.allocation(), self.extent())
    }

    /// A view of the whole array, through which it can be written.
    ///
    /// ```
    /// use amp_runtime::Array;
    ///
    /// let mut array = Array::new(3, &[1, 2, 3])?;
    /// array.view_mut()[1] = 7;
    /// assert_eq!(array.to_vec()?, [1, 7, 3]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T, N> {
        ArrayViewMut::whole(self.allocation(), self.extent())
    }

    fn allocation(&self) -> Arc<Allocation<'_>> {
        Arc::clone(self.window.allocation()) as Arc<Allocation<'_>>
    }

    /// The elements as one dimension.
    fn flat(&self) -> ArrayView<'_, T, 1> {
        ArrayView::whole(self.allocation(), self.window.layout().elements().into())
    }

    /// The elements as one dimension, to be written.
    fn flat_mut(&mut self) -> ArrayPartMut<'_, T, 1> {
        let flat = Part::whole(self.window.layout().elements().into(), size_of::<T>());
        ArrayPartMut::over(self.window.part(flat))
    }

    fn part_mut(&mut self) -> ArrayPartMut<'_, T, N> {
        ArrayPartMut::over(self.window.part(*self.window.layout()))
    }

    /// A read-only view of the section of `extent` that starts at `origin`.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let mut array = Array::builder([2, 3]).on(&view).data(&[1, 2, 3, 4, 5, 6]).build()?;
    /// assert_eq!(array.section([0, 1], [2, 2])?.to_vec()?, [2, 3, 5, 6]);
    /// array.section_mut([1, 0], [1, 3])?.data_mut()?.fill(0);
    /// assert_eq!(array.to_vec()?, [1, 2, 3, 0, 0, 0]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayView::section`].
    pub fn section(
        &self,
        origin: impl Into<Index<N>>,
        extent: impl Into<Extent<N>>,
    ) -> Result<ArrayView<'_, T, N>> {
        self.view().section(origin, extent)
    }

    /// A view of the section of `extent` that starts at `origin`.
    ///
    /// # Errors
    ///
    /// As [`ArrayView::section`].
    pub fn section_mut(
        &mut self,
        origin: impl Into<Index<N>>,
        extent: impl Into<Extent<N>>,
    ) -> Result<ArrayPartMut<'_, T, N>> {
        self.part_mut().into_section(origin, extent)
    }

    /// The elements whose component `dimension` is less than `at`, and the others: two views that
    /// can be written at the same time.
    ///
    /// ```
    /// use amp_runtime::Array;
    ///
    /// let mut array = Array::new([2, 2], &[1, 2, 3, 4])?;
    /// let (mut left, right) = array.split_at_mut(1, 1)?;
    /// left[[0, 0]] += right[[1, 0]];
    /// assert_eq!(array.to_vec()?, [5, 2, 3, 4]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayViewMut::split_at_mut`].
    pub fn split_at_mut(
        &mut self,
        dimension: usize,
        at: usize,
    ) -> Result<(ArrayPartMut<'_, T, N>, ArrayPartMut<'_, T, N>)> {
        self.part_mut().into_split_at(dimension, at)
    }

    /// A read-only view of the first elements in another shape (C++ AMP §5.1, "View Operations").
    ///
    /// ```
    /// use amp_runtime::Array;
    ///
    /// let mut array = Array::new(6, &[0, 1, 2, 3, 4, 5])?;
    /// assert_eq!(array.view_as([2, 3])?[[1, 0]], 3);
    /// array.view_as_mut([3, 2])?[[1, 0]] = 9;
    /// assert_eq!(array.to_vec()?, [0, 1, 9, 3, 4, 5]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayView::view_as`].
    pub fn view_as<const M: usize>(
        &self,
        extent: impl Into<Extent<M>>,
    ) -> Result<ArrayView<'_, T, M>> {
        self.flat().view_as(extent)
    }

    /// A view of the first elements in another shape (C++ AMP §5.1, "View Operations").
    ///
    /// # Errors
    ///
    /// As [`ArrayView::view_as`].
    pub fn view_as_mut<const M: usize>(
        &mut self,
        extent: impl Into<Extent<M>>,
    ) -> Result<ArrayPartMut<'_, T, M>> {
        self.flat_mut().into_view_as(extent)
    }

    /// A read-only view of the bytes of the elements as elements of another type (C++ AMP
    /// §5.1, "View Operations": `reinterpret_as`).
    ///
    /// ```
    /// use amp_runtime::{Array, Error};
    ///
    /// let array = Array::new(3, &[1.0_f32, -2.0, 0.0])?;
    /// assert_eq!(array.reinterpret::<u32>()?.to_vec()?, [0x3f80_0000, 0xc000_0000, 0]);
    /// // Twelve bytes are not a multiple of the size of these.
    /// assert!(matches!(array.reinterpret::<u64>(), Err(Error::IndivisibleBytes { .. })));
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayView::reinterpret`].
    pub fn reinterpret<U: Element>(&self) -> Result<ArrayView<'_, U, 1>> {
        self.flat().reinterpret()
    }

    /// A view of the bytes of the elements as elements of another type (C++ AMP §5.1,
    /// "View Operations": `reinterpret_as`).
    ///
    /// ```
    /// use amp_runtime::Array;
    ///
    /// let mut array = Array::new(2, &[1.0_f32, 2.0])?;
    /// array.reinterpret_mut::<u32>()?[1] ^= 1 << 31;
    /// assert_eq!(array.to_vec()?, [1.0, -2.0]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`ArrayView::reinterpret`].
    pub fn reinterpret_mut<U: Element>(&mut self) -> Result<ArrayPartMut<'_, U, 1>> {
        self.flat_mut().into_reinterpret()
    }

    /// The elements in row-major order. Waits for the kernels that write them.
    ///
    /// # Errors
    ///
    /// If a kernel that wrote them faulted and nothing has reported that yet, or the
    /// device is lost.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.window.to_vec()
    }

    /// Copies the elements to an array or view of the same extent, or to a slice of as many
    /// elements: [`copy`] from this array (C++ AMP §5.1.3, `copy_to`).
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let source = Array::builder([2, 2]).on(&view).data(&[1, 2, 3, 4]).build()?;
    /// let mut staging: Array<i32, 2> = Array::builder([2, 2]).associated(&view).build()?;
    /// source.copy_to(&mut staging)?;
    /// let mut out = [0; 4];
    /// staging.copy_to(&mut out)?;
    /// assert_eq!(out, [1, 2, 3, 4]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`copy`].
    pub fn copy_to<D>(&self, destination: &mut D) -> Result<()>
    where
        D: CopyDestination<Element = T> + ?Sized,
        Rank<N>: FitsRank<D::Rank>,
    {
        copy(self, destination)
    }

    /// Replaces the elements by those of an array or view of the same extent, or of a slice
    /// of as many elements: [`copy`] to this array.
    ///
    /// # Errors
    ///
    /// As [`copy`].
    pub fn copy_from<S>(&mut self, source: &S) -> Result<()>
    where
        S: CopySource<Element = T, Rank: FitsRank<Rank<N>>> + ?Sized,
    {
        copy(source, self)
    }
}

/// Projections, for the ranks that have one: stable Rust cannot say `N - 1`.
macro_rules! row {
    ($($rank:literal)*) => {$(
        impl<T: Element> Array<T, $rank> {
            /// A read-only view of the part where component 0 is `row` (C++ AMP §5.1, "Indexing").
            ///
            /// ```
            /// use amp_runtime::{Array, Error};
            ///
            /// let mut array: Array<u8, 2> = Array::from_iter([2, 3], 0..)?;
            /// assert_eq!(array.row(1)?.to_vec()?, [3, 4, 5]);
            /// array.row_mut(0)?.data_mut()?.fill(7);
            /// assert_eq!(array.to_vec()?, [7, 7, 7, 3, 4, 5]);
            /// assert!(matches!(array.row(2), Err(Error::RowOutOfBounds { row: 2, rows: 2 })));
            /// # Ok::<(), amp_runtime::Error>(())
            /// ```
            ///
            /// # Errors
            ///
            /// [`Error::RowOutOfBounds`](crate::Error::RowOutOfBounds).
            pub fn row(&self, row: usize) -> Result<ArrayView<'_, T, { $rank - 1 }>> {
                self.view().row(row)
            }

            /// A view of the part where component 0 is `row` (C++ AMP §5.1, "Indexing").
            ///
            /// # Errors
            ///
            /// [`Error::RowOutOfBounds`](crate::Error::RowOutOfBounds).
            pub fn row_mut(&mut self, row: usize) -> Result<ArrayPartMut<'_, T, { $rank - 1 }>> {
                self.part_mut().into_row(row)
            }
        }
    )*};
}
row!(2 3 4 5 6 7 8);

impl<T: Element, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array")
            .field("element", &std::any::type_name::<T>())
            .field("extent", self.window.layout().extent())
            .field("accelerator_view", &self.view)
            .finish()
    }
}
