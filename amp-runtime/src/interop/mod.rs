//! The Vulkan behind accelerator views and arrays, for programs that use it themselves
//! (C++ AMP §11): [`AcceleratorView::raw_device`], [`AcceleratorView::with_raw_queue`],
//! [`Array::raw_buffer`], [`Array::from_raw_buffer`]; and views on devices of theirs,
//! [`AcceleratorView::from_raw`]; and memory for others (`Array::export_fd`).
//!
//! [`AcceleratorView::raw_device`]: crate::AcceleratorView::raw_device
//! [`AcceleratorView::with_raw_queue`]: crate::AcceleratorView::with_raw_queue
//! [`AcceleratorView::from_raw`]: crate::AcceleratorView::from_raw
//! [`Array::raw_buffer`]: crate::Array::raw_buffer
//! [`Array::from_raw_buffer`]: crate::Array::from_raw_buffer

#[cfg(feature = "image")]
mod image;
#[cfg(feature = "ndarray")]
mod ndarray;
mod vulkan;

pub use crate::device::vulkan::existing::{ExistingDevice, RawQueue};
#[cfg(unix)]
pub use crate::device::vulkan::export::ExportedMemory;
pub use crate::device::vulkan::raw::{RawBuffer, RawDevice};
pub use ash;
