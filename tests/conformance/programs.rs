//! Programs P1, P6, P7 (c), P13 and P14: matrix products, transposition, stencils, the
//! numbers of Microsoft's articles.

use amp::Error;
use amp::prelude::*;
use testkit::{becomes, gives, input, launch, products, same_by_eq};

#[amp_kernel]
fn simple_product(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    let mut sum = 0.0;
    for k in 0..a.extent()[1] {
        sum += a.row(idx[0])[k] * b[[k, idx[1]]];
    }
    c[idx] = sum;
}

/// The tiled product for sizes that no tile divides, over a padded domain with guards.
#[amp_kernel]
fn guarded_product(
    t_idx: TiledIndex<2, 16, 16>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut loc_a: [[f32; 16]; 16];
    #[tile_static]
    let mut loc_b: [[f32; 16]; 16];
    let (row, col) = (t_idx.local[0], t_idx.local[1]);
    let mut sum = 0.0;
    for i in (0..a.extent()[1]).step_by(16) {
        loc_a[row][col] = guarded_read(a, t_idx.global[0], col + i);
        loc_b[row][col] = guarded_read(b, row + i, t_idx.global[1]);
        t_idx.barrier.wait();
        for k in 0..16 {
            sum += loc_a[row][k] * loc_b[k][col];
        }
        t_idx.barrier.wait();
    }
    guarded_write(c, t_idx.global[0], t_idx.global[1], sum);
}

#[amp_fn]
fn guarded_read(a: &ArrayView<f32, 2>, row: usize, column: usize) -> f32 {
    if a.extent().contains(Index::new([row, column])) {
        a[[row, column]]
    } else {
        0.0
    }
}

#[amp_fn]
fn guarded_write(a: &mut ArrayViewMut<f32, 2>, row: usize, column: usize, value: f32) {
    if a.extent().contains(Index::new([row, column])) {
        a[[row, column]] = value;
    }
}

#[test]
fn program_01_matrix_products() {
    let (m, n, w) = (64, 512, 256);
    let (a, b, product) = products::random([m, n, w]);
    let zeros = vec![0.0; m * n];
    becomes([m, n], &zeros, &product, |view, c| {
        let (a, b) = (ArrayView::new([m, w], &a)?, ArrayView::new([w, n], &b)?);
        c.discard_data();
        launch(view, c.extent(), simple_product(&a, &b, c))
    });
    becomes([m, n], &zeros, &product, |view, c| {
        let (a, b) = (ArrayView::new([m, w], &a)?, ArrayView::new([w, n], &b)?);
        c.discard_data();
        launch(
            view,
            c.extent().tile::<16, 16>(),
            products::tiled::<16>(&a, &b, c),
        )
    });
}

#[test]
fn program_01_the_articles_worked_example() {
    // Moth's 2×4 by 4×6 in tiles of 2: the element that he follows is 160.
    let a: Vec<f32> = (1..=8).map(|i| i as f32).collect();
    let b: Vec<f32> = (1..=24).map(|i| i as f32).collect();
    let expected = products::on_host(&a, &b, [2, 6, 4]);
    assert_eq!(expected[3], 160.0);
    becomes([2, 6], &[0.0; 12], &expected, |view, c| {
        let (a, b) = (ArrayView::new([2, 4], &a)?, ArrayView::new([4, 6], &b)?);
        launch(
            view,
            c.extent().tile::<2, 2>(),
            products::tiled::<2>(&a, &b, c),
        )
    });
}

#[test]
fn program_01_sizes_that_no_tile_divides() {
    let (m, n, w) = (37, 50, 21);
    let (a, b, product) = products::random([m, n, w]);
    becomes([m, n], &vec![0.0; m * n], &product, |view, c| {
        let (a, b) = (ArrayView::new([m, w], &a)?, ArrayView::new([w, n], &b)?);
        let domain = c.extent().tile::<16, 16>();
        let refused = launch(view, domain, guarded_product(&a, &b, c));
        assert!(
            matches!(refused, Err(Error::InvalidComputeDomain(_))),
            "{view}"
        );
        launch(view, domain.pad(), guarded_product(&a, &b, c))
    });
}

