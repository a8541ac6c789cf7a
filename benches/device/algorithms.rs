//! Algorithms of `amp::algorithms`, on data that is on the device, with temporary memory that is
//! there, too. Their figure is that of the bytes which have to be read or written at least: for a
//! sort, those of the keys once. On the CPU accelerator the same over rayon stands beside.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::{Duration, Instant};

use amp::algorithms::{
    Add, Queue, Workspace, histogram_on, inclusive_scan_on, predicate, reduce_into, select_on,
    sort_by_key_on, sort_on,
};
use amp::prelude::*;
use amp_benches::median;
use rayon::prelude::*;

use crate::figures::{Figures, Unit};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[
    ("reduce", reduced),
    ("scan", scanned),
    ("select", selected),
    ("sort", sorted),
    ("sort-pairs", sorted_pairs),
    ("histogram", counted),
];

/// An algorithm over some elements, before each run of which something else is done.
struct Algorithm<'a> {
    name: &'a str,
    n: usize,
    bytes: usize,
    prepare: &'a mut dyn FnMut() -> amp::Result<()>,
    run: &'a mut dyn FnMut(&mut Queue<'_>) -> amp::Result<()>,
    /// The same over rayon, which returns how long it took.
    rayon: &'a mut dyn FnMut() -> Duration,
}

impl Algorithm<'_> {
    fn measure(self, bench: &Bench) -> amp::Result<Figures> {
        let mut workspace = Workspace::default();
        let rounds = bench.rounds();
        let (mut times, mut host_times) = (Vec::new(), Vec::new());
        for round in 0..rounds + rounds / 5 + 1 {
            (self.prepare)()?;
            let time = bench
                .view
                .elapsed(|| (self.run)(&mut workspace.on(&bench.view)))?;
            let host_time = bench.is_on_cpu().then(|| (self.rayon)());
            if round > rounds / 5 {
                times.push(time);
                host_times.extend(host_time);
            }
        }
        let name = match bench.is_on_cpu() {
            true => format!("{} of 2^{}", self.name, self.n.ilog2()),
            false => self.name.into(),
        };
        let figures = Figures::new(&name, Unit::Bytes).with("amp", self.bytes, median(times));
        Ok(match host_times.is_empty() {
            true => figures,
            false => figures.with("rayon", self.bytes, median(host_times)),
        })
    }
}

/// The numbers of elements that an algorithm is measured with.
fn sizes(bench: &Bench, usual: usize, quick: usize) -> Vec<usize> {
    match bench.is_on_cpu() && !bench.quick {
        true => vec![1 << 16, 1 << 24],
        false => vec![bench.size(usual, quick)],
    }
}

/// How long work takes, whose result is used.
fn timed<R>(work: impl FnOnce() -> R) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// Scans parts of a slice, of which each thread has a few, once their sums are known.
fn scan_over_rayon(input: &[f32], results: &mut [f32]) {
    let length = input.len().div_ceil(4 * rayon::current_num_threads());
    let mut before: Vec<f32> = input
        .par_chunks(length)
        .map(|part| part.iter().sum())
        .collect();
    let mut sum = 0.0;
    for part in &mut before {
        sum += std::mem::replace(part, sum);
    }
    let parts = input.par_chunks(length).zip(results.par_chunks_mut(length));
    parts.zip(before).for_each(|((input, results), mut sum)| {
        for (result, x) in results.iter_mut().zip(input) {
            sum += x;
            *result = sum;
        }
    });
}

fn words(bench: &Bench, seed: u64, n: usize) -> amp::Result<Array<u32, 1>> {
    let words: Vec<u32> = random::made(seed, n, |bits| bits);
    Array::builder(n).on(&bench.view).data(&words).build()
}

fn reduced(bench: &Bench) -> Outcome {
    let of = |n| {
        let floats = random::floats(1, n);
        let numbers = Array::builder(n).on(&bench.view).data(&floats).build()?;
        let mut sum = Array::builder(1).on(&bench.view).build()?;
        let algorithm = Algorithm {
            name: "reduce",
            n,
            bytes: 4 * n,
            prepare: &mut || Ok(()),
            run: &mut |queue| reduce_into(queue, &numbers, &mut sum, Add),
            rayon: &mut || timed(|| floats.par_iter().sum::<f32>()),
        };
        Ok(algorithm.measure(bench)?)
    };
    sizes(bench, 1 << 28, 1 << 18).into_iter().map(of).collect()
}

