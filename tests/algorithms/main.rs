//! `amp::algorithms`: every algorithm on every accelerator, compared with plain Rust.

mod data;
mod fill;
mod linear;
mod random;
mod reduce;
mod scan;
