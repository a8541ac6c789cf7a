//! Arms that leave values out, and arms that none reaches: rustc says so. Names are those of
//! constants by what they mean, not by case.

use amp::prelude::*;

#[allow(non_upper_case_globals)]
const three: u32 = 3;

#[amp_kernel]
fn left_out(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, n: u32) {
    c[idx] = match n {
        0..=5 => 1,
        7.. => 2,
        x if x == 6 => 3,
    };
    match (n, n > 3) {
        (0, true) if n > 1 => {}
    }
}

#[amp_kernel]
fn small_letters(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, n: u32) {
    c[idx] = match n {
        three => 1,
    };
    let (three, 0) = (n, n) else { return };
}

#[amp_kernel]
fn no_constant(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>, n: u32) {
    c[idx] = match n {
        NAME => 1,
        _ => 2,
    };
}

fn main() {}
