//! Accelerators and accelerator views.
//!
//! An [`Accelerator`] is a Vulkan device or the CPU; an [`AcceleratorView`] is a queue
//! of commands on one. Both are cheap handles: a clone is the same thing.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use amp_spirv::artifact::Feature;

use crate::access::{AccessType, DefaultAccess};
use crate::domain::Domain;
use crate::error::{Error, KernelFault, Result};
use crate::kernel::Kernel;
use crate::print::{KernelPrint, Printer};
use crate::profile::Profiler;
use crate::vulkan::{Adapter, Stream};
use crate::{launch, registry};

/// Something that runs kernels.
///
/// ```
/// use amp_runtime::Accelerator;
///
/// for accelerator in Accelerator::all() {
///     println!("{accelerator}");
/// }
/// assert!(Accelerator::all().contains(&Accelerator::cpu()));
/// ```
#[derive(Clone)]
pub struct Accelerator {
    inner: Arc<Inner>,
}

struct Inner {
    kind: Kind,
    default_view: Mutex<DefaultView>,
    access: DefaultAccess,
}

enum Kind {
    Cpu,
    Vulkan(Adapter),
}

/// The default view of an accelerator, which it keeps; but not one on a device that the program
/// has opened: that is to be closed some time, and the view would hold it.
#[derive(Default)]
enum DefaultView {
    #[default]
    NotYet,
    Kept(AcceleratorView),
    Known(Weak<ViewInner>),
}

impl DefaultView {
    fn get(&self) -> Option<AcceleratorView> {
        match self {
            Self::NotYet => None,
            Self::Kept(view) => Some(view.clone()),
            Self::Known(view) => view.upgrade().map(|inner| AcceleratorView { inner }),
        }
    }
}

/// When commands of a view reach its device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum QueuingMode {
    /// Commands may gather and go out together: when the device is idle, when many have
    /// gathered, or on a flush or wait.
    #[default]
    Automatic,
    /// Each command goes out before the call that makes it returns.
    Immediate,
}

impl Accelerator {
    pub(crate) fn new_cpu() -> Self {
        Self::of(Kind::Cpu)
    }

    pub(crate) fn new_vulkan(adapter: Adapter) -> Self {
        Self::of(Kind::Vulkan(adapter))
    }