#[amp_kernel]
fn transpose(idx: Index<2>, a: &ArrayView<f32, 2>, out: &mut ArrayViewMut<f32, 2>) {
    out[[idx[1], idx[0]]] = a[idx];
}

/// Through tile memory with a column of padding, guarded on both sides.
#[amp_kernel]
fn transpose_tiles(
    t_idx: TiledIndex<2, 16, 16>,
    a: &ArrayView<f32, 2>,
    out: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut block: [[f32; 17]; 16];
    let (row, column) = (t_idx.local[0], t_idx.local[1]);
    block[row][column] = guarded_read(a, t_idx.global[0], t_idx.global[1]);
    t_idx.barrier.wait();
    let origin = t_idx.tile_origin;
    guarded_write(out, origin[1] + row, origin[0] + column, block[column][row]);
}

/// Over the truncated domain: whole tiles without guards, and the threads of the last
/// row and column of tiles take the margins as well.
#[amp_kernel]
fn transpose_truncated(
    t_idx: TiledIndex<2, 16, 16>,
    a: &ArrayView<f32, 2>,
    out: &mut ArrayViewMut<f32, 2>,
) {
    let n = a.extent()[0];
    let whole = n - n % 16;
    let (i, j) = (t_idx.global[0], t_idx.global[1]);
    out[[j, i]] = a[[i, j]];
    let (last_row, last_column) = (i + 16 >= whole, j + 16 >= whole);
    if last_row && i + 16 < n {
        out[[j, i + 16]] = a[[i + 16, j]];
    }
    if last_column && j + 16 < n {
        out[[j + 16, i]] = a[[i, j + 16]];
    }
    if last_row && last_column && i + 16 < n && j + 16 < n {
        out[[j + 16, i + 16]] = a[[i + 16, j + 16]];
    }
}

#[test]
fn program_06_transposition() {
    for n in [64, 65, 72, 79] {
        let a: Vec<f32> = (0..n * n).map(|i| i as f32).collect();
        let expected: Vec<f32> = (0..n * n).map(|at| a[at % n * n + at / n]).collect();
        let zeros = vec![0.0; n * n];
        becomes([n, n], &zeros, &expected, |view, out| {
            launch(view, [n, n], transpose(&ArrayView::new([n, n], &a)?, out))
        });
        becomes([n, n], &zeros, &expected, |view, out| {
            let domain = out.extent().tile::<16, 16>().pad();
            launch(
                view,
                domain,
                transpose_tiles(&ArrayView::new([n, n], &a)?, out),
            )
        });
        becomes([n, n], &zeros, &expected, |view, out| {
            let domain = out.extent().tile::<16, 16>().truncate();
            launch(
                view,
                domain,
                transpose_truncated(&ArrayView::new([n, n], &a)?, out),
            )
        });
    }
}

#[amp_kernel]
fn fill(idx: Index<2>, value: f32, out: &mut ArrayViewMut<f32, 2>) {
    out[idx] = value;
}

#[test]
fn program_06_fill() {
    becomes([20, 30], &[0.0; 600], &[1.5; 600], |view, out| {
        launch(view, [20, 30], fill(1.5, out))
    });
}

#[amp_kernel]
fn stencil(idx: Index<2>, a: &ArrayView<f32, 2>, out: &mut ArrayViewMut<f32, 2>) {
    let (i, j) = (idx[0], idx[1]);
    let (rows, columns) = (a.extent()[0], a.extent()[1]);
    let inside = i > 0 && j > 0 && i + 1 < rows && j + 1 < columns;
    let mut sum = 0.0;
    if inside {
        for di in 0..3 {
            for dj in 0..3 {
                if di == 1 && dj == 1 {
                    continue;
                }
                sum += a[[i + di - 1, j + dj - 1]];
            }
        }
    }
    out[idx] = sum;
}

