//! Values without a place, borrowed to be written: `Rng::new(seed).next()`, `fill(&mut [x; 3])`.

use amp::prelude::*;
use testkit::twice;

#[amp_struct]
struct Rng {
    state: u32,
}

#[amp_fn]
impl Rng {
    fn new(state: u32) -> Self {
        Rng { state }
    }

    fn next(&mut self) -> u32 {
        self.state = self.state.wrapping_mul(747_796_405).wrapping_add(7);
        self.state ^ (self.state >> 7)
    }

    fn skipped(mut self, n: u32) -> Self {
        for _ in 0..n {
            self.next();
        }
        self
    }

    fn seeded(&mut self, seed: u32) -> &mut Self {
        self.state ^= seed;
        self
    }

    fn with(&mut self, other: &mut Rng) -> u32 {
        self.next() ^ other.next()
    }
}

#[amp_fn]
fn tripled(all: &mut [u32; 3]) -> u32 {
    for x in all.iter_mut() {
        *x = x.wrapping_mul(3);
    }
    all.iter().fold(0, |sum, x| sum ^ x)
}

#[amp_fn]
fn replaced<T: Copy>(place: &mut T, value: T) -> T {
    let old = *place;
    *place = value;
    old
}

twice! {
    borrowed_to_be_written(i: u32) -> u32 = ((0..9).collect(),);
    {
        let mut sum = Rng::new(1).next() ^ Rng { state: i }.next() ^ Rng::new(i).skipped(3).next();
        sum ^= tripled(&mut [i, 2, 3]) ^ tripled(&mut [i; 3]) ^ Rng::new(5).with(&mut Rng::new(i));
        sum ^= replaced(&mut Rng::new(3).next(), 7) ^ Rng::new(9).seeded(i).next();
        // A copy is changed, and not the variable.
        let mut own = Rng::new(77);
        sum ^= own.skipped(2).with(&mut own);
        sum ^ own.state
    }
}
