//! Atomic additions to floats in views: whether a device has an instruction for them. Whether it adds
//! as Rust does is [tried](super::float_probe).
//!
//! Kernels have both the instruction and a loop in its place, and choose by
//! `FloatFaults::ATOMIC_ADD`. A module may only contain an instruction that the device offers, even
//! where nothing reaches it, so [`FloatAtomics::adapt`] takes out the others.

use ash::vk;

use super::enabled::Enabled;

/// Words before the first instruction.
const HEADER: usize = 5;
const OP_UNDEF: u32 = 1;
const OP_EXTENSION: u32 = 10;
const OP_CAPABILITY: u32 = 17;
const OP_TYPE_FLOAT: u32 = 22;
const OP_ATOMIC_FADD: u32 = 6035;
const ATOMIC_FLOAT_32_ADD: u32 = 6033;
const ATOMIC_FLOAT_64_ADD: u32 = 6034;
/// The extension of SPIR-V that has the instruction, as a module names it.
const NAME: &[u8] = b"SPV_EXT_shader_atomic_float_add\0";

/// For which widths of floats, as a sum of them, a device offers the instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloatAtomics(u32);

impl FloatAtomics {
    pub(super) fn new(enabled: &Enabled) -> Self {
        let has = &enabled.float_atomics;
        let width = |width, has| if has == vk::TRUE { width } else { 0 };
        Self(
            width(32, has.shader_buffer_float32_atomic_add)
                | width(64, has.shader_buffer_float64_atomic_add),
        )
    }

    pub(super) fn offers(self, width: u32) -> bool {
        self.0 & width != 0
    }

    /// The module without the instructions that the device does not offer.
    pub(super) fn adapt(self, module: Vec<u32>) -> Vec<u32> {
        let instructions = || Instructions(module.get(HEADER..).unwrap_or_default());
        let asked = |instruction: &[u32]| match instruction {
            [first, ATOMIC_FLOAT_32_ADD] if first & 0xffff == OP_CAPABILITY => 32,
            [first, ATOMIC_FLOAT_64_ADD] if first & 0xffff == OP_CAPABILITY => 64,
            _ => 0,
        };
        let all = instructions().fold(0, |all, instruction| all | asked(instruction));
        if all & !self.0 == 0 {
            return module;
        }
        let mut adapted = module[..HEADER].to_vec();
        let mut left_out = Vec::new();
        for instruction in instructions() {
            match (instruction[0] & 0xffff, instruction) {
                (OP_CAPABILITY, _) if asked(instruction) & !self.0 != 0 => {}
                (OP_EXTENSION, [_, name @ ..])
                    if all & self.0 == 0 && bytemuck::cast_slice::<u32, u8>(name) == NAME => {}
                (OP_TYPE_FLOAT, [_, id, width, ..]) => {
                    if width & !self.0 != 0 {
                        left_out.push(*id);
                    }
                    adapted.extend_from_slice(instruction);
                }
                // Something has to stand behind the result.
                (OP_ATOMIC_FADD, [_, ty, result, ..]) if left_out.contains(ty) => {
                    adapted.extend([3 << 16 | OP_UNDEF, *ty, *result]);
                }
                _ => adapted.extend_from_slice(instruction),
            }
        }
        adapted
    }
}

/// The instructions of a module, as far as they are whole.
struct Instructions<'a>(&'a [u32]);

impl<'a> Iterator for Instructions<'a> {
    type Item = &'a [u32];

    fn next(&mut self) -> Option<&'a [u32]> {
        let length = (self.0.first()? >> 16) as usize;
        let (instruction, rest) = self.0.split_at_checked(length.max(1))?;
        self.0 = rest;
        Some(instruction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capability(number: u32) -> [u32; 2] {
        [2 << 16 | OP_CAPABILITY, number]
    }

    /// A module that adds to floats of both widths, with what a device takes out of it if it offers
    /// none, the first, the second.
    #[test]
    fn only_what_is_offered_stays() {
        let name: Vec<u32> = bytemuck::pod_collect_to_vec(NAME);
        let extension = [&[(1 + name.len() as u32) << 16 | OP_EXTENSION], &*name].concat();
        let types = [
            [3 << 16 | OP_TYPE_FLOAT, 7, 32],
            [3 << 16 | OP_TYPE_FLOAT, 8, 64],
        ]
        .concat();
        let add = |ty, id| vec![7 << 16 | OP_ATOMIC_FADD, ty, id, 1, 2, 3, 4];
        let undefined = |ty, id| vec![3 << 16 | OP_UNDEF, ty, id];
        let (none, shader) = (Vec::new(), capability(1).to_vec());
        let [first, second] =
            [ATOMIC_FLOAT_32_ADD, ATOMIC_FLOAT_64_ADD].map(|it| capability(it).to_vec());
        let module = |parts: [&Vec<u32>; 5]| {
            let [one, other, extension, add, add_64] = parts;
            let header = vec![0x0723_0203, 0x0001_0500, 0, 9, 0];
            [&header, &shader, one, other, extension, &types, add, add_64]
                .map(Vec::clone)
                .concat()
        };
        let all = module([&first, &second, &extension, &add(7, 20), &add(8, 21)]);
        let expected = [
            (32 | 64, all.clone()),
            (
                32,
                module([&first, &none, &extension, &add(7, 20), &undefined(8, 21)]),
            ),
            (
                64,
                module([&none, &second, &extension, &undefined(7, 20), &add(8, 21)]),
            ),
            (
                0,
                module([&none, &none, &none, &undefined(7, 20), &undefined(8, 21)]),
            ),
        ];
        for (widths, expected) in expected {
            assert_eq!(
                FloatAtomics(widths).adapt(all.clone()),
                expected,
                "{widths}"
            );
        }
        let plain = module([&none, &none, &none, &none, &none]);
        assert_eq!(FloatAtomics(0).adapt(plain.clone()), plain);
        // What is no module is left alone.
        assert_eq!(FloatAtomics(0).adapt(vec![1, 2]), [1, 2]);
    }
}
