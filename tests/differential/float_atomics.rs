//! Sums that atomic operations make of floats in views: by the device's instruction, where it has one,
//! by a loop where a denormal could be seen.

use amp::prelude::*;
use testkit::{assert_same, everywhere, gives, input, launch};

/// What one thread finds and leaves, for a type of float, and what many do.
macro_rules! floats {
    ($($module:ident: $float:ident;)*) => {$(
        mod $module {
            use super::*;

            #[amp_kernel]
            fn alone(
                idx: Index<1>,
                added: &ArrayView<$float, 1>,
                sums: &mut ArrayViewMut<$float, 1>,
                found: &mut ArrayViewMut<$float, 1>,
            ) {
                let i = 2 * idx[0];
                found[i] = atomic_fetch_add(&mut sums[i], added[idx]);
                found[i + 1] = atomic_fetch_sub(&mut sums[i + 1], added[idx]);
            }

            /// Numbers near those where denormals, infinities and the last place of a sum begin.
            fn numbers() -> Vec<$float> {
                let tiny = $float::from_bits(1);
                let (least, most) = ($float::MIN_POSITIVE, $float::MAX);
                // From here on a denormal does not change a sum.
                let large = least * (2.0 as $float).powi($float::MANTISSA_DIGITS as i32 + 1);
                let mut numbers = vec![0.0, tiny, least - tiny, $float::INFINITY, $float::NAN];
                for near in [least, large, large / 2.0, 1.0, 3.0, most / 2.0, most] {
                    let bits = near.to_bits();
                    numbers.extend([bits - 1, bits, bits + 1].map($float::from_bits));
                }
                let negative: Vec<$float> = numbers.iter().map(|it| -it).collect();
                numbers.extend(negative);
                numbers
            }

            #[test]
            fn sums_are_those_of_rust() {
                let numbers = numbers();
                let pairs = numbers.iter().flat_map(|x| numbers.iter().map(move |y| (*x, *y)));
                let (before, added): (Vec<$float>, Vec<$float>) = pairs.unzip();
                let before: Vec<$float> = before.into_iter().flat_map(|x| [x, x]).collect();
                let expected: Vec<$float> = before
                    .chunks(2)
                    .zip(&added)
                    .flat_map(|(x, y)| [x[0] + y, x[1] - y])
                    .collect();
                everywhere(|view| {
                    let (mut sums, mut found) = (before.clone(), vec![0.0; before.len()]);
                    {
                        let mut sums = ArrayViewMut::new(sums.len(), &mut sums).unwrap();
                        let mut found = ArrayViewMut::new(found.len(), &mut found).unwrap();
                        let added = input(&added);
                        let kernel = alone(&added, &mut sums, &mut found);
                        launch(view, added.extent(), kernel).unwrap();
                    }
                    assert_same(&found, &before, &format!("found on {view}"));
                    assert_same(&sums, &expected, &format!("left on {view}"));
                });
            }

            #[amp_kernel]
            fn together(idx: Index<1>, sums: &mut ArrayViewMut<$float, 1>, tiny: $float) {
                let i = idx[0];
                let whole = (i % 5) as $float;
                atomic_fetch_add(&mut sums[0], whole);
                atomic_fetch_sub(&mut sums[1 + i % 3], 0.25 * whole);
                atomic_fetch_add(&mut sums[4], whole * tiny);
            }

            #[test]
            fn no_thread_loses_what_another_adds() {
                let (n, tiny) = (6000_usize, $float::from_bits(1));
                let mut expected = [0.0; 5];
                for i in 0..n {
                    let whole = (i % 5) as $float;
                    expected[0] += whole;
                    expected[1 + i % 3] -= 0.25 * whole;
                    expected[4] += whole * tiny;
                }
                gives(&expected, |view, sums| launch(view, n, together(sums, tiny)));
            }

            #[amp_kernel(fast_math)]
            fn fast(idx: Index<1>, sums: &mut ArrayViewMut<$float, 1>) {
                atomic_fetch_add(&mut sums[0], (idx[0] % 5) as $float);
            }

            #[test]
            fn fast_kernels_add_too() {
                gives(&[2000.0], |view, sums| launch(view, 1000, fast(sums)));
            }
        }
    )*};
}

floats! {
    single: f32;
    double: f64;
}
