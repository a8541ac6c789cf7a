//! Branches, loops, labels, early returns, blocks as values, shadowing.

use amp::prelude::*;
use testkit::numbers::pairs;
use testkit::{gives, launch, twice};

const SMALL: [u32; 9] = [0, 1, 2, 3, 5, 8, 13, 27, 100];

twice! {
    if_as_a_value(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let c = if a > b { a - b } else { b - a };
        let d = if c == 0 { 1 } else if c < 3 { 2 } else if a % 2 == 0 { 3 } else { 4 };
        let e = if if a > 3 { b > 3 } else { b < 3 } { c } else { d };
        c * 10 + d + (if e > 2 { e } else { 100 }) * if a == 0 { 7 } else { 9 }
    }
}

twice! {
    while_loops(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let (mut x, mut y) = (a, b);
        while y != 0 {
            let t = x % y;
            x = y;
            y = t;
        }
        let mut steps = 0;
        let mut n = a + 1;
        while n != 1 && steps < 1000 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
            if steps % 7 == 6 { continue; }
            if steps > 90 { break; }
        }
        while { x += 1; x % 5 != 0 } { y += x; }
        while false { y = 0; }
        x * 10_000 + steps * 100 + y
    }
}

twice! {
    loops_with_values(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let mut i = 0;
        let first = loop {
            i += 1;
            if i * i > a { break i; }
            if i > 50 { break 1000 + i; }
        };
        let second = 'found: loop {
            let mut j = 0;
            loop {
                j += 1;
                if j > b { break; }
                if j * first > a + 10 { break 'found j * 7; }
            }
            if first > 100 { continue; }
            break j + 1;
        };
        let (third, fourth) = loop { break (i, second > 3); };
        first + second * 100 + if fourth { third } else { 50_000 }
    }
}

twice! {
    labels_over_levels(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let mut h = 0_u32;
        let mut i = 0;
        'outer: while i < a {
            i += 1;
            let mut j = 0;
            'middle: loop {
                j += 1;
                for k in 0..5 {
                    h = h.wrapping_mul(3).wrapping_add(i * 64 + j * 8 + k);
                    if (i + j + k) % 7 == 3 { continue 'outer; }
                    if (i + j * k) % 11 == 5 { continue 'middle; }
                    if i * j * k > b + 20 { break 'outer; }
                    if k == 3 && j == 2 { break 'middle; }
                }
                if j > 4 { break; }
            }
            h = h.wrapping_add(1 << 20);
        }
        h
    }
}

twice! {
    labelled_blocks(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let x = 'done: {
            if a == b { break 'done 1; }
            let y = 'inner: {
                if a > 10 { break 'done 2; }
                if b > 10 { break 'inner 3; }
                4
            };
            y * 10
        };
        let mut h = x;
        'skip: {
            h += 1;
            if a % 2 == 0 { break 'skip; }
            h += 10;
            for i in 0..b {
                if i == 4 { break 'skip; }
                h += 100;
            }
            h += 1000;
        }
        let p = 'p: { (a > 3, if b > 3 { break 'p (false, 9) } else { a }) };
        h * 16 + p.1 + p.0 as u32
    }
}

twice! {
    early_returns(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        if a == 0 { return 1; }
        let x = if b == 0 { return 2 } else { a / b };
        let mut n = 0;
        loop {
            n += 1;
            if n > a {
                if b % 2 == 0 { return n * 10; } else { break; }
            }
            'block: {
                while n < 50 {
                    n += 7;
                    if n % b == 3 { return n + x * 1000; }
                    if n > b + 20 { break 'block; }
                }
                return 3;
            }
            for i in (0..n).rev() {
                if i * 2 == b { return i + 5000; }
            }
        }
        return n + x;
    }
}

twice! {
    blocks_and_shadowing(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let a = a + 1;
        let x = { let a = a * 2; let b = { let a = a + b; a * 3 }; a + b };
        let a = a as f32 * 0.5;
        let y = {
            let mut b = b;
            b += 1;
            { b *= 2; }
            b
        };
        let b = b > 4;
        let z = { { { { if b { 1 } else { 2 } } } } };
        ;;
        {};
        x + y * 100 + z + a as u32
    }
}

twice! {
    branches_that_never_end(a: i32, b: i32) -> i32 = pairs(&[-2, -1, 0, 1, 2, 7]);
    {
        let x: i32 = if a > b { a } else { return -1 };
        let y = loop {
            let z = if x > 5 { break 9 } else if b < 0 { break b * 2; } else { x };
            if z == 1 { break z + 100 } else { return z };
        };
        let w = { if y == 9 { return 77; } y } + { let t = y; t };
        let v = if w > 0 { w } else { loop { return w - 1; } };
        v + 1
    }
}

twice! {
    deferred_initialisation(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let x;
        let y: u32;
        if a > b { x = a; y = 1; } else { x = b; y = 2; }
        let z: [u32; 2];
        z = [x, y];
        let mut w;
        w = z[0];
        w += z[1];
        w
    }
}

twice! {
    evaluation_order(a: u32, b: u32) -> u32 = pairs(&SMALL);
    {
        let mut n = a;
        let x = { n += 1; n } * 2 + { n *= 3; n };
        let mut t = [0; 4];
        t[{ n += 1; (n % 4) as usize }] = { n += 5; n };
        t[(b % 4) as usize] += { t[(b % 4) as usize] = 50; 7 };
        let p = ({ n += 1; n }, { n += 1; n }, n);
        let q = n + { n = 0; 1 };
        x + t[0] + t[1] * 3 + t[2] * 5 + t[3] * 7 + p.0 * 11 + p.1 * 13 + p.2 * 17 + q * 19 + n
    }
}

// Sixty-three levels of braces, alternately branches and loops that run once.
macro_rules! nest {
    ($n:ident $a:ident []) => { $n += $a; };
    ($n:ident $a:ident [_ _ _ $($rest:tt)*]) => {
        if $n < 1000 + $a {
            $n += 1;
            loop {
                $n += 1;
                for _ in 0..1 { nest!($n $a [$($rest)*]); }
                break;
            }
        }
    };
}

/// The same depth, spelled out: kernels have no macros.
#[amp_kernel]
#[rustfmt::skip]
fn deep(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let a = idx[0] as u32;
    let mut n = 0;
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
    if n < 1000 + a { n += 1; loop { n += 1; for _ in 0..1 {
        n += a;
    } break; } } } break; } } } break; } } } break; } } } break; } } } break; } } } break; } }
    } break; } } } break; } } } break; } } } break; } } } break; } } } break; } } } break; } }
    } break; } } } break; } } } break; } } } break; } } } break; } } } break; } } } break; } }
    out[idx] = n;
}

