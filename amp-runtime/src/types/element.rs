//! What arrays hold and what kernels take by value.

use std::cmp::Ordering;

use amp_spirv::artifact::IndexWidth;
use bytemuck::Pod;

use crate::types::index::{Extent, Index};
#[cfg(feature = "half")]
use crate::types::number::of_halves;
use crate::types::number::{of_floats, of_signed, of_unsigned};

/// A type that arrays and views can hold: the numbers `i8`, `u8`, `i16`, `u16`, `i32`,
/// `u32`, `i64`, `u64`, `f32` and `f64`, with the feature `half` that crate's `f16` and
/// `bf16`, structs marked `#[amp_struct]`, and arrays of these, such as `[u8; 4]`. Its layout on a
/// device is Rust's `repr(C)`: the elements of an array stand side by side, without padding.
///
/// Not every device has all of them: a launch on one that lacks something fails with
/// [`Error::UnsupportedFeature`](crate::Error::UnsupportedFeature). Not `bool`, which has no
/// fixed layout, and not `usize` and `isize`, which are 64 bits wide on a host and 32 on a
/// device.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of an array or view",
    note = "elements are numbers other than `usize` and `isize`, structs marked `#[amp_struct]`, and \
            arrays of these: of an enum, use the struct that `#[amp_enum(element = Stored)]` names; of a \
            tuple, make a struct with fields"
)]
pub trait Element: Pod + Send + Sync {
    /// Bytes of its smallest scalar: the words that the CPU accelerator reads and writes it in.
    #[doc(hidden)]
    const WORD: usize = 1;

    /// What the start of a view of these elements is a multiple of on a device: a vector
    /// is moved as a whole.
    #[doc(hidden)]
    const WANTED_ALIGN: usize = align_of::<Self>();
}

/// [`Element::WORD`], of which unsafe code relies on what is checked here.
pub(crate) const fn word<T: Element>() -> usize {
    const {
        assert!(T::WORD.is_power_of_two() && T::WORD <= align_of::<T>());
        assert!(size_of::<T>().is_multiple_of(T::WORD));
    }
    T::WORD
}

/// A value that a kernel takes by value.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to a kernel by value",
    note = "kernels take bool, numbers, tuples and arrays of them, `Index`, `Extent` and structs \
            marked `#[amp_struct]`"
)]
pub trait DeviceValue {
    /// What the place of the value in an argument block is a multiple of, in bytes.
    const ALIGN: usize;

    /// The same where indices have 64 bits.
    const WIDE_ALIGN: usize = Self::ALIGN;

    /// [`Element::WANTED_ALIGN`] for elements that hold such a value.
    const WANTED_ALIGN: usize = Self::ALIGN;

    /// Appends the bytes that the value has in an argument block, from a multiple of
    /// [`DeviceValue::ALIGN`] on.
    fn encode(&self, out: &mut Encoder);

    /// Appends zeroes in the place of a value.
    fn skip(out: &mut Encoder)
    where
        Self: Sized,
    {
        out.pad_to(out.position() + size_of::<Self>());
    }
}

/// Writes the bytes of one argument to its place, which has zeroes.
#[doc(hidden)]
#[derive(Debug)]
pub struct Encoder<'p> {
    /// How wide the kernel's indices are.
    index: IndexWidth,
    place: &'p mut [u8],
    position: usize,
    /// A `usize` or `isize` that has no room in the kernel's.
    pub(crate) too_large: Option<i128>,
}

impl<'p> Encoder<'p> {
    pub(crate) fn new(index: IndexWidth, place: &'p mut [u8]) -> Self {
        Self {
            index,
            place,
            position: 0,
            too_large: None,
        }
    }

    /// Appends bytes that already have the device's layout. What does not fit is counted only.
    pub fn bytes(&mut self, bytes: &[u8]) {
        let end = self.position + bytes.len();
        if let Some(place) = self.place.get_mut(self.position..end) {
            place.copy_from_slice(bytes);
        }
        self.position = end;
    }

    /// How many bytes there are so far.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Appends zeroes up to a position: the padding before a field.
    pub fn pad_to(&mut self, position: usize) {
        self.position = position;
    }

    /// Goes on to the next multiple of the alignment of a type.
    fn align<T: DeviceValue>(&mut self) {
        let align = match self.index {
            IndexWidth::Bits32 => T::ALIGN,
            IndexWidth::Bits64 => T::WIDE_ALIGN,
        };
        self.position = self.position.next_multiple_of(align);
    }

    /// Appends a part of a value, where it belongs.
    pub fn part<T: DeviceValue>(&mut self, part: &T) {
        self.align::<T>();
        part.encode(self);
    }

    /// Appends zeroes in the place of such a part.
    pub fn no_part<T: DeviceValue>(&mut self) {
        self.align::<T>();
        T::skip(self);
    }

