//! Vectors of doubles, on accelerators that have them.

use amp::prelude::*;
use glam::{DVec2, DVec3, DVec4, Vec3, Vec3Swizzles};
use testkit::table;

use super::vec4s;

/// Doubles of every kind: what floats have, what they have not, and products of both.
fn doubles() -> (Vec<DVec3>, Vec<DVec3>, Vec<f64>) {
    let of = |seed| {
        let wide = vec4s(seed).into_iter().map(|v| v.as_dvec4());
        wide.map(|v| DVec3::new(v.x * v.y, v.y / 3.0, v.z + 1e-12 * v.w))
    };
    let x: Vec<DVec3> = of(11).collect();
    let s = x.iter().map(|v| (v.x + v.z) * 0.37).collect();
    (x, of(12).collect(), s)
}

table! {
    operations(a: DVec3, b: DVec3, s: f64) -> DVec3 = doubles();
    a + b * s => a + b * s;
    a - b / s => a - b / s;
    s - a => s - a;
    a * 2.0 + 0.1 => a * 2.0 + 0.1;
    -a => -a;
    a.abs() => a.abs();
    a.signum() => a.signum();
    a.floor() => a.floor();
    a.ceil() => a.ceil();
    a.trunc() => a.trunc();
    a.min(b) => a.min(b);
    a.max(b) => a.max(b);
    a.clamp(DVec3::NEG_ONE, DVec3::MAX) => a.max(DVec3::NEG_ONE).min(DVec3::MAX);
    a.cross(b) => a.cross(b);
    a.reflect(b) => a - 2.0 * a.dot(b) * b;
    a.lerp(b, s) => a.lerp(b, s);
    a.midpoint(b) => a.midpoint(b);
    a.zxy() => a.zxy();
    DVec3::select(a.cmplt(b), a, DVec3::X) => DVec3::select(a.cmplt(b), a, DVec3::X);
    DVec3::new(a.dot(b), b.length_squared(), a.min_element())
        => DVec3::new(a.dot(b), b.length_squared(), a.min_element());
    DVec4::from((a, s)).truncate().truncate().extend(a.z) => a;
    { let mut c = a; c.x = s; c[1] += b.y; c } => DVec3::new(s, a.y + b.y, a.z);
    a.as_vec3().as_dvec3() => a.as_vec3().as_dvec3();
    a.as_ivec3().as_dvec3() => a.as_ivec3().as_dvec3();
    a.as_uvec3().as_dvec3() => a.as_uvec3().as_dvec3();
    if a == b { DVec3::ZERO } else { DVec2::new(s, 1.5).extend(b.x) }
        => if a == b { DVec3::ZERO } else { DVec3::new(s, 1.5, b.x) };
}

table! {
    to_floats(a: DVec3, b: DVec3, s: f64) -> Vec3 = doubles();
    (a * s + b).as_vec3() => (a * s + b).as_vec3();
}
