//! The kernels by which the run time finds out what is wrong with a device's floats.
//!
//! They are compiled here and lie beside `amp-runtime/src/device/vulkan/probe.rs`, since the run time
//! comes before the macros.

use amp::__private::Artifact;
use amp::prelude::*;
use half::f16;

/// Of each triple: how the first two compare, their fused product with the third, the
/// root of the first, the quotient of the first two, the second with the other sign, the first
/// and the second rounded to `f16`, the `f16` with the third's lowest bits.
/// A `SALT` spoils the first, so that a driver has no such kernel yet.
#[amp_kernel]
pub fn probe<const SALT: u32>(
    idx: Index<1>,
    operands: &ArrayView<f32, 1>,
    results: &mut ArrayViewMut<u32, 1>,
) {
    let i = idx[0];
    let (x, y, z) = (operands[3 * i], operands[3 * i + 1], operands[3 * i + 2]);
    let order = (x < y) as u32 | ((x <= y) as u32) << 1 | ((x == y) as u32) << 2;
    results[7 * i] = order ^ SALT;
    results[7 * i + 1] = x.mul_add(y, z).to_bits();
    results[7 * i + 2] = x.abs().sqrt().to_bits();
    results[7 * i + 3] = (x / y).to_bits();
    results[7 * i + 4] = f32::from_bits(y.to_bits() ^ 0x8000_0000).to_bits();
    // Half of those with few bits are between two `f16`; those that are scaled may be denormal.
    let few = f16::from_f32(f32::from_bits(x.to_bits() & 0xffff_f000));
    let scaled = f16::from_f32(y * 0.000_244_140_625);
    results[7 * i + 5] = few.to_bits() as u32 | (scaled.to_bits() as u32) << 16;
    results[7 * i + 6] = f16::from_bits(z.to_bits() as u16).to_f32().to_bits();
}

/// Of each pair: their sum, which an atomic operation makes of the first, and what that operation returns.
#[amp_kernel]
pub fn adds(idx: Index<1>, pairs: &ArrayView<f32, 1>, results: &mut ArrayViewMut<f32, 1>) {
    let i = idx[0];
    results[2 * i] = pairs[2 * i];
    results[2 * i + 1] = atomic_fetch_add(&mut results[2 * i], pairs[2 * i + 1]);
}

/// The same of `f64`.
#[amp_kernel]
pub fn adds_64(idx: Index<1>, pairs: &ArrayView<f64, 1>, results: &mut ArrayViewMut<f64, 1>) {
    let i = idx[0];
    results[2 * i] = pairs[2 * i];
    results[2 * i + 1] = atomic_fetch_add(&mut results[2 * i], pairs[2 * i + 1]);
}

#[test]
fn the_run_time_has_the_compiled_probes() -> amp::Result<()> {
    let operands = amp::Array::zeroed([3])?;
    let mut results = amp::Array::zeroed([7])?;
    let kernel = probe::<0>(&operands, &mut results);
    assert_eq!(*kernel.artifact().constant_bytes, [4]);
    is_kept(kernel.artifact(), "probe.spv");
    let mut results = amp::Array::zeroed([2])?;
    is_kept(adds(&operands, &mut results).artifact(), "adds.spv");
    let operands = amp::Array::zeroed([2])?;
    let mut results = amp::Array::zeroed([2])?;
    is_kept(adds_64(&operands, &mut results).artifact(), "adds_64.spv");
    Ok(())
}

/// Requires that the run time has a kernel as it is compiled now, in a file.
fn is_kept(artifact: &Artifact, file: &str) {
    testkit::validate(artifact);
    assert_eq!(artifact.block_bytes, 44, "probe.rs fills the block by hand");
    let offsets: Vec<u32> = artifact.params.iter().map(|param| param.offset).collect();
    assert_eq!(offsets, [16, 32]);

    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../amp-runtime/src/device/vulkan"
    );
    let path = std::path::Path::new(folder).join(file);
    if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(&path, &artifact.spirv).expect("the file can be written");
    }
    let kept = std::fs::read(path).expect("it is in the repository");
    assert!(
        kept == *artifact.spirv,
        "the compiler makes another {file} now; write it with \
         `INSTA_UPDATE=always cargo test -p amp-tests --test golden`"
    );
}
