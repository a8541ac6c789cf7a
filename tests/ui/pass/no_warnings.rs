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

    #[amp_kernel(T = u32 | f32, instances = Add)]
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

mod helpers {
    use amp::{ArrayView, ArrayViewMut, Index, amp_fn};

    #[amp_fn]
    pub fn read(a: &ArrayView<f32, 1>, idx: Index<1>) -> f32 {
        a[idx]
    }

    #[amp_fn]
    pub fn put(a: &mut ArrayViewMut<f32, 1>, at: usize, value: f32) {
        a[at] = value;
    }

    pub mod nested {
        use amp::prelude::*;

        #[amp_fn]
        pub fn last(a: &ArrayView<f32, 1>) -> f32 {
            a[a.extent()[0] - 1]
        }
    }
}

#[amp::amp_module]
mod methods {
    use amp::{ArrayView, ArrayViewMut};

    pub struct Scaled {
        pub by: f32,
    }

    impl Scaled {
        pub fn read(self, a: &ArrayView<f32, 1>) -> f32 {
            self.by * a[0]
        }

        pub fn put(self, a: &mut ArrayViewMut<f32, 1>) {
            a[0] = self.by;
        }
    }
}

mod outer {
    #[amp::amp_module]
    pub mod glob {
        use amp::prelude::*;

        pub struct Shifted {
            pub by: f32,
        }

        impl Shifted {
            pub fn read(self, a: &ArrayView<f32, 1>) -> f32 {
                self.by + a[0]
            }
        }
    }
}

mod atomics {
    use amp::{ArrayViewMut, Index, amp_kernel, atomic_fetch_add};

    #[amp_kernel]
    pub fn count(idx: Index<1>, sums: &mut ArrayViewMut<u32, 1>) {
        atomic_fetch_add(&mut sums[idx[0] / 2], 1);
    }
}

mod guards {
    use amp::{ArrayView, ArrayViewMut, Index, amp_fn, amp_kernel};

    #[amp_fn]
    fn last_run(runs: &mut [(u32, u32)], value: u32) -> u32 {
        match runs.last_mut() {
            Some((last, count)) if *last == value => *count += 1,
            Some((last, _)) => *last = value,
            None => {}
        }
        match runs {
            [(first, _), .., (last, count)] if first == last => *count,
            [(first, _), ..] => *first,
            [] => 0,
        }
    }

    #[amp_kernel]
    pub fn runs(idx: Index<1>, a: &ArrayView<f32, 1>, sums: &mut ArrayViewMut<u32, 1>) {
        let mut runs = [(3, 1), (a[idx] as u32, 1)];
        sums[idx] = last_run(&mut runs, 0);
    }
}

mod callers {
    use super::{
        helpers::nested::last, helpers::put, helpers::read, methods::Scaled, outer::glob::Shifted,
    };
    use amp::{ArrayView, ArrayViewMut, Index, amp_kernel};

    #[amp_kernel]
    pub fn call(idx: Index<1>, a: &ArrayView<f32, 1>, b: &mut ArrayViewMut<f32, 1>) {
        let scaled = Scaled { by: 2.0 };
        let shifted = Shifted { by: 1.0 };
        scaled.put(b);
        let sum = read(a, idx) + last(a) + scaled.read(a) + shifted.read(a);
        put(b, idx[0], sum);
    }
}

mod defaults {
    use amp::{ArrayViewMut, Index, amp_kernel, amp_module};

    #[amp_module]
    mod values {
        pub fn first(x: u32) -> u32 {
            let mut found = if x > 3 { Some(x) } else { None };
            *found.get_or_insert_with(|| x * 2)
        }
    }

    #[amp_kernel]
    pub fn firsts(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
        out[idx] = values::first(idx[0] as u32);
    }
}

fn main() -> amp::Result<()> {
    let a = Array::<f32, 1>::zeroed(4)?;
    let mut b = Array::<f32, 1>::zeroed(4)?;
    parallel_for_each(4, views::copy(&a, &mut b))?;
    let tiles = Extent::new([4]).tile::<4>();
    parallel_for_each(tiles, tiles::fill(&mut b))?;
    parallel_for_each(4, instances::add::<3, f32>(&a, &mut b))?;
    parallel_for_each(4, module::double(&mut b))?;
    parallel_for_each(4, callers::call(&a, &mut b))?;
    let mut sums = Array::<u32, 1>::zeroed(2)?;
    parallel_for_each(4, atomics::count(&mut sums))?;
    assert_eq!(sums.to_vec()?, [2, 2]);
    parallel_for_each(2, guards::runs(&a, &mut sums))?;
    assert_eq!(sums.to_vec()?, [3, 3]);
    parallel_for_each(2, defaults::firsts(&mut sums))?;
    assert_eq!(sums.to_vec()?, [0, 2]);
    Ok(())
}
