//! Matrices, in the order of glam's scalar implementation.

use amp::prelude::*;
use glam::{Mat2, Mat3, Mat4, Vec2, Vec3, Vec4, Vec4Swizzles};
use testkit::table;

use super::{scalars, vec4s};

fn mat4s(seed: u64) -> Vec<Mat4> {
    let all = vec4s(seed);
    let n = all.len();
    let column = |i: usize, k: usize| all[(i * 3 + k * 17) % n];
    (0..n)
        .map(|i| Mat4::from_cols(column(i, 0), column(i, 1), column(i, 2), column(i, 3)))
        .collect()
}

fn of_four() -> (Vec<Mat4>, Vec<Mat4>, Vec<Vec4>, Vec<f32>) {
    let m = mat4s(1);
    let n = m.len();
    (m, mat4s(2), vec4s(3), scalars(4, n))
}

fn of_three() -> (Vec<Mat3>, Vec<Mat3>, Vec<Vec3>, Vec<f32>) {
    let (m, n, v, s) = of_four();
    let three = |all: Vec<Mat4>| all.into_iter().map(Mat3::from_mat4).collect::<Vec<_>>();
    (
        three(m),
        three(n),
        v.into_iter().map(|v| v.xyz()).collect(),
        s,
    )
}

fn of_two() -> (Vec<Mat2>, Vec<Mat2>, Vec<Vec2>, Vec<f32>) {
    let (m, n, v, s) = of_three();
    let two = |all: Vec<Mat3>| all.into_iter().map(Mat2::from_mat3).collect::<Vec<_>>();
    (
        two(m),
        two(n),
        v.into_iter().map(|v| v.truncate()).collect(),
        s,
    )
}

