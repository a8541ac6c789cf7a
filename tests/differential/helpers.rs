//! Helpers from everywhere: this module, others, other crates, renamed, shadowed, with
//! constants, views and tile memory of their own.

use amp::prelude::*;
use amp_test_helpers::shapes::{self, Point, Rect, collapsed};
use amp_test_helpers::tiles::{THREADS, meet, tile_sum};
use amp_test_helpers::{row_sum, scaled, store, twist as foreign_twist, weighted};
use testkit::{becomes, gives, input, launch, same_by_eq};

same_by_eq!(Foreign);

/// A struct of this crate with a struct of another in it.
#[amp_struct]
#[derive(Debug, Default, PartialEq)]
struct Foreign {
    rect: Rect,
    at: Point,
}

mod first {
    use amp::prelude::*;

    const FACTOR: i32 = 10;

    #[amp_fn]
    pub fn twist(x: i32) -> i32 {
        x * FACTOR + 1
    }

    pub mod deeper {
        use amp::prelude::*;

        #[amp_fn]
        pub fn through(x: i32) -> i32 {
            super::twist(x) + super::super::second::twist(x) + local_of(x)
        }

        #[amp_fn]
        fn local_of(x: i32) -> i32 {
            later(x) - 1
        }

        // Defined after its caller.
        #[amp_fn]
        fn later(x: i32) -> i32 {
            super::super::here(x) * 2
        }
    }
}

mod second {
    use amp::prelude::*;
    use amp_test_helpers::weighted;

    pub const FACTOR: i32 = 7;

    #[amp_fn]
    pub fn twist(x: i32) -> i32 {
        weighted(x) % FACTOR
    }
}

use second::twist as renamed;

#[amp_fn]
fn here(x: i32) -> i32 {
    x ^ 0x55
}

#[amp_kernel]
fn call_all(idx: Index<1>, out: &mut ArrayViewMut<i32, 2>) {
    let i = idx[0];
    let x = i as i32 - 8;
    out[[i, 0]] = here(x);
    out[[i, 1]] = first::twist(x);
    out[[i, 2]] = second::twist(x);
    out[[i, 3]] = renamed(x);
    out[[i, 4]] = first::deeper::through(x);
    out[[i, 5]] = crate::helpers::first::twist(here(x));
    out[[i, 6]] = foreign_twist(x);
    out[[i, 7]] = amp_test_helpers::twist(x) - self::second::twist(x);
    out[[i, 8]] = weighted(x);
    out[[i, 9]] = (scaled(x as f32) * 64.0) as i32;
    out[[i, 10]] = pair(x, x + 1).1 + {
        let (a, b) = pair(1, x);
        a * b
    };
    out[[i, 11]] = sum_of([x, 1, 2]) + spread(x)[2];
}

#[amp_fn]
fn pair(a: i32, b: i32) -> (i32, i32) {
    (b, a * 2)
}

#[amp_fn]
fn sum_of(values: [i32; 3]) -> i32 {
    let mut values = values;
    values[0] *= 2;
    values[0] + values[1] + values[2]
}

#[amp_fn]
fn spread(mut x: i32) -> [i32; 4] {
    x += 1;
    [x, x * 2, x * 3, x * 4]
}

#[test]
fn helpers_are_found_wherever_they_are() {
    fn weighted(x: i32) -> i32 {
        let mut weights = [1; 4];
        for i in 1..4 {
            weights[i] = weights[i - 1] * 3 + x;
        }
        (0..4).map(|i| weights[i] * (i as i32 - 3)).sum()
    }
    let expected: Vec<i32> = (0..16)
        .flat_map(|i| {
            let x = i - 8;
            let (here, first, second) = (x ^ 0x55, x * 10 + 1, weighted(x) % 7);
            [
                here,
                first,
                second,
                second,
                first + second + here * 2 - 1,
                here * 10 + 1,
                x * 1000 + 4,
                x * 1000 + 4 - second,
                weighted(x),
                ((x as f32 * 1.5 + f32::EPSILON) * 64.0) as i32,
                x * 2 + x * 2,
                x * 2 + 3 + (x + 1) * 3,
            ]
        })
        .collect();
    becomes([16, 12], &[0; 192], &expected, |view, out| {
        launch(view, 16, call_all(out))
    });
}

#[amp_kernel]
fn foreign_structs(idx: Index<1>, out: &mut ArrayViewMut<Foreign, 1>, start: Point) {
    let i = idx[0] as f32;
    let end = Point { x: i, y: -i };
    let rect = Rect {
        corners: [start, end],
        material: 4,
    };
    let at = shapes::middle(start, amp_test_helpers::shapes::Point { x: 8.0, y: 1.0 });
    out[idx] = Foreign {
        rect: collapsed(rect),
        at,
    };
    out[idx].rect.corners[1].x *= 4.0;
}

