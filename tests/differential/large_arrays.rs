//! Arrays too large to be one value: however they are made, moved, compared and passed, the
//! results are Rust's, and the first launch takes no time that grows with the square of their
//! length.

use std::time::{Duration, Instant};

use amp::prelude::*;
use testkit::{gives, launch};

const N: usize = 100;

#[amp_struct]
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Pair {
    left: [u32; 70],
    right: [u32; 70],
}

#[amp_fn]
fn sum(x: [u32; N], first: usize) -> u32 {
    let mut sum = 0;
    for k in first..N {
        sum = sum * 31 + x[k];
    }
    sum
}

/// Changes its parameter, which is not the caller's.
#[amp_fn]
fn changed(mut x: [u32; N], by: u32) -> [u32; N] {
    x[by as usize % N] += by;
    x[7] ^= by;
    x
}

/// Returns from several places.
#[amp_fn]
fn chosen(x: [u32; N], y: [u32; N], k: u32) -> [u32; N] {
    if k == 0 {
        return [k; N];
    }
    for j in 0..4 {
        if k == j {
            return y;
        }
    }
    if k > 5 { x } else { changed(y, k) }
}

#[amp_fn]
fn rows(k: u32) -> [[u32; 5]; 20] {
    let mut rows = [[k; 5]; 20];
    rows[3][2] = 9;
    rows[(k % 20) as usize] = [1, 2, 3, 4, 5];
    rows
}

#[amp_fn]
fn swapped(p: Pair) -> Pair {
    Pair {
        left: p.right,
        right: p.left,
    }
}

#[amp_fn]
fn moves(k: u32) -> u32 {
    let mut x = [0_u32; N];
    for (j, place) in x.iter_mut().enumerate() {
        *place = j as u32 * k;
    }
    let before = x;
    x[3] = 1000 + k;
    // Over a copy.
    let mut sum_of_all = 0;
    for v in x {
        x[5] += 1;
        sum_of_all += v;
    }
    // Of one and the same.
    x = changed(x, k + 2);
    let same = x;
    x = chosen(same, before, k);
    let mut nested = rows(k);
    let inner = nested[3];
    nested[4] = inner;
    let y = if k % 2 == 0 { before } else { x };
    let z = loop {
        if k > 3 {
            break y;
        }
        break [k + 1; N];
    };
    let block = 'out: {
        if k == 5 {
            break 'out z;
        }
        changed(z, 1)
    };
    let mut pair = Pair {
        left: [k; 70],
        right: [2 * k; 70],
    };
    pair.left[9] = 77;
    let before_swap = pair;
    pair = swapped(pair);
    pair = Pair {
        left: pair.right,
        right: pair.left,
    };
    let tuple = (y, k, [0.5_f32; 40]);
    let (first, _, floats) = tuple;
    let mut result = sum(x, 0) ^ sum(y, 1) ^ sum(z, 2) ^ sum(block, 3) ^ sum(first, 4);
    for row in nested {
        for v in row {
            result = result * 7 + v;
        }
    }
    for (l, r) in [(before, x), (x, x), (y, before)] {
        result = result * 2 + (l == r) as u32;
        result = result * 2 + (l < r) as u32;
        result = result * 2 + (l >= r) as u32;
    }
    result = result * 2 + (pair == before_swap) as u32;
    result = result * 2 + (pair != swapped(pair)) as u32;
    result = result * 2 + (pair <= swapped(pair)) as u32;
    result += floats[(k % 40) as usize].to_bits();
    // Only the value of a field of what a call gives.
    result ^= swapped(pair).left[k as usize];
    result.wrapping_add(sum_of_all)
}

#[amp_kernel]
fn moving(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = moves(idx[0] as u32);
}

#[test]
fn large_arrays_move_as_in_rust() {
    let expected: Vec<u32> = (0..10).map(moves).collect();
    gives(&expected, |view, out| launch(view, 10, moving(out)));
}

#[amp_struct]
#[derive(Clone, Copy)]
struct Row {
    v: [u8; 67],
}

#[amp_kernel]
fn in_views(
    idx: Index<1>,
    pairs: &mut ArrayViewMut<Pair, 1>,
    rows: &mut ArrayViewMut<Row, 1>,
    out: &mut ArrayViewMut<u32, 1>,
) {
    let mut pair = pairs[idx];
    pair.left[3] += 5;
    pairs[idx] = swapped(pair);
    let part = pairs[idx].right;
    pairs[idx].left = part;
    let mut row = rows[idx];
    row.v[66] = 200;
    rows[idx] = row;
    let mut sum = 0;
    for v in pairs[idx].left {
        sum = sum * 3 + v;
    }
    for v in rows[idx].v {
        sum = sum * 5 + v as u32;
    }
    out[idx] = sum;
}

