//! Vectors of floats. What glam has for `Vec2` and `Vec3` is its scalar implementation,
//! so it says what is expected; a `Vec4` is held against formulas written out.

use amp::prelude::*;
use glam::{Vec2, Vec3, Vec3Swizzles, Vec4, Vec4Swizzles};
use testkit::{assert_same, everywhere, input, launch, table};

use super::{scalars, vec4s};

fn vec2s() -> (Vec<Vec2>, Vec<Vec2>, Vec<f32>) {
    let (x, y) = (vec4s(1), vec4s(2));
    let of = |all: Vec<Vec4>| all.into_iter().map(|v| v.xy()).collect::<Vec<_>>();
    let s = scalars(3, x.len());
    (of(x), of(y), s)
}

fn vec3s() -> (Vec<Vec3>, Vec<Vec3>, Vec<f32>) {
    let (x, y) = (vec4s(4), vec4s(5));
    let of = |all: Vec<Vec4>| all.into_iter().map(|v| v.xyz()).collect::<Vec<_>>();
    let s = scalars(6, x.len());
    (of(x), of(y), s)
}

fn four() -> (Vec<Vec4>, Vec<Vec4>, Vec<f32>) {
    let x = vec4s(7);
    let s = scalars(8, x.len());
    (x, vec4s(9), s)
}

table! {
    operators(a: Vec3, b: Vec3, s: f32) -> Vec3 = vec3s();
    a + b => a + b;
    a - b => a - b;
    a * b => a * b;
    a / b => a / b;
    a % b => a % b;
    a + s => a + s;
    a - s => a - s;
    a * s => a * s;
    a / s => a / s;
    a % s => a % s;
    s + a => s + a;
    s - a => s - a;
    s * a => s * a;
    s / a => s / a;
    s % a => s % a;
    2.0 * a - 1.0 => 2.0 * a - 1.0;
    -a => -a;
    -(a - b) / 0.0 => -(a - b) / 0.0;
    { let mut c = a; c += b; c -= s; c *= b; c } => (a + b - s) * b;
    { let mut c = a; c /= b; c %= s; c } => (a / b) % s;
    { let mut c = a; c %= b; c /= 2.0; c } => (a % b) / 2.0;
}

table! {
    by_component(a: Vec3, b: Vec3, s: f32) -> Vec3 = vec3s();
    a.abs() => a.abs();
    a.signum() => a.signum();
    a.floor() => a.floor();
    a.ceil() => a.ceil();
    a.trunc() => a.trunc();
    a.round() => a.round();
    a.fract() => a.fract();
    a.fract_gl() => a.fract_gl();
    a.sqrt() => a.sqrt();
    a.recip() => a.recip();
    a.copysign(b) => a.copysign(b);
    a.mul_add(b, a) => a.mul_add(b, a);
    a.min(b) => a.min(b);
    a.max(b) => a.max(b);
    a.clamp(b, Vec3::splat(s)) => a.max(b).min(Vec3::splat(s));
    a.saturate() => a.saturate();
    a.step(b) => a.step(b);
    Vec3::min(a, b).max(a) => a.min(b).max(a);
}

table! {
    of_directions(a: Vec3, b: Vec3, s: f32) -> Vec3 = vec3s();
    a.cross(b) => a.cross(b);
    a.normalize() => a.normalize();
    a.normalize_or(b) => a.normalize_or(b);
    a.normalize_or_zero() => a.normalize_or_zero();
    a.project_onto(b) => a.project_onto(b);
    a.reject_from(b) => a.reject_from(b);
    a.project_onto_normalized(b) => b * a.dot(b);
    a.reject_from_normalized(b) => a - b * a.dot(b);
    a.reflect(b) => a - 2.0 * a.dot(b) * b;
    a.refract(b, s) => a.refract(b, s);
    a.lerp(b, s) => a.lerp(b, s);
    a.midpoint(b) => a.midpoint(b);
    a.move_towards(b, s) => a.move_towards(b, s);
    a.clamp_length(s, 2.0) => a.clamp_length(s, 2.0);
    a.clamp_length_max(s) => a.clamp_length_max(s);
    a.clamp_length_min(s) => a.clamp_length_min(s);
    a.smoothstep(b, Vec3::splat(s)) => a.smoothstep(b, Vec3::splat(s));
    a.dot_into_vec(b) => a.dot_into_vec(b);
}

