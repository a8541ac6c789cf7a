//! A tile whose dimensions are const parameters: the error stands at the call that gives
//! them.

use amp::prelude::*;

#[amp_kernel]
fn generic<const N: usize>(t_idx: TiledIndex<2, N, N>, c: &mut ArrayViewMut<u32, 2>) {
    c[t_idx.global] = 1;
}

fn main() {
    let mut data = [0; 6400];
    let mut c = ArrayViewMut::new([80, 80], &mut data).unwrap();
    let _ = generic::<16>(&mut c);
    let _ = generic::<33>(&mut c);
}