    /// Ends a value that has been appended in parts.
    pub fn end<T: DeviceValue>(&mut self) {
        self.align::<T>();
    }

    fn skip_index(&mut self, components: usize) {
        self.position += components * self.index.bytes() as usize;
    }

    fn size(&mut self, value: usize) {
        let fits = u32::try_from(value).is_ok();
        self.index_bytes(value as i128, fits);
    }

    /// Appends a `usize` or `isize`; `fits` if 32 bits are enough.
    fn index_bytes(&mut self, value: i128, fits: bool) {
        if self.index == IndexWidth::Bits32 && !fits {
            self.too_large.get_or_insert(value);
        }
        let bytes = value.to_le_bytes();
        self.bytes(&bytes[..self.index.bytes() as usize]);
    }
}

macro_rules! numbers {
    ($($ty:ty)*) => {$(
        impl Element for $ty {
            const WORD: usize = size_of::<$ty>();
        }

        impl DeviceValue for $ty {
            const ALIGN: usize = size_of::<$ty>();

            fn encode(&self, out: &mut Encoder) {
                out.bytes(&self.to_le_bytes());
            }
        }
    )*};
}
of_signed!(numbers);
of_unsigned!(numbers);
of_floats!(numbers);

#[cfg(feature = "half")]
macro_rules! halves {
    ($($name:ident: $ty:ty),*) => {
        numbers!($($ty)*);
    };
}
#[cfg(feature = "half")]
of_halves!(halves);

impl DeviceValue for Ordering {
    const ALIGN: usize = 4;

    fn encode(&self, out: &mut Encoder) {
        (*self as i32).encode(out);
    }

    fn skip(out: &mut Encoder) {
        i32::skip(out);
    }
}

impl DeviceValue for bool {
    const ALIGN: usize = 4;

    fn encode(&self, out: &mut Encoder) {
        out.bytes(&u32::from(*self).to_le_bytes());
    }

    fn skip(out: &mut Encoder) {
        u32::skip(out);
    }
}

impl DeviceValue for usize {
    const ALIGN: usize = 4;
    const WIDE_ALIGN: usize = 8;

    fn encode(&self, out: &mut Encoder) {
        out.size(*self);
    }

    fn skip(out: &mut Encoder) {
        out.skip_index(1);
    }
}

impl DeviceValue for isize {
    const ALIGN: usize = 4;
    const WIDE_ALIGN: usize = 8;

    fn encode(&self, out: &mut Encoder) {
        let fits = i32::try_from(*self).is_ok();
        out.index_bytes(*self as i128, fits);
    }

    fn skip(out: &mut Encoder) {
        out.skip_index(1);
    }
}

/// The greatest of some numbers.
#[doc(hidden)]
pub const fn greatest(mut values: &[usize]) -> usize {
    let mut greatest = 1;
    while let [first, rest @ ..] = values {
        if *first > greatest {
            greatest = *first;
        }
        values = rest;
    }
    greatest
}

