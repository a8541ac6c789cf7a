//! Names for a kernel's instances that something else has, or that are not visible.

use amp::prelude::*;

struct Scale;

#[amp_kernel(T = f32 | i32, instances = Scale)]
fn scale<T: Scalar>(idx: Index<1>, by: T, x: &mut ArrayViewMut<T, 1>) {
    x[idx] *= by;
}

mod kernels {
    use amp::prelude::*;

    #[amp_kernel(T = f32 | i32, instances = Private)]
    fn private<T: Scalar>(idx: Index<1>, x: &mut ArrayViewMut<T, 1>) {
        x[idx] = T::ONE;
    }
}

fn ones<T: kernels::Private>(x: &mut ArrayViewMut<T, 1>) {}

fn main() {}
