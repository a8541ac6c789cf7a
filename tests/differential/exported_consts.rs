//! Constants that other crates export, and those that macros declare: used where they stand, with types
//! that no kernel names, on every accelerator.

use amp::prelude::*;
use amp_test_helpers::tables::{self, CORNERS, PRIMES, Span, Turn, levels};
use testkit::{becomes, input, launch};

/// Constants under other names, and by other paths.
mod named {
    pub use amp_test_helpers::tables::GAIN as FACTOR;
    pub use amp_test_helpers::tables::levels;
}

macro_rules! constants {
    ($($name:ident: $ty:ty = $value:expr;)*) => {
        $(
            #[amp_const]
            const $name: $ty = $value;
        )*
    };
}

constants! {
    OFFSETS: [i32; 3] = [-1, 0, 1];
    LIMIT: u32 = 6;
    EDGE: amp_test_helpers::shapes::Point = CORNERS[2];
}

#[amp_kernel]
fn arrays(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let i = idx[0];
    let mut sum = tables::WEIGHTS[i % tables::TAPS];
    for weight in tables::WEIGHTS {
        sum = sum * 0.5 + weight;
    }
    for k in 0..tables::TAPS {
        sum += k as f32;
    }
    let largest = tables::WEIGHTS.iter().copied().fold(0.0, f32::max);
    sum += tables::coarse::WEIGHTS[i % 2] * tables::coarse::WEIGHTS.len() as f32;
    let gain = named::FACTOR.sqrt();
    out[idx] = (sum + largest) * gain + tables::WEIGHTS.len() as f32;
}

#[test]
fn arrays_of_named_length() {
    let expected: Vec<f32> = (0..7)
        .map(|i| {
            let mut sum = tables::WEIGHTS[i % tables::TAPS];
            for weight in tables::WEIGHTS {
                sum = sum * 0.5 + weight;
            }
            for k in 0..tables::TAPS {
                sum += k as f32;
            }
            let largest = tables::WEIGHTS.iter().copied().fold(0.0, f32::max);
            sum += tables::coarse::WEIGHTS[i % 2] * tables::coarse::WEIGHTS.len() as f32;
            (sum + largest) * tables::GAIN.sqrt() + tables::WEIGHTS.len() as f32
        })
        .collect();
    becomes([7], &[0.0; 7], &expected, |view, out| {
        launch(view, 7, arrays(out))
    });
}

#[amp_fn]
fn area() -> f32 {
    let mut area = 0.0;
    for (i, corner) in CORNERS.iter().enumerate() {
        let next = CORNERS[(i + 1) % CORNERS.len()];
        area += corner.x * next.y - next.x * corner.y;
    }
    area * 0.5
}

#[amp_kernel]
fn structs(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    let corner = CORNERS[idx[0] % 4];
    let mut turned = 0.0;
    for (turn, angle, counts) in tables::TURNS {
        match turn {
            Turn::Left if counts => turned += angle,
            _ => turned -= angle,
        }
    }
    let span = tables::SPAN;
    let levels = levels::LEVELS[1].height + named::levels::LEVELS[0].height + levels::height(1);
    out[idx] = corner.x + 2.0 * corner.y + turned * area() + span.length() + levels;
}

#[test]
fn structs_tuples_and_enums() {
    let expected: Vec<f32> = (0..5)
        .map(|i| {
            let corner = CORNERS[i % 4];
            let levels = 8.0 + 0.5 + 8.0;
            corner.x + 2.0 * corner.y + (0.5 - 1.5 + 2.5) + (4.0 - -1.5) + levels
        })
        .collect();
    becomes([5], &[0.0; 5], &expected, |view, out| {
        launch(view, 5, structs(out))
    });
}

#[amp_kernel]
fn of_a_type(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
    out[idx] = Span::<f32>::STARTS[idx[0]] + Span::<f32>::UNIT.to;
}

#[test]
fn constants_of_types() {
    becomes([3], &[0.0; 3], &[1.0, 1.5, 0.5], |view, out| {
        launch(view, 3, of_a_type(out))
    });
}

#[amp_kernel]
fn slices(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let i = idx[0];
    let row = tables::ROWS[i % 2];
    let mut sum = PRIMES.iter().sum::<u32>() as i32 + PRIMES[i] as i32;
    for cell in row {
        sum = sum * 2 + i32::from(cell);
    }
    let first = &PRIMES[..2];
    out[idx] = sum + first.len() as i32;
}

#[test]
fn slices_and_aliases() {
    let expected: Vec<i32> = (0..6)
        .map(|i| {
            let mut sum = PRIMES.iter().sum::<u32>() as i32 + PRIMES[i] as i32;
            for cell in tables::ROWS[i % 2] {
                sum = sum * 2 + i32::from(cell);
            }
            sum + 2
        })
        .collect();
    becomes([6], &[0; 6], &expected, |view, out| {
        launch(view, 6, slices(out))
    });
}

