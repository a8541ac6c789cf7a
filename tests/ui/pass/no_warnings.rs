//! What kernels need is not unnecessary: neither an import nor a brace gives a warning.

#![deny(warnings)]

use amp::{Array, Extent, parallel_for_each};

mod views {
    use amp::{ArrayView, ArrayViewMut, Index, amp_kernel};

    #[amp_kernel]
    pub fn copy(idx: Index<1>, a: &ArrayView<f32, 1>, b: &mut ArrayViewMut<f32>) {
        b[idx] = a[idx];
    }
}

mod tiles {
    use amp::{ArrayViewMut, TiledIndex, amp_kernel};

    const B: usize = 2;

    #[amp_kernel]
    pub fn fill(t_idx: TiledIndex<1, { 2 * B }>, a: &mut ArrayViewMut<f32, 1>) {
        a[t_idx.global] = 1.0;
    }
}

mod instances {
    use amp::{ArrayView, ArrayViewMut, Index, Scalar, amp_kernel};

    #[amp_kernel(T = u32 | f32)]
    pub fn add<const N: usize, T: Scalar>(
        idx: Index<1>,
        a: &ArrayView<T, 1>,
        b: &mut ArrayViewMut<T, 1>,
    ) {
        b[idx] = a[idx] + a[N];
    }
}

#[amp::amp_module]
mod module {
    use amp::prelude::*;

    #[amp_kernel]
    pub fn double(idx: Index<1>, a: &mut ArrayViewMut<f32, 1>) {
        a[idx] = 2.0 * a[idx];
    }
}

fn main() -> amp::Result<()> {
    let a = Array::<f32, 1>::zeroed(4)?;
    let mut b = Array::<f32, 1>::zeroed(4)?;
    parallel_for_each(4, views::copy(&a, &mut b))?;
    let tiles = Extent::new([4]).tile::<4>();
    parallel_for_each(tiles, tiles::fill(&mut b))?;
    parallel_for_each(4, instances::add::<3, f32>(&a, &mut b))?;
    parallel_for_each(4, module::double(&mut b))
}
