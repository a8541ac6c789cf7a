//! Kernels whose threads run several neighbouring indices where a launch allows it: over domains
//! of any size, views that start anywhere, and elements of any width.

use amp::prelude::*;
use amp::{Error, Variant};
use half::f16;
use testkit::{assert_same, assert_silent, becomes, gives, launch, new_views};

/// Threads that leave no device idle.
const THREADS: usize = 1 << 18;
/// Points for so many threads, four to a thread.
const N: usize = 4 * THREADS;

macro_rules! copies {
    ($($name:ident: $ty:ty, $lanes:literal, |$i:ident| $value:expr;)*) => {$(
        mod $name {
            use super::*;

            #[amp_kernel]
            fn reversed(idx: Index<1>, a: &ArrayView<$ty, 1>, b: &mut ArrayViewMut<$ty, 1>) {
                let own = a[idx];
                b[idx] = if idx[0] % 3 == 1 { b[idx] } else { own };
            }

            #[test]
            fn elements_are_copied() {
                let value = |$i: usize| -> $ty { $value };
                let whole = $lanes * THREADS;
                for n in [whole, whole + 1, whole + $lanes - 1, whole + $lanes + 1] {
                    let a: Vec<$ty> = (0..n).map(value).collect();
                    let before = vec![value(5); n];
                    let expected: Vec<$ty> =
                        (0..n).map(|i| if i % 3 == 1 { before[i] } else { a[i] }).collect();
                    becomes([n], &before, &expected, |view, b| {
                        let a = ArrayView::new(n, &a)?;
                        let kernel = reversed(&a, b);
                        assert_eq!(kernel.artifact().wide.lanes, $lanes);
                        launch(view, n, kernel)
                    });
                }
            }
        }
    )*};
}
copies! {
    of_u8: u8, 16, |i| (i * 7) as u8;
    of_i8: i8, 16, |i| (i * 5) as i8;
    of_u16: u16, 8, |i| (i * 31) as u16;
    of_i16: i16, 8, |i| (i * 77) as i16;
    of_f16: f16, 8, |i| f16::from_bits((i % 0x7c00) as u16);
    of_u32: u32, 4, |i| (i as u32).wrapping_mul(0x9e37_79b9);
    of_f32: f32, 4, |i| f32::from_bits(i as u32);
    of_u64: u64, 2, |i| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    of_f64: f64, 2, |i| i as f64 * -0.3;
}

#[amp_kernel]
fn brighter(idx: Index<1>, a: &ArrayView<u8, 1>, b: &mut ArrayViewMut<f32, 1>, by: f32) {
    b[idx] = a[idx] as f32 * by + idx[0] as f32;
}

#[test]
fn widths_are_mixed() {
    let a: Vec<u8> = (0..N + 3).map(|i| (i * 11) as u8).collect();
    let expected: Vec<f32> = (0..a.len())
        .map(|i| f32::from(a[i]) * 0.5 + i as f32)
        .collect();
    gives(&expected, |view, b| {
        let a = ArrayView::new(a.len(), &a)?;
        launch(view, b.extent(), brighter(&a, b, 0.5))
    });
}

#[amp_kernel]
fn doubled(idx: Index<1>, a: &ArrayView<u32, 1>, b: &mut ArrayViewMut<u32, 1>) {
    b[idx] = a[idx] * 2;
}

#[test]
fn sections_start_anywhere() {
    let a: Vec<u32> = (0..N as u32 + 9).collect();
    for (from, to) in [(4, 8), (1, 4), (4, 3), (5, 5)] {
        let mut expected = vec![1; N + 9];
        for i in 0..N {
            expected[to + i] = a[from + i] * 2;
        }
        becomes([N + 9], &vec![1; N + 9], &expected, |view, b| {
            let a = ArrayView::new(a.len(), &a)?;
            let (a, mut b) = (a.section(from, N)?, b.section(to, N)?);
            launch(view, N, doubled(&a, &mut b))
        });
    }
}

#[test]
fn unchecked_kernels_do_the_same() {
    let a: Vec<u32> = (0..N as u32 + 1).collect();
    let expected: Vec<u32> = a.iter().map(|x| x * 2).collect();
    gives(&expected, |view, b| {
        let a = ArrayView::new(a.len(), &a)?;
        // SAFETY: both views have as many elements as the domain has points.
        launch(view, b.extent(), unsafe { doubled(&a, b).unchecked() })
    });
}

#[test]
fn a_domain_that_is_larger_than_a_view_faults_where_it_ends() {
    let data = vec![3_u32; N - 6];
    for view in new_views() {
        let a = ArrayView::new(data.len(), &data).unwrap();
        let mut b = ArrayViewMut::<u32, 1>::uninit(N - 5).unwrap();
        launch(&view, N - 5, doubled(&a, &mut b)).unwrap();
        match b.synchronize() {
            Err(Error::KernelFault(fault)) => assert_eq!(fault.thread, [N - 6], "{view}"),
            other => panic!("{view}: no fault but {other:?}"),
        }
    }
    assert_silent();
}

#[amp_kernel]
fn quotients(idx: Index<2>, a: &ArrayView<u32, 2>, b: &mut ArrayViewMut<u32, 2>, x: u32) {
    b[idx] = x / a[idx];
}

