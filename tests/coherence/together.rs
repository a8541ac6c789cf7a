//! Random sequences of several threads at a time, each with a part of its own of one body of data.
//!
//! No thread sees what the others do, whatever they have in common: the body's memory and what
//! is known of its copies, the buffers of these, the accelerator views. What a sequence finds
//! still depends on how the threads meet, so that a seed shows a fault again only sometimes.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

use amp::AcceleratorView;
use amp::prelude::*;
use fastrand::Rng;

use crate::model::{Model, Place};
use crate::part::Part;
use crate::step::Steps;
use crate::{Body, Start};

/// A thread's part, and what is to be found there.
struct Share<'a> {
    view: ArrayViewMut<'a, u32, 1>,
    place: Place,
    model: Model,
    rng: Rng,
    log: Vec<String>,
}

impl Share<'_> {
    /// Runs its steps.
    fn run(&mut self, views: &[AcceleratorView]) -> amp::Result<()> {
        let length = self.view.extent();
        for _ in 0..self.rng.usize(3..10) {
            let mut steps = Steps {
                rng: &mut self.rng,
                views,
                model: &mut self.model,
                log: &mut self.log,
            };
            let root = self.view.section(0, length)?;
            let (part, place) = Part::of(root, self.place.clone()).derive(&mut steps)?;
            steps.step(part, &place)?;
        }
        let found = self.view.to_vec()?;
        self.model
            .expect("the part at the end", &self.place, &found);
        Ok(())
    }
}

/// Runs the sequences of some threads.
pub fn run(seed: u64, views: &[AcceleratorView], log: &mut Vec<String>) -> amp::Result<()> {
    let mut rng = Rng::with_seed(seed);
    let mut start = Start::random(&mut rng);
    let words = start.words;
    let (mut body, model) = start.body(&mut rng, views, log)?;
    let mut rest = match &mut body {
        Body::View(view) => view.section(0, words)?,
        Body::Array(array) => array.view_mut(),
    };
    let (mut views_of_threads, mut at) = (Vec::new(), 0);
    for _ in 0..3 {
        let left = rest.extent().size();
        if left == 1 {
            break;
        }
        let length = rng.usize(1..left);
        let (first, second) = rest.into_split_at(0, length)?;
        views_of_threads.push((at, first));
        (at, rest) = (at + length, second);
    }
    views_of_threads.push((at, rest));
    let shares = views_of_threads.into_iter().map(|(at, view)| {
        let length = view.extent().size();
        Share {
            place: Place::words(words).section(&[at], &[length]),
            model: model.clone(),
            rng: rng.fork(),
            log: vec![format!("a thread with {length} from {at} on")],
            view,
        }
    });
    let mut shares: Vec<_> = shares.collect();
    let results = thread::scope(|scope| {
        let threads = shares.iter_mut().map(|share| {
            let run = AssertUnwindSafe(|| share.run(views));
            scope.spawn(move || catch_unwind(run))
        });
        let threads: Vec<_> = threads.collect();
        let results = threads.into_iter().map(|thread| thread.join());
        results.collect::<Vec<_>>()
    });
    let ends = shares.into_iter().map(|share| {
        log.extend(share.log);
        (share.place, share.model)
    });
    let ends: Vec<_> = ends.collect();
    for result in results {
        result
            .flatten()
            .unwrap_or_else(|panic| resume_unwind(panic))?;
    }
    drop(body);
    if let Some(slice) = start.end()? {
        for (place, model) in ends {
            let first = place.starts[0] / 4;
            let found = &slice[first..first + place.starts.len()];
            model.expect("the slice at the end", &place, found);
        }
    }
    Ok(())
}
