//! The views that an accelerator has: its default one, and new ones.

use std::sync::{Arc, PoisonError};

use super::registry;
use crate::device::accelerator::view::{AcceleratorView, Backend, DefaultView, QueuingMode};
use crate::device::accelerator::{Accelerator, Device};
use crate::device::vulkan::Adapter;
use crate::types::error::Result;

impl Accelerator {
    pub(crate) fn cpu_view() -> AcceleratorView {
        let cpu = Self::cpu();
        let default = &cpu.inner.default_view;
        let mut default = default.lock().unwrap_or_else(PoisonError::into_inner);
        default.get().unwrap_or_else(|| {
            let view = AcceleratorView::cpu(&cpu, QueuingMode::Automatic);
            *default = DefaultView::Kept(view.clone());
            view
        })
    }

    /// The default view, with automatic queuing: the same one at each call, until it is removed
    /// ([`Error::AcceleratorViewRemoved`](crate::Error::AcceleratorViewRemoved)). (C++ AMP §3.2,
    /// `default_view`.) On a device that the program has opened ([`AcceleratorView::from_raw`])
    /// it is the same one while the program holds it.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array};
    ///
    /// let accelerator = Accelerator::default()?;
    /// let view = accelerator.default_view()?;
    /// assert_eq!(view, accelerator.default_view()?);
    /// // Where arrays live for which nothing else is said.
    /// let array = Array::new(3, &[1, 2, 3])?;
    /// assert_eq!(array.accelerator_view(), view);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the device cannot be opened.
    pub fn default_view(&self) -> Result<AcceleratorView> {
        let default = &self.inner.default_view;
        let mut default = default.lock().unwrap_or_else(PoisonError::into_inner);
        let view = match default.get() {
            Some(view) if !view.is_removed() => view,
            _ => self.create_view(QueuingMode::Automatic)?,
        };
        let is_theirs = self.adapter().is_some_and(Adapter::is_theirs);
        let new = match is_theirs && !registry::is_default(self) {
            true => DefaultView::Known(Arc::downgrade(&view.inner)),
            false => DefaultView::Kept(view.clone()),
        };
        let old = std::mem::replace(&mut *default, new);
        drop(default);
        // Without the lock: a hook may be shown its last prints, and ask for the default view.
        drop(old);
        Ok(view)
    }

    /// Lets go of the default view, which would be kept as long as the accelerator.
    #[cfg(test)]
    pub(crate) fn forget_default_view(&self) {
        let default = &self.inner.default_view;
        *default.lock().unwrap_or_else(PoisonError::into_inner) = DefaultView::NotYet;
    }

    /// A new view. Work on different views has no order. (C++ AMP §3.2.5, `create_view`.)
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array, QueuingMode};
    ///
    /// let accelerator = Accelerator::default()?;
    /// let view = accelerator.create_view(QueuingMode::Automatic)?;
    /// assert_eq!(view.accelerator(), accelerator);
    /// // Kernels that take this array run on the new view.
    /// let array: Array<f32, 1> = Array::builder(100).on(&view).build()?;
    /// assert_eq!(array.accelerator_view(), view);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the device cannot be opened;
    /// [`Error::AcceleratorViewRemoved`](crate::Error::AcceleratorViewRemoved) if it was lost and
    /// it is the program that opens it ([`AcceleratorView::from_raw`]).
    pub fn create_view(&self, mode: QueuingMode) -> Result<AcceleratorView> {
        match &self.inner.device {
            Device::Cpu | Device::CheckedCpu => Ok(AcceleratorView::cpu(self, mode)),
            Device::Vulkan(adapter) => {
                let stream = adapter.open()?.stream(mode == QueuingMode::Immediate)?;
                Ok(AcceleratorView::of(self, mode, Backend::Vulkan(stream)))
            }
        }
    }
}
