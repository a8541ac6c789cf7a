//! [`Code`]: what is compiled of a kernel.

use amp_spirv::artifact::Artifact;

/// What is compiled of a kernel, whatever its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) artifact: &'static Artifact,
    /// The user's specialization constants.
    pub(crate) constants: &'static [u64],
    /// Threads of a tile in each dimension, if it is tiled.
    pub(crate) tile: Option<&'static [usize]>,
    /// Bytes of tile_static memory.
    pub(crate) tile_static: u64,
    /// Bytes that the local arrays of a thread take at most.
    pub(crate) arrays: u64,
    pub(crate) switches: Switches,
}

/// What the launches of a kernel turn on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Switches {
    /// The checks for faults.
    pub(crate) checked: bool,
    /// Whether elements of a view may end more than 4 GiB after its start.
    pub(crate) far: bool,
    /// The groups of checks that hold for the whole launch ([`Artifact::proven`]).
    pub(crate) proven: u32,
    /// Whether threads may run several indices ([`Artifact::wide`]).
    pub(crate) wide: bool,
}

impl Switches {
    pub(crate) const OFF: Self = Self {
        checked: false,
        far: false,
        proven: 0,
        wide: false,
    };
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            checked: true,
            ..Self::OFF
        }
    }
}
