//! Vectors and matrices in views, structs, arrays and tile memory, as parameters of
//! kernels and helpers.

use amp::prelude::*;
use glam::{
    BVec2, BVec3, BVec4, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4, UVec2, UVec3,
    UVec4, Vec2, Vec3, Vec4,
};
use testkit::{assert_same, becomes, everywhere, gives, input, launch, same_by_eq};

/// Elements that go into a kernel and come out of it, moved by one.
macro_rules! elements {
    ($($name:ident: $ty:ident($make:expr);)*) => {$(
        mod $name {
            use super::*;

            #[amp_kernel]
            fn turn(idx: Index<1>, a: &ArrayView<$ty, 1>, out: &mut ArrayViewMut<$ty, 1>) {
                let n = out.extent()[0];
                let next: $ty = a[(idx[0] + 1) % n];
                out[idx] = next;
            }

            #[test]
            fn go_in_and_out() {
                let make: fn(u32) -> $ty = $make;
                let values: Vec<$ty> = (0..37).map(make).collect();
                let mut turned = values.clone();
                turned.rotate_left(1);
                gives(&turned, |view, out| {
                    launch(view, out.extent(), turn(&input(&values), out))
                });
            }
        }
    )*};
}
elements! {
    vec2: Vec2(|i| Vec2::new(i as f32, 0.5));
    vec3: Vec3(|i| Vec3::new(i as f32, 0.5, -1.0));
    vec4: Vec4(|i| Vec4::new(i as f32, 0.5, -1.0, f32::NAN));
    dvec2: DVec2(|i| DVec2::new(f64::from(i) / 3.0, f64::NAN));
    dvec3: DVec3(|i| DVec3::new(f64::from(i), 0.1, f64::MIN));
    dvec4: DVec4(|i| DVec4::new(f64::from(i), 0.1, 1e300, -0.0));
    ivec2: IVec2(|i| IVec2::new(i as i32, -1));
    ivec3: IVec3(|i| IVec3::new(i as i32, -1, i32::MIN));
    ivec4: IVec4(|i| IVec4::new(i as i32, -1, i32::MIN, 7));
    uvec2: UVec2(|i| UVec2::new(i, u32::MAX));
    uvec3: UVec3(|i| UVec3::new(i, u32::MAX, 1));
    uvec4: UVec4(|i| UVec4::new(i, u32::MAX, 1, 2));
    mat2: Mat2(|i| Mat2::from_cols_array(&[i as f32, 2.0, 3.0, 4.0]));
    mat3: Mat3(|i| Mat3::from_cols_array(&[i as f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]));
    mat4: Mat4(|i| Mat4::from_cols_array(&std::array::from_fn(|k| (i * 16 + k as u32) as f32)));
}

/// Offsets of 0, 16, 28, 32, 48, 112 and 148: no padding anywhere.
#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Body {
    place: Vec4,
    speed: Vec3,
    mass: f32,
    cells: [IVec2; 2],
    turn: Mat4,
    frame: Mat3,
    id: u32,
    rest: [UVec3; 2],
}

same_by_eq!(Body);

fn body(i: u32) -> Body {
    let f = i as f32;
    Body {
        place: Vec4::new(f, 1.0, 2.0, 3.0),
        speed: Vec3::new(-f, 4.0, 5.0),
        mass: f / 2.0,
        cells: [IVec2::new(i as i32, -7), IVec2::new(8, 9)],
        turn: Mat4::from_cols_array(&std::array::from_fn(|k| f + k as f32)),
        frame: Mat3::from_cols_array(&std::array::from_fn(|k| f - k as f32)),
        id: i,
        rest: [UVec3::new(1, 2, i), UVec3::new(4, i, 6)],
    }
}

#[amp_fn]
fn moved(mut_body: Body, by: Vec3) -> Body {
    let mut body = mut_body;
    body.place = (body.place.truncate() + by).extend(body.place.w);
    body.speed *= body.mass;
    body
}

