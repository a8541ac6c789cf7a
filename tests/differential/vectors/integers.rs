//! Vectors of integers, which wrap.

use amp::prelude::*;
use glam::{IVec2, IVec3, IVec4, UVec2, UVec3, UVec4};
use testkit::table;

use super::{ivec4s, uvec4s};

fn signed() -> (Vec<IVec4>, Vec<IVec4>) {
    (ivec4s(1), ivec4s(2))
}

fn unsigned() -> (Vec<UVec4>, Vec<UVec4>) {
    (uvec4s(3), uvec4s(4))
}

fn three() -> (Vec<IVec3>, Vec<IVec3>) {
    let of = |all: Vec<IVec4>| all.into_iter().map(|v| v.truncate()).collect();
    (of(ivec4s(5)), of(ivec4s(6)))
}

fn two() -> (Vec<IVec2>, Vec<UVec2>) {
    let two = |v: &IVec4| v.truncate().truncate();
    let of = |seed| ivec4s(seed).iter().map(two).collect::<Vec<_>>();
    let unsigned = of(8).into_iter().map(|v| v.as_uvec2()).collect();
    (of(7), unsigned)
}

fn each(a: IVec4, b: IVec4, f: fn(i32, i32) -> i32) -> IVec4 {
    IVec4::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w))
}

fn each_u(a: UVec4, b: UVec4, f: fn(u32, u32) -> u32) -> UVec4 {
    UVec4::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w))
}

/// A divisor that never faults.
fn divisor(b: i32) -> i32 {
    (b & 0xff) + 1
}

fn sum(v: IVec4) -> i32 {
    v.x.wrapping_add(v.y).wrapping_add(v.z).wrapping_add(v.w)
}

table! {
    of_i32(a: IVec4, b: IVec4) -> IVec4 = signed();
    a + b => each(a, b, i32::wrapping_add);
    a - b => each(a, b, i32::wrapping_sub);
    a * b => each(a, b, i32::wrapping_mul);
    a / ((b & 0xff) + 1) => each(a, b, |a, b| a.wrapping_div(divisor(b)));
    a % ((b & 0xff) + 1) => each(a, b, |a, b| a.wrapping_rem(divisor(b)));
    a / 7 => each(a, a, |a, _| a / 7);
    a % 7 => each(a, a, |a, _| a % 7);
    7 / (a | 1) => each(a, a, |a, _| 7 / (a | 1));
    7 % (a | 1) => each(a, a, |a, _| 7 % (a | 1));
    a + 7 => each(a, a, |a, _| a.wrapping_add(7));
    7 - a => each(a, a, |a, _| 7_i32.wrapping_sub(a));
    a * b.x => each(a, IVec4::splat(b.x), i32::wrapping_mul);
    b.x * a => each(a, IVec4::splat(b.x), i32::wrapping_mul);
    -a => each(a, a, |a, _| a.wrapping_neg());
    !a => !a;
    a & b => a & b;
    a | b => a | b;
    a ^ b => a ^ b;
    a ^ b.y => a ^ b.y;
    a << 3 => each(a, a, |a, _| a << 3);
    a >> 3_u32 => each(a, a, |a, _| a >> 3);
    a << b.x => each(a, IVec4::splat(b.x), |a, b| a.wrapping_shl(b.cast_unsigned()));
    a << b => each(a, b, |a, b| a.wrapping_shl(b.cast_unsigned()));
    a >> b => each(a, b, |a, b| a.wrapping_shr(b.cast_unsigned()));
    a >> b.as_uvec4() => each(a, b, |a, b| a.wrapping_shr(b.cast_unsigned()));
    a.min(b) => a.min(b);
    a.max(b) => a.max(b);
    a.clamp(IVec4::splat(-5), b) => a.max(IVec4::splat(-5)).min(b);
    a.abs() => each(a, a, |a, _| a.wrapping_abs());
    a.signum() => a.signum();
    a.div_euclid((b & 0xff) + 1) => each(a, b, |a, b| a.wrapping_div_euclid(divisor(b)));
    a.rem_euclid((b & 0xff) + 1) => each(a, b, |a, b| a.wrapping_rem_euclid(divisor(b)));
    a.wrapping_add(b) => a.wrapping_add(b);
    a.wrapping_sub(b) => a.wrapping_sub(b);
    a.wrapping_mul(b) => a.wrapping_mul(b);
    IVec4::splat(a.dot(b)) => IVec4::splat(sum(each(a, b, i32::wrapping_mul)));
    IVec4::splat(a.length_squared()) => IVec4::splat(sum(each(a, a, i32::wrapping_mul)));
    IVec4::splat(a.distance_squared(b)) => {
        let way = each(a, b, i32::wrapping_sub);
        IVec4::splat(sum(each(way, way, i32::wrapping_mul)))
    };
    IVec4::splat(a.element_sum()) => IVec4::splat(sum(a));
    IVec4::splat(a.min_element()) => IVec4::splat(a.min_element());
    IVec4::splat(a.max_element()) => IVec4::splat(a.max_element());
    IVec4::splat(a.cmplt(b).bitmask() as i32) => IVec4::splat(a.cmplt(b).bitmask() as i32);
    IVec4::splat(a.cmpge(b).bitmask() as i32) => IVec4::splat(a.cmpge(b).bitmask() as i32);
    IVec4::select(a.cmpgt(b), a, b) => a.max(b);
    { let mut c = a; c += b; c *= 3; c -= b.y; c ^= a; c <<= 1; c >>= b; c } => {
        let c = each(a, b, i32::wrapping_add);
        let c = each(c, b, |c, _| c.wrapping_mul(3));
        let c = each(c, IVec4::splat(b.y), i32::wrapping_sub) ^ a;
        each(c, b, |c, b| (c << 1).wrapping_shr(b.cast_unsigned()))
    };
    { let mut c = a; c[1] += 7; c.w = c[0]; c } => IVec4::new(a.x, a.y.wrapping_add(7), a.z, a.x);
}

