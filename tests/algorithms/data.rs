//! Data of many kinds and lengths, where it lies, and results that are defined in plain Rust.

use amp::prelude::*;
use amp::{Accelerator, AcceleratorView, Element};
use half::{bf16, f16};
use testkit::{Same, accelerators, assert_same};

/// Lengths about the borders of blocks, and some others.
pub const LENGTHS: &[usize] = &[1, 2, 255, 257, 1000, 2049, 4097, 70_001];

/// Fewer lengths, for what differs by type only.
pub const FEW_LENGTHS: &[usize] = &[3, 300, 4600];

/// A random number of any bits, or one of few.
pub trait Random: Element + Same + PartialEq {
    fn random(random: &mut fastrand::Rng) -> Self;

    /// One whose sums are numbers.
    fn mild(random: &mut fastrand::Rng) -> Self {
        Self::random(random)
    }
}

macro_rules! random {
    ($($integer:ident)*; $($float:ident: $bits:ident)*) => {
        $(impl Random for $integer {
            fn random(random: &mut fastrand::Rng) -> Self {
                match random.u8(..4) {
                    0 => random.u8(..4) as $integer,
                    1 => [0, $integer::MIN, $integer::MAX, 1][random.usize(..4)],
                    _ => random.$integer(..),
                }
            }
        })*
        $(impl Random for $float {
            fn random(random: &mut fastrand::Rng) -> Self {
                let special = [$float::NAN, -$float::NAN, $float::INFINITY, -0.0, 0.0, $float::MIN];
                match random.u8(..16) {
                    0 => special[random.usize(..special.len())],
                    1 => $float::from_bits(random.$bits(..)),
                    2 => $float::from(random.i8(..)),
                    _ => random.$float() * 2.0 - 1.0,
                }
            }

            fn mild(random: &mut fastrand::Rng) -> Self {
                (random.$float() * 2.0 - 1.0) * $float::from(random.u8(1..5))
            }
        })*
    };
}
random!(i8 u8 i16 u16 i32 u32 i64 u64; f32: u32 f64: u64);

macro_rules! random_halves {
    ($($float:ident)*) => {$(
        impl Random for $float {
            fn random(random: &mut fastrand::Rng) -> Self {
                match random.u8(..4) {
                    0 => $float::from_bits(random.u16(..)),
                    _ => $float::from_f32(Random::random(random)),
                }
            }

            fn mild(random: &mut fastrand::Rng) -> Self {
                $float::from_f32(Random::mild(random))
            }
        }
    )*};
}
random_halves!(f16 bf16);

pub fn random<T: Random>(seed: u64, length: usize) -> Vec<T> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..length).map(|_| T::random(&mut random)).collect()
}

/// Random numbers whose sums are numbers.
pub fn mild<T: Random>(seed: u64, length: usize) -> Vec<T> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..length).map(|_| T::mild(&mut random)).collect()
}

/// The view of each accelerator.
pub fn places() -> Vec<(Accelerator, AcceleratorView)> {
    let view = |accelerator: Accelerator| {
        let view = accelerator
            .default_view()
            .expect("a listed accelerator can be used");
        (accelerator, view)
    };
    accelerators().into_iter().map(view).collect()
}

/// An array of one accelerator, with further elements before and behind.
pub struct Part<T: Element>(Array<T, 1>);

/// Elements before a part.
const BEFORE: usize = 5;

impl<T: Element> Part<T> {
    pub fn new(view: &AcceleratorView, elements: &[T]) -> Self {
        let other = elements.first().copied().unwrap_or(T::zeroed());
        let mut all = vec![other; BEFORE];
        all.extend_from_slice(elements);
        all.extend_from_slice(&[other; 3]);
        let array = Array::builder(all.len()).on(view).data(&all).build();
        Self(array.expect("an array of the test's data"))
    }

    fn length(&self) -> usize {
        self.0.extent()[0] - BEFORE - 3
    }

    pub fn view(&self) -> ArrayView<'_, T, 1> {
        match self.length() {
            // A section is never empty.
            0 => (&[]).into(),
            length => self.0.section(BEFORE, length).expect("it is a part"),
        }
    }

    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T, 1> {
        match self.length() {
            0 => (&mut []).into(),
            length => {
                let part = self.0.section_mut(BEFORE, length);
                part.expect("it is a part").into()
            }
        }
    }

    pub fn to_vec(&self) -> Vec<T> {
        self.view().to_vec().expect("the kernels do not fault")
    }
}

/// Requires that an algorithm computes, on every accelerator and from each kind of data, what a
/// function of Rust does.
#[track_caller]
pub fn gives<T: Element, U: Element + Same>(
    input: &[T],
    expected: &[U],
    what: &str,
    mut algorithm: impl FnMut(&ArrayView<T, 1>, &mut ArrayViewMut<U, 1>) -> amp::Result<()>,
) {
    for (accelerator, view) in places() {
        let what = format!("{what}, {} elements on {accelerator}", input.len());
        let from = Part::new(&view, input);
        let mut to = Part::new(&view, &vec![U::zeroed(); expected.len()]);
        algorithm(&from.view(), &mut to.view_mut()).expect(&what);
        assert_same(&to.to_vec(), expected, &what);
    }
}