macro_rules! tuple {
    ($($name:ident)+) => {
        impl<$($name: DeviceValue),+> DeviceValue for ($($name,)+) {
            const ALIGN: usize = greatest(&[$($name::ALIGN),+]);
            const WIDE_ALIGN: usize = greatest(&[$($name::WIDE_ALIGN),+]);
            const WANTED_ALIGN: usize = greatest(&[$($name::WANTED_ALIGN),+]);

            fn encode(&self, out: &mut Encoder) {
                #[allow(non_snake_case)]
                let ($($name,)+) = self;
                $(out.part($name);)+
                out.end::<Self>();
            }

            fn skip(out: &mut Encoder) {
                $(out.no_part::<$name>();)+
                out.end::<Self>();
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

/// A value has the number of its case and the fields of all.
macro_rules! cases {
    ($ty:ty, $($case:ident $tag:literal $field:ident),+; $($none:pat => $number:literal)?; $($name:ident)+) => {
        impl<$($name: DeviceValue),+> DeviceValue for $ty {
            const ALIGN: usize = greatest(&[4, $($name::ALIGN),+]);
            const WIDE_ALIGN: usize = greatest(&[4, $($name::WIDE_ALIGN),+]);
            const WANTED_ALIGN: usize = greatest(&[4, $($name::WANTED_ALIGN),+]);

            fn encode(&self, out: &mut Encoder) {
                let tag: u32 = match self {
                    $($case(_) => $tag,)+
                    $($none => $number,)?
                };
                out.part(&tag);
                $(match self {
                    $case(field) => out.part(field),
                    #[allow(unreachable_patterns)]
                    _ => out.no_part::<$field>(),
                })+
                out.end::<Self>();
            }

            fn skip(out: &mut Encoder) {
                out.no_part::<u32>();
                $(out.no_part::<$name>();)+
                out.end::<Self>();
            }
        }
    };
}
cases!(Option<T>, Some 1 T; None => 0; T);
cases!(Result<T, E>, Ok 0 T, Err 1 E; ; T E);

impl<T> DeviceValue for std::marker::PhantomData<T> {
    const ALIGN: usize = 1;

    fn encode(&self, _: &mut Encoder) {}
}

/// Structs of std with one field.
macro_rules! of_one_field {
    ($($wrapper:ty)*) => {$(
        impl<T: DeviceValue> DeviceValue for $wrapper {
            const ALIGN: usize = T::ALIGN;
            const WIDE_ALIGN: usize = T::WIDE_ALIGN;
            const WANTED_ALIGN: usize = T::WANTED_ALIGN;

            fn encode(&self, out: &mut Encoder) {
                self.0.encode(out);
            }

            fn skip(out: &mut Encoder) {
                T::skip(out);
            }
        }
    )*};
}
of_one_field!(std::num::Wrapping<T> std::cmp::Reverse<T>);

impl<T: Element, const N: usize> Element for [T; N] {
    const WORD: usize = T::WORD;
    const WANTED_ALIGN: usize = T::WANTED_ALIGN;
}

impl<T: DeviceValue, const N: usize> DeviceValue for [T; N] {
    const ALIGN: usize = T::ALIGN;
    const WIDE_ALIGN: usize = T::WIDE_ALIGN;
    const WANTED_ALIGN: usize = T::WANTED_ALIGN;

    fn encode(&self, out: &mut Encoder) {
        for component in self {
            component.encode(out);
        }
    }

    fn skip(out: &mut Encoder) {
        (0..N).for_each(|_| T::skip(out));
    }
}

impl<const N: usize> DeviceValue for Index<N> {
    const ALIGN: usize = 4;
    const WIDE_ALIGN: usize = 8;

    fn encode(&self, out: &mut Encoder) {
        for component in 0..N {
            out.size(self[component]);
        }
    }

    fn skip(out: &mut Encoder) {
        out.skip_index(N);
    }
}

impl<const N: usize> DeviceValue for Extent<N> {
    const ALIGN: usize = 4;
    const WIDE_ALIGN: usize = 8;

    fn encode(&self, out: &mut Encoder) {
        for component in 0..N {
            out.size(self[component]);
        }
    }

    fn skip(out: &mut Encoder) {
        out.skip_index(N);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value's bytes, and what was too large.
    fn encode(value: impl DeviceValue, index: IndexWidth) -> (Vec<u8>, Option<i128>) {
        let mut place = vec![0; 128];
        let mut out = Encoder::new(index, &mut place);
        value.encode(&mut out);
        let (length, too_large) = (out.position(), out.too_large);
        place.truncate(length);
        (place, too_large)
    }

    fn words(value: impl DeviceValue) -> (Vec<u32>, Option<i128>) {
        let (bytes, too_large) = encode(value, IndexWidth::Bits32);
        let words = bytes
            .chunks(4)
            .map(|b| u32::from_le_bytes(b.try_into().unwrap()));
        (words.collect(), too_large)
    }

    #[test]
    fn values_beyond_the_block_are_counted() {
        let mut place = [0; 6];
        let mut out = Encoder::new(IndexWidth::Bits32, &mut place);
        (1u32, 2u32).encode(&mut out);
        assert_eq!((out.position(), place), (8, [1, 0, 0, 0, 0, 0]));
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
    fn components_stand_at_multiples_of_their_alignment() {
        assert_eq!(words((1u8, 2i64, 3u16)).0, [1, 0, 2, 0, 3, 0]);
        assert_eq!(
            words((1u8, 2u8, (3u16, 4u8), 5u16)).0,
            [0x0003_0201, 0x0005_0004]
        );
        assert_eq!(words([1u8, 2, 3, 255]).0, [0xff03_0201]);
    }

    #[test]
    fn a_size_past_32_bits_is_remembered() {
        assert_eq!(words(usize::MAX).1, Some(usize::MAX as i128));
        assert_eq!(words(isize::MIN).1, Some(isize::MIN as i128));
        assert_eq!(words(u32::MAX as usize).1, None);
    }

    #[test]
    fn sizes_of_64_bits_have_two_words() {
        let value = (
            1u8,
            usize::MAX - 1,
            (2u8, -3isize),
            Index::new([4, 1 << 32]),
        );
        let (bytes, too_large) = encode(value, IndexWidth::Bits64);
        assert_eq!(too_large, None);
        let words = bytes.chunks(8);
        let words = words.map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap()));
        let words: Vec<u64> = words.collect();
        let expected = [1, u64::MAX - 1, 2, -3i64 as u64, 4, 1 << 32];
        assert_eq!(words, expected);
    }
}
