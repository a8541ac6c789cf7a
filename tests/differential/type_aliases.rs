//! Type aliases of the file around kernels, of other modules, with parameters and of each other.

use amp::prelude::*;
use testkit::{gives, launch};

type Real = f32;
type Quad = [Real; SIDE * 2];
type Line<'a> = ArrayView<'a, Real, 1>;
type Out<'a, T, const N: usize> = ArrayViewMut<'a, T, N>;
type At = TiledIndex<1, SIDE>;
type Small = shapes::Pair<i32>;
type Here = Index<1>;

const SIDE: usize = 2;

mod elsewhere {
    use amp::prelude::*;

    #[amp_struct]
    pub struct Wide {
        pub first: super::Real,
        pub all: super::Quad,
    }

    pub type Same = Wide;
    pub type Row<'a> = &'a [super::Real];
}
use elsewhere::Row;

#[amp_module]
mod shapes {
    use super::Real;
    use amp::prelude::*;

    type Own = [Real; 2];

    #[derive(PartialEq)]
    pub struct Pair<T> {
        pub a: T,
        pub b: T,
    }

    impl<T: Scalar> Pair<T> {
        pub fn of(a: T) -> Self {
            Self { a, b: a + a }
        }
    }

    impl Pair<i32> {
        pub fn sum(&self) -> Real {
            let parts: Own = [self.a as Real, self.b as Real];
            parts[0] + parts[1]
        }
    }
}

#[amp_fn]
fn total(row: Row) -> Real {
    row.iter().sum()
}

#[amp_fn]
fn hidden<Real: Scalar>(x: Real) -> Real {
    x + x
}

#[amp_kernel]
fn plain(idx: Here, line: &Line, by: Real, out: &mut Out<'_, Real, 1>) {
    let small = Small::of(idx[0] as i32);
    let Small { a, .. } = small;
    let wide = elsewhere::Same {
        first: line[idx],
        all: [by; SIDE * 2],
    };
    let most: Real = Real::MAX;
    let sum = total(&wide.all) + wide.first + small.sum() + hidden(a) as Real;
    assert!(sum < most, "{sum} is not below {}", Real::MAX);
    {
        type Real = f64;
        let x: Real = 0.1;
        out[idx] = sum + (x * 3.0) as f32;
    }
}

#[amp_kernel]
fn tiled(at: At, out: &mut Out<Real, 1>) {
    out[at.global] = at.local[0] as Real + Real::from(at.tile[0] as u8) * 0.5;
}

#[test]
fn of_the_file() {
    let line: Vec<f32> = (0..10).map(|i| i as f32 * 0.3).collect();
    let expected: Vec<f32> = (0..10)
        .map(|i| {
            let sum = (0.75 + 0.75 + 0.75 + 0.75) + line[i] + (3 * i) as f32 + (2 * i) as f32;
            sum + (0.1_f64 * 3.0) as f32
        })
        .collect();
    gives(&expected, |view, out| {
        let line = ArrayView::from(&line);
        launch(view, 10, plain(&line, 0.75, out))
    });
}

#[test]
fn of_tiles() {
    let expected: Vec<f32> = (0..8)
        .map(|i| (i % 2) as f32 + (i / 2) as f32 * 0.5)
        .collect();
    gives(&expected, |view, out| {
        view.parallel_for_each(Extent::new([8]).tile::<SIDE>(), tiled(out))
    });
}
