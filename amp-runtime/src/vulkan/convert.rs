//! Results of Vulkan as errors of the crate.

use ash::vk;

use crate::error::Error;

/// The error for a call that failed while doing `operation`.
pub(super) fn error(operation: &'static str, result: vk::Result) -> Error {
    match result {
        vk::Result::ERROR_DEVICE_LOST => Error::AcceleratorViewRemoved {
            reason: format!("the device was lost while {operation}"),
        },
        result => Error::Driver {
            operation,
            reason: format!("{result:?}"),
        },
    }
}

/// Whether a result says that there is no memory left.
pub(super) fn is_out_of_memory(result: vk::Result) -> bool {
    matches!(
        result,
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY | vk::Result::ERROR_OUT_OF_HOST_MEMORY
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_device_removes_the_view() {
        let lost = error("submitting a batch", vk::Result::ERROR_DEVICE_LOST);
        assert!(matches!(lost, Error::AcceleratorViewRemoved { .. }));
        let other = error("submitting a batch", vk::Result::ERROR_UNKNOWN);
        assert_eq!(
            other.to_string(),
            "submitting a batch failed: ERROR_UNKNOWN"
        );
    }
}
