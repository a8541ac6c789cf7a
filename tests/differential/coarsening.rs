//! Kernels whose threads are merged: they leave what they leave without that, bit for bit, on
//! every accelerator.

use amp::prelude::*;
use testkit::numbers::random_unit;
use testkit::{assert_same, becomes, everywhere, launch, new_views, products};

use crate::faults::faults_in;

/// A kernel twice: with threads merged, and as it is.
macro_rules! both {
    ($plain:ident, $merged:ident $factors:tt, $parameters:tt $body:block) => {
        #[amp_kernel]
        fn $plain $parameters $body
        #[amp_kernel(coarsen $factors)]
        fn $merged $parameters $body
    };
}

fn numbers(seed: u64, count: usize) -> Vec<f32> {
    random_unit(seed).take(count).collect()
}

/// Requires that two launches leave the same numbers.
fn same(
    length: usize,
    plain: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, f32, 1>) -> amp::Result<()>,
    merged: impl Fn(&AcceleratorView, &mut ArrayViewMut<'_, f32, 1>) -> amp::Result<()>,
) {
    everywhere(|view| {
        let before: Vec<f32> = numbers(7, length);
        let [mut expected, mut found] = [before.clone(), before.clone()];
        let mut out = ArrayViewMut::new(length, &mut expected).unwrap();
        plain(view, &mut out).unwrap();
        out.synchronize().unwrap();
        drop(out);
        let mut out = ArrayViewMut::new(length, &mut found).unwrap();
        merged(view, &mut out).unwrap();
        out.synchronize().unwrap();
        drop(out);
        assert_ne!(expected, before, "{view}");
        assert_same(&found, &expected, &view.to_string());
    });
}

const TS: usize = 16;
const LARGE: usize = 64;
const N: usize = 128;

/// The tiled product of testkit, with its threads merged.
#[amp_kernel(coarsen(4, 2))]
fn product_merged(
    t_idx: TiledIndex<2, TS, TS>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut loc_a: [[f32; TS]; TS];
    #[tile_static]
    let mut loc_b: [[f32; TS]; TS];
    let (row, col) = (t_idx.local[0], t_idx.local[1]);
    let mut sum = 0.0;
    for i in (0..a.extent()[1]).step_by(TS) {
        loc_a[row][col] = a[[t_idx.global[0], col + i]];
        loc_b[row][col] = b[[row + i, t_idx.global[1]]];
        t_idx.barrier.wait();
        for k in 0..TS {
            sum += loc_a[row][k] * loc_b[k][col];
        }
        t_idx.barrier.wait();
    }
    c[t_idx.global] = sum;
}

/// The same in tiles of more threads than a device has in a workgroup.
#[amp_kernel(coarsen(8, 4))]
fn product_large(
    t_idx: TiledIndex<2, LARGE, LARGE>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut loc_a: [[f32; TS]; LARGE];
    #[tile_static]
    let mut loc_b: [[f32; LARGE]; TS];
    let (row, col) = (t_idx.local[0], t_idx.local[1]);
    let mut sum = 0.0;
    for i in (0..a.extent()[1]).step_by(TS) {
        if col < TS {
            loc_a[row][col] = a[[t_idx.global[0], col + i]];
        }
        if row < TS {
            loc_b[row][col] = b[[row + i, t_idx.global[1]]];
        }
        t_idx.barrier.wait();
        for k in 0..TS {
            sum += loc_a[row][k] * loc_b[k][col];
        }
        t_idx.barrier.wait();
    }
    c[t_idx.global] = sum;
}

#[test]
fn products_are_the_same() {
    let (a, b, product) = products::random([N, N, N]);
    let a = ArrayView::new([N, N], &a).unwrap();
    let b = ArrayView::new([N, N], &b).unwrap();
    let before = vec![0.0; N * N];
    becomes([N, N], &before, &product, |view, c| {
        let domain = c.extent().tile::<TS, TS>();
        launch(view, domain, product_merged(&a, &b, c))
    });
    becomes([N, N], &before, &product, |view, c| {
        let domain = c.extent().tile::<LARGE, LARGE>();
        launch(view, domain, product_large(&a, &b, c))
    });
}

