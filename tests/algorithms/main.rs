//! `amp::algorithms`: every algorithm on every accelerator, compared with plain Rust.

mod data;
mod fill;
mod random;
mod reduce;
mod scan;
