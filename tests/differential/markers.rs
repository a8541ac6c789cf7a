//! Types that name others by `PhantomData`: units of measure, and states of a value.

use std::marker::PhantomData;

use amp::prelude::*;
use testkit::{gives, input, launch};

#[amp_struct]
#[derive(PartialEq, PartialOrd, Default)]
struct Metre;

#[amp_struct]
struct Foot;

#[amp_struct]
#[derive(PartialEq, PartialOrd, Default)]
struct Length<U> {
    x: f32,
    unit: PhantomData<U>,
}

#[amp_struct]
struct Id<T>(u32, PhantomData<T>);

#[amp_module]
mod doors {
    use std::marker::PhantomData;

    pub struct Open;
    pub struct Shut;

    pub struct Door<S> {
        pub uses: u32,
        state: PhantomData<S>,
    }

    impl Door<Open> {
        pub fn new(uses: u32) -> Self {
            Door {
                uses,
                state: PhantomData,
            }
        }

        pub fn shut(self) -> Door<Shut> {
            Door {
                uses: self.uses + 1,
                state: PhantomData,
            }
        }
    }

    impl Door<Shut> {
        pub fn open(self) -> Door<Open> {
            Door {
                uses: self.uses * 2,
                state: PhantomData,
            }
        }
    }
}
use doors::Door;

const STEP: Length<Metre> = Length {
    x: 0.5,
    unit: PhantomData,
};

#[amp_fn]
fn sum<U>(a: &Length<U>, b: Length<U>) -> Length<U> {
    Length {
        x: a.x + b.x,
        unit: PhantomData,
    }
}

#[amp_fn]
fn metres(a: Length<Foot>) -> Length<Metre> {
    let unit = PhantomData;
    Length {
        x: a.x * 0.3048,
        unit,
    }
}

#[amp_kernel]
fn measure(
    idx: Index<1>,
    given: Length<Foot>,
    x: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    let own = Length::<Foot> {
        x: x[idx],
        unit: PhantomData,
    };
    let all: Length<Metre> = metres(sum(&own, given));
    let Length { x: metres, unit: _ } = sum(&all, STEP);
    let id: Id<f32> = Id(3, PhantomData);
    let mut longest = [
        Length {
            x: 2.0,
            unit: PhantomData::<Metre>,
        },
        all,
    ];
    if longest[0] < longest[1] {
        longest.swap(0, 1);
    }
    let is_none = all == Length::default();
    let door = Door::new(idx[0] as u32).shut().open().shut();
    out[idx] =
        metres + longest[0].x * 8.0 + id.0 as f32 + is_none as u32 as f32 * 64.0 + door.uses as f32;
}

#[test]
fn markers_are_no_values() {
    let x: Vec<f32> = (0..16).map(|i| i as f32 * 1.25 - 2.0).collect();
    let of = |(i, x): (usize, &f32)| {
        let all = (x + 2.0) * 0.3048;
        let longest = if 2.0 < all { all } else { 2.0 };
        let is_none = if all == 0.0 { 64.0 } else { 0.0 };
        (all + 0.5) + longest * 8.0 + 3.0 + is_none + ((i + 1) * 2 + 1) as f32
    };
    let expected: Vec<f32> = x.iter().enumerate().map(of).collect();
    let given = || Length {
        x: 2.0,
        unit: PhantomData,
    };
    gives(&expected, |view, out| {
        launch(view, 16, measure(given(), &input(&x), out))
    });
}
