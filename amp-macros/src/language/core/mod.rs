//! What Rust's `core` has that is written in the language of kernels: its enums with their methods,
//! the methods of arrays, and the comparisons that have an `Ordering`.
//!
//! The files are read as text, each when a kernel calls a method of it.

#[cfg(test)]
#[allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic
)]
mod boolean;
#[cfg(test)]
#[allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic
)]
mod enums;
#[cfg(test)]
#[allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic
)]
mod option;
#[cfg(test)]
#[allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic
)]
mod ordering;
#[cfg(test)]
#[allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::all,
    clippy::pedantic
)]
mod result;

/// The names of the enums.
pub const ENUM_NAMES: [&str; 3] = ["Option", "Result", "Ordering"];

/// The enums.
pub const ENUMS: &str = include_str!("enums.rs");

/// A file of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum File {
    Option,
    Result,
    Ordering,
    Bool,
    Array,
    Comparison,
}

impl File {
    /// The file's text.
    pub fn text(self) -> &'static str {
        match self {
            File::Option => include_str!("option.rs"),
            File::Result => include_str!("result.rs"),
            File::Ordering => include_str!("ordering.rs"),
            File::Bool => include_str!("boolean.rs"),
            File::Array => include_str!("array.rs"),
            File::Comparison => include_str!("comparison.rs"),
        }
    }

    /// The names of the methods.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let lines = self.text().lines().map(str::trim_start);
        lines.filter_map(|line| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            let name = line.strip_prefix("fn ")?.split(['(', '<']).next()?;
            Some(name)
        })
    }

    /// Whether a method of this name is there.
    pub fn has(self, name: &str) -> bool {
        self.names().any(|known| known == name)
    }
}

#[cfg(test)]
mod tests {
    use super::File;

    #[test]
    fn the_documents_list_every_method() {
        let text = include_str!("../../../../docs/language.md");
        let listed: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        let files = [File::Array, File::Ordering, File::Comparison];
        for name in files.into_iter().flat_map(File::names) {
            let name = name.replace("sort_unstable", "sort");
            assert!(
                listed.contains(&&*name),
                "docs/language.md does not list {name}"
            );
        }
    }
}
