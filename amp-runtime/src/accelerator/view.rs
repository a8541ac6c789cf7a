//! Accelerator views: queues of commands on an accelerator.

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::{Accelerator, ending};
use crate::device::print::{KernelPrint, Printer};
use crate::device::profiler::Profiler;
use crate::device::unreported::{Faults, Unreported, show_all};
use crate::device::vulkan::Stream;
use crate::kernel::Kernel;
use crate::types::domain::Domain;
use crate::types::error::{Error, KernelFault, Result};
use crate::{launch, residency};

/// When commands of a view reach its device (C++ AMP §3.3.2).
///
/// Launches in one command buffer cost less each, and a busy device does not need a submission
/// per launch, so by default a view batches them. In either mode the host runs at most some
/// thousands of commands ahead of the device; then a launch waits.
///
/// ```
/// use amp_runtime::{Accelerator, QueuingMode};
///
/// let accelerator = Accelerator::default()?;
/// // For launches whose latency matters more than the host's time.
/// let prompt = accelerator.create_view(QueuingMode::Immediate)?;
/// assert_eq!(prompt.queuing_mode(), QueuingMode::Immediate);
/// assert_eq!(accelerator.default_view()?.queuing_mode(), QueuingMode::default());
/// # Ok::<(), amp_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QueuingMode {
    /// Commands may be batched and submitted together: when the device has little to do, when the batch
    /// is full, or on a flush or wait.
    #[default]
    Automatic,
    /// Each command is submitted before its call returns.
    Immediate,
}

/// A queue of commands on an accelerator. Kernels on one view run in the order of their
/// launches; any thread may launch.
#[derive(Clone)]
pub struct AcceleratorView {
    pub(super) inner: Arc<ViewInner>,
}

pub(super) struct ViewInner {
    accelerator: Accelerator,
    mode: QueuingMode,
    backend: Backend,
    printer: Printer,
    profiler: Arc<Profiler>,
}

/// A view that is not kept.
#[derive(Clone, Debug)]
pub(crate) struct WeakView(Weak<ViewInner>);

impl WeakView {
    /// The view, if it is there.
    pub(crate) fn upgrade(&self) -> Option<AcceleratorView> {
        self.0.upgrade().map(|inner| AcceleratorView { inner })
    }

    /// Whether it is not. Who asks never has the last handle, and so need not let the view go.
    pub(crate) fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
    }
}

impl PartialEq for WeakView {
    fn eq(&self, other: &Self) -> bool {
        Weak::ptr_eq(&self.0, &other.0)
    }
}

impl ViewInner {
    /// Shows what kernels have printed, and their faults, if no call has waited for them. Waits for
    /// them, but not longer than until a deadline.
    pub(super) fn show_rest(&self, deadline: Option<Instant>) {
        if let Backend::Vulkan(stream) = &self.backend {
            stream.hear_all(deadline);
            self.printer.add(stream.take_prints());
        }
        self.printer.show_all();
        show_all(self.backend.faults());
    }
}

impl Drop for ViewInner {
    fn drop(&mut self) {
        if let Backend::Vulkan(stream) = &self.backend {
            stream.abandon();
        }
        self.show_rest(None);
    }
}

/// What is behind a view.
#[derive(Debug)]
pub(crate) enum Backend {
    /// Kernels have run when the launch returns; their faults wait to be asked for.
    Cpu(Faults),
    /// A queue of a device.
    Vulkan(Arc<Stream>),
}

impl Backend {
    /// The faults that have been seen and not been reported.
    fn faults(&self) -> &Faults {
        match self {
            Self::Cpu(faults) => faults,
            Self::Vulkan(stream) => stream.faults(),
        }
    }
}

impl AcceleratorView {
    pub(super) fn of(accelerator: &Accelerator, mode: QueuingMode, backend: Backend) -> Self {
        let profiler = match &backend {
            Backend::Cpu(_) => Arc::new(Profiler::new()),
            Backend::Vulkan(stream) => Arc::clone(stream.profiler()),
        };
        let inner = ViewInner {
            accelerator: accelerator.clone(),
            mode,
            backend,
            printer: Printer::default(),
            profiler,
        };
        let inner = Arc::new(inner);
        ending::note(Arc::downgrade(&inner));
        Self { inner }
    }

    pub(super) fn cpu(accelerator: &Accelerator, mode: QueuingMode) -> Self {
        Self::of(accelerator, mode, Backend::Cpu(Faults::default()))
    }

    /// The same view, not kept.
    pub(crate) fn downgrade(&self) -> WeakView {
        WeakView(Arc::downgrade(&self.inner))
    }

    pub(crate) fn backend(&self) -> &Backend {
        &self.inner.backend
    }

    /// The accelerator that it belongs to.
    pub fn accelerator(&self) -> Accelerator {
        self.inner.accelerator.clone()
    }

    /// Whether it was removed: everything that is asked of it is an error.
    pub(super) fn is_removed(&self) -> bool {
        match self.backend() {
            Backend::Cpu(_) => false,
            Backend::Vulkan(stream) => stream.has_ended(),
        }
    }

    /// When its commands reach the device.
    pub fn queuing_mode(&self) -> QueuingMode {
        self.inner.mode
    }

    /// Runs a kernel over a domain on this view. Returns when the launch is queued;
    /// reading the results waits for it.
    ///
    /// # Errors
    ///
    /// As [`parallel_for_each`](crate::parallel_for_each); [`Error::ViewMismatch`] if a
    /// captured array lives on another view.
    pub fn parallel_for_each<D: Domain>(
        &self,
        domain: D,
        kernel: Kernel<'_, D::Index>,
    ) -> Result<()> {
        launch::on_view(self, &domain, kernel)
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
    /// [`Error::AcceleratorViewRemoved`] if the device is lost.
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
    /// [`Error::KernelFault`], once, for the first fault since the last report;
    /// [`Error::AcceleratorViewRemoved`] if the device is lost.
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

    /// What gathers profiles.
    pub(crate) fn profiler(&self) -> &Profiler {
        &self.inner.profiler
    }

    /// The faults of its kernels that have been seen and not been reported.
    pub(crate) fn faults(&self) -> &Faults {
        self.backend().faults()
    }

    /// Where prints of this view's kernels wait to be shown.
    pub(crate) fn printer(&self) -> &Printer {
        &self.inner.printer
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

    /// Shows what has been printed and not been shown, and returns the first fault that
    /// has been seen and not been reported.
    pub(crate) fn report(&self) -> Result<()> {
        self.report_by(Unreported::take)
    }

    /// [`report`](Self::report) of the faults that `take` takes.
    pub(crate) fn report_by(
        &self,
        take: impl FnOnce(&mut Unreported) -> Option<Box<KernelFault>>,
    ) -> Result<()> {
        if let Backend::Vulkan(stream) = self.backend() {
            self.printer().add(stream.take_prints());
        }
        let fault = take(&mut self.faults().lock());
        self.printer().show();
        fault.map_or(Ok(()), |fault| Err(Error::KernelFault(fault)))
    }
}

impl PartialEq for AcceleratorView {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Eq for AcceleratorView {}

/// `view 2 of llvmpipe`: the views of a process are numbered as they are made, and in profiles too.
impl fmt::Display for AcceleratorView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.inner.profiler.view_number();
        write!(f, "view {number} of {}", self.inner.accelerator)
    }
}

impl fmt::Debug for AcceleratorView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AcceleratorView")
            .field("accelerator", &self.inner.accelerator.description())
            .field("queuing_mode", &self.inner.mode)
            .finish_non_exhaustive()
    }
}
