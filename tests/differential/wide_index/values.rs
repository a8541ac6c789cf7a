//! Operators, methods, casts, constants and parameters.

use amp::prelude::*;
use testkit::{becomes, gives, launch, table, twice};

use super::pairs;

table! {
    #[index = 64]
    operators(x: u64, y: u64) -> u64 = pairs();
    (x as usize + y as usize) as u64 => x.wrapping_add(y);
    (x as usize - y as usize) as u64 => x.wrapping_sub(y);
    (x as usize * y as usize) as u64 => x.wrapping_mul(y);
    (x as usize / (y as usize | 1)) as u64 => x / (y | 1);
    (x as usize % (y as usize | 1)) as u64 => x % (y | 1);
    (x as usize & y as usize) as u64 => x & y;
    (x as usize | y as usize) as u64 => x | y;
    (x as usize ^ y as usize) as u64 => x ^ y;
    (!(x as usize)) as u64 => !x;
    ((x as usize) << (y as usize)) as u64 => x.wrapping_shl(y as u32);
    (x as usize >> (y as usize)) as u64 => x.wrapping_shr(y as u32);
    ((x as usize) < y as usize) as u64 => u64::from(x < y);
    (x as usize <= y as usize) as u64 => u64::from(x <= y);
    (x as usize == y as usize) as u64 => u64::from(x == y);
    (x as usize != y as usize) as u64 => u64::from(x != y);
    (x as usize > 4_294_967_296) as u64 => u64::from(x > 4_294_967_296);
    (x as usize + 18_446_744_073_709_551_615) as u64 => x.wrapping_sub(1);
    (x as usize).min(y as usize) as u64 => x.min(y);
    (x as usize).max(y as usize) as u64 => x.max(y);
    (x as usize).abs_diff(y as usize) as u64 => x.abs_diff(y);
    (x as usize).clamp(5, 1 << 40) as u64 => x.clamp(5, 1 << 40);
    (x as usize).pow(3) as u64 => x.wrapping_pow(3);
    (x as usize).wrapping_pow(y as u32 & 31) as u64 => x.wrapping_pow(y as u32 & 31);
    (x as usize).wrapping_add(y as usize) as u64 => x.wrapping_add(y);
    (x as usize).wrapping_sub(y as usize) as u64 => x.wrapping_sub(y);
    (x as usize).wrapping_mul(y as usize) as u64 => x.wrapping_mul(y);
    (x as usize).wrapping_neg() as u64 => x.wrapping_neg();
    (x as usize).wrapping_shl(y as u32) as u64 => x.wrapping_shl(y as u32);
    (x as usize).wrapping_shr(y as u32) as u64 => x.wrapping_shr(y as u32);
    (x as usize).is_power_of_two() as u64 => u64::from(x.is_power_of_two());
    (x as usize).div_ceil(y as usize | 1) as u64 => x.div_ceil(y | 1);
    (x as usize).rem_euclid(y as usize | 1) as u64 => x.rem_euclid(y | 1);
    (x as usize).count_ones() as u64 => x.count_ones().into();
    (x as usize).count_zeros() as u64 => x.count_zeros().into();
    (x as usize).leading_zeros() as u64 => x.leading_zeros().into();
    (x as usize).trailing_zeros() as u64 => x.trailing_zeros().into();
    (x as usize).leading_ones() as u64 => x.leading_ones().into();
    (x as usize).trailing_ones() as u64 => x.trailing_ones().into();
    (x as usize).reverse_bits() as u64 => x.reverse_bits();
    (x as usize).swap_bytes() as u64 => x.swap_bytes();
    (x as usize).rotate_left(y as u32) as u64 => x.rotate_left(y as u32);
    (x as usize).rotate_right(y as u32) as u64 => x.rotate_right(y as u32);
    usize::rotate_left(x as usize, 13) as u64 => x.rotate_left(13);
}

