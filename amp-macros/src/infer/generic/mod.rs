//! Generic helpers: one function of the program for each set of arguments that they are
//! called with.
//!
//! A helper with type or const parameters is typed on its own only where it is written, with its
//! parameters as types of which nothing is known but their bounds
//! ([`Ty::Param`](super::Ty::Param)): that is for its host version, on which rustc proves the
//! bounds. A kernel calls *instances*, each typed with the arguments in the parameters' stead, once
//! the caller's types are known.

mod application;
mod bound;
mod call;
mod instance;
mod member;
mod parameter;
mod scalar;
mod substitution;

pub use application::{structure, turbofish};
pub use bound::{
    TraitDef, TraitFunction, bare_trait, functions, is_standard_bound, is_standard_trait,
};
pub use call::{GenericCall, Pending};
pub use parameter::{
    Arguments, Parameters, TypeParam, bounds, closures, declare, unfit_for_type, unlisted,
};
pub use scalar::{conversion, conversion_from, has_own_references, missing_bound};
