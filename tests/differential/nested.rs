//! Functions in the bodies of kernels and helpers: seen by their block alone, with
//! constants, helpers and tile memory of their own.

use amp::prelude::*;
use amp_test_helpers::twist;
use testkit::{becomes, gives, gives_and_faults, input, launch};

const OFFSET: i32 = 3;

#[amp_fn]
fn bump(x: i32) -> i32 {
    x + 1
}

#[amp_fn]
fn outer(x: i32) -> i32 {
    const LENGTH: usize = 4;
    // Declared after its caller, and hidden in the block at the end.
    fn inner(x: i32) -> i32 {
        let array = [x; LENGTH];
        let mut sum = 0;
        for y in array {
            sum += twice(y) + OFFSET;
        }
        sum * i32::MAX + twist(x)
    }
    fn twice(x: i32) -> i32 {
        bump(x) * 2
    }
    inner(x) + twice(x) + {
        fn twice(x: i32) -> i32 {
            x * 1000
        }
        twice(x)
    }
}

#[amp_kernel]
fn calls(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    fn add(out: &mut ArrayViewMut<i32, 1>, i: usize, x: &mut i32) {
        fn half(x: i32) -> i32 {
            if x < 0 {
                return -(-x / 2);
            }
            x / 2
        }
        out[i] += outer(*x);
        *x = half(*x) - OFFSET;
    }
    let mut x = idx[0] as i32;
    add(out, idx[0], &mut x);
    add(out, idx[0], &mut x);
    out[idx] += x;
}

#[test]
fn in_kernels_and_helpers() {
    let expected: Vec<i32> = (0..9)
        .map(|i| {
            let half = i / 2 - OFFSET;
            let last = if half < 0 { -(-half / 2) } else { half / 2 };
            outer(i)
                .wrapping_add(outer(half))
                .wrapping_add(last - OFFSET)
        })
        .collect();
    gives(&expected, |view, out| launch(view, 9, calls(out)));
}

#[amp_kernel]
fn shares(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<i32, 1>) {
    fn rotated(t_idx: TiledIndex<1, 4>, x: i32) -> i32 {
        #[tile_static]
        let mut cells: [i32; 4];
        let i = t_idx.local[0];
        cells[i] = x;
        t_idx.barrier.wait();
        let found = cells[(i + 1) % 4];
        t_idx.barrier.wait();
        found
    }
    out[t_idx] = rotated(t_idx, rotated(t_idx, out[t_idx]));
}

#[test]
fn with_tile_memory() {
    becomes([4], &[1, 2, 3, 4], &[3, 4, 1, 2], |view, out| {
        launch(view, out.extent().tile::<4>(), shares(out))
    });
}

/// Generic functions in bodies have the steps of kernels on the host, too: they wrap and fault.
#[amp_module]
mod generic {
    use amp::Scalar;

    pub fn all(x: u32, at: usize) -> u32 {
        fn pick<T: Copy, const N: usize>(from: [T; N], at: usize) -> T {
            from[at]
        }
        fn sum<const N: usize>(numbers: [u32; N]) -> u32 {
            let mut sum = 0;
            for (i, number) in numbers.iter().enumerate() {
                sum += (i as u32 + 1) * number;
            }
            sum * 1_000_000_007
        }
        fn count<T: Copy, const N: usize>(items: [Option<T>; N]) -> u32 {
            let mut count = 0;
            for _item in items.into_iter().flatten() {
                count += 1;
            }
            count
        }
        fn twice<T: Scalar>(x: T) -> T {
            x + x
        }
        sum([x, 1, 2]) + pick([x, 7], at) ^ count([Some(x), None, Some(2)]) ^ twice(x << 31)
    }
}

#[amp_kernel]
fn in_bodies(idx: Index<1>, at: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = generic::all(idx[0] as u32, at[idx] as usize);
}

#[test]
fn generic_functions_in_bodies() {
    let plain = |x: u32| {
        let sum = (x + 8).wrapping_mul(1_000_000_007);
        sum.wrapping_add(7) ^ 2 ^ (x << 31).wrapping_mul(2)
    };
    let expected: Vec<u32> = (0..9).map(plain).collect();
    gives(&expected, |view, out| {
        launch(view, 9, in_bodies(&input(&[1; 9]), out))
    });
    let outside = 8u32.wrapping_mul(1_000_000_007) ^ 2;
    gives_and_faults(&[outside], |view, out| {
        launch(view, 1, in_bodies(&input(&[2]), out))
    });
}

/// Functions in bodies are written as others are.
#[amp_module]
mod idioms {
    pub fn all(x: u32) -> u32 {
        fn apply(f: impl Fn(u32) -> u32, x: u32) -> u32 {
            f(f(x))
        }
        fn first(s: &[u32], _: u32) -> u32 {
            s.first().copied().unwrap_or(9)
        }
        fn shape(s: &[u32]) -> u32 {
            match s {
                [] => 0,
                [one] => *one,
                [a, .., z] => a * 10 + z,
            }
        }
        fn pair((a, b): (u32, u32)) -> u32 {
            a * 3 + b
        }
        fn best(s: &[u32]) -> Option<&u32> {
            s.iter().max_by_key(|v| **v % 7)
        }
        fn with<F: Fn(u32) -> u32>(f: F) -> u32 {
            (0..3).map(f).sum()
        }
        fn outer(n: u32) -> u32 {
            fn inner(s: &[u32; 2]) -> u32 {
                s.iter().rev().fold(0, |t, v| t * 5 + v)
            }
            inner(&[n, 4])
        }
        let a = [x, 5, x + 2, 8];
        apply(|v| v * 2 + x, 3)
            + first(&a[1..], 0)
            + shape(&a)
            + shape(&a[..1])
            + shape(&a[..0])
            + pair((x, 1))
            + best(&a).map_or(0, |v| *v)
            + with(|v| v + x)
            + outer(x)
    }
}

fn plain(x: u32) -> u32 {
    fn apply(f: impl Fn(u32) -> u32, x: u32) -> u32 {
        f(f(x))
    }
    fn first(s: &[u32], _: u32) -> u32 {
        s.first().copied().unwrap_or(9)
    }
    fn shape(s: &[u32]) -> u32 {
        match s {
            [] => 0,
            [one] => *one,
            [a, .., z] => a * 10 + z,
        }
    }
    fn pair((a, b): (u32, u32)) -> u32 {
        a * 3 + b
    }
    fn best(s: &[u32]) -> Option<&u32> {
        s.iter().max_by_key(|v| **v % 7)
    }
    fn with<F: Fn(u32) -> u32>(f: F) -> u32 {
        (0..3).map(f).sum()
    }
    fn outer(n: u32) -> u32 {
        fn inner(s: &[u32; 2]) -> u32 {
            s.iter().rev().fold(0, |t, v| t * 5 + v)
        }
        inner(&[n, 4])
    }
    let a = [x, 5, x + 2, 8];
    apply(|v| v * 2 + x, 3)
        + first(&a[1..], 0)
        + shape(&a)
        + shape(&a[..1])
        + shape(&a[..0])
        + pair((x, 1))
        + best(&a).map_or(0, |v| *v)
        + with(|v| v + x)
        + outer(x)
}

#[amp_kernel]
fn idioms_in_bodies(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = idioms::all(idx[0] as u32);
}

#[test]
fn functions_in_bodies_are_written_as_others() {
    let expected: Vec<u32> = (0..16).map(plain).collect();
    gives(&expected, |view, out| {
        launch(view, 16, idioms_in_bodies(out))
    });
    assert_eq!(idioms::all(5), plain(5));
}
