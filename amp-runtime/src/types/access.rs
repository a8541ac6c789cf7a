//! How the host may access the memory of an array (C++ AMP §4.7, `access_type`).

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::types::error::{Error, Result};

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

/// What an accelerator takes for [`AccessType::Auto`]; nothing until it is set or used.
#[derive(Debug, Default)]
pub(crate) struct DefaultAccess(Mutex<Option<AccessType>>);

impl DefaultAccess {
    fn lock(&self) -> MutexGuard<'_, Option<AccessType>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, shares_memory: bool) -> AccessType {
        self.lock().unwrap_or_else(|| liked_best(shares_memory))
    }

    /// Sets it unless it has been set or used. Returns whether it did.
    pub(crate) fn set(&self, shares_memory: bool, access: AccessType) -> bool {
        let mut default = self.lock();
        if default.is_some() || !shares_memory {
            return false;
        }
        *default = Some(match access {
            AccessType::Auto => liked_best(shares_memory),
            access => access,
        });
        true
    }

    /// What an array gets that wants `access`.
    pub(crate) fn resolve(
        &self,
        accelerator: &dyn fmt::Display,
        shares_memory: bool,
        access: AccessType,
    ) -> Result<AccessType> {
        match access {
            AccessType::Auto => Ok(*self.lock().get_or_insert_with(|| liked_best(shares_memory))),
            AccessType::None => Ok(access),
            _ if shares_memory => Ok(access),
            _ => Err(Error::UnsupportedFeature(format!(
                "the host cannot have {access} to an array on {accelerator}, which does not share \
                 memory with it; use `AccessType::Auto` or `AccessType::None` and copy, or a \
                 staging array (`associated`)"
            ))),
        }
    }
}

fn liked_best(shares_memory: bool) -> AccessType {
    match shares_memory {
        true => AccessType::ReadWrite,
        false => AccessType::None,
    }
}