#[test]
#[allow(clippy::never_loop)]
fn sixty_three_levels() {
    let expected: Vec<u32> = (0..10)
        .map(|a| {
            let mut n = 0;
            nest!(n a [_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
                _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _]);
            n
        })
        .collect();
    gives(&expected, |view, out| launch(view, 10, deep(out)));
}

/// Returns from all depths of a kernel, with a helper that returns early on the way.
#[amp_kernel]
fn returning(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0] as u32;
    out[idx] = 1;
    if i % 7 == 0 {
        return;
    }
    for j in 0..i {
        if j == 5 {
            'block: {
                if i > 20 {
                    break 'block;
                }
                out[idx] = 100 + j;
                return;
            }
            out[idx] += 1000;
        }
        while out[idx] % 3 == 0 {
            if out[idx] > 3000 {
                return;
            }
            out[idx] += first_above(j, i);
        }
    }
    out[idx] += 7;
}

#[amp_fn]
fn first_above(j: u32, i: u32) -> u32 {
    for k in 1..50 {
        if k * k > j * i {
            return k;
        }
    }
    1
}

#[test]
fn kernels_return_early() {
    let expected: Vec<u32> = (0..64_u32)
        .map(|i| {
            let mut out = 1;
            if i % 7 == 0 {
                return out;
            }
            for j in 0..i {
                if j == 5 {
                    if i <= 20 {
                        return 100 + j;
                    }
                    out += 1000;
                }
                while out % 3 == 0 {
                    if out > 3000 {
                        return out;
                    }
                    out += (1..50).find(|k| k * k > j * i).unwrap_or(1);
                }
            }
            out + 7
        })
        .collect();
    gives(&expected, |view, out| launch(view, 64, returning(out)));
}

#[amp_kernel]
fn with_hints(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let i = idx[0] as u32;
    out[idx] = hinted(i);
    #[unroll]
    'all: loop {
        #[unroll]
        for k in [3, 5, i] {
            out[idx] += k;
            if out[idx] > 40 {
                break 'all;
            }
        }
    }
}

#[amp_fn]
fn hinted(i: u32) -> u32 {
    let mut sum = 0;
    #[unroll]
    for k in 0..4 {
        #[unroll]
        while sum % 5 < k * i % 4 {
            sum += 1;
        }
        sum += k;
    }
    sum
}

#[test]
fn hints_to_unroll_change_no_result() {
    let expected: Vec<u32> = (0..64_u32)
        .map(|i| {
            let mut out = 0;
            for k in 0..4 {
                while out % 5 < k * i % 4 {
                    out += 1;
                }
                out += k;
            }
            loop {
                for k in [3, 5, i] {
                    out += k;
                    if out > 40 {
                        return out;
                    }
                }
            }
        })
        .collect();
    gives(&expected, |view, out| launch(view, 64, with_hints(out)));
}
