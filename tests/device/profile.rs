//! Profiles: what they say about launches, transfers and waits, and how they are shown.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use amp::prelude::*;
use amp::profile::{Activity, Direction, Event, LaneKind, Profile};
use serde_json::Value;
use testkit::{assert_silent, new_views};

#[amp_kernel]
fn scale(idx: Index<2>, x: &mut ArrayViewMut<f32, 2>, by: f32) {
    x[idx] *= by;
}

#[amp_kernel]
fn add(idx: Index<2>, a: &ArrayView<f32, 2>, b: &ArrayView<f32, 2>, c: &mut ArrayViewMut<f32, 2>) {
    c[idx] = a[idx] + b[idx];
}

const EXTENT: [usize; 2] = [64, 32];
const BYTES: u64 = 64 * 32 * 4;

/// Uploads two matrices, scales one three times, adds them up and downloads the sum.
fn work(view: &AcceleratorView) -> amp::Result<Vec<f32>> {
    let data = vec![1.0_f32; EXTENT[0] * EXTENT[1]];
    let array = || {
        Array::<f32, 2>::builder(EXTENT)
            .on(view)
            .data(&data)
            .build()
    };
    let (mut a, b, mut c) = (array()?, array()?, array()?);
    for _ in 0..3 {
        view.parallel_for_each(a.extent(), scale(&mut a, 2.0))?;
    }
    view.parallel_for_each(a.extent(), add(&a, &b, &mut c))?;
    c.to_vec()
}

fn is_device(view: &AcceleratorView) -> bool {
    view.accelerator() != Accelerator::cpu()
}

/// The names, domains and bytes of launches in the order of their start.
fn launches(profile: &Profile) -> Vec<(&str, &[usize], u64)> {
    let events = profile.events().iter();
    let launches = events.filter_map(|event| match &event.activity {
        Activity::Launch {
            kernel,
            domain,
            bytes,
            ..
        } => Some((&**kernel, &**domain, *bytes)),
        _ => None,
    });
    launches.collect()
}

fn moved(profile: &Profile, direction: Direction) -> u64 {
    let transfers = profile.transfers().into_iter();
    let those = transfers.filter(|it| it.direction == direction);
    those.map(|it| it.bytes).sum()
}

#[test]
fn every_launch_and_transfer_is_in_the_profile() {
    for view in new_views() {
        work(&view).unwrap();
        let (sums, profile) = view.profile(|| work(&view)).unwrap();
        assert!(sums.iter().all(|sum| *sum == 9.0), "{view}");

        let scaled = ("scale", &EXTENT[..], 2 * BYTES);
        let added = ("add", &EXTENT[..], 3 * BYTES);
        assert_eq!(
            launches(&profile),
            [scaled, scaled, scaled, added],
            "{view}"
        );
        for event in profile.events() {
            assert!(event.duration > Duration::ZERO, "{view}: {event:?}");
            // The clocks are read one after the other, and the thread may have to wait between.
            let end = event.start + event.duration;
            let late = profile.duration() + Duration::from_secs(1);
            assert!(end <= late, "{view}: {event:?} of {profile:?}");
        }
        let kernels = profile.kernels();
        let count = |name| {
            kernels
                .iter()
                .find(|it| it.kernel == name)
                .unwrap()
                .launches
        };
        assert_eq!((count("scale"), count("add")), (3, 1), "{view}");
        if is_device(&view) {
            assert_eq!(moved(&profile, Direction::Upload), 3 * BYTES, "{view}");
            assert_eq!(moved(&profile, Direction::Download), BYTES, "{view}");
        }
        let table = profile.to_string();
        assert!(table.contains("\n  scale "), "{table}");
    }
    assert_silent();
}

/// Launches of a queue do not overlap, so their times add up to less than the whole.
#[test]
fn launches_of_a_queue_come_one_after_another() {
    for view in new_views() {
        let (_, profile) = view.profile(|| work(&view)).unwrap();
        let mut end = Duration::ZERO;
        for event in profile.events() {
            if event.lane.kind == LaneKind::Queue {
                assert!(event.start >= end, "{view}: {:?}", profile.events());
                end = event.start + event.duration;
            }
        }
    }
    assert_silent();
}

