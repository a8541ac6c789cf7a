//! `amp::algorithms`: every algorithm on every accelerator, compared with plain Rust.

mod fill;
mod random;
