//! `#[amp_kernel(fast_math)]`: the device's own arithmetic, close to Rust's.

use amp::prelude::*;
use testkit::numbers::random;

#[amp_kernel(fast_math)]
fn each(
    idx: Index<1>,
    x: &ArrayView<f32, 1>,
    y: &ArrayView<f32, 1>,
    out: &mut ArrayViewMut<f32, 2>,
) {
    let (x, y) = (x[idx], y[idx]);
    let results = [
        x * y + 1.0,
        x / y,
        x.sqrt(),
        x.mul_add(y, 1.0),
        if x < y { x } else { y },
        x.clamp(1.5, 3.0),
        (x % y) * 0.0 + x.recip(),
    ];
    for k in 0..7 {
        out[[idx[0], k]] = results[k];
    }
}

#[test]
fn fast_math_is_as_good_as_the_device() {
    let numbers = |seed| -> Vec<f32> {
        let between_1_and_4 = |word: u32| 1.0 + (word >> 8) as f32 * (3.0 / 16_777_216.0);
        random(seed).map(between_1_and_4).take(4096).collect()
    };
    let (x, y) = (numbers(50), numbers(51));
    testkit::everywhere(|view| {
        let mut found = vec![0.0; 7 * x.len()];
        let (a, b) = (testkit::input(&x), testkit::input(&y));
        let mut out = ArrayViewMut::new([x.len(), 7], &mut found).expect("not empty");
        out.discard_data();
        testkit::launch(view, x.len(), each(&a, &b, &mut out))
            .and_then(|()| out.synchronize())
            .unwrap_or_else(|error| panic!("{view}: {error}"));
        drop(out);
        for (k, (&x, &y)) in x.iter().zip(&y).enumerate() {
            let expected = [
                x * y + 1.0,
                x / y,
                x.sqrt(),
                x.mul_add(y, 1.0),
                x.min(y),
                x.clamp(1.5, 3.0),
                x.recip(),
            ];
            for (row, expected) in expected.into_iter().enumerate() {
                let found = found[7 * k + row];
                // Vulkan allows a quotient 2.5 units in the last place.
                let close = (found - expected).abs() <= 3.0 * f32::EPSILON * expected;
                assert!(
                    close,
                    "{view}: {row} of {x} and {y}: {found} for {expected}"
                );
            }
        }
    });
}
