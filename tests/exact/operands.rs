//! What the operations are tried on.

use testkit::numbers::{DOUBLES, FLOATS, pairs, random, random_wide};

/// Random operands of each operation; fewer where software does the work.
fn random_operands() -> usize {
    match std::env::var("AMP_SOFT_FLOATS") {
        Ok(_) => 1 << 17,
        Err(_) => 1 << 20,
    }
}

/// A float from two random words: of each five, one has any bits, one lies around one, one
/// among the smallest numbers, one is a multiple of a half, and one is nearly a power of
/// two.
fn float(kind: u32, bits: u32) -> f32 {
    let sign_and_mantissa = bits & 0x807f_ffff;
    match kind % 5 {
        0 => f32::from_bits(bits),
        1 => f32::from_bits(sign_and_mantissa | (119 + kind / 5 % 16) << 23),
        2 => f32::from_bits(sign_and_mantissa | (kind / 5 % 26) << 23),
        3 => (bits.cast_signed() >> (kind / 5 % 32)) as f32 * 0.5,
        _ => f32::from_bits((bits & 0xff80_0000).wrapping_add(bits & 7).wrapping_sub(4)),
    }
}

fn floats(seed: u64) -> impl Iterator<Item = f32> {
    random(seed)
        .zip(random(seed + 100))
        .map(|(kind, bits)| float(kind, bits))
        .take(random_operands())
}

/// All pairs of special values, each with a third one, and random triples.
pub fn triples() -> (Vec<f32>, Vec<f32>, Vec<f32>) {
    let (mut x, mut y) = pairs(&FLOATS);
    let mut z: Vec<f32> = random(30)
        .map(|word| FLOATS[word as usize % FLOATS.len()])
        .take(x.len())
        .collect();
    x.extend(floats(31));
    y.extend(floats(32));
    // A third of the sums nearly cancel the product.
    let products = x.iter().zip(&y).skip(z.len()).map(|(x, y)| -(x * y));
    let third: Vec<f32> = products
        .zip(floats(33))
        .enumerate()
        .map(|(k, (product, other))| if k % 3 == 0 { product } else { other })
        .collect();
    z.extend(third);
    (x, y, z)
}

/// [`float`] for 64 bits.
fn double(kind: u32, bits: u64) -> f64 {
    let sign_and_mantissa = bits & 0x800f_ffff_ffff_ffff;
    let exponent = u64::from(kind / 5);
    match kind % 5 {
        0 => f64::from_bits(bits),
        1 => f64::from_bits(sign_and_mantissa | (1000 + exponent % 60) << 52),
        2 => f64::from_bits(sign_and_mantissa | (exponent % 56) << 52),
        3 => (bits.cast_signed() >> (exponent % 64)) as f64 * 0.5,
        _ => f64::from_bits(
            (bits & 0xfff0_0000_0000_0000)
                .wrapping_add(bits & 7)
                .wrapping_sub(4),
        ),
    }
}

fn doubles(seed: u64) -> impl Iterator<Item = f64> {
    random(seed)
        .zip(random_wide(seed + 100))
        .map(|(kind, bits)| double(kind, bits))
        .take(random_operands())
}

/// [`triples`] for 64 bits.
pub fn wide_triples() -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (mut x, mut y) = pairs(&DOUBLES);
    let mut z: Vec<f64> = random(34)
        .map(|word| DOUBLES[word as usize % DOUBLES.len()])
        .take(x.len())
        .collect();
    x.extend(doubles(35));
    y.extend(doubles(36));
    let products = x.iter().zip(&y).skip(z.len()).map(|(x, y)| -(x * y));
    let third: Vec<f64> = products
        .zip(doubles(37))
        .enumerate()
        .map(|(k, (product, other))| if k % 3 == 0 { product } else { other })
        .collect();
    z.extend(third);
    (x, y, z)
}

/// Every float of 16 bits with one whose bits it shares in part or not at all, and random
/// pairs.
pub fn half_pairs<T>(seed: u64, of: impl Fn(u16) -> T) -> (Vec<T>, Vec<T>) {
    let every = (0..=u16::MAX).zip(random(seed)).map(|(x, word)| {
        let y = match word % 4 {
            // Of like size, where sums cancel and quotients are near one.
            0 => x ^ (word >> 8 & 0x7f) as u16,
            1 => x ^ 0x8000 ^ (word >> 8 & 7) as u16,
            _ => (word >> 16) as u16,
        };
        (x, y)
    });
    let random = random(seed + 10).map(|word| (word as u16, (word >> 16) as u16));
    let pairs = every.chain(random.take(random_operands()));
    pairs.map(|(x, y)| (of(x), of(y))).unzip()
}