#[amp_kernel]
fn advance(idx: Index<1>, bodies: &mut ArrayViewMut<Body, 1>, by: Vec3, first: Body) {
    let i = idx[0];
    let mut body = moved(bodies[i], by);
    body.frame.y_axis = first.speed;
    bodies[i] = body;
    bodies[i].cells[1].x += i as i32;
    bodies[i].rest[i % 2].z *= 3;
    bodies[i].turn.z_axis = bodies[i].place * 2.0;
    bodies[i].turn.w_axis.y -= first.turn.x_axis.w;
    bodies[i].place += bodies[i].turn.z_axis;
    bodies[i].frame *= 0.5;
}

#[test]
fn structs_hold_vectors() {
    let before: Vec<Body> = (0..9).map(body).collect();
    let by = Vec3::new(0.25, 0.5, 0.75);
    let first = body(77);
    let after: Vec<Body> = before
        .iter()
        .enumerate()
        .map(|(i, &body)| {
            let mut body = moved(body, by);
            body.frame.y_axis = first.speed;
            body.cells[1].x += i as i32;
            body.rest[i % 2].z *= 3;
            body.turn.z_axis = body.place * 2.0;
            body.turn.w_axis.y -= first.turn.x_axis.w;
            body.place += body.turn.z_axis;
            body.frame *= 0.5;
            body
        })
        .collect();
    becomes([9], &before, &after, |view, out| {
        launch(view, out.extent(), advance(out, by, first))
    });
}

#[amp_fn]
fn weigh(mask: BVec3, yes: IVec3, no: IVec3) -> (IVec3, BVec3) {
    (IVec3::select(mask, yes, no), !mask)
}

#[amp_kernel]
fn parameters(
    idx: Index<1>,
    a: Vec2,
    b: BVec3,
    c: IVec3,
    d: (UVec4, BVec2, f32),
    e: [Vec3; 2],
    f: Mat2,
    g: BVec4,
    h: UVec2,
    out: &mut ArrayViewMut<Vec4, 1>,
) {
    let (chosen, rest) = weigh(b, c, c * 2);
    out[idx] = match idx[0] {
        0 => a.extend(1.0).extend(2.0),
        1 => chosen.as_vec3().extend(rest.bitmask() as f32),
        2 => d.0.as_vec4() * d.2,
        3 => Vec4::splat(d.1.bitmask() as f32),
        4 => e[1].extend(e[0].y),
        5 => f.x_axis.extend(f.y_axis.x).extend(f.y_axis.y),
        6 => Vec4::from(g),
        _ => h.as_vec2().extend(0.0).extend(0.0),
    };
}

#[test]
fn parameters_arrive() {
    let expected = [
        Vec4::new(0.5, -1.5, 1.0, 2.0),
        Vec4::new(-6.0, 10.0, -14.0, 5.0),
        Vec4::new(0.5, 1.0, 1.5, 2.0),
        Vec4::splat(2.0),
        Vec4::new(4.0, 5.0, 6.0, 2.0),
        Vec4::new(1.0, 2.0, 3.0, 4.0),
        Vec4::new(1.0, 0.0, 0.0, 1.0),
        Vec4::new(8.0, 9.0, 0.0, 0.0),
    ];
    gives(&expected, |view, out| {
        let kernel = parameters(
            Vec2::new(0.5, -1.5),
            BVec3::new(false, true, false),
            IVec3::new(-3, 10, -7),
            (UVec4::new(1, 2, 3, 4), BVec2::new(false, true), 0.5),
            [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0)],
            Mat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0]),
            BVec4::new(true, false, false, true),
            UVec2::new(8, 9),
            out,
        );
        launch(view, 8, kernel)
    });
}

