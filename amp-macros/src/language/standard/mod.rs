//! The methods of the standard library's numbers that are no operation of their own, as functions
//! in the kernel language: files of Rust, one for each class of scalars.
//!
//! Their types and constants stand for those of the scalar that has the method:
//!
//! | name | what it stands for |
//! |---|---|
//! | `T` | the scalar |
//! | `U`, `S` | the integer without and with a sign that is as wide |
//! | `W` | the same as `U`, as wide on the host as on the device |
//! | `MIN`, `MAX` | the ends of the range of an integer |
//! | `BITS`, `BYTES` | how wide it is on a device |
//! | `EXPONENT` | the bits of a float's exponent |
//! | `F` | the scalar that is converted to `T` |
//!
//! Those called `from_` have no receiver. The host version calls the standard library, but for a
//! function below a comment `// host:`, which says what it calls so that an argument that has no
//! result is a fault ([`Source::host`]).

use amp_spirv::tree::{IndexWidth, Scalar};

use super::source::{Source, functions};

const INTEGER: &str = include_str!("integer.rs");
const SIGNED: &str = include_str!("signed.rs");
const UNSIGNED: &str = include_str!("unsigned.rs");
const FIXED: &str = include_str!("fixed.rs");
const BYTE: &str = include_str!("byte.rs");
const FLOAT: &str = include_str!("float.rs");
/// What a `usize` of 32 bits has of the one of 64 bits that it is on the host.
const INDEX: &str = include_str!("index.rs");
const CONVERSION: &str = include_str!("conversion.rs");
const LOSSLESS: &str = include_str!("lossless.rs");

/// The files with the functions of a scalar.
fn files(scalar: Scalar, index: IndexWidth) -> &'static [&'static str] {
    match index.settled(scalar) {
        Scalar::F32 | Scalar::F64 => &[FLOAT],
        Scalar::Isize => &[INTEGER, SIGNED],
        Scalar::Usize => &[INTEGER, UNSIGNED, INDEX],
        it if it.is_integer() && it.is_signed() => &[INTEGER, SIGNED, FIXED],
        Scalar::U8 => &[INTEGER, UNSIGNED, FIXED, BYTE],
        it if it.is_integer() => &[INTEGER, UNSIGNED, FIXED],
        _ => &[],
    }
}

/// The functions of a scalar.
pub fn all(scalar: Scalar, index: IndexWidth) -> impl Iterator<Item = Source> {
    let files = files(scalar, index).iter();
    files.flat_map(|file| functions(file))
}

/// The function that `TryFrom` is for two scalars: one without loss never fails.
pub fn conversion(is_lossless: bool) -> Option<Source> {
    let file = if is_lossless { LOSSLESS } else { CONVERSION };
    functions(file).next()
}

/// The names of a scalar's methods.
pub fn names(scalar: Scalar) -> impl Iterator<Item = &'static str> {
    let public = all(scalar, IndexWidth::Bits32).filter(|source| source.is_public);
    public
        .filter(|source| !source.is_constructor())
        .map(|source| source.name)
}

/// The names of all functions that kernels can call.
#[cfg(test)]
pub fn all_names() -> impl Iterator<Item = &'static str> {
    let files = [INTEGER, SIGNED, UNSIGNED, FIXED, BYTE, FLOAT, INDEX].into_iter();
    let public = files.flat_map(functions).filter(|source| source.is_public);
    public.map(|source| source.name)
}

/// Whether the result of a method depends on how wide the integer is.
pub fn depends_on_width(name: &str) -> bool {
    functions(FIXED).any(|source| source.name == name)
}

/// The text that replaces a name of this library, if it is one.
pub fn meaning(name: &str, scalar: Scalar, index: IndexWidth) -> Option<String> {
    let settled = index.settled(scalar);
    let suffixed = |value: i128| format!("({value}_{})", scalar.name());
    Some(match name {
        "T" => scalar.name().to_owned(),
        "U" => scalar.unsigned().name().to_owned(),
        "S" => scalar.signed().name().to_owned(),
        "W" => format!("u{}", settled.bits()),
        "MIN" => suffixed(settled.min()),
        "MAX" => suffixed(settled.max()),
        "BITS" => settled.bits().to_string(),
        "BYTES" => (settled.bits() / 8).to_string(),
        "EXPONENT" if scalar == Scalar::F32 => f32::INFINITY.to_bits().to_string(),
        "EXPONENT" => f64::INFINITY.to_bits().to_string(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
