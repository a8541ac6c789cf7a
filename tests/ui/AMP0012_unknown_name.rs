//! Names that are not in scope, or that kernels cannot see (C++ AMP §2.4.3.2).

use amp::prelude::*;

static FACTOR: f32 = 2.0;
static mut COUNTER: i32 = 0;

thread_local!(static LOCAL: f32 = const { 1.0 });

#[amp_kernel]
fn names(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = factor;
    {
        let inner = 1.0;
    }
    c[idx] = inner;
    missing = 1.0;
    c[idx] = c[missing_index];
    for i in 0..4 {}
    c[i] = 1.0;
}

#[amp_kernel]
fn statics(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = FACTOR;
}

#[amp_kernel]
fn mutable_statics(idx: Index<1>, c: &mut ArrayViewMut<i32, 1>) {
    c[idx] = COUNTER;
}

#[amp_kernel]
fn thread_locals(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = LOCAL.get();
}

#[amp_module]
mod sums {
    static TABLE: [u32; 2] = [1, 2];

    pub struct Sum(u32);

    impl Sum {
        pub fn add(&mut self, x: &[u32]) {
            self.0 = x.iter().fold(self.0, |sum, &x| sum + TABLE[x as usize]);
        }
    }
}

fn main() {}
