//! Products of matrices and vectors, and transposition.

mod blocks;
mod gemm;
mod gemv;
mod strips;
mod transpose;
mod wide;

pub use gemm::{Gemm, MatrixElement, gemm};
pub use gemv::{Gemv, gemv};
pub use transpose::{transpose, transpose_on};
