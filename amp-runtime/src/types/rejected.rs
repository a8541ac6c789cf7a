//! What the search for accelerators found, but cannot use.

use std::fmt;

use crate::types::error::Error;

/// Something that was found but cannot run kernels: a Vulkan device, or Vulkan as a whole.
/// [`Accelerator::rejected`](crate::Accelerator::rejected) tells them, the program `amp-info`
/// prints them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rejected {
    /// What people call it: the name of the device, or `Vulkan`.
    pub description: String,
    /// What kernels need and it lacks, features by their names in Vulkan. Empty if a call of
    /// the driver has failed: that is tried again when accelerators are asked for again.
    pub lacking: Vec<String>,
    /// Why it is no accelerator: [`Error::UnsupportedFeature`] if it lacks something, else what
    /// has failed.
    pub error: Error,
}

impl Rejected {
    /// For lack of something.
    pub(crate) fn lacking(description: &str, lacking: Vec<String>) -> Box<Self> {
        Box::new(Self {
            description: description.into(),
            error: Error::UnsupportedFeature(format!(
                "kernels need {}, which {description} does not have; a newer driver may have it",
                lacking.join(", ")
            )),
            lacking,
        })
    }

    /// For a call that failed.
    pub(crate) fn failed(description: &str, error: Error) -> Box<Self> {
        Box::new(Self {
            description: description.into(),
            lacking: Vec::new(),
            error,
        })
    }

    /// Whether it may be found fit the next time.
    pub(crate) fn may_recover(&self) -> bool {
        self.lacking.is_empty()
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lacking.is_empty() {
            true => write!(f, "{}: {}", self.description, self.error),
            false => write!(f, "{} lacks {}", self.description, self.lacking.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_is_lacking_or_what_failed() {
        let names = ["Vulkan 1.2", "timelineSemaphore"].map(String::from).into();
        let lacking = Rejected::lacking("a GPU", names);
        assert_eq!(
            lacking.to_string(),
            "a GPU lacks Vulkan 1.2, timelineSemaphore"
        );
        assert_eq!(
            lacking.error.to_string(),
            "unsupported feature: kernels need Vulkan 1.2, timelineSemaphore, which a GPU does \
             not have; a newer driver may have it"
        );
        assert!(!lacking.may_recover());
        let error = Error::Driver {
            operation: "opening it",
            reason: "ERROR_UNKNOWN".into(),
        };
        let failed = Rejected::failed("a GPU", error);
        assert_eq!(
            failed.to_string(),
            "a GPU: opening it failed: ERROR_UNKNOWN"
        );
        assert!(failed.may_recover());
    }
}
