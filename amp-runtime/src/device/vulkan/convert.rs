//! Results of Vulkan as errors of the crate.

use ash::vk;

use crate::device::cpu::memory::out_of_host_memory;
use crate::types::error::Error;

/// The error for a call that failed while doing `operation` on a device called `name`.
pub(super) fn error(operation: &'static str, result: vk::Result, name: &str) -> Error {
    match result {
        vk::Result::ERROR_DEVICE_LOST => Error::AcceleratorViewRemoved {
            reason: format!("the device was lost while {operation}"),
        },
        vk::Result::ERROR_OUT_OF_HOST_MEMORY => out_of_host_memory(operation, None),
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY => Error::OutOfMemory {
            operation,
            bytes: None,
            accelerator: name.into(),
            // Of which memory the driver does not say.
            available: None,
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
        let error = |result| error("submitting a batch", result, "A");
        let lost = error(vk::Result::ERROR_DEVICE_LOST);
        assert!(matches!(lost, Error::AcceleratorViewRemoved { .. }));
        let other = error(vk::Result::ERROR_UNKNOWN);
        assert_eq!(
            other.to_string(),
            "submitting a batch failed: ERROR_UNKNOWN"
        );
    }

    #[test]
    fn whose_memory_is_out_is_told() {
        let whose = |result| match error("creating a fence", result, "A") {
            Error::OutOfMemory {
                operation: "creating a fence",
                bytes: None,
                accelerator,
                ..
            } => accelerator,
            error => panic!("{error:?}"),
        };
        assert_eq!(whose(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY), "A");
        assert_eq!(whose(vk::Result::ERROR_OUT_OF_HOST_MEMORY), "the host");
    }
}
