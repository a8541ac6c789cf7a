//! Constants of a kernel as the bits that a specialization constant takes.
//!
//! Called by the expansion inside `const` blocks: a value that no device can hold is an
//! error when the kernel is compiled. A constant of 32 bits or fewer is what a device's
//! register holds for it (see [`amp_spirv::artifact`]), in the lower half.

macro_rules! integers {
    ($($ty:ident)*) => {$(
        /// Extended to a register's width.
        pub const fn $ty(value: $ty) -> u64 {
            value as i64 as u64
        }
    )*};
}
integers!(i8 u8 i16 u16 i32 u32 i64 u64);

/// A `usize`, which is 32 bits wide on a device.
pub const fn usize(value: usize) -> u64 {
    assert!(
        value <= u32::MAX as usize,
        "a usize constant of a kernel must fit 32 bits"
    );
    value as u64
}

/// An `isize`, which is 32 bits wide on a device.
pub const fn isize(value: isize) -> u64 {
    assert!(
        value as i32 as isize == value,
        "an isize constant of a kernel must fit 32 bits"
    );
    value as u64
}

/// An `f32` by its bits.
pub const fn f32(value: f32) -> u64 {
    value.to_bits() as u64
}

/// An `f64` by its bits.
pub const fn f64(value: f64) -> u64 {
    value.to_bits()
}

/// An `f16` by the bits of the `f32` of the same value.
#[cfg(feature = "half")]
pub const fn f16(value: half::f16) -> u64 {
    f32(value.to_f32_const())
}

/// A `bf16` by the bits of the `f32` of the same value.
#[cfg(feature = "half")]
pub const fn bf16(value: half::bf16) -> u64 {
    f32(value.to_f32_const())
}

/// A `bool` as 0 or 1.
pub const fn bool(value: bool) -> u64 {
    value as u64
}
