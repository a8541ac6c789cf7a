//! What the compiler did with a kernel.

use std::borrow::Cow;
use std::fmt;

use amp_spirv::artifact::Artifact;
use amp_spirv::remark;
pub use amp_spirv::remark::Unproven;

/// The compiler's report on a kernel, as [`Kernel::report`](crate::Kernel::report) returns it, or
/// [`Variant::report`](crate::Variant::report) for a launch. Its `Display` is for people to read.
///
/// Indices, loops and barriers are counted once per occurrence in the source of the kernel and
/// its helpers, not per execution. An index that an earlier check covers is not counted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The kernel's Rust name.
    pub kernel: String,
    /// What the compiler did where, in the order of the source.
    pub remarks: Vec<Remark>,
    /// Indices that are checked at each access, whatever the launch.
    pub checks: u32,
    /// Indices that the host checks at each launch, for all threads at once. They are checked at
    /// each access in those launches only for which that fails.
    pub checks_at_launch: u32,
    /// Indices in loops that are checked before the loop, for all rounds at once. They are checked
    /// at each access only where that fails.
    pub checks_before_loops: u32,
    /// Indices that are in bounds in every launch, and have no check.
    pub checks_proven_needless: u32,
    /// How many indices a thread runs: those of its tile that `coarsen` merges, or neighbours in the
    /// last dimension. These it runs in launches whose indices are all proven, over views that start
    /// at multiples of 16 bytes and domains that leave no device idle, or in that of a
    /// [`Variant::report`](crate::Variant::report).
    pub indices_of_thread: u32,
    /// Operations that can fault, including the checked indices.
    pub faults: u32,
    /// Barriers.
    pub barriers: u32,
    /// Barriers that do not order the elements of views, because there are no two accesses to
    /// order.
    pub barriers_without_views: u32,
    /// Whether each thread of a tile is a coroutine on the CPU accelerator, which costs more than the
    /// lockstep in which other kernels with barriers run: the kernel has operations of subgroups, or a
    /// barrier in a helper, in a closure or where the compiler does not see that all threads take it.
    pub has_coroutines: bool,
    /// The functions that are inlined wherever they are called. Those that take closures, or
    /// references to anything but views, always are, and are not listed.
    pub inlined: Vec<String>,
    /// The optional features that the kernel requires, by Vulkan's names.
    pub features: Vec<&'static str>,
    /// Bytes of arguments per launch.
    pub argument_bytes: u32,
    /// Bytes of SPIR-V.
    pub spirv_bytes: usize,
    /// What the driver says about the pipeline, in its own words: registers, spills, code size.
    /// Only in a [`Variant::report`](crate::Variant::report), and only where the driver has
    /// `VK_KHR_pipeline_executable_properties`.
    pub statistics: Vec<Statistic>,
}

/// A number that a driver reports about a pipeline.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Statistic {
    /// The driver's name of it.
    pub name: String,
    /// The number; 0 or 1 for what is true or false.
    pub value: f64,
}

/// What the compiler did at one place of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Remark {
    /// The source file.
    pub file: Cow<'static, str>,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What it did.
    pub kind: RemarkKind,
    /// Whether it did so in a loop.
    pub in_loop: bool,
}

/// What the compiler did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RemarkKind {
    /// An index is checked at each access, because it could not be proven to be in bounds.
    Checked(Unproven),
    /// An index is checked by the host at each launch, and at each access only if that fails.
    #[non_exhaustive]
    AtLaunch {
        /// The indices of one group are proven together.
        group: u32,
        /// Whether the host proved them for the launch of a
        /// [`Variant::report`](crate::Variant::report).
        proven: Option<bool>,
    },
    /// An index is checked before the loop that it is in, for all rounds at once, and at each
    /// access only if that fails.
    BeforeLoop,
    /// An index is in bounds in every launch.
    Proven,
    /// A barrier.
    #[non_exhaustive]
    Barrier {
        /// Whether it does not order the elements of views, although it says so, because there
        /// are no two accesses to order.
        relaxed: bool,
    },
}

