//! What launches cost that do next to nothing: many that each wait for the one before, many that
//! wait for none, one that the host waits for, and recorded ones. Each is beside the same dispatches
//! recorded by hand.
//!
//! Of each there is the time on the device, from the first dispatch to the end of the last, that of
//! the calls which make the launches, and that from the first call until the host has seen the end.

use std::cell::RefCell;
use std::error::Error;
use std::iter;
use std::ops::Range;
use std::time::{Duration, Instant};

use amp::prelude::*;
use amp_benches::median;

use crate::by_hand::{ByHand, Dispatch};
use crate::figures::{Figures, Unit};
use crate::{Bench, Entry, Outcome, foreign, random};

pub const CASES: &[Entry] = &[
    ("launches-dependent", dependent),
    ("launches-independent", independent),
    ("launch-and-wait", waited_for),
    ("launches-replayed", replayed),
];

/// Launches in a row.
const LAUNCHES: usize = 1000;
/// Elements of an array.
const LENGTH: usize = 4096;

#[amp_kernel]
fn step(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>, summand: u32) {
    x[idx] = x[idx].wrapping_mul(3).wrapping_add(summand);
}

/// What launches with these summands make of a number.
fn stepped(number: u32, summands: impl Iterator<Item = u32>) -> u32 {
    summands.fold(number, |number, summand| {
        number.wrapping_mul(3).wrapping_add(summand)
    })
}

/// The summand of a launch.
fn summand(launch: usize) -> u32 {
    launch as u32 % 7
}

fn numbers() -> Vec<u32> {
    random::bits(1).take(LENGTH).collect()
}

fn array(view: &AcceleratorView) -> amp::Result<Array<u32, 1>> {
    Array::builder(LENGTH).on(view).data(&numbers()).build()
}

/// Requires that amp's array and the other are what launches with these summands make of
/// [`numbers`].
fn check(
    bench: &Bench,
    own: &Array<u32, 1>,
    other: &mut Array<u32, 1>,
    summands: impl Iterator<Item = u32> + Clone,
) -> Result<(), String> {
    other.view_mut().refresh();
    for (name, found) in [("amp", own), ("by hand", other)] {
        if name != "amp" && bench.is_on_cpu() {
            continue;
        }
        let found = found.to_vec().map_err(|error| error.to_string())?;
        let mut pairs = found.into_iter().zip(numbers());
        if !pairs.all(|(found, number)| found == stepped(number, summands.clone())) {
            return Err(format!("{name}: an element is wrong"));
        }
    }
    Ok(())
}

/// What launches took.
#[derive(Clone, Copy)]
struct Times {
    /// On the device.
    device: Duration,
    /// In the calls that make them.
    host: Duration,
    all: Duration,
}

/// Launches on amp's arrays, and the same dispatches on others.
struct Series<'s> {
    name: &'static str,
    launches: Box<dyn FnMut() -> amp::Result<()> + 's>,
    dispatches: Vec<Dispatch>,
    /// Whether these are recorded once.
    replays: bool,
}

impl Series<'_> {
    /// Runs both once, calls `check`, and measures both.
    fn measure(mut self, bench: &Bench, check: impl FnOnce() -> Result<(), String>) -> Outcome {
        let hand = match bench.is_on_cpu() {
            true => None,
            false => Some(by_hand(bench)?),
        };
        (self.launches)()?;
        if let Some(hand) = &hand {
            self.by_hand(hand, true)?;
        }
        check()?;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let rounds = bench.rounds();
        for round in 0..rounds + rounds / 5 {
            let time = timed(&bench.view, &mut self.launches)?;
            let other = hand.as_ref().map(|hand| self.by_hand(hand, !self.replays));
            if round >= rounds / 5 {
                own.push(time);
                others.extend(other.transpose()?);
            }
        }
        let figures = |part: &str, pick: fn(&Times) -> Duration| {
            let count = self.dispatches.len();
            let median = |times: &[Times]| median(times.iter().map(pick).collect());
            let figures = Figures::new(format!("{}{part}", self.name), Unit::Microseconds);
            let figures = figures.with("amp", count, median(&own));
            match others.is_empty() {
                true => figures,
                false => figures.with("by hand", count, median(&others)),
            }
        };
        Ok(vec![
            figures("", |it| it.all),
            figures("-host", |it| it.host),
            figures("-device", |it| it.device),
        ])
    }

    /// Times the dispatches, recorded now or before.
    fn by_hand(&self, hand: &ByHand<'_>, record: bool) -> Result<Times, Box<dyn Error>> {
        let start = Instant::now();
        if record {
            // SAFETY: the arrays of the dispatches are the caller's, and used by nothing else.
            unsafe { hand.record(self.dispatches.iter().copied()) }?;
        }
        let host = start.elapsed();
        let (device, seen) = hand.run()?;
        let all = host + seen;
        Ok(Times { device, host, all })
    }
}

