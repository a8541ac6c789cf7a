//! Matrix products beside the same kernels in GLSL, compiled by `glslc -O`, on the same
//! arrays, launched by the same run time: Moth's simple and tiled ones, one that computes
//! blocks of 8 × 8 elements in registers, and one that does so with vectors of four and loads
//! the next blocks while it computes.
//!
//! ```text
//! sh benches/glsl/compile.sh FOLDER
//! cargo bench -p amp-benches --bench glsl -- FOLDER [N [ROUNDS]]
//! ```
//!
//! In each round every kernel runs once, in turn; the figure is the median of the
//! rounds' device times. Every result is checked against the first kernel's: bit for
//! bit, but for GLSL without `precise`, which may contract.

use std::{
    env,
    error::Error,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use amp::glam::Vec4;
use amp::prelude::*;
use amp_benches::{Foreign, median};

const TS: usize = 16;

#[amp_kernel]
fn simple(
    idx: Index<2>,
    a: &ArrayView<f32, 2>,
    b: &ArrayView<f32, 2>,
    c: &mut ArrayViewMut<f32, 2>,
) {
    let mut sum = 0.0;
    for k in 0..a.extent()[1] {
        sum += a[[idx[0], k]] * b[[k, idx[1]]];
    }
    c[idx] = sum;
}

#[amp_kernel]
fn tiled(
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
                for k in 0..DEPTH {
                    let mut from_a = [0.0_f32; OWN];
                    let mut from_b = [0.0_f32; OWN];
                    for part in 0..OWN {
                        from_a[part] = loc_a[k][part * TS + row];
                        from_b[part] = loc_b[k][part * TS + col];
                    }
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

/// A matrix, and the same elements in fours.
struct Matrix {
    plain: Array<f32, 2>,
    fours: Array<Vec4, 2>,
}

impl Matrix {
    fn of(view: &AcceleratorView, n: usize, data: &[f32]) -> amp::Result<Self> {
        let fours: Vec<Vec4> = data.chunks(4).map(Vec4::from_slice).collect();
        Ok(Self {
            plain: Array::builder([n, n]).on(view).data(data).build()?,
            fours: Array::builder([n, n / 4]).on(view).data(&fours).build()?,
        })
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Simple,
    Tiled,
    Blocked,
    Buffered,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Simple, Self::Tiled, Self::Blocked, Self::Buffered];

    fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Tiled => "tiled",
            Self::Blocked => "blocked",
            Self::Buffered => "buffered",
        }
    }
}

/// Who compiled the kernel, and how it runs.
enum Compiled {
    Amp { checked: bool, fast: bool },
    Glsl(Foreign),
}

struct Row {
    name: String,
    kind: Kind,
    compiled: Compiled,
    /// The result is bit for bit that of the others.
    exact: bool,
    times: Vec<Duration>,
}

impl Row {
    fn run(
        &self,
        view: &AcceleratorView,
        a: &Matrix,
        b: &Matrix,
        c: &mut Matrix,
    ) -> amp::Result<()> {
        let plain = c.plain.extent();
        let tiles = plain.tile::<TS, TS>();
        let blocks = Extent::from([plain[0] / OWN, plain[1] / OWN]).tile::<TS, TS>();
        let (a, b, c, a4, b4, c4) = (
            &a.plain,
            &b.plain,
            &mut c.plain,
            &a.fours,
            &b.fours,
            &mut c.fours,
        );
        macro_rules! launch {
            ($domain:expr, $kernel:expr, $checked:expr) => {
                match $checked {
                    true => view.parallel_for_each($domain, $kernel),
                    // SAFETY: the matrices are square and the sizes of tiles and blocks divide
                    // their size, so every index is below it.
                    false => view.parallel_for_each($domain, unsafe { $kernel.unchecked() }),
                }
            };
        }
        match (&self.compiled, self.kind) {
            (Compiled::Glsl(kernel), Kind::Simple) => {
                view.parallel_for_each(plain, kernel.bind(a, b, c))
            }
            (Compiled::Glsl(kernel), Kind::Tiled) => {
                view.parallel_for_each(tiles, kernel.bind(a, b, c))
            }
            (Compiled::Glsl(kernel), Kind::Blocked) => {
                view.parallel_for_each(blocks, kernel.bind(a, b, c))
            }
            (Compiled::Amp { checked, .. }, Kind::Simple) => {
                launch!(plain, simple(a, b, c), checked)
            }
            (Compiled::Amp { checked, .. }, Kind::Tiled) => launch!(tiles, tiled(a, b, c), checked),
            (Compiled::Amp { checked, fast }, Kind::Blocked) => match fast {
                false => launch!(blocks, blocked(a, b, c), checked),
                true => launch!(blocks, blocked_fast(a, b, c), checked),
            },
            (Compiled::Amp { checked, fast }, Kind::Buffered) => match fast {
                false => launch!(blocks, buffered(a4, b4, c4), checked),
                true => launch!(blocks, buffered_fast(a4, b4, c4), checked),
            },
            (Compiled::Glsl(kernel), Kind::Buffered) => {
                view.parallel_for_each(blocks, kernel.bind(a4, b4, c4))
            }
        }
    }
}

/// amp's kernels, and every `simple.*.spv`, `tiled.*.spv`, `blocked.*.spv` and `buffered.*.spv` of
/// the folder.
fn rows(folder: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    let mut rows = Vec::new();
    for kind in Kind::ALL {
        let tiled = kind != Kind::Simple;
        let bytes = if kind == Kind::Buffered { 16 } else { 4 };
        let constants: &[u64] = if tiled { &[TS as u64] } else { &[] };
        for (checked, fast) in [(true, false), (false, false), (true, true), (false, true)] {
            if fast && !matches!(kind, Kind::Blocked | Kind::Buffered) {
                continue;
            }
            let name = format!(
                "{}, amp{}, {}",
                kind.name(),
                if fast { " fast_math" } else { "" },
                if checked { "checked" } else { "unchecked" }
            );
            rows.push(Row {
                name,
                kind,
                compiled: Compiled::Amp { checked, fast },
                exact: !fast,
                times: Vec::new(),
            });
        }
        for file in &files {
            let stem = file
                .file_stem()
                .and_then(|stem| stem.to_str())
                .unwrap_or_default();
            let Some(arithmetic) = stem
                .strip_prefix(kind.name())
                .and_then(|rest| rest.strip_prefix('.'))
            else {
                continue;
            };
            rows.push(Row {
                name: format!("{}, GLSL, {arithmetic}", kind.name()),
                kind,
                compiled: Compiled::Glsl(Foreign::load(file, tiled, bytes, constants)?),
                exact: arithmetic != "contracted",
                times: Vec::new(),
            });
        }
    }
    Ok(rows)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).filter(|a| a != "--bench").collect();
    let Some(folder) = arguments.first().map(PathBuf::from) else {
        println!("usage: glsl FOLDER [N [ROUNDS]], with FOLDER from benches/glsl/compile.sh");
        return Ok(());
    };
    let n: usize = arguments.get(1).map_or(Ok(512), |n| n.parse())?;
    let rounds: usize = arguments.get(2).map_or(Ok(15), |n| n.parse())?;
    if !n.is_multiple_of(BLOCK) {
        return Err(format!("N must be a multiple of {BLOCK}, not {n}").into());
    }

    let view = Accelerator::default()?.default_view()?;
    println!("{}, {n}^3, median of {rounds}", view.accelerator());
    let value = |i: usize, m: usize| ((i * 7919) % m) as f32 / 16.0 - 1.0;
    let a: Vec<f32> = (0..n * n).map(|i| value(i, 37)).collect();
    let b: Vec<f32> = (0..n * n).map(|i| value(i, 41)).collect();
    let a = Matrix::of(&view, n, &a)?;
    let b = Matrix::of(&view, n, &b)?;
    let none = vec![0.0; n * n];

    let mut rows = rows(&folder)?;
    let mut expected: Option<Vec<f32>> = None;
    for row in &rows {
        let mut c = Matrix::of(&view, n, &none)?;
        row.run(&view, &a, &b, &mut c)?;
        let found = match row.kind {
            Kind::Buffered => c.fours.to_vec()?.iter().flat_map(Vec4::to_array).collect(),
            _ => c.plain.to_vec()?,
        };
        let expected = expected.get_or_insert_with(|| found.clone());
        let agrees = found.iter().zip(expected.iter()).all(|(x, y)| {
            if row.exact {
                x.to_bits() == y.to_bits()
            } else {
                (x - y).abs() <= 1e-3 * y.abs().max(1.0)
            }
        });
        if !agrees {
            return Err(format!("{} gives another result", row.name).into());
        }
    }
    let mut c = Matrix::of(&view, n, &none)?;
    for _ in 0..rounds {
        for row in &mut rows {
            row.times
                .push(view.elapsed(|| row.run(&view, &a, &b, &mut c))?);
        }
    }
    let work = 2.0 * (n as f64).powi(3);
    for row in rows {
        let time = median(row.times);
        println!(
            "{:34} {:10.3} ms {:9.1} GFLOP/s",
            row.name,
            time.as_secs_f64() * 1e3,
            work / time.as_secs_f64() / 1e9
        );
    }
    Ok(())
}
