//! Generic helpers: one function of the program for each set of arguments that they are
//! called with.
//!
//! A helper with type or const parameters is typed on its own only where it is written, with its
//! parameters as types of which nothing is known but their bounds
//! ([`Ty::Param`](super::Ty::Param)): that is for its host version, on which rustc proves the
//! bounds. A kernel calls *instances*, each typed with the arguments in the parameters' stead, once
//! the caller's types are known.

mod application;
mod associated;
mod bound;
mod call;
mod instance;
mod member;
mod operator;
mod projection;
mod scalar;
mod substitution;
mod trait_bound;

pub use associated::of_block as associated_types;
pub use bound::functions;
pub use call::GenericCall;
pub use projection::declare as declare_projections;
pub use scalar::{
    conversion, conversion_from, has_own_reference, has_own_references, missing_bound, unbounded,
};
pub use trait_bound::BoundFunction;
