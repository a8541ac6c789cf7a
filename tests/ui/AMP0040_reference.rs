//! References are parameters of helpers and variables that name a place (C++ AMP §2.4.1).

use amp::prelude::*;

#[amp_fn]
fn bump(x: &mut i32) {
    *x += 1;
}

#[amp_fn]
fn read(x: &i32) -> i32 {
    *x
}

/// What a helper cannot do with one.
#[amp_fn]
fn misused(x: &mut i32, y: &i32, a: &[i32; 4]) -> i32 {
    let kept = if *y > 0 { x } else { x };
    let sum = x + 1;
    let less = y < 1;
    let inverse = -x;
    let pair = (x, 1);
    bump(&mut x);
    bump(if *y > 0 { x } else { x });
    let one = *a[0];
    y
}

#[amp_fn]
fn tiled(t_idx: &TiledIndex<1, 4>, nothing: &mut ()) {}

#[amp_kernel]
fn made(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let mut x = 1;
    let y = 2;
    let pair = (&x, 1);
    let s = *y;
    let t = *c;
    let u = *idx;
    c[idx] = read(&idx);
}

#[amp_kernel]
fn passed(t_idx: TiledIndex<1, 4>, c: &mut ArrayViewMut<i32, 1>, a: &ArrayView<i32, 1>) {
    let mut x = 1;
    bump(x);
    bump(&x);
    bump(&mut 1);
    bump(&mut a[t_idx]);
    tiled(&t_idx);
    c[t_idx] = read(x);
}

#[amp_kernel]
fn named(t_idx: TiledIndex<1, 4>, c: &mut ArrayViewMut<i32, 1>, a: &ArrayView<i32, 1>) {
    #[tile_static]
    let mut part: [i32; 4];
    let r = &a[t_idx];
    *r = 1;
    r = &a[0];
    let s = &mut a[t_idx];
    let t: &mut i32 = &c[t_idx];
    let chosen = if *r > 1 { &part[0] } else { &part[1] };
    let element = match *r {
        0 => &c[0],
        _ => &a[0],
    };
    let mut x = 1;
    let mut y = 2;
    let changed = if *r > 1 { &mut x } else { &mut y };
}

/// A tuple with references in it is taken apart where it is written.
#[amp_kernel]
fn side_by_side(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, t: (f32, f32)) {
    match (&t.0, 1) {
        pair => c[idx] = *pair.0,
    }
    let (&0.0, rest) = ((&t.0, &t.1), 1) else { return };
}

fn main() {}
