//! Bits, shifts and methods of generic integers: kernels of each type against plain Rust.

use amp::prelude::*;
use testkit::{gives, input, launch};

/// A function that exists twice, word for word: as kernel code, and as plain Rust.
macro_rules! twice {
    ($name:ident($x:ident, $n:ident): $($body:tt)*) => {
        mod $name {
            use amp::prelude::*;

            #[amp_fn]
            pub fn device<T: Integer>($x: T, $n: u32) -> T { $($body)* }

            pub fn plain<T: Integer>($x: T, $n: u32) -> T { $($body)* }
        }
    };
}

twice! { mixed(x, n):
    let mut y = (x & T::from_u32(0x5a)) | (x << (n % 8)) ^ !x;
    y >>= n % 7;
    y ^= x.rotate_left(n) | x.rotate_right(3).swap_bytes();
    y <<= 1;
    y |= T::from_u32(x.count_ones() + 2 * x.leading_zeros() + 3 * x.trailing_zeros());
    y &= !T::from_u32(y.count_zeros() & y.leading_ones());
    if y.trailing_ones() > 1 && y > x {
        y = y.reverse_bits();
    }
    y.wrapping_mul(x).wrapping_add(y.wrapping_pow(n % 3)).wrapping_sub(x.wrapping_neg())
        ^ x.wrapping_shl(n)
        ^ y.wrapping_shr(n)
}

/// Shifts by more than there are bits, which mask the count.
#[amp_fn]
fn masked<T: Integer>(x: T, n: u32) -> T {
    (x << n) ^ (x >> n)
}

#[amp_kernel(T = i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64)]
fn each<T: Integer>(idx: Index<1>, x: &ArrayView<T, 1>, out: &mut ArrayViewMut<T, 1>) {
    let n = idx[0] as u32;
    out[idx] = mixed::device(x[idx], n) ^ masked(x[idx], n);
    out[idx] ^= x[idx] >> 1;
    out[idx] <<= n;
}

macro_rules! of_each_type {
    ($($ty:ident)*) => {$(
        #[test]
        fn $ty() {
            let x: Vec<$ty> = (0..150_u64)
                .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 50)) as $ty)
                .collect();
            let of = |(n, x): (usize, &$ty)| {
                let n = n as u32;
                let y = mixed::plain(*x, n) ^ x.wrapping_shl(n) ^ x.wrapping_shr(n) ^ x >> 1;
                y.wrapping_shl(n)
            };
            let expected: Vec<$ty> = x.iter().enumerate().map(of).collect();
            gives(&expected, |view, out| launch(view, x.len(), each(&input(&x), out)));
        }
    )*};
}
of_each_type!(i8 u8 i16 u16 i32 u32 i64 u64);

testkit::twice! {
    methods_before_the_type_is_known(x: u16) -> u16 = (vec![0, 1, 7, 300, u16::MAX],);
    {
        let rows = [[x, 3], [500, x / 2]];
        let mut best = 0;
        let mut least = 60_000;
        for row in rows {
            best = best.max(row.iter().copied().max().unwrap());
            least = least.min(row[0] / 2 + 1);
        }
        let mut near = 40;
        near = near.clamp(x / 3, x / 2);
        let literal = 7.max(least);
        best ^ least.max(near) ^ literal
    }
}
