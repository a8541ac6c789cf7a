//! Rows 55 to 61: operands that are skipped, barriers under nested constructs.

use amp::prelude::*;
use testkit::numbers::random;
use testkit::{becomes, gives, input, launch};

#[amp_kernel]
fn lazy_or(idx: Index<1>, e1: bool, e2: bool, out: &mut ArrayViewMut<i32, 1>) {
    let mut i = 0;
    let mut passed = 0;
    if e1 || e2 || {
        i += 1;
        i > 0
    } {
        passed += 1;
    }
    for _ in 0..(e1 || e2 || {
        i += 1;
        i > 0
    }) as i32
    {
        passed += 1;
    }
    while e1 || e2 || {
        i += 1;
        i > 0
    } {
        passed += 1;
        break;
    }
    loop {
        passed += 1;
        if e1 || e2 || {
            i += 1;
            i > 0
        } {
            break;
        }
    }
    passed += if (e1 || e2 || {
        i += 1;
        i > 0
    }) == true
    {
        1
    } else {
        100
    };
    out[idx] = if i == 0 && passed == 5 { 1 } else { 0 };
}

#[test]
fn row_055_or_skips_its_right_side_in_every_construct() {
    gives(&[1; 64], |view, out| {
        launch(view, 64, lazy_or(true, true, out))
    });
}

/// The sum of a tile's block, by a helper with tile memory and a barrier of its own.
#[amp_fn]
fn block_sum<T: Scalar>(t_idx: TiledIndex<2, 4, 4>, value: T) -> T {
    #[tile_static]
    let mut block: [[T; 4]; 4];
    block[t_idx.local[0]][t_idx.local[1]] = value;
    t_idx.barrier.wait();
    let mut sum = T::ZERO;
    for i in 0..4 {
        for j in 0..4 {
            sum += block[i][j];
        }
    }
    t_idx.barrier.wait();
    sum
}

/// A kernel over 8×8 in tiles of 4×4 whose first thread stores `before`; then it stores the
/// block's sum, if twenty constructs let it.
#[amp_kernel(T = i32 | u32 | f32 | f64)]
#[allow(clippy::collapsible_if)]
#[rustfmt::skip]
fn ifs<T: Scalar>(
    t_idx: TiledIndex<2, 4, 4>,
    a: &ArrayView<T, 2>,
    out: &mut ArrayViewMut<T, 2>,
    before: T,
    x: i32,
) {
    let first = t_idx.local == Index::new([0, 0]);
    if first {
        out[t_idx.tile] = before;
    }
    if x > 1 { if x > 2 { if x > 3 { if x > 4 { if x > 5 {
    if x > 6 { if x > 7 { if x > 8 { if x > 9 { if x > 10 {
    if x > 11 { if x > 12 { if x > 13 { if x > 14 { if x > 15 {
    if x > 16 { if x > 17 { if x > 18 { if x > 19 { if x > 20 {
        let sum = block_sum(t_idx, a[t_idx]);
        if first {
            out[t_idx.tile] = sum;
        }
    } } } } } } } } } } } } } } } } } } } }
}

#[amp_kernel(T = i32 | u32 | f32 | f64)]
#[rustfmt::skip]
fn fors<T: Scalar>(
    t_idx: TiledIndex<2, 4, 4>,
    a: &ArrayView<T, 2>,
    out: &mut ArrayViewMut<T, 2>,
    before: T,
    x: i32,
) {
    let first = t_idx.local == Index::new([0, 0]);
    if first {
        out[t_idx.tile] = before;
    }
    for _ in 1..x.min(2) { for _ in 2..x.min(3) { for _ in 3..x.min(4) { for _ in 4..x.min(5) {
    for _ in 5..x.min(6) { for _ in 6..x.min(7) { for _ in 7..x.min(8) { for _ in 8..x.min(9) {
    for _ in (9..x.min(10)).rev() { for _ in (10..x.min(11)).rev() { for _ in (11..x.min(12)).step_by(3) {
    for _ in 12..x.min(13) { for _ in 13..x.min(14) { for _ in 14..x.min(15) { for _ in 15..x.min(16) {
    for _ in 16..=x.min(16) { for _ in 17..=x.min(17) { for _ in 18..=x.min(18) { for _ in 19..x.min(20) {
    for _ in 20..x.min(21) {
        let sum = block_sum(t_idx, a[t_idx]);
        if first {
            out[t_idx.tile] = sum;
        }
    } } } } } } } } } } } } } } } } } } } }
}

