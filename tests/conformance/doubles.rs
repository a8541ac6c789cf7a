//! Rows 1, 81 and 83: numbers that C++ AMP's `restrict(amp)` has in part, or not at all.

use amp::prelude::*;
use testkit::numbers::random;
use testkit::{gives, input, launch};

/// `c = a + b + a * b`, each operand converted to the type of the result.
macro_rules! conversions {
    ($($name:ident: $a:ident $b:ident -> $c:ident;)*) => {$(
        mod $name {
            use super::*;

            #[amp_kernel]
            fn combine(
                idx: Index<1>,
                a: &ArrayView<$a, 1>,
                b: &ArrayView<$b, 1>,
                c: &mut ArrayViewMut<$c, 1>,
            ) {
                let (x, y) = (a[idx] as $c, b[idx] as $c);
                c[idx] = x + y + x * y;
            }

            #[test]
            fn row_081_are_those_of_the_host() {
                let a: Vec<$a> = random(810).take(4096).map(|n| (n % 10_000) as $a).collect();
                let b: Vec<$b> = random(811).take(4096).map(|n| (n % 10_000) as $b).collect();
                let each = a.iter().zip(&b).map(|(&a, &b)| (a as $c, b as $c));
                let expected: Vec<$c> = each.map(|(x, y)| x + y + x * y).collect();
                gives(&expected, |view, c| {
                    launch(view, expected.len(), combine(&input(&a), &input(&b), c))
                });
            }
        }
    )*};
}

conversions! {
    to_f64: i32 f32 -> f64;
    to_i64: u32 i16 -> i64;
    from_f64: f64 f64 -> i32;
    to_f32: f64 u64 -> f32;
}

#[amp_kernel]
fn literals(idx: Index<1>, c: &mut ArrayViewMut<f64, 1>) {
    if idx[0] == 0 {
        c[0] = 1.0;
        c[1] = 0.1;
        c[2] = -1e-300;
        c[3] = 1.797_693_134_862_315_7e308;
        c[4] = 4.9e-324;
        c[5] = 3.141_592_653_589_793;
        c[6] = 1e22 + 1.0;
        c[7] = 123_456_789.123_456_79_f64;
    }
}

#[test]
#[allow(clippy::approx_constant, clippy::excessive_precision)]
fn row_083_literals_of_f64() {
    let expected = [
        1.0,
        0.1,
        -1e-300,
        f64::MAX,
        4.9e-324,
        3.141_592_653_589_793,
        1e22 + 1.0,
        123_456_789.123_456_79,
    ];
    gives(&expected, |view, c| launch(view, 8, literals(c)));
}
