//! Atomic additions to floats in views: whether a device has an instruction for them, and whether it
//! adds as Rust does.
//!
//! Kernels have both the instruction and a loop in its place, and choose by
//! [`FloatFaults::ATOMIC_ADD`]. A module may only contain an instruction that the device offers, even
//! where nothing reaches it, so [`FloatAtomics::adapt`] takes out the others.

use std::ops::{Add, Neg};
use std::sync::{Arc, LazyLock};

use amp_spirv::artifact::{Artifact, Feature, FloatFaults};
use ash::vk;
use bytemuck::{Pod, bytes_of};

use super::device::Device;
use super::enabled::Enabled;
use super::float_faults;
use super::probe::BLOCK_BYTES;
use crate::types::error::Result;

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

    fn offers(self, width: u32) -> bool {
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

/// The compiled kernels of `tests/golden/probe.rs` that add atomically.
static ADDS: LazyLock<Artifact> = LazyLock::new(|| adds("adds", include_bytes!("adds.spv")));
static ADDS_64: LazyLock<Artifact> =
    LazyLock::new(|| adds("adds_64", include_bytes!("adds_64.spv")));

fn adds(name: &'static str, spirv: &'static [u8]) -> Artifact {
    Artifact {
        name: name.into(),
        spirv: spirv.into(),
        rank: 1,
        block_bytes: BLOCK_BYTES,
        ..Artifact::default()
    }
}

impl Device {
    /// Whether there are atomic additions of `f32`, and they are right.
    pub(super) fn adds_f32_atomically(self: &Arc<Self>) -> Result<bool> {
        let pairs = float_faults::operands().into_iter().map(|[x, y, _]| [x, y]);
        Ok(self.facts.float_atomics.offers(32) && self.adds(&ADDS, pairs)?)
    }

    /// The same of `f64`.
    pub(super) fn adds_f64_atomically(self: &Arc<Self>) -> Result<bool> {
        let bits = |high: f32, low: f32| u64::from(high.to_bits()) << 32 | u64::from(low.to_bits());
        let pairs = float_faults::operands().into_iter();
        let pairs = pairs.map(|[x, y, z]| [bits(x, y), bits(y, z)].map(f64::from_bits));
        let facts = &self.facts;
        let mut needed = [Feature::Float64, Feature::Int64, Feature::Atomics64].into_iter();
        let offered = facts.float_atomics.offers(64) && needed.all(|it| facts.features.has(it));
        Ok(offered && self.adds(&ADDS_64, pairs)?)
    }

    /// Whether a kernel adds the second number of each pair to the first, and the negated first.
    fn adds<T: Pod + Neg<Output = T> + Add<Output = T> + PartialOrd>(
        self: &Arc<Self>,
        kernel: &'static Artifact,
        pairs: impl Iterator<Item = [T; 2]>,
    ) -> Result<bool> {
        let pairs: Vec<_> = pairs.flat_map(|[x, y]| [[x, y], [x, -x]]).collect();
        let results: Vec<[T; 2]> = self.run_probe(kernel, &[], FloatFaults::default(), &pairs)?;
        let is_nan = |it: T| it.partial_cmp(&it).is_none();
        let same = |a: T, b: T| bytes_of(&a) == bytes_of(&b) || is_nan(a) && is_nan(b);
        let mut results = pairs.into_iter().zip(results);
        Ok(results.all(|([x, y], [sum, before])| same(sum, x + y) && same(before, x)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::discrete_adapters;
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

    #[test]
    fn what_is_offered_is_tried() {
        for adapter in discrete_adapters() {
            let device = adapter.open().unwrap();
            let name = adapter.name();
            println!("{name}: {:?}", device.facts.float_atomics);
            let found = [device.adds_f32_atomically(), device.adds_f64_atomically()];
            println!("{name}: {found:?}");
            assert!(found.iter().all(Result::is_ok));
        }
        assert_eq!(super::super::validation_messages(), 0);
    }
}
