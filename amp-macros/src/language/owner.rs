//! The types that have functions written in the kernel language.

use amp_spirv::tree::{IndexWidth, Scalar};
use proc_macro2::{Span, TokenStream};

use super::{
    glam::Glam,
    source::{Source, replaced},
    standard, vector,
};

/// A type that has functions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Owner {
    /// A number.
    Scalar(Scalar),
    /// A vector or matrix.
    Glam(Glam),
    /// A number that another is converted to.
    Conversion { from: Scalar, to: Scalar },
}

impl Owner {
    /// What Rust calls the type.
    pub fn name(self) -> String {
        match self {
            Owner::Scalar(scalar) => scalar.name().to_owned(),
            Owner::Glam(ty) => ty.name(),
            Owner::Conversion { from, to } => format!("{} of {}", to.name(), from.name()),
        }
    }

    /// The function that has this name; `from_within` for the functions of the library.
    pub fn find(self, name: &str, index: IndexWidth, from_within: bool) -> Option<Source> {
        let has_name = |source: &Source| source.name == name && (source.is_public || from_within);
        match self {
            Owner::Scalar(scalar) => standard::all(scalar, index).find(has_name),
            Owner::Glam(ty) => vector::all(ty).find(has_name),
            Owner::Conversion { .. } => None,
        }
    }

    /// A function for this type.
    pub fn tokens(self, source: &Source, index: IndexWidth, span: Span) -> TokenStream {
        let text = source.text.parse().unwrap_or_default();
        replaced(text, span, &|name| {
            let meant = match self {
                Owner::Scalar(scalar) => standard::meaning(name, scalar, index)?,
                Owner::Glam(ty) => vector::meaning(name, ty)?,
                Owner::Conversion { from, .. } if name == "F" => from.name().to_owned(),
                Owner::Conversion { to, .. } => standard::meaning(name, to, index)?,
            };
            meant.parse().ok()
        })
    }
}
