//! Constructs of Rust that kernels do not have.

use amp::prelude::*;

#[amp_fn]
fn twice(x: i32) -> i32 {
    x * 2
}

#[amp_kernel]
fn expressions(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>, n: i32) {
    c[idx] = match n {};
    let f = |x: i32| x + 1;
    let r = &n;
    c[idx] = *r;
    let p = &raw const n;
    let q = &n + 1;
    let range = 0..n;
    if (let 3 = n) && n > 0 {}
    while !(let 3 = n) {}
    let u = unsafe { 1 };
    let t = n?;
    let a = async { 1 };
    let w = n.await;
    let text = "text";
    let bytes = c"text";
    let letter = 'x';
    let byte = c"x";
    let nothing = _;
    let g = twice;
    c[idx] = twice(&n);
    let s = self;
    let z = [0; 0];
    let e = [];
}

#[amp_kernel]
fn statements(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>, n: i32) {
    for y in c {
        c[idx] = y;
    }
    for y in n {
        c[idx] = y;
    }
    for y in &Some(n) {}
    for y in [1, 2].iter().rev().copied() {
        c[idx] = y;
    }
    for y in [1, 2].iter().enumerate().enumerate() {}
    for y in [1, 2].iter(1) {}
    for y in 0.. {
        c[idx] = y;
    }
    for y in (0..n).filter(1) {
        c[idx] = y;
    }
    #[inline]
    let z: i32 = 1;
    dbg!(n => n);
    assert!();
    assert_eq!(n);
    debug_assert!(n > 0, MESSAGE);
    println!("{a} {}", a = n, n);
    print!(n => n);
    let v = vec![1, 2];
    if matches!(n) {}
    let x = stringify!(n);
    let y = n.min::<i32>(1);
    panic!(n);
}

#[amp_kernel]
fn items(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    #[amp_fn]
    fn nested() {}
    fn sees() -> i32 {
        c[0]
    }
    struct Nested {
        x: i32,
    }
    enum Kind {
        One,
    }
    static COUNT: i32 = 0;
    use std::cmp::max;
    macro_rules! one {
        ($x) => {
            1
        };
    }
    type Number = i32;
    c[idx] = 1;
}

/// A struct that kernels do not know, by a path that names a member of a type.
#[amp_kernel]
fn variant(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    let a = Shape::Square { side: 1 };
}

fn main() {}
