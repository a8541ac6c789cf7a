//! Slices as values, against the same modules as plain Rust.

mod fields;
mod items;
mod lexers;
mod outliving;
mod records;
mod returned;
