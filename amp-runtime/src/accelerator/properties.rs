//! What there is to know about an accelerator.

use crate::device::accelerator::Accelerator;
use crate::types::error::Result;
use crate::types::properties::Properties;

impl Accelerator {
    /// What the accelerator is, has and can do. The program `amp-info` prints it.
    ///
    /// ```
    /// use amp_runtime::{Accelerator, AcceleratorKind};
    ///
    /// let cpu = Accelerator::cpu().properties();
    /// assert_eq!(cpu.kind, AcceleratorKind::Cpu);
    /// assert!(cpu.features.contains(&"shaderFloat64"));
    /// assert!(cpu.lacking.is_empty());
    /// ```
    pub fn properties(&self) -> Properties {
        match self.adapter() {
            Some(adapter) => adapter.properties(),
            None => Properties::of_cpu(),
        }
    }

    /// The operations of `f32` and `f64` that the accelerator's own instructions do
    /// differently from Rust, as the first kernel that asks finds out: kernels do them in
    /// software. Empty for the CPU accelerator. With `AMP_SOFT_FLOATS=1` they are all that
    /// some device does differently.
    ///
    /// ```
    /// use amp_runtime::Accelerator;
    ///
    /// assert!(Accelerator::cpu().software_floats()?.is_empty());
    /// # Ok::<(), amp_runtime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the device cannot be opened or fails.
    pub fn software_floats(&self) -> Result<Vec<&'static str>> {
        match self.adapter() {
            Some(adapter) => adapter.software_floats(),
            None => Ok(Vec::new()),
        }
    }
}
