//! Accelerator views on Vulkan devices that the program has opened itself (C++ AMP §11), and
//! memory that is exported to others.

mod ends;
#[cfg(unix)]
mod export;
mod machine;
mod queues;

use std::env;
use std::process::Command;
use std::sync::Arc;

use amp::interop::ash::{khr, vk};
use amp::prelude::*;
use amp::profile::Activity;
use amp::{Error, Variant};
use testkit::launch;

use machine::{Machine, Plan, assert_silent, machines, turn};

#[amp_kernel]
fn affine(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>, factor: u32, summand: u32) {
    x[idx] = x[idx] * factor + summand;
}

#[amp_kernel]
fn reverse(t_idx: TiledIndex<1, 8>, x: &mut ArrayViewMut<u32, 1>) {
    #[tile_static]
    let mut tile: [u32; 8];
    tile[t_idx.local[0]] = x[t_idx.global];
    t_idx.barrier.wait();
    x[t_idx.global] = tile[7 - t_idx.local[0]];
}

#[amp_kernel]
fn halve(idx: Index<1>, x: &mut ArrayViewMut<f64, 1>) {
    x[idx] *= 0.5;
}

#[amp_kernel]
fn fails(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    x[idx[0] + 1] = 7;
    println!("thread {idx}");
}

const N: usize = 4096;

fn numbers() -> Vec<u32> {
    (0..N as u32).collect()
}

fn array(view: &AcceleratorView) -> Array<u32, 1> {
    Array::builder(N).on(view).data(&numbers()).build().unwrap()
}

/// Kernels, faults, prints, copies by way of small and large transfers, graphs, profiles and
/// compilation ahead, all of them on one view.
fn works(view: &AcceleratorView) {
    let mut x = array(view);
    view.prepare(&[Variant::new(N, affine(&mut x, 1, 1))])
        .unwrap();
    launch(view, N, affine(&mut x, 3, 1)).unwrap();
    launch(view, Extent::new([N]).tile::<8>(), reverse(&mut x)).unwrap();
    let expected = |i: usize| 3 * (i / 8 * 8 + 7 - i % 8) as u32 + 1;
    assert!(x.to_vec().unwrap().into_iter().eq((0..N).map(expected)));

    let mut data = numbers();
    let mut y = ArrayViewMut::new(N, &mut data).unwrap();
    launch(view, N, affine(&mut y, 2, 0)).unwrap();
    x.copy_from(&y).unwrap();
    drop(y);
    assert!(data.iter().zip(0..).all(|(found, i)| *found == 2 * i));
    assert_eq!(x.to_vec().unwrap(), data);

    let graph = view
        .record(|g| {
            for _ in 0..3 {
                g.parallel_for_each(N, affine(&mut x, 2, 0))?;
            }
            Ok(())
        })
        .unwrap();
    let profile = view
        .profile(|| (0..2).try_for_each(|_| graph.replay()))
        .unwrap()
        .1;
    let replays = profile.events().iter();
    let replays = replays.filter(|it| matches!(it.activity, Activity::Replay { launches: 3 }));
    assert_eq!(replays.count(), 2, "{view}");
    drop(graph);
    assert!(
        x.to_vec()
            .unwrap()
            .into_iter()
            .zip(0..)
            .all(|(found, i)| found == 128 * i)
    );

    view.set_print_hook(|_| ());
    launch(view, N, fails(&mut x)).unwrap();
    match x.to_vec() {
        Err(Error::KernelFault(fault)) => assert_eq!(fault.thread, [N - 1]),
        other => panic!("no fault but {other:?}"),
    }
    view.reset_print_hook();

    let large: Vec<u32> = (0..10 << 20).collect();
    let mut z = Array::builder(large.len())
        .on(view)
        .data(&large)
        .build()
        .unwrap();
    launch(view, large.len(), affine(&mut z, 1, 5)).unwrap();
    assert!(
        z.to_vec()
            .unwrap()
            .into_iter()
            .eq((0..10 << 20).map(|i| i + 5))
    );
    view.wait().unwrap();
}

/// Work of the machine's own on its device.
fn still_works(machine: &Machine) {
    // SAFETY: the device is open, and nothing else uses the queue.
    unsafe {
        let queue = machine.device.get_device_queue(machine.family, 0);
        let fence = machine
            .device
            .create_fence(&vk::FenceCreateInfo::default(), None)
            .unwrap();
        machine.device.queue_submit(queue, &[], fence).unwrap();
        machine
            .device
            .wait_for_fences(&[fence], true, 120_000_000_000)
            .unwrap();
        machine.device.destroy_fence(fence, None);
    }
}

#[test]
fn a_device_of_the_program_runs_all_that_others_run() {
    let _turn = turn();
    for machine in machines(&Plan::default()) {
        let view = machine.try_view(|_| ()).unwrap();
        works(&view);
        let again = view
            .accelerator()
            .create_view(QueuingMode::Immediate)
            .unwrap();
        works(&again);
        drop((view, again));
        still_works(&machine);
        // It can be handed over again.
        works(&machine.try_view(|_| ()).unwrap());
        still_works(&machine);
    }
    assert_silent();
}

