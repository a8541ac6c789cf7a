//! Patterns that kernels do not have.

use amp::prelude::*;

#[amp_struct]
struct Pair {
    a: f32,
    b: f32,
}

#[amp_struct]
struct Triple(f32, f32, f32);

#[amp_struct]
struct Views<'a> {
    a: ArrayView<'a, f32, 1>,
}

#[amp_kernel]
fn views(idx: Index<1>, v: &Views) {
    let Views { a } = 1;
}

#[amp_fn]
fn parameter((x, y, z): (f32, f32)) -> f32 {
    x + y
}

#[amp_kernel]
fn kernel_parameter(idx: Index<1>, (ref x, ref mut y): (f32, f32)) {}

#[amp_kernel]
fn lets(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, t: (f32, (f32, f32)), a: [f32; 3], p: Pair, q: Triple) {
    let Pair { a: x } = p;
    let Pair { a: x, c: y, .. } = p;
    let Pair(x, y) = p;
    let Triple(x, y) = q;
    let Triple(.., x, ..) = q;
    let Some(x) = p;
    let (x, y, ..) = (1,);
    let lost;
    let (x, ..) = lost;
    let (ref r, ref mut s) = (c[idx], 1);
    let ref whole @ (_, _) = t;
    let [head, rest @ ..] = a;
    let [x, .., y, z, w] = a;
    let &z = t;
    let 1 = 1;
    let 1..=2 = 1;
    let (1 | 2) = 1;
    let [x, y] = t;
    let [a, b];
    let Pair::A = p;
    let one!() = p;
}

struct Plain {
    x: f32,
}

#[amp_kernel]
fn elsewhere(idx: Index<1>, p: Pair) {
    let Plain { x, .. } = p;
}

#[amp_kernel]
fn arms(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, t: (u32, u32), x: f32, p: Pair) {
    match t {
        (a, 0) | (0, a) if a > 1 => {}
        (.., 1, ..) => {}
        (ref a, ref mut b) => {}
        _ => {}
    }
    match x {
        1 => c[idx] = 1.0,
        false..=true => c[idx] = 2.0,
        _ => {}
    }
    if let Pair { a, b: true } = p {
        c[idx] = a;
    }
    let (3 | first, _) = t else { return };
    match &(t, 1) {
        ((a, 0) | (0, a), 1) => {}
        _ => {}
    }
}

#[amp_kernel]
fn loops(idx: Index<1>) {
    for (i, j) in 0..3 {}
    for ref i in 0..3 {}
    for i in [1, 2].iter().enumerate() {}
    for (i, j) in &[(1, 2)] {}
    for &i in [1, 2] {}
    for 1 | 2 in [1, 2] {}
}

#[amp_kernel]
fn an_index_apart(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let Index([i]) = idx;
    c[i] = 1;
}

#[amp_kernel]
fn slices(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, a: [(u32, u32); 4], b: [u32; 2]) {
    let s = &a[1..];
    match s {
        ([(1, x), ..] | [(x, 1), ..]) => c[idx] = *x,
        [(1, a), _] | [(_, b), 1] => c[idx] = *a,
        _ => {}
    }
    if let [&(x, _)] = s {}
    if let all @ (x, y) = s {}
    if let [ref mut x, _] = s {}
    if let &[_, rest @ ..] = s {}
    if let [Some(x), ..] = s {}
    match a[1..] {
        [x, ..] => c[idx] = x.0,
        _ => {}
    }
    if let [x, .., y] = &b[..] {
        *x = *y;
    }
    let Some([x, y]) = b.split_first() else { return };
    let [x, y, none @ ..] = b;
    let (first, rest @ ..) = (1, 2, 3);
    match *s {
        [_, rest @ ..] => {}
        whole => {}
    }
    let [(x, _), rest @ ..] = *s else { return };
}

#[amp_enum]
enum Op {
    Push(u32),
    Load { from: u32 },
    Neg,
}

#[amp_fn]
fn cases(code: &[Op]) -> u32 {
    match *code {
        [Op::Push(a), Op::Neg, ..] => a,
        [.., Op::Load { from }] => from,
        _ => 0,
    }
}

#[amp_kernel]
fn side_by_side(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, a: [u32; 4]) {
    let s = &a[1..];
    match (s, 1) {
        ([], ..) => {}
        whole => {}
    }
}

#[amp_kernel]
fn guards(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, a: [Option<u32>; 4], x: Option<usize>) {
    match x {
        Some(i) if let (Some(y), z) = (&a[0], 1) => c[idx] = *y,
        _ => {}
    }
}

#[amp_kernel]
fn an_element_apart(idx: Index<1>, pixels: &mut ArrayViewMut<[u8; 4], 1>) {
    let [r, ..] = &mut pixels[idx];
    *r = 1;
}

fn main() {}
