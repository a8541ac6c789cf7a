//! Names that mean something without an import: those of the language, and those of the standard
//! library that kernels do not have; and names that items of kernel code cannot have.

use amp_spirv::tree::Scalar;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Generics, Path, QSelf, Type, TypeParamBound, TypePath, WherePredicate, punctuated::Punctuated,
};

use super::{atomic::AtomicFunction, fence::FENCES, subgroup::is_subgroup_function};
use crate::position;

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
    "Ordering",
    "FpCategory",
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
    "TryFromIntError",
    "Infallible",
    "Reverse",
    "Wrapping",
    "Default",
];

/// The standard library's types that kernels have, and their modules.
const STANDARD: &[(&str, &str)] = &[
    ("Option", "option"),
    ("Result", "result"),
    ("Ordering", "cmp"),
    ("FpCategory", "num"),
    ("Range", "ops"),
    ("PhantomData", "marker"),
    ("TryFromIntError", "num"),
    ("Infallible", "convert"),
    ("Reverse", "cmp"),
    ("Wrapping", "num"),
    (KEPT, ""),
    (KEPT_SLICE, ""),
];

/// The type that a reference is as a value: what an `Option<&T>` has in it. Users cannot name it.
pub const KEPT: &str = "__AmpKept";

/// The type that a `&[T]` is as a value: in a field of a struct. Users cannot name it.
pub const KEPT_SLICE: &str = "__AmpKeptSlice";

/// The name of the standard library's type that a path means where nothing else has the path, and
/// its module.
pub fn standard_type(path: &str) -> Option<(&'static str, &'static str)> {
    let path = within_standard(path);
    let mut types = STANDARD.iter();
    let found = types.find(|(name, module)| match path.split_once("::") {
        Some((owner, last)) => owner == *module && last == *name,
        None => path == *name,
    });
    found.copied()
}

/// The same type by a path that nothing can shadow.
pub fn standard_path(name: &str, span: Span) -> Option<TokenStream> {
    let (name, module) = standard_type(name)?;
    let (module, name) = (Ident::new(module, span), Ident::new(name, span));
    Some(quote!(::core::#module::#name))
}

/// The cases of an enum of std.
pub fn standard_cases(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "Option" => &["Some", "None"],
        "Result" => &["Ok", "Err"],
        "Ordering" => &["Less", "Equal", "Greater"],
        _ => return None,
    })
}

/// The enum of a case that is named without it.
pub fn standard_case(name: &str) -> Option<&'static str> {
    Some(match name {
        "Some" | "None" => "Option",
        "Ok" | "Err" => "Result",
        _ => return None,
    })
}

