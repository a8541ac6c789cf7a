//! Messages of kernels on the host: from the words that a device stored to the text.
//!
//! The macros write one [`Writer`] for each message of a kernel, a `format!` of operands
//! that [`operand`] reads from the words. So what a device says is formatted by Rust
//! itself, as what the CPU accelerator says is.

use amp_spirv::artifact::Artifact;

/// Turns the words of a message's operands into its text.
pub type Writer = fn(&[u32]) -> String;

/// Operands from the words of a message; a word that is missing is zero. A `usize` and an
/// `isize` have 32 bits, a `wide_usize` has 64.
pub mod operand {
    #[cfg(feature = "half")]
    use crate::types::number::of_halves;
    use crate::types::number::{of_signed, of_unsigned};

    macro_rules! operands {
        ($($name:ident: $ty:ty = |$bits:ident| $value:expr;)*) => {$(
            #[doc = concat!("A `", stringify!($ty), "`.")]
            pub fn $name(words: &[u32], at: usize) -> $ty {
                let word = |at: usize| u64::from(words.get(at).copied().unwrap_or(0));
                // The second word is only that of a number that has two.
                let $bits = word(at) | word(at + 1) << 32;
                $value
            }
        )*};
    }
    operands! {
        bool: bool = |bits| bits as u32 != 0;
        isize: isize = |bits| bits as i32 as isize;
        usize: usize = |bits| bits as u32 as usize;
        wide_usize: usize = |bits| bits as usize;
        f32: f32 = |bits| f32::from_bits(bits as u32);
        f64: f64 = |bits| f64::from_bits(bits);
    }

    macro_rules! integers {
        ($($ty:ident)*) => {
            operands! { $($ty: $ty = |bits| bits as $ty;)* }
        };
    }
    of_signed!(integers);
    of_unsigned!(integers);

    #[cfg(feature = "half")]
    macro_rules! halves {
        ($($name:ident: $ty:ty),*) => {
            operands! { $($name: $ty = |bits| <$ty>::from_bits(bits as _);)* }
        };
    }
    #[cfg(feature = "half")]
    of_halves!(halves);
}

/// The text of a kernel's message.
pub(crate) fn text(
    artifact: &Artifact,
    writers: &[Writer],
    message: u32,
    words: &[u32],
) -> Option<String> {
    match writers.get(message as usize) {
        Some(writer) => Some(writer(words)),
        // A kernel that no macro made: the format string says more than nothing.
        None => {
            let message = artifact.messages.get(message as usize)?;
            Some(message.format.to_string())
        }
    }
}
