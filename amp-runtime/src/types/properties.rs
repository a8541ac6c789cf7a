//! What there is to know about an accelerator, in one place.

use std::fmt;

/// The properties of an accelerator, as
/// [`Accelerator::properties`](crate::Accelerator::properties) returns them.
/// [`Accelerator::memory`](crate::Accelerator::memory) reports its memory. (C++ AMP §3.2 has some
/// of these.)
///
/// ```
/// use amp_runtime::{Accelerator, AcceleratorKind};
///
/// for accelerator in Accelerator::all() {
///     let properties = accelerator.properties();
///     let doubles = properties.features.contains(&"shaderFloat64");
///     println!(
///         "{accelerator}: {} ({}), tiles of at most {} threads, {} floats of 64 bits",
///         properties.kind,
///         properties.driver,
///         properties.max_tile_threads,
///         if doubles { "with" } else { "without" },
///     );
///     assert_eq!(properties.vulkan.is_none(), properties.kind == AcceleratorKind::Cpu);
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Properties {
    /// Its kind; the default accelerator is of the first kind that exists on the machine.
    pub kind: AcceleratorKind,
    /// Vulkan version of its driver (major, minor, patch), or `None` for the CPU accelerator.
    /// [`Accelerator::version`](crate::Accelerator::version) is the version that amp uses.
    pub vulkan: Option<[u32; 3]>,
    /// Name and version of its driver.
    pub driver: String,
    /// The optional features that it supports, by Vulkan's names, as in
    /// [`Report::features`](crate::Report::features).
    pub features: Vec<&'static str>,
    /// The optional features that it lacks.
    pub lacking: Vec<&'static str>,
    /// The float behaviour that its driver promises.
    pub floats: FloatPromises,
    /// Number of threads in a subgroup, unless a kernel requires another.
    pub subgroup_size: u32,
    /// The kinds of subgroup operations that it supports, by Vulkan's names.
    pub subgroup_operations: Vec<&'static str>,
    /// Maximal number of threads in a tile.
    pub max_tile_threads: u32,
    /// Maximal components of a tile, the most significant one first.
    pub max_tile: [u32; 3],
    /// The numbers of tiles per component, the most significant one first, up to which the device
    /// provides the tile of each thread. With more tiles, the kernel computes it by division.
    pub max_tiles: [u32; 3],
    /// Whether a tile that has started is sure to run on while others wait for what it does, so that
    /// a kernel whose tiles number themselves by an atomic counter may wait for tiles with smaller
    /// numbers. Vulkan does not say so of a device; it is true of drivers that are known for it.
    pub tiles_progress: bool,
    /// Bytes of tile_static variables at most; `None` if nothing but the host's memory
    /// bounds them.
    pub tile_static_bytes: Option<u32>,
    /// Queues that views of it can have for themselves; further views share them. A device is
    /// opened with one, or as many as the environment variable `AMP_QUEUES` says.
    pub queues: u32,
    /// Nanoseconds of a tick of its clock, or `None` if it has no clock.
    pub tick_nanoseconds: Option<f32>,
}

/// What an accelerator is, in the order in which the default one is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AcceleratorKind {
    /// A Vulkan device with memory of its own.
    Discrete,
    /// A Vulkan device in the host's memory.
    Integrated,
    /// A Vulkan device of a virtual machine.
    Virtual,
    /// Some other Vulkan device.
    Other,
    /// A Vulkan device that is a program on the CPU.
    Software,
    /// The CPU accelerator.
    Cpu,
}

impl fmt::Display for AcceleratorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discrete => "discrete",
            Self::Integrated => "integrated",
            Self::Virtual => "virtual",
            Self::Other => "other",
            Self::Software => "software",
            Self::Cpu => "cpu",
        })
    }
}

/// The float widths, in bits, for which an accelerator promises the behaviour that Rust's
/// arithmetic requires. It may behave so without a promise: see
/// [`Accelerator::software_floats`](crate::Accelerator::software_floats).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FloatPromises {
    /// Denormals are preserved.
    pub denormals: Vec<u32>,
    /// Signed zeroes, infinities and NaN are preserved.
    pub signed_zeroes_infinities_nans: Vec<u32>,
    /// Results are rounded to the nearest number.
    pub round_to_nearest: Vec<u32>,
}
