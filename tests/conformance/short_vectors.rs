//! Row 167: HCC's tests of short vectors, on glam's: constructors, components and swizzles
//! read and written, operators, conversions between bases.

use amp::prelude::*;
use glam::{
    DVec3, IVec2, IVec4, UVec2, UVec4, Vec2, Vec2Swizzles, Vec3, Vec3Swizzles, Vec4, Vec4Swizzles,
};
use testkit::numbers::random;
use testkit::table;

fn words(seed: u64) -> impl Iterator<Item = u32> {
    random(seed).map(|word| word % 1000 + 1)
}

fn uints(seed: u64) -> Vec<UVec2> {
    let mut word = words(seed);
    let mut next = || word.next().expect("it does not end");
    (0..256).map(|_| UVec2::new(next(), next())).collect()
}

fn floats(seed: u64) -> Vec<Vec2> {
    uints(seed)
        .iter()
        .map(|v| v.as_vec2() * 0.37 - 100.0)
        .collect()
}

fn ints(seed: u64) -> Vec<IVec4> {
    let four = |(a, b): (&UVec2, UVec2)| {
        IVec4::new(a.x as i32, 500 - a.y as i32, b.x as i32, -(b.y as i32))
    };
    uints(seed).iter().zip(uints(seed + 1)).map(four).collect()
}

fn doubles(seed: u64) -> Vec<DVec3> {
    ints(seed)
        .iter()
        .map(|v| v.as_dvec4().truncate() / 7.0)
        .collect()
}

table! {
    row_167_uint_2(a: UVec2, b: UVec2) -> UVec2 = (uints(1670), uints(1671));
    UVec2::new(a.x, b.y) => UVec2::new(a.x, b.y);
    UVec2::splat(a.y) => UVec2::splat(a.y);
    a.yx() => UVec2::new(a.y, a.x);
    a.xx() => UVec2::new(a.x, a.x);
    { let mut c = a; c.x = b.y; c.y += 1; c } => UVec2::new(b.y, a.y + 1);
    { let mut c = a; (c.y, c.x) = (b.x, b.y); c } => UVec2::new(b.y, b.x);
    a + b => UVec2::new(a.x + b.x, a.y + b.y);
    a * b - b => UVec2::new(a.x * b.x - b.x, a.y * b.y - b.y);
    a / b => UVec2::new(a.x / b.x, a.y / b.y);
    a % b => UVec2::new(a.x % b.x, a.y % b.y);
    a << 3_u32 => UVec2::new(a.x << 3, a.y << 3);
    a >> b % 8 => UVec2::new(a.x >> (b.x % 8), a.y >> (b.y % 8));
    !a & b | a ^ b => UVec2::new(!a.x & b.x | a.x ^ b.x, !a.y & b.y | a.y ^ b.y);
    { let mut c = a; c <<= 2_u32; c %= b; c } => UVec2::new((a.x << 2) % b.x, (a.y << 2) % b.y);
    UVec2::new((a == b) as u32, (a != b) as u32) => UVec2::new(u32::from(a == b), u32::from(a != b));
    (a.as_vec2() * 1.5).as_uvec2() => UVec2::new((a.x as f32 * 1.5) as u32, (a.y as f32 * 1.5) as u32);
    (a.as_ivec2() - 2000).as_uvec2() => UVec2::new((a.x as i32 - 2000) as u32, (a.y as i32 - 2000) as u32);
}

table! {
    row_167_float_2(a: Vec2, b: Vec2) -> Vec2 = (floats(1672), floats(1673));
    Vec2::new(a.x, b.y) => Vec2::new(a.x, b.y);
    a.yx() => Vec2::new(a.y, a.x);
    { let mut c = a; c.y = b.x; c.x *= 2.0; c } => Vec2::new(a.x * 2.0, b.x);
    a + b => Vec2::new(a.x + b.x, a.y + b.y);
    a - b => Vec2::new(a.x - b.x, a.y - b.y);
    a * b => Vec2::new(a.x * b.x, a.y * b.y);
    a / b => Vec2::new(a.x / b.x, a.y / b.y);
    -a => Vec2::new(-a.x, -a.y);
    2.0 * a + 1.0 => Vec2::new(2.0 * a.x + 1.0, 2.0 * a.y + 1.0);
    { let mut c = a; c += b; c /= 3.0; c } => Vec2::new((a.x + b.x) / 3.0, (a.y + b.y) / 3.0);
    a.as_ivec2().as_vec2() => Vec2::new(a.x as i32 as f32, a.y as i32 as f32);
    a.as_uvec2().as_vec2() => Vec2::new(a.x as u32 as f32, a.y as u32 as f32);
    a.as_dvec2().as_vec2() => a;
}

