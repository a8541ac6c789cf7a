//! A kernel bound to its arguments.

pub(crate) mod binding;
pub(crate) mod bundle;
pub(crate) mod lent;
pub(crate) mod resolved;
pub(crate) mod source;
pub mod spec;

use std::fmt;
use std::marker::PhantomData;

use amp_spirv::artifact::Artifact;

use crate::device::code::Code;
use crate::device::cpu;
use crate::kernel::source::Bound;
use crate::types::block::Block;
use crate::types::error::{Error, Result};
use crate::types::message::Writer;
use crate::types::report::Report;

/// Runs the kernel's host version over a domain.
type HostVersion<'a> = Box<dyn Fn(&cpu::Launch) -> Result<()> + Send + Sync + 'a>;

/// A view that a kernel has for itself.
pub(crate) type Owned<'a> = Box<dyn fmt::Debug + Send + Sync + 'a>;

/// A kernel with its arguments, as calling a function marked `#[amp_kernel]` makes it.
/// `I` is the type of the kernel's first parameter; [`parallel_for_each`] runs it over a
/// domain of that type. It borrows its arrays and views.
///
/// [`parallel_for_each`]: crate::parallel_for_each
#[must_use = "a kernel runs only when it is passed to `parallel_for_each`"]
pub struct Kernel<'a, I> {
    pub(crate) parts: Parts<'a>,
    pub(crate) index: PhantomData<fn(I)>,
}

/// What a launch needs of a kernel, whatever its index type.
pub(crate) struct Parts<'a> {
    pub(crate) code: Code,
    /// What turns its messages into text.
    pub(crate) writers: &'static [Writer],
    /// The argument block, but for addresses and domain.
    pub(crate) block: Block,
    pub(crate) views: Vec<Bound<'a>>,
    /// Views that it has for itself, which end with it: those that it writes bring their
    /// data back then.
    #[expect(dead_code, reason = "kept alive, and dropped")]
    pub(crate) owned: Vec<Owned<'a>>,
    /// What was wrong with an argument.
    pub(crate) error: Option<Error>,
    /// What a thread takes of a stack on the CPU.
    pub(crate) stack: u64,
    pub(crate) host_version: HostVersion<'a>,
    /// Whether rustc optimises it.
    pub(crate) is_optimised: bool,
    /// Whether each thread writes its own elements alone, so that no two race.
    pub(crate) is_pointwise: bool,
    /// The same for checked mode, if it is another.
    pub(crate) checked: Option<HostVersion<'a>>,
}

impl<I> Kernel<'_, I> {
    /// The same kernel without checks for faults: bounds, division by zero, and so on.
    /// The CPU accelerator checks all the same.
    ///
    /// # Safety
    ///
    /// No thread may do what would be a fault: access an element outside the extent of
    /// its view or the length of its array, divide by zero, and so on. If one does, the
    /// behaviour is undefined. Assertions and panics are not reported; what follows them
    /// runs, or does not, as in a checked kernel.
    #[allow(unsafe_code)]
    pub unsafe fn unchecked(mut self) -> Self {
        self.parts.code.switches.checked = false;
        self
    }
}

impl<I> Kernel<'_, I> {
    /// What the compiler did with the kernel. It is known when the program is compiled;
    /// nothing is run. [`Variant::report`](crate::Variant::report) says more of a launch.
    ///
    /// ```
    /// # use amp_runtime as amp;
    /// # fn show<I>(kernel: &amp::Kernel<'_, I>) {
    /// let report = kernel.report();
    /// println!("{report}");
    /// for remark in report.remarks.iter().filter(|it| it.in_loop) {
    ///     if let amp::RemarkKind::Checked(why) = remark.kind {
    ///         println!("line {}: {why:?}", remark.line);
    ///     }
    /// }
    /// # }
    /// ```
    pub fn report(&self) -> Report {
        let code = &self.parts.code;
        Report::of(code.artifact, None)
    }

    /// The compiled kernel, for tools that look at its SPIR-V.
    #[doc(hidden)]
    pub fn artifact(&self) -> &'static Artifact {
        self.parts.code.artifact
    }

    /// The same kernel as another compiler made it, for benchmarks.
    ///
    /// # Safety
    ///
    /// The code must take the same argument block and the same specialization constants, and
    /// no thread of it may access what the kernel's own threads may not.
    #[doc(hidden)]
    #[allow(unsafe_code)]
    pub unsafe fn with_artifact(mut self, artifact: &'static Artifact) -> Self {
        self.parts.code.artifact = artifact;
        self
    }
}

impl<I> fmt::Debug for Kernel<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.parts.code.artifact.name)
            .field("checked", &self.parts.code.switches.checked)
            .finish_non_exhaustive()
    }
}