both!(ways, ways_merged(3), (
    t_idx: TiledIndex<1, 12>,
    a: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    #[tile_static]
    let mut rows: [[f32; 12]; 3];
    let (i, g) = (t_idx.local[0], t_idx.global[0]);
    let mut own = [0.0_f32; 5];
    for round in 0..3 {
        rows[round][i] = a[(g + round * 7) % a.extent()[0]];
        t_idx.barrier.wait();
        // Next rounds that threads start from different places.
        if i % 3 == round {
            own[round] += 1.0;
            continue;
        }
        for k in 0..i + round {
            if k == 5 {
                own[4] += rows[round][k];
                continue;
            }
            if k > 8 {
                break;
            }
            own[k % 4] += rows[round][(i + k) % 12] / (k + 1) as f32;
        }
        'search: for k in 0..12 {
            for other in 0..3 {
                if rows[round][k] > rows[round][(i + other) % 12] {
                    own[3] += k as f32;
                    break 'search;
                }
            }
        }
        if own[1] > 1.0 { own[2] -= own[1] } else { own[0] *= 1.5 }
    }
    t_idx.barrier.wait();
    if i == 7 {
        return;
    }
    // Returns from a loop.
    for k in 0..12 {
        if rows[1][k] > 0.9 && k % 4 == i % 4 {
            out[g] = own[0] + k as f32;
            return;
        }
    }
    let mut sum = out[g];
    let mut left = i;
    while left > 0 {
        sum += own[left % 5] * rows[1][left];
        left /= 2;
    }
    out[g] = sum;
});

#[test]
fn threads_go_ways_of_their_own() {
    let a: Vec<f32> = numbers(3, 60);
    same(
        60,
        |view, out| {
            launch(
                view,
                Extent::new([60]).tile::<12>(),
                ways(&ArrayView::new(60, &a)?, out),
            )
        },
        |view, out| {
            let a = ArrayView::new(60, &a)?;
            launch(view, Extent::new([60]).tile::<12>(), ways_merged(&a, out))
        },
    );
}

both!(leaving, leaving_merged(2, 4), (
    t_idx: TiledIndex<2, 4, 8>,
    a: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    #[tile_static]
    let mut shared: [[f32; 8]; 4];
    let (y, x) = (t_idx.local[0], t_idx.local[1]);
    let at = t_idx.global[0] * 16 + t_idx.global[1];
    let mut sum = 0.0_f32;
    'rounds: for round in 0..4 {
        shared[y][x] = a[at] + sum;
        t_idx.barrier.wait();
        let other = shared[(y + round) % 4][(x + round) % 8];
        t_idx.barrier.wait();
        // Out of a loop into the next round of one in which threads wait.
        for k in 0..4 {
            if k * 2 + y > x {
                sum += other * k as f32;
                continue 'rounds;
            }
            for inner in 0..3 {
                if inner + k == x {
                    sum -= 0.5;
                    continue 'rounds;
                }
            }
            sum += 1.0;
        }
        sum += other;
    }
    out[at] = sum;
});

#[test]
fn loops_are_left_from_within_others() {
    let a: Vec<f32> = numbers(4, 128);
    let domain = Extent::new([8, 16]);
    same(
        128,
        |view, out| {
            launch(
                view,
                domain.tile::<4, 8>(),
                leaving(&ArrayView::new(128, &a)?, out),
            )
        },
        |view, out| {
            let a = ArrayView::new(128, &a)?;
            launch(view, domain.tile::<4, 8>(), leaving_merged(&a, out))
        },
    );
}

// All leave a block together for the end of a loop in which they wait, or on their own for its end.
both!(block_or_all, block_or_all_merged(3), (
    t_idx: TiledIndex<1, 12>,
    n: u32,
    out: &mut ArrayViewMut<f32, 1>,
) {
    #[tile_static]
    let mut shared: [f32; 12];
    let i = t_idx.local[0];
    let mut sum = 0.0_f32;
    'a: for round in 0..10_u32 {
        shared[i] = sum + out[t_idx.global];
        t_idx.barrier.wait();
        let other = shared[(i + 1) % 12];
        'b: {
            if round == n {
                break 'a;
            }
            for k in 0..10 {
                if k == i {
                    break 'b;
                }
                sum += (k + 1) as f32;
            }
            sum += 0.5;
        }
        t_idx.barrier.wait();
        sum += other;
    }
    out[t_idx.global] = sum;
});

