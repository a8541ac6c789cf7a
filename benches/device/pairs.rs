//! Two devices of the same kind: data from one to the other, and a product that each computes half of.
//! Machines with one have no such figures.

use std::time::{Duration, Instant};

use amp::prelude::*;
use amp::{Accelerator, copy};
use amp_benches::median;

use crate::figures::{Figures, Unit};
use crate::products::tiled_product;
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[("pair-copy", between), ("pair-product", halves)];

/// A view of a device like the one that all cases run on.
fn other(bench: &Bench) -> amp::Result<Option<AcceleratorView>> {
    let first = bench.view.accelerator();
    let alike = |it: &Accelerator| {
        it.device_path() != first.device_path() && it.description() == first.description()
    };
    let other = Accelerator::all().into_iter().find(alike);
    other.map(|it| it.default_view()).transpose()
}

/// The median time of what is done in a round.
fn time(bench: &Bench, mut round: impl FnMut() -> amp::Result<()>) -> amp::Result<Duration> {
    let mut times = Vec::new();
    for number in 0..bench.rounds() + bench.rounds() / 5 {
        let start = Instant::now();
        round()?;
        if number >= bench.rounds() / 5 {
            times.push(start.elapsed());
        }
    }
    Ok(median(times))
}

fn between(bench: &Bench) -> Outcome {
    let Some(other) = other(bench)? else {
        return Ok(Vec::new());
    };
    let n = bench.size(1 << 26, 1 << 18);
    let data = random::floats(1, n);
    let from = Array::builder(n).on(&bench.view).data(&data).build()?;
    let mut to = Array::builder(n).on(&other).build()?;
    let time = time(bench, || {
        copy(&from, &mut to)?;
        other.wait()
    })?;
    if to.to_vec()? != data {
        return Err("the data arrived changed".into());
    }
    let figures = Figures::new("pair-copy", Unit::Bytes).with("amp", 4 * n, time);
    Ok(vec![figures])
}

/// The first version is over both devices, the other over one.
fn halves(bench: &Bench) -> Outcome {
    let Some(other) = other(bench)? else {
        return Ok(Vec::new());
    };
    let n = bench.size(8192, 256);
    let (a, b) = (random::floats(1, n * n), random::floats(2, n * n));
    let on = |view: &AcceleratorView, rows: usize, data: &[f32]| {
        Array::builder([rows, n]).on(view).data(data).build()
    };
    let part = |view: &AcceleratorView, rows: std::ops::Range<usize>| {
        let a = on(view, rows.len(), &a[rows.start * n..rows.end * n])?;
        let c = Array::builder([rows.len(), n]).on(view).build()?;
        Ok::<_, amp::Error>((a, on(view, n, &b)?, c))
    };
    let mut whole = part(&bench.view, 0..n)?;
    let mut parts = [part(&bench.view, 0..n / 2)?, part(&other, n / 2..n)?];
    let views = [&bench.view, &other];
    let alone = time(bench, || {
        tiled_product(&bench.view, &whole.0, &whole.1, &mut whole.2)?;
        bench.view.wait()
    })?;
    let both = time(bench, || {
        for (view, (a, b, c)) in views.iter().zip(&mut parts) {
            tiled_product(view, a, b, c)?;
            view.flush()?;
        }
        views.iter().try_for_each(|view| view.wait())
    })?;
    let [(.., upper), (.., lower)] = &parts;
    if [upper.to_vec()?, lower.to_vec()?].concat() != whole.2.to_vec()? {
        return Err("two devices compute something else than one".into());
    }
    let work = 2 * n.pow(3);
    let figures = Figures::new("pair-product", Unit::Flops)
        .with("amp", work, both)
        .with("one device", work, alone);
    Ok(vec![figures])
}