#[test]
fn elements_of_views_with_large_arrays() {
    let pair = |k: u32| Pair {
        left: std::array::from_fn(|j| k + j as u32),
        right: std::array::from_fn(|j| k * j as u32),
    };
    let row = |k: u32| Row {
        v: std::array::from_fn(|j| (k as usize * j) as u8),
    };
    let of = |k: u32| {
        let mut left = pair(k).left;
        left[3] += 5;
        let sum = left
            .iter()
            .fold(0_u32, |sum, v| sum.wrapping_mul(3).wrapping_add(*v));
        let mut row = row(k);
        row.v[66] = 200;
        row.v
            .iter()
            .fold(sum, |sum, v| sum.wrapping_mul(5).wrapping_add((*v).into()))
    };
    let expected: Vec<u32> = (0..6).map(of).collect();
    gives(&expected, |view, out| {
        let mut pairs: Vec<Pair> = (0..6).map(pair).collect();
        let mut rows: Vec<Row> = (0..6).map(row).collect();
        let mut pairs = ArrayViewMut::new(6, &mut pairs)?;
        let mut rows = ArrayViewMut::new(6, &mut rows)?;
        launch(view, 6, in_views(&mut pairs, &mut rows, out))
    });
}

#[amp_struct]
#[derive(Clone, Copy)]
struct Entry {
    a: u16,
    b: i16,
}

#[amp_struct]
#[derive(Clone, Copy)]
struct Tables {
    flags: [u8; 3],
    bytes: [u8; 101],
    shorts: [[i16; 3]; 33],
    pairs: [Entry; 40],
    rest: i16,
    words: [u64; 50],
}

#[amp_kernel]
fn of_parameters(
    idx: Index<1>,
    bytes: [u8; 70],
    tables: Tables,
    table: [f32; 300],
    out: &mut ArrayViewMut<u32, 1>,
) {
    out[idx] = looked_up(idx[0], bytes, tables, table);
}

#[amp_fn]
fn looked_up(i: usize, bytes: [u8; 70], tables: Tables, table: [f32; 300]) -> u32 {
    let mut sum = table[i * 17].to_bits();
    for v in bytes {
        sum = sum * 3 + v as u32;
    }
    for v in tables.bytes {
        sum = sum * 5 + v as u32;
    }
    for row in tables.shorts {
        sum = sum * 7 + (row[0] ^ row[1] ^ row[2]) as u32;
    }
    for Entry { a, b } in tables.pairs {
        sum = sum * 11 + (a as u32 ^ b as u32);
    }
    for v in tables.words {
        sum = sum * 13 + (v >> 16) as u32;
    }
    sum + tables.flags[i % 3] as u32 + tables.rest as u32
}

#[test]
fn large_parameters_of_narrow_numbers() {
    let bytes: [u8; 70] = std::array::from_fn(|j| (j * 37) as u8);
    let tables = Tables {
        flags: [1, 0, 9],
        rest: -5,
        bytes: std::array::from_fn(|j| (j * 91) as u8),
        shorts: std::array::from_fn(|j| std::array::from_fn(|k| (j * 1000 + k * 7777) as i16)),
        pairs: std::array::from_fn(|j| Entry {
            a: j as u16 * 303,
            b: -(j as i16) * 7,
        }),
        words: std::array::from_fn(|j| j as u64 * 0x0001_2345_6789),
    };
    let table: [f32; 300] = std::array::from_fn(|j| j as f32 / 3.0);
    let expected: Vec<u32> = (0..8).map(|i| looked_up(i, bytes, tables, table)).collect();
    gives(&expected, |view, out| {
        launch(view, 8, of_parameters(bytes, tables, table, out))
    });
}

#[amp_kernel]
fn out_of_bounds(idx: Index<1>, pairs: &ArrayView<Pair, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let pair = pairs[idx[0] + 1];
    out[idx] = sum_of(pair);
}

#[amp_fn]
fn sum_of(pair: Pair) -> u32 {
    let mut sum = 0;
    for v in pair.left {
        sum += v;
    }
    sum
}