// The same with a loop that returns, or starts its next round.
both!(rounds_or_all, rounds_or_all_merged(3), (
    t_idx: TiledIndex<1, 12>,
    n: u32,
    out: &mut ArrayViewMut<f32, 1>,
) {
    #[tile_static]
    let mut shared: [f32; 12];
    let i = t_idx.local[0];
    let mut sum = 0.0_f32;
    for round in 0..10_u32 {
        shared[i] = sum + out[t_idx.global];
        t_idx.barrier.wait();
        let other = shared[(i + 1) % 12];
        'b: for inner in 0..4_u32 {
            if round + inner == n {
                return;
            }
            for k in 0..10 {
                if k == i {
                    continue 'b;
                }
                sum += (k + 1) as f32;
            }
            sum += 0.5;
        }
        out[t_idx.global] += sum;
        t_idx.barrier.wait();
        sum += other;
    }
    out[t_idx.global] = sum;
});

#[test]
fn blocks_are_left_together_and_apart() {
    let domain = Extent::new([48]);
    macro_rules! require {
        ($plain:ident, $merged:ident) => {
            same(
                48,
                |view, out| launch(view, domain.tile::<12>(), $plain(5, out)),
                |view, out| launch(view, domain.tile::<12>(), $merged(5, out)),
            );
        };
    }
    require!(block_or_all, block_or_all_merged);
    require!(rounds_or_all, rounds_or_all_merged);
}

#[amp_fn]
fn place(t_idx: TiledIndex<3, 2, 2, 6>, weight: f32) -> (Index<3>, f32) {
    (t_idx.local, weight + t_idx.tile_origin[2] as f32)
}

both!(indices, indices_merged(2, 1, 3), (
    t_idx: TiledIndex<3, 2, 2, 6>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    let at = (t_idx.global[0] * 4 + t_idx.global[1]) * 12 + t_idx.global[2];
    let (own, weight) = place(t_idx, out[at]);
    let sum = own + t_idx.tile;
    out[at] = weight + (sum[0] * 100 + sum[1] * 10 + sum[2]) as f32;
});

#[test]
fn indices_are_those_of_the_tile() {
    let domain = Extent::new([2, 4, 12]);
    same(
        96,
        |view, out| launch(view, domain.tile::<2, 2, 6>(), indices(out)),
        |view, out| launch(view, domain.tile::<2, 2, 6>(), indices_merged(out)),
    );
}

both!(counted, counted_merged(8), (
    t_idx: TiledIndex<1, 64>,
    a: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    #[tile_static]
    let mut counts: [u32; 8];
    let i = t_idx.local[0];
    if i < 8 {
        counts[i] = 0;
    }
    t_idx.barrier.wait();
    let bin = (a[t_idx.global] * 8.0) as usize % 8;
    atomic_fetch_add(&mut counts[bin], i as u32);
    t_idx.barrier.wait();
    out[t_idx.global] = counts[i % 8] as f32;
});

#[test]
fn atomic_operations_are_done_by_each_thread() {
    let a: Vec<f32> = numbers(5, 256);
    let domain = Extent::new([256]);
    same(
        256,
        |view, out| {
            launch(
                view,
                domain.tile::<64>(),
                counted(&ArrayView::new(256, &a)?, out),
            )
        },
        |view, out| {
            let a = ArrayView::new(256, &a)?;
            launch(view, domain.tile::<64>(), counted_merged(&a, out))
        },
    );
}

/// The numbers of a tile whose size is a parameter change places.
#[amp_kernel(coarsen(4))]
fn reversed<const N: usize>(t_idx: TiledIndex<1, N>, out: &mut ArrayViewMut<f32, 1>) {
    #[tile_static]
    let mut shared: [f32; N];
    shared[t_idx.local[0]] = out[t_idx.global];
    t_idx.barrier.wait();
    out[t_idx.global] = shared[N - 1 - t_idx.local[0]];
}

