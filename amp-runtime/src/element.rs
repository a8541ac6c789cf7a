//! What arrays hold and what kernels take by value.

use bytemuck::Pod;

use crate::index::{Extent, Index};

/// A type that arrays and views can hold: `i32`, `u32`, `f32`, and structs marked
/// `#[amp_struct]`. Its layout on a device is Rust's `repr(C)`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array or view",
    note = "elements are `i32`, `u32`, `f32` and structs marked `#[amp_struct]`"
)]
pub trait Element: Pod + Send + Sync {}

impl Element for i32 {}
impl Element for u32 {}
impl Element for f32 {}

/// A value that a kernel takes by value.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to a kernel by value",
    note = "kernels take bool, i32, u32, f32, usize, tuples and arrays of them, `Index`, `Extent` \
            and structs marked `#[amp_struct]`"
)]
pub trait DeviceValue {
    /// Appends the bytes that the value has in an argument block.
    fn encode(&self, out: &mut Encoder);
}

/// Collects the bytes of one argument.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Encoder {
    pub(crate) bytes: Vec<u8>,
    /// A `usize` that devices cannot represent.
    pub(crate) too_large: Option<usize>,
}

impl Encoder {
    /// Appends bytes that already have the device's layout.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// How many bytes there are so far.
    pub fn position(&self) -> usize {
        self.bytes.len()
    }

    /// Appends zeroes up to a position: the padding before a field.
    pub fn pad_to(&mut self, position: usize) {
        self.bytes.resize(position, 0);
    }

    fn size(&mut self, value: usize) {
        let word = u32::try_from(value).unwrap_or_else(|_| {
            self.too_large.get_or_insert(value);
            u32::MAX
        });
        self.bytes(&word.to_le_bytes());
    }
}

macro_rules! plain {
    ($($ty:ty),*) => {$(
        impl DeviceValue for $ty {
            fn encode(&self, out: &mut Encoder) {
                out.bytes(&self.to_le_bytes());
            }
        }
    )*};
}
plain!(i32, u32, f32);

impl DeviceValue for bool {
    fn encode(&self, out: &mut Encoder) {
        out.bytes(&u32::from(*self).to_le_bytes());
    }
}

impl DeviceValue for usize {
    fn encode(&self, out: &mut Encoder) {
        out.size(*self);
    }
}

macro_rules! tuple {
    ($($name:ident)+) => {
        impl<$($name: DeviceValue),+> DeviceValue for ($($name,)+) {
            fn encode(&self, out: &mut Encoder) {
                #[allow(non_snake_case)]
                let ($($name,)+) = self;
                $($name.encode(out);)+
            }
        }
    };
}
tuple!(A);
tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);
tuple!(A B C D E F);
tuple!(A B C D E F G);
tuple!(A B C D E F G H);

impl<T: DeviceValue, const N: usize> DeviceValue for [T; N] {
    fn encode(&self, out: &mut Encoder) {
        for component in self {
            component.encode(out);
        }
    }
}

impl<const N: usize> DeviceValue for Index<N> {
    fn encode(&self, out: &mut Encoder) {
        for component in 0..N {
            out.size(self[component]);
        }
    }
}

impl<const N: usize> DeviceValue for Extent<N> {
    fn encode(&self, out: &mut Encoder) {
        for component in 0..N {
            out.size(self[component]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(value: impl DeviceValue) -> (Vec<u32>, Option<usize>) {
        let mut out = Encoder::default();
        value.encode(&mut out);
        let words = out
            .bytes
            .chunks(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap()));
        (words.collect(), out.too_large)
    }

    #[test]
    fn values_are_words_in_declaration_order() {
        assert_eq!(
            words((true, -1i32, [1.0f32, 2.0])).0,
            [1, u32::MAX, 0x3f80_0000, 0x4000_0000]
        );
        assert_eq!(words((Index::new([7, 8]), 9usize)).0, [7, 8, 9]);
    }

    #[test]
    fn a_size_past_32_bits_is_remembered() {
        assert_eq!(words(usize::MAX).1, Some(usize::MAX));
        assert_eq!(words(u32::MAX as usize).1, None);
    }
}
