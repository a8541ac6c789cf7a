//! An enum whose cases are written as constants are, and that nothing else names, is known.

use amp::prelude::*;

#[amp_enum]
pub enum Side {
    A,
    B,
}

pub struct Limits;

impl Limits {
    pub const MOST: u32 = 3;
}

#[amp_kernel]
fn choose(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let side = if c[idx] > 1 { Side::B } else { Side::A };
    let most: u32 = Limits::MOST;
    c[idx] = most + match side {
        Side::A => 10,
        Side::B => 20,
    };
}

fn main() -> amp::Result<()> {
    let mut c = Array::new(3, &[0_u32, 1, 2])?;
    parallel_for_each(3, choose(&mut c))?;
    assert_eq!(c.to_vec()?, [13, 13, 23]);
    Ok(())
}
