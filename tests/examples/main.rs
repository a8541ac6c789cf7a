//! The examples' results, exact, on every accelerator. Each example is a module here, as
//! it stands in its file.

use std::sync::atomic::AtomicUsize;

use amp::{Accelerator, AcceleratorView, Error, QueuingMode};
use glam::Vec3;
use testkit::everywhere;

mod articles;
mod matrix;
mod memory;
mod profiles;

#[allow(dead_code)]
#[path = "../../examples/add_arrays.rs"]
mod add_arrays;
#[allow(dead_code)]
#[path = "../../examples/array_times_ten.rs"]
mod array_times_ten;
#[allow(dead_code)]
#[path = "../../examples/futures.rs"]
mod futures;
#[allow(dead_code)]
#[path = "../../examples/histogram.rs"]
mod histogram;
#[allow(dead_code)]
#[path = "../../examples/log10.rs"]
mod log10;
#[allow(dead_code)]
#[path = "../../examples/matmul/main.rs"]
mod matmul;
#[allow(dead_code)]
#[path = "../../examples/nbody.rs"]
mod nbody;
#[allow(dead_code)]
#[path = "../../examples/ndarray.rs"]
mod ndarray;
#[allow(dead_code)]
#[path = "../../examples/profile/main.rs"]
mod profile;
#[allow(dead_code)]
#[path = "../../examples/replay.rs"]
mod replay;
#[allow(dead_code)]
#[path = "../../examples/scan.rs"]
mod scan;
#[allow(dead_code)]
#[path = "../../examples/shared_memory.rs"]
mod shared_memory;
#[allow(dead_code)]
#[path = "../../examples/spheres.rs"]
mod spheres;
#[allow(dead_code)]
#[path = "../../examples/tile_average.rs"]
mod tile_average;
#[allow(dead_code)]
#[path = "../../examples/tile_indices.rs"]
mod tile_indices;
#[allow(dead_code)]
#[path = "../../examples/tile_sampling.rs"]
mod tile_sampling;
#[allow(dead_code)]
#[path = "../../examples/weighted_average.rs"]
mod weighted_average;

#[test]
fn add_arrays_adds() {
    everywhere(|view| {
        let sums = add_arrays::add_arrays(view, &[1, 2, 3, 4, 5], &[6, 7, 8, 9, 10]).unwrap();
        assert_eq!(sums, [7, 9, 11, 13, 15], "{view}");
    });
}

/// The sums of each body have the order of the bodies, whatever the tiles.
#[test]
fn nbody_moves_as_on_the_host() {
    let bodies = nbody::ring(2 * nbody::TILE);
    let mut expected = bodies.clone();
    for _ in 0..3 {
        let now = expected.clone();
        for body in &mut expected {
            let place = body.place.truncate();
            let mut acceleration = Vec3::ZERO;
            for other in &now {
                acceleration += nbody::pull(place, other.place);
            }
            body.speed += (acceleration * 0.01).extend(0.0);
            body.place += (body.speed.truncate() * 0.01).extend(0.0);
        }
    }
    everywhere(|view| {
        let moved = nbody::simulate(view, &bodies, 3, 0.01).unwrap();
        assert_eq!(moved, expected, "{view}");
    });
}

/// The sky is at the top and the floor below it; the image has the same bytes everywhere.
#[test]
fn spheres_are_the_same_image_on_every_accelerator() {
    let cpu = Accelerator::cpu().default_view().unwrap();
    let expected = spheres::draw(&cpu, 32, 16).unwrap();
    assert_eq!(expected.len(), 3 * 32 * 16);
    let (sky, floor) = (&expected[..3], &expected[3 * 32 * 8..][..3]);
    assert!(sky[0] > 180 && floor[0] < 150, "{sky:?} {floor:?}");
    everywhere(|view| {
        assert!(spheres::draw(view, 32, 16).unwrap() == expected, "{view}");
    });
}

#[test]
fn array_times_ten_multiplies() {
    everywhere(|view| {
        let product = array_times_ten::array_times_ten(view, &[0, 1, 2, 3, 4]).unwrap();
        assert_eq!(product, [0, 10, 20, 30, 40], "{view}");
    });
}

/// Vulkan allows a logarithm an absolute error of 2⁻²¹ or a relative one of 3 ULP, and the
/// change of base adds another rounding.
#[test]
fn log10_is_close() {
    everywhere(|view| {
        let numbers = [1.0, 10.0, 60.0, 100.0, 600.0, 1000.0];
        let mut logarithms = numbers;
        log10::log10_in_place(view, &mut logarithms).unwrap();
        for (number, found) in numbers.into_iter().zip(logarithms) {
            let exact = f64::from(number).log10();
            let error = (f64::from(found) - exact).abs();
            assert!(error <= 1e-6, "{view}: log10({number}) = {found}");
        }
    });
}

#[test]
fn histogram_counts_every_byte() {
    let text: Vec<u8> = (0..10_007_u32).map(|i| (i * i / 7 % 251) as u8).collect();
    everywhere(|view| {
        for length in [0, 3, 4, 1023, 1024, 1025, 10_007] {
            let mut expected = vec![0; 256];
            for byte in &text[..length] {
                expected[usize::from(*byte)] += 1;
            }
            let counts = histogram::histogram(view, &text[..length]).unwrap();
            assert_eq!(counts, expected, "{view}: {length}");
        }
    });
}

#[test]
fn scan_sums_up_in_one_pass() {
    let numbers: Vec<u32> = (0..30_011_u32)
        .map(|i| i.wrapping_mul(2_654_435_761))
        .collect();
    everywhere(|view| {
        for length in [1, 255, 256, 257, 5000, 30_011] {
            let mut sum = 0_u32;
            let expected: Vec<u32> = numbers[..length]
                .iter()
                .map(|number| {
                    sum = sum.wrapping_add(*number);
                    sum
                })
                .collect();
            let sums = scan::prefix_sums(view, &numbers[..length]).unwrap();
            assert!(sums == expected, "{view}: {length}");
        }
    });
}

