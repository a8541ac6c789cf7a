//! One attribute makes an item one of kernels: a second one is an error, and the only one.

use amp::prelude::*;

#[amp_kernel]
#[amp_kernel]
fn twice_a_kernel(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = 1.0;
}

#[amp_fn]
#[amp::amp_kernel(fast_math)]
fn helper_and_kernel(x: f32) -> f32 {
    x
}

#[amp_struct]
#[amp_struct]
struct Twice {
    x: f32,
}

#[amp_enum]
#[amp_enum]
enum Two {
    One,
    Other,
}

#[amp_module]
mod module {
    #[amp_fn]
    #[amp_fn]
    pub fn doubled(x: f32) -> f32 {
        2.0 * x
    }
}

/// What is refused is there all the same.
fn main() -> amp::Result<()> {
    let mut c = Array::<f32, 1>::zeroed(4)?;
    parallel_for_each(4, twice_a_kernel(&mut c))?;
    println!("{} {}", helper_and_kernel(1.0), module::doubled(1.0));
    let twice = Twice { x: 1.0 };
    println!("{}", twice.x);
    Ok(())
}