table! {
    to_numbers(a: Vec3, b: Vec3, s: f32) -> f32 = vec3s();
    a.dot(b) => a.dot(b);
    a.length() => a.length();
    a.length_squared() => a.length_squared();
    a.length_recip() => a.length_recip();
    a.distance(b) => a.distance(b);
    a.distance_squared(b) => a.distance_squared(b);
    a.min_element() => a.min_element();
    a.max_element() => a.max_element();
    a.element_sum() => a.element_sum();
    a.element_product() => a.element_product();
    a.abs_diff_eq(b, s) as u32 as f32 => f32::from(u8::from(a.abs_diff_eq(b, s)));
    a.is_nan() as u32 as f32 => f32::from(u8::from(a.is_nan()));
    a.is_finite() as u32 as f32 => f32::from(u8::from(a.is_finite()));
    a.is_normalized() as u32 as f32 => f32::from(u8::from(a.is_normalized()));
    (a == b) as u32 as f32 => f32::from(u8::from(a == b));
    (a != a) as u32 as f32 => f32::from(u8::from(a.is_nan()));
    Vec3::dot(a, b) + s => a.dot(b) + s;
}

table! {
    masks(a: Vec3, b: Vec3, s: f32) -> u32 = vec3s();
    a.cmpeq(b).bitmask() => a.cmpeq(b).bitmask();
    a.cmpne(b).bitmask() => a.cmpne(b).bitmask();
    a.cmplt(b).bitmask() => a.cmplt(b).bitmask();
    a.cmple(b).bitmask() => a.cmple(b).bitmask();
    a.cmpgt(b).bitmask() => a.cmpgt(b).bitmask();
    a.cmpge(b).bitmask() => a.cmpge(b).bitmask();
    a.is_nan_mask().bitmask() => a.is_nan_mask().bitmask();
    a.is_finite_mask().bitmask() => a.is_finite_mask().bitmask();
    a.cmplt(b).any() as u32 => a.cmplt(b).any().into();
    a.cmplt(b).all() as u32 => a.cmplt(b).all().into();
    (a.cmplt(b) & !b.cmplt(Vec3::splat(s))).bitmask()
        => (a.cmplt(b) & !b.cmplt(Vec3::splat(s))).bitmask();
    (a.cmplt(b) | a.cmpeq(b)).bitmask() => a.cmple(b).bitmask();
    (a.cmplt(b) ^ a.cmple(b)).bitmask() => a.cmpeq(b).bitmask();
    (a.cmplt(b) == a.cmple(b)) as u32 => (a.cmplt(b) == a.cmple(b)).into();
    { let m = a.cmplt(b); (m.x != m.z) as u32 } => ((a.x < b.x) != (a.z < b.z)).into();
    { let mut m = a.cmplt(b); m.y = true; m.bitmask() } => a.cmplt(b).bitmask() | 2;
    { let mut m = a.cmplt(b); m &= b.cmple(a); m.bitmask() } => 0;
}

table! {
    selections(a: Vec3, b: Vec3, s: f32) -> Vec3 = vec3s();
    Vec3::select(a.cmplt(b), a, b) => Vec3::select(a.cmplt(b), a, b);
    Vec3::select(a.cmplt(b), b * s, Vec3::ZERO) => Vec3::select(a.cmplt(b), b * s, Vec3::ZERO);
    Vec3::from(a.cmplt(b)) => Vec3::from(a.cmplt(b));
}

table! {
    of_two(a: Vec2, b: Vec2, s: f32) -> Vec2 = vec2s();
    a + b * s => a + b * s;
    a % b => a % b;
    a.perp() => a.perp();
    a.rotate(b) => a.rotate(b);
    a.normalize() => a.normalize();
    a.reflect(b) => a - 2.0 * a.dot(b) * b;
    a.lerp(b, s) => a.lerp(b, s);
    a.min(b).max(a) => a.min(b).max(a);
    a.project_onto(b) => a.project_onto(b);
    Vec2::splat(a.perp_dot(b)) => Vec2::splat(a.perp_dot(b));
    Vec2::splat(a.dot(b)) => Vec2::splat(a.dot(b));
    Vec2::splat(a.length()) => Vec2::splat(a.length());
    Vec2::splat(a.min_element()) => Vec2::splat(a.min_element());
    Vec2::splat(a.max_element()) => Vec2::splat(a.max_element());
}

/// In the order of glam's scalar implementation.
fn dot4(a: Vec4, b: Vec4) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
}

fn each(a: Vec4, b: Vec4, f: fn(f32, f32) -> f32) -> Vec4 {
    Vec4::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w))
}

fn scaled(a: Vec4, s: f32) -> Vec4 {
    each(a, Vec4::splat(s), |a, s| a * s)
}

