//! Kernels that read a matrix in another order than they write one.

use amp::prelude::*;
use amp_benches::kernels::stencil;
use rayon::prelude::*;

use crate::case::{Case, Version, Work};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[
    ("stencil", five_points),
    ("transpose", tiles),
    ("transpose-plain", points),
];

const TS: usize = 16;
/// The elements of a row of tile memory: one more than there are, so that a column's elements are in
/// different banks.
const PADDED: usize = TS + 1;

#[amp_kernel]
fn transpose(t_idx: TiledIndex<2, TS, TS>, a: &ArrayView<f32, 2>, b: &mut ArrayViewMut<f32, 2>) {
    #[tile_static]
    let mut block: [[f32; PADDED]; TS];
    let (row, col) = (t_idx.local[0], t_idx.local[1]);
    block[row][col] = a[t_idx.global];
    t_idx.barrier.wait();
    b[[t_idx.tile[1] * TS + row, t_idx.tile[0] * TS + col]] = block[col][row];
}

#[amp_kernel]
fn transpose_plain(idx: Index<2>, a: &ArrayView<f32, 2>, b: &mut ArrayViewMut<f32, 2>) {
    b[[idx[1], idx[0]]] = a[idx];
}

#[amp_kernel]
fn copy(idx: Index<2>, a: &ArrayView<f32, 2>, b: &mut ArrayViewMut<f32, 2>) {
    b[idx] = a[idx];
}

fn five_points(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 14, 1 << 9);
    let a = random::floats(1, n * n);
    let from = Array::builder([n, n]).on(&bench.view).data(&a).build()?;
    let point = |i: usize| {
        let (y, x) = (i / n, i % n);
        if y > 0 && y + 1 < n && x > 0 && x + 1 < n {
            0.5 * a[i] + 0.125 * (a[i - n] + a[i + n] + a[i - 1] + a[i + 1])
        } else {
            a[i]
        }
    };
    let case = Case {
        name: "stencil",
        result: [n, n].into(),
        work: Work::Bytes(8 * n * n),
        intensity: 6.0 / 8.0,
        launch: Box::new(|view, version, b| {
            view.parallel_for_each(b.extent(), version.of(stencil(&from, b)))
        }),
        copy: Some(Box::new(|view, _, b| {
            view.parallel_for_each(b.extent(), copy(&from, b))
        })),
        rayon: Some(Box::new(|b| {
            let rows = b.par_chunks_mut(n).enumerate();
            rows.for_each(|(y, row)| (0..n).for_each(|x| row[x] = point(y * n + x)));
        })),
        expected: Box::new(point),
        exact: true,
    };
    case.measure(bench)
}

fn tiles(bench: &Bench) -> Outcome {
    transposed(bench, "transpose", |view, version, a, b| {
        let domain = b.extent().tile::<TS, TS>();
        view.parallel_for_each(domain, version.of(transpose(a, b)))
    })
}

fn points(bench: &Bench) -> Outcome {
    transposed(bench, "transpose-plain", |view, version, a, b| {
        view.parallel_for_each(b.extent(), version.of(transpose_plain(a, b)))
    })
}

fn transposed(
    bench: &Bench,
    name: &'static str,
    launch: fn(&AcceleratorView, &Version, &Array<f32, 2>, &mut Array<f32, 2>) -> amp::Result<()>,
) -> Outcome {
    let n = bench.size(1 << 14, 1 << 9);
    let a = random::floats(1, n * n);
    let from = Array::builder([n, n]).on(&bench.view).data(&a).build()?;
    let case = Case {
        name,
        result: [n, n].into(),
        work: Work::Bytes(8 * n * n),
        intensity: 0.0,
        launch: Box::new(|view, version, b| launch(view, version, &from, b)),
        copy: Some(Box::new(|view, _, b| {
            view.parallel_for_each(b.extent(), copy(&from, b))
        })),
        rayon: Some(Box::new(|b| {
            let rows = b.par_chunks_mut(n).enumerate();
            rows.for_each(|(y, row)| (0..n).for_each(|x| row[x] = a[x * n + y]));
        })),
        expected: Box::new(|i| a[i % n * n + i / n]),
        exact: true,
    };
    case.measure(bench)
}
