//! Functions of matrices.

use amp_spirv::artifact::FaultKind;
use glam::{Mat2, Mat3, Mat4, Vec2, Vec3, Vec4};

use super::component::difference;
use super::{Vector, add, cross, div, dot, mul};
use crate::device::cpu::report;

/// A square matrix of glam's.
pub trait Matrix: Copy {
    /// A column.
    type Column: Vector<Component = f32>;
    /// The number of columns.
    const COLUMNS: usize;

    /// The column `k`, which there is.
    fn column(self, k: usize) -> Self::Column;
    /// The matrix of columns.
    fn of_columns(column: impl FnMut(usize) -> Self::Column) -> Self;
    /// The matrix with its rows as columns.
    fn transposed(self) -> Self;
    /// `self.determinant()`
    fn determinant(self) -> f32;
    /// `self.inverse()`
    fn inverse(self) -> Self;
}

/// A matrix that moves points of one dimension less.
pub trait Affine: Matrix {
    /// A point.
    type Point: Copy;
    /// The components of a point.
    fn coordinates(point: Self::Point) -> impl AsRef<[f32]>;
    /// The point of the first components of a column.
    fn truncated(column: Self::Column) -> Self::Point;
}

macro_rules! matrices {
    ($($ty:ident of $column:ident, $count:literal: [$($name:ident $k:literal)*],
       $determinant:ident, $inverse:ident;)*) => {$(
        impl Matrix for $ty {
            type Column = $column;
            const COLUMNS: usize = $count;

            #[inline(always)]
            fn column(self, k: usize) -> $column {
                [$(self.$name),*][k]
            }

            #[inline(always)]
            fn of_columns(mut column: impl FnMut(usize) -> $column) -> Self {
                Self::from_cols($(column($k)),*)
            }

            #[inline(always)]
            fn transposed(self) -> Self {
                self.transpose()
            }

            #[inline(always)]
            fn determinant(self) -> f32 {
                $determinant(self)
            }

            #[inline(always)]
            fn inverse(self) -> Self {
                $inverse(self)
            }
        }
    )*};
}
matrices! {
    Mat2 of Vec2, 2: [x_axis 0 y_axis 1], determinant2, inverse2;
    Mat3 of Vec3, 3: [x_axis 0 y_axis 1 z_axis 2], determinant3, inverse3;
    Mat4 of Vec4, 4: [x_axis 0 y_axis 1 z_axis 2 w_axis 3], determinant4, inverse4;
}

impl Affine for Mat3 {
    type Point = Vec2;

    #[inline(always)]
    fn coordinates(point: Vec2) -> impl AsRef<[f32]> {
        point.to_array()
    }

    #[inline(always)]
    fn truncated(column: Vec3) -> Vec2 {
        column.truncate()
    }
}

impl Affine for Mat4 {
    type Point = Vec3;

    #[inline(always)]
    fn coordinates(point: Vec3) -> impl AsRef<[f32]> {
        point.to_array()
    }

    #[inline(always)]
    fn truncated(column: Vec4) -> Vec3 {
        column.truncate()
    }
}

/// The first columns, each multiplied by one of the numbers, summed up.
#[inline(always)]
fn combine<M: Matrix>(m: M, by: &[f32]) -> M::Column {
    let scaled = |k: usize| mul(m.column(k), M::Column::splat(by[k]));
    (1..by.len()).fold(scaled(0), |sum, k| add(sum, scaled(k)))
}

/// `m * v`
#[inline(always)]
pub fn mul_vector<M: Matrix>(m: M, v: M::Column) -> M::Column {
    combine(m, v.components().as_ref())
}

/// `a * b`
#[inline(always)]
pub fn mul_matrix<M: Matrix>(a: M, b: M) -> M {
    M::of_columns(|k| mul_vector(a, b.column(k)))
}

/// `m * s`
#[inline(always)]
pub fn mul_scalar<M: Matrix>(m: M, s: f32) -> M {
    M::of_columns(|k| mul(m.column(k), M::Column::splat(s)))
}

/// `m / s`
#[inline(always)]
pub fn div_scalar<M: Matrix>(m: M, s: f32) -> M {
    M::of_columns(|k| div(m.column(k), M::Column::splat(s)))
}

/// `m.transform_vector3(v)`, `m.transform_vector2(v)`
#[inline(always)]
pub fn transform_vector<M: Affine>(m: M, v: M::Point) -> M::Point {
    M::truncated(combine(m, M::coordinates(v).as_ref()))
}