/// `m * v`, column by column.
fn by_column(m: Mat4, v: Vec4) -> Vec4 {
    let add = |a: Vec4, b: Vec4| Vec4::new(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    let scale = |a: Vec4, s: f32| Vec4::new(a.x * s, a.y * s, a.z * s, a.w * s);
    let sum = add(scale(m.x_axis, v.x), scale(m.y_axis, v.y));
    let sum = add(sum, scale(m.z_axis, v.z));
    add(sum, scale(m.w_axis, v.w))
}

table! {
    products4(m: Mat4, n: Mat4, v: Vec4, s: f32) -> Mat4 = of_four();
    m + n => m + n;
    m - n => m - n;
    -m => -m;
    m * n => Mat4::from_cols(
        by_column(m, n.x_axis),
        by_column(m, n.y_axis),
        by_column(m, n.z_axis),
        by_column(m, n.w_axis),
    );
    m * s => Mat4::from_cols(m.x_axis * s, m.y_axis * s, m.z_axis * s, m.w_axis * s);
    s * m => Mat4::from_cols(m.x_axis * s, m.y_axis * s, m.z_axis * s, m.w_axis * s);
    m / s => Mat4::from_cols(m.x_axis / s, m.y_axis / s, m.z_axis / s, m.w_axis / s);
    m.mul_scalar(s).div_scalar(2.0) => Mat4::from_cols(
        m.x_axis * s / 2.0,
        m.y_axis * s / 2.0,
        m.z_axis * s / 2.0,
        m.w_axis * s / 2.0,
    );
    m.transpose() => m.transpose();
    Mat4::from_cols(v, m.x_axis, m.col(2), n.row(3)) => Mat4::from_cols(v, m.x_axis, m.z_axis, n.row(3));
    Mat4::from_diagonal(v) => Mat4::from_diagonal(v);
    { let mut k = m; k.y_axis = v; k.z_axis.w = s; k.x_axis += v; k } => {
        let mut k = m;
        k.y_axis = v;
        k.z_axis.w = s;
        k.x_axis += v;
        k
    };
    { let mut k = m; k += n; k -= m; k *= s; k /= 3.0; k } => {
        let mut k = m + n - m;
        k = Mat4::from_cols(k.x_axis * s, k.y_axis * s, k.z_axis * s, k.w_axis * s);
        Mat4::from_cols(k.x_axis / 3.0, k.y_axis / 3.0, k.z_axis / 3.0, k.w_axis / 3.0)
    };
    if m == n { Mat4::IDENTITY } else { Mat4::ZERO } => if m == n { Mat4::IDENTITY } else { Mat4::ZERO };
    if m != m { Mat4::IDENTITY } else { Mat4::ZERO } => if m.is_nan() { Mat4::IDENTITY } else { Mat4::ZERO };
}

table! {
    vectors4(m: Mat4, n: Mat4, v: Vec4, s: f32) -> Vec4 = of_four();
    m * v => by_column(m, v);
    m.mul_vec4(v) => by_column(m, v);
    m * (n * v) * s => by_column(m, by_column(n, v)) * s;
    m.diagonal() => m.diagonal();
    m.transform_point3(v.xyz()).extend(s) => {
        let sum = |k: usize| {
            m.w_axis[k] + (m.x_axis[k] * v.x + m.y_axis[k] * v.y + m.z_axis[k] * v.z)
        };
        Vec4::new(sum(0), sum(1), sum(2), s)
    };
    m.transform_vector3(v.xyz()).extend(s) => {
        let sum = |k: usize| m.x_axis[k] * v.x + m.y_axis[k] * v.y + m.z_axis[k] * v.z;
        Vec4::new(sum(0), sum(1), sum(2), s)
    };
    m.project_point3(v.xyz()).extend(s) => {
        let sum = |k: usize| {
            m.w_axis[k] + (m.x_axis[k] * v.x + m.y_axis[k] * v.y + m.z_axis[k] * v.z)
        };
        Vec4::new(sum(0) / sum(3), sum(1) / sum(3), sum(2) / sum(3), s)
    };
}

/// The determinant as glam's scalar `Mat4` computes it.
fn determinant4(m: Mat4) -> f32 {
    let [m0, m1, m2, m3] = m.to_cols_array_2d();
    let a2323 = m2[2] * m3[3] - m2[3] * m3[2];
    let a1323 = m2[1] * m3[3] - m2[3] * m3[1];
    let a1223 = m2[1] * m3[2] - m2[2] * m3[1];
    let a0323 = m2[0] * m3[3] - m2[3] * m3[0];
    let a0223 = m2[0] * m3[2] - m2[2] * m3[0];
    let a0123 = m2[0] * m3[1] - m2[1] * m3[0];
    m0[0] * (m1[1] * a2323 - m1[2] * a1323 + m1[3] * a1223)
        - m0[1] * (m1[0] * a2323 - m1[2] * a0323 + m1[3] * a0223)
        + m0[2] * (m1[0] * a1323 - m1[1] * a0323 + m1[3] * a0123)
        - m0[3] * (m1[0] * a1223 - m1[1] * a0223 + m1[2] * a0123)
}

table! {
    determinants(m: Mat4, n: Mat4, v: Vec4, s: f32) -> f32 = of_four();
    m.determinant() => determinant4(m);
    (m * n).determinant() + v.x * s => {
        let product = Mat4::from_cols(
            by_column(m, n.x_axis),
            by_column(m, n.y_axis),
            by_column(m, n.z_axis),
            by_column(m, n.w_axis),
        );
        determinant4(product) + v.x * s
    };
}

/// The inverse as glam's scalar `Mat4` computes it, written out.
fn inverse4(m: Mat4) -> Mat4 {
    let [m0, m1, m2, m3] = m.to_cols_array_2d();
    let coefficient = |a: [f32; 4], b: [f32; 4], i: usize, j: usize| a[i] * b[j] - b[i] * a[j];
    let factor = |i, j| {
        let first = coefficient(m2, m3, i, j);
        [
            first,
            first,
            coefficient(m1, m3, i, j),
            coefficient(m1, m2, i, j),
        ]
    };
    let (f0, f1, f2) = (factor(2, 3), factor(1, 3), factor(1, 2));
    let (f3, f4, f5) = (factor(0, 3), factor(0, 2), factor(0, 1));
    let row = |k: usize| [m1[k], m0[k], m0[k], m0[k]];
    let (v0, v1, v2, v3) = (row(0), row(1), row(2), row(3));
    let column = |a: [f32; 4],
                  fa: [f32; 4],
                  b: [f32; 4],
                  fb: [f32; 4],
                  c: [f32; 4],
                  fc: [f32; 4],
                  sign: f32| {
        let mut sign = -sign;
        std::array::from_fn::<f32, 4, _>(|k| {
            sign = -sign;
            (a[k] * fa[k] - b[k] * fb[k] + c[k] * fc[k]) * sign
        })
    };
    let i0 = column(v1, f0, v2, f1, v3, f2, 1.0);
    let i1 = column(v0, f0, v2, f3, v3, f4, -1.0);
    let i2 = column(v0, f1, v1, f3, v3, f5, 1.0);
    let i3 = column(v0, f2, v1, f4, v2, f5, -1.0);
    let determinant = m0[0] * i0[0] + m0[1] * i1[0] + m0[2] * i2[0] + m0[3] * i3[0];
    let recip = 1.0 / determinant;
    let scaled = [i0, i1, i2, i3].map(|column| column.map(|entry| entry * recip));
    Mat4::from_cols_array_2d(&scaled)
}

table! {
    inverses4(m: Mat4, n: Mat4, v: Vec4, s: f32) -> Mat4 = of_four();
    m.inverse() => inverse4(m);
    (n + Mat4::IDENTITY * s + Mat4::from_diagonal(v)).inverse() => {
        let scaled = Mat4::from_cols(Vec4::X * s, Vec4::Y * s, Vec4::Z * s, Vec4::W * s);
        inverse4(n + scaled + Mat4::from_diagonal(v))
    };
}

table! {
    of_columns_of_three(m: Mat3, n: Mat3, v: Vec3, s: f32) -> Mat3 = of_three();
    m + n * s => m + n * s;
    m * n => m * n;
    m.transpose() - n => m.transpose() - n;
    m.inverse() => m.inverse();
    m / s => m / s;
    Mat3::from_cols(m * v, m.mul_vec3(v), Vec3::splat(m.determinant()))
        => Mat3::from_cols(m * v, m.mul_vec3(v), Vec3::splat(m.determinant()));
    Mat3::from_cols(
        m.transform_point2(v.truncate()).extend(s),
        m.transform_vector2(v.truncate()).extend(s),
        m.row(1),
    ) => {
        let turned = |k: usize| m.x_axis[k] * v.x + m.y_axis[k] * v.y;
        Mat3::from_cols(
            Vec3::new(turned(0) + m.z_axis.x, turned(1) + m.z_axis.y, s),
            Vec3::new(turned(0), turned(1), s),
            m.row(1),
        )
    };
}

table! {
    of_columns_of_two(m: Mat2, n: Mat2, v: Vec2, s: f32) -> Mat2 = of_two();
    m + n => m + n;
    m - n => m - n;
    -m * s => Mat2::from_cols(-m.x_axis * s, -m.y_axis * s);
    m * n => {
        let by = |v: Vec2| Vec2::new(
            m.x_axis.x * v.x + m.y_axis.x * v.y,
            m.x_axis.y * v.x + m.y_axis.y * v.y,
        );
        Mat2::from_cols(by(n.x_axis), by(n.y_axis))
    };
    Mat2::from_cols(m * v, Vec2::splat(m.determinant())) => Mat2::from_cols(
        Vec2::new(
            m.x_axis.x * v.x + m.y_axis.x * v.y,
            m.x_axis.y * v.x + m.y_axis.y * v.y,
        ),
        Vec2::splat(m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x),
    );
    m.inverse() => {
        let recip = 1.0 / (m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x);
        Mat2::from_cols(
            Vec2::new(m.y_axis.y * recip, m.x_axis.y * -recip),
            Vec2::new(m.y_axis.x * -recip, m.x_axis.x * recip),
        )
    };
    m.transpose() => m.transpose();
    Mat2::IDENTITY => Mat2::IDENTITY;
}
