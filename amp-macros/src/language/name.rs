//! Names that mean something without an import: those of the language, and those of the standard
//! library that kernels do not have; and names that items of kernel code cannot have.

use amp_spirv::tree::Scalar;
use syn::Path;

use super::{atomic::AtomicFunction, fence::FENCES, subgroup::is_subgroup_function};

/// Types besides scalars that need no import.
const OTHER_TYPES: &[&str] = &[
    "i128",
    "u128",
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

/// The types that need no import.
pub fn built_in_types<'a>() -> impl Iterator<Item = &'a str> {
    let scalars = Scalar::ALL.iter().map(|scalar| scalar.name());
    scalars.chain(OTHER_TYPES.iter().map(|name| -> &str { name }))
}

/// Whether a type needs no import.
pub fn is_built_in_type(name: &str) -> bool {
    built_in_types().any(|known| known == name)
}

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

/// Whether a program must import a built-in type, and may have one of its own of this name.
pub fn is_optional_type(name: &str) -> bool {
    Scalar::from_name(name).is_some_and(Scalar::is_half)
}

/// Whether a path names a function that the language knows without an import, if nothing else
/// has that name.
pub fn is_built_in_function(path: &Path) -> bool {
    let name = path.segments.last().map(|last| last.ident.to_string());
    name.is_some_and(|name| built_in_functions().any(|known| known == name))
        || is_subgroup_function(path)
}

/// The functions that kernels call without importing them.
pub fn built_in_functions() -> impl Iterator<Item = &'static str> {
    let fences = FENCES.iter().map(|(name, _)| *name);
    fences.chain(AtomicFunction::names())
}

/// Macros that are in scope everywhere; a function of the same name would export a
/// macro that hides them in its module.
const STANDARD_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "is_x86_feature_detected",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "try",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Whether the standard library has a macro of this name.
pub fn is_reserved_name(name: &str) -> bool {
    STANDARD_MACROS.contains(&name)
}
