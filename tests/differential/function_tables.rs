//! Tables of functions, of modules and bodies; against the same module as plain Rust.

use amp::prelude::*;

device_and_host! {
    fn halved(x: u32) -> u32 {
        x / 2
    }

    fn sum(x: u32, y: u32) -> u32 {
        x.wrapping_add(y)
    }

    const STEPS: [fn(u32) -> u32; 3] = [halved, u32::count_ones, |x| x ^ 5];
    const PAIRS: &[fn(u32, u32) -> u32] = &[sum, u32::wrapping_sub, u32::wrapping_mul];

    pub struct Machine {
        at: usize,
    }

    impl Machine {
        fn step(&mut self, x: u32, y: u32) -> u32 {
            self.at = (self.at + 1) % PAIRS.len();
            PAIRS[self.at](x, y)
        }
    }

    pub fn all(i: u32) -> u32 {
        let x = i.wrapping_mul(0x9e37_79b9) >> 7;
        let mut total = STEPS[i as usize % 3](x);
        for step in STEPS {
            total = total.wrapping_mul(31) ^ step(total);
        }
        for (k, step) in STEPS.iter().enumerate() {
            if k == i as usize % 3 {
                continue;
            }
            total = total.wrapping_add(step(x) * k as u32);
        }
        let chained = STEPS.iter().fold(x, |acc, step| step(acc) + 9);
        let most = STEPS.iter().map(|step| step(i)).max().unwrap();
        let own: [fn(u32) -> u32; 2] = [|v| v / 3, u32::leading_zeros];
        let pick = own[x as usize % 2];
        let mut machine = Machine { at: i as usize };
        total ^ chained ^ most << 3 ^ pick(x) << 5 ^ pick(i) << 9 ^ machine.step(x, i)
    }
}

all_agree!(functions_are_called_by_their_positions: u32, 60);

#[amp_module]
mod beyond {
    const STEPS: [fn(u32) -> u32; 2] = [|x| x + 3, |x| x * 2];

    pub fn step(k: usize) -> u32 {
        STEPS[k](4)
    }
}

#[amp_kernel]
fn one_that_is_not_there(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = beyond::step(idx[0] + 2);
}

#[test]
fn one_that_is_not_there_is_the_first() {
    testkit::gives_and_faults(&[7], |view, out| {
        testkit::launch(view, 1, one_that_is_not_there(out))
    });
}