/// Whether a program must import a built-in type, and may have one of its own of this name.
pub fn is_optional_type(name: &str) -> bool {
    matches!(
        name,
        "Ordering"
            | "FpCategory"
            | "Range"
            | "PhantomData"
            | "TryFromIntError"
            | "Infallible"
            | "Reverse"
            | "Wrapping"
    ) || Scalar::from_name(name).is_some_and(Scalar::is_half)
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

/// A path without spaces and generic arguments: what two mentions of one item share.
pub fn path_key(path: &Path) -> String {
    let mut key = String::new();
    if path.leading_colon.is_some() {
        key.push_str("::");
    }
    for (i, segment) in path.segments.iter().enumerate() {
        if i > 0 {
            key.push_str("::");
        }
        key.push_str(&segment.ident.to_string());
    }
    key
}

/// A path within the standard library, `mem::swap` of `::std::mem::swap`; others as they are.
pub fn within_standard(path: &str) -> &str {
    let path = path.trim_start_matches("::");
    let inner = path.strip_prefix("std::");
    inner
        .or_else(|| path.strip_prefix("core::"))
        .unwrap_or(path)
}

/// Whether a name is written as types are: its first letter is a capital.
pub fn is_type_name(name: &str) -> bool {
    name.trim_start_matches('_')
        .starts_with(|first: char| first.is_uppercase())
}

/// Whether a type is written as a constant is: `N`, `TILE_SIZE`.
pub fn is_constant_name(ty: &TypePath) -> bool {
    let last = ty.path.segments.last();
    last.is_some_and(|last| {
        !last
            .ident
            .to_string()
            .contains(|letter: char| letter.is_lowercase())
    })
}

/// A path without its last segment.
pub fn owner_of(path: &Path) -> Path {
    let mut owner = path.clone();
    owner.segments.pop();
    owner.segments.pop_punct();
    owner
}

/// Whether a path names what belongs to a type: a function, a constant, a case.
pub fn is_of_type(path: &Path) -> bool {
    let mut owners = path.segments.iter().rev().skip(1);
    let owner = owners.next();
    owner.is_some_and(|owner| is_type_name(&owner.ident.to_string()))
}

/// The key of a path as the module's own items are named: `self::f` is `f`.
pub fn local_key(path: &Path) -> String {
    let key = path_key(path);
    match key.strip_prefix("self::") {
        Some(local) => local.to_owned(),
        None => key,
    }
}

/// Traits that bounds may name although no module exports them.
const STANDARD_BOUNDS: &[&str] = &[
    "Add",
    "AddAssign",
    "Atomic",
    "AtomicInteger",
    "BitAnd",
    "BitAndAssign",
    "BitOr",
    "BitOrAssign",
    "BitXor",
    "BitXorAssign",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DeviceValue",
    "Div",
    "DivAssign",
    "Element",
    "Float",
    "Eq",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Integer",
    "Into",
    "Mul",
    "MulAssign",
    "Neg",
    "Not",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Rem",
    "RemAssign",
    "Scalar",
    "Send",
    "Shl",
    "ShlAssign",
    "Shr",
    "ShrAssign",
    "Sized",
    "Sub",
    "SubAssign",
    "Sync",
];

/// Traits of the standard library that no bound of kernel code names, although they need no import.
const PRELUDE_TRAITS: &[&str] = &[
    "AsMut",
    "AsRef",
    "DoubleEndedIterator",
    "Drop",
    "ExactSizeIterator",
    "Extend",
    "FromIterator",
    "IntoIterator",
    "Iterator",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
];

/// Whether a trait of this name is one of these, unless the program has one.
pub fn is_prelude_trait(name: &str) -> bool {
    PRELUDE_TRAITS.contains(&name)
}

/// Those of these that are amp's, and that a program may have of its own.
const TRAITS_OF_AMP: [&str; 7] = [
    "Atomic",
    "AtomicInteger",
    "DeviceValue",
    "Element",
    "Float",
    "Integer",
    "Scalar",
];

/// Whether a trait of this name is amp's, unless the program has one.
pub fn is_trait_of_amp(name: &str) -> bool {
    TRAITS_OF_AMP.contains(&name)
}

/// Whether a trait of this name is one of these.
pub fn is_standard_trait(name: &str) -> bool {
    STANDARD_BOUNDS.contains(&name)
}

/// Whether a bound names a trait that the language knows, or that only rustc need know.
pub fn is_standard_bound(bound: &TypeParamBound) -> bool {
    !matches!(bound, TypeParamBound::Trait(_))
        || is_standard_trait(&bound_name(bound))
        || bound.to_token_stream().to_string().starts_with(['?', '~'])
}

/// The trait that `<S as Shape>::item` names.
pub fn qualifying_trait(of: &QSelf, path: &Path) -> Path {
    let mut of_trait = path.clone();
    of_trait.segments = path.segments.iter().take(of.position).cloned().collect();
    of_trait
}

/// The last segment of the trait that a bound names.
pub fn bound_name(bound: &TypeParamBound) -> String {
    match bound {
        TypeParamBound::Trait(bound) => bound
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string())
            .unwrap_or_default(),
        _ => String::new(),
    }
}

/// The bounds of a type parameter, those behind `where` included.
pub fn bounds_of<'a>(
    generics: &'a Generics,
    name: &Ident,
    own: &'a Punctuated<TypeParamBound, syn::Token![+]>,
) -> Vec<&'a TypeParamBound> {
    let mut bounds: Vec<&TypeParamBound> = own.iter().collect();
    let clause = generics.where_clause.iter();
    for predicate in clause.flat_map(|clause| &clause.predicates) {
        if let WherePredicate::Type(predicate) = predicate
            && let Type::Path(path) = &predicate.bounded_ty
            && path.path.is_ident(name)
        {
            bounds.extend(&predicate.bounds);
        }
    }
    bounds
}

/// A name and the expansion that it stems from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    text: String,
    expansion: Option<String>,
}

impl Name {
    /// The name that an identifier is; `r#name` is `name`.
    pub fn of(ident: &Ident) -> Self {
        let text = ident.to_string();
        Self {
            text: text.trim_start_matches("r#").to_owned(),
            expansion: position::expansion(ident.span()),
        }
    }

    /// Whether another name stems from the same expansion.
    pub fn is_beside(&self, other: &Self) -> bool {
        self.expansion == other.expansion
    }

    /// The name without its expansion.
    pub fn text(&self) -> &str {
        &self.text
    }
}
