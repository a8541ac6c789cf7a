//! The cases' data, sizes and results, with the names that they have in the device benchmark.

use crate::random;

/// Elements of a result that are compared.
const SAMPLES: usize = 1000;
/// What triads multiply by.
pub const S: f32 = 0.75;

/// How large cases are.
#[derive(Clone, Copy)]
pub enum Scale {
    Full,
    /// A sixteenth, for a device that is a program.
    Software,
    Quick,
}

impl Scale {
    fn size(self, full: usize, quick: usize) -> usize {
        match self {
            Self::Full => full,
            Self::Software => quick.max(full / 16),
            Self::Quick => quick,
        }
    }
}

/// An element of a result, by the inputs and its place.
type Expected = Box<dyn Fn(&[Vec<f32>], usize) -> f32 + Sync>;

/// A kernel's work.
pub struct Case {
    pub name: &'static str,
    pub unit: &'static str,
    /// Bytes or operations of a launch.
    pub amount: usize,
    pub inputs: Vec<Vec<f32>>,
    /// Elements of the result.
    pub length: usize,
    /// Rows and columns of a matrix, or the elements of an array and 1.
    pub extent: [usize; 2],
    /// Threads of a workgroup, x first.
    pub group: [u32; 2],
    pub groups: [u32; 2],
    expected: Expected,
}

impl Case {
    /// Requires that some elements of a result are what Rust computes, but for rounding.
    pub fn check(&self, found: &[f32]) -> Result<(), String> {
        for place in random::indices(0, SAMPLES.min(self.length), self.length) {
            let (place, found) = (place as usize, found[place as usize]);
            let expected = (self.expected)(&self.inputs, place);
            if (found - expected).abs() > 1e-3 * expected.abs().max(1.0) {
                return Err(format!("element {place} is {found}, not {expected}"));
            }
        }
        Ok(())
    }
}

/// A case by its name.
type Entry = (&'static str, fn(Scale) -> Case);

pub const ALL: [Entry; 6] = [
    ("triad", triad),
    ("stencil", stencil),
    ("transpose", transpose),
    ("sum", sum),
    ("simple", |scale| product("simple", scale)),
    ("tiled", |scale| product("tiled", scale)),
];

/// Groups of 256 threads for a line, in rows because the x of a grid is limited.
fn line(threads: usize) -> ([u32; 2], [u32; 2]) {
    let groups = threads.div_ceil(256);
    let x = groups.min(1 << 15);
    ([256, 1], [x as u32, groups.div_ceil(x) as u32])
}

/// Groups of 16 × 16 threads.
fn grid(n: usize) -> ([u32; 2], [u32; 2]) {
    ([16, 16], [n.div_ceil(16) as u32; 2])
}

fn triad(scale: Scale) -> Case {
    let n = scale.size(1 << 28, 1 << 18);
    let (group, groups) = line(n);
    Case {
        name: "triad",
        unit: "GB/s",
        amount: 12 * n,
        inputs: vec![random::floats(1, n), random::floats(2, n)],
        length: n,
        extent: [n, 1],
        group,
        groups,
        expected: Box::new(|inputs, i| inputs[0][i] + S * inputs[1][i]),
    }
}

fn matrix(name: &'static str, scale: Scale, expected: fn(&[f32], usize, usize) -> f32) -> Case {
    let n = scale.size(1 << 14, 1 << 9);
    let (group, groups) = grid(n);
    Case {
        name,
        unit: "GB/s",
        amount: 8 * n * n,
        inputs: vec![random::floats(1, n * n)],
        length: n * n,
        extent: [n, n],
        group,
        groups,
        expected: Box::new(move |inputs, i| expected(&inputs[0], n, i)),
    }
}

fn stencil(scale: Scale) -> Case {
    matrix("stencil", scale, |a, n, i| {
        let (y, x) = (i / n, i % n);
        if y > 0 && y + 1 < n && x > 0 && x + 1 < n {
            0.5 * a[i] + 0.125 * (a[i - n] + a[i + n] + a[i - 1] + a[i + 1])
        } else {
            a[i]
        }
    })
}

fn transpose(scale: Scale) -> Case {
    matrix("transpose", scale, |a, n, i| a[i % n * n + i / n])
}

fn sum(scale: Scale) -> Case {
    let n = scale.size(1 << 28, 1 << 18);
    let threads = scale.size(1 << 18, 1 << 12);
    let (group, groups) = line(threads);
    Case {
        name: "sum",
        unit: "GB/s",
        amount: 4 * n,
        inputs: vec![random::floats(1, n)],
        length: threads,
        extent: [n, 1],
        group,
        groups,
        expected: Box::new(move |inputs, i| inputs[0][i..].iter().step_by(threads).sum()),
    }
}

fn product(name: &'static str, scale: Scale) -> Case {
    let n = scale.size(4096, 256);
    let (group, groups) = grid(n);
    Case {
        name,
        unit: "GFLOP/s",
        amount: 2 * n * n * n,
        inputs: vec![random::floats(1, n * n), random::floats(2, n * n)],
        length: n * n,
        extent: [n, n],
        group,
        groups,
        expected: Box::new(move |inputs, i| {
            let (row, column) = (i / n, i % n);
            (0..n)
                .map(|k| inputs[0][row * n + k] * inputs[1][k * n + column])
                .sum()
        }),
    }
}