/// Times amp's launches: once by the device's clock, and once by the host's.
fn timed(
    view: &AcceleratorView,
    mut launches: impl FnMut() -> amp::Result<()>,
) -> Result<Times, Box<dyn Error>> {
    let device = view.elapsed(&mut launches)?;
    let start = Instant::now();
    launches()?;
    let host = start.elapsed();
    view.wait()?;
    let all = start.elapsed();
    Ok(Times { device, host, all })
}

/// Dispatches recorded by hand on a view.
fn by_hand(bench: &Bench) -> Result<ByHand<'_>, Box<dyn Error>> {
    let versions = foreign::versions("launches", bench.glsl.as_deref())?;
    let words = versions[0].1.words();
    // SAFETY: it is that module.
    unsafe { ByHand::new(&bench.view, &words) }
}

/// Launches on an array, as they are recorded by hand: none on the CPU accelerator.
fn dispatches(array: &Array<u32, 1>, launches: Range<usize>, waits: bool) -> Vec<Dispatch> {
    let address = array.raw_buffer().map_or(0, |buffer| buffer.address);
    let dispatch = |launch| Dispatch {
        address,
        length: LENGTH as u32,
        summand: summand(launch),
        waits,
    };
    launches.map(dispatch).collect()
}

fn dependent(bench: &Bench) -> Outcome {
    let view = &bench.view;
    let (x, mut y) = (RefCell::new(array(view)?), array(view)?);
    let launches = || {
        let mut x = x.borrow_mut();
        (0..LAUNCHES)
            .try_for_each(|launch| view.parallel_for_each(LENGTH, step(&mut *x, summand(launch))))
    };
    let series = Series {
        name: "launches-dependent",
        launches: Box::new(launches),
        dispatches: dispatches(&y, 0..LAUNCHES, true),
        replays: false,
    };
    let summands = (0..LAUNCHES).map(summand);
    series.measure(bench, || check(bench, &x.borrow(), &mut y, summands))
}

fn independent(bench: &Bench) -> Outcome {
    let view = &bench.view;
    let arrays = || (0..LAUNCHES).map(|_| array(view));
    let xs = RefCell::new(arrays().collect::<amp::Result<Vec<_>>>()?);
    let mut ys = arrays().collect::<amp::Result<Vec<_>>>()?;
    let launches = || {
        let mut xs = xs.borrow_mut();
        let mut xs = (0..).zip(&mut *xs);
        xs.try_for_each(|(launch, x)| view.parallel_for_each(LENGTH, step(x, summand(launch))))
    };
    let of_each = (0..).zip(&ys);
    let of_each = of_each.flat_map(|(launch, y)| dispatches(y, launch..launch + 1, false));
    let series = Series {
        name: "launches-independent",
        launches: Box::new(launches),
        dispatches: of_each.collect(),
        replays: false,
    };
    series.measure(bench, || {
        let xs = xs.borrow();
        let mut pairs = xs.iter().zip(&mut ys).enumerate();
        pairs.try_for_each(|(launch, (x, y))| check(bench, x, y, iter::once(summand(launch))))
    })
}

fn waited_for(bench: &Bench) -> Outcome {
    let view = &bench.view;
    let (x, mut y) = (RefCell::new(array(view)?), array(view)?);
    let launch = || view.parallel_for_each(LENGTH, step(&mut *x.borrow_mut(), summand(1)));
    let series = Series {
        name: "launch-and-wait",
        launches: Box::new(launch),
        dispatches: dispatches(&y, 1..2, false),
        replays: false,
    };
    series.measure(bench, || {
        check(bench, &x.borrow(), &mut y, iter::once(summand(1)))
    })
}

fn replayed(bench: &Bench) -> Outcome {
    let view = &bench.view;
    let (x, mut y) = (RefCell::new(array(view)?), array(view)?);
    let graph = view.record(|launches| {
        let mut x = x.borrow_mut();
        (0..LAUNCHES).try_for_each(|launch| {
            launches.parallel_for_each(LENGTH, step(&mut *x, summand(launch)))
        })
    })?;
    let series = Series {
        name: "launches-replayed",
        launches: Box::new(|| graph.replay()),
        dispatches: dispatches(&y, 0..LAUNCHES, true),
        replays: true,
    };
    let summands = (0..LAUNCHES).map(summand);
    series.measure(bench, || check(bench, &x.borrow(), &mut y, summands))
}
