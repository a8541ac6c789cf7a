//! Where a device's `f32` arithmetic differs from Rust's, found out by [trying](super::float_probe).
//!
//! A kernel computes comparisons, quotients, roots, fused products, flipped signs and conversions
//! to and from `f16` of known operands with the device's own instructions; what differs from the
//! host's results is a fault, for which every kernel from then on uses software.
//!
//! Numbers that a few thousand operands do not bring to light stay hidden: the tests of
//! exactness try a million.

use amp_spirv::artifact::FloatFaults;

/// Triples of operands.
const TRIPLES: usize = 2048;
/// Words that the kernel writes for each of them.
pub(super) const RESULTS: usize = 7;

/// What has been found out of a device's faults.
#[derive(Default)]
pub(super) struct FoundFaults {
    pub(super) tried: FloatFaults,
    pub(super) found: FloatFaults,
}

/// Numbers from one to four whose roots lie next to the middle of two neighbours, so that an error of
/// 2^-43 could round them to the wrong one.
pub(super) fn nearly_middles() -> impl Iterator<Item = f32> {
    // With a root of 24 bits, root (root + 1) is the square of the middle above it but for a quarter;
    // what differs from that by a few units has to be a mantissa, with zeroes behind it.
    let zeroes = [23_u32, 24].into_iter();
    let all = zeroes.flat_map(|zeroes| (-16..=16_i64).map(move |half| (zeroes, 2 * half)));
    let all = all.flat_map(|(zeroes, off)| [0_i64, 1].map(|lowest| (zeroes, off, lowest)));
    all.filter_map(|(zeroes, off, lowest)| {
        let square = |root: i64| root * (root + 1) + off;
        let bits = 1..zeroes;
        let low = bits.fold(lowest, |root, bit| root | square(root) & (1 << bit));
        let root = low | 1 << 23;
        let mantissa = square(root) >> zeroes;
        let fits = square(root) % (1 << zeroes) == 0 && mantissa >> 23 == 1;
        fits.then(|| mantissa as f32 / (1 << (46 - zeroes)) as f32)
    })
}

/// Operands of every kind: any bits, numbers around one, denormals, and special values.
pub(super) fn operands() -> Vec<[f32; 3]> {
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
pub(super) fn judge(operands: &[[f32; 3]], results: &[[u32; RESULTS]]) -> FloatFaults {
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
    fn roots_nearly_lie_in_the_middle() {
        let numbers: Vec<f32> = nearly_middles().collect();
        assert_eq!(numbers.len(), 52);
        for x in numbers {
            assert!((1.0..4.0).contains(&x), "{x}");
            let places = f64::from(x).sqrt() * f64::from(1 << 23);
            assert!((places.fract() - 0.5).abs() < 2e-6, "{x}: {places}");
        }
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