#[amp_kernel(T = i32 | u32 | f32 | f64)]
#[allow(clippy::while_immutable_condition, clippy::never_loop)]
#[rustfmt::skip]
fn whiles<T: Scalar>(
    t_idx: TiledIndex<2, 4, 4>,
    a: &ArrayView<T, 2>,
    out: &mut ArrayViewMut<T, 2>,
    before: T,
    x: i32,
) {
    let first = t_idx.local == Index::new([0, 0]);
    if first {
        out[t_idx.tile] = before;
    }
    let mut x = x;
    while x > 1 { while x > 2 { while x > 3 { while x > 4 { while x > 5 {
    while x > 6 { while x > 7 { while x > 8 { while x > 9 { while x > 10 {
    while x > 11 { while x > 12 { while x > 13 { while x > 14 { while x > 15 {
    while x > 16 { while x > 17 { while x > 18 { while x > 19 { while x > 20 {
        let sum = block_sum(t_idx, a[t_idx]);
        if first {
            out[t_idx.tile] = sum;
        }
    // Ends all of them, also where an inner one was not entered.
    x = 0; } x = 0; } x = 0; } x = 0; } x = 0; } x = 0; } x = 0; } x = 0; } x = 0; } x = 0; }
    x = 0; } x = 0; } x = 0; } x = 0; } x = 0; } x = 0; } x = 0; } x = 0; } x = 0; } x = 0; }
}

#[amp_kernel(T = i32 | u32 | f32 | f64)]
#[allow(clippy::never_loop)]
#[rustfmt::skip]
fn loops<T: Scalar>(
    t_idx: TiledIndex<2, 4, 4>,
    a: &ArrayView<T, 2>,
    out: &mut ArrayViewMut<T, 2>,
    before: T,
    x: i32,
) {
    let first = t_idx.local == Index::new([0, 0]);
    if first {
        out[t_idx.tile] = before;
    }
    'all: loop { if x < 2 { break; } loop { if x < 3 { break; } loop { if x < 4 { break; }
    loop { if x < 5 { break; } loop { if x < 6 { break 'all; } loop { if x < 7 { break; }
    loop { if x < 8 { break; } loop { if x < 9 { break; } loop { if x < 10 { break; }
    loop { if x < 11 { break; } loop { if x < 12 { break; } loop { if x < 13 { break; }
    loop { if x < 14 { break; } loop { if x < 15 { break; } loop { if x < 16 { break; }
    loop { if x < 17 { break; } loop { if x < 18 { break; } loop { if x < 19 { break; }
    loop { if x < 20 { break; } loop { if x < 21 { break; }
        let sum = block_sum(t_idx, a[t_idx]);
        if first {
            out[t_idx.tile] = sum;
        }
    break; } break; } break; } break; } break; } break; } break; } break; } break; } break; }
    break; } break; } break; } break; } break; } break; } break; } break; } break; } break; }
}