table! {
    #[index = 64]
    signed(x: u64, y: u64) -> i64 = pairs();
    (x as isize + y as isize) as i64 => (x as i64).wrapping_add(y as i64);
    (x as isize - y as isize) as i64 => (x as i64).wrapping_sub(y as i64);
    (x as isize * y as isize) as i64 => (x as i64).wrapping_mul(y as i64);
    (x as isize).wrapping_div(y as isize | 1) as i64 => (x as i64).wrapping_div(y as i64 | 1);
    (x as isize).wrapping_rem(y as isize | 1) as i64 => (x as i64).wrapping_rem(y as i64 | 1);
    (-(x as isize)) as i64 => (x as i64).wrapping_neg();
    (!(x as isize)) as i64 => !(x as i64);
    (x as isize >> (y as u32)) as i64 => (x as i64).wrapping_shr(y as u32);
    ((x as isize) << (y as u32)) as i64 => (x as i64).wrapping_shl(y as u32);
    ((x as isize) < y as isize) as i64 => i64::from((x as i64) < y as i64);
    (x as isize).abs() as i64 => (x as i64).wrapping_abs();
    (x as isize).signum() as i64 => (x as i64).signum();
    (x as isize).min(y as isize) as i64 => (x as i64).min(y as i64);
    (x as isize).unsigned_abs() as i64 => (x as i64).unsigned_abs() as i64;
    (x as isize).leading_zeros() as i64 => (x as i64).leading_zeros().into();
    (x as isize).rotate_left(y as u32) as i64 => (x as i64).rotate_left(y as u32);
    (x as isize).rem_euclid(y as isize & 0xffff | 1) as i64
        => (x as i64).rem_euclid(y as i64 & 0xffff | 1);
    (x as isize + -9_223_372_036_854_775_808) as i64 => (x as i64).wrapping_add(i64::MIN);
}

table! {
    #[index = 64]
    casts(x: u64) -> u64 = (pairs().0,);
    x as usize as u32 as u64 => u64::from(x as u32);
    x as u32 as usize as u64 => u64::from(x as u32);
    x as i32 as usize as u64 => x as i32 as u64;
    x as usize as i32 as u64 => x as i32 as u64;
    x as u8 as usize as u64 => u64::from(x as u8);
    x as i8 as isize as u64 => x as i8 as u64;
    x as usize as i16 as u64 => x as i16 as u64;
    x as usize as isize as i64 as u64 => x;
    x as usize as f32 as u64 => x as f32 as u64;
    x as f32 as usize as u64 => x as f32 as u64;
    (-(x as f32)) as usize as u64 => 0;
    (-(x as f32)) as isize as u64 => (-(x as f32)) as i64 as u64;
    x as isize as f32 as isize as u64 => x as i64 as f32 as i64 as u64;
    (x > 7) as usize as u64 => u64::from(x > 7);
}

twice! {
    #[index = 64]
    matches_of_wide_numbers(x: u64) -> u32 = (pairs().0,);
    {
        match x as usize {
            0 => 1,
            4_294_967_296 => 2,
            0xffff_ffff | 0x1234_5678_9abc_def0 => 3,
            1..=64 => 4,
            9_223_372_036_854_775_808.. => 5,
            _ => 6,
        }
    }
}

const FAR: usize = 5 << 33;
const BACK: isize = -(3 << 40);
const SIZE: usize = 6;

#[amp_fn(index = 64)]
fn helper_constant(x: u32) -> usize {
    const STEP: usize = 1 << 36;
    x as usize * STEP
}

#[amp_fn]
fn either_width(x: usize, times: usize) -> usize {
    x * times + 1
}

#[amp_kernel(index = 64)]
fn constants(idx: Index<1>, out: &mut ArrayViewMut<u64, 1>) {
    let i = idx[0];
    let mut table = [0; SIZE];
    for k in 0..SIZE {
        table[k] = FAR + k;
    }
    out[0] = (i + FAR) as u64;
    out[1] = (i as isize + BACK) as u64;
    out[2] = usize::MAX as u64;
    out[3] = (isize::MIN + i as isize) as u64;
    out[4] = table[i % SIZE] as u64;
    out[5] = usize::BITS as u64;
    out[6] = helper_constant(3) as u64;
    out[7] = either_width(FAR, FAR) as u64;
    let add = |x: usize| x + FAR;
    out[8] = add(1 << 50) as u64;
}

#[test]
fn constants_keep_all_their_bits() {
    let far = FAR as u64;
    let expected = [
        far,
        BACK as u64,
        u64::MAX,
        i64::MIN as u64,
        far,
        64,
        3 << 36,
        far.wrapping_mul(far) + 1,
        (1 << 50) + far,
    ];
    gives(&expected, |view, out| launch(view, 1, constants(out)));
}

