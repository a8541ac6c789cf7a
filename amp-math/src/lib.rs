//! The mathematical functions of `amp`. Programs use them through the facade, as `amp::precise_math`.
//!
//! They are apart from the facade so that crates which the facade re-exports have them too. What the
//! macros write names the facade, by `::amp`. In here that is this crate, which therefore has
//! everything that the macros may name, hidden.

#![forbid(unsafe_code)]
// Its tests are programs. Built as a test, it would find the facade among its dependencies.
#![cfg(not(test))]

// These kernel functions see this crate as users' kernels see the facade.
extern crate self as amp;

pub mod precise_math;

#[doc(hidden)]
pub use amp_macros::amp_fn;
#[doc(hidden)]
pub use amp_runtime::*;

#[doc(hidden)]
pub mod __private {
    pub use amp_macros::{compile_together, gather, resume};
    pub use amp_runtime::private::*;
}
