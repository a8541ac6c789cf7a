//! Matrix products: Moth's simple and tiled ones, the latter with threads merged, too, one that computes blocks of 8 × 8 elements in
//! registers, and one that does so with vectors of four and loads the next blocks while it computes.

use amp::glam::Vec4;
use amp::prelude::*;
use amp_benches::kernels::{TS, simple, tiled};
use rayon::prelude::*;

use crate::case::{Case, Launch, Version, Work};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[
    ("simple", |bench| Product::of(bench).simple(bench)),
    ("tiled", |bench| {
        let product = Product::of(bench);
        let factors = product.on_device(bench)?;
        product.tiled(&factors).measure(bench)
    }),
    ("coarsened", |bench| {
        Product::of(bench).coarsened(bench, false)
    }),
    ("coarsened-fast", |bench| {
        Product::of(bench).coarsened(bench, true)
    }),
    ("blocked", |bench| Product::of(bench).blocked(bench, false)),
    ("blocked-fast", |bench| {
        Product::of(bench).blocked(bench, true)
    }),
    ("buffered", |bench| {
        Product::of(bench).buffered(bench, false)
    }),
    ("buffered-fast", |bench| {
        Product::of(bench).buffered(bench, true)
    }),
];

/// Launches the tiled kernel.
pub fn tiled_product(
    view: &AcceleratorView,
    a: &Array<f32, 2>,
    b: &Array<f32, 2>,
    c: &mut Array<f32, 2>,
) -> amp::Result<()> {
    view.parallel_for_each(c.extent().tile::<TS, TS>(), tiled(a, b, c))
}

/// Rows and columns of a tile whose threads are merged.
const LARGE: usize = 64;

