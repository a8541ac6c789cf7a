//! Constants of a kernel as the bits that a specialization constant takes.
//!
//! Called by the expansion inside constants: a value that no device can hold is an error when the
//! kernel is compiled, at the place where it is written (`track_caller`). A constant of 32 bits
//! or fewer is what a device's register holds for it (see [`amp_spirv::artifact`]), in the lower
//! half.

use amp_spirv::artifact::MAX_ARRAY_BYTES;

// Those of Rust are listed here and not in `types::number`: rustc shows users the names of these functions,
// and would add a note about the macro that they stem from.
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

/// A constant of any integer type that bounds a loop whose numbers are not used.
#[track_caller]
pub const fn bound(value: i128) -> isize {
    assert!(
        value == value as isize as i128,
        "[AMP0011] a constant that only bounds a loop must fit 64 bits with sign; give the loop's \
         type: `0_u64..CONST`"
    );
    value as isize
}

/// The bits of a `usize` for a device on which that has 32. `usize::MAX` is the greatest of the device, as
/// `!0` is.
#[track_caller]
pub const fn fits_usize(bits: u64) -> u64 {
    if bits == u64::MAX {
        return u32::MAX as u64;
    }
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

/// A number of bytes: what is known of it, and the products of factors and constants.
pub const fn bytes(known: u64, products: &[&[u64]]) -> u64 {
    let mut sum = known;
    let mut term = 0;
    while term < products.len() {
        let mut product = 1_u64;
        let mut factor = 0;
        while factor < products[term].len() {
            product = product.saturating_mul(products[term][factor]);
            factor += 1;
        }
        sum = sum.saturating_add(product);
        term += 1;
    }
    sum
}

/// Refuses a kernel whose local arrays take more bytes than a thread has.
#[track_caller]
pub const fn fits_thread(kernel: &str, bytes: u64) {
    if bytes > MAX_ARRAY_BYTES {
        let mut text = Text::EMPTY;
        text.push("[AMP0031] the local arrays of kernel `");
        text.push(kernel);
        text.push("` take ");
        text.push_number(bytes);
        text.push(" bytes, but a thread has room for ");
        text.push_number(MAX_ARRAY_BYTES);
        text.push(
            "; use a smaller array, an element of a view for each thread, or a `#[tile_static]` \
             array for all threads of a tile",
        );
        panic!("{}", text.as_str());
    }
}

/// A text that is made in a constant. What does not fit is left out.
struct Text {
    bytes: [u8; 512],
    len: usize,
}

impl Text {
    const EMPTY: Self = Self {
        bytes: [0; 512],
        len: 0,
    };

    const fn push(&mut self, text: &str) {
        let text = text.as_bytes();
        let mut position = 0;
        while position < text.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = text[position];
            self.len += 1;
            position += 1;
        }
    }

    const fn push_number(&mut self, number: u64) {
        if number >= 10 {
            self.push_number(number / 10);
        }
        let digit = [b'0' + (number % 10) as u8];
        if let Ok(digit) = std::str::from_utf8(&digit) {
            self.push(digit);
        }
    }

    const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            // The end of a long name was cut within a character.
            Err(_) => "[AMP0031] the local arrays of a kernel take more bytes than a thread has",
        }
    }
}

/// An `f32` by its bits.
pub const fn f32(value: f32) -> u64 {
    value.to_bits() as u64
}

/// An `f64` by its bits.
pub const fn f64(value: f64) -> u64 {
    value.to_bits()
}

#[cfg(feature = "half")]
macro_rules! halves {
    ($($name:ident: $ty:ty),*) => {$(
        /// By the bits of the `f32` of the same value.
        pub const fn $name(value: $ty) -> u64 {
            f32(value.to_f32_const())
        }
    )*};
}
#[cfg(feature = "half")]
crate::types::number::of_halves!(halves);

/// A `bool` as 0 or 1.
pub const fn bool(value: bool) -> u64 {
    value as u64
}