#[amp_kernel(index = 64)]
fn parameters(
    idx: Index<1>,
    narrow: u8,
    size: usize,
    at: Index<2>,
    pair: (u8, isize, [usize; 2]),
    shape: Extent<3>,
    flag: bool,
    out: &mut ArrayViewMut<u64, 1>,
) {
    out[0] = (size + narrow as usize + idx[0]) as u64;
    out[1] = at[0] as u64;
    out[2] = at[1] as u64;
    out[3] = (pair.1 - pair.0 as isize) as u64;
    out[4] = pair.2[0] as u64;
    out[5] = pair.2[1] as u64;
    out[6] = shape.size() as u64;
    out[7] = flag as u64;
    out[8] = shape.contains(Index::new([1, 2, 3 << 33])) as u64;
    out[9] = (at * 3 + [1, 1 << 40])[1] as u64;
}

#[test]
fn parameters_keep_all_their_bits() {
    let (size, far) = ((1 << 62) + 9, 7 << 34);
    let at = Index::new([far, usize::MAX]);
    let pair = (200, -(far as isize), [1 << 33, 3]);
    let shape = Extent::new([3, 5, 1 << 35]);
    let expected = [
        (1 << 62) + 14,
        far as u64,
        u64::MAX,
        (-(far as i64) - 200) as u64,
        1 << 33,
        3,
        15 << 35,
        1,
        1,
        (1 << 40) - 3,
    ];
    gives(&expected, |view, out| {
        launch(view, 1, parameters(5, size, at, pair, shape, true, out))
    });
}

#[amp_kernel(index = 64)]
fn many_parameters(
    idx: Index<3>,
    sizes: [usize; 14],
    scale: f32,
    more: (u16, usize, u16),
    out: &mut ArrayViewMut<u64, 3>,
) {
    let i = idx[2];
    out[idx] = (sizes[i % 14] + more.1) as u64 + scale as u64 + (more.0 + more.2) as u64;
}

#[test]
fn a_block_too_large_for_push_constants() {
    let sizes: [usize; 14] = std::array::from_fn(|k| k << 40);
    let expected: Vec<u64> = (0..2 * 3 * 20)
        .map(|i| ((i % 20 % 14) << 40) + (1 << 55) + 2 + 7)
        .collect();
    becomes([2, 3, 20], &[0; 120], &expected, |view, out| {
        let kernel = many_parameters(sizes, 2.5, (3, 1 << 55, 4), out);
        launch(view, [2, 3, 20], kernel)
    });
}

#[amp_kernel(T = u32 | u64, index = 64)]
fn instances<T: Scalar>(idx: Index<1>, x: T, out: &mut ArrayViewMut<u64, 1>) {
    out[idx] = (x.to_usize() * (1 << 33)) as u64;
}

#[test]
fn instances_of_a_generic_kernel() {
    gives(&[5 << 33], |view, out| {
        launch(view, 1, instances(5_u32, out))
    });
    gives(&[5 << 33], |view, out| {
        launch(view, 1, instances((1_u64 << 40) + 5, out))
    });
}

#[amp_module]
mod wide_module {
    use amp::prelude::*;

    #[amp_fn(index = 64)]
    fn high(x: usize) -> u32 {
        63 - x.leading_zeros()
    }

    #[amp_kernel(index = 64, fast_math)]
    pub fn of_a_module(idx: Index<1>, out: &mut ArrayViewMut<u32, 1>) {
        out[idx] = high(1 << 47);
    }
}

#[test]
fn kernels_of_modules_and_in_expressions() {
    gives(&[47], |view, out| {
        launch(view, 1, wide_module::of_a_module(out))
    });
    let far = 1 << 41;
    gives(&[far as u64 + 1], |view, out| {
        let kernel = kernel!(
            fast_math, index = 64,
            |idx: Index<1>| [out: &mut ArrayViewMut<u64, 1>, far: usize] {
                out[idx] = (far + 1) as u64;
            }
        );
        launch(view, 1, kernel)
    });
}

#[amp_kernel(index = 32)]
fn narrow(idx: Index<1>, n: usize, out: &mut ArrayViewMut<u32, 1>) {
    out[idx] = n as u32;
}

#[test]
fn thirty_two_bits_are_the_default() {
    gives(&[7], |view, out| launch(view, 1, narrow(7, out)));
    let mut data = [0];
    let mut out = ArrayViewMut::new(1, &mut data).unwrap();
    let error = parallel_for_each(1, narrow(1 << 32, &mut out)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid argument: `n` of kernel `narrow` is 4294967296, but usize and isize have 32 bits \
         on a device; pass at most 4294967295, or write `#[amp_kernel(index = 64)]`"
    );
}
