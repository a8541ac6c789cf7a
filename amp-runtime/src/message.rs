//! Messages of kernels on the host: from the words that a device stored to the text.
//!
//! The macros write one [`Writer`] for each message of a kernel, a `format!` of operands
//! that [`operand`] reads from the words. So what a device says is formatted by Rust
//! itself, as what the CPU accelerator says is.

use amp_spirv::artifact::Artifact;

/// Turns the words of a message's operands into its text.
pub type Writer = fn(&[u32]) -> String;

/// Operands from the words of a message; a word that is missing is zero.
pub mod operand {
    macro_rules! operands {
        ($($name:ident: $ty:ident = |$word:ident| $value:expr;)*) => {$(
            #[doc = concat!("A `", stringify!($ty), "`.")]
            pub fn $name(words: &[u32], at: usize) -> $ty {
                let $word = words.get(at).copied().unwrap_or(0);
                $value
            }
        )*};
    }
    operands! {
        bool: bool = |word| word != 0;
        i32: i32 = |word| word as i32;
        u32: u32 = |word| word;
        f32: f32 = |word| f32::from_bits(word);
        usize: usize = |word| word as usize;
    }
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
