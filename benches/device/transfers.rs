//! Data on its way between the host and the device.
//!
//! Times are those of the host, from the call until all is done. `staging array` is the same copy
//! from or to memory that the device reaches itself, so what its copy engine can do.

use std::time::{Duration, Instant};

use amp::prelude::*;
use amp::{Error, copy};
use amp_benches::median;

use crate::figures::{Figures, Unit};
use crate::{Bench, Entry, Outcome, random};

pub const CASES: &[Entry] = &[("transfers", transfers), ("element", element)];

#[amp_kernel]
fn increment(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>) {
    a[idx] += 1;
}

/// The median time of what is done in a round.
fn times(bench: &Bench, mut round: impl FnMut() -> amp::Result<()>) -> amp::Result<Duration> {
    let rounds = bench.rounds();
    let mut times = Vec::with_capacity(rounds);
    for number in 0..rounds + rounds / 5 {
        let start = Instant::now();
        round()?;
        if number >= rounds / 5 {
            times.push(start.elapsed());
        }
    }
    Ok(median(times))
}

/// Requires that data is as expected.
fn check(name: &str, found: &[u32], expected: &[u32]) -> Result<(), Error> {
    match found == expected {
        true => Ok(()),
        false => Err(Error::InvalidArgument(format!("{name} arrived changed"))),
    }
}

/// Large copies to a device, from it, and both with a kernel between them.
fn transfers(bench: &Bench) -> Outcome {
    let n = bench.size(1 << 26, 1 << 20);
    let bytes = 4 * n;
    let view = &bench.view;
    let mut data: Vec<u32> = random::made(1, n, |bits| bits);
    let mut found = vec![0; n];
    let mut array = Array::builder(n).on(view).build()?;
    let mut staging = Array::builder(n).associated(view).data(&data).build()?;

    let by_engine = times(bench, || {
        copy(&staging, &mut array)?;
        view.wait()
    })?;
    array.copy_to(&mut found)?;
    check("a staging array", &found, &data)?;
    data[0] += 1;
    let up = times(bench, || {
        copy(&data, &mut array)?;
        view.wait()
    })?;
    let up = Figures::new("upload", Unit::Bytes)
        .with("amp", bytes, up)
        .with("staging array", bytes, by_engine);

    found.fill(0);
    let down = times(bench, || copy(&array, &mut found))?;
    check("what was uploaded", &found, &data)?;
    let by_engine = times(bench, || {
        copy(&array, &mut staging)?;
        staging.data().map(|_| ())
    })?;
    check("a staging array", staging.data()?, &data)?;
    let down = Figures::new("download", Unit::Bytes)
        .with("amp", bytes, down)
        .with("staging array", bytes, by_engine);

    check("a new vector", &array.to_vec()?, &data)?;
    let to_vec = times(bench, || array.to_vec().map(drop))?;
    let to_vec = Figures::new("to_vec", Unit::Bytes).with("amp", bytes, to_vec);

    let mut rounds = 0;
    let both = times(bench, || {
        rounds += 1;
        let mut view = ArrayViewMut::new(n, &mut found)?;
        bench
            .view
            .parallel_for_each(view.extent(), increment(&mut view))?;
        view.synchronize()
    })?;
    data.iter_mut().for_each(|it| *it = it.wrapping_add(rounds));
    check("a view", &found, &data)?;
    let both = Figures::new("view", Unit::Bytes).with("amp", 2 * bytes, both);
    Ok(vec![up, down, to_vec, both])
}

/// One element of a large array, read by the host.
fn element(bench: &Bench) -> Outcome {
    const READS: usize = 100;
    let n = bench.size(1 << 24, 1 << 20);
    let data: Vec<u32> = random::made(2, n, |bits| bits);
    let array = Array::builder(n).on(&bench.view).data(&data).build()?;
    bench.view.wait()?;
    let places = random::indices(3, READS, n);
    let mut found = [0; READS];
    let time = times(bench, || {
        let places = places.iter().map(|&place| place as usize);
        for (place, found) in places.zip(found.chunks_mut(1)) {
            copy(&array.section(place, 1)?, found)?;
        }
        Ok(())
    })?;
    let expected: Vec<u32> = places.iter().map(|&place| data[place as usize]).collect();
    check("an element", &found, &expected)?;
    let figures = Figures::new("element", Unit::Microseconds);
    Ok(vec![figures.with("amp", READS, time)])
}
