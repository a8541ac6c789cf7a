//! What makes vectors, takes them apart and converts them.

use amp::prelude::*;
use glam::{
    BVec2, BVec4, IVec2, IVec3, IVec4, Mat3, Mat4, UVec2, UVec3, UVec4, Vec2, Vec2Swizzles, Vec3,
    Vec3Swizzles, Vec4, Vec4Swizzles, ivec3, uvec2, vec2, vec3, vec4,
};
use testkit::table;

use super::{ivec4s, uvec4s, vec4s};

fn floats() -> (Vec<Vec4>, Vec<Vec4>) {
    (vec4s(1), vec4s(2))
}

table! {
    constructors(a: Vec4, b: Vec4) -> Vec4 = floats();
    Vec4::new(a.x, b.y, 0.0, 1.0) => Vec4::new(a.x, b.y, 0.0, 1.0);
    vec4(a.w, b.z, a.y, b.x) => vec4(a.w, b.z, a.y, b.x);
    glam::vec4(a.w, b.z, a.y, b.x) => vec4(a.w, b.z, a.y, b.x);
    glam::Vec4::splat(a.x) => Vec4::splat(a.x);
    Vec4::from_array([a.x, a.x, b.x, b.y]) => Vec4::new(a.x, a.x, b.x, b.y);
    Vec4::from(b.to_array()) => b;
    Vec4::from((a.x, b.x, a.y, b.y)) => Vec4::new(a.x, b.x, a.y, b.y);
    Vec4::from((a.xyz(), b.w)) => a.xyz().extend(b.w);
    Vec4::from((b.w, a.yzw())) => Vec4::new(b.w, a.y, a.z, a.w);
    Vec4::from((a.xy(), 1.5, b.w)) => Vec4::new(a.x, a.y, 1.5, b.w);
    Vec4::from((a.zw(), b.xy())) => Vec4::new(a.z, a.w, b.x, b.y);
    Vec4::from(a.cmplt(b)) => Vec4::from(a.cmplt(b));
    a.truncate().truncate().extend(b.x).extend(b.y) => Vec4::new(a.x, a.y, b.x, b.y);
    a.with_x(b.x).with_z(3.0).with_w(b.y) => Vec4::new(b.x, a.y, 3.0, b.y);
    a.wzyx() => a.wzyx();
    a.xxyy() => a.xxyy();
    b.xyz().zxy().extend(a.xy().yx().y) => b.zxy().extend(a.x);
    a.xy().xyxy() => Vec4::new(a.x, a.y, a.x, a.y);
    { let c = a.to_array(); Vec4::new(c[3], c[2], c[1], c[0]) } => a.wzyx();
    { let (c, d) = (a, b); let e = (c.x, d); Vec4::splat(e.0) * 0.0 + e.1 } => Vec4::splat(a.x) * 0.0 + b;
    { let mut c = a; c.x = 1.0; c.w += 2.0; c[2] = c[1]; c } => Vec4::new(1.0, a.y, a.y, a.w + 2.0);
    { let mut c = Vec4::ZERO; for i in 0..4 { c[i] = b[3 - i]; } c } => b.wzyx();
    { let c = [a, b, a * b]; c[1] + c[2] } => b + a * b;
    { let mut c = [a; 3]; c[1].y = 7.0; c[2][3] = 8.0; c[1] + c[2] } => a.with_y(7.0) + a.with_w(8.0);
    vec3(a.x, a.y, a.z).extend(vec2(b.x, b.y).y) => Vec4::new(a.x, a.y, a.z, b.y);
    (a + b).wzyx() * (a - b).x => (a + b).wzyx() * (a - b).x;
    if a.x < b.x { a } else { b } => if a.x < b.x { a } else { b };
    match a.x < 0.0 { true => Vec4::MAX, false => -Vec4::ONE } => if a.x < 0.0 { Vec4::MAX } else { -Vec4::ONE };
    (a * 2.0)[1] * b.clone() => (a * 2.0).y * b;
}

table! {
    constants(a: Vec4, b: Vec4) -> Vec4 = (vec![Vec4::ONE], vec![Vec4::NEG_ONE]);
    Vec4::ZERO + a * b => Vec4::NEG_ONE;
    Vec4::ONE => Vec4::ONE;
    Vec4::NEG_ONE => Vec4::NEG_ONE;
    Vec4::X => Vec4::X;
    Vec4::Y => Vec4::Y;
    Vec4::Z => Vec4::Z;
    Vec4::W => Vec4::W;
    Vec4::NEG_X => Vec4::NEG_X;
    Vec4::NEG_W => Vec4::NEG_W;
    Vec4::MIN => Vec4::MIN;
    Vec4::MAX => Vec4::MAX;
    Vec4::NAN => Vec4::NAN;
    Vec4::INFINITY => Vec4::INFINITY;
    Vec4::NEG_INFINITY => Vec4::NEG_INFINITY;
    Vec2::NEG_Y.extend(Vec3::Z.z).extend(1.0) => Vec4::new(0.0, -1.0, 1.0, 1.0);
    IVec4::MIN.as_vec4() => IVec4::MIN.as_vec4();
    IVec4::NEG_Z.as_vec4() => IVec4::NEG_Z.as_vec4();
    UVec4::MAX.as_vec4() => UVec4::MAX.as_vec4();
    Vec4::splat(BVec4::TRUE.bitmask() as f32) => Vec4::splat(15.0);
    Vec4::splat(BVec2::FALSE.any() as u32 as f32) => Vec4::ZERO;
    Vec4::splat(BVec4::new(true, false, true, false).bitmask() as f32) => Vec4::splat(5.0);
    Vec4::splat(BVec2::splat(true).all() as u32 as f32) => Vec4::ONE;
    Mat3::IDENTITY.y_axis.extend(2.0) => Vec4::new(0.0, 1.0, 0.0, 2.0);
    Mat3::ZERO.z_axis.extend(2.0) => Vec4::new(0.0, 0.0, 0.0, 2.0);
    Mat3::NAN.x_axis.extend(2.0) => Vec3::NAN.extend(2.0);
}