macro_rules! coarsened {
    ($name:ident, #[$attribute:meta]) => {
        #[$attribute]
        fn $name(
            t_idx: TiledIndex<2, LARGE, LARGE>,
            a: &ArrayView<f32, 2>,
            b: &ArrayView<f32, 2>,
            c: &mut ArrayViewMut<f32, 2>,
        ) {
            #[tile_static]
            let mut loc_a: [[f32; LARGE]; LARGE];
            #[tile_static]
            let mut loc_b: [[f32; LARGE]; LARGE];
            let (row, col) = (t_idx.local[0], t_idx.local[1]);
            let mut sum = 0.0;
            for i in (0..a.extent()[1]).step_by(LARGE) {
                loc_a[row][col] = a[[t_idx.global[0], col + i]];
                loc_b[row][col] = b[[row + i, t_idx.global[1]]];
                t_idx.barrier.wait();
                #[unroll]
                for k in 0..LARGE {
                    sum += loc_a[row][k] * loc_b[k][col];
                }
                t_idx.barrier.wait();
            }
            c[t_idx.global] = sum;
        }
    };
}
coarsened!(coarsened, #[amp_kernel(coarsen(8, 2))]);
coarsened!(coarsened_fast, #[amp_kernel(coarsen(8, 2), fast_math)]);

/// Rows and columns of the product that a tile computes, what it has of both factors at a
/// time, and the elements of a thread in each dimension.
const BLOCK: usize = 128;
const DEPTH: usize = 16;
const OWN: usize = BLOCK / TS;

macro_rules! blocked {
    ($name:ident, #[$attribute:meta]) => {
        #[$attribute]
        fn $name(
            t_idx: TiledIndex<2, TS, TS>,
            a: &ArrayView<f32, 2>,
            b: &ArrayView<f32, 2>,
            c: &mut ArrayViewMut<f32, 2>,
        ) {
            #[tile_static]
            let mut loc_a: [[f32; BLOCK]; DEPTH];
            #[tile_static]
            let mut loc_b: [[f32; BLOCK]; DEPTH];
            let (row, col) = (t_idx.local[0], t_idx.local[1]);
            let (first_row, first_col) = (t_idx.tile[0] * BLOCK, t_idx.tile[1] * BLOCK);
            let mut sums = [[0.0_f32; OWN]; OWN];
            for i in (0..a.extent()[1]).step_by(DEPTH) {
                for part in 0..OWN {
                    let at = part * TS + row;
                    loc_a[col][at] = a[[first_row + at, i + col]];
                    loc_b[row][part * TS + col] = b[[i + row, first_col + part * TS + col]];
                }
                t_idx.barrier.wait();
                #[unroll]
                for k in 0..DEPTH {
                    let mut from_a = [0.0_f32; OWN];
                    let mut from_b = [0.0_f32; OWN];
                    for part in 0..OWN {
                        from_a[part] = loc_a[k][part * TS + row];
                        from_b[part] = loc_b[k][part * TS + col];
                    }
                    #[unroll]
                    for y in 0..OWN {
                        for x in 0..OWN {
                            sums[y][x] += from_a[y] * from_b[x];
                        }
                    }
                }
                t_idx.barrier.wait();
            }
            for y in 0..OWN {
                for x in 0..OWN {
                    c[[first_row + y * TS + row, first_col + x * TS + col]] = sums[y][x];
                }
            }
        }
    };
}
blocked!(blocked, #[amp_kernel]);
blocked!(blocked_fast, #[amp_kernel(fast_math)]);

/// Launches a version of the kernel in blocks of a matrix whose sizes are multiples of them.
pub fn blocked_product(
    view: &AcceleratorView,
    version: &Version,
    [a, b]: [&Array<f32, 2>; 2],
    c: &mut Array<f32, 2>,
    fast: bool,
) -> amp::Result<()> {
    let threads: amp::TiledExtent<2, TS, TS> = (c.extent() / OWN).tile();
    let kernel = match fast {
        true => blocked_fast(a, b, c),
        false => blocked(a, b, c),
    };
    view.parallel_for_each(threads, version.of(kernel))
}

macro_rules! buffered {
    ($name:ident, #[$attribute:meta]) => {
        #[$attribute]
        fn $name(
            t_idx: TiledIndex<2, TS, TS>,
            a: &ArrayView<Vec4, 2>,
            b: &ArrayView<Vec4, 2>,
            c: &mut ArrayViewMut<Vec4, 2>,
        ) {
            #[tile_static]
            let mut loc_a: [[[Vec4; 32]; DEPTH]; 2];
            #[tile_static]
            let mut loc_b: [[[Vec4; 32]; DEPTH]; 2];
            let (row, col) = (t_idx.local[0], t_idx.local[1]);
            let (first_row, first_col) = (t_idx.tile[0] * 128, t_idx.tile[1] * 32);
            let thread = row * TS + col;
            let (a_row, a_col) = (thread / 4, thread % 4);
            let (b_row, b_col) = (thread / 32, thread % 32);
            let mut sums = [[Vec4::ZERO; 2]; OWN];
            let mut next_a = [Vec4::ZERO; 2];
            let mut next_b = [Vec4::ZERO; 2];
            for part in 0..2 {
                next_a[part] = a[[first_row + part * 64 + a_row, a_col]];
                next_b[part] = b[[part * 8 + b_row, first_col + b_col]];
            }
            let mut now = 0;
            for part in 0..2 {
                let at = part * 64 + a_row;
                for k in 0..4 {
                    loc_a[now][a_col * 4 + k][at / 4][at % 4] = next_a[part][k];
                }
                loc_b[now][part * 8 + b_row][b_col] = next_b[part];
            }
            t_idx.barrier.wait();
            for i in (0..a.extent()[1]).step_by(4) {
                let more = i + 4 < a.extent()[1];
                if more {
                    for part in 0..2 {
                        next_a[part] = a[[first_row + part * 64 + a_row, i + 4 + a_col]];
                        next_b[part] = b[[(i + 4) * 4 + part * 8 + b_row, first_col + b_col]];
                    }
                }
                for k in 0..DEPTH {
                    let mut from_a = [Vec4::ZERO; 2];
                    let mut from_b = [Vec4::ZERO; 2];
                    for part in 0..2 {
                        from_a[part] = loc_a[now][k][part * TS + row];
                        from_b[part] = loc_b[now][k][part * TS + col];
                    }
                    for y in 0..OWN {
                        for x in 0..2 {
                            sums[y][x] += from_a[y / 4][y % 4] * from_b[x];
                        }
                    }
                }
                if more {
                    now = 1 - now;
                    for part in 0..2 {
                        let at = part * 64 + a_row;
                        for k in 0..4 {
                            loc_a[now][a_col * 4 + k][at / 4][at % 4] = next_a[part][k];
                        }
                        loc_b[now][part * 8 + b_row][b_col] = next_b[part];
                    }
                    t_idx.barrier.wait();
                }
            }
            for y in 0..OWN {
                for x in 0..2 {
                    let at = first_row + y / 4 * 64 + row * 4 + y % 4;
                    c[[at, first_col + x * TS + col]] = sums[y][x];
                }
            }
        }
    };
}
buffered!(buffered, #[amp_kernel]);
buffered!(buffered_fast, #[amp_kernel(fast_math)]);

/// Two square matrices.
pub struct Product {
    n: usize,
    a: Vec<f32>,
    b: Vec<f32>,
}

impl Product {
    pub fn new(n: usize) -> Self {
        let (a, b) = (random::floats(1, n * n), random::floats(2, n * n));
        Self { n, a, b }
    }

    fn of(bench: &Bench) -> Self {
        Self::new(bench.size(4096, 256))
    }

    /// An element of the product.
    fn element(&self, i: usize) -> f32 {
        let (row, column) = (i / self.n, i % self.n);
        let terms = (0..self.n).map(|k| self.a[row * self.n + k] * self.b[k * self.n + column]);
        terms.fold(0.0, |sum, term| sum + term)
    }

    /// The product on the host, a row in each task.
    fn over_rayon(&self, c: &mut [f32]) {
        let rows = c.par_chunks_mut(self.n).zip(self.a.par_chunks(self.n));
        rows.for_each(|(row, a)| {
            row.fill(0.0);
            for (a, b) in a.iter().zip(self.b.chunks(self.n)) {
                for (sum, b) in row.iter_mut().zip(b) {
                    *sum += a * b;
                }
            }
        });
    }

    /// Both matrices.
    pub fn on_device(&self, bench: &Bench) -> amp::Result<[Array<f32, 2>; 2]> {
        let array = |data: &[f32]| {
            let builder = Array::builder([self.n, self.n]).on(&bench.view);
            builder.data(data).build()
        };
        Ok([array(&self.a)?, array(&self.b)?])
    }

    /// Both, with their elements in fours.
    fn fours(&self, bench: &Bench) -> amp::Result<[Array<Vec4, 2>; 2]> {
        let array = |data: &[f32]| {
            let fours: Vec<Vec4> = data.chunks(4).map(Vec4::from_slice).collect();
            let builder = Array::builder([self.n, self.n / 4]).on(&bench.view);
            builder.data(&fours).build()
        };
        Ok([array(&self.a)?, array(&self.b)?])
    }

    /// A kernel that computes the product, and adds up its terms in order if it is exact.
    pub fn case<'a>(
        &'a self,
        name: &'static str,
        exact: bool,
        launch: Launch<'a, f32, 2>,
    ) -> Case<'a, f32, 2> {
        Case {
            name,
            result: [self.n, self.n].into(),
            work: self.work(),
            intensity: self.intensity(),
            launch,
            copy: None,
            rayon: Some(Box::new(|c| self.over_rayon(c))),
            expected: Box::new(|i| self.element(i)),
            exact,
        }
    }

    fn work(&self) -> Work {
        Work::Flops(2 * self.n.pow(3))
    }

    /// Each matrix has to be read or written at least once.
    fn intensity(&self) -> f64 {
        self.n as f64 / 6.0
    }

    fn simple(&self, bench: &Bench) -> Outcome {
        let [a, b] = self.on_device(bench)?;
        let launch: Launch<'_, f32, 2> = Box::new(|view, version, c| {
            view.parallel_for_each(c.extent(), version.of(simple(&a, &b, c)))
        });
        self.case("simple", true, launch).measure(bench)
    }

    /// The article's tiled kernel.
    pub fn tiled<'a>(&'a self, [a, b]: &'a [Array<f32, 2>; 2]) -> Case<'a, f32, 2> {
        let launch: Launch<'_, f32, 2> = Box::new(|view, version, c| {
            let domain = c.extent().tile::<TS, TS>();
            view.parallel_for_each(domain, version.of(tiled(a, b, c)))
        });
        self.case("tiled", true, launch)
    }

    fn coarsened(&self, bench: &Bench, fast: bool) -> Outcome {
        let [a, b] = self.on_device(bench)?;
        let launch: Launch<'_, f32, 2> = Box::new(|view, version, c| {
            let domain = c.extent().tile::<LARGE, LARGE>();
            let kernel = match fast {
                true => coarsened_fast(&a, &b, c),
                false => coarsened(&a, &b, c),
            };
            view.parallel_for_each(domain, version.of(kernel))
        });
        let name = if fast { "coarsened-fast" } else { "coarsened" };
        self.case(name, !fast, launch).measure(bench)
    }

    /// The threads of a product in blocks.
    fn blocks(&self) -> amp::TiledExtent<2, TS, TS> {
        Extent::from([self.n / OWN; 2]).tile()
    }

    fn blocked(&self, bench: &Bench, fast: bool) -> Outcome {
        let [a, b] = self.on_device(bench)?;
        let launch: Launch<'_, f32, 2> =
            Box::new(|view, version, c| blocked_product(view, version, [&a, &b], c, fast));
        let name = if fast { "blocked-fast" } else { "blocked" };
        self.case(name, !fast, launch).measure(bench)
    }

    fn buffered(&self, bench: &Bench, fast: bool) -> Outcome {
        let name = if fast { "buffered-fast" } else { "buffered" };
        self.in_fours(bench, name, !fast, |view, version, [a, b], c| {
            let kernel = match fast {
                true => buffered_fast(a, b, c),
                false => buffered(a, b, c),
            };
            view.parallel_for_each(self.blocks(), version.of(kernel))
        })
    }

    /// A kernel that computes the product in fours.
    pub fn in_fours(
        &self,
        bench: &Bench,
        name: &'static str,
        exact: bool,
        launch: impl Fn(
            &AcceleratorView,
            &Version,
            &[Array<Vec4, 2>; 2],
            &mut Array<Vec4, 2>,
        ) -> amp::Result<()>,
    ) -> Outcome {
        let factors = self.fours(bench)?;
        let case = Case {
            name,
            result: factors[0].extent(),
            work: self.work(),
            intensity: self.intensity(),
            launch: Box::new(|view, version, c| launch(view, version, &factors, c)),
            copy: None,
            rayon: None,
            expected: Box::new(|i| Vec4::from_array([0, 1, 2, 3].map(|k| self.element(4 * i + k)))),
            exact,
        };
        case.measure(bench)
    }
}
