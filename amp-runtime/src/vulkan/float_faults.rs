//! Where a device's `f32` arithmetic differs from Rust's, found out by trying.
//!
//! A kernel computes comparisons, quotients, roots, fused products, flipped signs and conversions
//! to and from `f16` of known operands with the device's own instructions; what differs from the host's results is a fault,
//! for which every kernel from then on uses software. The kernel is `tests/golden/probe.rs`,
//! compiled; a test there sees to it that the two agree.
//!
//! Numbers that a few thousand operands do not bring to light stay hidden: the tests of
//! exactness try a million.

use std::sync::{Arc, PoisonError};

use amp_spirv::artifact::{Artifact, FloatFaults};

use super::device::Device;
use super::launch::{Access, Launch};
use super::pipeline::{Key, Switches};
use super::role::Role;
use super::stream::Stream;
use crate::error::Result;
use crate::profile::Profiler;
use crate::shape::Shape;
use crate::unreported::Listener;

/// Triples of operands.
const TRIPLES: usize = 2048;
/// Words that the kernel writes for each of them.
const RESULTS: usize = 7;
/// The probe's constant, which spoils results if it is not zero.
pub(super) type Salt = [u64; 1];
const NO_SALT: &Salt = &[0];
/// Offset of the address of the operands in the argument block, and of that of the results.
const VIEWS: [usize; 2] = [16, 32];

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
        block_bytes: 44,
        constant_bytes: (&[4]).into(),
        ..Artifact::default()
    })
}

impl Device {
    /// What is wrong with the device's floats; tried the first time.
    pub(super) fn float_faults(self: &Arc<Self>) -> Result<FloatFaults> {
        let mut known = self
            .float_faults
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = *known {
            return Ok(known);
        }
        let mut found = match is_all_software() {
            true => FloatFaults::ALL,
            false => judge(&operands(), &self.run_probe(NO_SALT)?),
        };
        if self.facts.is_lavapipe {
            // Its conversions are right, but take longer than ours.
            found.0 |= FloatFaults::HALVES.0;
        }
        tracing::debug!(device = %self.facts.name, faults = ?found, "tried the device's floats");
        Ok(*known.insert(found))
    }

    /// What the device makes of the operands.
    pub(super) fn run_probe(self: &Arc<Self>, salt: &'static Salt) -> Result<Vec<[u32; RESULTS]>> {
        let profiler = Arc::new(Profiler::new());
        let stream = Stream::new(self, 0, true, Role::Kernels, &profiler)?;
        let results = self.run_probe_on(&stream, salt, &profiler);
        // That this stream has ended is of no use to whoever wanted to know.
        results.map_err(|error| stream.timeline.cause().unwrap_or(error))
    }

    fn run_probe_on(
        &self,
        stream: &Stream,
        salt: &'static Salt,
        profiler: &Profiler,
    ) -> Result<Vec<[u32; RESULTS]>> {
        let operands = &*operands();
        let shape = Shape::new(&[operands.len()], None, stream.limits())?;
        let plain = FloatFaults::default();
        let key = Key::new(probe(), salt, &shape, Switches::OFF, plain);
        let pipeline = self.pipeline(probe(), key, profiler)?;
        let inputs = stream.allocate(size_of_val(operands) as u64)?;
        let mut results = vec![[0; RESULTS]; operands.len()];
        let outputs = stream.allocate(size_of_val(&*results) as u64)?;
        stream.upload(&inputs, &[(0, bytemuck::cast_slice(operands))])?;

        let mut block = vec![0; probe().block_bytes as usize];
        let mut write = |offset: usize, bytes: &[u8]| {
            block[offset..offset + bytes.len()].copy_from_slice(bytes);
        };
        write(8, &(shape.workgroups as u32).to_le_bytes());
        write(12, &(operands.len() as u32).to_le_bytes());
        for (offset, buffer) in VIEWS.into_iter().zip([&inputs, &outputs]) {
            write(offset, &buffer.address().to_le_bytes());
        }
        let access = |buffer, reads| Access {
            buffer: Arc::clone(buffer),
            data: Listener::new().data(),
            reads,
            writes: !reads,
        };
        stream.launch(Launch {
            artifact: probe(),
            writers: &[],
            pipeline,
            shape,
            extent: &[operands.len()],
            checked: false,
            block: &mut block,
            accesses: &[access(&inputs, true), access(&outputs, false)],
            bytes: 0,
        })?;
        stream.download(&outputs, vec![(0, bytemuck::cast_slice_mut(&mut results))])?;
        Ok(results)
    }
}

/// Operands of every kind: any bits, numbers around one, denormals, and special values.
fn operands() -> Vec<[f32; 3]> {
    const SPECIAL: [f32; 12] = [
        0.0,
        -0.0,
        1.0,
        -2.0,
        3.0,
        1e-45,
        -1e-40,
        f32::MIN_POSITIVE,
        1e-20,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    // SplitMix64.
    let mut state = 1_u64;
    let mut word = move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word >> 32) as u32, word as u32)
    };
    let mut float = move || {
        let (kind, bits) = word();
        let fraction = bits & 0x807f_ffff;
        match kind % 8 {
            0 => f32::from_bits(bits),
            1 => f32::from_bits(fraction),
            2 => SPECIAL[bits as usize % SPECIAL.len()],
            _ => f32::from_bits(fraction | (120 + kind / 8 % 16) << 23),
        }
    };
    (0..TRIPLES).map(|_| [float(), float(), float()]).collect()
}