table! {
    to_i32(a: Vec4, b: Vec4) -> IVec4 = floats();
    a.as_ivec4() => IVec4::from_array(a.to_array().map(|x| x as i32));
    a.as_uvec4().as_ivec4() => IVec4::from_array(a.to_array().map(|x| x as u32 as i32));
    b.xyz().as_ivec3().extend(a.xy().as_ivec2().x)
        => IVec4::new(b.x as i32, b.y as i32, b.z as i32, a.x as i32);
}

fn integers() -> (Vec<IVec4>, Vec<UVec4>) {
    (ivec4s(3), uvec4s(4))
}

table! {
    from_integers(a: IVec4, b: UVec4) -> Vec4 = integers();
    a.as_vec4() => Vec4::from_array(a.to_array().map(|x| x as f32));
    b.as_vec4() => Vec4::from_array(b.to_array().map(|x| x as f32));
    a.as_uvec4().as_vec4() => Vec4::from_array(a.to_array().map(|x| x as u32 as f32));
    a.truncate().zyx().as_vec3().extend(b.wz().as_vec2().x)
        => Vec4::new(a.z as f32, a.y as f32, a.x as f32, b.w as f32);
    IVec4::from((a.truncate(), b.x as i32)).as_vec4() => a.with_w(b.x as i32).as_vec4();
    ivec3(a.x, 2, 3).extend(IVec2::new(a.y, a.z).y).as_vec4() => IVec4::new(a.x, 2, 3, a.z).as_vec4();
    UVec3::from([b.x, b.y, b.z]).extend(uvec2(1, b.w).y).as_vec4() => b.as_vec4();
    UVec2::from((b.x, 2)).as_vec2().extend(1.0).extend(IVec3::Z.as_vec3().z)
        => Vec4::new(b.x as f32, 2.0, 1.0, 1.0);
    Vec4::splat(a[(b.x % 4) as usize] as f32) => Vec4::splat(a[(b.x % 4) as usize] as f32);
}

const GRAVITY: Vec3 = Vec3::new(0.25, -9.81, 1.5);
const SCALE: f32 = 0.5;
const STEP: IVec4 = IVec4::new(1, -2, 3, i32::MIN);
const TURN: Mat4 = Mat4::from_cols_array(&[
    0.5, 1.0, 0.7, 0.2, -1.0, 0.3, 0.1, 0.9, 0.4, 0.6, 1.0, 0.8, 2.0, 3.0, 4.0, 1.0,
]);

struct World;

impl World {
    const SIZE: Vec4 = Vec4::new(1.0, 2.0, 3.0, -4.0);
}

#[amp_fn]
fn fallen(place: Vec3, time: f32) -> Vec3 {
    let gravity: Vec3 = GRAVITY;
    place + gravity * SCALE * (time * time)
}

table! {
    constants_of_the_program(a: Vec4, b: Vec4) -> Vec4 = floats();
    a + World::SIZE => a + World::SIZE;
    World::SIZE - a => World::SIZE - a;
    a * SCALE - World::SIZE => a * 0.5 - World::SIZE;
    { let g: Vec3 = GRAVITY; fallen(a.xyz(), b.x).extend(g.y) }
        => (a.xyz() + GRAVITY * 0.5 * (b.x * b.x)).extend(-9.81);
    { let step: IVec4 = STEP; step.as_vec4() } => STEP.as_vec4();
    { let m: Mat4 = TURN; m.w_axis } => TURN.w_axis;
    { let m: Mat4 = TURN; m * a } => {
        let columns = TURN.to_cols_array_2d();
        let sum = |k: usize| {
            columns[0][k] * a.x + columns[1][k] * a.y + columns[2][k] * a.z + columns[3][k] * a.w
        };
        Vec4::new(sum(0), sum(1), sum(2), sum(3))
    };
    a.lerp(World::SIZE, SCALE) => {
        let lerp = |a: f32, b: f32| a * 0.5 + b * 0.5;
        Vec4::new(lerp(a.x, 1.0), lerp(a.y, 2.0), lerp(a.z, 3.0), lerp(a.w, -4.0))
    };
}
