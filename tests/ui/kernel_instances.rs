//! Kernels with type parameters, called with types that they do not list.

use amp::prelude::*;

#[amp_kernel(T = f32 | i32)]
fn axpy<T: Scalar>(idx: Index<1>, a: T, x: &ArrayView<T, 1>, y: &mut ArrayViewMut<T, 1>) {
    y[idx] += a * x[idx];
}

#[amp_kernel(T = f32, U = f32)]
fn unknown<T: Scalar>(idx: Index<1>, y: &mut ArrayViewMut<T, 1>) {
    y[idx] = T::ZERO;
}

#[amp_kernel(T = bool | Vec<f32>)]
fn unfit<T: Scalar>(idx: Index<1>, a: T, y: &mut ArrayViewMut<f32, 1>) {
    y[idx] = 1.0;
}

#[amp_kernel(T = f32 | i32)]
fn wrong<T: Scalar>(idx: Index<1>, y: &mut ArrayViewMut<T, 1>) {
    y[idx] = y[idx] & T::ONE;
}

/// A kernel of a block.
struct Line;

impl Line {
    #[amp_kernel(T = f32 | i32, instances = Scale)]
    fn scale<T: Scalar>(idx: Index<1>, by: T, y: &mut ArrayViewMut<T, 1>) {
        y[idx] *= by;
    }
}

fn main() {
    let x = ArrayView::new(2, &[1_u32, 2]).unwrap();
    let mut y = ArrayViewMut::<u32, 1>::uninit(2).unwrap();
    axpy(2_u32, &x, &mut y);
    let mut z = ArrayViewMut::<f32, 1>::uninit(2).unwrap();
    axpy(2.0, &x, &mut z);
}
