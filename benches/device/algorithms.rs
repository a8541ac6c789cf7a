//! Algorithms of `amp::algorithms`, on data that is on the device, with temporary memory that is
//! there, too. Their figure is that of the bytes which have to be read or written at least: for a
//! sort, those of the keys once. Beside them stands the same in GLSL, and on the CPU accelerator over rayon.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use amp::Element;
use amp::algorithms::{
    Add, Queue, Workspace, histogram_on, predicate, reduce_into, select_on, sort_by_key_on, sort_on,
};
use amp::prelude::*;
use amp_benches::median;
use rayon::prelude::*;

use crate::case::{Value, compare_all};
use crate::figures::{Figures, Unit};
use crate::shaders::{Arguments, Shaders};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[
    ("reduce", reduced),
    ("select", selected),
    ("sort", sorted),
    ("sort-pairs", sorted_pairs),
    ("histogram", counted),
];

/// The arrays of an algorithm.
pub struct Arrays<T: Element, U: Element> {
    pub from: Array<T, 1>,
    pub to: Array<U, 1>,
    /// A count, or values.
    pub with: Array<u32, 1>,
    /// Memory for the steps in GLSL.
    pub scratch: [Array<u32, 1>; 3],
}

impl<T: Element, U: Element> Arrays<T, U> {
    /// Those of some elements; the lengths are of the others, in their order.
    pub fn new(bench: &Bench, from: &[T], lengths: [usize; 5]) -> amp::Result<Self> {
        let [to, with, scratch @ ..] = lengths;
        let words = |length| Array::builder(length).on(&bench.view).build();
        let [a, b, c] = match bench.is_on_cpu() {
            true => [1; 3],
            false => scratch,
        };
        Ok(Self {
            from: Array::builder(from.len())
                .on(&bench.view)
                .data(from)
                .build()?,
            to: Array::builder(to).on(&bench.view).build()?,
            with: words(with)?,
            scratch: [words(a)?, words(b)?, words(c)?],
        })
    }
}

/// An algorithm over some elements, before each run of which something else is done.
pub struct Algorithm<'a, T: Element, U: Value> {
    pub name: &'a str,
    pub n: usize,
    pub bytes: usize,
    pub arrays: Arrays<T, U>,
    pub prepare: fn(&mut Arrays<T, U>) -> amp::Result<()>,
    pub run: fn(&mut Arrays<T, U>, &mut Queue<'_>) -> amp::Result<()>,
    /// The modules of the same in GLSL, and how they are run.
    pub steps: usize,
    pub glsl: fn(&mut Arrays<T, U>, &Shaders) -> amp::Result<()>,
    /// The same over rayon, which returns how long it took.
    pub rayon: &'a mut dyn FnMut() -> Duration,
}

impl<T: Element, U: Value> Algorithm<'_, T, U> {
    pub fn measure(mut self, bench: &Bench) -> Result<Figures, Box<dyn Error>> {
        let shaders = Shaders::of(bench, self.name, self.steps)?;
        let mut workspace = Workspace::default();
        let rounds = bench.rounds();
        let arrays = &mut self.arrays;
        let mut times = [const { Vec::new() }; 3];
        for round in 0..rounds + rounds / 5 + 1 {
            let is_measured = round > rounds / 5;
            (self.prepare)(arrays)?;
            let run = || (self.run)(arrays, &mut workspace.on(&bench.view));
            let time = bench.view.elapsed(run)?;
            times[0].extend(is_measured.then_some(time));
            if let Some(shaders) = &shaders {
                let expected = if round == 0 {
                    arrays.to.to_vec()?
                } else {
                    Vec::new()
                };
                (self.prepare)(arrays)?;
                let time = bench.view.elapsed(|| (self.glsl)(arrays, shaders))?;
                times[1].extend(is_measured.then_some(time));
                if round == 0 {
                    compare_all(&arrays.to.to_vec()?, &expected, false)?;
                }
            } else {
                let time = (self.rayon)();
                times[2].extend(is_measured.then_some(time));
            }
        }
        let name = match bench.is_on_cpu() {
            true => format!("{} of 2^{}", self.name, self.n.ilog2()),
            false => self.name.into(),
        };
        let mut figures = Figures::new(&name, Unit::Bytes);
        for (version, times) in ["amp", "GLSL", "rayon"].into_iter().zip(times) {
            if !times.is_empty() {
                figures = figures.with(version, self.bytes, median(times));
            }
        }
        Ok(figures)
    }
}

