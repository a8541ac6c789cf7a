//! [`AcceleratorView`]: a queue of commands on a device, with what it has to show.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use super::Accelerator;
use crate::device::print::Printer;
use crate::device::profiler::Profiler;
use crate::device::unreported::{Faults, Unreported, show_all};
use crate::device::vulkan::{self, Stream};
use crate::types::error::{Error, KernelFault, Result};

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
    pub(crate) inner: Arc<ViewInner>,
}

/// What the clones of a view share.
pub(crate) struct ViewInner {
    pub(crate) accelerator: Accelerator,
    pub(crate) mode: QueuingMode,
    backend: Backend,
    pub(crate) printer: Printer,
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
    fn show_rest(&self, deadline: Option<Instant>) {
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

/// The views whose rest the end of the process shows: default views live to see it.
static VIEWS: Mutex<Vec<Weak<ViewInner>>> = Mutex::new(Vec::new());

/// From now on the end of the process shows what a view has left.
fn show_at_exit(view: Weak<ViewInner>) {
    vulkan::at_exit(show_rests);
    let mut views = VIEWS.lock().unwrap_or_else(PoisonError::into_inner);
    views.retain(|view| view.strong_count() > 0);
    views.push(view);
}

fn show_rests(deadline: Instant) {
    let views = VIEWS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for view in views.iter().filter_map(Weak::upgrade) {
        view.show_rest(Some(deadline));
        // The process ends; nothing is closed by its last handlers.
        std::mem::forget(view);
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
    pub(crate) fn of(accelerator: &Accelerator, mode: QueuingMode, backend: Backend) -> Self {
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
        show_at_exit(Arc::downgrade(&inner));
        Self { inner }
    }

    pub(crate) fn cpu(accelerator: &Accelerator, mode: QueuingMode) -> Self {
        Self::of(accelerator, mode, Backend::Cpu(Faults::default()))
    }

    /// The same view, not kept.
    pub(crate) fn downgrade(&self) -> WeakView {
        WeakView(Arc::downgrade(&self.inner))
    }

    pub(crate) fn backend(&self) -> &Backend {
        &self.inner.backend
    }

    /// Whether it was removed: everything that is asked of it is an error.
    pub(crate) fn is_removed(&self) -> bool {
        match self.backend() {
            Backend::Cpu(_) => false,
            Backend::Vulkan(stream) => stream.has_ended(),
        }
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

/// The default view of an accelerator, which it keeps; but not one on a device that the program
/// has opened, unless it is the default accelerator: the device is to be closed some time, and
/// the view would hold it.
#[derive(Default)]
pub(crate) enum DefaultView {
    #[default]
    NotYet,
    Kept(AcceleratorView),
    Known(Weak<ViewInner>),
}

impl DefaultView {
    pub(crate) fn get(&self) -> Option<AcceleratorView> {
        match self {
            Self::NotYet => None,
            Self::Kept(view) => Some(view.clone()),
            Self::Known(view) => view.upgrade().map(|inner| AcceleratorView { inner }),
        }
    }
}