table! {
    row_167_int_4(a: IVec4, b: IVec4) -> IVec4 = (ints(1674), ints(1675));
    IVec4::new(a.w, b.z, a.y, b.x) => IVec4::new(a.w, b.z, a.y, b.x);
    IVec2::new(a.x, a.y).extend(b.z).extend(b.w) => IVec4::new(a.x, a.y, b.z, b.w);
    a.wzyx() => IVec4::new(a.w, a.z, a.y, a.x);
    a.zx().extend(1).extend(2) => IVec4::new(a.z, a.x, 1, 2);
    a.xyz().extend(b.x) => IVec4::new(a.x, a.y, a.z, b.x);
    { let mut c = a; c.z = b.w; c.w -= c.x; c } => IVec4::new(a.x, a.y, b.w, a.w - a.x);
    a + b => IVec4::new(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    a - b * 3 => IVec4::new(a.x - b.x * 3, a.y - b.y * 3, a.z - b.z * 3, a.w - b.w * 3);
    a / (b | 1) => IVec4::new(a.x / (b.x | 1), a.y / (b.y | 1), a.z / (b.z | 1), a.w / (b.w | 1));
    a % (b | 1) => IVec4::new(a.x % (b.x | 1), a.y % (b.y | 1), a.z % (b.z | 1), a.w % (b.w | 1));
    a << 2 => IVec4::new(a.x << 2, a.y << 2, a.z << 2, a.w << 2);
    a >> 1 => IVec4::new(a.x >> 1, a.y >> 1, a.z >> 1, a.w >> 1);
    !a => IVec4::new(!a.x, !a.y, !a.z, !a.w);
    a.as_uvec4().as_ivec4() => a;
    a.as_vec4().as_ivec4() => a;
    UVec4::new(1, 2, 3, 4).as_ivec4() + a => IVec4::new(1 + a.x, 2 + a.y, 3 + a.z, 4 + a.w);
    Vec4::splat(2.9).as_ivec4() * a => IVec4::new(2 * a.x, 2 * a.y, 2 * a.z, 2 * a.w);
}

table! {
    row_167_double_3(a: DVec3, b: DVec3) -> DVec3 = (doubles(1676), doubles(1677));
    DVec3::new(b.z, a.x, b.y) => DVec3::new(b.z, a.x, b.y);
    a.zyx() => DVec3::new(a.z, a.y, a.x);
    a.yy().extend(b.x) => DVec3::new(a.y, a.y, b.x);
    { let mut c = a; c.x = b.z; c.z /= 8.0; c } => DVec3::new(b.z, a.y, a.z / 8.0);
    a + b => DVec3::new(a.x + b.x, a.y + b.y, a.z + b.z);
    a * b - a => DVec3::new(a.x * b.x - a.x, a.y * b.y - a.y, a.z * b.z - a.z);
    a / 3.0 => DVec3::new(a.x / 3.0, a.y / 3.0, a.z / 3.0);
    -a => DVec3::new(-a.x, -a.y, -a.z);
    a.as_vec3().as_dvec3() => DVec3::new(a.x as f32 as f64, a.y as f32 as f64, a.z as f32 as f64);
    Vec3::new(1.0, 2.0, 3.0).as_dvec3() * a => DVec3::new(a.x, 2.0 * a.y, 3.0 * a.z);
    a.as_ivec3().as_dvec3() => DVec3::new(a.x as i32 as f64, a.y as i32 as f64, a.z as i32 as f64);
}