#[test]
fn nothing_is_recorded_outside_of_a_profile() {
    for view in new_views() {
        work(&view).unwrap();
        let ((), profile) = view.profile(|| Ok(())).unwrap();
        assert!(profile.events().is_empty(), "{view}: {profile:?}");
        let other = view
            .accelerator()
            .create_view(QueuingMode::Automatic)
            .unwrap();
        let (_, profile) = view.profile(|| work(&other)).unwrap();
        assert!(profile.events().is_empty(), "{view}: {profile:?}");
    }
    assert_silent();
}

#[test]
fn an_error_or_a_panic_ends_the_profile() {
    for view in new_views() {
        let refused = view.profile(|| {
            work(&view)?;
            Array::<f32, 1>::new(3, &[1.0])
        });
        assert!(refused.is_err(), "{view}");
        let panics = std::panic::AssertUnwindSafe(|| {
            view.profile(|| -> amp::Result<()> {
                work(&view)?;
                panic!("of the test")
            })
        });
        assert!(std::panic::catch_unwind(panics).is_err(), "{view}");
        work(&view).unwrap();
        let ((), profile) = view.profile(|| Ok(())).unwrap();
        assert!(profile.events().is_empty(), "{view}: {profile:?}");
    }
    assert_silent();
}

#[test]
fn profiles_may_be_nested() {
    for view in new_views() {
        let ((_, inner), outer) = view
            .profile(|| {
                work(&view)?;
                view.profile(|| work(&view))
            })
            .unwrap();
        assert_eq!(launches(&inner).len(), 4, "{view}");
        assert_eq!(launches(&outer).len(), 8, "{view}");
        assert!(inner.duration() < outer.duration(), "{view}");
    }
    assert_silent();
}

#[test]
fn threads_may_work_on_a_profiled_view() {
    for view in new_views() {
        let ((), profile) = view
            .profile(|| {
                std::thread::scope(|scope| {
                    for _ in 0..4 {
                        scope.spawn(|| work(&view).unwrap());
                    }
                });
                Ok(())
            })
            .unwrap();
        assert_eq!(launches(&profile).len(), 16, "{view}");
        check_trace(&profile);
    }
    assert_silent();
}

/// More launches than a batch or a pool of timestamps has.
#[test]
fn many_launches_are_all_timed() {
    for view in new_views() {
        let ((), profile) = view
            .profile(|| {
                let mut x = Array::builder(EXTENT).on(&view).build()?;
                for _ in 0..700 {
                    view.parallel_for_each(x.extent(), scale(&mut x, 0.5))?;
                }
                Ok(())
            })
            .unwrap();
        assert_eq!(launches(&profile).len(), 700, "{view}");
        check_trace(&profile);
    }
    assert_silent();
}

/// Two views, one profiled within the other, on one axis.
#[test]
fn profiles_of_two_views_are_merged() {
    for accelerator in Accelerator::all() {
        let view = || accelerator.create_view(QueuingMode::Automatic).unwrap();
        let (a, b) = (view(), view());
        let ((_, of_b), of_a) = a
            .profile(|| {
                work(&a)?;
                b.profile(|| work(&b))
            })
            .unwrap();
        let whole = of_a.duration();
        let both = of_a.merge(of_b);
        assert_eq!(both.duration(), whole);
        assert_eq!(launches(&both).len(), 8);
        let queues = both.events().iter().map(|event| &event.lane);
        let queues = queues.filter(|lane| lane.kind == LaneKind::Queue);
        assert_eq!(queues.collect::<BTreeSet<_>>().len(), 2);
        let starts = both.events().iter().map(|event| event.start);
        assert!(starts.is_sorted());
        check_trace(&both);
    }
    assert_silent();
}