#[test]
fn tile_indices_are_those_of_every_thread() {
    everywhere(|view| {
        let descriptions = tile_indices::tile_indices(view).unwrap();
        assert_eq!(descriptions.len(), 72);
        for (found, value) in descriptions.into_iter().zip(0..) {
            let (row, column) = (value / 9, value % 9);
            let expected = tile_indices::Description {
                value,
                tile: [row / 2, column / 3],
                global: [row, column],
                local: [row % 2, column % 3],
            };
            assert_eq!(found, expected, "{view}");
        }
    });
}

#[test]
fn tile_average_averages_the_sample() {
    everywhere(|view| {
        let averages = tile_average::tile_average(view, &tile_average::SAMPLE).unwrap();
        let (top, bottom) = ([3, 3, 8, 8, 3, 3], [5, 5, 2, 2, 4, 4]);
        assert_eq!(
            averages,
            [top, top, bottom, bottom].as_flattened(),
            "{view}"
        );
    });
}

#[test]
fn tile_sampling_has_both_results_of_the_article() {
    everywhere(|view| {
        let of_two = [
            [4.5, 6.5, 8.5, 10.5],
            [20.5, 22.5, 24.5, 26.5],
            [36.5, 38.5, 40.5, 42.5],
            [52.5, 54.5, 56.5, 58.5],
        ];
        let of_four = [[13.5, 17.5], [45.5, 49.5]];
        let sample = tile_sampling::tile_sampling::<2>(view).unwrap();
        assert_eq!(sample, of_two.as_flattened(), "{view}");
        let sample = tile_sampling::tile_sampling::<4>(view).unwrap();
        assert_eq!(sample, of_four.as_flattened(), "{view}");
    });
}

#[test]
fn distances_are_those_between_rows() {
    let points = ::ndarray::array![[0.0, 0.0], [3.0, 4.0], [6.0, 8.0], [3.0, 0.0]];
    let expected = ::ndarray::array![
        [0.0, 5.0, 10.0, 3.0],
        [5.0, 0.0, 5.0, 4.0],
        [10.0, 5.0, 0.0, 73_f32.sqrt()],
        [3.0, 4.0, 73_f32.sqrt(), 0.0],
    ];
    everywhere(|view| {
        assert_eq!(
            ndarray::distances(view, points.view()).unwrap(),
            expected,
            "{view}"
        );
    });
}

#[test]
fn replays_spread_heat_as_launches_do() {
    let ovens = [100.0, 100.0, 20.0, 50.0, 50.0];
    let mut rod = vec![0.0_f32; replay::POINTS];
    for step in 0..ovens.len() * replay::STEPS {
        let now = rod.clone();
        rod[0] = ovens[step / replay::STEPS];
        for i in 1..now.len() {
            let right = now[(i + 1).min(now.len() - 1)];
            rod[i] = now[i] + 0.25 * (now[i - 1] - 2.0 * now[i] + right);
        }
    }
    everywhere(|view| {
        let (launched, _) = replay::launched(view, &ovens).unwrap();
        let (replayed, _) = replay::replayed(view, &ovens).unwrap();
        assert!(launched == rod, "{view}");
        assert!(replayed == rod, "{view}");
    });
}

/// Parts that are smaller than their halos too, and more views than accelerators (P8).
#[test]
fn weighted_averages_are_shared_among_accelerators() {
    let (rows, columns) = (61, 83);
    let matrix: Vec<f32> = (0..rows * columns).map(|i| (i * 7 % 101) as f32).collect();
    let all = [testkit::views(), testkit::new_views()].concat();
    for count in 1..=all.len() {
        for shift in [1, 5, 40] {
            let expected = weighted_average::on_host(&matrix, rows, shift);
            let averages =
                weighted_average::weighted_average(&all[..count], &matrix, rows, shift).unwrap();
            assert!(averages == expected, "{count} views, shift {shift}");
        }
    }
    testkit::assert_silent();
}

#[test]
fn tiles_must_divide_the_matrix() {
    let refused = |view: &AcceleratorView, result: amp::Result<()>, tile: &str| match result {
        Err(Error::InvalidComputeDomain(message)) => {
            assert!(message.contains(tile), "{view}: {message}");
        }
        other => panic!("{view}: {other:?}"),
    };
    everywhere(|view| {
        let average = tile_average::tile_average(view, &[[1; 5]; 4]);
        refused(view, average.map(drop), "2×2");
        let sample = tile_sampling::tile_sampling::<3>(view);
        refused(view, sample.map(drop), "3×3");
    });
}

/// Parts of several sizes, the last one shorter, on one view and on two.
#[test]
fn futures_bring_every_part_back() {
    let data: Vec<u32> = (0..10_000).map(|i| i * 77 + 1).collect();
    let xorshift = |mut x: u32| {
        for _ in 0..64 {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
        }
        x
    };
    let expected: Vec<u32> = data.iter().map(|&x| xorshift(x)).collect();
    everywhere(|view| {
        let other = view
            .accelerator()
            .create_view(QueuingMode::Automatic)
            .unwrap();
        let views = [view.clone(), other];
        for (views, part) in [(&views[..1], 3000), (&views[..], 999), (&views[..], 20_000)] {
            let done = AtomicUsize::new(0);
            let all = futures::scramble_all(views, &data, part, &done);
            assert!(pollster::block_on(all).unwrap() == expected, "{view}");
            assert_eq!(done.into_inner(), data.len().div_ceil(part));
        }
    });
}
