//! Accelerators and accelerator views.
//!
//! An [`Accelerator`] is a Vulkan device or the CPU; an [`AcceleratorView`] is a queue
//! of commands on one. Both are cheap handles: a clone is the same thing.

mod memory;
mod properties;
pub(crate) mod registry;
mod view;
mod views;

use amp_spirv::artifact::Feature;

use crate::device::accelerator::{Accelerator, Device};
use crate::device::vulkan::Adapter;
use crate::types::access::AccessType;
use crate::types::error::Result;
use crate::types::rejected::Rejected;

impl Accelerator {
    /// The default accelerator: the one of [`set_default`](Self::set_default); else the one that
    /// the environment variable `AMP_ACCELERATOR` selects (`cpu`, `cpu-checked`, or part of a
    /// description, path or driver, in any case: `lavapipe`); with `AMP_CHECK=1` the CPU
    /// accelerator; else the first of a discrete, integrated or virtual Vulkan device; else the CPU accelerator.
    /// A Vulkan device in software such as lavapipe is slower than that, and is the default only if it is asked for.
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAccelerator`](crate::Error::NoSuchAccelerator), listing all, if
    /// `AMP_ACCELERATOR` matches none.
    // The trait `Default` cannot return an error.
    #[allow(clippy::should_implement_trait)]
    pub fn default() -> Result<Self> {
        registry::default_accelerator()
    }

    /// All accelerators: discrete, integrated, virtual, other and software devices, and the CPU accelerator last.
    pub fn all() -> Vec<Self> {
        registry::all()
    }

    /// What was found in the search for accelerators but cannot run kernels, and why.
    ///
    /// ```
    /// use amp_runtime::Accelerator;
    ///
    /// for rejected in Accelerator::rejected() {
    ///     println!("no accelerator: {rejected}");
    /// }
    /// ```
    pub fn rejected() -> Vec<Rejected> {
        registry::found().rejected
    }

    /// Makes an accelerator the default one of the process. Returns whether it is: once
    /// the default has been set, or has been used by a launch or an array, it stays.
    pub fn set_default(accelerator: &Self) -> bool {
        registry::set_default(accelerator)
    }

    /// The CPU accelerator, which always exists. It runs kernels as Rust functions, on all
    /// cores.
    ///
    /// With the environment variable `AMP_CHECK=1` it is the default accelerator and runs in checked mode, as
    /// the accelerator that `AMP_ACCELERATOR=cpu-checked` or [`find`](Self::find) selects always does: on one
    /// core, with every access to memory that a kernel writes compared with those of other threads. A launch
    /// with a race, or one that reads a tile_static variable that no thread has written, then returns
    /// [`Error::KernelFault`](crate::Error::KernelFault), which names both threads and both places in the
    /// source.
    ///
    /// ```
    /// use amp_runtime::Accelerator;
    ///
    /// let checked = Accelerator::find("cpu-checked")?;
    /// assert!(checked.is_debug());
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    pub fn cpu() -> Self {
        registry::cpu()
    }

    /// The accelerator with this [`device_path`](Self::device_path).
    ///
    /// # Errors
    ///
    /// [`Error::NoSuchAccelerator`](crate::Error::NoSuchAccelerator), listing all, if there is
    /// none.
    pub fn by_path(path: &str) -> Result<Self> {
        registry::by_path(path)
    }

    /// The first accelerator whose description, path or driver contains `part`, in any case, or
    /// the CPU accelerator for `cpu`: the accelerator that `AMP_ACCELERATOR` would select.
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
    /// [`Error::NoSuchAccelerator`](crate::Error::NoSuchAccelerator), listing all, if there is
    /// none.
    pub fn find(part: &str) -> Result<Self> {
        registry::find(part)
    }

    /// Its name.
    pub fn description(&self) -> &str {
        match &self.inner.device {
            Device::Cpu => "CPU accelerator",
            Device::CheckedCpu => "CPU accelerator in checked mode",
            Device::Vulkan(adapter) => adapter.name(),
        }
    }

    /// What identifies it on this machine, across runs: `cpu`, `cpu-checked`, or `vulkan:` and the
    /// device's UUID.
    pub fn device_path(&self) -> &str {
        match &self.inner.device {
            Device::Cpu => "cpu",
            Device::CheckedCpu => "cpu-checked",
            Device::Vulkan(adapter) => adapter.path(),
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

    /// Whether its views check every call (`AMP_VALIDATION=1` and the layer is there), or every access
    /// (the CPU accelerator in checked mode).
    pub fn is_debug(&self) -> bool {
        registry::is_checked(self) || self.adapter().is_some_and(Adapter::is_debug)
    }

    /// Whether a display is known to be attached. Devices are opened for computing only, which
    /// gives no information about displays, so this is always `false`.
    pub fn has_display(&self) -> bool {
        false
    }

    /// Whether kernels may use all of `f64`.
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

    /// How the host accesses arrays that are built without
    /// [`cpu_access`](crate::ArrayBuilder::cpu_access): the value of
    /// [`set_default_cpu_access_type`](Self::set_default_cpu_access_type), else reading and
    /// writing if host and accelerator share memory.
    pub fn default_cpu_access_type(&self) -> AccessType {
        self.inner.access.get(self.supports_cpu_shared_memory())
    }

    /// Sets how the host accesses arrays that are built without
    /// [`cpu_access`](crate::ArrayBuilder::cpu_access). Returns whether it is set: not if the
    /// accelerator does not share memory with the host, or once the default has been set or an
    /// array has used it (C++ AMP §3.2.5).
    ///
    /// ```
    /// use amp_runtime::{Accelerator, AccessType};
    ///
    /// let cpu = Accelerator::cpu();
    /// assert!(cpu.set_default_cpu_access_type(AccessType::ReadWrite));
    /// assert!(!cpu.set_default_cpu_access_type(AccessType::Read));
    /// ```
    pub fn set_default_cpu_access_type(&self, access: AccessType) -> bool {
        let shares_memory = self.supports_cpu_shared_memory();
        self.inner.access.set(shares_memory, access)
    }

    /// How the host accesses a new array.
    pub(crate) fn access_of(&self, wanted: AccessType) -> Result<AccessType> {
        let shares_memory = self.supports_cpu_shared_memory();
        self.inner.access.resolve(self, shares_memory, wanted)
    }

    /// `description [path]`, for lists.
    pub(crate) fn label(&self) -> String {
        format!("{} [{}]", self.description(), self.device_path())
    }
}