#[test]
fn the_size_of_a_tile_may_be_a_parameter() {
    let before = numbers(9, 96);
    let after = |length: usize| -> Vec<f32> {
        let tiles = before.chunks(length);
        tiles.flat_map(|tile| tile.iter().rev().copied()).collect()
    };
    let domain = Extent::new([96]);
    becomes([96], &before, &after(8), |view, out| {
        launch(view, domain.tile::<8>(), reversed::<8>(out))
    });
    becomes([96], &before, &after(48), |view, out| {
        launch(view, domain.tile::<48>(), reversed::<48>(out))
    });
}

#[amp_kernel(coarsen(2, 4))]
fn one_is_outside(t_idx: TiledIndex<2, 4, 8>, out: &mut ArrayViewMut<u32, 1>) {
    let (y, x) = (t_idx.global[0], t_idx.global[1]);
    let at = y * 16 + x;
    out[at] = 1;
    out[if y == 7 && x == 13 { 200 } else { at }] += 1; //~ one_is_outside: out[if y
}

#[test]
fn a_fault_has_the_index_of_its_thread() {
    let mut after = [2_u32; 128];
    after[7 * 16 + 13] = 1;
    let source = (file!(), include_str!("coarsening.rs"));
    let what = (
        "one_is_outside",
        [7, 13].as_slice(),
        "index out of bounds: the extent is 128 but the index is 200",
    );
    faults_in(source, what, &[0; 128], &after, |view, out| {
        launch(
            view,
            Extent::new([8, 16]).tile::<4, 8>(),
            one_is_outside(out),
        )
    });
}

#[amp_kernel(coarsen(4))]
fn speaking(t_idx: TiledIndex<1, 8>, n: u32) {
    println!("{} of {n}", t_idx.global[0]);
    if t_idx.local[0] % 3 == 0 {
        println!("and {}", t_idx.local[0]);
    }
}

#[test]
fn threads_print_in_order() {
    let mut expected = String::new();
    for i in 0..16 {
        expected += &format!("{i} of 5\n");
        if i % 8 % 3 == 0 {
            expected += &format!("and {}\n", i % 8);
        }
    }
    for view in new_views() {
        let heard = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
        let own = std::sync::Arc::clone(&heard);
        view.set_print_hook(move |print| *own.lock().unwrap() += &print.text);
        launch(&view, Extent::new([16]).tile::<8>(), speaking(5)).unwrap();
        view.wait().unwrap();
        assert_eq!(*heard.lock().unwrap(), expected, "{view}");
    }
}

/// `coarsen` before a kernel in an expression.
#[test]
fn expressions_are_merged() {
    let table: Vec<u32> = (0..128).collect();
    becomes([128], &[0; 128], &table, |view, out| {
        let merged = kernel!(coarsen(4), |t_idx: TiledIndex<1, 32>| [
            out: &mut ArrayViewMut<u32, 1>
        ] {
            out[t_idx.global] = t_idx.global[0] as u32;
        });
        assert_eq!(*merged.artifact().merged, [4]);
        launch(view, Extent::new([128]).tile::<32>(), merged)
    });
}

/// What such a loop carries is the same in all threads until they leave it.
#[amp_kernel(coarsen(2))]
fn left_with_something_else(t_idx: TiledIndex<1, 4>, rounds: u32, out: &mut ArrayViewMut<f32, 1>) {
    let mine = out[t_idx.global];
    let (mut found, mut is_found) = (7.0, false);
    for k in 0..rounds {
        if k == 2 {
            (found, is_found) = (mine * 2.0, true);
            break;
        }
    }
    out[t_idx.global] = if is_found { found } else { found + mine };
}

#[test]
fn loops_that_threads_leave_with_values_of_their_own() {
    let before = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];
    for (rounds, expected) in [(3, before.map(|x| x * 2.0)), (2, before.map(|x| 7.0 + x))] {
        becomes([8], &before, &expected, |view, out| {
            let domain = out.extent().tile::<4>();
            launch(view, domain, left_with_something_else(rounds, out))
        });
    }
}