/// `switch`, whose other cases return.
#[amp_kernel(T = i32 | u32 | f32 | f64)]
#[rustfmt::skip]
fn switches<T: Scalar>(
    t_idx: TiledIndex<2, 4, 4>,
    a: &ArrayView<T, 2>,
    out: &mut ArrayViewMut<T, 2>,
    before: T,
    x: i32,
) {
    let first = t_idx.local == Index::new([0, 0]);
    if first {
        out[t_idx.tile] = before;
    }
    match x { 1 => return, 30 => { match x { 2 => return, 30 => { match x { 3 => return, 30 => { match x { 4 => return, 30 => { match x { 5 => return, 30 => {
    match x { 6 => return, 30 => { match x { 7 => return, 30 => { match x { 8 => return, 30 => { match x { 9 => return, 30 => { match x { 10 => return, 30 => {
    match x { 11 => return, 30 => { match x { 12 => return, 30 => { match x { 13 => return, 30 => { match x { 14 => return, 30 => { match x { 15 => return, 30 => {
    match x { 16 => return, 30 => { match x { 17 => return, 30 => { match x { 18 => return, 30 => { match x { 19 => return, 30 => { match x { 20 => return, 30 => {
        let sum = block_sum(t_idx, a[t_idx]);
        if first {
            out[t_idx.tile] = sum;
        }
    } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} } } _ => {} }
}

/// 8×8 numbers from 0 to 100.
fn matrix() -> Vec<i32> {
    random(57)
        .map(|word| (word % 101) as i32)
        .take(64)
        .collect()
}

/// The sums of its blocks of 4×4.
fn block_sums(a: &[i32]) -> Vec<i32> {
    let block = |n: usize| {
        let (top, left) = (n / 2 * 4, n % 2 * 4);
        (0..16).map(|k| a[(top + k / 4) * 8 + left + k % 4]).sum()
    };
    (0..4).map(block).collect()
}

fn tiles() -> TiledExtent<2, 4, 4> {
    Extent::new([8, 8]).tile::<4, 4>()
}

macro_rules! twenty {
    ($($kernel:ident)+) => {
        $(twenty!($kernel: i32 u32 f32 f64);)+
    };
    ($kernel:ident: $($ty:ident)+) => {
        mod $kernel {
            use super::*;

            $(
                #[test]
                fn $ty() {
                    let numbers = matrix();
                    let sums: Vec<$ty> =
                        block_sums(&numbers).iter().map(|&sum| sum as $ty).collect();
                    let a: Vec<$ty> = numbers.iter().map(|&number| number as $ty).collect();
                    for (x, expected) in [(30, sums), (5, vec![100 as $ty; 4])] {
                        becomes([2, 2], &[<$ty>::default(); 4], &expected, |view, out| {
                            let a = ArrayView::new([8, 8], &a)?;
                            launch(view, tiles(), $kernel(&a, out, 100 as $ty, x))
                        });
                    }
                }
            )+
        }
    };
}

/// A barrier under twenty nested constructs, for each type that C++ AMP has.
mod row_057 {
    use super::*;

    twenty!(ifs fors whiles loops switches);
}

/// `while (x > 1) { sum(); break; }`, and the same with every loop there is.
#[amp_kernel]
#[allow(clippy::never_loop)]
fn barrier_then_break(
    t_idx: TiledIndex<2, 4, 4>,
    a: &ArrayView<i32, 2>,
    out: &mut ArrayViewMut<i32, 3>,
    x: i32,
) {
    let value = a[t_idx];
    let (tile, first) = (t_idx.tile, t_idx.local == Index::new([0, 0]));
    while x > 1 {
        let sum = block_sum(t_idx, value);
        if first {
            out[[0, tile[0], tile[1]]] = sum;
        }
        break;
    }
    for _ in 1..x {
        let sum = block_sum(t_idx, value);
        if first {
            out[[1, tile[0], tile[1]]] = sum;
        }
        break;
    }
    loop {
        let sum = block_sum(t_idx, value);
        if first {
            out[[2, tile[0], tile[1]]] = sum;
        }
        if x > 1 {
            break;
        }
    }
    'switch: {
        if x == 123 {
            let sum = block_sum(t_idx, value);
            if first {
                out[[3, tile[0], tile[1]]] = sum;
            }
            break 'switch;
        }
        out[[3, tile[0], tile[1]]] = -1;
    }
}

#[test]
fn row_059_a_loop_that_breaks_after_its_barrier() {
    let a = matrix();
    let expected = block_sums(&a).repeat(4);
    becomes([4, 2, 2], &[0; 16], &expected, |view, out| {
        launch(
            view,
            tiles(),
            barrier_then_break(&ArrayView::new([8, 8], &a)?, out, 123),
        )
    });
}

/// Barriers alone, under nests of every construct.
#[amp_kernel]
#[allow(clippy::never_loop)]
fn barriers_alone(
    t_idx: TiledIndex<1, 10>,
    a: &ArrayView<i32, 1>,
    out: &mut ArrayViewMut<i32, 1>,
    x: i32,
) {
    loop {
        for i in 0..x {
            if i == x - 1 {
                let mut n = i;
                while n < x {
                    if n == 7 {
                        return;
                    } else if n == x - 1 {
                        t_idx.barrier.wait();
                    }
                    n += 1;
                }
            } else {
                t_idx.barrier.wait_with_global_memory_fence();
            }
        }
        t_idx.barrier.wait_with_tile_static_memory_fence();
        break;
    }
    if t_idx.local[0] == 0 {
        out[t_idx.tile] = a[t_idx];
    }
}

#[test]
fn row_061_barriers_without_shared_memory() {
    let a: Vec<i32> = random(61).map(u32::cast_signed).take(650).collect();
    let expected: Vec<i32> = a.iter().step_by(10).copied().collect();
    assert_eq!(expected.len(), 65);
    gives(&expected, |view, out| {
        launch(
            view,
            Extent::new([650]).tile::<10>(),
            barriers_alone(&input(&a), out, 4),
        )
    });
}