impl Report {
    /// The report on an artifact; for a launch with the groups of checks that hold in it.
    pub(crate) fn of(artifact: &Artifact, proven: Option<u32>) -> Self {
        let remarks = artifact.remarks.iter();
        let remarks: Vec<Remark> = remarks.map(|it| Remark::of(artifact, it, proven)).collect();
        let count = |is: fn(RemarkKind) -> bool| {
            let counted = remarks.iter().filter(|remark| is(remark.kind));
            counted.count() as u32
        };
        Self {
            kernel: artifact.name.to_string(),
            checks: count(|it| matches!(it, RemarkKind::Checked(_))),
            checks_at_launch: count(|it| matches!(it, RemarkKind::AtLaunch { .. })),
            checks_before_loops: count(|it| it == RemarkKind::BeforeLoop),
            checks_proven_needless: count(|it| it == RemarkKind::Proven),
            indices_of_thread: artifact.wide.lanes.max(1) * artifact.merged.iter().product::<u32>(),
            faults: artifact.faults.iter().filter(|it| it.lane == 0).count() as u32,
            barriers: count(|it| matches!(it, RemarkKind::Barrier { .. })),
            has_coroutines: artifact.has_barrier && !artifact.in_lockstep,
            barriers_without_views: count(|it| it == RemarkKind::Barrier { relaxed: true }),
            inlined: artifact.inlined.iter().map(Cow::to_string).collect(),
            features: artifact
                .features
                .iter()
                .map(|feature| feature.name())
                .collect(),
            argument_bytes: artifact.block_bytes,
            spirv_bytes: artifact.spirv.len(),
            statistics: Vec::new(),
            remarks,
        }
    }
}

impl Remark {
    fn of(artifact: &Artifact, remark: remark::Remark, proven: Option<u32>) -> Self {
        let file = artifact.files.get(remark.file as usize);
        Self {
            file: file.cloned().unwrap_or_default(),
            line: remark.line,
            column: remark.column,
            kind: match remark.kind {
                remark::RemarkKind::Checked(why) => RemarkKind::Checked(why),
                remark::RemarkKind::AtLaunch(group) => RemarkKind::AtLaunch {
                    group,
                    proven: proven.map(|groups| groups >> group & 1 == 1),
                },
                remark::RemarkKind::BeforeLoop => RemarkKind::BeforeLoop,
                remark::RemarkKind::Proven => RemarkKind::Proven,
                remark::RemarkKind::Barrier { relaxed } => RemarkKind::Barrier { relaxed },
            },
            in_loop: remark.in_loop,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernel `{}`", self.kernel)?;
        writeln!(
            f,
            "  indices: {} checked, {} checked before loops, {} checked by the host at launch, {} \
             that need no check",
            self.checks,
            self.checks_before_loops,
            self.checks_at_launch,
            self.checks_proven_needless
        )?;
        if self.indices_of_thread > 1 {
            writeln!(f, "  indices of a thread: {}", self.indices_of_thread)?;
        }
        writeln!(f, "  operations that can fault: {}", self.faults)?;
        writeln!(
            f,
            "  barriers: {}, of which {} need not order views",
            self.barriers, self.barriers_without_views
        )?;
        if self.has_coroutines {
            writeln!(
                f,
                "  coroutines on the CPU accelerator: one for each thread of a tile"
            )?;
        }
        let list = |names: &[String]| match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(", "),
        };
        writeln!(f, "  functions inlined: {}", list(&self.inlined))?;
        let features: Vec<String> = self.features.iter().map(|it| (*it).to_owned()).collect();
        writeln!(f, "  features: {}", list(&features))?;
        write!(
            f,
            "  {} bytes of arguments, {} bytes of SPIR-V",
            self.argument_bytes, self.spirv_bytes
        )?;
        for Statistic { name, value } in &self.statistics {
            write!(f, "\n  {name}: {value}")?;
        }
        for remark in &self.remarks {
            write!(f, "\n  {remark}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            column,
            kind,
            in_loop,
        } = self;
        write!(f, "{file}:{line}:{column}: {kind}")?;
        match in_loop {
            true => f.write_str(" (in a loop)"),
            false => Ok(()),
        }
    }
}

impl fmt::Display for RemarkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RemarkKind::Checked(why) => write!(f, "index checked: {}", reason(*why)),
            RemarkKind::AtLaunch { group, proven } => {
                let how = match proven {
                    None => "checked by the host at launch",
                    Some(true) => "proven for this launch",
                    Some(false) => "checked: not proven for this launch",
                };
                write!(f, "index {how} (group {group})")
            }
            RemarkKind::BeforeLoop => f.write_str("index checked before its loop"),
            RemarkKind::Proven => f.write_str("index proven in bounds"),
            RemarkKind::Barrier { relaxed: true } => f.write_str("barrier: no views to order"),
            RemarkKind::Barrier { relaxed: false } => f.write_str("barrier"),
        }
    }
}

fn reason(why: Unproven) -> &'static str {
    match why {
        Unproven::Data => "it is read from data",
        Unproven::Float => "it is computed from a float",
        Unproven::Carried => "a loop carries it from round to round",
        Unproven::Call => "a function computes it that is not inlined",
        Unproven::Extent => "the extent is that of a view with another shape or other elements",
        Unproven::Long => "its computation is too long",
        Unproven::NotInlined => "its function is not inlined",
        _ => "nothing that the host knows limits it",
    }
}
