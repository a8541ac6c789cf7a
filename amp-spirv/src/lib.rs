//! The compiler core of amp.
//!
//! A kernel arrives as [`tree`], a typed and structured tree with a span on every
//! node; [`check`] proves what the programming model demands of it; [`mir`] spells out what
//! is done for it; [`analysis`] finds facts about that; [`emit`] turns that into SPIR-V words
//! and the [`artifact::Artifact`] that describes them to the run time. [`compile`] is the way
//! through. The crate knows neither Rust's syntax nor Vulkan's interface, contains no `unsafe`,
//! and is tested without a GPU.
//!
//! With the feature `compiler` off (as in `amp-runtime`) only [`artifact`] remains. The feature
//! `testing` adds what tests need: text forms are read, [`mir::interpret`] runs MIR, and
//! [`tree::verify()`] and [`mir::verify()`] check what each compilation makes. It is off in the build
//! of a program that uses amp.

#![forbid(unsafe_code)]

#[cfg(feature = "compiler")]
pub mod analysis;
pub mod artifact;
#[cfg(feature = "compiler")]
pub mod check;
#[cfg(feature = "compiler")]
mod clear;
#[cfg(feature = "compiler")]
mod compile;
#[cfg(feature = "compiler")]
pub mod diagnostic;
#[cfg(feature = "compiler")]
pub mod emit;
#[cfg(feature = "compiler")]
pub mod memory;
#[cfg(feature = "compiler")]
pub mod mir;
#[cfg(feature = "compiler")]
pub mod opt;
pub mod proof;
pub mod remark;
#[cfg(feature = "compiler")]
pub mod tree;
#[cfg(feature = "compiler")]
pub mod value;

#[cfg(feature = "compiler")]
pub use self::compile::{Form, compile, compile_watched};
