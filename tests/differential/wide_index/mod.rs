//! Kernels with `index = 64`, in which a `usize` has as many bits as on the host.

mod faults;
mod large;
mod loops;
mod values;
mod views;

/// Numbers of 64 bits around powers of two and at both ends, in pairs.
fn pairs() -> (Vec<u64>, Vec<u64>) {
    let interesting = [
        0,
        1,
        2,
        7,
        31,
        33,
        64,
        0xffff_ffff,
        0x1_0000_0000,
        0x1_0000_0001,
        0x1234_5678_9abc_def0,
        (1 << 63) - 1,
        1 << 63,
        (1 << 63) + 1,
        u64::MAX - 1,
        u64::MAX,
    ];
    let all = interesting
        .iter()
        .flat_map(|x| interesting.iter().map(move |y| (*x, *y)));
    all.unzip()
}
