//! What an accelerator takes for [`AccessType::Auto`], and which access it can give.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::types::access::AccessType;
use crate::types::error::{Error, Result};

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