/// What lies outside reads as zero, large or not.
#[test]
fn a_large_element_out_of_bounds_is_zero() {
    for accelerator in Accelerator::all() {
        let view = accelerator.default_view().unwrap();
        let one = Pair {
            left: [1; 70],
            right: [2; 70],
        };
        let (pairs, mut sums) = ([one; 2], [9_u32; 2]);
        let pairs = ArrayView::new(2, &pairs).unwrap();
        let mut out = ArrayViewMut::new(2, &mut sums).unwrap();
        view.parallel_for_each(2, out_of_bounds(&pairs, &mut out))
            .unwrap();
        let fault = out.synchronize().unwrap_err();
        assert!(matches!(&fault, amp::Error::KernelFault(_)), "{fault}");
        drop(out);
        assert_eq!(sums, [70, 0], "{accelerator}");
    }
}

#[amp_kernel]
fn outside_of_local_rows(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let row = [5_u32; N];
    let mut rows = [[1_u32; N]; 3];
    rows[idx[0]] = row;
    let mut sum = 0;
    for k in 0..3 {
        sum += rows[k][k];
    }
    out[idx] = sum;
}

/// Nothing is written, neither what was meant for the place nor zeroes.
#[test]
fn a_large_element_out_of_bounds_is_not_written() {
    for accelerator in Accelerator::all() {
        let view = accelerator.default_view().unwrap();
        let mut sums = [9_u32; 8];
        let mut out = ArrayViewMut::new(8, &mut sums).unwrap();
        view.parallel_for_each(8, outside_of_local_rows(&mut out))
            .unwrap();
        let fault = out.synchronize().unwrap_err();
        assert!(matches!(&fault, amp::Error::KernelFault(_)), "{fault}");
        drop(out);
        assert_eq!(sums, [7, 7, 7, 3, 3, 3, 3, 3], "{accelerator}");
    }
}

const LARGE: usize = 2048;

#[amp_fn]
fn last_of(x: [u32; LARGE], k: usize) -> u32 {
    x[LARGE - 1 - k]
}

macro_rules! large {
    ($($name:ident: $zero:expr, $ty:ty;)*) => {$(
        #[amp_kernel]
        fn $name(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
            let mut x = $zero;
            x[idx[0]] = 1 as $ty;
            let mut sum = 0;
            for v in x {
                sum += v as u32;
            }
            out[idx] = sum;
        }
    )*};
}
large! {
    zeroes: [0_u32; 2048], u32;
    ones: [1_u8; 2048], u8;
    floats: [0_f32; LARGE], f32;
}

#[amp_kernel]
fn nested_zeroes(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut x = [[0_u32; 32]; 64];
    x[idx[0]][3] = 1;
    let y = x;
    out[idx] = y[0][3] + (x == y) as u32;
}

#[amp_kernel]
fn by_value_in_tiles(t_idx: TiledIndex<1, 4>, out: &mut ArrayViewMut<u32, 1>) {
    let mut x = [0_u32; LARGE];
    let local = t_idx.local[0];
    x[LARGE - 1 - local] = 3;
    t_idx.barrier.wait();
    out[t_idx] = last_of(x, local);
}

/// Each of these took lavapipe ten seconds to minutes. The limit only tells a driver that is stuck
/// from a machine that does other work.
#[test]
fn the_first_launch_with_a_large_array_is_quick() {
    fn quick<I>(name: &str, launch: impl Fn(&mut ArrayViewMut<u32, 1>) -> amp::Result<I>) {
        let mut numbers = [0; 8];
        let mut out = ArrayViewMut::new(8, &mut numbers).unwrap();
        let start = Instant::now();
        launch(&mut out).unwrap();
        out.synchronize().unwrap();
        let took = start.elapsed();
        assert!(took < Duration::from_secs(120), "{name} took {took:?}");
    }
    for accelerator in Accelerator::all() {
        let view = accelerator.default_view().unwrap();
        quick("zeroes", |out| view.parallel_for_each(8, zeroes(out)));
        quick("ones", |out| view.parallel_for_each(8, ones(out)));
        quick("floats", |out| view.parallel_for_each(8, floats(out)));
        quick("nested", |out| {
            view.parallel_for_each(8, nested_zeroes(out))
        });
        quick("tiles", |out| {
            view.parallel_for_each(out.extent().tile::<4>(), by_value_in_tiles(out))
        });
    }
}
