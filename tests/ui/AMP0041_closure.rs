//! Closures that could be kept, and what they are not in kernels (C++ AMP §2.4.2).

use amp::prelude::*;

#[amp_fn]
fn twice(x: i32) -> i32 {
    x * 2
}

#[amp_kernel]
fn kept(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let f = |x: i32| x + 1;
    let g = f;
    let both = (f, |x: i32| x);
    let array = [f, f];
    let chosen = if c[idx] > 0 { |x: i32| x } else { |x: i32| x + 1 };
    let h = |x: i32| f;
    c[idx] = (|x: i32| x)(1);
    c[idx] = twice(f);
    c[idx] = f + 1;
}

#[amp_kernel]
fn misused(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let mut n = 3;
    n += 1;
    let f = move |x: i32| x + n;
    let g = |x, y| x;
    let h = |x: i32| x + 1;
    c[idx] = f();
    c[idx] = h(1, 2);
    c[idx] = h(1.5);
    c[idx] = n(1);
    let r = |x: &mut i32| 1;
    let s = Some(1).map(i32::max);
    loop {
        let leave = || break;
    }
}

#[amp_fn]
fn of_a_block(x: f32) -> f32 {
    let f = {
        let k: f32 = 2.0;
        move |k: f32| x * k
    };
    f(x)
}

#[amp_fn]
fn pointers(x: f32) -> f32 {
    let mut f: fn(f32) -> f32 = f32::sqrt;
    f = f32::abs;
    let g: fn(f32) -> f32 = if x > 1.0 { |x, y| x } else { f32::abs };
    let h: fn(f32) -> f32 = if x > 1.0 { |x: f32| x as i32 } else { f32::abs };
    f(x) + g(x) + h(x)
}

fn main() {}
