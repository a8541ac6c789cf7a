//! Random data, the same in each run.

use rayon::prelude::*;

/// Elements that are drawn in one task.
const TASK: usize = 1 << 16;

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

/// What `make` makes of so many random numbers, drawn in parallel.
pub fn made<T: Copy + Default + Send>(
    seed: u64,
    count: usize,
    make: impl Fn(u32) -> T + Sync,
) -> Vec<T> {
    let mut data = vec![T::default(); count];
    let tasks = data.par_chunks_mut(TASK).enumerate();
    tasks.for_each(|(number, task)| {
        let bits = bits(seed << 32 | number as u64);
        task.iter_mut()
            .zip(bits)
            .for_each(|(it, bits)| *it = make(bits));
    });
    data
}

/// A float from -1 to 1.
pub fn float(bits: u32) -> f32 {
    bits as i32 as f32 / 2_147_483_648.0
}

/// Floats from -1 to 1.
pub fn floats(seed: u64, count: usize) -> Vec<f32> {
    made(seed, count, float)
}

/// Indices below a bound.
pub fn indices(seed: u64, count: usize, bound: usize) -> Vec<u32> {
    made(seed, count, |bits| {
        ((u64::from(bits) * bound as u64) >> 32) as u32
    })
}
