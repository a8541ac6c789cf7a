//! Indices of 64 bits, wherever they can be asked for.

use amp::prelude::*;

const FAR: usize = 1 << 40;

#[amp_fn]
fn of_any_width(x: usize) -> usize {
    x / 2
}

#[amp_fn(index = 64)]
fn of_64_bits(x: usize) -> u32 {
    (x + 8_589_934_592).leading_zeros() + of_any_width(x).rotate_left(3) as u32
}

#[amp_fn(fast_math, index = 32)]
fn of_32_bits(x: f32) -> f32 {
    x * 2.0
}

#[amp_kernel(index = 64, fast_math)]
fn wide(idx: Index<2>, n: usize, a: &ArrayView<f32, 2>, c: &mut ArrayViewMut<f32, 2>) {
    let far = |x: usize| x + FAR;
    let k: isize = -9_223_372_036_854_775_808;
    c[idx] = a[idx] + of_32_bits(of_64_bits(far(n)) as f32) + k.count_zeros() as f32;
}

#[amp_kernel(index = 32)]
fn narrow(idx: Index<1>, c: &mut ArrayViewMut<f32, 1>) {
    c[idx] = of_32_bits(of_any_width(idx[0]) as f32);
}

#[amp_kernel(T = f32 | u32, index = 64)]
fn generic<T: Scalar, const N: usize>(idx: Index<1>, c: &mut ArrayViewMut<T, 1>) {
    let mut last = [0; N];
    last[idx[0] % N] = usize::MAX;
    c[idx] = T::from_usize(last[0] >> 60);
}

#[amp_module]
mod module {
    use amp::prelude::*;

    #[amp_fn(index = 64, fast_math)]
    pub fn high(x: usize) -> u32 {
        x.trailing_zeros()
    }

    #[amp_kernel(index = 64)]
    pub fn kernel(t_idx: TiledIndex<1, 8>, c: &mut ArrayViewMut<u32, 1>) {
        c[t_idx] = high(t_idx.global[0] << 33);
    }
}

#[amp_kernel(index = 64)]
fn of_elsewhere(idx: Index<1>, c: &mut ArrayViewMut<u32, 1>) {
    c[idx] = module::high(idx[0]);
}

fn main() -> amp::Result<()> {
    let mut c = Array::<u32, 1>::zeroed(8)?;
    let n = FAR;
    parallel_for_each(8, generic::<u32, 4>(&mut c))?;
    parallel_for_each(8, of_elsewhere(&mut c))?;
    parallel_for_each(c.extent().tile::<8>(), module::kernel(&mut c))?;
    parallel_for_each(
        8,
        kernel!(index = 64, |idx: Index<1>| [c: &mut ArrayViewMut<u32, 1>, n: usize] {
            c[idx] = (n >> 40) as u32;
        }),
    )?;
    assert_eq!(c.to_vec()?, [1; 8]);
    Ok(())
}
