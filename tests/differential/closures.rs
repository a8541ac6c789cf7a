//! Closures: what they capture is read when they are called, and what they do is done
//! where they are called.

use amp::prelude::*;
use testkit::{becomes, gives, input, launch};

/// Early returns, captured mutation, loops and a closure that calls another.
#[amp_fn]
fn on_both(x: i32, k: i32) -> i32 {
    let mut total = 0;
    let mut add = |y: i32| {
        'rounds: for i in 0..3 {
            for j in 0..2 {
                if i + j == y {
                    return;
                }
                if j > i {
                    continue 'rounds;
                }
                total += y + i;
            }
        }
        total *= 2;
    };
    add(x);
    add(k);
    let clamp = |v, low, high| {
        if v < low {
            return low;
        }
        if v > high { high } else { v }
    };
    let double = |(a, b): (i32, i32)| -> (i32, i32) { (clamp(b, -50, 50), a * i32::MAX) };
    let (p, q) = double((total, x));
    // Arguments that call the closure that they are for.
    clamp(
        clamp(total, k, 1000),
        clamp(1, 2, 3),
        clamp(100000, total, 200),
    ) + p * q
}

#[amp_kernel]
fn in_helpers(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0] as i32;
    out[idx] = on_both(i % 4, i / 4);
}

#[test]
fn helpers_with_closures() {
    let expected: Vec<i32> = (0..16).map(|i| on_both(i % 4, i / 4)).collect();
    gives(&expected, |view, out| launch(view, 16, in_helpers(out)));
}

#[amp_fn]
fn scaled(x: &mut i32, by: i32) -> i32 {
    let mut scale = |times: i32| {
        for _ in 0..times {
            *x *= by;
        }
        *x
    };
    let once = scale(1);
    once + scale(2)
}

#[amp_kernel]
fn captures(idx: Index<1>, a: &ArrayView<i32, 2>, factor: i32, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let element = |k: usize| a[[i, k % 3]] * factor;
    let mut count = 0;
    let mut next = || {
        count += 1;
        count
    };
    let first = next();
    let sum = element(next() as usize) + element(next() as usize);
    let mut store = |value: i32| out[i] += value;
    store(sum * 10);
    store(first);
    let mut limit = 3;
    let below = |x: i32| x < 7;
    while below(limit) {
        limit += 2;
    }
    out[i] += count * 1000 + limit * 10000;
    let mut x = i as i32;
    out[i] += scaled(&mut x, 3) + x;
}

#[test]
fn variables_views_and_references() {
    let a: Vec<i32> = (0..15).map(|i| i * i % 11).collect();
    let expected: Vec<i32> = (0..5)
        .map(|i| {
            let row = &a[i as usize * 3..][..3];
            let sum = (row[2] + row[0]) * 7;
            sum * 10 + 1 + 3000 + 70000 + i * 3 + i * 27 + i * 27
        })
        .collect();
    gives(&expected, |view, out| {
        let a = ArrayView::new([5, 3], &a)?;
        launch(view, 5, captures(&a, 7, out))
    });
}

#[amp_kernel]
fn shares(t_idx: TiledIndex<1, 4>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    #[tile_static]
    let mut cells: [i32; 4];
    let i = t_idx.local[0];
    let mut exchange = |x: i32| {
        cells[i] = x;
        t_idx.barrier.wait();
        let found = cells[(i + 1) % 4];
        t_idx.barrier.wait();
        found
    };
    let x = exchange(a[t_idx]);
    out[t_idx] = exchange(x + 10) * 100 + x;
}

#[test]
fn tile_memory_and_barriers() {
    let a = [1, 2, 3, 4];
    becomes([4], &[0; 4], &[1302, 1403, 1104, 1201], |view, out| {
        launch(view, out.extent().tile::<4>(), shares(&input(&a), out))
    });
}

#[amp_fn]
fn by_reference<F: Fn(f32) -> f32>(f: &F, x: f32) -> f32 {
    x + f(x) + tripled(f, 3.0) + tripled(f, 1.0) + by_value(f, x)
}

#[amp_fn]
fn tripled<F>(f: &F, x: f32) -> f32
where
    F: Fn(f32) -> f32,
{
    f(x) * 3.0
}

#[amp_fn]
fn by_value(f: impl Fn(f32) -> f32, x: f32) -> f32 {
    f(x) - by_bound(&f, x)
}

#[amp_fn]
fn by_bound(f: &impl Fn(f32) -> f32, x: f32) -> f32 {
    x + f(x) * 0.5
}

#[amp_fn]
fn changing(f: &mut impl FnMut(f32) -> f32, x: f32) -> f32 {
    x + f(x) + f(2.0)
}

#[amp_fn]
fn changed_before(mut f: impl FnMut(f32) -> f32, x: f32) -> f32 {
    changing(&mut f, x) + f(x)
}

#[amp_fn]
fn square(x: f32) -> f32 {
    x * x
}

testkit::twice! {
    closures_by_reference(i: u32) -> f32 = ((0..6).collect(),);
    {
        let x = i as f32;
        let double = |y: f32| y * 2.0 + x;
        let mut count = 0.0;
        let mut counts = |y: f32| {
            count += 1.0;
            y * count
        };
        let mut sum = by_reference(&double, x) + by_bound(&square, x) + tripled(&|y| y - x, 4.0);
        sum += changing(&mut counts, x) + changed_before(&mut counts, 3.0);
        sum += changing(&mut |y| y * x, 1.0);
        sum + count
    }
}

macro_rules! applied_twice {
    ($f:expr, $x:expr) => {{
        let f = $f;
        f(f($x))
    }};
}

testkit::twice! {
    of_macros_and_of_arrays(n: u32, m: u32) -> u32 = ((0..40).collect(), (0..40).map(|x| x * 7 % 11).collect());
    {
        let twice = applied_twice!(|x: u32| x * 3 + m, n);
        let [x, mut y, z] = std::array::from_fn(|k| (k as u32 + n) % (m + 1));
        y += applied_twice!(|x| x ^ z, y);
        twice * 1000 + x * 100 + y * 10 + z
    }
}
