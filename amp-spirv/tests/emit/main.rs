//! Modules written as text, emitted and validated.

mod build;
mod check;
mod control_flow;
mod fences;
mod form;
mod kernels;
mod loops;
mod math;
mod memory;
mod ranges;
mod text;
mod views;
