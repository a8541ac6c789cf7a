//! The product C (M × N) = A (M × W) · B (W × N) in several ways: on the host, with the simple and
//! the tiled kernel of Daniel Moth's article on C++ AMP, with the latter's threads merged
//! (`coarsened.rs`), and with one that computes blocks in registers (`blocked.rs`).
//!
//! All of them add up the W products of an element in the same order, and a kernel's
//! arithmetic is Rust's, so their results are equal to the last bit. With `fast_math`, a product
//! and a sum may be one operation, which rounds once.

use amp::Kernel;
use amp::prelude::*;

use super::blocked::{blocked, blocked_fast, threads};
use super::coarsened::{self, coarsened, coarsened_fast, coarsened_padded, coarsened_padded_fast};

/// Computes some rows of C on the host and stores them one after the other in `c`.
pub fn serial(
    c: &mut [f32],
    a: &[f32],
    b: &[f32],
    [_, n, w]: [usize; 3],
    rows: &[usize],
    mut row_done: impl FnMut(),
) {
    for (&row, c_row) in rows.iter().zip(c.chunks_mut(n)) {
        for (col, element) in c_row.iter_mut().enumerate() {
            let mut sum = 0.0;
            for i in 0..w {
                sum += a[row * w + i] * b[i * n + col];
            }
            *element = sum;
        }
        row_done();
    }
}

/// One thread computes one element of C, and reads a row of A and a column of B.
#[amp_kernel]
fn simple(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    let (row, col) = (idx[0], idx[1]);
    let mut sum = 0.0;
    for i in 0..a.extent()[1] {
        sum += a[[row, i]] * b[[i, col]];
    }
    c[idx] = sum;
}

/// The threads of a tile load A and B together, one tile at a time, into tile_static memory:
/// each element is read once for TS threads. M, N and W are multiples of TS.
#[amp_kernel]
fn tiled<const TS: usize>(
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

/// Like [`tiled`], for any M, N and W: parts of tiles outside of a matrix are read as zeroes,
/// which do not change the sum, and are not written. Every thread still reaches every
/// barrier.
#[amp_kernel]
fn tiled_padded<const TS: usize>(
    t_idx: TiledIndex<2, TS, TS>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    #[tile_static]
    let mut loc_a: [[f32; TS]; TS];
    #[tile_static]
    let mut loc_b: [[f32; TS]; TS];
    let (m, n, w) = (a.extent()[0], b.extent()[1], a.extent()[1]);
    let (row, col) = (t_idx.local[0], t_idx.local[1]);
    let (c_row, c_col) = (t_idx.global[0], t_idx.global[1]);
    let mut sum = 0.0;
    for i in (0..w).step_by(TS) {
        loc_a[row][col] = if c_row < m && col + i < w {
            a[[c_row, col + i]]
        } else {
            0.0
        };
        loc_b[row][col] = if row + i < w && c_col < n {
            b[[row + i, c_col]]
        } else {
            0.0
        };
        t_idx.barrier.wait();
        for k in 0..TS {
            sum += loc_a[row][k] * loc_b[k][col];
        }
        t_idx.barrier.wait();
    }
    if c_row < m && c_col < n {
        c[t_idx.global] = sum;
    }
}

/// The kernel that computes a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// One element per thread.
    Simple,
    /// In tiles of this many rows and columns, one of [`TILES`].
    Tiled(usize),
    /// In tiles of [`coarsened::TS`], of which a thread runs 8 × 2 threads.
    Coarsened {
        /// Whether the kernel has `fast_math`.
        fast: bool,
    },
    /// In blocks of 128 × 128, of which a thread computes 16 × 8 elements.
    Blocked {
        /// Whether the kernel has `fast_math`.
        fast: bool,
    },
}

/// The available tile sizes.
pub const TILES: [usize; 5] = [2, 4, 8, 16, 32];

/// The three matrices, as views.
pub struct Product<'a> {
    a: ArrayView<'a, f32, 2>,
    b: ArrayView<'a, f32, 2>,
    c: ArrayViewMut<'a, f32, 2>,
}