fn least(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

table! {
    of_four(a: Vec4, b: Vec4, s: f32) -> Vec4 = four();
    a + b => each(a, b, |a, b| a + b);
    a - b => each(a, b, |a, b| a - b);
    a * b => each(a, b, |a, b| a * b);
    a / b => each(a, b, |a, b| a / b);
    a % b => each(a, b, |a, b| a % b);
    a % s => each(a, Vec4::splat(s), |a, b| a % b);
    s / a => each(Vec4::splat(s), a, |a, b| a / b);
    -a => each(a, a, |a, _| -a);
    a.abs() => each(a, a, |a, _| a.abs());
    a.signum() => each(a, a, |a, _| a.signum());
    a.floor() => each(a, a, |a, _| a.floor());
    a.ceil() => each(a, a, |a, _| a.ceil());
    a.trunc() => each(a, a, |a, _| a.trunc());
    a.round() => each(a, a, |a, _| a.round());
    a.fract() => each(a, a, |a, _| a - a.trunc());
    a.sqrt() => each(a, a, |a, _| a.sqrt());
    a.recip() => each(a, a, |a, _| 1.0 / a);
    a.min(b) => each(a, b, least);
    a.max(b) => each(a, b, |a, b| if a > b { a } else { b });
    a.mul_add(b, b) => each(a, b, |a, b| a.mul_add(b, b));
    a.normalize() => scaled(a, 1.0 / dot4(a, a).sqrt());
    a.lerp(b, s) => each(scaled(a, 1.0 - s), scaled(b, s), |a, b| a + b);
    a.reflect(b) => each(a, scaled(b, 2.0 * dot4(a, b)), |a, b| a - b);
    a.project_onto(b) => scaled(b, dot4(a, b) / dot4(b, b));
    Vec4::splat(a.dot(b)) => Vec4::splat(dot4(a, b));
    Vec4::splat(a.length()) => Vec4::splat(dot4(a, a).sqrt());
    Vec4::splat(a.length_recip()) => Vec4::splat(1.0 / dot4(a, a).sqrt());
    Vec4::splat(a.element_sum()) => Vec4::splat(a.x + a.y + a.z + a.w);
    Vec4::splat(a.element_product()) => Vec4::splat(a.x * a.y * a.z * a.w);
    Vec4::splat(a.min_element()) => Vec4::splat(least(a.x, least(a.y, least(a.z, a.w))));
    Vec4::select(a.cmplt(b), b, a) => each(a, b, |a, b| if a < b { b } else { a });
    Vec4::splat((a == b) as u32 as f32) => Vec4::splat(f32::from(u8::from(a.to_array() == b.to_array())));
}

/// What is as precise as the scalars' methods.
#[amp_kernel]
fn transcendental(
    idx: Index<1>,
    a: &ArrayView<Vec3, 1>,
    by_vector: &mut ArrayViewMut<Vec3, 2>,
    by_component: &mut ArrayViewMut<Vec3, 2>,
) {
    let v = a[idx];
    let i = idx[0];
    by_vector[[i, 0]] = v.sin();
    by_component[[i, 0]] = Vec3::new(v.x.sin(), v.y.sin(), v.z.sin());
    by_vector[[i, 1]] = v.cos();
    by_component[[i, 1]] = Vec3::new(v.x.cos(), v.y.cos(), v.z.cos());
    by_vector[[i, 2]] = v.exp();
    by_component[[i, 2]] = Vec3::new(v.x.exp(), v.y.exp(), v.z.exp());
    by_vector[[i, 3]] = v.exp2();
    by_component[[i, 3]] = Vec3::new(v.x.exp2(), v.y.exp2(), v.z.exp2());
    by_vector[[i, 4]] = v.ln();
    by_component[[i, 4]] = Vec3::new(v.x.ln(), v.y.ln(), v.z.ln());
    by_vector[[i, 5]] = v.log2();
    by_component[[i, 5]] = Vec3::new(v.x.log2(), v.y.log2(), v.z.log2());
    by_vector[[i, 6]] = v.powf(1.5);
    by_vector[[i, 7]] = v.mul_add(v.yzx(), v.zzx());
    by_component[[i, 7]] = Vec3::new(
        v.x.mul_add(v.y, v.z),
        v.y.mul_add(v.z, v.z),
        v.z.mul_add(v.x, v.x),
    );
    by_component[[i, 6]] = Vec3::new(v.x.powf(1.5), v.y.powf(1.5), v.z.powf(1.5));
}

#[test]
fn methods_of_components_are_those_of_scalars() {
    let (a, ..) = vec3s();
    everywhere(|view| {
        let n = a.len();
        let (mut one, mut other) = (vec![Vec3::ZERO; 8 * n], vec![Vec3::ZERO; 8 * n]);
        {
            let mut one = ArrayViewMut::new([n, 8], &mut one).unwrap();
            let mut other = ArrayViewMut::new([n, 8], &mut other).unwrap();
            launch(view, n, transcendental(&input(&a), &mut one, &mut other)).unwrap();
        }
        assert_same(&one, &other, &view.to_string());
    });
}
