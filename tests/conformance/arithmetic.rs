//! Rows 77, 79, 81, 165 and 171: operators over many random numbers.

use std::cmp::Ordering;

use amp::prelude::*;
use testkit::numbers::{FLOATS, pairs, random};
use testkit::{becomes, gives, input, launch, table};

const COUNT: usize = 512 * 1024;

/// Sum and product by each type of the language.
macro_rules! operators {
    ($name:ident, $ty:ty, $data:expr, $add:expr, $multiply:expr) => {
        mod $name {
            use super::*;

            #[amp_kernel]
            fn operate(
                idx: Index<1>,
                a: &ArrayView<$ty, 1>,
                b: &ArrayView<$ty, 1>,
                sum: &mut ArrayViewMut<$ty, 1>,
                product: &mut ArrayViewMut<$ty, 1>,
            ) {
                sum[idx] = a[idx] + b[idx];
                product[idx] = a[idx] * b[idx];
            }

            #[test]
            fn row_077_sums_and_products() {
                let a: Vec<$ty> = random(770).map($data).take(COUNT).collect();
                let b: Vec<$ty> = random(771).map($data).take(COUNT).collect();
                let both = || a.iter().zip(&b).map(|(&a, &b)| (a, b));
                let sums: Vec<$ty> = both().map($add).collect();
                let products: Vec<$ty> = both().map($multiply).collect();
                gives(&sums, |view, sum| {
                    let mut found = vec![<$ty>::default(); COUNT];
                    {
                        let mut product = ArrayViewMut::new(COUNT, &mut found)?;
                        product.discard_data();
                        launch(
                            view,
                            COUNT,
                            operate(&input(&a), &input(&b), sum, &mut product),
                        )?;
                    }
                    assert!(found == products, "{view}");
                    Ok(())
                });
            }
        }
    };
}

operators!(
    of_i32,
    i32,
    u32::cast_signed,
    |(a, b)| a.wrapping_add(b),
    |(a, b)| a.wrapping_mul(b)
);
operators!(of_u32, u32, |word| word, |(a, b)| a.wrapping_add(b), |(
    a,
    b,
)| a
    .wrapping_mul(b));
operators!(
    of_f64,
    f64,
    |word| f64::from(word.cast_signed()) / 1000.0,
    |(a, b)| a + b,
    |(a, b)| a * b
);
operators!(
    of_f32,
    f32,
    |word| word.cast_signed() as f32 / 1000.0,
    |(a, b)| a + b,
    |(a, b)| a * b
);

table! {
    row_079_assignment(x: i32, y: i32) -> i32 = {
        let numbers = |seed| random(seed).map(u32::cast_signed).take(4096).collect();
        (numbers(790), numbers(791))
    };
    { let mut z = x; z <<= 0; z } => x;
    { let mut z = x; z <<= 1; z } => x.wrapping_shl(1);
    { let mut z = x; z <<= 2; z } => x.wrapping_shl(2);
    { let mut z = x; z <<= 3; z } => x.wrapping_shl(3);
    { let mut z = x; z <<= y & 3; z } => x.wrapping_shl((y & 3) as u32);
    { let mut z = x; z &= y; z } => x & y;
    { let mut z = x; z += y; z } => x.wrapping_add(y);
}

// `c = a + b + a * b` through C++'s conversions, which Rust writes out.
table! {
    row_081_to_i32(a: u32, b: f32) -> i32 = (
        random(810).map(|word| word % 10_001).take(4096).collect(),
        random(811).map(|word| (word % 10_001) as f32 * 0.75).take(4096).collect(),
    );
    (a as f32 + b + a as f32 * b) as i32 => (a as f32 + b + a as f32 * b) as i32;
}

table! {
    row_081_to_u32(a: i32, b: f32) -> u32 = (
        random(812).map(|word| (word % 10_001) as i32).take(4096).collect(),
        random(813).map(|word| (word % 10_001) as f32 * 0.75).take(4096).collect(),
    );
    (a as f32 + b + a as f32 * b) as u32 => (a as f32 + b + a as f32 * b) as u32;
}

table! {
    row_081_to_f32(a: i32, b: u32) -> f32 = (
        random(814).map(|word| (word % 10_001) as i32).take(4096).collect(),
        random(815).map(|word| word % 10_001).take(4096).collect(),
    );
    // In C++ the sum is unsigned.
    (a as u32 + b + a as u32 * b) as f32 => (a as u32 + b + a as u32 * b) as f32;
}

table! {
    row_165_classification(x: f32) -> u32 = (FLOATS.to_vec(),);
    x.is_nan() as u32 => u32::from(x.is_nan());
    x.is_infinite() as u32 => u32::from(x.is_infinite());
    x.is_finite() as u32 => u32::from(x.is_finite());
    x.is_sign_negative() as u32 => u32::from(x.is_sign_negative());
}

/// What `remainder` leaves, exactly: of a quotient rounded to the nearest, or to the even one.
fn remainder(x: f32, y: f32) -> f32 {
    let (of, by) = (f64::from(x.abs()), f64::from(y.abs()));
    let (rest, odd) = (of % by, of % (2.0 * by) >= by);
    let above = 2.0 * rest > by || 2.0 * rest == by && odd;
    let rest = if above { rest - by } else { rest } as f32;
    if x.is_sign_negative() { -rest } else { rest }
}

table! {
    row_165_exponents(x: f32) -> i32 = (FLOATS.to_vec(),);
    // Every float but zero is normal as a double.
    precise_math::ilogb(x) => match x {
        x if x == 0.0 || x.is_nan() => i32::MIN,
        x if x.is_infinite() => i32::MAX,
        x => (f64::from(x).to_bits() >> 52 & 0x7ff) as i32 - 1023,
    };
}

table! {
    row_165_neighbours_and_remainders(x: f32, y: f32) -> f32 = pairs(&FLOATS);
    precise_math::nextafter(x, y) => match x.partial_cmp(&y) {
        None => f32::NAN,
        Some(Ordering::Less) => x.next_up(),
        Some(Ordering::Greater) => x.next_down(),
        Some(Ordering::Equal) => y,
    };
    precise_math::scalbn(x, 3) => x * 8.0;
    precise_math::scalbn(x, -40) => (f64::from(x) * (-40_f64).exp2()) as f32;
    precise_math::fmod(x, y) => x % y;
    precise_math::remainder(x, y) => remainder(x, y);
    precise_math::signbit(x) as u32 as f32 => f32::from(u8::from(x.is_sign_negative()));
    precise_math::isnan(x) as u32 as f32 => f32::from(u8::from(x.is_nan()));
    precise_math::isinf(x) as u32 as f32 => f32::from(u8::from(x.is_infinite()));
    precise_math::isfinite(x) as u32 as f32 => f32::from(u8::from(x.is_finite()));
    precise_math::isnormal(x) as u32 as f32 => f32::from(u8::from(x.is_normal()));
}

#[amp_kernel]
fn saxpy(idx: Index<1>, a: f32, x: &ArrayView<f32, 1>, y: &mut ArrayViewMut<f32, 1>) {
    y[idx] = a * x[idx] + y[idx];
}

#[test]
fn row_171_saxpy() {
    let x: Vec<f32> = (0..10_000).map(|i| i as f32 * 0.37).collect();
    let y: Vec<f32> = (0..10_000).map(|i| 10.0 - i as f32).collect();
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 1.1 * x + y).collect();
    becomes([10_000], &y, &expected, |view, y| {
        launch(view, 10_000, saxpy(1.1, &input(&x), y))
    });
}