/// The faults that results show.
fn judge(operands: &[[f32; 3]], results: &[[u32; RESULTS]]) -> FloatFaults {
    let is_wrong = |found: u32, expected: f32| {
        found != expected.to_bits() && !(f32::from_bits(found).is_nan() && expected.is_nan())
    };
    let mut faults = FloatFaults::default();
    let mut blame = |fault: FloatFaults| faults.0 |= fault.0;
    for (&[x, y, z], results) in operands.iter().zip(results) {
        let &[order, fused, root, quotient, flipped, ..] = results;
        let expected = u32::from(x < y) | u32::from(x <= y) << 1 | u32::from(x == y) << 2;
        if order != expected {
            blame(FloatFaults::COMPARISONS);
        }
        let sum = x.mul_add(y, z);
        if is_wrong(fused, sum) {
            let flushed = [x, y, z, sum, f32::from_bits(fused)]
                .iter()
                .any(|value| value.abs() <= f32::MIN_POSITIVE);
            blame(match flushed {
                true => FloatFaults::FLUSHED_FMA,
                false => FloatFaults::SPLIT_FMA,
            });
        }
        if is_wrong(root, x.abs().sqrt()) {
            blame(FloatFaults::SQRT);
        }
        if is_wrong(quotient, x / y) {
            blame(FloatFaults::DIVISION);
        }
        if is_wrong(flipped, -y) {
            blame(FloatFaults::SIGN_BITS);
        }
        #[cfg(feature = "half")]
        if !half::are_right([results[5], results[6]], half::results([x, y, z])) {
            blame(FloatFaults::HALVES);
        }
    }
    faults
}

/// What the probe computes with `f16`.
#[cfg(feature = "half")]
mod half {
    use half::f16;

    /// The first two operands rounded, and the number with the last one's lowest bits.
    pub fn results([x, y, z]: [f32; 3]) -> [u32; 2] {
        let few = f32::from_bits(x.to_bits() & 0xffff_f000);
        let round = |value| u32::from(f16::from_f32(value).to_bits());
        let float = f16::from_bits(z.to_bits() as u16).to_f32();
        [round(few) | round(y / 4096.0) << 16, float.to_bits()]
    }

    /// Whether results are as expected, but for the bits of NaN.
    pub fn are_right([rounded, float]: [u32; 2], expected: [u32; 2]) -> bool {
        let halves = |word: u32| [word as u16, (word >> 16) as u16].map(f16::from_bits);
        let same = |(a, b): (f16, f16)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        let mut pairs = halves(rounded).into_iter().zip(halves(expected[0]));
        let both_nan = || f32::from_bits(float).is_nan() && f32::from_bits(expected[1]).is_nan();
        pairs.all(same) && (float == expected[1] || both_nan())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of a device that is right but for what `spoil` does.
    fn found(spoil: impl Fn([f32; 3], &mut [u32; RESULTS])) -> FloatFaults {
        let operands = operands();
        let right = |[x, y, z]: [f32; 3]| {
            let order = u32::from(x < y) | u32::from(x <= y) << 1 | u32::from(x == y) << 2;
            let [fused, root, quotient, flipped] =
                [x.mul_add(y, z), x.abs().sqrt(), x / y, -y].map(f32::to_bits);
            #[cfg(feature = "half")]
            let [halves, float] = half::results([x, y, z]);
            #[cfg(not(feature = "half"))]
            let [halves, float] = [0; 2];
            [order, fused, root, quotient, flipped, halves, float]
        };
        let results: Vec<_> = operands
            .iter()
            .map(|&operands| {
                let mut results = right(operands);
                spoil(operands, &mut results);
                results
            })
            .collect();
        judge(&operands, &results)
    }

    #[test]
    fn a_right_device_has_no_faults() {
        assert_eq!(found(|_, _| {}), FloatFaults::default());
    }

    #[test]
    fn each_fault_is_told_from_the_others() {
        let flush = |value: f32| {
            let keep = !value.is_subnormal();
            if keep { value } else { 0.0_f32.copysign(value) }
        };
        let comparisons = found(|[x, y, _], results| {
            let (x, y) = (flush(x), flush(y));
            results[0] = u32::from(x < y) | u32::from(x <= y) << 1 | u32::from(x == y) << 2;
        });
        assert_eq!(comparisons, FloatFaults::COMPARISONS);
        let flushed = found(|[x, y, z], results| {
            results[1] = flush(flush(x).mul_add(flush(y), flush(z))).to_bits();
        });
        assert_eq!(flushed, FloatFaults::FLUSHED_FMA);
        let split = found(|[x, y, z], results| results[1] = (x * y + z).to_bits());
        assert_eq!(split.0 & FloatFaults::SPLIT_FMA.0, FloatFaults::SPLIT_FMA.0);
        let off = |word: &mut u32| *word ^= u32::from(*word & 0x7f == 3);
        assert_eq!(found(|_, results| off(&mut results[2])), FloatFaults::SQRT);
        assert_eq!(
            found(|_, results| off(&mut results[3])),
            FloatFaults::DIVISION
        );
        let signs = found(|[_, y, _], results| results[4] = flush(-y).to_bits());
        assert_eq!(signs, FloatFaults::SIGN_BITS);
        #[cfg(feature = "half")]
        for result in [5, 6] {
            let halves = found(|_, results| results[result] ^= 1 << 13);
            assert_eq!(halves, FloatFaults::HALVES);
        }
    }
}