#[test]
fn faults_have_their_own_index() {
    const ROWS: usize = 1 << 10;
    const COLUMNS: usize = (1 << 10) + 4;
    for columns in [COLUMNS, COLUMNS - 1] {
        for [row, column] in [[0, 0], [7, 3], [9, 501], [ROWS - 1, columns - 1]] {
            let mut data = vec![1; ROWS * COLUMNS];
            data[row * COLUMNS + column] = 0;
            for view in new_views() {
                let a = ArrayView::new([ROWS, COLUMNS], &data).unwrap();
                let mut b = ArrayViewMut::<u32, 2>::uninit([ROWS, COLUMNS]).unwrap();
                let kernel = quotients(&a, &mut b, 10);
                assert_eq!(kernel.artifact().wide.lanes, 4);
                launch(&view, [ROWS, columns], kernel).unwrap();
                match b.synchronize() {
                    Err(Error::KernelFault(fault)) => {
                        assert_eq!(fault.thread, [row, column], "{view}");
                    }
                    other => panic!("{view}: no fault but {other:?}"),
                }
            }
        }
    }
    assert_silent();
}

#[amp_kernel]
fn blurred(idx: Index<2>, a: &ArrayView<u8, 2>, b: &mut ArrayViewMut<u8, 2>) {
    let (y, x) = (idx[0], idx[1]);
    let (rows, columns) = (a.extent()[0], a.extent()[1]);
    if y == 0 || x == 0 || y + 1 == rows || x + 1 == columns {
        b[idx] = 255 - a[idx];
        return;
    }
    let around = a[[y - 1, x]] as u32 + a[[y + 1, x]] as u32;
    let beside = a[[y, x - 1]] as u32 + a[[y, x + 1]] as u32;
    b[idx] = ((around + beside + 4 * a[idx] as u32) / 8) as u8;
}

#[test]
fn indices_that_go_other_ways_than_their_neighbours() {
    for [rows, columns] in [[1 << 11, 1 << 11], [1 << 11, (1 << 11) + 16], [3, 2 * N]] {
        let a: Vec<u8> = (0..rows * columns).map(|i| (i * i / 3) as u8).collect();
        let at = |y: usize, x: usize| a[y * columns + x];
        let mut expected = Vec::new();
        for y in 0..rows {
            for x in 0..columns {
                let is_border = y == 0 || x == 0 || y + 1 == rows || x + 1 == columns;
                expected.push(match is_border {
                    true => 255 - at(y, x),
                    false => {
                        let around = [at(y - 1, x), at(y + 1, x), at(y, x - 1), at(y, x + 1)];
                        let sum: u32 = around.map(u32::from).iter().sum();
                        ((sum + 4 * u32::from(at(y, x))) / 8) as u8
                    }
                });
            }
        }
        let before = vec![0; a.len()];
        becomes([rows, columns], &before, &expected, |view, b| {
            let a = ArrayView::new([rows, columns], &a)?;
            let kernel = blurred(&a, b);
            assert!(kernel.artifact().wide.lanes > 1);
            launch(view, [rows, columns], kernel)
        });
    }
}

#[amp_kernel]
fn layers(
    idx: Index<3>,
    a: &ArrayView<f32, 3>,
    b: &mut ArrayViewMut<f32, 3>,
    row: &ArrayView<f32, 1>,
) {
    if idx[2] as f32 > row[idx[0]] {
        b[idx] = a[idx] + row[0];
    }
}

#[test]
fn domains_have_three_dimensions() {
    for extent in [[4, 300, 1024], [3, 500, 777]] {
        let n: usize = extent.iter().product();
        let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let row = [3.0, 5.5, 7.0, 100.0];
        let expected: Vec<f32> = (0..n)
            .map(|i| {
                let (layer, column) = (i / (extent[1] * extent[2]), i % extent[2]);
                if column as f32 > row[layer] {
                    a[i] + row[0]
                } else {
                    -1.0
                }
            })
            .collect();
        becomes(extent, &vec![-1.0; n], &expected, |view, b| {
            let a = ArrayView::new(extent, &a)?;
            let row = ArrayView::new(row.len(), &row)?;
            launch(view, extent, layers(&a, b, &row))
        });
    }
}

#[amp_kernel(index = 64)]
fn far(idx: Index<1>, a: &ArrayView<u32, 1>, b: &mut ArrayViewMut<u32, 1>) {
    b[idx] = a[idx] + idx[0] as u32;
}

#[test]
fn indices_have_64_bits() {
    let a: Vec<u32> = (0..N as u32 + 3).collect();
    let expected: Vec<u32> = a.iter().map(|x| 2 * x).collect();
    gives(&expected, |view, b| {
        let a = ArrayView::new(a.len(), &a)?;
        let kernel = far(&a, b);
        assert_eq!(kernel.artifact().wide.lanes, 4);
        launch(view, N + 3, kernel)
    });
}

#[test]
fn graphs_replay_them() {
    for view in testkit::views() {
        let data: Vec<u32> = (0..N as u32 + 2).collect();
        let array = |data: &[u32]| Array::builder(N + 2).on(&view).data(data).build().unwrap();
        let (a, mut b) = (array(&data), array(&data));
        let graph = view
            .record(|g| g.parallel_for_each(N + 2, doubled(&a, &mut b)))
            .unwrap();
        graph.replay().unwrap();
        graph.replay().unwrap();
        drop(graph);
        let expected: Vec<u32> = data.iter().map(|x| 2 * x).collect();
        assert_same(&b.to_vec().unwrap(), &expected, &view.to_string());
        if view.accelerator() != Accelerator::cpu() {
            let mut lanes = |n: usize| {
                let report = Variant::new(n, doubled(&a, &mut b)).report().unwrap();
                report.indices_of_thread
            };
            assert_eq!([N + 2, N - 8, N + 3].map(&mut lanes), [4, 1, 1], "{view}");
        }
    }
    assert_silent();
}
