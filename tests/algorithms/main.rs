//! `amp::algorithms`: every algorithm on every accelerator, compared with plain Rust.

mod data;
mod fft;
mod fill;
mod linear;
mod moves;
mod random;
mod reduce;
mod scan;
mod sort;
