//! Parallel algorithms for `amp`: reductions, scans, sorts and others, written in its kernel
//! language. Programs use them through the facade, as `amp::algorithms`, with the feature
//! `algorithms`; this crate has no interface of its own besides the module [`algorithms`].
//!
//! The facade re-exports this crate, so this crate cannot depend on the facade. But what the
//! macros write names the facade, by `::amp`. In here that is this crate, which therefore has
//! everything that the macros may name, hidden.

#![forbid(unsafe_code)]
// Its tests are programs. Built as a test, it would find the facade among its dependencies.
#![cfg(not(test))]

// The algorithms' kernels see this crate as users' kernels see the facade.
extern crate self as amp;

pub mod algorithms;

#[doc(hidden)]
pub use {amp_macros::*, amp_math::precise_math, amp_runtime::*};

#[doc(hidden)]
pub mod __private {
    pub use amp_macros::{compile_together, gather, resume};
    pub use amp_runtime::private::*;
}

#[doc(hidden)]
pub mod prelude {
    pub use crate::*;
}
