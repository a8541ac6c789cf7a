//! Generic functions of the host that launch kernels with type parameters, by the traits that the
//! kernels' attributes name, on every accelerator.

use amp::prelude::*;
use amp_test_helpers::generic::{Blend, blend};
use testkit::{Same, becomes, input, launch};

mod kernels {
    use std::ops::Neg;

    // Not the prelude: an instance needs nothing that the kernel does not name.
    use amp::{ArrayView, ArrayViewMut, Index, Scalar, TiledIndex, amp_kernel};

    #[amp_kernel(T = f32 | i32 | u32, instances = Scale)]
    pub fn scale<T: Scalar>(idx: Index<1>, by: T, x: &mut ArrayViewMut<T, 1>) {
        x[idx] *= by;
    }

    #[amp_kernel(T = i32 | f32, instances = Reflect)]
    pub(super) fn reflect<T>(idx: Index<1>, at: T, x: &mut ArrayViewMut<T, 1>)
    where
        T: Scalar + Neg<Output = T>,
    {
        let turned: T = -x[idx];
        x[idx] = turned + at + at;
    }

    #[amp_kernel(T = f32 | i32, U = i32 | u32, instances = TileSums)]
    pub fn tile_sums<T, const N: usize, U: Scalar>(
        t_idx: TiledIndex<1, N>,
        x: &ArrayView<T, 1>,
        y: &mut ArrayViewMut<U, 1>,
    ) where
        T: Scalar,
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

use kernels::{Scale, scale};

fn scaled<T: Scale>(
    view: &AcceleratorView,
    by: T,
    x: &mut ArrayViewMut<'_, T, 1>,
) -> amp::Result<()> {
    launch(view, x.extent(), scale(by, x))
}

#[test]
fn one_parameter() {
    becomes(
        [3],
        &[1.5, -2.0, 1.0e10],
        &[3.75, -5.0, 2.5e10],
        |view, out| scaled(view, 2.5, out),
    );
    let expected = [i32::MAX.wrapping_mul(7), -35];
    becomes([2], &[i32::MAX, -5], &expected, |view, out| {
        scaled(view, 7, out)
    });
    becomes([1], &[9_u32], &[63], |view, out| scaled(view, 7, out));
    // A type that the call tells.
    becomes([1], &[9_u32], &[63], |view, out| {
        launch(view, 1, scale(7, out))
    });
}

/// Two kernels, of which one does not have all types of the other.
fn mirrored<T: kernels::Reflect + Scale + Same>(before: &[T], by: T, expected: &[T]) {
    becomes([before.len()], before, expected, |view, out| {
        scaled(view, by, out)?;
        launch(view, before.len(), kernels::reflect(by, out))
    });
}

#[test]
fn two_kernels() {
    let before = [0.1_f32, f32::MAX, -3.5];
    mirrored(&before, 1.5, &before.map(|x| -(x * 1.5) + 1.5 + 1.5));
    let reflected = |x: i32| x.wrapping_mul(3).wrapping_neg().wrapping_add(6);
    let before = [1, i32::MAX, i32::MIN];
    mirrored(&before, 3, &before.map(reflected));
}

fn sums<A: kernels::TileSums<B>, B: Scalar + Same>(x: &[A], expected: &[B]) {
    let before = vec![B::ZERO; x.len()];
    becomes([x.len()], &before, expected, |view, out| {
        let tiles = out.extent().tile::<4>();
        launch(view, tiles, kernels::tile_sums::<A, 4, B>(&input(x), out))
    });
}

#[test]
fn two_parameters_and_a_length() {
    sums(&[0.5, 1.0, 1.5, 2.0], &[9_u32; 4]);
    sums(&[0.5, 1.0, 1.5, 2.0], &[9_i32; 4]);
    sums(&[-1, -2, -3, -4], &[-6_i32; 4]);
    sums(&[1, 2, 3, 4], &[14_u32; 4]);
}

/// A kernel of another crate.
fn blended<T: Blend + Same>(a: &[T], b: &[T], t: T, expected: &[T]) {
    becomes([a.len()], b, expected, |view, out| {
        launch(view, a.len(), blend(&input(a), out, t))
    });
}

#[test]
fn of_another_crate() {
    use amp_test_helpers::generic::mixed;
    let (a, b) = ([1.5, -2.0], [0.25, 8.0]);
    let expected = [mixed(a[0], b[0], 0.5), mixed(a[1], b[1], 0.5)];
    blended(&a, &b, 0.5_f32, &expected);
    let (a, b) = ([15, i32::MAX], [25, 8]);
    let expected = [mixed(a[0], b[0], 3), mixed(a[1], b[1], 3)];
    blended(&a, &b, 3, &expected);
}

#[amp_module]
mod cells {
    use amp::prelude::*;

    #[derive(Debug, PartialEq)]
    pub struct Warm {
        pub heat: f32,
    }

    #[derive(Debug, PartialEq)]
    pub struct Cold {
        pub heat: i32,
        pub depth: i32,
    }

    pub trait Cell {
        fn warmed(self) -> Self;
    }

    impl Cell for Warm {
        fn warmed(self) -> Self {
            Self {
                heat: self.heat * 2.0,
            }
        }
    }

    impl Cell for Cold {
        fn warmed(self) -> Self {
            Self {
                heat: self.heat + 1,
                ..self
            }
        }
    }

    /// Structs of the module as instances.
    #[amp_kernel(T = Warm | Cold, instances = Warmable)]
    pub fn warm<T: Cell + amp::Element>(idx: Index<1>, cells: &mut ArrayViewMut<T, 1>) {
        cells[idx] = cells[idx].warmed();
    }
}

impl Same for cells::Warm {
    fn same(&self, other: &Self) -> bool {
        self.heat.same(&other.heat)
    }
}

impl Same for cells::Cold {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

fn warmed<T: cells::Warmable + Same>(before: &[T], expected: &[T]) {
    becomes([before.len()], before, expected, |view, out| {
        launch(view, before.len(), cells::warm(out))
    });
}

#[test]
fn of_a_module() {
    use cells::{Cold, Warm};
    warmed(&[Warm { heat: 1.5 }], &[Warm { heat: 3.0 }]);
    let cold = |heat| Cold { heat, depth: 3 };
    warmed(&[cold(4), cold(-1)], &[cold(5), cold(0)]);
}

/// A kernel of the function that launches it, whose trait is one of the function.
#[test]
fn in_a_function() {
    #[amp_kernel(T = i32 | f32, instances = Double)]
    fn double<T: Scalar>(idx: Index<1>, out: &mut ArrayViewMut<T, 1>) {
        out[idx] += out[idx];
    }
    fn doubled<T: Double + Same>(before: &[T], expected: &[T]) {
        becomes([before.len()], before, expected, |view, out| {
            launch(view, before.len(), double(out))
        });
    }
    doubled(&[1, -2], &[2, -4]);
    doubled(&[0.5], &[1.0]);
}
