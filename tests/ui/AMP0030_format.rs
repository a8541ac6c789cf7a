//! Format strings and arguments that kernels cannot format.

use amp::prelude::*;

#[amp_struct]
struct Pair {
    a: f32,
    b: f32,
}

#[amp_enum]
enum Level {
    Low,
    High,
}

const N: usize = 4;

#[amp_kernel]
fn strings(idx: Index<1>, n: i32) {
    println!("{} and {}", n);
    println!("{n} only", n + 1);
    println!("{}", n, name = n);
    assert!(n > 0, "{");
    assert!(n > 0, "a }");
    assert_eq!(n, 1, "{2}", n);
    panic!("{:p}", n);
}

#[amp_kernel]
fn types(t_idx: TiledIndex<1, 4>, n: i32, x: f32, b: bool) {
    println!("{:?}", Pair { a: x, b: x });
    println!("{:?}", Level::High);
    dbg!(Level::High, n);
    println!("{}", (n, x));
    println!("{}", [n, n]);
    println!("{:?}", [n; N]);
    println!("{:?}", [(n, ()); 2]);
    println!("{:?}", t_idx);
    println!("{:x}", x);
    println!("{:b} {:#o}", b, t_idx.global);
    println!("{:e} {:E} {n:e}", b, t_idx.global);
    println!("{:1$}", x, n);
    println!("{:?} {:?}", [n; 20], [x; 3]);
    println!("{}", missing);
    println!("{missing}");
    println!("{}", if b { 1 } else { 2.5 });
}

#[amp_kernel]
fn views(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    println!("{:?}", c);
    println!("{}", c[idx] = 1);
    println!("{:?}", c.row(1));
    assert_eq!(c[idx], 1.0, "{}", 'c');
}

impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a pair")
    }
}

#[amp_enum]
#[derive(Debug)]
enum Digit {
    One,
    Two,
    Three(f32),
}

#[amp_struct]
#[derive(Debug)]
struct Hidden {
    pair: Pair,
}

#[amp_kernel]
fn named(idx: Index<1>, digit: Digit, hidden: Hidden) {
    println!("{:?}", [digit; 4]);
    println!("{}", digit);
    println!("{:?}", hidden);
    println!("{:?} {:#?}", (idx, digit), (digit, idx));
}

fn main() {}