    fn of(kind: Kind) -> Self {
        let inner = Inner {
            kind,
            default_view: Mutex::default(),
            access: DefaultAccess::default(),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The default accelerator: what [`set_default`](Self::set_default) said; else what
    /// the environment variable `AMP_ACCELERATOR` says (`cpu`, or part of a description
    /// or path, in any case); else the first of a discrete, integrated, virtual or
    /// software Vulkan device; else the CPU accelerator.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAccelerator`], listing all, if `AMP_ACCELERATOR` matches none.
    // The trait `Default` cannot return an error.
    #[allow(clippy::should_implement_trait)]
    pub fn default() -> Result<Self> {
        registry::default_accelerator()
    }

    /// All accelerators, the default candidates first and the CPU accelerator last.
    pub fn all() -> Vec<Self> {
        registry::all()
    }

    /// Makes an accelerator the default one of the process. Returns whether it is: once
    /// the default has been set, or has been used by a launch or an array, it stays.
    pub fn set_default(accelerator: &Self) -> bool {
        registry::set_default(accelerator)
    }

    /// The CPU accelerator, which is always there: it runs kernels as the Rust functions
    /// that they are, on all cores.
    pub fn cpu() -> Self {
        registry::cpu()
    }

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

    /// The accelerator with this [`device_path`](Self::device_path).
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAccelerator`], listing all, if there is none.
    pub fn by_path(path: &str) -> Result<Self> {
        registry::by_path(path)
    }

    /// The first accelerator whose description or path contains `part`, in any case, or
    /// the CPU accelerator for `cpu`: what `AMP_ACCELERATOR` means.
    ///
    /// ```
    /// use amp_runtime::Accelerator;
    ///
    /// assert_eq!(Accelerator::find("CPU")?, Accelerator::cpu());
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAccelerator`], listing all, if there is none.
    pub fn find(part: &str) -> Result<Self> {
        registry::find(part)
    }

    /// What people call it.
    pub fn description(&self) -> &str {
        match &self.inner.kind {
            Kind::Cpu => "CPU accelerator",
            Kind::Vulkan(adapter) => adapter.name(),
        }
    }

    /// What identifies it on this machine, across runs: `cpu`, or `vulkan:` and the
    /// device's UUID.
    pub fn device_path(&self) -> &str {
        match &self.inner.kind {
            Kind::Cpu => "cpu",
            Kind::Vulkan(adapter) => adapter.path(),
        }
    }

    /// Memory of its own, in kilobytes; 0 for the CPU accelerator.
    pub fn dedicated_memory(&self) -> u64 {
        self.adapter()
            .map_or(0, |adapter| adapter.dedicated_memory() / 1024)
    }

    /// Version of the interface to it: major in the high 16 bits, minor in the low ones.
    pub fn version(&self) -> u32 {
        self.adapter().map_or(1 << 16, Adapter::version)
    }

    /// Whether it is software.
    pub fn is_emulated(&self) -> bool {
        self.adapter().is_none_or(Adapter::is_software)
    }

    /// Whether its views check every call (`AMP_VALIDATION=1` and the layer is there).
    pub fn is_debug(&self) -> bool {
        self.adapter().is_some_and(Adapter::is_debug)
    }

    /// Whether a display is known to hang on it. Devices are opened for computing only,
    /// which tells nothing of displays, so this is always false.
    pub fn has_display(&self) -> bool {
        false
    }

    /// Whether kernels may use `f64` in full.
    pub fn supports_double_precision(&self) -> bool {
        self.supports_limited_double_precision() && self.has(Feature::Int64)
    }

    /// Whether kernels may use `f64` apart from division and functions.
    pub fn supports_limited_double_precision(&self) -> bool {
        self.has(Feature::Float64)
    }

    fn has(&self, feature: Feature) -> bool {
        self.adapter().is_none_or(|adapter| adapter.has(feature))
    }

    /// Whether it and the host use the same memory.
    pub fn supports_cpu_shared_memory(&self) -> bool {
        self.adapter().is_none_or(Adapter::is_unified)
    }

    /// How the host accesses arrays for which nothing else is said: what
    /// [`set_default_cpu_access_type`](Self::set_default_cpu_access_type) said, else reading
    /// and writing where they share memory.
    pub fn default_cpu_access_type(&self) -> AccessType {
        self.inner.access.get(self)
    }

    /// Says how the host accesses arrays for which nothing else is said. Returns whether it
    /// is so: not if the accelerator does not share memory with the host, or once the
    /// default has been set or an array has used it (C++ AMP §3.2.4).
    ///
    /// ```
    /// use amp_runtime::{Accelerator, AccessType};
    ///
    /// let cpu = Accelerator::cpu();
    /// assert!(cpu.set_default_cpu_access_type(AccessType::ReadWrite));
    /// assert!(!cpu.set_default_cpu_access_type(AccessType::Read));
    /// ```
    pub fn set_default_cpu_access_type(&self, access: AccessType) -> bool {
        self.inner.access.set(self, access)
    }

    /// How the host accesses a new array.
    pub(crate) fn access_of(&self, wanted: AccessType) -> Result<AccessType> {
        self.inner.access.resolve(self, wanted)
    }

    /// The default view, with automatic queuing: the same one at each call, until it is
    /// removed ([`Error::AcceleratorViewRemoved`]).
    ///
    /// # Errors
    ///
    /// If the device cannot be opened.
    pub fn default_view(&self) -> Result<AcceleratorView> {
        let default = &self.inner.default_view;
        let mut default = default.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = default.get()
            && !view.is_removed()
        {
            return Ok(view);
        }
        let view = self.create_view(QueuingMode::Automatic)?;
        *default = match self.adapter().is_some_and(Adapter::is_theirs) {
            true => DefaultView::Known(Arc::downgrade(&view.inner)),
            false => DefaultView::Kept(view.clone()),
        };
        Ok(view)
    }

    /// Lets go of the default view, which would be kept as long as the accelerator.
    #[cfg(test)]
    pub(crate) fn forget_default_view(&self) {
        let default = &self.inner.default_view;
        *default.lock().unwrap_or_else(PoisonError::into_inner) = DefaultView::NotYet;
    }

    /// A new view. Work on different views has no order.
    ///
    /// # Errors
    ///
    /// If the device cannot be opened.
    pub fn create_view(&self, mode: QueuingMode) -> Result<AcceleratorView> {
        match &self.inner.kind {
            Kind::Cpu => Ok(AcceleratorView::cpu(self, mode)),
            Kind::Vulkan(adapter) => {
                let stream = adapter.open()?.stream(mode == QueuingMode::Immediate)?;
                Ok(AcceleratorView::of(self, mode, Backend::Vulkan(stream)))
            }
        }
    }

    pub(crate) fn adapter(&self) -> Option<&Adapter> {
        match &self.inner.kind {
            Kind::Cpu => None,
            Kind::Vulkan(adapter) => Some(adapter),
        }
    }

    /// `description [path]`, for lists.
    pub(crate) fn label(&self) -> String {
        format!("{} [{}]", self.description(), self.device_path())
    }
}

impl PartialEq for Accelerator {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Eq for Accelerator {}

impl fmt::Display for Accelerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description())
    }
}

