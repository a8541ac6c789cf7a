//! The profiled pipeline of `profile`: its result, its trace and its picture.

use amp::profile::{Activity, LaneKind};
use amp::{Accelerator, QueuingMode};
use serde_json::Value;
use testkit::assert_silent;

use super::profile::{ROUNDS, picture, profiled_sum};

/// The powers of matrices with one number on the diagonal are known.
#[test]
fn the_profiled_pipeline_adds_powers() {
    let size = 32;
    let diagonal = |value: f32| {
        let mut matrix = vec![0.0; size * size];
        matrix
            .iter_mut()
            .step_by(size + 1)
            .for_each(|it| *it = value);
        matrix
    };
    for accelerator in Accelerator::all() {
        let view = || accelerator.create_view(QueuingMode::Automatic).unwrap();
        let (first, second) = (view(), view());
        let (a, b) = (diagonal(2.0), diagonal(3.0));
        let (sum, profile) = profiled_sum([&first, &second], &a, &b, size).unwrap();
        let of = |base: f32| base.powi(ROUNDS as i32 + 1);
        assert_eq!(sum, diagonal(of(2.0) + of(3.0)), "{accelerator}");

        let kernels = profile.kernels().into_iter();
        let mut kernels: Vec<_> = kernels.map(|it| (it.kernel, it.launches)).collect();
        kernels.sort();
        let expected = [("add".into(), 1), ("multiply".into(), 2 * ROUNDS)];
        assert_eq!(kernels, expected, "{accelerator}");

        let mut trace = Vec::new();
        profile.write_chrome_trace(&mut trace).unwrap();
        let trace: Value = serde_json::from_slice(&trace).unwrap();
        let entries = trace["traceEvents"].as_array().unwrap();
        let launches = entries.iter().filter(|entry| entry["cat"] == "launch");
        assert_eq!(launches.count(), 2 * ROUNDS + 1, "{accelerator}");

        let svg = picture::svg(&profile);
        let bars = svg.matches("<rect x=").count();
        assert_eq!(bars, profile.events().len(), "{accelerator}");
        assert!(svg.ends_with("</svg>\n"));
        let first_launch = profile.events().iter().find(|event| {
            event.lane.kind == LaneKind::Queue && matches!(event.activity, Activity::Launch { .. })
        });
        assert!(svg.contains(&first_launch.unwrap().lane.name), "{svg}");
    }
    assert_silent();
}
