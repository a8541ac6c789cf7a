//! Copies of a part: from and to slices, arrays and its own other half, at once and beside
//! the host.

use amp::prelude::*;
use amp::{AcceleratorView, copy, copy_async};
use testkit::launch;

use crate::model::Place;
use crate::step::{Kernels, Steps, ran};

/// One copy to a view, in one of the ways there are, or given up: then each byte is what it
/// was or what it was to become, and all see the same.
macro_rules! copied_to {
    ($steps:ident, $source:expr, $view:expr, $place:expr, $values:expr) => {{
        let given_up = match $steps.rng.u8(..3) {
            0 => {
                drop(copy_async($source, &mut $view));
                true
            }
            1 => {
                std::mem::forget(copy_async($source, &mut $view));
                true
            }
            _ => {
                copied!($steps, $source, &mut $view);
                false
            }
        };
        $steps.log.push(format!("  given up: {given_up}"));
        match given_up {
            true => {
                let seen = $view.to_vec()?;
                $steps.model.expect_either($place, $values, &seen);
            }
            false => {
                for (&at, &value) in $place.iter().zip($values) {
                    $steps.model.set(at, value);
                }
            }
        }
    }};
}

/// One copy, in one of the ways there are.
macro_rules! copied {
    ($steps:ident, $source:expr, $destination:expr) => {{
        let kind = $steps.rng.u8(..3);
        $steps.log.push(format!("  copy {kind}"));
        match kind {
            0 => copy($source, $destination)?,
            1 => copy_async($source, $destination).wait()?,
            _ => pollster::block_on(copy_async($source, $destination))?,
        }
    }};
}

impl Steps<'_> {
    pub fn copies<T: Kernels<N>, const N: usize>(
        &mut self,
        mut a: ArrayViewMut<'_, T, N>,
        place: &Place,
        on: &AcceleratorView,
    ) -> amp::Result<()> {
        let kind = self.rng.u8(..4);
        self.log.push(format!("  copies {kind}"));
        match kind {
            0 => {
                let data: Vec<T> = place.starts.iter().map(|_| T::random(self.rng)).collect();
                let values: Vec<_> = data.iter().copied().map(Some).collect();
                copied_to!(self, &data, a, &place.starts, &values);
            }
            1 => {
                let mut out = vec![T::random(self.rng); place.starts.len()];
                copied!(self, &a, &mut out);
                self.model.expect("a copy in a slice", place, &out);
            }
            2 => {
                let mut array: Array<T, N> = Array::builder(a.extent()).on(on).build()?;
                copied!(self, &a, &mut array);
                self.model
                    .expect("a copy in an array", place, &array.to_vec()?);
                let last = place.starts.len() - 1;
                let value = T::random(self.rng);
                array.view_as_mut([last + 1])?[last] = value;
                let values = place.starts.iter().map(|&at| self.model.get::<T>(at));
                let mut values: Vec<_> = values.collect();
                values[last] = Some(value);
                let (mut extent, filling) = (a.extent().to_array(), T::random(self.rng));
                extent[0] /= 2;
                if extent[0] > 0 {
                    // Behind a kernel, beside what the host has written.
                    let mut part = array.section_mut([0; N], extent)?;
                    if ran(launch(on, extent, T::fill(&mut part, filling)))? {
                        values[..extent.iter().product()].fill(Some(filling));
                    }
                }
                copied_to!(self, &array, a, &place.starts, &values);
            }
            _ => self.half_to_half(a, place)?,
        }
        Ok(())
    }

    /// A copy within one body of data.
    fn half_to_half<T: Kernels<N>, const N: usize>(
        &mut self,
        a: ArrayViewMut<'_, T, N>,
        place: &Place,
    ) -> amp::Result<()> {
        let dimension = self.rng.usize(..N);
        let whole = a.extent().to_array();
        if whole[dimension] == 1 {
            return Ok(());
        }
        let (mut extent, mut origin) = (whole, [0; N]);
        extent[dimension] /= 2;
        let from = place.section(&origin, &extent).starts;
        origin[dimension] = extent[dimension];
        let to = place.section(&origin, &extent).starts;
        let (source, rest) = a.into_split_at(dimension, extent[dimension])?;
        let mut target = rest.into_section([0; N], extent)?;
        let values = from.iter().map(|&at| self.model.get::<T>(at));
        let values: Vec<_> = values.collect();
        copied_to!(self, &source, target, &to, &values);
        Ok(())
    }
}
