//! The functions of subgroups: `subgroup::reduce_add(x)` and the like, always called by the name
//! of their module.

use amp_spirv::tree::SubgroupOp;
use syn::Path;

/// What a function of subgroups takes.
#[derive(Clone, Copy)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A `bool`.
    Condition,
    /// A value.
    Value,
    /// A value, and a `usize`.
    ValueAnd(&'static str),
}

/// The functions with what they take.
const FUNCTIONS: &[(&str, SubgroupOp, Takes)] = &[
    ("size", SubgroupOp::Size, Takes::Nothing),
    ("index", SubgroupOp::Index, Takes::Nothing),
    ("elect", SubgroupOp::Elect, Takes::Nothing),
    ("barrier", SubgroupOp::Barrier, Takes::Nothing),
    ("all", SubgroupOp::All, Takes::Condition),
    ("any", SubgroupOp::Any, Takes::Condition),
    ("ballot", SubgroupOp::Ballot, Takes::Condition),
    ("broadcast", SubgroupOp::Shuffle, Takes::ValueAnd("lane")),
    ("shuffle", SubgroupOp::Shuffle, Takes::ValueAnd("lane")),
    (
        "shuffle_xor",
        SubgroupOp::ShuffleXor,
        Takes::ValueAnd("mask"),
    ),
    ("reduce_add", SubgroupOp::Add, Takes::Value),
    ("reduce_min", SubgroupOp::Min, Takes::Value),
    ("reduce_max", SubgroupOp::Max, Takes::Value),
    ("inclusive_add", SubgroupOp::InclusiveAdd, Takes::Value),
    ("exclusive_add", SubgroupOp::ExclusiveAdd, Takes::Value),
];

/// The function that a path names.
pub fn function(path: &Path) -> Option<(&'static str, SubgroupOp, Takes)> {
    let mut segments = path.segments.iter().rev();
    let (name, module) = (segments.next()?, segments.next()?);
    let name = FUNCTIONS.iter().find(|(known, ..)| name.ident == known);
    name.filter(|_| module.ident == "subgroup").copied()
}

/// Whether the operation of this name takes values of any type.
pub fn is_generic(name: &str) -> bool {
    let takes_value = |takes: &Takes| matches!(takes, Takes::Value | Takes::ValueAnd(_));
    FUNCTIONS
        .iter()
        .any(|(known, _, takes)| *known == name && takes_value(takes))
}

/// Whether a path names an operation of subgroups.
pub fn is_subgroup_function(path: &Path) -> bool {
    function(path).is_some()
}
