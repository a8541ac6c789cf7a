//! Allocations that live on an accelerator, and copies between those.

use super::*;

/// Where arrays live, and with what.
fn arrays(view: &AcceleratorView) -> Vec<Allocation<'static>> {
    let staging = |view| Allocation::staging(&Accelerator::cpu_view(), view, 512, 4).unwrap();
    let [shared, apart] =
        [true, false].map(|shared| Allocation::array(view, 512, 4, shared).unwrap());
    vec![shared, apart, staging(view)]
}

/// The accelerators, and the devices among them as if none worked in the host's memory.
fn all_kinds_of_views() -> Vec<AcceleratorView> {
    let discrete = crate::device::vulkan::discrete_adapters();
    let discrete = discrete.into_iter().map(Accelerator::new_vulkan);
    let view = |a: Accelerator| a.create_view(QueuingMode::Automatic).unwrap();
    views().into_iter().chain(discrete.map(view)).collect()
}

#[test]
fn an_array_returns_to_its_view() {
    let all = all_kinds_of_views();
    for allocation in all.iter().flat_map(arrays) {
        allocation.zero().unwrap();
        for other in &all {
            run_on(&allocation, other, allocation.whole(), Some(8));
            allocation.to_source(allocation.whole()).unwrap();
            let Source::Array(view) = allocation.source() else {
                panic!("an array belongs to a view");
            };
            if let Backend::Vulkan(stream) = view.backend() {
                let missing = allocation
                    .lock()
                    .copies
                    .missing_on_stream(stream, allocation.whole());
                assert!(missing.is_empty());
            }
            let mut out = [0; 512];
            allocation.read(allocation.whole(), &mut out).unwrap();
            assert_eq!(out, [8; 512]);
        }
    }
}

/// The host and every accelerator write in turn to parts of an array, and the host looks at
/// all of it each time: whatever the memory is that it looks at.
#[test]
fn the_host_and_the_accelerators_take_turns_with_an_array() {
    let all = all_kinds_of_views();
    for allocation in all.iter().flat_map(arrays) {
        allocation.zero().unwrap();
        let mut expected = [0; 512];
        for (round, view) in all.iter().cycle().take(40).enumerate() {
            let value = round as u8 + 1;
            let part: Ranges = [round..round + 100, 300 + round..302 + round]
                .into_iter()
                .collect();
            let writer = match round % 3 {
                0 => &Accelerator::cpu_view(),
                _ => view,
            };
            run_on(&allocation, writer, &part, Some(value));
            part.iter().for_each(|range| expected[range].fill(value));
            let memory = allocation.to_host(allocation.whole()).unwrap();
            assert_eq!(memory.bytes(0..512), expected, "round {round}");
        }
    }
    assert_eq!(crate::device::vulkan::validation_messages(), 0);
}

/// Parts of arrays of every kind go to arrays of every kind, between writes of the host and
/// of an accelerator to both: each copy has what was there before it, and nothing later.
#[test]
fn arrays_of_all_kinds_are_copied_to_each_other() {
    let all = all_kinds_of_views();
    let allocations: Vec<_> = all.iter().flat_map(arrays).collect();
    let cpu = Accelerator::cpu_view();
    let parts: [Ranges; 2] = [
        [0..64, 200..300].into_iter().collect(),
        [10..100, 400..474].into_iter().collect(),
    ];
    let [from, to] = &parts;
    for allocation in &allocations {
        allocation.zero().unwrap();
    }
    for (number, source) in allocations.iter().enumerate() {
        for (other, target) in allocations
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != number)
        {
            for view in [&cpu, &all[(number + other) % all.len()]] {
                let value = (number * allocations.len() + other) as u8;
                run_on(source, view, from, Some(value));
                let pace = [Pace::Now, Pace::Later][other % 2];
                let readbacks = copy((source, from), (target, to), pace).unwrap().readbacks;
                if !readbacks.is_empty() {
                    target.land_copy(readbacks).unwrap();
                }
                run_on(source, view, from, Some(255));
                run_on(target, view, &Ranges::of(20..30), Some(254));
                let memory = target.to_host(target.whole()).unwrap();
                let expected: Vec<u8> = (0..512)
                    .map(|at| match at {
                        20..30 => 254,
                        10..100 | 400..474 => value,
                        _ => memory.bytes(at..at + 1)[0],
                    })
                    .collect();
                assert_eq!(memory.bytes(0..512), expected, "{number} to {other}");
            }
        }
    }
    assert_eq!(crate::device::vulkan::validation_messages(), 0);
}

/// Where the host works in a device's memory, it sees what a kernel did without a copy, and
/// the other way round.
#[test]
fn shared_memory_is_one() {
    for view in views() {
        let Backend::Vulkan(stream) = view.backend() else {
            continue;
        };
        if !view.accelerator().supports_cpu_shared_memory() {
            continue;
        }
        let allocation = Allocation::array(&view, 512, 16, true).unwrap();
        allocation.zero().unwrap();
        run_on(&allocation, &view, allocation.whole(), Some(5));
        let place = allocation
            .to_host(allocation.whole())
            .unwrap()
            .bytes(0..512)
            .as_ptr();
        let buffer = allocation.on_stream(stream, allocation.whole()).unwrap();
        let memory = buffer.host_memory(512, 16).unwrap();
        assert_eq!(memory.bytes(0..512).as_ptr(), place);
        let apart = Allocation::array(&view, 512, 16, false).unwrap();
        apart.zero().unwrap();
        let memory = apart.to_host(apart.whole()).unwrap().bytes(0..512);
        let buffer = apart.on_stream(stream, apart.whole()).unwrap();
        let of_device = buffer.host_memory(512, 16).unwrap();
        assert_ne!(memory.as_ptr(), of_device.bytes(0..512).as_ptr());
    }
}

