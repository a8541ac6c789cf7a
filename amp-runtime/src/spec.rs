//! Constants of a kernel as the 32 bits that a specialization constant takes.
//!
//! Called by the expansion inside `const` blocks: a value that no device can hold is an
//! error when the kernel is compiled.

/// A `usize`, which is 32 bits wide on a device.
pub const fn usize(value: usize) -> u32 {
    assert!(
        value <= u32::MAX as usize,
        "a usize constant of a kernel must fit 32 bits"
    );
    value as u32
}

/// A `u32`.
pub const fn u32(value: u32) -> u32 {
    value
}

/// An `i32` by its bits.
pub const fn i32(value: i32) -> u32 {
    value.cast_unsigned()
}

/// An `f32` by its bits.
pub const fn f32(value: f32) -> u32 {
    value.to_bits()
}

/// A `bool` as 0 or 1.
pub const fn bool(value: bool) -> u32 {
    value as u32
}