table! {
    of_u32(a: UVec4, b: UVec4) -> UVec4 = unsigned();
    a + b => each_u(a, b, u32::wrapping_add);
    a - b => each_u(a, b, u32::wrapping_sub);
    a * b => each_u(a, b, u32::wrapping_mul);
    a / (b | 1) => each_u(a, b, |a, b| a / (b | 1));
    a % (b | 1) => each_u(a, b, |a, b| a % (b | 1));
    a / 10 % 10 => each_u(a, a, |a, _| a / 10 % 10);
    a >> 5 => each_u(a, a, |a, _| a >> 5);
    a << b => each_u(a, b, u32::wrapping_shl);
    !a & b => !a & b;
    a.min(b) + a.max(b) => each_u(a, b, u32::wrapping_add);
    UVec4::splat(a.dot(b)) => UVec4::splat(
        each_u(a, b, u32::wrapping_mul).to_array().into_iter().fold(0, u32::wrapping_add)
    );
    UVec4::splat(a.element_product()) => UVec4::splat(
        a.to_array().into_iter().fold(1, u32::wrapping_mul)
    );
    UVec4::splat((a == b) as u32) => UVec4::splat((a == b).into());
    UVec4::splat((a != a) as u32) => UVec4::ZERO;
    a.rem_euclid(b | 1) => each_u(a, b, |a, b| a % (b | 1));
}

table! {
    of_three(a: IVec3, b: IVec3) -> IVec3 = three();
    a + b => IVec3::new(a.x.wrapping_add(b.x), a.y.wrapping_add(b.y), a.z.wrapping_add(b.z));
    a.cross(b) => {
        let by = |p: i32, q: i32, r: i32, s: i32| p.wrapping_mul(q).wrapping_sub(r.wrapping_mul(s));
        IVec3::new(
            by(a.y, b.z, b.y, a.z),
            by(a.z, b.x, b.z, a.x),
            by(a.x, b.y, b.x, a.y),
        )
    };
    IVec3::select(a.cmpeq(b), IVec3::NEG_ONE, IVec3::MAX)
        => IVec3::select(a.cmpeq(b), IVec3::NEG_ONE, IVec3::MAX);
    IVec3::from(a.cmplt(b)) => IVec3::from(a.cmplt(b));
}

table! {
    of_two(a: IVec2, b: UVec2) -> UVec2 = two();
    a.as_uvec2() + b => {
        UVec2::new((a.x as u32).wrapping_add(b.x), (a.y as u32).wrapping_add(b.y))
    };
    a.perp().as_uvec2() => UVec2::new(a.y.wrapping_neg() as u32, a.x as u32);
    (a << b).as_uvec2() => UVec2::new((a.x as u32).wrapping_shl(b.x), (a.y as u32).wrapping_shl(b.y));
    UVec2::new(a.perp_dot(a) as u32, b.x) => UVec2::new(0, b.x);
}

fn uvec3s() -> (Vec<UVec3>,) {
    (uvec4s(9).into_iter().map(|v| v.truncate()).collect(),)
}

table! {
    hashes(a: UVec3) -> UVec3 = uvec3s();
    {
        let mut v = a * 1664525 + 1013904223;
        v.x += v.y * v.z;
        v.y += v.z * v.x;
        v.z += v.x * v.y;
        v ^ (v >> 16)
    } => {
        let mut v = a.to_array().map(|x| x.wrapping_mul(1664525).wrapping_add(1013904223));
        for k in 0..3 {
            v[k] = v[k].wrapping_add(v[(k + 1) % 3].wrapping_mul(v[(k + 2) % 3]));
        }
        UVec3::from_array(v.map(|x| x ^ (x >> 16)))
    };
}
