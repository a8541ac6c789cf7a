//! The kernel with which the run time tests what it does when calls of Vulkan fail.
//!
//! It is compiled here and lies in `amp-runtime/src/device/vulkan/mock`, since the run time comes
//! before the macros.

use amp::prelude::*;

/// Adds one to elements from `start` on, says so once, and has more arguments than push
/// constants have room for.
#[amp_kernel]
pub fn tell(
    idx: Index<1>,
    from: &ArrayView<u32, 1>,
    to: &mut ArrayViewMut<u32, 1>,
    start: u32,
    spill: (Index<8>, Index<8>, Index<8>, Index<8>),
) {
    if idx[0] == spill.3[7] {
        println!("telling");
    }
    to[idx] = from[idx[0] + start as usize] + 1;
}

#[test]
fn the_run_time_has_the_compiled_tell() -> amp::Result<()> {
    let from = amp::Array::zeroed([3])?;
    let mut to = amp::Array::zeroed([3])?;
    let zero = Index::default();
    let kernel = tell(&from, &mut to, 0, (zero, zero, zero, zero));
    let artifact = kernel.artifact();
    testkit::validate(artifact);
    // What `mock/tell.rs` assumes.
    assert!(
        artifact.spilled && artifact.block_bytes == 176,
        "{}",
        artifact.block_bytes
    );
    let offsets: Vec<u32> = artifact.params.iter().map(|param| param.offset).collect();
    assert_eq!(offsets, [16, 32, 44, 48]);
    assert_eq!((artifact.faults.len(), artifact.messages.len()), (2, 1));
    assert_eq!(artifact.print_words, 7);

    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../amp-runtime/src/device/vulkan/mock/tell.spv"
    );
    if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(path, &artifact.spirv).expect("the file can be written");
    }
    let kept = std::fs::read(path).expect("it is in the repository");
    assert!(
        kept == *artifact.spirv,
        "the compiler makes another kernel now; write it with \
         `INSTA_UPDATE=always cargo test -p amp-tests --test golden`"
    );
    Ok(())
}
