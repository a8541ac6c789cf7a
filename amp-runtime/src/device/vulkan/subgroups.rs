//! What the subgroups of a device can do together.
//!
//! A kernel says in its capabilities what it needs; a device whose compute stage lacks one of
//! them refuses the kernel before a pipeline is made.

use ash::vk;

use crate::types::error::{Error, Result};

/// The operations that kernels may use on a device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subgroups {
    operations: vk::SubgroupFeatureFlags,
}

/// Words before the first instruction.
const HEADER: usize = 5;
const OP_CAPABILITY: u32 = 17;

/// The capabilities of subgroups with what stands for them in Vulkan.
const CAPABILITIES: [(u32, vk::SubgroupFeatureFlags, &str); 5] = [
    (61, vk::SubgroupFeatureFlags::BASIC, "basic"),
    (62, vk::SubgroupFeatureFlags::VOTE, "vote"),
    (63, vk::SubgroupFeatureFlags::ARITHMETIC, "arithmetic"),
    (64, vk::SubgroupFeatureFlags::BALLOT, "ballot"),
    (65, vk::SubgroupFeatureFlags::SHUFFLE, "shuffle"),
];

impl Subgroups {
    pub(super) fn new(properties: &vk::PhysicalDeviceSubgroupProperties<'_>) -> Self {
        let stages = properties.supported_stages;
        let operations = match stages.contains(vk::ShaderStageFlags::COMPUTE) {
            true => properties.supported_operations,
            false => vk::SubgroupFeatureFlags::empty(),
        };
        Self { operations }
    }

    /// The kinds of operations that there are.
    pub(super) fn names(self) -> Vec<&'static str> {
        let has = CAPABILITIES
            .iter()
            .filter(|it| self.operations.contains(it.1));
        has.map(|it| it.2).collect()
    }

    /// Refuses a kernel whose subgroups do what those of the device cannot.
    pub(super) fn check(self, module: &[u32], kernel: &str, device: &str) -> Result<()> {
        // Capabilities come first in a module.
        let instructions = module.get(HEADER..).unwrap_or_default().chunks_exact(2);
        for instruction in instructions.take_while(|it| it[0] == 2 << 16 | OP_CAPABILITY) {
            let needed = CAPABILITIES.iter().find(|it| it.0 == instruction[1]);
            if let Some((_, operations, name)) = needed
                && !self.operations.contains(*operations)
            {
                return Err(Error::UnsupportedFeature(format!(
                    "kernel `{kernel}` needs {name} operations of subgroups, which {device} does \
                     not have; use tile_static variables, or run it on another accelerator"
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_features_are_refused_by_name() {
        let properties = |stages, operations| {
            let properties = vk::PhysicalDeviceSubgroupProperties::default();
            Subgroups::new(
                &properties
                    .supported_stages(stages)
                    .supported_operations(operations),
            )
        };
        let operations = vk::SubgroupFeatureFlags::BASIC | vk::SubgroupFeatureFlags::BALLOT;
        let some = properties(vk::ShaderStageFlags::COMPUTE, operations);
        let none = properties(vk::ShaderStageFlags::FRAGMENT, operations);
        let module = |capabilities: &[u32]| {
            let mut words = vec![0; HEADER];
            for capability in capabilities {
                words.extend([2 << 16 | OP_CAPABILITY, *capability]);
            }
            // Another instruction, whose operand looks like a capability.
            words.extend([2 << 16 | 11, 65]);
            words
        };
        let check = |subgroups: Subgroups, capabilities: &[u32]| {
            subgroups.check(&module(capabilities), "k", "a GPU")
        };
        assert_eq!(check(some, &[1, 61, 64]), Ok(()));
        assert_eq!(check(none, &[1]), Ok(()));
        assert_eq!(some.check(&[], "k", "a GPU"), Ok(()));
        for (subgroups, name) in [(some, "arithmetic"), (none, "basic")] {
            let Err(Error::UnsupportedFeature(message)) = check(subgroups, &[1, 61, 63]) else {
                panic!("{name} operations are not there");
            };
            assert!(
                message.contains(&format!("needs {name} operations")),
                "{message}"
            );
        }
    }
}