/// `m.transform_point3(p)`, `m.transform_point2(p)`
#[inline(always)]
pub fn transform_point<M: Affine>(m: M, p: M::Point) -> M::Point {
    let turned = combine(m, M::coordinates(p).as_ref());
    M::truncated(add(m.column(M::COLUMNS - 1), turned))
}

/// `m.project_point3(p)`
#[inline(always)]
pub fn project_point(m: Mat4, p: Vec3) -> Vec3 {
    let moved = add(m.w_axis, combine(m, &p.to_array()));
    div(moved, Vec4::splat(moved.w)).truncate()
}

/// `m.col(index)`. An index past the columns is a fault, and the column zero.
#[inline(always)]
#[track_caller]
pub fn col<M: Matrix>(m: M, index: usize) -> M::Column {
    if index < M::COLUMNS {
        return m.column(index);
    }
    report::raise(FaultKind::ArrayOutOfBounds, [index, M::COLUMNS]);
    M::Column::splat(0.0)
}

/// `m.row(index)`. An index past the rows is a fault, and the row zero.
#[inline(always)]
#[track_caller]
pub fn row<M: Matrix>(m: M, index: usize) -> M::Column {
    col(m.transposed(), index)
}

/// `m.determinant()`
#[inline(always)]
pub fn determinant<M: Matrix>(m: M) -> f32 {
    m.determinant()
}

/// `m.inverse()`
#[inline(always)]
pub fn inverse<M: Matrix>(m: M) -> M {
    m.inverse()
}

fn determinant2(m: Mat2) -> f32 {
    let (x, y) = (m.x_axis, m.y_axis);
    difference(x.x, y.y, x.y, y.x)
}

fn determinant3(m: Mat3) -> f32 {
    dot(m.x_axis, cross(m.y_axis, m.z_axis))
}

fn determinant4(m: Mat4) -> f32 {
    let [x, y, z, w] = m.to_cols_array_2d();
    let of_rows = |i: usize, j: usize| difference(z[i], w[j], z[j], w[i]);
    let (a23, a13, a12) = (of_rows(2, 3), of_rows(1, 3), of_rows(1, 2));
    let (a03, a02, a01) = (of_rows(0, 3), of_rows(0, 2), of_rows(0, 1));
    x[0] * (y[1] * a23 - y[2] * a13 + y[3] * a12) - x[1] * (y[0] * a23 - y[2] * a03 + y[3] * a02)
        + x[2] * (y[0] * a13 - y[1] * a03 + y[3] * a01)
        - x[3] * (y[0] * a12 - y[1] * a02 + y[2] * a01)
}

fn inverse2(m: Mat2) -> Mat2 {
    let recip = 1.0 / determinant2(m);
    let (x, y) = (m.x_axis, m.y_axis);
    Mat2::from_cols(
        Vec2::new(y.y * recip, x.y * -recip),
        Vec2::new(y.x * -recip, x.x * recip),
    )
}

fn inverse3(m: Mat3) -> Mat3 {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let rows = [cross(y, z), cross(z, x), cross(x, y)];
    let recip = Vec3::splat(1.0 / dot(x, rows[0]));
    Mat3::of_columns(|k| mul(rows[k], recip)).transpose()
}

fn inverse4(m: Mat4) -> Mat4 {
    let entries = m.to_cols_array_2d();
    let factors = [(2, 3), (1, 3), (1, 2), (0, 3), (0, 2), (0, 1)].map(|(i, j): (usize, usize)| {
        let of_columns = |a: usize, b: usize| {
            difference(entries[a][i], entries[b][j], entries[b][i], entries[a][j])
        };
        let first = of_columns(2, 3);
        Vec4::new(first, first, of_columns(1, 3), of_columns(1, 2))
    });
    let rows: [Vec4; 4] = std::array::from_fn(|row| {
        let (first, second) = (entries[1][row], entries[0][row]);
        Vec4::new(first, second, second, second)
    });
    let terms = [
        [(1, 0), (2, 1), (3, 2)],
        [(0, 0), (2, 3), (3, 4)],
        [(0, 1), (1, 3), (3, 5)],
        [(0, 2), (1, 4), (2, 5)],
    ];
    let adjugate = Mat4::of_columns(|k| {
        let [a, b, c] = terms[k].map(|(row, factor): (usize, usize)| rows[row] * factors[factor]);
        let signs = Vec4::new(1.0, -1.0, 1.0, -1.0);
        (a - b + c) * if k % 2 == 0 { signs } else { -signs }
    });
    let firsts = Vec4::new(
        adjugate.x_axis.x,
        adjugate.y_axis.x,
        adjugate.z_axis.x,
        adjugate.w_axis.x,
    );
    mul_scalar(adjugate, 1.0 / dot(m.x_axis, firsts))
}
