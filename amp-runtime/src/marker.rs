//! Markers: futures of everything that a view has been given so far (C++ AMP §3.3.4).

use crate::completion::CompletionFuture;
use crate::device::accelerator::view::{AcceleratorView, Backend};
use crate::residency;

impl AcceleratorView {
    /// A future that is ready when everything launched on the view so far is complete.
    /// Sends what has gathered to the device.
    ///
    /// ```
    /// use amp_runtime::Accelerator;
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let marker = view.create_marker();
    /// assert!(marker.is_ready());
    /// marker.wait()?;
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The future's result is that of [`wait`](Self::wait): a fault that nothing has
    /// reported yet, or that the device is lost.
    pub fn create_marker(&self) -> CompletionFuture<'static> {
        let milestones = match self.backend() {
            Backend::Cpu(_) => Ok(Vec::new()),
            Backend::Vulkan(stream) => {
                residency::queue_on(stream);
                stream.mark().map(|milestone| vec![milestone])
            }
        };
        let view = self.clone();
        match milestones {
            Ok(milestones) => CompletionFuture::after(milestones, move || view.report()),
            Err(error) => CompletionFuture::done(Err(error)),
        }
    }
}