#[test]
fn program_07_a_stencil_of_ones() {
    let n = 200;
    let expected: Vec<f32> = (0..n * n)
        .map(|at| {
            let (i, j) = (at / n, at % n);
            if i == 0 || j == 0 || i == n - 1 || j == n - 1 {
                0.0
            } else {
                8.0
            }
        })
        .collect();
    let ones = vec![1.0; n * n];
    becomes([n, n], &ones, &expected, |view, out| {
        launch(view, [n, n], stencil(&ArrayView::new([n, n], &ones)?, out))
    });
}

#[amp_kernel]
fn add(
    idx: Index<1>,
    a: &ArrayView<i32, 1>,
    b: &ArrayView<i32, 1>,
    sum: &mut ArrayViewMut<i32, 1>,
) {
    sum[idx] = a[idx] + b[idx];
}

#[amp_kernel]
fn times_ten(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>) {
    a[idx] = a[idx] * 10;
}

#[amp_kernel]
fn logarithms(idx: Index<1>, a: &mut ArrayViewMut<f32, 1>) {
    a[idx] = a[idx].log10();
}

#[test]
fn program_13_small_arrays() {
    gives(&[7, 9, 11, 13, 15], |view, sum| {
        launch(
            view,
            5,
            add(&input(&[1, 2, 3, 4, 5]), &input(&[6, 7, 8, 9, 10]), sum),
        )
    });
    becomes([5], &[0, 1, 2, 3, 4], &[0, 10, 20, 30, 40], |view, a| {
        launch(view, 5, times_ten(a))
    });
    testkit::everywhere(|view| {
        let numbers = [1.0_f32, 10.0, 60.0, 100.0, 600.0, 1000.0];
        let mut found = numbers;
        let mut a = ArrayViewMut::new(6, &mut found).unwrap();
        launch(view, 6, logarithms(&mut a)).unwrap();
        drop(a);
        for (found, number) in found.into_iter().zip(numbers) {
            assert!(
                (found - number.log10()).abs() < 5e-6,
                "{view}: {found} of {number}"
            );
        }
    });
}

#[test]
fn program_13_indexing() {
    let data = [1, 2, 3, 4, 5, 6];
    let view = ArrayView::new([2, 3], &data).unwrap();
    assert_eq!((view[[0, 2]], view[Index::new([1, 2])]), (3, 6));
    let eight = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    assert_eq!(ArrayView::new([2, 3, 2], &eight).unwrap()[[1, 0, 1]], 8);
}

/// Each thread's element becomes the average of its tile.
macro_rules! averages {
    ($name:ident, $ty:ty, $size:literal, $count:literal) => {
        #[amp_kernel]
        fn $name(
            t_idx: TiledIndex<2, $size, $size>,
            a: &ArrayView<$ty, 2>,
            out: &mut ArrayViewMut<$ty, 2>,
        ) {
            #[tile_static]
            let mut numbers: [[$ty; $size]; $size];
            numbers[t_idx.local[0]][t_idx.local[1]] = a[t_idx];
            t_idx.barrier.wait();
            let mut sum = numbers[0][0] - numbers[0][0];
            for row in 0..$size {
                for column in 0..$size {
                    sum += numbers[row][column];
                }
            }
            out[t_idx] = sum / $count;
        }
    };
}

averages!(averages_of_4, i32, 2, 4);
averages!(averages_of_4_f32, f32, 2, 4.0);
averages!(averages_of_16, f32, 4, 16.0);

#[test]
fn program_13_tile_averages() {
    let data = [
        2, 2, 9, 7, 1, 4, 4, 4, 8, 8, 3, 4, 1, 5, 1, 2, 5, 2, 6, 8, 3, 2, 7, 2,
    ];
    let expected = [
        [3, 3, 8, 8, 3, 3],
        [3, 3, 8, 8, 3, 3],
        [5, 5, 2, 2, 4, 4],
        [5, 5, 2, 2, 4, 4],
    ];
    becomes([4, 6], &[0; 24], expected.as_flattened(), |view, out| {
        let a = ArrayView::new([4, 6], &data)?;
        launch(view, out.extent().tile::<2, 2>(), averages_of_4(&a, out))
    });
}

