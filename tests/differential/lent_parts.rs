//! Parameters that are references, taken apart by `let`, in the signature, and by several patterns of a `match`:
//! the names are of places that the caller lends, which other threads may use, too.

use amp::prelude::*;
use testkit::{gives, input, launch};

device_and_host! {
    #[derive(Clone, Copy)]
    #[allow(dead_code)]
    pub struct Pair {
        pub a: u32,
        pub b: [u32; 2],
    }

    #[derive(Clone, Copy)]
    pub enum Shape {
        Disc(u32),
        Rect { w: u32, h: u32 },
        Points(u32),
        Nothing,
    }

    impl Shape {
        pub fn size(&self) -> u32 {
            match self {
                Shape::Disc(r) | Shape::Rect { w: r, .. } => *r,
                Shape::Points(n) => *n * 100,
                Shape::Nothing => 7,
            }
        }

        pub fn grow(&mut self) {
            match self {
                Self::Disc(x) | Self::Rect { h: x, .. } if *x > 1 => *x *= 2,
                Self::Disc(x) | Self::Rect { w: x, .. } => {
                    *x += 1;
                }
                Self::Points(_) | Self::Nothing => {}
            }
        }

        pub fn is_large(&self) -> bool {
            matches!(self, Self::Disc(x) | Self::Rect { w: x, .. } if *x > 5)
        }
    }

    pub fn shapes(x: u32) -> u32 {
        let mut shape = Shape::Rect { w: x, h: 2 };
        if x > 1 {
            shape = Shape::Disc(x);
        }
        if x == 7 {
            shape = Shape::Points(x);
        }
        shape.grow();
        let found = match &mut shape {
            Shape::Disc(a) | Shape::Rect { h: a, .. } => {
                *a += 3;
                *a
            }
            _ => 0,
        };
        found * 1000 + shape.size() * 10 + shape.is_large() as u32 + Shape::Nothing.size()
    }

    pub fn turn(pair: &mut Pair) {
        let Pair { a, b: [x, y] } = pair;
        std::mem::swap(x, y);
        *a += *x;
    }

    pub fn early(pair: &Pair, other: &mut Pair) -> u32 {
        let Pair { a, b } = pair;
        if a % 2 == 0 {
            return b[1];
        }
        let Pair { b: [first, ..], .. } = other;
        *first += 1;
        let sum = *a + *first;
        sum * 3
    }

    pub fn ends_early(pair: &Pair) -> u32 {
        let Pair { a, .. } = pair;
        if *a > 5 {
            return *a;
        }
        return 7;
    }

    pub fn sum((x, y): &(u32, u32), [z, _]: &[u32; 2]) -> u32 {
        x * 100 + y * 10 + z
    }

    pub fn last(values: &mut [u32; 3]) -> u32 {
        let [x, .., y] = values;
        *x += *y;
        *x
    }

    /// Its name means something else behind the first statement.
    pub fn declared_again(pair: &Pair) -> u32 {
        let pair = (pair.a, pair.b[0]);
        let (a, b) = pair;
        a ^ b
    }

    pub fn all(pair: &mut Pair, other: u32) -> u32 {
        turn(pair);
        let mut own = *pair;
        turn(&mut own);
        let mut values = [own.a, other, 3];
        last(&mut values) + early(&own, pair) + early(pair, &mut own) + ends_early(pair)
            + sum(&(own.a, other), &pair.b) + declared_again(&own) + shapes(other)
    }
}

const NUMBERS: [u32; 5] = [0, 1, 2, 7, 40];

#[amp_kernel]
fn pairs(idx: Index<1>, x: &ArrayView<u32, 1>, out: &mut ArrayViewMut<u32, 1>) {
    let mut own = device::Pair {
        a: x[idx],
        b: [2, x[idx] + 1],
    };
    out[idx] = device::all(&mut own, x[idx]);
}

#[test]
fn parameters_are_taken_apart() {
    let of_host = |&x: &u32| {
        let mut own = host::Pair {
            a: x,
            b: [2, x + 1],
        };
        host::all(&mut own, x)
    };
    let expected: Vec<u32> = NUMBERS.iter().map(of_host).collect();
    gives(&expected, |view, out| {
        launch(view, NUMBERS.len(), pairs(&input(&NUMBERS), out))
    });
}

#[amp_struct]
struct Body {
    place: f32,
    speed: f32,
}

#[amp_fn]
fn step(body: &mut Body, (time, force): &(f32, f32)) {
    let Body { place, speed } = body;
    *speed += force * time;
    *place += *speed * time;
}

#[amp_kernel]
fn steps(idx: Index<1>, forces: &ArrayView<f32, 1>, bodies: &mut ArrayViewMut<Body, 1>) {
    step(&mut bodies[idx], &(0.5, forces[idx]));
}

#[test]
fn elements_are_taken_apart() {
    for view in testkit::new_views() {
        let mut data = [1.0, -2.0, 0.1].map(|place| Body { place, speed: 0.3 });
        let mut bodies = ArrayViewMut::new(3, &mut data).unwrap();
        let forces = input(&[1.0_f32, 0.7, -3.0]);
        launch(&view, 3, steps(&forces, &mut bodies)).unwrap();
        bodies.synchronize().unwrap();
        drop(bodies);
        for (body, (place, force)) in data.iter().zip([(1.0, 1.0), (-2.0, 0.7), (0.1, -3.0)]) {
            let speed: f32 = 0.3 + force * 0.5;
            assert_eq!((body.place, body.speed), (place + speed * 0.5, speed));
        }
    }
}
