//! Kernels with type parameters: the instance is the one of the types that it is called
//! with, on every accelerator.

use amp::prelude::*;
use amp_test_helpers::generic::mixed;
use testkit::{becomes, input, launch};

mod kernels {
    // Not the prelude: an instance needs nothing that the kernel does not name.
    use amp::{ArrayView, ArrayViewMut, Index, Scalar, TiledIndex, amp_kernel};

    const SCALE: usize = 3;

    /// `a * x + y` of any number.
    #[amp_kernel(T = f32 | i32 | u32)]
    pub fn axpy<T: Scalar>(idx: Index<1>, a: T, x: &ArrayView<T, 1>, y: &mut ArrayViewMut<T, 1>) {
        y[idx] = a * x[idx] + y[idx] * T::from_usize(SCALE) / T::ONE;
    }

    #[amp_kernel(T = f32 | i32, U = i32 | u32)]
    pub(super) fn tile_sums<T, U, const N: usize>(
        t_idx: TiledIndex<1, N>,
        x: &ArrayView<T, 1>,
        y: &mut ArrayViewMut<U, 1>,
    ) where
        T: Scalar,
        U: Scalar,
    {
        #[tile_static]
        let mut cells: [T; N];
        cells[t_idx.local[0]] = x[t_idx];
        t_idx.barrier.wait();
        let mut sum: T = T::ZERO;
        for x in cells {
            sum += x;
        }
        y[t_idx] = U::from_i32(sum.to_i32()) + U::from_usize(N);
    }
}

use kernels::{axpy, tile_sums};

#[test]
fn one_parameter() {
    let x = [1.5, -2.0, 1.0e10];
    becomes([3], &[0.5, 1.0, 2.0], &[4.5, -1.0, 2.0e10], |view, out| {
        launch(view, 3, axpy(2.0, &input(&x), out))
    });
    let x = [i32::MAX, -5, 3];
    let expected = [i32::MAX.wrapping_mul(7) + 3, -32, 36];
    becomes([3], &[1, 1, 5], &expected, |view, out| {
        launch(view, 3, axpy(7, &input(&x), out))
    });
    let x = [u32::MAX, 5];
    becomes([2], &[1, 2], &[1, 16], |view, out| {
        launch(view, 2, axpy(2, &input(&x), out))
    });
}

#[test]
fn two_parameters_and_a_length() {
    let x: Vec<f32> = (0..8).map(|i| i as f32 * 0.5).collect();
    becomes(
        [8],
        &[0_u32; 8],
        &[7, 7, 7, 7, 15, 15, 15, 15],
        |view, out| launch(view, out.extent().tile::<4>(), tile_sums(&input(&x), out)),
    );
    let x: Vec<i32> = (0..8).map(|i| i - 5).collect();
    becomes([8], &[0; 8], &[-7, -7, -3, -3, 1, 1, 5, 5], |view, out| {
        launch(
            view,
            out.extent().tile::<2>(),
            tile_sums::<i32, _, 2>(&input(&x), out),
        )
    });
}

/// A kernel of the function that launches it.
fn doubled(view: &AcceleratorView, out: &mut ArrayViewMut<'_, i32, 1>) -> amp::Result<()> {
    #[amp_kernel(T = i32)]
    fn double<T: Scalar>(idx: Index<1>, out: &mut ArrayViewMut<T, 1>) {
        let one: T = T::ONE;
        out[idx] = mixed(out[idx], one + one, out[idx]);
    }
    launch(view, 3, double(out))
}

#[test]
fn in_a_function() {
    let expected = [1, 2, 5].map(|x| mixed(x, 2, x));
    becomes([3], &[1, 2, 5], &expected, doubled);
}
