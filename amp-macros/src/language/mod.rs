//! What the language has, as tables that all stages read: adding to one of them is a row.

pub mod atomic;
pub mod core;
pub mod fence;
pub mod glam;
pub mod method;
pub mod name;
pub mod owner;
pub mod returned;
pub mod source;
#[cfg(test)]
mod stable;
pub mod standard;
pub mod subgroup;
pub mod vector;

/// What the names of the functions begin with that give the sum and the product of no values of a type.
pub const EMPTY: &str = "__amp_empty_";

/// The start of the name of the method by which kernels visit what is behind a reference to a type that has
/// `IntoIterator`: the type's name follows.
pub const VISITS_BEHIND: &str = "amp_visit_behind_";

/// The same of the method that visits the value itself.
pub const VISITS: &str = "amp_visit_value_";

/// The function of a type that kernels have in place of its `FromIterator::from_iter`.
pub const COLLECTS: &str = "amp_collect";
