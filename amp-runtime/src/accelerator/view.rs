//! What programs ask of accelerator views.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::device::accelerator::Accelerator;
use crate::device::accelerator::view::{AcceleratorView, Backend, QueuingMode};
use crate::device::print::KernelPrint;
use crate::residency;
use crate::types::error::Result;

impl AcceleratorView {
    /// The accelerator that it belongs to.
    pub fn accelerator(&self) -> Accelerator {
        self.inner.accelerator.clone()
    }

    /// When its commands reach the device.
    pub fn queuing_mode(&self) -> QueuingMode {
        self.inner.mode
    }

    /// Sends what has gathered to the device, without waiting for it. (C++ AMP §3.3.4.)
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Array, copy};
    ///
    /// let view = Accelerator::default()?.default_view()?;
    /// let a = Array::builder(3).on(&view).data(&[1, 2, 3]).build()?;
    /// let mut b: Array<i32, 1> = Array::builder(3).on(&view).build()?;
    /// copy(&a, &mut b)?;
    /// view.flush()?;
    /// // The device copies while the host does something else.
    /// assert_eq!(b.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::AcceleratorViewRemoved`](crate::Error::AcceleratorViewRemoved) if the device is
    /// lost.
    pub fn flush(&self) -> Result<()> {
        match self.backend() {
            Backend::Cpu(_) => Ok(()),
            Backend::Vulkan(stream) => {
                residency::queue_on(stream);
                stream.flush()
            }
        }
    }

    /// Waits until everything launched so far is complete, and shows its prints. Reading results
    /// does not require it: an access to data waits for the kernels that write it.
    /// (C++ AMP §3.3.4.)
    ///
    /// ```
    /// use amp_runtime::{Accelerator, Error};
    ///
    /// let view = Accelerator::default()?.default_view()?;
    /// match view.wait() {
    ///     Err(Error::KernelFault(fault)) => eprintln!("{fault}"),
    ///     result => result?,
    /// }
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::KernelFault`](crate::Error::KernelFault), once, for the first fault since the last
    /// report; [`Error::AcceleratorViewRemoved`](crate::Error::AcceleratorViewRemoved) if the device
    /// is lost.
    pub fn wait(&self) -> Result<()> {
        if let Backend::Vulkan(stream) = self.backend() {
            residency::queue_on(stream);
            stream.wait()?;
        }
        self.report()
    }

    /// Passes the prints of kernels on this view to `hook`, instead of standard output and
    /// standard error. Prints are passed on at the next wait on the view, or when the view is
    /// dropped, which waits for kernels that print. The prints of a launch come together, with
    /// threads in row-major order and the prints of one thread in its own order. If the hook
    /// panics, the panic propagates from the wait, and the next wait continues after that print.
    ///
    /// A launch keeps its first 16384 prints; a last one, to standard error, counts the
    /// others. (C++ AMP has `direct3d_printf`.)
    ///
    /// ```
    /// use amp_runtime::Accelerator;
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// view.set_print_hook(|print| eprint!("{:?}: {}", print.thread, print.text));
    /// view.reset_print_hook();
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    pub fn set_print_hook(&self, hook: impl Fn(&KernelPrint) + Send + Sync + 'static) {
        self.inner.printer.set_hook(Some(Arc::new(hook)));
    }

    /// Restores the prints of kernels on this view to standard output and standard error.
    pub fn reset_print_hook(&self) {
        self.inner.printer.set_hook(None);
    }

    /// The time that the work which `launches` queues on this view takes there, from the
    /// start of its first command to the end of its last, copies included. On a device it
    /// is measured by the device's own clock and leaves out the host; on the CPU
    /// accelerator it is the time that `launches` takes. Waits for earlier work first,
    /// and for the measured work.
    ///
    /// ```
    /// use amp_runtime::Accelerator;
    ///
    /// let view = Accelerator::cpu().default_view()?;
    /// let time = view.elapsed(|| Ok(()))?;
    /// println!("nothing takes {time:?}");
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What `launches` returns, or as [`wait`](Self::wait).
    pub fn elapsed(&self, launches: impl FnOnce() -> Result<()>) -> Result<Duration> {
        self.wait()?;
        let start = Instant::now();
        let Backend::Vulkan(stream) = self.backend() else {
            launches()?;
            let time = start.elapsed();
            self.wait()?;
            return Ok(time);
        };
        let clock = stream.start_clock()?;
        let result = launches();
        let time = stream.stop_clock(clock)?;
        result?;
        self.wait()?;
        Ok(time.unwrap_or_else(|| start.elapsed()))
    }
}
