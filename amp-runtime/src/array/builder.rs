//! [`ArrayBuilder`]: arrays for which more is to be said than their data.

use std::marker::PhantomData;
use std::sync::Arc;

use super::Array;
use crate::accelerator::registry;
use crate::device::accelerator::view::Backend;
use crate::residency::Allocation;
use crate::types::element::Element;
use crate::types::error::{Error, Result, times};
use crate::types::index::Extent;
use crate::types::part::{Part, check_source, size_of_extent};
use crate::types::ranges::Ranges;
use crate::view::Window;
use crate::{Accelerator, AcceleratorView, AccessType};

/// Bytes of an iterator's elements that are gathered before they go where the array lives.
const PIECE: usize = 1 << 20;

/// Makes an [`Array`]; see [`Array::builder`].
#[derive(Clone, Debug)]
#[must_use = "a builder makes an array only when `build` is called"]
pub struct ArrayBuilder<'a, T: Element, const N: usize> {
    extent: Extent<N>,
    view: Option<AcceleratorView>,
    associated: Option<AcceleratorView>,
    access: AccessType,
    exportable: bool,
    data: Option<&'a [T]>,
}

impl<'a, T: Element, const N: usize> ArrayBuilder<'a, T, N> {
    pub(super) fn new(extent: Extent<N>) -> Self {
        Self {
            extent,
            view: None,
            associated: None,
            access: AccessType::Auto,
            exportable: false,
            data: None,
        }
    }

    /// Where the array lives; without it, on the default accelerator's default view.
    pub fn on(mut self, view: &AcceleratorView) -> Self {
        self.view = Some(view.clone());
        self
    }

    /// Makes it a staging array for copies to and from `view`: one that lives on the CPU
    /// accelerator, in memory that the device of `view` accesses directly. Kernels cannot take
    /// it, but they can take views of it. On another accelerator (see [`on`](Self::on)) this
    /// has no effect. (C++ AMP §5.1.2.1.)
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let device = Accelerator::default()?.default_view()?;
    /// let mut staging: Array<f32, 1> = Array::builder(1000).associated(&device).build()?;
    /// staging.data_mut()?.fill(1.5);
    /// assert_eq!(staging.accelerator_view(), Accelerator::cpu().default_view()?);
    /// assert_eq!(staging.associated_accelerator_view(), device);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    pub fn associated(mut self, view: &AcceleratorView) -> Self {
        self.associated = Some(view.clone());
        self
    }

    /// How the host may access the elements where they are; without it,
    /// [`AccessType::Auto`].
    pub fn cpu_access(mut self, access: AccessType) -> Self {
        self.access = access;
        self
    }

    /// Allocates the array in memory that [`export_fd`](Array::export_fd) can pass to other
    /// programs, if the accelerator supports that. The array does not share this memory with
    /// others of this program, and the host does not access the elements in place.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array, Error};
    ///
    /// // The CPU accelerator cannot.
    /// let view = Accelerator::cpu().default_view()?;
    /// let array = Array::<f32, 1>::builder(1000).on(&view).exportable().build();
    /// assert!(matches!(array, Err(Error::UnsupportedFeature(_))));
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    pub fn exportable(mut self) -> Self {
        self.exportable = true;
        self
    }

    /// The initial elements, in row-major order; zeroes by default. Elements beyond the size of
    /// the array are ignored.
    pub fn data(mut self, data: &'a [T]) -> Self {
        self.data = Some(data);
        self
    }

    /// Creates the array.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidExtent`] if the extent is empty or too large,
    /// [`Error::SourceTooShort`] if the data is too short, [`Error::UnsupportedFeature`] if
    /// the accelerator cannot give the access, [`Error::OutOfMemory`].
    pub fn build(self) -> Result<Array<T, N>> {
        let data = self.data;
        let extent = self.extent.to_array();
        if let Some(data) = data {
            check_source(&extent, size_of::<T>(), data.len())?;
        }
        let array = self.unfilled()?;
        let allocation = array.window.allocation();
        match data {
            Some(data) => {
                let elements = array.window.layout().elements();
                allocation.write(allocation.whole(), bytemuck::cast_slice(&data[..elements]))?;
            }
            None => allocation.zero()?,
        }
        Ok(array)
    }

    /// Creates the array and fills it with the elements of an iterator, in row-major order,
    /// regardless of [`data`](Self::data). It takes no more elements than the array has, and
    /// never holds all of them on the host.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let array = Array::builder([2, 2]).on(&view).build_from(7..)?;
    /// assert_eq!(array.to_vec()?, [7, 8, 9, 10]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build); [`Error::SourceTooShort`] if the iterator ends too soon.
    pub fn build_from(self, source: impl IntoIterator<Item = T>) -> Result<Array<T, N>> {
        let extent = self.extent.to_array();
        let array = self.unfilled()?;
        let wanted = array.window.layout().elements();
        let mut source = source.into_iter().take(wanted);
        let mut found = 0;
        while found < wanted {
            let most = (PIECE / size_of::<T>().max(1)).max(1);
            let piece: Vec<T> = source.by_ref().take(most).collect();
            if piece.is_empty() {
                return Err(Error::SourceTooShort {
                    extent: times(&extent),
                    elements: wanted,
                    found,
                });
            }
            let start = found * size_of::<T>();
            found += piece.len();
            let bytes = Ranges::of(start..found * size_of::<T>());
            array
                .window
                .allocation()
                .write(&bytes, bytemuck::cast_slice(&piece))?;
        }
        Ok(array)
    }

    /// The array with its contents undefined.
    fn unfilled(self) -> Result<Array<T, N>> {
        let extent = self.extent.to_array();
        let bytes = size_of_extent(&extent, size_of::<T>())? * size_of::<T>();
        let align = align_of::<T>();
        let view = match (self.view, &self.associated) {
            (Some(view), _) => view,
            (None, Some(_)) => Accelerator::cpu_view(),
            (None, None) => registry::use_default()?.default_view()?,
        };
        if self.exportable {
            return exportable(&view, self.extent, bytes, self.access);
        }
        let access = view.accelerator().access_of(self.access)?;
        let associated = self
            .associated
            .filter(|_| matches!(view.backend(), Backend::Cpu(_)));
        let allocation = match &associated {
            Some(associated) => Allocation::staging(&view, associated, bytes, align)?,
            None => Allocation::array(&view, bytes, align, access != AccessType::None)?,
        };
        Ok(Array {
            window: Window::new(
                Arc::new(allocation),
                Part::whole(self.extent, size_of::<T>()),
            ),
            view,
            associated,
            access,
            elements: PhantomData,
        })
    }
}

/// An array that can be exported, with its contents undefined.
fn exportable<T: Element, const N: usize>(
    view: &AcceleratorView,
    extent: Extent<N>,
    bytes: usize,
    access: AccessType,
) -> Result<Array<T, N>> {
    let refused = |what: String| Err(Error::UnsupportedFeature(what));
    let Backend::Vulkan(stream) = view.backend() else {
        return refused(format!(
            "an array on {view} cannot be exported; put it on a view of a Vulkan accelerator"
        ));
    };
    if !matches!(access, AccessType::Auto | AccessType::None) {
        return refused(format!(
            "the host cannot have {access} to an array that can be exported, for others may use \
             its memory at any time; use `AccessType::None` and copy"
        ));
    }
    let buffer = stream.allocate_exportable(bytes as u64)?;
    let allocation = Allocation::in_buffer(view, stream, &buffer, bytes, align_of::<T>());
    Ok(Array::over(view, allocation, extent))
}
