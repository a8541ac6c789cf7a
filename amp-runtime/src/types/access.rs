//! How the host may access the memory of an array (C++ AMP §4.7, `access_type`).

use std::fmt;

/// How the host may access the memory of an array, without a copy in between.
///
/// An array says it when it is built:
///
/// ```
/// use amp_runtime::{Accelerator, AccessType, Array};
///
/// let view = Accelerator::cpu().default_view()?;
/// let array: Array<i32, 1> =
///     Array::builder(4).on(&view).cpu_access(AccessType::Read).data(&[1, 2, 3, 4]).build()?;
/// assert_eq!(array[2], 3);
/// assert_eq!(array.cpu_access_type(), AccessType::Read);
/// # Ok::<(), amp_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AccessType {
    /// Not at all: data is copied to and from it.
    None,
    /// Reading only.
    Read,
    /// Writing only.
    Write,
    /// Reading and writing.
    ReadWrite,
    /// As the accelerator likes best: see
    /// [`default_cpu_access_type`](crate::Accelerator::default_cpu_access_type).
    #[default]
    Auto,
}

impl AccessType {
    /// Whether the host may read.
    pub(crate) fn reads(self) -> bool {
        matches!(self, Self::Read | Self::ReadWrite)
    }

    /// Whether the host may write.
    pub(crate) fn writes(self) -> bool {
        matches!(self, Self::Write | Self::ReadWrite)
    }
}

/// As it is written in a program.
impl fmt::Display for AccessType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AccessType::{self:?}")
    }
}