impl<'a> Product<'a> {
    /// Views of row-major matrices; nothing is copied yet.
    pub fn new(
        c: &'a mut [f32],
        a: &'a [f32],
        b: &'a [f32],
        [m, n, w]: [usize; 3],
    ) -> amp::Result<Self> {
        let a = ArrayView::new([m, w], a)?;
        let b = ArrayView::new([w, n], b)?;
        let mut c = ArrayViewMut::new([m, n], c)?;
        c.discard_data();
        Ok(Self { a, b, c })
    }

    /// Queues the computation of C on `view`. A and B are copied there unless they are there
    /// already.
    pub fn launch(
        &mut self,
        view: &AcceleratorView,
        method: Method,
        checked: bool,
    ) -> amp::Result<()> {
        match method {
            Method::Simple => {
                let domain = self.c.extent();
                let kernel = simple(&self.a, &self.b, &mut self.c);
                view.parallel_for_each(domain, choose(kernel, checked))
            }
            Method::Blocked { fast } => {
                let domain = threads(self.c.extent());
                let kernel = match fast {
                    true => blocked_fast(&self.a, &self.b, &mut self.c),
                    false => blocked(&self.a, &self.b, &mut self.c),
                };
                view.parallel_for_each(domain, choose(kernel, checked))
            }
            Method::Coarsened { fast } => {
                let domain = self
                    .c
                    .extent()
                    .tile::<{ coarsened::TS }, { coarsened::TS }>();
                let (a, b) = (&self.a, &self.b);
                let kernel = match (self.is_multiple_of(coarsened::TS), fast) {
                    (true, true) => coarsened_fast(a, b, &mut self.c),
                    (true, false) => coarsened(a, b, &mut self.c),
                    (false, true) => coarsened_padded_fast(a, b, &mut self.c),
                    (false, false) => coarsened_padded(a, b, &mut self.c),
                };
                view.parallel_for_each(domain.pad(), choose(kernel, checked))
            }
            Method::Tiled(2) => self.launch_tiled::<2>(view, checked),
            Method::Tiled(4) => self.launch_tiled::<4>(view, checked),
            Method::Tiled(8) => self.launch_tiled::<8>(view, checked),
            Method::Tiled(16) => self.launch_tiled::<16>(view, checked),
            Method::Tiled(32) => self.launch_tiled::<32>(view, checked),
            Method::Tiled(other) => Err(amp::Error::UnsupportedFeature(format!(
                "there is no kernel for tiles of {other} × {other}; use one of {TILES:?}"
            ))),
        }
    }

    /// Whether M, N and W are multiples of a number.
    fn is_multiple_of(&self, number: usize) -> bool {
        let sizes = [self.c.extent()[0], self.c.extent()[1], self.a.extent()[1]];
        sizes.iter().all(|size| size.is_multiple_of(number))
    }

    fn launch_tiled<const TS: usize>(
        &mut self,
        view: &AcceleratorView,
        checked: bool,
    ) -> amp::Result<()> {
        let domain = self.c.extent().tile::<TS, TS>();
        if self.is_multiple_of(TS) {
            let kernel = tiled::<TS>(&self.a, &self.b, &mut self.c);
            view.parallel_for_each(domain, choose(kernel, checked))
        } else {
            let kernel = tiled_padded::<TS>(&self.a, &self.b, &mut self.c);
            view.parallel_for_each(domain.pad(), choose(kernel, checked))
        }
    }

    /// Waits for C and copies it back to its slice.
    pub fn finish(&self) -> amp::Result<()> {
        self.c.synchronize()
    }
}

/// The kernel, with or without its checks.
fn choose<I>(kernel: Kernel<'_, I>, checked: bool) -> Kernel<'_, I> {
    if checked {
        kernel
    } else {
        // SAFETY: the extents of the three views fit each other (`Product::new`), and for
        // such extents no kernel of this program leaves its views, over the domains that
        // `launch` gives them.
        unsafe { kernel.unchecked() }
    }
}
