//! Generic helpers: each instance computes what the function does in plain Rust.

use amp::prelude::*;
use amp_test_helpers::generic::{mixed, summed, thrice};
use testkit::{becomes, gives, launch};

const LENGTH: usize = 3;

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Pair {
    a: i32,
    b: i32,
}

/// Nothing but moves: any type will do.
#[amp_fn]
fn pick<T: Copy>(first: bool, a: T, b: T) -> T {
    if first { a } else { b }
}

#[amp_fn]
fn largest<T: Scalar, const N: usize>(values: &[T; N]) -> T {
    let mut found = values[0];
    for x in values {
        if *x > found {
            found = *x;
        }
    }
    found
}

#[amp_fn]
fn filled<T: Copy, const N: usize>(x: T) -> [T; N] {
    [x; N]
}

#[amp_fn]
fn bits<const MASK: u32, const INVERT: bool>(x: u32) -> u32 {
    if INVERT { !x & MASK } else { x & MASK }
}

#[amp_fn]
fn scaled<T: Scalar>(places: &mut [T; 2], by: T) {
    for x in places.iter_mut() {
        *x *= by;
    }
}

#[amp_fn]
fn integers(i: i32) -> i32 {
    let a = mixed(i, i32::MAX, 3);
    let b = mixed(i as u32, 5, 9) as i32;
    let pair = pick(i % 2 == 0, Pair { a: 1, b: i }, Pair { a: i, b: 2 });
    let (x, y) = pick(i > 3, (i, 1), (2, i));
    let three = [i, i * i % 7, 4];
    let mut places = filled(i);
    scaled(&mut places, i32::MAX);
    let long: [i32; 5] = filled::<_, 5>(x);
    let masked = bits::<{ 0xff }, false>(i as u32) + bits::<12, { LENGTH > 2 }>(i as u32);
    a ^ b
        ^ pair.a * 10 + pair.b
        ^ x * 100 + y
        ^ largest(&three)
        ^ summed(three) * summed([x, y])
        ^ summed([1; LENGTH])
        ^ largest(&[places[0], places[1], 1]) + long[4]
        ^ masked as i32
}

#[amp_kernel]
fn of_integers(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = integers(idx[0] as i32);
}

#[test]
fn instances_for_integers() {
    let expected: Vec<i32> = (0..12).map(integers).collect();
    gives(&expected, |view, out| launch(view, 12, of_integers(out)));
}

#[amp_fn]
fn floats(x: f32) -> f32 {
    let offset = x * 0.5;
    let halved = |y: f32| y * 0.5 + offset;
    let a = mixed(x, 2.0, 0.25) + summed([x, 1.5]) + largest(&[x, 1.0]);
    let mut calls = 0;
    let counted = each_once(
        |y, k| {
            calls += 1;
            y * k as f32
        },
        x,
    );
    a + thrice(halved, x)
        + thrice(|y| if y > 2.0 { y.sqrt() } else { y + 1.0 }, x)
        + counted * calls as f32
        + folded([x, 2.0, 3.0], |sum, y| sum * 2.0 + y)
        + folded([1, 2, 3], |sum: i32, y| sum * 5 + y).to_f32()
}

#[amp_fn]
fn each_once<F: FnMut(f32, i32) -> f32>(mut f: F, x: f32) -> f32 {
    let first = f(x, 1);
    f(first, 2) + f(first, 3)
}

#[amp_fn]
fn folded<T: Scalar, F: Fn(T, T) -> T, const N: usize>(values: [T; N], f: F) -> T {
    let mut sum = T::ONE;
    for x in values {
        sum = f(sum, x);
    }
    sum
}

#[amp_kernel]
fn of_floats(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = floats(idx[0] as f32 * 0.75);
}

#[test]
fn instances_for_floats_and_closures() {
    let expected: Vec<f32> = (0..12).map(|i| floats(i as f32 * 0.75)).collect();
    gives(&expected, |view, out| launch(view, 12, of_floats(out)));
}

/// Views, tiles and tile memory of any type and length.
#[amp_fn]
fn tile_sum<T: Scalar, const N: usize>(
    t_idx: TiledIndex<1, N>,
    data: &ArrayView<T, 1>,
    out: &mut ArrayViewMut<T, 1>,
) {
    #[tile_static]
    let mut cells: [T; N];
    let i = t_idx.local[0];
    cells[i] = data[t_idx];
    t_idx.barrier.wait();
    let mut sum = T::ZERO;
    for x in cells.iter() {
        sum += *x;
    }
    out[t_idx] = sum + T::from_usize(N);
    t_idx.barrier.wait();
}

const TILE: usize = 4;

#[amp_kernel]
fn tile_sums(
    t_idx: TiledIndex<1, TILE>,
    a: &ArrayView<i32, 1>,
    b: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<i32, 1>,
    floats: &mut ArrayViewMut<f32, 1>,
) {
    tile_sum(t_idx, a, out);
    tile_sum(t_idx, b, floats);
    out[t_idx] += floats[t_idx].to_i32();
}

#[test]
fn views_and_tile_memory() {
    let a: Vec<i32> = (0..8).collect();
    let b: Vec<f32> = (0..8).map(|i| i as f32 * 0.5).collect();
    let of = |tile: i32| (tile * 16 + 6 + 4) + ((tile * 16 + 6) as f32 * 0.5 + 4.0) as i32;
    let expected: Vec<i32> = (0..8).map(|i| of(i / 4)).collect();
    becomes([8], &[0; 8], &expected, |view, out| {
        let a = ArrayView::new(8, &a)?;
        let b = ArrayView::new(8, &b)?;
        let mut floats = ArrayViewMut::uninit(8)?;
        launch(
            view,
            out.extent().tile::<TILE>(),
            tile_sums(&a, &b, out, &mut floats),
        )
    });
}

#[amp_fn]
fn third<T: Scalar>(a: T, b: T) -> T {
    a / b + a % b
}

#[amp_kernel]
fn divides(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = third(10, out[idx]) + third(9.0_f32, 2.0).to_i32();
}

#[test]
fn division_in_a_helper() {
    becomes([3], &[3, -4, 20], &[9, 5, 15], |view, out| {
        launch(view, 3, divides(out))
    });
}

/// Widths that not every accelerator has wrap and convert as they do in Rust.
#[amp_fn]
fn wide(i: i32) -> i32 {
    let long = mixed(i as i64, i64::MAX, 3);
    let unsigned = mixed(i as u64, 5, 9);
    let double = mixed(i as f64, 0.5, 0.25);
    long.to_i32() ^ unsigned.to_u32() as i32 ^ (double * 100.0).to_i32()
}

#[amp_kernel]
fn of_wide(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = wide(idx[0] as i32);
}

#[test]
fn instances_of_64_bits() {
    let expected: Vec<i32> = (0..12).map(wide).collect();
    gives(&expected, |view, out| launch(view, 12, of_wide(out)));
}