/// The numbers of elements that an algorithm is measured with.
pub fn sizes(bench: &Bench, usual: usize, quick: usize) -> Vec<usize> {
    match bench.is_on_cpu() && !bench.quick {
        true => vec![1 << 16, 1 << 24],
        false => vec![bench.size(usual, quick)],
    }
}

/// How long work takes, whose result is used.
pub fn timed<R>(work: impl FnOnce() -> R) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// Elements that a group of threads has in GLSL: of a scan, and of a sort.
pub const BLOCK: usize = 2048;
const SORTED: usize = 8192;

fn reduced(bench: &Bench) -> Outcome {
    let of = |n| {
        let floats = random::floats(1, n);
        let algorithm = Algorithm {
            name: "reduce",
            n,
            bytes: 4 * n,
            arrays: Arrays::<f32, f32>::new(bench, &floats, [1, 1, 256, 1, 1])?,
            prepare: |_| Ok(()),
            run: |arrays, queue| reduce_into(queue, &arrays.from, &mut arrays.to, Add),
            steps: 1,
            glsl: |arrays, shaders| {
                let [parts, ..] = &mut arrays.scratch;
                let first = Arguments {
                    a: arrays.from.view().reinterpret()?,
                    c: parts.view_mut(),
                    n: arrays.from.extent()[0],
                    ..Arguments::default()
                };
                shaders.run(0, 256, first)?;
                let mut sum = arrays.to.view_mut();
                let second = Arguments {
                    a: parts.view(),
                    c: sum.reinterpret()?,
                    n: 256,
                    ..Arguments::default()
                };
                shaders.run(0, 1, second)
            },
            rayon: &mut || timed(|| floats.par_iter().sum::<f32>()),
        };
        algorithm.measure(bench)
    };
    sizes(bench, 1 << 28, 1 << 18).into_iter().map(of).collect()
}

fn selected(bench: &Bench) -> Outcome {
    let of = |n: usize| {
        let floats = random::floats(1, n);
        let algorithm = Algorithm {
            name: "select",
            n,
            bytes: 4 * n,
            arrays: Arrays::<f32, f32>::new(bench, &floats, [n, 1, n.div_ceil(BLOCK), 1, 1])?,
            prepare: |_| Ok(()),
            run: |arrays, queue| {
                let positive = predicate!(|x: f32| x > 0.0);
                let (results, count) = (&mut arrays.to, &mut arrays.with);
                select_on(queue, &arrays.from, results, count, positive)
            },
            steps: 3,
            glsl: |arrays, shaders| {
                let [counts, ..] = &mut arrays.scratch;
                let (n, blocks) = (arrays.from.extent()[0], counts.extent()[0]);
                for (step, groups, n) in [(0, blocks, n), (1, 1, blocks), (2, blocks, n)] {
                    let mut results = arrays.to.view_mut();
                    let arguments = Arguments {
                        a: arrays.from.view().reinterpret()?,
                        c: results.reinterpret()?,
                        d: counts.view_mut(),
                        e: arrays.with.view_mut(),
                        n,
                        ..Arguments::default()
                    };
                    shaders.run(step, groups, arguments)?;
                }
                Ok(())
            },
            rayon: &mut || {
                let positive = floats.par_iter().copied().filter(|x| *x > 0.0);
                timed(|| positive.collect::<Vec<f32>>())
            },
        };
        algorithm.measure(bench)
    };
    sizes(bench, 1 << 28, 1 << 18).into_iter().map(of).collect()
}

