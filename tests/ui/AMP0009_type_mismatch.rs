//! Types that should be one and are not.

use amp::prelude::*;

const SIZE: usize = 4;

#[amp_struct]
struct Pair {
    a: f32,
    b: u32,
}

#[amp_fn]
fn half(x: f32) -> f32 {
    x / 2.0
}

#[amp_fn]
fn wrong_result(x: f32) -> u32 {
    x
}

#[amp_fn]
fn no_result(x: f32) -> u32 {
    half(x);
}

#[amp_fn]
fn early(x: f32) -> u32 {
    if x > 0.0 {
        return x;
    }
    return;
}

#[amp_fn]
fn read_view(a: &ArrayView<f32, 2>, i: usize) -> f32 {
    a[[i, i]]
}

#[amp_kernel]
fn expressions(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, n: u32, x: f32, b: bool) {
    c[idx] = n;
    c[idx] = c[idx] + n;
    c[idx] = c[idx] + 1;
    c[idx] = half(n);
    let a: i32 = n;
    let d = if b { 1 } else { 2.0 };
    if n {}
    while x {}
    let e = b && n;
    let f = [1, x];
    let g: (u32, f32) = (x, n);
    let h: [f32; 3] = [x; 4];
    let (p, q) = x;
    let i = n.min(x);
    let j = f32::max(n, x);
    for k in 0..x {}
    for l in n..idx[0] {}
    for m in (0..n).step_by(n) {}
    if b {
        n
    }
    c[idx] += n;
    half(x)
}

#[amp_kernel]
fn structs(idx: Index<1>, c: &mut ArrayViewMut<Pair, 1>, n: u32) {
    c[idx] = Pair { a: n, b: n };
    c[idx].b = 1.0;
    c[idx] = n;
}

#[amp_kernel]
fn indices(idx: Index<2>, a: &ArrayView<f32, 2>, c: &mut ArrayViewMut<f32, 1>, i: i32, x: f32) {
    c[0] = c[i];
    c[0] = c[x];
    c[0] = c[1.5];
    c[0] = a[[i, i]];
    let local = [1.0_f32; SIZE];
    c[0] = local[i];
    c[0] = a[idx[i]];
    let j = Index::new(i);
    let k = Index::new([i, i]);
    let l = idx + [i, i];
    c[0] = read_view(c, 1);
    c[0] = read_view(a, i);
}

#[amp_kernel]
fn loops(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, n: u32) {
    let a = loop {
        if n > 1 {
            break 1.0_f32;
        }
        break n;
    };
    let b = 'block: {
        if n > 1 {
            break 'block 1.0_f32;
        }
        n
    };
    for i in 0..n {
        i
    }
    c[idx] = 1.0;
}

#[amp_kernel]
fn arms(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, n: u32) {
    let a = match n {
        0 => 1.0_f32,
        1 => 2_u32,
        2 => return,
        _ => true,
    };
    match n {
        true => {}
        1_i32 => {}
        (1, 2) => {}
        x if x => {}
        _ => {}
    }
    let b: f32 = if let 0 = n { 1_u32 } else { 2.0 };
    let 1 = n else {};
    let d @ 1..=2 = n else { 3 };
}

#[amp_enum]
enum Suit {
    Hearts,
    Spades,
}

#[amp_kernel]
fn enums(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>, suit: Suit) {
    c[idx] = suit;
    let a: Suit = 1;
    let b = suit == 1;
    match suit {
        0 => {}
        Suit::Spades => {}
        _ => {}
    }
    match c[idx] {
        Suit::Spades => {}
        _ => {}
    }
}

#[amp_module]
mod members {
    pub struct Point {
        pub x: f32,
    }

    impl Point {
        pub fn new(x: f32) -> Self {
            x
        }

        pub fn plus(&self, other: &Self) -> f32 {
            self.x + other
        }
    }
}

#[amp_module]
mod sound {
    pub struct Point {
        pub x: f32,
    }

    impl Point {
        pub fn new(x: f32) -> Self {
            Self { x }
        }

        pub fn plus(&self, other: &Self) -> f32 {
            self.x + other.x
        }
    }
}

#[amp_kernel]
fn of_members(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let point = sound::Point::new(1);
    c[idx] = point.plus(point);
}

#[amp_kernel]
fn of_methods(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, x: i32) {
    c[idx] = c[idx].saturating_sub(x);
    c[idx] = u32::from_le_bytes([1, 2, 3]);
    c[idx] = x.ilog(10_u32);
}

#[amp_kernel]
fn of_halves(idx: Index<1>, c: &mut ArrayViewMut<half::bf16, 1>) {
    c[idx] = 1.0;
}

#[amp_fn]
fn unbounded<E>(x: u32) -> Result<u32, E> {
    let failed: Result<u32, u8> = Err(1);
    Ok(failed? + x)
}

#[amp_fn]
fn bounded<E: From<u64>>(x: u32) -> Result<u32, E> {
    let failed: Result<u32, u8> = Err(1);
    Ok(failed? + x)
}

#[amp_kernel]
fn errors(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = unbounded::<u32>(1).unwrap_or(2) + bounded::<u64>(1).unwrap_or(2);
}

fn main() {}
