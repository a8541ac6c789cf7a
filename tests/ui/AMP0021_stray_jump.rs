//! `break` and `continue` with nothing to leave.

use amp::prelude::*;

#[amp_kernel]
fn jumps(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>, n: u32) {
    break;
    continue;
    break 'outer;
    'outer: for i in 0..n {
        continue 'inner;
    }
    continue 'outer;
    'block: {
        continue 'block;
    }
    for i in 0..n {
        break i;
    }
    while n > 1 {
        break n;
    }
    'named: {
        break;
    }
    c[idx] = 1.0;
}

fn main() {}
