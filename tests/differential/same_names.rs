//! Modules of one file whose items have the same names: each has its own constants, lengths and structs.

use amp::prelude::*;
use testkit::{gives, launch};

#[amp_module]
mod a {
    pub const N: usize = 3;
    pub const TABLE: [u32; N] = [1, 2, 3];

    pub struct P {
        pub v: [u32; N],
    }

    impl P {
        pub fn sum(&self) -> u32 {
            self.v.iter().sum()
        }
    }

    pub fn same(x: u32) -> u32 {
        TABLE[x as usize % N] + x
    }

    pub fn repeated(x: u32) -> u32 {
        let mut v = [x; N];
        v[N - 1] += 1;
        v.iter().sum::<u32>() + N as u32
    }
}

#[amp_module]
mod b {
    pub const N: usize = 5;
    pub const TABLE: [[u32; 2]; N] = [[1, 7]; N];

    pub struct P {
        pub v: [u32; N],
    }

    impl P {
        pub fn sum(&self) -> u32 {
            self.v.iter().sum::<u32>() * 2
        }
    }

    pub fn same(x: u32) -> u32 {
        TABLE[x as usize % N][1] + x
    }

    pub fn repeated(x: u32) -> u32 {
        let mut v = [x; N];
        v[N - 1] += 2;
        v.iter().sum::<u32>() + N as u32
    }

    pub fn across(x: u32) -> u32 {
        same(x) * 10 + super::a::same(x) + super::a::N as u32 * 100
    }
}

mod narrow {
    use amp::prelude::*;

    type Cut = u8;

    #[amp_fn]
    pub fn cut(x: u32) -> u32 {
        (x * 100) as Cut as u32
    }
}

mod wide {
    use amp::prelude::*;

    type Cut = u16;

    #[amp_fn]
    pub fn cut(x: u32) -> u32 {
        (x * 10_000) as Cut as u32
    }
}

const N: usize = 7;

#[amp_fn]
fn same(x: u32) -> u32 {
    x + N as u32
}

#[amp_fn]
fn all(x: u32) -> u32 {
    let sums = a::P { v: [x; a::N] }.sum() + b::P { v: [x; b::N] }.sum();
    let own = same(x) * 10_000 + a::same(x) * 100_000 + b::same(x) * 1_000_000;
    let cut = narrow::cut(x) + wide::cut(x);
    a::repeated(x) + b::repeated(x) * 100 + own + b::across(x) + sums + cut
}

fn expected(x: u32) -> u32 {
    let table = 1 + x % 3;
    let repeated = (3 * x + 4) + (5 * x + 7) * 100;
    let own = (x + 7) * 10_000 + (table + x) * 100_000 + (7 + x) * 1_000_000;
    let cut = x * 100 % 256 + x * 10_000 % 65_536;
    repeated + own + (7 + x) * 10 + table + x + 300 + 3 * x + 10 * x + cut
}

#[amp_kernel]
fn of_both(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = all(idx[0] as u32);
}

#[test]
fn each_module_has_its_own() {
    let expected: Vec<u32> = (0..40).map(expected).collect();
    gives(&expected, |view, out| {
        launch(view, out.extent(), of_both(out))
    });
}
