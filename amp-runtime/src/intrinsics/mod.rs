//! What kernels call, as the host runs it.

pub(crate) mod array;
pub(crate) mod atomic;
pub(crate) mod barrier;
mod division;
pub(crate) mod integer;
pub(crate) mod scalar;
pub mod subgroup;
#[cfg(feature = "glam")]
pub mod vector;
