//! Copies of a part: from and to slices, arrays and its own other half, at once and beside
//! the host.

use amp::prelude::*;
use amp::{AcceleratorView, copy, copy_async};

use crate::model::Place;
use crate::step::{Kernels, Steps};

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
                copied!(self, &data, &mut a);
                for (&at, value) in place.starts.iter().zip(data) {
                    self.model.set(at, Some(value));
                }
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
                self.model.set(place.starts[last], Some(value));
                copied!(self, &array, &mut a);
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
        copied!(self, &source, &mut target);
        for (from, to) in from.into_iter().zip(to) {
            self.model.set(to, self.model.get::<T>(from));
        }
        Ok(())
    }
}