#[amp_kernel]
fn sums(t_idx: TiledIndex<1, 16>, a: &ArrayView<Vec4, 1>, out: &mut ArrayViewMut<Vec4, 1>) {
    #[tile_static]
    let mut shared: [Vec4; 16];
    #[tile_static]
    let mut spin: Mat2;
    let l = t_idx.local[0];
    shared[l] = a[t_idx];
    if l == 0 {
        spin = Mat2::from_cols(Vec2::Y, Vec2::NEG_X);
    }
    t_idx.barrier.wait();
    let mut stride = 8;
    while stride > 0 {
        if l < stride {
            shared[l] += shared[l + stride];
            shared[l].w -= 1.0;
        }
        t_idx.barrier.wait();
        stride /= 2;
    }
    let total = shared[0];
    let turned = spin * total.truncate().truncate();
    out[t_idx] = turned.extend(shared[0][2]).extend(total.w);
}

#[test]
fn tiles_share_vectors() {
    let values: Vec<Vec4> = (0..48)
        .map(|i| Vec4::new(i as f32, 1.0, -0.5 * i as f32, 0.25))
        .collect();
    let mut expected = Vec::new();
    for tile in values.chunks(16) {
        let mut shared = tile.to_vec();
        let mut stride = 8;
        while stride > 0 {
            for l in 0..stride {
                shared[l] = shared[l] + shared[l + stride];
                shared[l].w -= 1.0;
            }
            stride /= 2;
        }
        let total = shared[0];
        expected.extend([Vec4::new(-total.y, total.x, total.z, total.w); 16]);
    }
    gives(&expected, |view, out| {
        launch(view, out.extent().tile::<16>(), sums(&input(&values), out))
    });
}

#[amp_kernel]
fn scale_rows(idx: Index<2>, a: &mut ArrayViewMut<Vec3, 2>, by: &ArrayView<Vec3, 1>) {
    a[idx] *= by[idx[0]];
    let row = a.row(idx[0])[idx[1]];
    a[[idx[0], idx[1]]].z = row.x;
}

#[test]
fn views_of_rank_two() {
    let before: Vec<Vec3> = (0..12).map(|i| Vec3::new(i as f32, 2.0, 3.0)).collect();
    let by = [Vec3::new(0.5, 2.0, 1.0), Vec3::NEG_ONE, Vec3::splat(3.0)];
    let after: Vec<Vec3> = (0..12)
        .map(|i| {
            let v = before[i] * by[i / 4];
            Vec3::new(v.x, v.y, v.x)
        })
        .collect();
    becomes([3, 4], &before, &after, |view, out| {
        launch(view, out.extent(), scale_rows(out, &input(&by)))
    });
}

#[amp_kernel]
fn follow(idx: Index<1>, path: &ArrayView<UVec2, 1>, out: &mut ArrayViewMut<IVec2, 1>) {
    let mut at = path[idx];
    let mut steps = 0;
    while at.x != at.y && steps < 10 {
        let step = if at.x < at.y { UVec2::X } else { UVec2::Y };
        at += step;
        steps += 1;
    }
    out[idx] = IVec2::new(at.x as i32, steps);
}

#[test]
fn vectors_in_loops() {
    let path = [UVec2::new(1, 4), UVec2::new(9, 2), UVec2::new(3, 3)];
    let expected = [IVec2::new(4, 3), IVec2::new(9, 7), IVec2::new(3, 0)];
    gives(&expected, |view, out| {
        launch(view, 3, follow(&input(&path), out))
    });
}

/// Arguments that do not fit push constants.
#[amp_kernel]
fn many(idx: Index<1>, a: Mat4, b: Mat4, c: Vec3, out: &mut ArrayViewMut<Vec4, 1>) {
    out[idx] = a * (b * c.extend(1.0));
}

#[test]
fn spilled_parameters() {
    let turn = Mat4::from_cols_array(&std::array::from_fn(|k| (k % 5) as f32));
    everywhere(|view| {
        let mut found = [Vec4::ZERO; 2];
        let mut out = ArrayViewMut::new(2, &mut found).unwrap();
        launch(view, 2, many(turn, Mat4::IDENTITY, Vec3::ONE, &mut out)).unwrap();
        drop(out);
        assert_same(&found, &[turn * Vec4::ONE; 2], &view.to_string());
    });
}
