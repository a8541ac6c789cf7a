//! `amp::algorithms`: every algorithm on every accelerator, compared with plain Rust.

mod data;
mod documents;
mod empty;
mod fft;
mod fill;
mod halves;
mod linear;
mod lines;
mod merge;
mod moves;
mod properties;
mod queue;
mod random;
mod reduce;
mod rows;
mod runs;
mod scan;
mod search;
mod segments;
mod select;
mod sort;
mod transform;
