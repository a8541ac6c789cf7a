//! Kernels whose threads keep to the elements at their own index, which the CPU accelerator runs
//! without checks and atomics, and kernels that nearly do.

use amp::prelude::*;
use testkit::{becomes, gives, launch, same_by_eq};

same_by_eq!(Sample);

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Sample {
    weights: [f32; 3],
    count: u32,
}

/// Values whose sums and products are rounded.
fn values(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i % 977) as f32 * 0.37 - 90.0).collect()
}

#[amp_kernel]
fn triad(
    idx: Index<1>,
    a: &ArrayView<f32, 1>,
    b: &ArrayView<f32, 1>,
    c: &mut ArrayViewMut<f32, 1>,
    s: f32,
) {
    c[idx] = a[idx] + s * b[idx];
}

#[test]
fn sums_are_those_of_rust() {
    for n in [1, 7, 64, 4099, 70_001] {
        let (a, b) = (values(n), values(2 * n).split_off(n));
        let expected: Vec<f32> = (0..n).map(|i| a[i] + 0.3 * b[i]).collect();
        gives(&expected, |view, c| {
            let (a, b) = (ArrayView::new(n, &a)?, ArrayView::new(n, &b)?);
            let kernel = triad(&a, &b, c, 0.3);
            assert!(kernel.artifact().pointwise);
            launch(view, n, kernel)
        });
    }
}

#[amp_fn]
fn rounds(start: u32, most: u32) -> u32 {
    let mut n = start;
    let mut count = 0;
    while n > 1 && count < most {
        n = if n % 2 == 0 { n / 2 } else { n * 3 + 1 };
        count += 1;
    }
    count
}

#[amp_kernel]
fn own_loops(idx: Index<2>, a: &ArrayView<u32, 2>, b: &mut ArrayViewMut<u32, 2>, most: u32) {
    let mut last = [0; 4];
    for i in 0..4 {
        last[i] = rounds(a[idx] + i as u32, most);
    }
    if (idx[0] + idx[1]) % 3 != 1 {
        b[[idx[0], idx[1]]] += last[0] + last[1] * 2 + last[2] * 3 + last[3] * 5;
    }
}

#[test]
fn threads_do_as_much_as_they_like() {
    let a: Vec<u32> = (0..30 * 41).map(|i| i * 7 + 1).collect();
    let before: Vec<u32> = (0..30 * 41).collect();
    let expected: Vec<u32> = (0..30 * 41)
        .map(|i| {
            let last = [0, 1, 2, 3].map(|k| rounds(a[i] + k, 50));
            let sum = last[0] + last[1] * 2 + last[2] * 3 + last[3] * 5;
            let is_written = (i / 41 + i % 41) % 3 != 1;
            before[i] + if is_written { sum } else { 0 }
        })
        .collect();
    becomes([30, 41], &before, &expected, |view, b| {
        let a = ArrayView::new([30, 41], &a)?;
        let kernel = own_loops(&a, b, 50);
        assert!(kernel.artifact().pointwise);
        launch(view, [30, 41], kernel)
    });
}

#[amp_kernel]
fn of_parts(idx: Index<1>, a: &ArrayView<f32, 1>, samples: &mut ArrayViewMut<Sample, 1>) {
    samples[idx].weights[1] = a[idx] * 0.5;
    samples[idx].count += 1;
}

#[test]
fn parts_of_elements_are_written() {
    let a = values(300);
    let before: Vec<Sample> = (0..300)
        .map(|i| Sample {
            weights: [i as f32; 3],
            count: i,
        })
        .collect();
    let expected: Vec<Sample> = (0..300_u32)
        .zip(&a)
        .map(|(i, a)| Sample {
            weights: [i as f32, a * 0.5, i as f32],
            count: i + 1,
        })
        .collect();
    becomes([300], &before, &expected, |view, samples| {
        let a = ArrayView::new(300, &a)?;
        let kernel = of_parts(&a, samples);
        assert!(kernel.artifact().pointwise);
        launch(view, 300, kernel)
    });
}

#[test]
fn sections_have_rows_apart() {
    let a = values(20 * 30);
    let mut expected = vec![1.0; 20 * 30];
    for (y, x) in (0..6).flat_map(|y| (0..9).map(move |x| (y, x))) {
        expected[(y + 3) * 30 + x + 5] = a[(y + 1) * 30 + x + 2] * 3.0;
    }
    becomes([20, 30], &[1.0; 600], &expected, |view, b| {
        let a = ArrayView::new([20, 30], &a)?;
        let (from, mut to) = (a.section([1, 2], [6, 9])?, b.section([3, 5], [6, 9])?);
        let kernel = tripled(&from, &mut to);
        assert!(kernel.artifact().pointwise);
        launch(view, [6, 9], kernel)
    });
}

#[amp_kernel]
fn tripled(idx: Index<2>, a: &ArrayView<f32, 2>, b: &mut ArrayViewMut<f32, 2>) {
    b[idx] = a[idx] * 3.0;
}

#[amp_kernel]
fn shifted(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>, by: usize) {
    a[idx] += 1;
    if by < 3 {
        a[idx[0] + by] += 1;
    }
}

#[amp_kernel]
fn counted(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>, by: u32) {
    atomic_fetch_add(&mut a[idx], by);
}

#[amp_kernel]
fn divided(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>, by: u32) {
    a[idx] /= by;
}

#[amp_kernel]
fn asserted(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>, by: u32) {
    assert!(by > 0);
    a[idx] += by;
}

#[test]
fn others_are_told_apart() {
    let before: Vec<u32> = (10..50).collect();
    let plus = |n: u32| -> Vec<u32> { before.iter().map(|it| it + n).collect() };
    becomes([40], &before, &plus(2), |view, a| {
        let kernel = shifted(a, 0);
        assert!(!kernel.artifact().pointwise);
        launch(view, 40, kernel)
    });
    becomes([40], &before, &plus(3), |view, a| {
        let kernel = counted(a, 3);
        assert!(!kernel.artifact().pointwise);
        launch(view, 40, kernel)
    });
    becomes([40], &before, &plus(4), |view, a| {
        let kernel = asserted(a, 4);
        assert!(!kernel.artifact().pointwise);
        launch(view, 40, kernel)
    });
    let halves: Vec<u32> = before.iter().map(|it| it / 2).collect();
    becomes([40], &before, &halves, |view, a| {
        let kernel = divided(a, 2);
        assert!(!kernel.artifact().pointwise);
        launch(view, 40, kernel)
    });
}
