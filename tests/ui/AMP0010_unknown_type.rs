//! Types that nothing determines, or not early enough.

use amp::prelude::*;

const LIMIT: u32 = 4;
const SIGNED: i32 = -4;
const ROUNDS: u32 = 4;
const MORE: u8 = 4;

#[amp_kernel]
fn unknown(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    let unused;
    let a = 2.pow(3);
    let b = 2.0.sqrt();
    let d;
    c[idx] = d[0];
    let e;
    c[idx] = e.x;
    let f;
    c[idx] = f.abs();
    let g = amp_test_helpers::plain::LENGTH;
    let h = amp_test_helpers::plain::LENGTH + amp_test_helpers::plain::LENGTH;
    let i = SIGNED as u32;
    let j = (SIGNED + 1) as u32;
    for n in 0..ROUNDS {
        c[idx] += n as f32;
    }
    for _ in 0..MORE - 1 {
        c[idx] += 1.0;
    }
    let later = [1.0_f32; 2];
    let block = const { 1 + 1 };
}

fn main() {}