/// Sorts the keys of `to` in four passes, which write them elsewhere in turn.
fn sort_in_glsl(arrays: &mut Arrays<u32, u32>, shaders: &Shaders) -> amp::Result<()> {
    let [keys, values, counts] = &mut arrays.scratch;
    let n = arrays.from.extent()[0];
    let blocks = n.div_ceil(SORTED);
    for pass in 0..4 {
        for (step, groups, n) in [(0, blocks, n), (1, 1, 256 * blocks), (2, blocks, n)] {
            let (from, with) = (&mut arrays.to, &mut arrays.with);
            let (from, with, to, to_with) = match pass % 2 {
                0 => (from, with, &mut *keys, &mut *values),
                _ => (&mut *keys, &mut *values, from, with),
            };
            let arguments = Arguments {
                a: from.view(),
                b: with.view(),
                c: to.view_mut(),
                d: to_with.view_mut(),
                e: counts.view_mut(),
                n,
                p: 8 * pass,
            };
            shaders.run(step, groups, arguments)?;
        }
    }
    Ok(())
}

fn sorted(bench: &Bench) -> Outcome {
    let of = |n: usize| {
        let unsorted = random::made(1, n, |bits| bits);
        let counts = 256 * n.div_ceil(SORTED);
        let algorithm = Algorithm {
            name: "sort",
            n,
            bytes: 4 * n,
            arrays: Arrays::new(bench, &unsorted, [n, 1, n, 1, counts])?,
            prepare: |arrays| arrays.from.copy_to(&mut arrays.to),
            run: |arrays, queue| sort_on(queue, &mut arrays.to),
            steps: 3,
            glsl: sort_in_glsl,
            rayon: &mut || {
                let mut keys = unsorted.clone();
                timed(|| keys.par_sort_unstable())
            },
        };
        algorithm.measure(bench)
    };
    sizes(bench, 1 << 26, 1 << 16).into_iter().map(of).collect()
}

fn sorted_pairs(bench: &Bench) -> Outcome {
    let of = |n: usize| {
        let unsorted = random::made(1, n, |bits| bits);
        let pairs: Vec<(u32, u32)> = unsorted.iter().copied().zip(0..).collect();
        let counts = 256 * n.div_ceil(SORTED);
        let algorithm = Algorithm {
            name: "sort-pairs",
            n,
            bytes: 8 * n,
            arrays: Arrays::new(bench, &unsorted, [n, n, n, n, counts])?,
            prepare: |arrays| arrays.from.copy_to(&mut arrays.to),
            run: |arrays, queue| sort_by_key_on(queue, &mut arrays.to, &mut arrays.with),
            steps: 3,
            glsl: sort_in_glsl,
            rayon: &mut || {
                let mut pairs = pairs.clone();
                timed(|| pairs.par_sort_by_key(|pair| pair.0))
            },
        };
        algorithm.measure(bench)
    };
    sizes(bench, 1 << 26, 1 << 16).into_iter().map(of).collect()
}

fn counted(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 28, 1 << 18);
    let bytes: Vec<u8> = random::made(1, n, |bits| (bits >> 24) as u8);
    let algorithm = Algorithm {
        name: "histogram",
        n,
        bytes: n,
        arrays: Arrays::<u8, u32>::new(bench, &bytes, [256, 1, 1, 1, 1])?,
        prepare: |_| Ok(()),
        run: |arrays, queue| histogram_on(queue, &arrays.from, &mut arrays.to),
        steps: 2,
        glsl: |arrays, shaders| {
            let from = arrays.from.view();
            for (step, groups) in [(0, 1), (1, 256)] {
                let arguments = Arguments {
                    a: from.reinterpret()?,
                    c: arrays.to.view_mut(),
                    n: from.extent()[0] / 4,
                    ..Arguments::default()
                };
                shaders.run(step, groups, arguments)?;
            }
            Ok(())
        },
        rayon: &mut || {
            let count = |mut counts: Vec<u32>, key: &u8| {
                counts[usize::from(*key)] += 1;
                counts
            };
            let sum = |a: Vec<u32>, b: Vec<u32>| a.iter().zip(b).map(|(a, b)| a + b).collect();
            let parts = bytes.par_iter().fold(|| vec![0; 256], count);
            timed(|| parts.reduce(|| vec![0; 256], sum))
        },
    };
    Ok(vec![algorithm.measure(bench)?])
}
