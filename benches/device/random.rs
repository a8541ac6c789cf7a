//! Random data, the same in each run.

/// Random numbers (xorshift64*).
pub fn bits(seed: u64) -> impl Iterator<Item = u32> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(move || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    })
}

/// Floats from -1 to 1.
pub fn floats(seed: u64, count: usize) -> Vec<f32> {
    let float = |bits: u32| bits as i32 as f32 / 2_147_483_648.0;
    bits(seed).take(count).map(float).collect()
}

/// Indices below a bound.
pub fn indices(seed: u64, count: usize, bound: usize) -> Vec<u32> {
    let index = |bits: u32| ((u64::from(bits) * bound as u64) >> 32) as u32;
    bits(seed).take(count).map(index).collect()
}
