//! Modules built by hand, emitted and validated.

mod check;
mod ir;
mod kernels;
