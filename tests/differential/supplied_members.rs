//! What a trait supplies where its functions have bounds of their own, where the trait has const parameters, and
//! where it has functions by the names of those of its supertraits; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    pub trait Ode {
        type State;

        fn rate(&self, y: Self::State) -> Self::State;

        fn twice(&self, y: Self::State) -> Self::State
        where
            Self::State: Copy,
        {
            let _ = self.rate(y);
            self.rate(self.rate(y))
        }
    }

    pub struct Decay(u32);

    impl Ode for Decay {
        type State = u32;

        fn rate(&self, y: u32) -> u32 {
            y.wrapping_mul(self.0) + 1
        }
    }

    pub trait System<const D: usize, const H: u32 = 2> {
        const WEIGHTS: [u32; D] = [H + D as u32; D];

        fn rate(&self, y: &[u32; D]) -> [u32; D];

        fn step(&self, y: [u32; D]) -> [u32; D] {
            assert!(D > 0, "no dimensions: {}", D);
            let rate = self.rate(&y);
            std::array::from_fn(|i| y[i] + H * rate[i])
        }

        fn sum(&self, x: u32) -> u32 {
            let mut sum = H;
            for i in 0..D {
                sum += self.step([x; D])[i] * Self::WEIGHTS[D - 1 - i];
            }
            sum
        }
    }

    pub struct Line(u32);

    impl System<2> for Line {
        fn rate(&self, &[x, y]: &[u32; 2]) -> [u32; 2] {
            [x * self.0, y + x]
        }
    }

    pub struct Still<const N: usize>([u32; N]);

    impl<const N: usize> System<N, 5> for Still<N> {
        fn rate(&self, y: &[u32; N]) -> [u32; N] {
            std::array::from_fn(|i| y[i] + self.0[i])
        }
    }

    pub trait Symbol: Copy + Ord {
        fn clone(self) -> Self;
        fn eq(self, other: Self) -> u32;

        fn cmp(self) -> u32 {
            3
        }
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Letter(u32);

    impl Symbol for Letter {
        fn clone(self) -> Letter {
            Letter(self.0 + 1)
        }

        fn eq(self, other: Self) -> u32 {
            self.0 * other.0
        }
    }

    fn symbols<S: Symbol>(s: S) -> u32 {
        Symbol::eq(Symbol::clone(s), s) + Symbol::cmp(s)
    }

    pub fn all(x: u32) -> u32 {
        let of_traits = Decay(x).twice(3) + symbols(Letter(x));
        of_traits + Line(x).sum(x) + Still([x, 1, 2]).sum(3)
    }
}

all_agree!(supplied_members_are_those_of_the_block: u32, 20);
