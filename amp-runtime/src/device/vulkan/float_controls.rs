//! How a device treats floats: kernels ask for Rust's arithmetic, devices give what they
//! have.
//!
//! Every kernel asks, for the widths that it uses, for denormals, signed zeroes, infinities and
//! NaN to be kept and for rounding to nearest. A module may only ask for what the device offers,
//! so [`FloatControls::adapt`] takes out the rest: a capability and an execution mode are whole
//! instructions near the start of a module. What a device does not offer it may still do
//! (lavapipe keeps denormals and does not say so).

use ash::vk;

use crate::types::properties::FloatPromises;

/// For which widths of floats, as a sum of them, a device offers each control.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloatControls {
    preserve_denormals: u32,
    preserve_signed_zero_inf_nan: u32,
    round_to_nearest: u32,
}

/// Words before the first instruction.
const HEADER: usize = 5;
const OP_EXECUTION_MODE: u32 = 16;
const OP_CAPABILITY: u32 = 17;
const OP_FUNCTION: u32 = 54;

impl FloatControls {
    pub(super) fn new(properties: &vk::PhysicalDeviceFloatControlsProperties) -> Self {
        use vk::ShaderFloatControlsIndependence as Independence;
        let widths = |f32, f64, independence| match (f32 == vk::TRUE, f64 == vk::TRUE) {
            // Then no width may be told what others are not.
            (false, true) if independence == Independence::NONE => 0,
            (has_32, has_64) => (32 * u32::from(has_32)) | (64 * u32::from(has_64)),
        };
        Self {
            preserve_denormals: widths(
                properties.shader_denorm_preserve_float32,
                properties.shader_denorm_preserve_float64,
                properties.denorm_behavior_independence,
            ),
            preserve_signed_zero_inf_nan: widths(
                properties.shader_signed_zero_inf_nan_preserve_float32,
                properties.shader_signed_zero_inf_nan_preserve_float64,
                Independence::ALL,
            ),
            round_to_nearest: widths(
                properties.shader_rounding_mode_rte_float32,
                properties.shader_rounding_mode_rte_float64,
                properties.rounding_mode_independence,
            ),
        }
    }

    /// What it offers, for people.
    pub(super) fn promises(self) -> FloatPromises {
        let widths = |set: u32| {
            let widths = [32, 64].into_iter();
            widths.filter(|width| set & width != 0).collect()
        };
        FloatPromises {
            denormals: widths(self.preserve_denormals),
            signed_zeroes_infinities_nans: widths(self.preserve_signed_zero_inf_nan),
            round_to_nearest: widths(self.round_to_nearest),
        }
    }

    /// Whether the device offers what a capability stands for.
    fn offers(self, capability: Option<&u32>) -> bool {
        match capability {
            Some(4464) => self.preserve_denormals != 0,
            Some(4466) => self.preserve_signed_zero_inf_nan != 0,
            Some(4467) => self.round_to_nearest != 0,
            _ => true,
        }
    }

    /// Whether it offers an execution mode for floats of a width.
    fn offers_mode(self, mode: Option<&u32>, width: Option<&u32>) -> bool {
        let width = width.copied().unwrap_or(0);
        match mode {
            Some(4459) => self.preserve_denormals & width != 0,
            Some(4461) => self.preserve_signed_zero_inf_nan & width != 0,
            Some(4462) => self.round_to_nearest & width != 0,
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
                OP_CAPABILITY => self.offers(instruction.get(1)),
                OP_EXECUTION_MODE => self.offers_mode(instruction.get(2), instruction.get(3)),
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
        let wide = |number| [4 << 16 | OP_EXECUTION_MODE, 7, number, 64];
        let mut module = vec![0x0723_0203, 0x0001_0500, 0, 9, 0];
        for number in [1, 4464, 4466, 4467] {
            module.extend(capability(number));
        }
        for number in [4459, 4461, 4462] {
            module.extend(mode(number));
            module.extend(wide(number));
        }
        // A function whose words look like a mode.
        module.extend([5 << 16 | OP_FUNCTION, 1, 2, 0, 3]);
        module.extend(mode(4459));

        let all = FloatControls {
            preserve_denormals: 32 | 64,
            preserve_signed_zero_inf_nan: 32 | 64,
            round_to_nearest: 32 | 64,
        };
        assert_eq!(all.adapt(&module), module);

        let some = FloatControls {
            preserve_denormals: 0,
            round_to_nearest: 64,
            ..all
        };
        let mut expected = module[..HEADER].to_vec();
        expected.extend(capability(1));
        expected.extend(capability(4466));
        expected.extend(capability(4467));
        expected.extend(mode(4461));
        expected.extend(wide(4461));
        expected.extend(wide(4462));
        expected.extend([5 << 16 | OP_FUNCTION, 1, 2, 0, 3]);
        expected.extend(mode(4459));
        assert_eq!(some.adapt(&module), expected);
    }

    #[test]
    fn a_truncated_module_is_left_to_the_driver() {
        let all = FloatControls {
            preserve_denormals: 0,
            preserve_signed_zero_inf_nan: 0,
            round_to_nearest: 0,
        };
        assert_eq!(all.adapt(&[1, 2]), [1, 2]);
        let cut = [0, 0, 0, 0, 0, 9 << 16 | OP_CAPABILITY];
        assert_eq!(all.adapt(&cut), cut);
        let zero = [0, 0, 0, 0, 0, 0, 0];
        assert_eq!(all.adapt(&zero), zero);
    }
}
