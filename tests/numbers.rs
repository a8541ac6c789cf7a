//! Numbers to compute with: those where something could go wrong, and random ones.

/// Integers at the ends of ranges, around powers of two, and small.
pub const INTEGERS: [i32; 26] = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    -3,
    7,
    -7,
    10,
    31,
    32,
    33,
    -32,
    255,
    256,
    46_341,
    65_535,
    65_536,
    0x5555_5555,
    -0x5555_5556,
    0x1234_5678,
    i32::MAX,
    i32::MAX - 1,
    i32::MIN,
    i32::MIN + 1,
];

/// Floats at every kind of edge: zeroes, denormals, halves, ends of integer ranges,
/// infinities, NaN.
pub const FLOATS: [f32; 54] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    3.0,
    -3.0,
    10.0,
    0.5,
    -0.5,
    1.5,
    -1.5,
    2.5,
    -2.5,
    3.5,
    0.499_999_97,
    -0.499_999_97,
    0.1,
    -0.7,
    1.0 / 3.0,
    1.0 + f32::EPSILON,
    1.0 - f32::EPSILON / 2.0,
    std::f32::consts::PI,
    -std::f32::consts::E,
    f32::MIN_POSITIVE,
    -f32::MIN_POSITIVE,
    1e-45,
    -1e-45,
    1.175_494_2e-38,
    -1.175_494_2e-38,
    1e-40,
    3e-39,
    4_194_303.5,
    8_388_607.5,
    -8_388_607.5,
    8_388_608.0,
    8_388_609.0,
    16_777_216.0,
    16_777_217.0,
    2_147_483_520.0,
    2_147_483_648.0,
    -2_147_483_648.0,
    -2_147_483_904.0,
    4_294_967_040.0,
    4_294_967_296.0,
    -4_294_967_296.0,
    1e10,
    1e-30,
    1e30,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// Random words (SplitMix64), the same in each run.
pub fn random(seed: u64) -> impl Iterator<Item = u32> {
    let mut state = seed;
    std::iter::from_fn(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Some((word >> 32) as u32)
    })
}

/// Random floats in `[0, 1)`.
pub fn random_unit(seed: u64) -> impl Iterator<Item = f32> {
    random(seed).map(|word| (word >> 8) as f32 / 16_777_216.0)
}

/// All pairs of values, as two columns.
pub fn pairs<T: Copy>(values: &[T]) -> (Vec<T>, Vec<T>) {
    let all = values
        .iter()
        .flat_map(|&a| values.iter().map(move |&b| (a, b)));
    all.unzip()
}