impl fmt::Debug for Accelerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accelerator")
            .field("description", &self.description())
            .field("device_path", &self.device_path())
            .field("dedicated_memory", &self.dedicated_memory())
            .field("is_emulated", &self.is_emulated())
            .finish()
    }
}

/// A queue of commands on an accelerator. Kernels on one view run in the order of their
/// launches; any thread may launch.
#[derive(Clone)]
pub struct AcceleratorView {
    inner: Arc<ViewInner>,
}

struct ViewInner {
    accelerator: Accelerator,
    mode: QueuingMode,
    backend: Backend,
    printer: Printer,
    profiler: Arc<Profiler>,
}

/// What is behind a view.
#[derive(Debug)]
pub(crate) enum Backend {
    /// Kernels have run when the launch returns; the first fault waits to be asked for.
    Cpu(Mutex<Option<Box<KernelFault>>>),
    /// A queue of a device.
    Vulkan(Arc<Stream>),
}

impl AcceleratorView {
    fn of(accelerator: &Accelerator, mode: QueuingMode, backend: Backend) -> Self {
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
        Self {
            inner: Arc::new(inner),
        }
    }

    fn cpu(accelerator: &Accelerator, mode: QueuingMode) -> Self {
        Self::of(accelerator, mode, Backend::Cpu(Mutex::new(None)))
    }

    pub(crate) fn backend(&self) -> &Backend {
        &self.inner.backend
    }

    /// The accelerator that it belongs to.
    pub fn accelerator(&self) -> Accelerator {
        self.inner.accelerator.clone()
    }

    /// Whether it was removed: everything that is asked of it is an error.
    fn is_removed(&self) -> bool {
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

    /// Sends what has gathered to the device, without waiting for it.
    ///
    /// # Errors
    ///
    /// If the device is lost.
    pub fn flush(&self) -> Result<()> {
        match self.backend() {
            Backend::Cpu(_) => Ok(()),
            Backend::Vulkan(stream) => stream.flush(),
        }
    }

    /// Waits until everything launched so far is complete.
    ///
    /// # Errors
    ///
    /// [`Error::KernelFault`], once, for the first fault since the last report; or if
    /// the device is lost.
    pub fn wait(&self) -> Result<()> {
        if let Backend::Vulkan(stream) = self.backend() {
            stream.wait()?;
        }
        self.report()
    }

    /// Hands what kernels on this view print to `hook`, in place of standard output and
    /// standard error. As those it is told at the next wait on the view: the prints of a
    /// launch together, threads in row-major order and the prints of one thread in its
    /// own order.
    ///
    /// A launch keeps its first 16384 prints; a last one, to standard error, counts the
    /// others. (C++ AMP §12, `direct3d_printf`.)
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

    /// Lets kernels on this view print to standard output and standard error again.
    pub fn reset_print_hook(&self) {
        self.inner.printer.set_hook(None);
    }

    /// What gathers profiles.
    pub(crate) fn profiler(&self) -> &Profiler {
        &self.inner.profiler
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
        let fault = match self.backend() {
            Backend::Cpu(fault) => fault.lock().unwrap_or_else(PoisonError::into_inner).take(),
            Backend::Vulkan(stream) => {
                self.printer().add(stream.take_prints());
                stream.take_fault()
            }
        };
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

impl fmt::Display for AcceleratorView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a view of {}", self.inner.accelerator)
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