#[test]
fn its_accelerator_is_one_of_its_own() {
    let _turn = turn();
    for machine in machines(&Plan::default()) {
        let view = machine.view();
        let accelerator = view.accelerator();
        assert!(!Accelerator::all().contains(&accelerator));
        let other = accelerator.create_view(QueuingMode::Automatic).unwrap();
        assert_eq!(other.accelerator(), accelerator);
        assert_ne!(other, view);
        assert_ne!(Accelerator::default().unwrap(), accelerator);
        // It is the same device as one that is listed, and says the same of itself.
        let listed = Accelerator::by_path(accelerator.device_path()).unwrap();
        assert_ne!(listed, accelerator);
        assert_eq!(listed.description(), accelerator.description());
        assert_eq!(
            listed.properties().max_tile,
            accelerator.properties().max_tile
        );
        assert_eq!(accelerator.properties().queues, 1);
        assert_eq!(accelerator.version(), 1 << 16 | 2);
        assert!(!accelerator.memory().heaps().is_empty());

        let default = accelerator.default_view().unwrap();
        assert_eq!(default, accelerator.default_view().unwrap());
        // Arrays on two views of it are shared as on others, and with those of other devices.
        let mut x = array(&default);
        launch(&default, N, affine(&mut x, 2, 0)).unwrap();
        let error = launch(&other, N, affine(&mut x, 2, 0)).unwrap_err();
        assert!(matches!(error, Error::ViewMismatch { .. }), "{error}");
        for elsewhere in testkit::views().iter().chain([&other]) {
            let mut there = array(elsewhere);
            x.copy_to(&mut there).unwrap();
            launch(elsewhere, N, affine(&mut there, 1, 1)).unwrap();
            x.copy_from(&there).unwrap();
            launch(&default, N, affine(&mut x.view_mut(), 1, 1)).unwrap();
        }
        let rounds = testkit::views().len() as u32 + 1;
        let found = x.to_vec().unwrap();
        assert!(
            found
                .into_iter()
                .zip(0..)
                .all(|(found, i)| found == 2 * i + 2 * rounds)
        );
    }
    assert_silent();
}

/// Says to a process of this test that it is one of its own, for it sets the default.
const CHILD: &str = "AMP_TEST_DEFAULT_OF_THE_PROGRAM";

/// Launches that name no accelerator run on it, all on one view, which is kept.
#[test]
fn it_may_be_the_default_accelerator() {
    let _turn = turn();
    if env::var_os(CHILD).is_none() {
        let mut child = Command::new(env::current_exe().unwrap());
        child.args(["--exact", "it_may_be_the_default_accelerator"]);
        let child = child.env(CHILD, "1").output().unwrap();
        assert!(child.status.success(), "{child:?}");
        return;
    }
    if let Some(machine) = machines(&Plan::default()).into_iter().next() {
        let accelerator = machine.view().accelerator();
        assert!(Accelerator::set_default(&accelerator));
        assert_eq!(Accelerator::default().unwrap(), accelerator);
        let mut data = numbers();
        let mut x = ArrayViewMut::new(N, &mut data).unwrap();
        for _ in 0..3 {
            parallel_for_each(N, affine(&mut x, 2, 0)).unwrap();
        }
        let there = Array::<u32, 1>::zeroed(N).unwrap();
        assert_eq!(there.accelerator_view().accelerator(), accelerator);
        let first = accelerator.default_view().unwrap();
        assert_eq!(there.accelerator_view(), first);
        let launched = first.profile(|| parallel_for_each(N, affine(&mut x, 2, 0)));
        let profile = launched.unwrap().1;
        let mut events = profile.events().iter();
        // The data is where the first launch has been.
        assert!(!events.any(|it| matches!(it.activity, Activity::Transfer { .. })));
        assert!(
            profile
                .events()
                .iter()
                .any(|it| matches!(it.activity, Activity::Launch { .. }))
        );
        drop(x);
        assert!(data.into_iter().zip(0..).all(|(found, i)| found == 16 * i));
        assert_silent();
    }
    std::process::exit(0);
}