#[test]
fn structs_of_another_crate() {
    let expected: Vec<Foreign> = (0..6)
        .map(|i| {
            let i = i as f32;
            let middle = Point {
                x: (1.0 + i) * 0.5,
                y: (2.0 - i) * 0.5,
            };
            let corners = [
                middle,
                Point {
                    x: middle.x * 4.0,
                    ..middle
                },
            ];
            let rect = Rect {
                corners,
                material: 5,
            };
            Foreign {
                rect,
                at: Point { x: 4.5, y: 1.5 },
            }
        })
        .collect();
    let start = Point { x: 1.0, y: 2.0 };
    gives(&expected, |view, out| {
        launch(view, 6, foreign_structs(out, start))
    });
}

#[amp_kernel]
fn through_views(idx: Index<1>, a: &ArrayView<i32, 2>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    store(out, i, row_sum(a, i));
    store(out, i + 1000, 5);
    bump(out, a, i);
    bump(out, &a, i);
}

#[amp_fn]
fn bump(out: &mut ArrayViewMut<i32, 1>, a: &ArrayView<i32, 2>, i: usize) {
    out[i] += last(out, a.extent()[1]) + row_sum(a, i);
}

#[amp_fn]
fn last(a: &ArrayView<i32, 1>, add: usize) -> i32 {
    (a.extent()[0] + add) as i32
}

#[test]
fn views_are_passed_on() {
    let a: Vec<i32> = (0..20).map(|i| i * i).collect();
    let expected: Vec<i32> = a
        .chunks(5)
        .map(|row| row.iter().sum::<i32>() * 3 + 2 * (4 + 5))
        .collect();
    gives(&expected, |view, out| {
        let a = ArrayView::new([4, 5], &a)?;
        launch(view, 4, through_views(&a, out))
    });
}

#[amp_kernel]
fn tile_sums(t_idx: TiledIndex<1, THREADS>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 2>) {
    let i = t_idx.global[0];
    let once = tile_sum(t_idx, a[t_idx]);
    meet(&t_idx.barrier);
    let twice = tile_sum(t_idx, once + t_idx.local[0] as i32);
    out[[i, 0]] = once;
    out[[i, 1]] = twice;
}

#[test]
fn helpers_bring_tile_memory_with_them() {
    let a: Vec<i32> = (0..48).map(|i| i * 5 % 17).collect();
    let expected: Vec<i32> = (0..48)
        .flat_map(|i| {
            let once: i32 = a[i / 16 * 16..][..16].iter().sum();
            [once, once * 16 + 120]
        })
        .collect();
    becomes([48, 2], &[0; 96], &expected, |view, out| {
        launch(
            view,
            Extent::new([48]).tile::<16>(),
            tile_sums(&input(&a), out),
        )
    });
}

/// A variable of a helper is one variable, however often the helper is called: what the
/// first call leaves there, the second finds.
#[amp_fn]
fn exchange(t_idx: TiledIndex<2, 2, 4>, write: bool, value: u32) -> u32 {
    #[tile_static]
    let mut box_of: [[u32; 4]; 2];
    let (i, j) = (t_idx.local[0], t_idx.local[1]);
    if write {
        box_of[i][j] = value;
    }
    t_idx.barrier.wait();
    let found = box_of[1 - i][3 - j];
    t_idx.barrier.wait();
    found
}

#[amp_kernel]
fn exchanges(t_idx: TiledIndex<2, 2, 4>, out: &mut ArrayViewMut<u32, 2>) {
    #[tile_static]
    let mut box_of: u32;
    if t_idx.local == Index::new([0, 0]) {
        box_of = 1000 * (1 + t_idx.tile[0] as u32);
    }
    let mine = (t_idx.global[0] * 100 + t_idx.global[1]) as u32;
    let first = exchange(t_idx, true, mine);
    let second = exchange(t_idx, false, 7);
    out[t_idx] = first + second + box_of;
}

#[test]
fn one_variable_for_all_calls_of_a_helper() {
    let expected: Vec<u32> = (0..4 * 8)
        .map(|n| {
            let (i, j) = (n / 8, n % 8);
            let (row, column) = (i / 2 * 2 + 1 - i % 2, j / 4 * 4 + 3 - j % 4);
            (2 * (row * 100 + column) + 1000 * (1 + i / 2)) as u32
        })
        .collect();
    becomes([4, 8], &[0; 32], &expected, |view, out| {
        launch(view, Extent::new([4, 8]).tile::<2, 4>(), exchanges(out))
    });
}

#[test]
fn helpers_are_functions_of_the_host_too() {
    assert_eq!(weighted(2), amp_test_helpers::weighted(2));
    assert_eq!(first::deeper::through(3), {
        first::twist(3) + second::twist(3) + here(3) * 2 - 1
    });
    assert_eq!(i32::MAX.wrapping_mul(2), sum_of([i32::MAX, 0, 0]));
    let middle = shapes::middle(Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 5.0 });
    assert_eq!(middle, Point { x: 2.0, y: 3.5 });
}
