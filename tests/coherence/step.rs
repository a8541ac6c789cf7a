//! What is done with a part, to the views and to the model.

use amp::prelude::*;
use amp::{Accelerator, AcceleratorView, AccessType, Element, Error, Kernel};
use fastrand::Rng;
use testkit::launch;

use crate::model::{Model, Place};
use crate::part::Part;

/// The kernels over elements of a type and views of a rank.
pub trait Kernels<const N: usize>: Element + PartialEq {
    fn fill<'k>(a: &'k mut ArrayViewMut<'_, Self, N>, value: Self) -> Kernel<'k, Index<N>>;

    fn advance<'k>(a: &'k mut ArrayViewMut<'_, Self, N>, value: Self) -> Kernel<'k, Index<N>>;

    fn copy<'k>(
        a: &'k ArrayView<'_, Self, N>,
        b: &'k mut ArrayViewMut<'_, Self, N>,
    ) -> Kernel<'k, Index<N>>;

    /// What `advance` makes of an element.
    fn advanced(self, value: Self) -> Self;

    fn random(rng: &mut Rng) -> Self;
}

macro_rules! kernels {
    ($($module:ident: $element:ident, $rank:literal;)*) => {$(
        mod $module {
            use super::*;

            #[amp_kernel]
            fn fill(idx: Index<$rank>, a: &mut ArrayViewMut<$element, $rank>, value: $element) {
                a[idx] = value;
            }

            #[amp_kernel]
            fn advance(idx: Index<$rank>, a: &mut ArrayViewMut<$element, $rank>, value: $element) {
                a[idx] = a[idx] * 3 + value;
            }

            #[amp_kernel]
            fn copy(
                idx: Index<$rank>,
                a: &ArrayView<$element, $rank>,
                b: &mut ArrayViewMut<$element, $rank>,
            ) {
                b[idx] = a[idx];
            }

            impl Kernels<$rank> for $element {
                fn fill<'k>(
                    a: &'k mut ArrayViewMut<'_, Self, $rank>,
                    value: Self,
                ) -> Kernel<'k, Index<$rank>> {
                    fill(a, value)
                }

                fn advance<'k>(
                    a: &'k mut ArrayViewMut<'_, Self, $rank>,
                    value: Self,
                ) -> Kernel<'k, Index<$rank>> {
                    advance(a, value)
                }

                fn copy<'k>(
                    a: &'k ArrayView<'_, Self, $rank>,
                    b: &'k mut ArrayViewMut<'_, Self, $rank>,
                ) -> Kernel<'k, Index<$rank>> {
                    copy(a, b)
                }

                fn advanced(self, value: Self) -> Self {
                    self.wrapping_mul(3).wrapping_add(value)
                }

                fn random(rng: &mut Rng) -> Self {
                    rng.u64(..) as $element
                }
            }
        }
    )*};
}
kernels! {
    bytes: u8, 1;
    bytes_2: u8, 2;
    words: u32, 1;
    words_2: u32, 2;
    words_3: u32, 3;
    words_4: u32, 4;
    words_5: u32, 5;
    longs: u64, 1;
    longs_2: u64, 2;
}

#[amp_kernel]
fn advance_words(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>, value: u32) {
    a[idx] = a[idx] * 3 + value;
}

/// What a step works with.
pub struct Steps<'s> {
    pub rng: &'s mut Rng,
    pub views: &'s [AcceleratorView],
    pub model: &'s mut Model,
    pub log: &'s mut Vec<String>,
}

/// Whether a launch ran; a device that lacks the type changes nothing.
pub fn ran(result: amp::Result<()>) -> amp::Result<bool> {
    match result {
        Err(Error::UnsupportedFeature(_)) => Ok(false),
        result => result.map(|()| true),
    }
}

