//! Trying what a device's instructions make of floats.
//!
//! The kernels are those of `tests/golden/probe.rs`, compiled; a test there sees to it that they agree.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::{Add, Neg};
use std::sync::{Arc, LazyLock, PoisonError};

use amp_spirv::artifact::{Artifact, Feature, FloatFaults};
use bytemuck::{Pod, bytes_of};

use super::device::Device;
use super::facts::Facts;
use super::float_faults::{RESULTS, judge, nearly_middles, operands};
use super::probe::BLOCK_BYTES;
use crate::types::error::Result;

/// The probe's constant, which spoils results if it is not zero.
type Salt = [u64; 1];
const NO_SALT: &Salt = &[0];

/// `AMP_SOFT_FLOATS=1` has software compute all that some device does wrong.
fn is_all_software() -> bool {
    std::env::var("AMP_SOFT_FLOATS").is_ok_and(|value| value == "1")
}

/// The compiled `tests/golden/probe.rs`.
pub(super) fn probe() -> &'static Artifact {
    static PROBE: std::sync::OnceLock<Artifact> = std::sync::OnceLock::new();
    PROBE.get_or_init(|| Artifact {
        name: "probe".into(),
        spirv: include_bytes!("probe.spv").into(),
        rank: 1,
        block_bytes: BLOCK_BYTES,
        constant_bytes: (&[4]).into(),
        ..Artifact::default()
    })
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
    /// Which of some faults the device has; tried the first time.
    pub(super) fn float_faults(self: &Arc<Self>, asked: FloatFaults) -> Result<FloatFaults> {
        if is_all_software() {
            return Ok(asked);
        }
        let faults = self.float_faults.lock();
        let mut faults = faults.unwrap_or_else(PoisonError::into_inner);
        let mut try_all = |of: FloatFaults, find: &dyn Fn(FloatFaults) -> Result<FloatFaults>| {
            if asked.has(of) && !faults.tried.has(of) {
                let found = find(faults.found)?;
                tracing::debug!(device = %self.facts.name, faults = ?found, "tried the device's floats");
                faults.tried.0 |= of.0;
                faults.found.0 |= found.0;
            }
            Ok(())
        };
        let [add, add_64] = [FloatFaults::ATOMIC_ADD, FloatFaults::ATOMIC_ADD_64];
        let step = FloatFaults::SQRT_STEP;
        try_all(FloatFaults::ARITHMETIC, &|_| self.arithmetic_faults())?;
        try_all(step, &|found| {
            Ok(unless(self.roots_in_a_step(found)?, step))
        })?;
        try_all(add, &|_| Ok(unless(self.adds_f32_atomically()?, add)))?;
        try_all(add_64, &|_| Ok(unless(self.adds_f64_atomically()?, add_64)))?;
        Ok(FloatFaults(faults.found.0 & asked.0))
    }

    fn arithmetic_faults(self: &Arc<Self>) -> Result<FloatFaults> {
        let mut found = judge(&operands(), &self.probe_arithmetic(NO_SALT)?);
        if self.facts.is_lavapipe {
            // Its conversions are right, but take longer than ours.
            found.0 |= FloatFaults::HALVES.0;
        }
        Ok(found)
    }

    /// Whether kernels need no more than one step for roots on a device with some faults.
    fn roots_in_a_step(self: &Arc<Self>, found: FloatFaults) -> Result<bool> {
        if !found.has(FloatFaults::SQRT) || found.has(FloatFaults::SPLIT_FMA) {
            // They take none, or another way.
            return Ok(true);
        }
        let middles = [-30, -15, 0, 15, 30].into_iter().flat_map(|exponent| {
            let scale = 4.0_f32.powi(exponent);
            nearly_middles().map(move |x| [x * scale, 1.0, 0.0])
        });
        let operands: Vec<[f32; 3]> = operands().into_iter().chain(middles).collect();
        let results: Vec<[u32; RESULTS]> =
            self.run_probe(probe(), NO_SALT, FloatFaults::SQRT, &operands)?;
        Ok(!judge(&operands, &results).has(FloatFaults::SQRT))
    }

    /// What the device makes of the operands.
    pub(super) fn probe_arithmetic(
        self: &Arc<Self>,
        salt: &'static Salt,
    ) -> Result<Vec<[u32; RESULTS]>> {
        self.run_probe(probe(), salt, FloatFaults::default(), &operands())
    }

    /// Whether there are atomic additions of `f32`, and they are right.
    pub(super) fn adds_f32_atomically(self: &Arc<Self>) -> Result<bool> {
        let pairs = operands().into_iter().map(|[x, y, _]| [x, y]);
        Ok(self.facts.float_atomics.offers(32) && self.adds(&ADDS, pairs)?)
    }

    /// The same of `f64`.
    pub(super) fn adds_f64_atomically(self: &Arc<Self>) -> Result<bool> {
        let bits = |high: f32, low: f32| u64::from(high.to_bits()) << 32 | u64::from(low.to_bits());
        let pairs = operands().into_iter();
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

/// Has the driver compile a kernel that it does not know, and runs it, on a device that is
/// opened for it alone and keeps nothing.
pub(super) fn rehearse(facts: &Facts) {
    static SALT: LazyLock<Salt> = LazyLock::new(|| {
        let random = RandomState::new().build_hasher().finish();
        [random & u64::from(u32::MAX) | 1]
    });
    let device = Device::passing(facts);
    if let Err(error) = device.and_then(|device| device.probe_arithmetic(&SALT)) {
        tracing::info!(%error, "could not rehearse the device's compiler");
    }
}

/// A fault, but for a device that is right.
fn unless(is_right: bool, fault: FloatFaults) -> FloatFaults {
    match is_right {
        true => FloatFaults::default(),
        false => fault,
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::discrete_adapters;

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