/// A device opened twice stands for two: their buffers have nothing in common.
#[test]
fn data_goes_from_device_to_device_by_the_host() {
    let open = || {
        let adapters = vulkan::adapters().into_iter();
        let all = adapters.chain(vulkan::discrete_adapters());
        all.map(|adapter| {
            Accelerator::new_vulkan(adapter)
                .create_view(QueuingMode::Automatic)
                .unwrap()
        })
    };
    for first in open() {
        for second in open() {
            let size = (16 << 20) + 100;
            let data: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
            let source = Allocation::array(&first, size, 4, false).unwrap();
            source.write(source.whole(), &data).unwrap();
            let target = Allocation::array(&second, size, 4, false).unwrap();
            target.zero().unwrap();
            // All but 7 bytes, to another place, in two parts.
            let from: Ranges = [3..1000, 1004..size].into_iter().collect();
            let to: Ranges = [0..5000, 5007..size].into_iter().collect();
            copy((&source, &from), (&target, &to), Pace::Later).unwrap();
            let mut out = vec![0; size];
            target.read(target.whole(), &mut out).unwrap();
            let mut expected = [&data[3..1000], &data[1004..]].concat();
            expected.splice(5000..5000, [0; 7]);
            assert!(out == expected, "{first} to {second}");
            // Nothing has become current in the source.
            assert_eq!(held_by(&source, &first), data);
            source.bring_to(&second, source.whole()).unwrap();
            assert_eq!(held_by(&source, &second), data);
        }
    }
    assert_eq!(vulkan::validation_messages(), 0);
}

/// The host has no memory for the first portion on its way from device to device, or for the
/// second. What has arrived is there, nothing else has changed, and the next copy goes through.
#[test]
fn host_memory_may_run_out_between_two_devices() {
    let open = |adapters: Vec<vulkan::Adapter>| {
        let accelerators = adapters.into_iter().map(Accelerator::new_vulkan);
        let views = accelerators.map(|it| it.create_view(QueuingMode::Automatic).unwrap());
        views.collect::<Vec<_>>()
    };
    let firsts = open(vulkan::adapters());
    let seconds = open(vulkan::discrete_adapters());
    for (first, second) in firsts.iter().zip(&seconds) {
        for (from, to) in [(first, second), (second, first)] {
            let size = (16 << 20) + 100;
            let data: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
            let source = Allocation::array(from, size, 4, false).unwrap();
            source.write(source.whole(), &data).unwrap();
            let target = Allocation::array(to, size, 4, false).unwrap();
            let ends = ((&source, source.whole()), (&target, target.whole()));
            for portions in 0..2 {
                target.zero().unwrap();
                shortage::after(portions);
                match copy(ends.0, ends.1, Pace::Later).map(|_| ()) {
                    Err(Error::OutOfMemory { accelerator, .. }) => {
                        assert_eq!(accelerator, "the host");
                    }
                    other => panic!("{other:?}"),
                }
                let mut out = vec![1; size];
                target.read(target.whole(), &mut out).unwrap();
                let arrived = portions as usize * (16 << 20);
                assert!(out[..arrived] == data[..arrived]);
                assert!(out[arrived..].iter().all(|&byte| byte == 0));
            }
            copy(ends.0, ends.1, Pace::Later).unwrap();
            let mut out = vec![1; size];
            target.read(target.whole(), &mut out).unwrap();
            assert!(out == data, "{from} to {to}");
        }
    }
    assert_eq!(vulkan::validation_messages(), 0);
}

/// Half of the source is at hand and half is behind what a device has to do. Whether the copy
/// is dropped or landed, host and device agree about each byte of its target.
#[test]
fn a_copy_that_is_dropped_half_way_leaves_its_target_the_same_everywhere() {
    for view in all_kinds_of_views() {
        let Backend::Vulkan(stream) = view.backend() else {
            continue;
        };
        for lands in [false, true] {
            let (mut from, mut to) = ([7u8; 64], [1u8; 64]);
            let source = Allocation::of_slice(HostMemory::exclusive(&mut from));
            let target = Allocation::of_slice(HostMemory::exclusive(&mut to));
            let buffer = source.on_stream(stream, source.whole()).unwrap();
            source.to_host_for_writing(&Ranges::of(0..32)).unwrap();
            // What is recorded and not sent is not at hand.
            stream.zero(&buffer).unwrap();
            let bytes = Ranges::of(32..64);
            source.directory().written_on(&view, &bytes, &[]);
            target.on_stream(stream, target.whole()).unwrap();
            let ends = ((&source, source.whole()), (&target, target.whole()));
            let underway = copy(ends.0, ends.1, Pace::Later).unwrap();
            if lands {
                target.land_copy(underway.readbacks).unwrap();
            }
            let mut seen = [0; 64];
            target.read(target.whole(), &mut seen).unwrap();
            target.bring_to(&view, target.whole()).unwrap();
            assert_eq!(held_by(&target, &view), seen, "{view}");
            let expected = |at: usize| if at < 32 { 7 } else { 0 };
            let fits = |at: usize| seen[at] == expected(at) || !lands && seen[at] == 1;
            assert!((0..64).all(fits), "{seen:?}");
        }
    }
    assert_eq!(vulkan::validation_messages(), 0);
}
