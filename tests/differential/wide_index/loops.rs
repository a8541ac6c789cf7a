//! Loops over numbers of 64 bits, and what is proved of indices in them.

use amp::prelude::*;
use testkit::{gives, launch, twice};

use super::pairs;

twice! {
    #[index = 64]
    ranges(a: u64, b: u64) -> u64 = pairs();
    {
        let (a, b) = (a as usize, b as usize);
        let mut h = 17_u64;
        let mut left = 6;
        for i in a..b {
            if left == 0 { break; }
            left -= 1;
            h = h.wrapping_mul(31).wrapping_add(i as u64);
        }
        left = 6;
        for i in (a..=b).rev() {
            if left == 0 { break; }
            left -= 1;
            h = h.wrapping_mul(31).wrapping_add(i as u64);
        }
        left = 6;
        for i in (a..b).step_by(1 << 61) {
            if left == 0 { break; }
            left -= 1;
            h = h.wrapping_mul(31).wrapping_add(i as u64);
        }
        left = 6;
        for i in (a..b).step_by(b | 1).rev() {
            if left == 0 { break; }
            left -= 1;
            h = h.wrapping_mul(31).wrapping_add(i as u64);
        }
        h
    }
}

// A step may be greater than any number of the range's type.
twice! {
    #[index = 64]
    steps_out_of_the_range(from: u32, by: u64) -> u64 = (
        [0, 0, 5, 5, 0, 0, 0].to_vec(),
        [1 << 32, 0xffff_ffff, 1 << 40, 3 << 30, 1 << 31, (1 << 32) + 1, 1 << 63].to_vec(),
    );
    {
        let step = by as usize;
        let mut h = 1_u64;
        for i in (from..=u32::MAX).step_by(step) {
            h = h.wrapping_mul(31).wrapping_add(i as u64);
        }
        for i in (from..u32::MAX).step_by(step) {
            h = h.wrapping_mul(31).wrapping_add(i as u64);
        }
        for i in (from as i32..i32::MAX).step_by(step) {
            h = h.wrapping_mul(31).wrapping_add(i as u64);
        }
        for i in (from as u8..=255).step_by(step) {
            h = h.wrapping_mul(31).wrapping_add(i as u64);
        }
        for i in (from as u64..20 << 30).step_by(step) {
            h = h.wrapping_mul(31).wrapping_add(i);
        }
        h
    }
}

#[amp_kernel(index = 64)]
fn sums(
    idx: Index<1>,
    a: &ArrayView<u32, 2>,
    from: usize,
    factor: usize,
    narrow: u32,
    out: &mut ArrayViewMut<u32, 1>,
) {
    let mut sum = 0;
    for k in 0..a.extent()[1] {
        sum += a[[idx[0], k]];
    }
    for k in 0..3 {
        sum += a[[0, k * factor + from]] * 10;
    }
    for k in 0..4_u32 {
        sum += a[[1, (k + narrow) as usize]] * 100;
    }
    for k in 0..2_usize {
        sum += a[[1, (k as u32 * 2) as usize]] * 1000;
    }
    out[idx] = sum;
}

#[test]
fn indices_that_grow_in_loops() {
    let a: Vec<u32> = (0..24).collect();
    let sum = |row: u32| (0..12).map(|k| row * 12 + k).sum::<u32>();
    let others = (1 + 5 + 9) * 10 + (14 + 15 + 16 + 17) * 100 + (12 + 14) * 1000;
    gives(&[sum(0) + others, sum(1) + others], |view, out| {
        let a = ArrayView::new([2, 12], &a)?;
        launch(view, 2, sums(&a, 1, 4, 2, out))
    });
}

/// Sums and products that wrap at 2³² or at 2⁶⁴ before they are compared with a length.
#[test]
fn wrapped_lengths_are_not_taken_for_small() {
    let a: Vec<u32> = (0..24).collect();
    for (from, factor, narrow) in [
        (0, 1 << 32, 2),
        (0, 1 << 63, 2),
        (0, (1 << 63) + 1, 2),
        (1 << 32, 1, 2),
        (usize::MAX - 1, 1, 2),
        (0, 1, u32::MAX - 1),
        (0, 1, u32::MAX),
    ] {
        for view in testkit::new_views() {
            let mut data = [0; 2];
            let mut out = ArrayViewMut::new(2, &mut data).unwrap();
            let a = ArrayView::new([2, 12], &a).unwrap();
            launch(&view, 2, sums(&a, from, factor, narrow, &mut out)).unwrap();
            assert!(view.wait().is_err(), "{view}: {from} {factor} {narrow}");
            drop(out);
            let at = |row: usize, k: usize| if k < 12 { (row * 12 + k) as u32 } else { 0 };
            let sum = |row| -> u32 { (0..12).map(|k| at(row, k)).sum() };
            let far = |k: usize| k.wrapping_mul(factor).wrapping_add(from);
            let near = |k: u32| k.wrapping_add(narrow) as usize;
            let others = (0..3).map(|k| at(0, far(k)) * 10).sum::<u32>()
                + (0..4).map(|k| at(1, near(k)) * 100).sum::<u32>()
                + (12 + 14) * 1000;
            assert_eq!(
                data,
                [sum(0) + others, sum(1) + others],
                "{view}: {from} {factor}"
            );
        }
    }
    testkit::assert_silent();
}

#[amp_kernel(index = 64)]
fn proven(t_idx: TiledIndex<1, 8>, mask: usize, out: &mut ArrayViewMut<u32, 1>) {
    let mut table = [0; 8];
    for i in 0..8 {
        table[i] = i as u32 * 3;
    }
    let i = t_idx.global[0];
    out[i] = table[t_idx.local[0]]
        + table[(i + mask) % 8] * 100
        + table[(i * mask) & 7] * 10_000
        + table[(i as u32 & 7) as usize];
}

#[test]
fn indices_that_need_no_check() {
    let mask = (1_u64 << 32) + 5;
    let expected: Vec<u32> = (0..16)
        .map(|i: u64| {
            let at = |k: u64| k as u32 * 3;
            at(i % 8) + at((i + mask) % 8) * 100 + at((i * mask) & 7) * 10_000 + at(i & 7)
        })
        .collect();
    gives(&expected, |view, out| {
        let report = proven(mask as usize, out).report();
        assert_eq!(report.checks_proven_needless, 5, "{report}");
        let domain = out.extent().tile::<8>();
        launch(view, domain, proven(mask as usize, out))
    });
}
