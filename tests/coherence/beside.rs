//! What goes on beside other steps: futures that are held, graphs that are replayed again.

use amp::prelude::*;
use amp::{AcceleratorView, Error, copy_async};

use crate::model::Place;
use crate::step::{Kernels, Steps};

impl Steps<'_> {
    /// One part is on its way while a step is done with the rest.
    pub fn beside_a_future<T: Kernels<N>, const N: usize>(
        &mut self,
        a: ArrayViewMut<'_, T, N>,
        place: &Place,
        on: &AcceleratorView,
    ) -> amp::Result<()> {
        let dimension = self.rng.usize(..N);
        let whole = a.extent().to_array();
        if whole[dimension] == 1 {
            return Ok(());
        }
        let at = self.rng.usize(1..whole[dimension]);
        let (kind, swapped) = (self.rng.u8(..5), self.rng.bool());
        self.log
            .push(format!("  future {kind} beside {dimension} {at} {swapped}"));
        let (mut extents, mut origins) = ([whole; 2], [[0; N]; 2]);
        extents[0][dimension] = at;
        extents[1][dimension] -= at;
        origins[1][dimension] = at;
        let places = [0, 1].map(|k| place.section(&origins[k], &extents[k]));
        let (first, second) = a.into_split_at(dimension, at)?;
        let (mut one, rest, [place, beside]) = match swapped {
            true => {
                let [first_place, second_place] = places;
                (second, first, [second_place, first_place])
            }
            false => (first, second, places),
        };
        let count = place.starts.len();
        match kind {
            0 | 1 => {
                let data: Vec<T> = (0..count).map(|_| T::random(self.rng)).collect();
                let future = if kind == 0 {
                    copy_async(&data, &mut one)
                } else {
                    let array = Array::builder(one.extent()).on(on).data(&data).build()?;
                    copy_async(&array, &mut one)
                };
                self.with(rest, &beside)?;
                future.wait()?;
                for (&at, value) in place.starts.iter().zip(data) {
                    self.model.set(at, Some(value));
                }
            }
            2 => {
                let mut out = vec![T::random(self.rng); count];
                let future = copy_async(&one, &mut out);
                self.with(rest, &beside)?;
                future.wait()?;
                self.model.expect("a copy beside a step", &place, &out);
            }
            3 => {
                let future = one.synchronize_async();
                self.with(rest, &beside)?;
                future.wait()?;
            }
            _ => {
                let future = one.synchronize_to_async(on);
                self.with(rest, &beside)?;
                future.wait()?;
            }
        }
        self.model
            .expect("what was on its way", &place, &one.to_vec()?);
        Ok(())
    }

    /// A graph is replayed, and between that its data is used otherwise.
    pub fn graph<T: Kernels<N>, const N: usize>(
        &mut self,
        a: ArrayViewMut<'_, T, N>,
        place: &Place,
        on: &AcceleratorView,
    ) -> amp::Result<()> {
        let extent = a.extent();
        let (domain, starts) = self.domain(extent, place);
        let (value, launches) = (T::random(self.rng), self.rng.usize(1..4));
        let recorded = on.record_with(a, |g, a| {
            (0..launches).try_for_each(|_| g.parallel_for_each(domain, T::advance(a, value)))
        });
        let mut graph = match recorded {
            Err(Error::UnsupportedFeature(_)) => return Ok(()),
            recorded => recorded?,
        };
        for _ in 0..self.rng.usize(1..5) {
            let between = self.rng.u8(..4);
            self.log
                .push(format!("  {launches} replayed, then {between}"));
            graph.replay()?;
            for &at in starts.iter().cycle().take(launches * starts.len()) {
                let before = self.model.get::<T>(at);
                let after = before.map(|before| before.advanced(value));
                self.model.set(at, after);
            }
            match between {
                0 => {}
                1 => {
                    let found = graph.captures().to_vec()?;
                    self.model.expect("a graph's data", place, &found);
                }
                _ => {
                    let whole = graph.captures_mut().section([0; N], extent)?;
                    self.with(whole, place)?;
                }
            }
        }
        Ok(())
    }
}
