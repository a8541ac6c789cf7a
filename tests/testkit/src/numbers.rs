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

/// Integers of 64 bits of the same kinds.
pub const WIDE: [i64; 30] = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    -7,
    10,
    31,
    63,
    64,
    -64,
    255,
    65_536,
    i32::MAX as i64,
    i32::MIN as i64,
    u32::MAX as i64,
    u32::MAX as i64 + 1,
    0x0123_4567_89ab_cdef,
    -0x0123_4567_89ab_cdef,
    0x5555_5555_5555_5555,
    0x0000_0001_0000_0000,
    0x1234_5678_0000_0000,
    (1 << 53) + 1,
    -(1 << 24) - 1,
    i64::MAX,
    i64::MAX - 1,
    i64::MIN,
    i64::MIN + 1,
];

/// Floats of 64 bits of the kinds of [`FLOATS`].
pub const DOUBLES: [f64; 44] = [
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
    0.499_999_999_999_999_94,
    -0.499_999_999_999_999_94,
    0.1,
    -0.7,
    1.0 / 3.0,
    1.0 + f64::EPSILON,
    std::f64::consts::PI,
    -std::f64::consts::E,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    2e-310,
    1e-45,
    4_503_599_627_370_495.5,
    4_503_599_627_370_497.0,
    -9_007_199_254_740_993.0,
    2_147_483_647.5,
    -2_147_483_648.5,
    4_294_967_296.0,
    9_223_372_036_854_775_807.0,
    -9_223_372_036_854_775_808.0,
    18_446_744_073_709_551_615.0,
    3.5e38,
    1e-300,
    1e300,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Random double words, the same in each run.
pub fn random_wide(seed: u64) -> impl Iterator<Item = u64> {
    let (low, high) = (random(seed), random(!seed));
    low.zip(high)
        .map(|(low, high)| u64::from(high) << 32 | u64::from(low))
}

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
