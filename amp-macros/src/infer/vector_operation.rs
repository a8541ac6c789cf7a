//! What the functions of vectors and matrices compute that the compiler itself does, by names that
//! do not depend on the type.
//!
//! Which types have one, and under what name in glam, is `vector::method`'s. All others are
//! written in the kernel language ([`crate::language::vector`]).

use amp_spirv::tree::{BinaryOp, MathOp};

use super::ty::Ty;
use crate::language::method::Method;

/// A call on a vector or matrix type.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorCall {
    /// What it computes.
    pub operation: Operation,
    /// The type whose function it is.
    pub of: Ty,
}

/// What a function of a vector or matrix type computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// From components or columns.
    New,
    /// From an array.
    FromArray,
    /// From a tuple of scalars and vectors.
    FromTuple,
    /// `as` of each component.
    Cast,
    Splat,
    ToArray,
    Extend,
    Truncate,
    /// The component that is replaced.
    With(u32),
    /// The components that are taken.
    Swizzle(Vec<u32>),
    Any,
    All,
    Bitmask,
    Select,
    /// Of a vector that is the diagonal of a matrix.
    FromDiagonal,
    Diagonal,
    Transpose,
    Column,
    Row,
    /// A method of each component.
    Each(MathOp, &'static Method),
    /// A comparison of each component, and what the run time calls it.
    Compare(BinaryOp, &'static str),
    /// An operator with a matrix on the left, and what the run time calls it.
    Matrix(BinaryOp, &'static str),
}
