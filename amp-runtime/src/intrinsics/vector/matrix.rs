//! Operators of matrices, and access to their columns.

use std::ops::{Add, Div, Mul};

use amp_spirv::artifact::FaultKind;
use glam::{Mat2, Mat3, Mat4, Vec2, Vec3, Vec4};

use super::Vector;
use crate::device::cpu::report;

/// A square matrix of glam's.
pub trait Matrix: Copy {
    /// A column.
    type Column: Vector<Component = f32>
        + Default
        + Add<Output = Self::Column>
        + Mul<f32, Output = Self::Column>
        + Div<f32, Output = Self::Column>;
    /// The number of columns.
    const COLUMNS: usize;

    /// The column `k`, which there is.
    fn column(self, k: usize) -> Self::Column;
    /// The matrix of columns.
    fn of_columns(column: impl Fn(usize) -> Self::Column) -> Self;
    /// The matrix with its rows as columns.
    fn transposed(self) -> Self;
}

macro_rules! matrices {
    ($($ty:ident of $column:ident, $count:literal: [$($k:literal)*];)*) => {$(
        impl Matrix for $ty {
            type Column = $column;
            const COLUMNS: usize = $count;

            #[inline(always)]
            fn column(self, k: usize) -> $column {
                self.col(k)
            }

            #[inline(always)]
            fn of_columns(column: impl Fn(usize) -> $column) -> Self {
                Self::from_cols($(column($k)),*)
            }

            #[inline(always)]
            fn transposed(self) -> Self {
                self.transpose()
            }
        }
    )*};
}
matrices! {
    Mat2 of Vec2, 2: [0 1];
    Mat3 of Vec3, 3: [0 1 2];
    Mat4 of Vec4, 4: [0 1 2 3];
}

/// `m * v`
#[inline(always)]
pub fn mul_vector<M: Matrix>(m: M, v: M::Column) -> M::Column {
    let by = v.components();
    let scaled = |k: usize| m.column(k) * by.as_ref()[k];
    (1..M::COLUMNS).fold(scaled(0), |sum, k| sum + scaled(k))
}

/// `a * b`
#[inline(always)]
pub fn mul_matrix<M: Matrix>(a: M, b: M) -> M {
    M::of_columns(|k| mul_vector(a, b.column(k)))
}

/// `m * s`
#[inline(always)]
pub fn mul_scalar<M: Matrix>(m: M, s: f32) -> M {
    M::of_columns(|k| m.column(k) * s)
}

/// `m / s`
#[inline(always)]
pub fn div_scalar<M: Matrix>(m: M, s: f32) -> M {
    M::of_columns(|k| m.column(k) / s)
}

/// `m.col(index)`. An index past the columns is a fault, and the column zero.
#[inline(always)]
#[track_caller]
pub fn col<M: Matrix>(m: M, index: usize) -> M::Column {
    if index < M::COLUMNS {
        return m.column(index);
    }
    report::raise(FaultKind::ArrayOutOfBounds, [index, M::COLUMNS]);
    M::Column::default()
}

/// `m.row(index)`. An index past the rows is a fault, and the row zero.
#[inline(always)]
#[track_caller]
pub fn row<M: Matrix>(m: M, index: usize) -> M::Column {
    col(m.transposed(), index)
}