#[amp_kernel]
fn by_macros(idx: Index<1>, out: &mut ArrayViewMut<i32, 1>) {
    let offset = OFFSETS[idx[0] % OFFSETS.len()];
    let limited = (idx[0] as u32).min(LIMIT.pow(2) / 12);
    out[idx] = offset * 10 + limited as i32 + EDGE.y as i32;
}

#[test]
fn constants_of_macros() {
    let expected: Vec<i32> = (0..8)
        .map(|i| OFFSETS[i % 3] * 10 + (i as i32).min(3) + 1)
        .collect();
    becomes([8], &[0; 8], &expected, |view, out| {
        launch(view, 8, by_macros(out))
    });
}

/// A struct with a length of another crate, as elements and as arguments.
#[amp_struct]
struct Window {
    values: [f32; tables::TAPS],
    sums: [[f32; 2]; tables::TAPS],
}

#[amp_kernel]
fn of_lengths(
    idx: Index<1>,
    by: [f32; tables::TAPS],
    first: Window,
    windows: &ArrayView<Window, 1>,
    rows: &ArrayView<[f32; tables::TAPS], 1>,
    out: &mut ArrayViewMut<f32, 1>,
) {
    let (window, row) = (windows[idx], rows[idx]);
    let mut sum = first.sums[4][1];
    for k in 0..tables::TAPS {
        sum += window.values[k] * by[k] + row[k] * first.values[k] + window.sums[k][1];
    }
    out[idx] = sum;
}

#[test]
fn lengths_of_another_crate() {
    let by = [1.0, 0.5, 0.25, 2.0, 4.0];
    let window = |start: f32| {
        let values = [start, start + 1.0, start + 2.0, start - 1.0, start * 0.5];
        Window {
            values,
            sums: values.map(|value| [value, -value]),
        }
    };
    let windows = [window(1.5), window(-4.0)];
    let rows = [[0.5; tables::TAPS], [1.0, 2.0, 3.0, 4.0, 5.0]];
    let first = window(3.0);
    let expected: Vec<f32> = (0..2)
        .map(|i| {
            let mut sum = first.sums[4][1];
            for k in 0..tables::TAPS {
                let window = windows[i];
                sum += window.values[k] * by[k] + rows[i][k] * first.values[k] + window.sums[k][1];
            }
            sum
        })
        .collect();
    becomes([2], &[0.0; 2], &expected, |view, out| {
        let (windows, rows) = (input(&windows), input(&rows));
        launch(view, 2, of_lengths(by, first, &windows, &rows, out))
    });
}

#[amp_module]
mod in_a_module {
    use amp::prelude::*;
    use amp_test_helpers::tables::WEIGHTS;

    #[amp_struct]
    pub struct Filter {
        pub gain: f32,
        pub last: [f32; amp_test_helpers::tables::TAPS],
    }

    impl Filter {
        pub fn apply(&self, i: usize) -> f32 {
            amp_test_helpers::tables::WEIGHTS[i] * self.gain + self.last[i]
        }
    }

    pub fn scaled<T: Scalar>(x: T) -> T {
        x * T::from_f32(WEIGHTS[2] * 10.0)
    }

    #[amp_kernel]
    pub fn filter(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
        let filter = Filter {
            gain: 2.0,
            last: [0.5; 5],
        };
        out[idx] = filter.apply(idx[0]) + scaled(WEIGHTS[1]) + scaled(2_u32) as f32;
    }
}

#[test]
fn in_modules_methods_and_generic_helpers() {
    let weights = tables::WEIGHTS;
    let expected: Vec<f32> = (0..5)
        .map(|i| weights[i] * 2.0 + 0.5 + weights[1] * (weights[2] * 10.0) + 6.0)
        .collect();
    becomes([5], &[0.0; 5], &expected, |view, out| {
        launch(view, 5, in_a_module::filter(out))
    });
}

#[test]
fn in_bodies_and_expressions() {
    let expected = tables::WEIGHTS.map(|weight| weight + 2.0);
    becomes([5], &[0.0; 5], &expected, |view, out| {
        #[amp_kernel]
        fn add(idx: Index<1>, out: &mut ArrayViewMut<f32, 1>) {
            use amp_test_helpers::tables::WEIGHTS;
            out[idx] = WEIGHTS[idx[0]];
        }
        launch(view, 5, add(out))?;
        let by = 2.0;
        launch(
            view,
            5,
            kernel!(|idx: Index<1>| [out: &mut ArrayViewMut<f32, 1>, by: f32] {
                out[idx] += by * (tables::PRIMES[0] as f32) * 0.5;
            }),
        )
    });
}