fn scanned(bench: &Bench) -> Outcome {
    let of = |n| {
        let floats = random::floats(1, n);
        let numbers = Array::builder(n).on(&bench.view).data(&floats).build()?;
        let mut sums = Array::builder(n).on(&bench.view).build()?;
        let mut results = vec![0.0; if bench.is_on_cpu() { n } else { 0 }];
        let algorithm = Algorithm {
            name: "scan",
            n,
            bytes: 8 * n,
            prepare: &mut || Ok(()),
            run: &mut |queue| inclusive_scan_on(queue, &numbers, &mut sums, Add),
            rayon: &mut || timed(|| scan_over_rayon(&floats, &mut results)),
        };
        Ok(algorithm.measure(bench)?)
    };
    sizes(bench, 1 << 28, 1 << 18).into_iter().map(of).collect()
}

fn selected(bench: &Bench) -> Outcome {
    let of = |n| {
        let floats = random::floats(1, n);
        let numbers = Array::builder(n).on(&bench.view).data(&floats).build()?;
        let mut results = Array::builder(n).on(&bench.view).build()?;
        let mut count = Array::builder(1).on(&bench.view).build()?;
        let algorithm = Algorithm {
            name: "select",
            n,
            bytes: 4 * n,
            prepare: &mut || Ok(()),
            run: &mut |queue| {
                let positive = predicate!(|x: f32| x > 0.0);
                select_on(queue, &numbers, &mut results, &mut count, positive)
            },
            rayon: &mut || {
                let positive = floats.par_iter().copied().filter(|x| *x > 0.0);
                timed(|| positive.collect::<Vec<f32>>())
            },
        };
        Ok(algorithm.measure(bench)?)
    };
    sizes(bench, 1 << 28, 1 << 18).into_iter().map(of).collect()
}

fn sorted(bench: &Bench) -> Outcome {
    let of = |n| {
        let from = words(bench, 1, n)?;
        let unsorted = from.to_vec()?;
        let keys = RefCell::new(words(bench, 1, n)?);
        let algorithm = Algorithm {
            name: "sort",
            n,
            bytes: 4 * n,
            prepare: &mut || from.copy_to(&mut *keys.borrow_mut()),
            run: &mut |queue| sort_on(queue, &mut *keys.borrow_mut()),
            rayon: &mut || {
                let mut keys = unsorted.clone();
                timed(|| keys.par_sort_unstable())
            },
        };
        Ok(algorithm.measure(bench)?)
    };
    sizes(bench, 1 << 26, 1 << 16).into_iter().map(of).collect()
}

fn sorted_pairs(bench: &Bench) -> Outcome {
    let of = |n| {
        let from = words(bench, 1, n)?;
        let unsorted: Vec<(u32, u32)> = from.to_vec()?.into_iter().zip(0..).collect();
        let keys = RefCell::new(words(bench, 1, n)?);
        let mut values = words(bench, 2, n)?;
        let algorithm = Algorithm {
            name: "sort-pairs",
            n,
            bytes: 8 * n,
            prepare: &mut || from.copy_to(&mut *keys.borrow_mut()),
            run: &mut |queue| sort_by_key_on(queue, &mut *keys.borrow_mut(), &mut values),
            rayon: &mut || {
                let mut pairs = unsorted.clone();
                timed(|| pairs.par_sort_by_key(|pair| pair.0))
            },
        };
        Ok(algorithm.measure(bench)?)
    };
    sizes(bench, 1 << 26, 1 << 16).into_iter().map(of).collect()
}

fn counted(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 28, 1 << 18);
    let bytes: Vec<u8> = random::made(1, n, |bits| (bits >> 24) as u8);
    let keys = Array::builder(n).on(&bench.view).data(&bytes).build()?;
    let mut counts = Array::builder(256).on(&bench.view).build()?;
    let algorithm = Algorithm {
        name: "histogram",
        n,
        bytes: n,
        prepare: &mut || Ok(()),
        run: &mut |queue| histogram_on(queue, &keys, &mut counts),
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