#[test]
fn program_13_sampling() {
    let data: Vec<f32> = (0..64).map(|i| i as f32).collect();
    let average = |size: usize, at: usize| {
        let (top, left) = (at / 8 / size * size, at % 8 / size * size);
        let sum: f32 = (0..size * size)
            .map(|k| data[(top + k / size) * 8 + left + k % size])
            .sum();
        sum / (size * size) as f32
    };
    let twos: Vec<f32> = (0..64).map(|at| average(2, at)).collect();
    let fours: Vec<f32> = (0..64).map(|at| average(4, at)).collect();
    let sampled = |all: &[f32], size: usize| -> Vec<f32> {
        (0..64)
            .filter(|at| at / 8 % size == 0 && at % 8 % size == 0)
            .map(|at| all[at])
            .collect()
    };
    assert_eq!(
        sampled(&twos, 2),
        [
            4.5, 6.5, 8.5, 10.5, 20.5, 22.5, 24.5, 26.5, 36.5, 38.5, 40.5, 42.5, 52.5, 54.5, 56.5,
            58.5,
        ]
    );
    assert_eq!(sampled(&fours, 4), [13.5, 17.5, 45.5, 49.5]);
    becomes([8, 8], &[0.0; 64], &twos, |view, out| {
        let a = ArrayView::new([8, 8], &data)?;
        launch(
            view,
            out.extent().tile::<2, 2>(),
            averages_of_4_f32(&a, out),
        )
    });
    becomes([8, 8], &[0.0; 64], &fours, |view, out| {
        let a = ArrayView::new([8, 8], &data)?;
        launch(view, out.extent().tile::<4, 4>(), averages_of_16(&a, out))
    });
}

#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Description {
    value: i32,
    tile: [u32; 2],
    global: [u32; 2],
    local: [u32; 2],
    tile_origin: [u32; 2],
}

same_by_eq!(Description);

#[amp_fn]
fn pair(i: Index<2>) -> [u32; 2] {
    [i[0] as u32, i[1] as u32]
}

#[amp_kernel]
fn describe(t_idx: TiledIndex<2, 2, 3>, out: &mut ArrayViewMut<Description, 2>) {
    out[t_idx].global = pair(t_idx.global);
    out[t_idx].tile = pair(t_idx.tile);
    out[t_idx].tile_origin = pair(t_idx.tile_origin);
    out[t_idx].local = pair(t_idx.local);
}

#[test]
fn program_13_descriptions_of_tiles() {
    let value = |value: i32| Description {
        value,
        ..Description::default()
    };
    let before: Vec<Description> = (0..72).map(value).collect();
    let after: Vec<Description> = (0..72)
        .map(|at| {
            let (i, j) = (at as u32 / 9, at as u32 % 9);
            Description {
                value: at,
                tile: [i / 2, j / 3],
                global: [i, j],
                local: [i % 2, j % 3],
                tile_origin: [i / 2 * 2, j / 3 * 3],
            }
        })
        .collect();
    becomes([8, 9], &before, &after, |view, out| {
        launch(view, out.extent().tile::<2, 3>(), describe(out))
    });
}

#[amp_kernel]
fn tile_totals(t_idx: TiledIndex<2, 2, 2>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 2>) {
    #[tile_static]
    let mut numbers: [[i32; 2]; 2];
    let local = t_idx.local;
    numbers[local[0]][local[1]] = a[t_idx.global];
    t_idx.barrier.wait();
    if local[0] == 0 && local[1] == 0 {
        let total = numbers[0][0] + numbers[0][1] + numbers[1][0] + numbers[1][1];
        out[t_idx.tile] = total;
    }
}

#[test]
fn program_14_the_tile_sum_without_its_race() {
    let data = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    becomes([1, 3], &[0; 3], &[18, 26, 34], |view, out| {
        let a = ArrayView::new([2, 6], &data)?;
        launch(
            view,
            Extent::new([2, 6]).tile::<2, 2>(),
            tile_totals(&a, out),
        )
    });
}
