//! What the compiler did with a kernel.

use std::fmt;

use amp_spirv::artifact::{Artifact, Counts};

/// The compiler's report on a kernel, as [`Kernel::report`](crate::Kernel::report) returns it.
/// Its `Display` is for people to read.
///
/// Indices and barriers are counted once per occurrence in the source of the kernel and its
/// helpers, not per execution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The kernel's Rust name.
    pub kernel: String,
    /// Indices of views and arrays that are checked at each access.
    pub checks: u32,
    /// Indices that are checked once before a loop, for all of its iterations; only if that
    /// check fails are they checked at each access.
    pub checks_before_loops: u32,
    /// Indices of arrays that cannot be out of bounds, and have no check.
    pub checks_proven_needless: u32,
    /// Operations that can fault, including the checked indices.
    pub faults: u32,
    /// Barriers.
    pub barriers: u32,
    /// Barriers that do not order the elements of views, because there are no two accesses to
    /// order.
    pub barriers_without_views: u32,
    /// The optional features that the kernel requires, by Vulkan's names.
    pub features: Vec<&'static str>,
    /// Bytes of arguments per launch.
    pub argument_bytes: u32,
    /// Bytes of SPIR-V.
    pub spirv_bytes: usize,
}

impl Report {
    pub(crate) fn of(artifact: &Artifact) -> Self {
        let Counts {
            checked,
            hoisted,
            proven,
            barriers,
            relaxed,
        } = artifact.counts;
        Self {
            kernel: artifact.name.to_string(),
            checks: checked,
            checks_before_loops: hoisted,
            checks_proven_needless: proven,
            faults: artifact.faults.len() as u32,
            barriers,
            barriers_without_views: relaxed,
            features: artifact
                .features
                .iter()
                .map(|feature| feature.name())
                .collect(),
            argument_bytes: artifact.block_bytes,
            spirv_bytes: artifact.spirv.len(),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernel `{}`", self.kernel)?;
        writeln!(
            f,
            "  indices: {} checked, {} checked before their loops, {} that need no check",
            self.checks, self.checks_before_loops, self.checks_proven_needless
        )?;
        writeln!(f, "  operations that can fault: {}", self.faults)?;
        writeln!(
            f,
            "  barriers: {}, of which {} need not order views",
            self.barriers, self.barriers_without_views
        )?;
        let features = match self.features.is_empty() {
            true => "none".into(),
            false => self.features.join(", "),
        };
        writeln!(f, "  features: {features}")?;
        write!(
            f,
            "  {} bytes of arguments, {} bytes of SPIR-V",
            self.argument_bytes, self.spirv_bytes
        )
    }
}
