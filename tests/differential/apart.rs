//! Values taken apart by patterns: structs, tuples and arrays with `..`, in `let`, `match`,
//! `if let`, `let else`, loops, closures and methods.

use amp::prelude::*;
use testkit::numbers::pairs;
use testkit::{gives, input, launch, twice};

const NUMBERS: [u32; 7] = [0, 1, 2, 3, 7, 40, 1_000_000];

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Inner(u32, i32);

#[amp_struct]
#[derive(Debug, PartialEq)]
struct Outer {
    first: u32,
    many: [u32; 4],
    inner: Inner,
}

#[amp_fn]
fn outer(a: u32, b: u32) -> Outer {
    let inner = Inner(b, a as i32 - 2);
    Outer {
        first: a + 1,
        many: [a, b, a ^ b, 9],
        inner,
    }
}

#[amp_module]
mod shapes {
    use amp::prelude::*;

    pub struct Pair<T> {
        pub one: T,
        pub other: T,
    }

    impl<T: Scalar> Pair<T> {
        pub fn swapped(self) -> Self {
            let Self { one, other } = self;
            Self {
                one: other,
                other: one,
            }
        }

        pub fn sum(&self) -> T {
            let Pair { one, other: two } = *self;
            one + two
        }
    }
}
use shapes::Pair;

twice! {
    lets(a: u32, b: u32) -> u32 = pairs(&NUMBERS);
    {
        let Outer { first, many: [head, .., last], inner: Inner(n, ..) } = outer(a, b);
        let Outer { inner: Inner { 1: minus, .. }, .. } = outer(b, a);
        let Inner(.., m) = Inner(a, b as i32);
        let (x, ..) = (a, 2.5_f32, true);
        let (.., y) = (false, b);
        let (p, .., q) = (1, 2.5_f32, b);
        let (..) = (a, b);
        let [_, z, ..] = [a, b, 3];
        let [..] = [a];
        let ([(u, _), ..], mut v) = ([(a, b), (b, a)], 4);
        v += p + u;
        first ^ head ^ last ^ n ^ (minus + m) as u32 ^ x ^ y ^ q ^ z ^ v
    }
}

twice! {
    matches_of_structs(a: u32, b: u32) -> u32 = pairs(&NUMBERS);
    {
        let c = match outer(a, b) {
            Outer { first: 1, .. } => 10,
            Outer { many: [_, 0, ..], inner: Inner(_, n), .. } => n as u32 ^ 20,
            Outer { first, inner: Inner(n, 0..=9), .. } if first > n => first + 30,
            Outer { many: [.., whole @ (0 | 2), _], .. } => whole + 40,
            Outer { inner, first: _, many: [k, ..] } => inner.0 + k + 50,
        };
        let d = if let Outer { first: 3, inner: Inner(3, m), .. } = outer(a, b) { m } else { -1 };
        let Inner(1.., e) = outer(a, b).inner else { return c + 7 };
        c ^ d as u32 ^ e as u32 ^ (matches!((a, b, c), (1, .., 60..) | (.., 41)) as u32 * 64)
    }
}

twice! {
    loops_and_closures(a: u32, b: u32) -> u32 = pairs(&NUMBERS);
    {
        let mut sum = 0;
        for Inner(n, m) in [Inner(a, 1), Inner(b, 2)] {
            sum += n + m as u32;
        }
        for (k, &Inner(n, ..)) in [Inner(a, 1), Inner(b, 2)].iter().enumerate() {
            sum += n * k as u32;
        }
        let weigh = |Inner(n, m): Inner, (first, ..): (u32, u32)| n * 3 + m as u32 + first;
        sum + weigh(Inner(a, 5), (b, a))
    }
}

twice! {
    generic_structs(a: u32, b: u32) -> u32 = pairs(&NUMBERS);
    {
        let pair = Pair { one: a, other: b };
        let Pair { one, other } = pair.swapped();
        let Pair::<i32> { one: small, .. } = Pair { one: -3, other: 4 };
        (one * 2 + other + pair.sum()) ^ small as u32
    }
}

#[amp_kernel]
fn of_elements(idx: Index<1>, a: &ArrayView<Outer, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let Outer {
        first,
        many: [.., last],
        ..
    } = a[idx];
    out[idx] = first * last;
}

#[test]
fn elements_of_views_are_taken_apart() {
    let data = [outer(1, 2), outer(5, 6)];
    gives(&[2 * 9, 6 * 9], |view, out| {
        launch(view, 2, of_elements(&input(&data), out))
    });
}