/// The trace as viewers read it: every event once, in named lanes without overlaps.
fn check_trace(profile: &Profile) {
    let mut bytes = Vec::new();
    profile.write_chrome_trace(&mut bytes).unwrap();
    let document: Value = serde_json::from_slice(&bytes).unwrap();
    let entries = document["traceEvents"].as_array().unwrap();
    let mut names = BTreeMap::new();
    let mut groups = BTreeMap::new();
    let mut lanes = BTreeMap::<(u64, u64), Vec<(f64, f64)>>::new();
    let mut found = Vec::new();
    for entry in entries {
        let process = entry["pid"].as_u64().unwrap();
        let name = entry["name"].as_str().unwrap();
        match entry["ph"].as_str().unwrap() {
            "M" if name == "process_name" => {
                groups.insert(process, entry["args"]["name"].as_str().unwrap());
            }
            "M" if name == "thread_name" => {
                let lane = (process, entry["tid"].as_u64().unwrap());
                names.insert(lane, entry["args"]["name"].as_str().unwrap());
            }
            "M" => assert_eq!(name, "thread_sort_index"),
            "X" => {
                let lane = (process, entry["tid"].as_u64().unwrap());
                let (start, took) = (entry["ts"].as_f64(), entry["dur"].as_f64());
                let (start, took) = (start.unwrap(), took.unwrap());
                assert!(took > 0.0, "{entry}");
                assert!(names.contains_key(&lane), "{entry}");
                assert!(groups.contains_key(&process), "{entry}");
                lanes.entry(lane).or_default().push((start, start + took));
                found.push((name.to_owned(), entry["args"]["bytes"].as_u64()));
            }
            other => panic!("an entry of kind {other}"),
        }
    }
    for (lane, mut times) in lanes {
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in times.windows(2) {
            // Decimal fractions of microseconds are not exact.
            assert!(
                pair[0].1 <= pair[1].0 + 1e-4,
                "{:?}: {pair:?}",
                names[&lane]
            );
        }
    }
    let events = profile.events().iter().map(|event| {
        let name = event.activity.name().into_owned();
        (name, event.activity.bytes())
    });
    let mut events: Vec<_> = events.collect();
    events.sort();
    found.sort();
    assert_eq!(found, events);
    let lanes: BTreeSet<_> = profile.events().iter().map(|event| &event.lane).collect();
    for lane in lanes {
        assert!(names.values().any(|name| *name == lane.name), "{lane:?}");
        assert!(groups.values().any(|name| *name == lane.place), "{lane:?}");
    }
}

/// The lanes of a device say which one it is.
#[test]
fn lanes_have_the_path_of_their_accelerator() {
    for view in new_views() {
        let (_, profile) = view.profile(|| work(&view)).unwrap();
        let accelerator = view.accelerator();
        for Event { lane, .. } in profile.events() {
            let path = match lane.kind {
                LaneKind::Thread => "",
                _ => accelerator.device_path(),
            };
            assert_eq!(lane.device_path, path, "{view}: {lane:?}");
        }
    }
    assert_silent();
}

#[test]
fn the_trace_has_every_event_in_its_lane() {
    for view in new_views() {
        let (_, profile) = view.profile(|| work(&view)).unwrap();
        check_trace(&profile);
    }
    assert_silent();
}

#[amp_kernel]
fn launched_here_only(idx: Index<2>, x: &mut ArrayViewMut<f32, 2>) {
    x[idx] += 1.0;
}

/// The driver compiles a kernel for its first launch, on the thread that launches.
#[test]
fn compiling_is_in_the_profile() {
    for view in new_views() {
        let mut x = Array::builder(EXTENT).on(&view).build().unwrap();
        let mut compiled = || {
            let domain = x.extent();
            let launch = || view.parallel_for_each(domain, launched_here_only(&mut x));
            let ((), profile) = view.profile(launch).unwrap();
            let compiled = profile.events().iter().filter(|event| {
                assert_eq!(launches(&profile).len(), 1);
                matches!(&event.activity, Activity::Pipeline { kernel, .. }
                    if kernel == "launched_here_only" && event.lane.kind == LaneKind::Thread)
            });
            compiled.count()
        };
        assert_eq!(compiled(), usize::from(is_device(&view)), "{view}");
        assert_eq!(compiled(), 0, "{view}");
    }
    assert_silent();
}
