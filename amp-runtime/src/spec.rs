//! Constants of a kernel as the bits that a specialization constant takes.
//!
//! Called by the expansion inside constants: a value that no device can hold is an error when the
//! kernel is compiled, at the place where it is written (`track_caller`). A constant of 32 bits
//! or fewer is what a device's register holds for it (see [`amp_spirv::artifact`]), in the lower
//! half.

macro_rules! integers {
    ($($ty:ident)*) => {$(
        /// Extended to a register's width.
        pub const fn $ty(value: $ty) -> u64 {
            value as i64 as u64
        }
    )*};
}
integers!(i8 u8 i16 u16 i32 u32 i64 u64);

/// A `usize`. Where it has 32 bits on the device, [`fits_usize`] checks it.
pub const fn usize(value: usize) -> u64 {
    value as u64
}

/// An `isize`. Where it has 32 bits on the device, [`fits_isize`] checks it.
pub const fn isize(value: isize) -> u64 {
    value as u64
}

/// A constant of any integer type that bounds a loop whose numbers nobody sees.
#[track_caller]
pub const fn bound(value: i128) -> isize {
    assert!(
        value == value as isize as i128,
        "[AMP0011] a constant that only bounds a loop must fit 64 bits with sign; give the loop's \
         type: `0_u64..CONST`"
    );
    value as isize
}

/// The bits of a `usize` for a device on which that has 32.
#[track_caller]
pub const fn fits_usize(bits: u64) -> u64 {
    assert!(
        bits <= u32::MAX as u64,
        "[AMP0011] a usize constant of a kernel must fit 32 bits; give the attribute `index = 64`"
    );
    bits
}

/// The bits of an `isize` for a device on which that has 32.
#[track_caller]
pub const fn fits_isize(bits: u64) -> u64 {
    assert!(
        bits as i32 as u64 == bits,
        "[AMP0011] an isize constant of a kernel, or one that only bounds a loop, must fit 32 bits; \
         give the attribute `index = 64`, or the loop's type: `0_u32..CONST`"
    );
    bits
}

/// The bits of an array's length.
#[track_caller]
pub const fn fits_length(bits: u64) -> u64 {
    assert!(
        bits <= u32::MAX as u64,
        "[AMP0011] the length of an array of a kernel must fit 32 bits"
    );
    bits
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
