//! Bounds by traits with const parameters, which the arguments of calls tell; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    trait Step<const D: usize> {
        fn step(&self, y: [f32; D]) -> [f32; D];

        fn twice(&self, y: [f32; D]) -> [f32; D] {
            self.step(self.step(y))
        }
    }

    struct Euler(f32);

    impl<const D: usize> Step<D> for Euler {
        fn step(&self, y: [f32; D]) -> [f32; D] {
            y.map(|x| x + self.0)
        }
    }

    struct Turn;

    impl Step<2> for Turn {
        fn step(&self, y: [f32; 2]) -> [f32; 2] {
            [y[1], y[0] + 0.5]
        }
    }

    impl Step<3> for Turn {
        fn step(&self, y: [f32; 3]) -> [f32; 3] {
            [y[1], y[2], y[0]]
        }
    }

    trait Weigh<T, const K: usize> {
        fn weigh(&self, x: [T; K]) -> T;
    }

    impl<const K: usize> Weigh<f32, K> for Euler {
        fn weigh(&self, x: [f32; K]) -> f32 {
            x.iter().sum::<f32>() * self.0
        }
    }

    impl<const K: usize> Weigh<u32, K> for Euler {
        fn weigh(&self, x: [u32; K]) -> u32 {
            x.iter().sum::<u32>() + K as u32
        }
    }

    fn run<S: Step<D>, const D: usize>(stepper: &S, y: [f32; D]) -> [f32; D] {
        stepper.twice(stepper.step(y))
    }

    fn first(stepper: &impl Step<2>, y: [f32; 2]) -> f32 {
        stepper.step(y)[0]
    }

    fn weight<S, const D: usize>(of: &S, x: [u32; D], y: [f32; D]) -> f32
    where
        S: Weigh<u32, D> + Weigh<f32, D>,
    {
        <S as Weigh<u32, D>>::weigh(of, x) as f32 + <S as Weigh<f32, D>>::weigh(of, y)
    }

    pub fn all(i: u32) -> u32 {
        let x = i as f32;
        let two = run(&Turn, [x, 2.0]);
        let three = run(&Turn, [x, 3.0, x / 4.0]);
        let moved = run(&Euler(0.25), [x; 4]);
        let firsts = first(&Turn, two) + first(&Euler(1.5), [moved[3], x]);
        let weights = weight(&Euler(0.5), [i, 3, i % 5], three);
        ((two[1] + firsts) * 64.0) as u32 ^ ((weights + three[0]) * 256.0) as u32
    }
}

all_agree!(traits_with_const_parameters: u32, 40);
