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
//!
//! A function is read when a kernel calls it: until then it is text that is searched by name. Those
//! that are not `pub` are for the others alone, and those called `from_` have no receiver. The host
//! version calls the standard library, but for a function below a comment `// host:`, which says
//! what it calls so that an argument that has no result is a fault ([`Source::host`]).

use amp_spirv::tree::{IndexWidth, Scalar};
use proc_macro2::{Group, Span, TokenStream, TokenTree};

const INTEGER: &str = include_str!("integer.rs");
const SIGNED: &str = include_str!("signed.rs");
const UNSIGNED: &str = include_str!("unsigned.rs");
const FIXED: &str = include_str!("fixed.rs");
const FLOAT: &str = include_str!("float.rs");

/// A function of the standard library in the kernel language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// Its name.
    pub name: &'static str,
    /// The function itself.
    text: &'static str,
    /// What the host version calls where that is not the standard library's function: an
    /// expression of the parameters.
    pub host: Option<&'static str>,
    is_public: bool,
}

impl Source {
    /// Whether it is called as `T::name` alone.
    pub fn is_constructor(&self) -> bool {
        self.name.starts_with("from_")
    }

    /// The function for a scalar.
    pub fn tokens(&self, scalar: Scalar, index: IndexWidth, span: Span) -> TokenStream {
        let text = self.text.parse().unwrap_or_default();
        replaced(text, span, &|name| {
            meaning(name, scalar, index)?.parse().ok()
        })
    }
}

/// The files with the functions of a scalar.
fn files(scalar: Scalar, index: IndexWidth) -> &'static [&'static str] {
    match index.settled(scalar) {
        Scalar::F32 | Scalar::F64 => &[FLOAT],
        Scalar::Isize => &[INTEGER, SIGNED],
        Scalar::Usize => &[INTEGER, UNSIGNED],
        it if it.is_integer() && it.is_signed() => &[INTEGER, SIGNED, FIXED],
        it if it.is_integer() => &[INTEGER, UNSIGNED, FIXED],
        _ => &[],
    }
}

/// The functions of a file: each starts a line and ends with a brace that does.
fn functions(file: &'static str) -> impl Iterator<Item = Source> {
    let functions = file.split_inclusive("\n}\n");
    functions.filter_map(|function| {
        let function = function.trim();
        let (host, text) = match function.strip_prefix("// host: ") {
            Some(rest) => {
                let (host, text) = rest.split_once('\n')?;
                (Some(host), text)
            }
            None => (None, function),
        };
        let is_public = text.starts_with("pub ");
        let signature = text.trim_start_matches("pub ").strip_prefix("fn ")?;
        let (name, _) = signature.split_once('(')?;
        Some(Source {
            name,
            text,
            host,
            is_public,
        })
    })
}

fn all(scalar: Scalar, index: IndexWidth) -> impl Iterator<Item = Source> {
    let files = files(scalar, index).iter();
    files.flat_map(|file| functions(file))
}

/// The function of a scalar that has this name; `from_within` for one of this library.
pub fn find(name: &str, scalar: Scalar, index: IndexWidth, from_within: bool) -> Option<Source> {
    let mut all = all(scalar, index);
    all.find(|source| source.name == name && (source.is_public || from_within))
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
    let files = [INTEGER, SIGNED, UNSIGNED, FIXED, FLOAT].into_iter();
    let public = files.flat_map(functions).filter(|source| source.is_public);
    public.map(|source| source.name)
}

/// Whether the result of a method depends on how wide the integer is.
pub fn depends_on_width(name: &str) -> bool {
    functions(FIXED).any(|source| source.name == name)
}

/// What stands for a name of this library, if it is one.
fn meaning(name: &str, scalar: Scalar, index: IndexWidth) -> Option<String> {
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

/// Tokens at one place of the source, where some names stand for others.
pub fn replaced(
    tokens: TokenStream,
    span: Span,
    meaning: &dyn Fn(&str) -> Option<TokenStream>,
) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut token| {
        token.set_span(span);
        match token {
            TokenTree::Group(group) => {
                let inner = replaced(group.stream(), span, meaning);
                let mut group = Group::new(group.delimiter(), inner);
                group.set_span(span);
                TokenTree::from(group).into()
            }
            TokenTree::Ident(name) => match meaning(&name.to_string()) {
                Some(meant) => replaced(meant, span, &|_| None),
                None => TokenTree::from(name).into(),
            },
            other => TokenStream::from(other),
        }
    });
    tokens.collect()
}

#[cfg(test)]
mod tests;