/// Whatever goes last lets the machine go, and nothing does before.
#[test]
fn what_is_dropped_last_drops_the_keeper() {
    let _turn = turn();
    let parts = |machine: &Arc<Machine>| {
        let view = machine.view();
        let accelerator = view.accelerator();
        let mut x = array(&view);
        let mut data = numbers();
        data.truncate(100);
        let mut y = ArrayViewMut::new(100, data.leak()).unwrap();
        launch(&view, N, affine(&mut x, 2, 0)).unwrap();
        launch(&view, 100, affine(&mut y, 2, 0)).unwrap();
        accelerator.default_view().unwrap().wait().unwrap();
        (view, accelerator, x, y)
    };
    for order in 0..4 {
        for machine in machines(&Plan::default()) {
            let weak = Arc::downgrade(&machine);
            let (view, accelerator, x, y) = parts(&machine);
            if order % 2 == 0 {
                drop(machine);
            } else {
                // The program may hold it, too, and longer.
                assert_eq!(Arc::strong_count(&machine), 2);
            }
            let last: Box<dyn std::any::Any> = match order {
                0 => {
                    drop((view, accelerator, y));
                    Box::new(x)
                }
                1 => {
                    drop((x, view, accelerator));
                    Box::new(y)
                }
                2 => {
                    drop((y, x, view));
                    Box::new(accelerator)
                }
                _ => {
                    drop((accelerator, x, y));
                    Box::new(view)
                }
            };
            let held = 1 + order % 2;
            assert_eq!(weak.strong_count(), held, "order {order}");
            drop(last);
            assert_eq!(weak.strong_count(), held - 1, "order {order}");
        }
    }
    assert_silent();
}

/// The text of the error for a device that was opened by a plan.
fn refused(plan: Plan) -> Vec<String> {
    let errors = machines(&plan).into_iter().map(|machine| {
        let error = machine.try_view(|_| ()).unwrap_err();
        assert!(matches!(error, Error::UnsupportedFeature(_)), "{error}");
        still_works(&machine);
        error.to_string()
    });
    errors.collect()
}

#[test]
fn missing_features_of_a_device_are_named() {
    let _turn = turn();
    let without = |change: fn(&mut vk::PhysicalDeviceVulkan12Features<'_>)| {
        let mut plan = Plan::default();
        change(&mut plan.vulkan12);
        refused(plan)
    };
    let tables = [
        (
            without(|features| features.buffer_device_address = vk::FALSE),
            "lacks bufferDeviceAddress; open it with that",
        ),
        (
            without(|features| features.timeline_semaphore = vk::FALSE),
            "lacks timelineSemaphore;",
        ),
        (
            without(|features| features.scalar_block_layout = vk::FALSE),
            "lacks scalarBlockLayout;",
        ),
        (
            without(|features| *features = Default::default()),
            "lacks bufferDeviceAddress, vulkanMemoryModel, timelineSemaphore, scalarBlockLayout;",
        ),
        (
            refused(Plan {
                version: vk::API_VERSION_1_1,
                ..Plan::default()
            }),
            "lacks Vulkan 1.2: the device has Vulkan 1.",
        ),
    ];
    for (errors, expected) in tables {
        for error in errors {
            assert!(error.contains(expected), "{error}");
        }
    }
    assert_silent();
}

#[test]
fn kernels_use_no_feature_that_was_not_enabled() {
    let _turn = turn();
    let run = |view: &AcceleratorView| {
        let mut x: Array<f64, 1> = Array::builder(4).on(view).data(&[3.0; 4]).build()?;
        launch(view, 4, halve(&mut x))?;
        x.to_vec()
    };
    let mut base = vk::PhysicalDeviceFeatures::default().shader_int64(true);
    let all = testkit::accelerators();
    if !all.iter().all(Accelerator::supports_double_precision) {
        return;
    }
    for machine in machines(&Plan {
        base,
        ..Plan::default()
    }) {
        let view = machine.view();
        let accelerator = view.accelerator();
        assert!(!accelerator.supports_limited_double_precision());
        let properties = accelerator.properties();
        assert_eq!(properties.features, ["shaderInt64"]);
        assert!(properties.lacking.contains(&"shaderFloat64"));
        let error = run(&view).unwrap_err();
        assert!(matches!(error, Error::UnsupportedFeature(_)), "{error}");
        assert!(error.to_string().contains("shaderFloat64"), "{error}");
    }
    base.shader_float64 = vk::TRUE;
    for machine in machines(&Plan {
        base,
        ..Plan::default()
    }) {
        let view = machine.view();
        assert!(view.accelerator().supports_double_precision());
        assert_eq!(run(&view).unwrap(), [1.5; 4]);
    }
    assert_silent();
}

/// What is offered but was not enabled is not used, and profiles come without.
#[test]
fn extensions_that_were_enabled_are_used() {
    let _turn = turn();
    let calibrated = khr::calibrated_timestamps::NAME;
    for plain in machines(&Plan::default()) {
        let raw = plain.view();
        assert_eq!(
            raw.raw_device().unwrap().device.handle(),
            plain.device.handle()
        );
        works(&raw);
        // SAFETY: the instance is alive.
        let offered = unsafe {
            plain
                .instance
                .enumerate_device_extension_properties(plain.physical_device)
        };
        let is_it = |it: &vk::ExtensionProperties| it.extension_name_as_c_str() == Ok(calibrated);
        if !offered.unwrap().iter().any(is_it) {
            return;
        }
    }
    let plan = Plan {
        extensions: vec![calibrated],
        ..Plan::default()
    };
    for machine in machines(&plan) {
        works(&machine.view());
    }
    assert_silent();
}