impl Steps<'_> {
    pub fn step(&mut self, part: Part<'_>, place: &Place) -> amp::Result<()> {
        match part {
            Part::Bytes(view) => self.with(view, place),
            Part::Bytes2(view) => self.with(view, place),
            Part::Words(view) => self.with(view, place),
            Part::Words2(view) => self.with(view, place),
            Part::Words3(view) => self.with(view, place),
            Part::Words4(view) => self.with(view, place),
            Part::Words5(view) => self.with(view, place),
            Part::Longs(view) => self.with(view, place),
            Part::Longs2(view) => self.with(view, place),
        }
    }

    /// A random view, by its number.
    fn view(&mut self) -> usize {
        self.rng.usize(..self.views.len())
    }

    /// A random domain within an extent, often all of it, and the elements there.
    pub fn domain<const N: usize>(
        &mut self,
        extent: Extent<N>,
        place: &Place,
    ) -> ([usize; N], Vec<usize>) {
        let all = self.rng.bool();
        let domain: [usize; N] = std::array::from_fn(|k| match all {
            true => extent[k],
            false => self.rng.usize(1..=extent[k]),
        });
        (domain, place.section(&[0; N], &domain).starts)
    }

    /// One random step with a view.
    pub fn with<T: Kernels<N>, const N: usize>(
        &mut self,
        mut a: ArrayViewMut<'_, T, N>,
        place: &Place,
    ) -> amp::Result<()> {
        assert_eq!(a.extent().to_array()[..], place.extent[..]);
        let extent = a.extent();
        let kind = self.rng.u8(..28);
        let view = self.view();
        self.log.push(format!(
            "{kind} on {view}: rank {N} of {} bytes, {extent:?}",
            size_of::<T>()
        ));
        let views = self.views;
        let on = &views[view];
        let value = T::random(self.rng);
        match kind {
            0..=2 => {
                let (domain, starts) = self.domain(extent, place);
                if ran(launch(on, domain, T::fill(&mut a, value)))? {
                    starts
                        .iter()
                        .for_each(|&at| self.model.set(at, Some(value)));
                }
            }
            3..=6 => {
                let (domain, starts) = self.domain(extent, place);
                if ran(launch(on, domain, T::advance(&mut a, value)))? {
                    for at in starts {
                        let before = self.model.get::<T>(at);
                        self.model
                            .set(at, before.map(|before| before.advanced(value)));
                    }
                }
            }
            7 => {
                let mut out = ArrayViewMut::uninit(extent)?;
                if ran(launch(on, extent, T::copy(&a.as_view(), &mut out)))? {
                    self.model
                        .expect("what a kernel read", place, &out.to_vec()?);
                }
            }
            8 => self.copy_halves(a, place, on)?,
            9 => {
                for _ in 0..3 {
                    let index: [usize; N] = std::array::from_fn(|k| self.rng.usize(..extent[k]));
                    let at = place.section(&index, &[1; N]).starts[0];
                    if let Some(expected) = self.model.get::<T>(at) {
                        assert!(a[index] == expected, "host reading at {index:?}");
                    }
                    a[index] = value;
                    self.model.set(at, Some(value));
                }
            }
            10 => self.model.expect("to_vec", place, &a.to_vec()?),
            11 => match a.data() {
                Ok(data) => self.model.expect("data", place, data),
                Err(Error::NotContiguous { .. }) => {
                    let pairs = place.starts.windows(2);
                    let mut gaps = pairs.map(|pair| pair[1] - pair[0]);
                    assert!(
                        gaps.any(|gap| gap != size_of::<T>()),
                        "{place:?} is contiguous"
                    );
                }
                Err(error) => return Err(error),
            },
            12 => {
                if let Ok(data) = a.data_mut() {
                    data.fill(value);
                    place
                        .starts
                        .iter()
                        .for_each(|&at| self.model.set(at, Some(value)));
                }
            }
            // In checked mode it is a fault that a kernel reads what was discarded.
            13 if Accelerator::cpu().is_debug() => {}
            13 => {
                a.discard_data();
                let bytes = size_of::<T>();
                place
                    .starts
                    .iter()
                    .for_each(|&at| self.model.undefine(at..at + bytes));
            }
            14 => match self.rng.u8(..3) {
                0 => a.refresh(),
                1 => a.synchronize()?,
                _ => a.synchronize_async().wait()?,
            },
            15 => match self.rng.u8(..3) {
                0 => a.synchronize_to(on)?,
                1 => a.synchronize_to_async(on).wait()?,
                // What is given up is not lost.
                _ => drop(a.synchronize_to_async(on)),
            },
            16..20 => self.copies(a, place, on)?,
            20 | 21 => self.beside_a_future(a, place, on)?,
            22 | 23 => self.graph(a, place, on)?,
            24 => match self.rng.u8(..4) {
                0 => on.flush()?,
                1 => on.wait()?,
                2 => drop(on.create_marker()),
                _ => _ = on.trim()?,
            },
            25 => _ = on.profile(|| self.with(a, place))?,
            26 => _ = on.elapsed(|| self.with(a, place))?,
            _ => {
                // A view that is gone when the others look.
                let short = on.accelerator().create_view(on.queuing_mode())?;
                if ran(launch(&short, extent, T::advance(&mut a, value)))? {
                    for &at in &place.starts {
                        let before = self.model.get::<T>(at);
                        let after = before.map(|before| before.advanced(value));
                        self.model.set(at, after);
                    }
                }
            }
        }
        Ok(())
    }

    /// One half is copied to the other, as far as that goes.
    fn copy_halves<T: Kernels<N>, const N: usize>(
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
        let (source, mut target) = a.into_split_at(dimension, at)?;
        let (mut domain, mut origin) = (whole, [0; N]);
        domain[dimension] = at.min(whole[dimension] - at);
        let from = place.section(&origin, &domain).starts;
        origin[dimension] = at;
        let to = place.section(&origin, &domain).starts;
        if ran(launch(on, domain, T::copy(&source.as_view(), &mut target)))? {
            for (from, to) in from.into_iter().zip(to) {
                self.model.set(to, self.model.get::<T>(from));
            }
        }
        Ok(())
    }

    /// What is done with an array as a whole.
    pub fn array(&mut self, array: &mut Array<u32, 1>) -> amp::Result<()> {
        let words = array.extent().size();
        let kind = self.rng.u8(..5);
        self.log.push(format!("array {kind}"));
        match kind {
            0 => {
                let value = self.rng.u32(..);
                let view = array.associated_accelerator_view();
                match array.accelerator_view() == view {
                    true => launch(&view, words, advance_words(array, value))?,
                    // Of a staging array a kernel takes views only.
                    false => launch(&view, words, advance_words(&mut array.view_mut(), value))?,
                }
                for at in (0..words).map(|at| 4 * at) {
                    let before = self.model.get::<u32>(at);
                    self.model.set(
                        at,
                        before.map(|before| before.wrapping_mul(3).wrapping_add(value)),
                    );
                }
            }
            1 => {
                let data: Vec<u32> = (0..words).map(|_| self.rng.u32(..)).collect();
                array.copy_from(&data)?;
                *self.model = Model::of(&data);
            }
            2 if array.cpu_access_type() != AccessType::None => {
                let (at, value) = (self.rng.usize(..words), self.rng.u32(..));
                array[at] = value;
                self.model.set(4 * at, Some(value));
            }
            3 if array.cpu_access_type() != AccessType::None => {
                self.model.expect_words("the host in place", array.data()?);
            }
            2 | 3 => assert!(matches!(array.data(), Err(Error::NotAccessible { .. }))),
            _ => {
                let mut out = vec![0; words];
                array.copy_to(&mut out)?;
                self.model.expect_words("copy_to", &out);
            }
        }
        Ok(())
    }
}
