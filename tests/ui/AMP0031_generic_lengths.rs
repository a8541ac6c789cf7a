//! A local array whose length a const parameter tells: an assertion in the expansion, which rustc
//! evaluates for the instance of the kernel.

use amp::prelude::*;

#[amp_kernel]
fn generic<const N: usize>(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    let x = [1_u32; N];
    c[idx] = x[idx[0]];
}

fn main() -> amp::Result<()> {
    let mut c = ArrayViewMut::uninit(4)?;
    parallel_for_each(4, generic::<32_768>(&mut c))?;
    parallel_for_each(4, generic::<32_769>(&mut c))
}
