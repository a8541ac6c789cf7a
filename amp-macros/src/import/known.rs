//! Names that mean something without an import: those of the language, and those of the standard
//! library that kernels do not have.

use syn::Path;

use crate::infer::{AtomicFunction, is_subgroup_function};

/// Types that the language knows without an import.
pub const BUILT_IN_TYPES: &[&str] = &[
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "f16",
    "bf16",
    "f32",
    "f64",
    "f128",
    "char",
    "str",
    "Self",
    "Index",
    "Extent",
    "TiledIndex",
    "TiledExtent",
    "TileBarrier",
    "ArrayView",
    "ArrayViewMut",
    "Array",
];

/// Types of the standard library that a kernel may name by mistake.
pub const STANDARD_TYPES: &[&str] = &[
    "String",
    "Vec",
    "Box",
    "Rc",
    "Arc",
    "RefCell",
    "Option",
    "Result",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "VecDeque",
    "Mutex",
    "RwLock",
    "Range",
    "Some",
    "None",
    "Ok",
    "Err",
    "PhantomData",
    "Wrapping",
    "Default",
];

/// Functions that the language knows without an import.
pub const BUILT_IN_FUNCTIONS: &[&str] = &[
    "all_memory_fence",
    "global_memory_fence",
    "tile_static_memory_fence",
    "device_memory_fence",
];

/// Those of them that a program must import, and may have of its own.
pub const OPTIONAL_TYPES: &[&str] = &["f16", "bf16"];

/// Whether a path names a function that the language knows without an import, if nothing else
/// has that name.
pub fn is_built_in_function(path: &Path) -> bool {
    let name = path.segments.last().map(|last| last.ident.to_string());
    name.is_some_and(|name| {
        BUILT_IN_FUNCTIONS.contains(&name.as_str()) || AtomicFunction::named(&name).is_some()
    }) || is_subgroup_function(path)
}

/// The functions that kernels call without importing them.
pub fn built_in_functions() -> impl Iterator<Item = &'static str> {
    let fences = BUILT_IN_FUNCTIONS.iter().copied();
    fences.chain(AtomicFunction::names())
}
