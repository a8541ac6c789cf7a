//! What Rust's `core` has that is written in the language of kernels: its enums with their methods,
//! the methods of arrays and slices, the comparisons that have an `Ordering`, and some functions.
//!
//! The files are read as text, each when a kernel calls a method of it.

use super::name::within_standard;

/// Has rustc compile files that are Rust too.
macro_rules! compiled {
    ($($file:ident)*) => {$(
        #[cfg(test)]
        #[allow(
            dead_code,
            missing_docs,
            unreachable_pub,
            clippy::all,
            clippy::pedantic
        )]
        mod $file;
    )*};
}
compiled!(boolean enums option ordering result);

/// The names of the types that have methods here.
pub const TYPE_NAMES: [&str; 4] = ["Option", "Result", "Ordering", "Range"];

/// The enums, and what conversions fail with.
pub const ENUMS: &str = include_str!("enums.rs");

/// Structs that are no Rust by themselves: that by which a type names another that it does not hold, since
/// Rust refuses a parameter that nothing names; one whose order is in `reverse.rs`; what references and
/// slices are as values; and ranges.
pub const STRUCTS: &str = "
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)] pub struct PhantomData<T>;
#[derive(Clone, Copy, Default, PartialEq, Eq, Ord)] pub struct Reverse<T>(pub T);
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)] pub struct Wrapping<T>(pub T);
#[derive(Clone, Copy)] pub struct __AmpKept<T>(pub T);
#[derive(Clone, Copy)] pub struct __AmpKeptSlice<T> { pub of: u32, pub at: usize, pub start: usize, pub length: usize }
#[derive(Clone, Default, PartialEq)] pub struct Range<T> { pub start: T, pub end: T }";

/// Methods of ranges, those with steps for each type of integers: its name, and the unsigned one as wide.
macro_rules! ranges {
    ($($number:literal $wide:literal)*) => {
        concat!(include_str!("range.rs"), $("
impl Range<", $number, "> {
    pub fn next(&mut self) -> Option<", $number, "> {
        if self.start < self.end {
            let item = self.start;
            self.start = item + 1;
            Some(item)
        } else {
            None
        }
    }

    pub fn nth(&mut self, n: usize) -> Option<", $number, "> {
        let mut left = n;
        while left > 0 && self.start < self.end {
            self.start = self.start + 1;
            left = left - 1;
        }
        if self.start < self.end {
            let item = self.start;
            self.start = item + 1;
            Some(item)
        } else {
            self.start = self.end;
            None
        }
    }

    pub fn next_back(&mut self) -> Option<", $number, "> {
        if self.start < self.end {
            self.end = self.end - 1;
            Some(self.end)
        } else {
            None
        }
    }

    pub fn len(&self) -> usize {
        if self.start < self.end { (self.end - self.start) as ", $wide, " as usize } else { 0 }
    }
}
",)*)
    };
}

/// See [`File::Range`].
const RANGES: &str = ranges! {
    "i8" "u8" "u8" "u8" "i16" "u16" "u16" "u16" "i32" "u32" "u32" "u32" "i64" "u64" "u64" "u64"
    "isize" "usize" "usize" "usize"
};

/// A file of methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum File {
    Option,
    Result,
    Ordering,
    Range,
    Bool,
    Byte,
    Array,
    Slice,
    Comparison,
    Equality,
    Kept,
    Reverse,
    Wrapping,
    Function,
}

/// The functions: their names, their modules, and arguments for their parameters. `size_of` and
/// `align_of` are constants, which rustc computes.
pub const FUNCTIONS: &[(&str, &str, &str)] = &[
    ("swap", "mem", "u32"),
    ("replace", "mem", "u32"),
    ("take", "mem", "u32"),
    ("size_of", "mem", "u32"),
    ("align_of", "mem", "u32"),
    ("min", "cmp", "u32"),
    ("max", "cmp", "u32"),
    ("from_fn", "array", "u32, 1, fn(usize) -> u32"),
];

/// Whether a function has this name.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, ..)| *known == name)
}

/// The name of the function that a path means where nothing else has the path.
pub fn function_at(path: &str) -> Option<&'static str> {
    let path = within_standard(path);
    let mut functions = FUNCTIONS.iter();
    let found = functions.find(|(name, module, _)| match path.split_once("::") {
        Some((owner, last)) => owner == *module && last == *name,
        None => path == *name,
    });
    found.map(|(name, ..)| *name)
}

impl File {
    /// The file's text.
    pub fn text(self) -> &'static str {
        match self {
            File::Option => include_str!("option.rs"),
            File::Result => include_str!("result.rs"),
            File::Ordering => include_str!("ordering.rs"),
            File::Range => RANGES,
            File::Bool => include_str!("boolean.rs"),
            File::Byte => include_str!("byte.rs"),
            File::Array => include_str!("array.rs"),
            File::Slice => include_str!("slice.rs"),
            File::Comparison => include_str!("comparison.rs"),
            File::Equality => include_str!("equality.rs"),
            File::Kept => include_str!("kept.rs"),
            File::Reverse => include_str!("reverse.rs"),
            File::Wrapping => include_str!("wrapping.rs"),
            File::Function => include_str!("function.rs"),
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
        let files = [
            File::Array,
            File::Slice,
            File::Ordering,
            File::Range,
            File::Comparison,
            File::Equality,
            File::Function,
        ];
        for name in files.into_iter().flat_map(File::names) {
            let name = name.replace("sort_unstable", "sort");
            assert!(
                listed.contains(&&*name),
                "docs/language.md does not list {name}"
            );
        }
    }
}
