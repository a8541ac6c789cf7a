//! How a device treats floats: kernels ask for Rust's arithmetic, devices give what they
//! have.
//!
//! Every kernel asks for denormals, signed zeroes, infinities and NaN to be kept and for
//! rounding to nearest. A module may only ask for what the device offers, so
//! [`FloatControls::adapt`] takes out the rest: a capability and an execution mode are
//! whole instructions near the start of a module. What a device does not offer it may
//! still do (lavapipe keeps denormals and does not say so).

use ash::vk;

/// Which of the float controls for 32-bit floats a device offers.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloatControls {
    preserve_denormals: bool,
    preserve_signed_zero_inf_nan: bool,
    round_to_nearest: bool,
}

/// Words before the first instruction.
const HEADER: usize = 5;
const OP_EXECUTION_MODE: u32 = 16;
const OP_CAPABILITY: u32 = 17;
const OP_FUNCTION: u32 = 54;

impl FloatControls {
    pub(super) fn new(properties: &vk::PhysicalDeviceFloatControlsProperties) -> Self {
        Self {
            preserve_denormals: properties.shader_denorm_preserve_float32 == vk::TRUE,
            preserve_signed_zero_inf_nan: properties.shader_signed_zero_inf_nan_preserve_float32
                == vk::TRUE,
            round_to_nearest: properties.shader_rounding_mode_rte_float32 == vk::TRUE,
        }
    }

    /// Whether the device offers what a capability, or an execution mode, stands for.
    fn offers(self, capability: Option<&u32>, mode: Option<&u32>) -> bool {
        match (capability, mode) {
            (Some(4464), _) | (_, Some(4459)) => self.preserve_denormals,
            (Some(4466), _) | (_, Some(4461)) => self.preserve_signed_zero_inf_nan,
            (Some(4467), _) | (_, Some(4462)) => self.round_to_nearest,
            _ => true,
        }
    }

    /// The module without the float controls that the device does not offer.
    pub(super) fn adapt(self, module: &[u32]) -> Vec<u32> {
        let mut adapted = module[..HEADER.min(module.len())].to_vec();
        let mut rest = module.get(HEADER..).unwrap_or_default();
        while let Some(&first) = rest.first() {
            let opcode = first & 0xffff;
            if opcode == OP_FUNCTION {
                break;
            }
            let length = ((first >> 16) as usize).clamp(1, rest.len());
            let (instruction, after) = rest.split_at(length);
            let keep = match opcode {
                OP_CAPABILITY => self.offers(instruction.get(1), None),
                OP_EXECUTION_MODE => self.offers(None, instruction.get(2)),
                _ => true,
            };
            if keep {
                adapted.extend_from_slice(instruction);
            }
            rest = after;
        }
        adapted.extend_from_slice(rest);
        adapted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_offered_stays() {
        let capability = |number| [2 << 16 | OP_CAPABILITY, number];
        let mode = |number| [4 << 16 | OP_EXECUTION_MODE, 7, number, 32];
        let mut module = vec![0x0723_0203, 0x0001_0500, 0, 9, 0];
        for number in [1, 4464, 4466, 4467] {
            module.extend(capability(number));
        }
        for number in [4459, 4461, 4462] {
            module.extend(mode(number));
        }
        // A function whose words look like a mode.
        module.extend([5 << 16 | OP_FUNCTION, 1, 2, 0, 3]);
        module.extend(mode(4459));

        let all = FloatControls {
            preserve_denormals: true,
            preserve_signed_zero_inf_nan: true,
            round_to_nearest: true,
        };
        assert_eq!(all.adapt(&module), module);

        let some = FloatControls {
            preserve_denormals: false,
            round_to_nearest: false,
            ..all
        };
        let mut expected = module[..HEADER].to_vec();
        expected.extend(capability(1));
        expected.extend(capability(4466));
        expected.extend(mode(4461));
        expected.extend([5 << 16 | OP_FUNCTION, 1, 2, 0, 3]);
        expected.extend(mode(4459));
        assert_eq!(some.adapt(&module), expected);
    }

    #[test]
    fn a_truncated_module_is_left_to_the_driver() {
        let all = FloatControls {
            preserve_denormals: false,
            preserve_signed_zero_inf_nan: false,
            round_to_nearest: false,
        };
        assert_eq!(all.adapt(&[1, 2]), [1, 2]);
        let cut = [0, 0, 0, 0, 0, 9 << 16 | OP_CAPABILITY];
        assert_eq!(all.adapt(&cut), cut);
        let zero = [0, 0, 0, 0, 0, 0, 0];
        assert_eq!(all.adapt(&zero), zero);
    }
}
