//! Algorithms of `amp::algorithms`, on data that is on the device, with temporary memory that is
//! there, too. Their figure is that of the bytes which have to be read or written at least: for a
//! sort, those of the keys once.

use amp::algorithms::{
    Add, Queue, Workspace, histogram_on, inclusive_scan_on, reduce_into, sort_by_key_on, sort_on,
};
use amp::prelude::*;
use amp_benches::median;

use crate::figures::{Figures, Unit};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[
    ("reduce", reduced),
    ("scan", scanned),
    ("sort", sorted),
    ("sort-pairs", sorted_pairs),
    ("histogram", counted),
];

/// Measures an algorithm, before each run of which something else is done.
fn measure(
    bench: &Bench,
    name: &str,
    bytes: usize,
    mut prepare: impl FnMut() -> amp::Result<()>,
    mut algorithm: impl FnMut(&mut Queue<'_>) -> amp::Result<()>,
) -> Outcome {
    let mut workspace = Workspace::default();
    let rounds = bench.rounds();
    let mut times = Vec::new();
    for round in 0..rounds + rounds / 5 + 1 {
        prepare()?;
        let time = bench
            .view
            .elapsed(|| algorithm(&mut workspace.on(&bench.view)))?;
        if round > rounds / 5 {
            times.push(time);
        }
    }
    Ok(vec![Figures::new(name, Unit::Bytes).with(
        "amp",
        bytes,
        median(times),
    )])
}

fn words(bench: &Bench, seed: u64, n: usize) -> amp::Result<Array<u32, 1>> {
    let words: Vec<u32> = random::made(seed, n, |bits| bits);
    Array::builder(n).on(&bench.view).data(&words).build()
}

fn reduced(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 28, 1 << 18);
    let floats = random::floats(1, n);
    let numbers = Array::builder(n).on(&bench.view).data(&floats).build()?;
    let mut sum = Array::builder(1).on(&bench.view).build()?;
    measure(
        bench,
        "reduce",
        4 * n,
        || Ok(()),
        |queue| reduce_into(queue, &numbers, &mut sum, Add),
    )
}

fn scanned(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 28, 1 << 18);
    let floats = random::floats(1, n);
    let numbers = Array::builder(n).on(&bench.view).data(&floats).build()?;
    let mut sums = Array::builder(n).on(&bench.view).build()?;
    measure(
        bench,
        "scan",
        8 * n,
        || Ok(()),
        |queue| inclusive_scan_on(queue, &numbers, &mut sums, Add),
    )
}

fn sorted(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 26, 1 << 16);
    let from = words(bench, 1, n)?;
    let keys = std::cell::RefCell::new(words(bench, 1, n)?);
    measure(
        bench,
        "sort",
        4 * n,
        || from.copy_to(&mut *keys.borrow_mut()),
        |queue| sort_on(queue, &mut *keys.borrow_mut()),
    )
}

fn sorted_pairs(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 26, 1 << 16);
    let from = words(bench, 1, n)?;
    let keys = std::cell::RefCell::new(words(bench, 1, n)?);
    let mut values = words(bench, 2, n)?;
    measure(
        bench,
        "sort-pairs",
        8 * n,
        || from.copy_to(&mut *keys.borrow_mut()),
        |queue| sort_by_key_on(queue, &mut *keys.borrow_mut(), &mut values),
    )
}

fn counted(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 28, 1 << 18);
    let bytes: Vec<u8> = random::made(1, n, |bits| (bits >> 24) as u8);
    let keys = Array::builder(n).on(&bench.view).data(&bytes).build()?;
    let mut counts = Array::builder(256).on(&bench.view).build()?;
    measure(
        bench,
        "histogram",
        n,
        || Ok(()),
        |queue| histogram_on(queue, &keys, &mut counts),
    )
}
