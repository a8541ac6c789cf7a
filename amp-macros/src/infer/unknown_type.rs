//! What to write instead of a type that kernels do not have.

use syn::Path;

use crate::language::{
    glam,
    name::{STANDARD_TYPES, is_optional_type},
};

/// The help for a path that is no type of kernels; `is_of_parameter` if it is an associated type of a parameter.
pub fn help(path: &Path, is_of_parameter: bool) -> &'static str {
    let name = path.segments.last().map(|last| last.ident.to_string());
    let name = name.unwrap_or_default();
    match name.as_str() {
        "RangeInclusive" | "RangeFrom" | "RangeTo" | "RangeFull" => {
            "use `std::ops::Range`: `a..b + 1` for `a..=b`"
        }
        "i128" => "use i64",
        "u128" => "use u64",
        "Ordering" => "import it: `use std::cmp::Ordering;`",
        "FpCategory" => "import it: `use std::num::FpCategory;`",
        name if is_optional_type(name) => {
            "switch on the feature `half` of the crate `amp`, and use `half::f16`"
        }
        "f128" => "use f64",
        "char" => "use u32",
        "Vec" | "Box" | "String" | "str" | "VecDeque" => {
            "kernels allocate nothing; use an array of fixed length"
        }
        _ if is_of_parameter => {
            "bound the parameter by an `#[amp_fn] trait` that has it; a struct has a \
                         parameter of its own for it"
        }
        name if is_of_library(path, name) => {
            "kernels do not have this type of the standard library: use numbers, arrays and \
                         `#[amp_struct]`s"
        }
        name => glam::refused(name).unwrap_or("mark it with `#[amp_struct]` or `#[amp_enum]`"),
    }
}

/// Whether a type is the standard library's.
fn is_of_library(path: &Path, name: &str) -> bool {
    let first = path.segments[0].ident.to_string();
    let names_it = path.segments.len() > 1 && ["std", "core", "alloc"].contains(&&*first);
    names_it || STANDARD_TYPES.contains(&name)
}
