//! `std::num::Wrapping`: its operators, as a variable, a field, a parameter and an element of an array. Each body as
//! kernel code and as plain Rust.

use std::num::Wrapping;

use amp::prelude::*;
use testkit::{gives, launch, twice};

const NUMBERS: [u32; 8] = [0, 1, 2, 0x8000_0000, 7, u32::MAX, 0x1234_5678, 100];

fn all() -> (Vec<u32>, Vec<u32>) {
    (NUMBERS.repeat(8), NUMBERS.map(|x| [x; 8]).concat())
}

#[amp_struct]
#[derive(Clone, Copy, PartialEq)]
struct Generator {
    state: Wrapping<u32>,
}

#[amp_fn]
impl Generator {
    fn next(&mut self) -> Wrapping<u32> {
        self.state = self.state * Wrapping(1_664_525) + Wrapping(1_013_904_223);
        self.state ^ self.state >> 16
    }
}

#[amp_fn]
fn mixed(x: Wrapping<i32>, by: std::num::Wrapping<i32>) -> Wrapping<i32> {
    let mut y = -x * by - Wrapping(7);
    y += by << 3;
    y -= !x & Wrapping(0x0f0f);
    y *= x | Wrapping(1);
    y <<= 2;
    y ^ x
}

twice! {
    operators(n: u32, m: u32) -> u32 = all();
    {
        let mut generator = Generator { state: Wrapping(n) };
        let mut sum = generator.next() + generator.next();
        sum ^= Wrapping(m) >> (n % 40) as usize;
        let signed = mixed(Wrapping(n as i32), Wrapping(m as i32));
        let small = Wrapping(n as u8) * Wrapping(m as u8) - Wrapping(200);
        let all = [sum, Wrapping(n), Wrapping(m)];
        let mut total: Wrapping<u32> = Wrapping::default();
        for x in all {
            total = total * Wrapping(31) + x;
        }
        if all[(n % 3) as usize] > Wrapping(m) && generator.state != Wrapping(5) {
            total += Wrapping(1);
        }
        total.0 ^ signed.0 as u32 ^ u32::from(small.0) << 8
    }
}

#[amp_kernel]
fn seeded(
    idx: Index<1>,
    seed: Wrapping<u32>,
    generator: Generator,
    out: &mut ArrayViewMut<u32, 1>,
) {
    let mut own = generator;
    own.state += seed * Wrapping(idx[0] as u32);
    out[idx] = own.next().0;
}

#[test]
fn arguments_of_kernels() {
    let (seed, generator) = (
        Wrapping(0x9e37_79b9),
        Generator {
            state: Wrapping(77),
        },
    );
    let expected = (0..40).map(|i| {
        let mut own = generator;
        own.state += seed * Wrapping(i);
        own.next().0
    });
    let expected: Vec<u32> = expected.collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), seeded(seed, generator, out))
    });
}
