//! Modules built by hand, emitted and validated.

mod check;
mod control_flow;
mod fences;
mod ir;
mod kernels;
mod math;
mod memory;
mod ranges;
mod text;
mod versions;
mod views;
