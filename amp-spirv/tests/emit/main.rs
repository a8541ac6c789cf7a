//! Modules built by hand, emitted and validated.

mod build;
mod check;
mod control_flow;
mod fences;
mod form;
mod ir;
mod kernels;
mod loops;
mod math;
mod memory;
mod ranges;
mod text;
mod views;
