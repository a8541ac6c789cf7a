//! Homes on every accelerator of the machine, by what is moved and what is not.

use super::*;
use crate::device::cpu::memory::shortage;
use crate::device::vulkan;
use crate::{Accelerator, QueuingMode};

fn views() -> Vec<AcceleratorView> {
    let view = |a: &Accelerator| a.create_view(QueuingMode::Automatic).unwrap();
    Accelerator::all().iter().map(view).collect()
}

/// Does what a launch does that writes bytes: they are current there, then written.
fn run_on(allocation: &Allocation<'_>, view: &AcceleratorView, bytes: &Ranges, value: Option<u8>) {
    match view.backend() {
        Backend::Vulkan(stream) => {
            let buffer = allocation.on_stream(stream, bytes).unwrap();
            if let Some(value) = value {
                let data = vec![value; bytes.size()];
                let pieces = bytes
                    .iter()
                    .map(|range| (range.start as u64, &data[..range.len()]));
                stream.upload(&buffer, &pieces.collect::<Vec<_>>()).unwrap();
            }
        }
        Backend::Cpu(_) => {
            let memory = allocation.to_host_for_writing(bytes).unwrap();
            if let Some(value) = value {
                bytes
                    .iter()
                    .for_each(|range| memory.refill(range).fill(value));
            }
        }
    }
    allocation.directory().written_on(view, bytes, &[]);
}

/// The whole allocation as `view` has it, whether current or not.
fn held_by(allocation: &Allocation<'_>, view: &AcceleratorView) -> Vec<u8> {
    let mut out = vec![0; allocation.whole().size()];
    match view.backend() {
        Backend::Vulkan(stream) => {
            let buffer = allocation.on_stream(stream, &Ranges::default()).unwrap();
            stream.download(&buffer, vec![(0, &mut out)]).unwrap();
        }
        Backend::Cpu(_) => return allocation.memory().unwrap().bytes(0..out.len()).to_vec(),
    }
    out
}

#[test]
fn the_last_writer_is_seen_everywhere() {
    let mut data = [1u32; 64];
    let allocation = Allocation::of_slice(HostMemory::exclusive(&mut data));
    for (round, view) in views().iter().chain(&views()).enumerate() {
        let value = round as u8 + 2;
        run_on(&allocation, view, allocation.whole(), Some(value));
        for reader in &views() {
            allocation.bring_to(reader, allocation.whole()).unwrap();
            assert_eq!(held_by(&allocation, reader), [value; 256]);
        }
        assert_eq!(
            allocation
                .to_host(allocation.whole())
                .unwrap()
                .bytes(0..256),
            [value; 256]
        );
    }
}

/// Data outlive many views that use them; what is nowhere but on a view that is gone stays.
#[test]
fn views_that_are_gone_leave_no_copies_behind() {
    for accelerator in Accelerator::all() {
        let mut data = [1u32; 64];
        let allocation = Allocation::of_slice(HostMemory::exclusive(&mut data));
        let half = Ranges::of(0..128);
        let mut gone = Vec::new();
        for round in 0..6 {
            let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
            let Backend::Vulkan(stream) = view.backend() else {
                break;
            };
            allocation.on_stream(stream, allocation.whole()).unwrap();
            if round == 3 {
                run_on(&allocation, &view, &half, Some(9));
                allocation.take_fault().unwrap();
            }
            gone.push(Arc::downgrade(stream));
        }
        let alive: Vec<_> = gone
            .iter()
            .map(|stream| stream.strong_count() > 0)
            .collect();
        // The last one goes when there is another.
        let expected = &[false, false, false, false, false, true][..alive.len()];
        assert_eq!(alive, expected, "{accelerator}");
        let mut out = [0; 256];
        allocation.read(allocation.whole(), &mut out).unwrap();
        if !gone.is_empty() {
            assert_eq!(out[..128], [9; 128]);
            assert_eq!(out[128..], bytemuck::cast::<_, [u8; 128]>([1u32; 32]));
        }
    }
}

#[test]
fn reading_keeps_the_host_current_and_writing_does_not() {
    for view in views() {
        let Backend::Vulkan(stream) = view.backend() else {
            continue;
        };
        let mut data = [7u32; 16];
        let allocation = Allocation::of_slice(HostMemory::exclusive(&mut data));
        let (whole, stale) = (allocation.whole(), |allocation: &Allocation<'_>| {
            allocation
                .lock()
                .copies
                .missing_on_host(allocation.whole())
                .size()
        });
        let before = allocation.directory().epoch();
        allocation.on_stream(stream, whole).unwrap();
        let shared = allocation.directory().epoch();
        assert!(stale(&allocation) == 0 && shared != before);
        allocation.on_stream(stream, whole).unwrap();
        assert_eq!(
            allocation.directory().epoch(),
            shared,
            "nothing has changed"
        );
        run_on(&allocation, &view, whole, Some(9));
        assert!(stale(&allocation) == 64 && allocation.directory().epoch() != shared);
        allocation.to_host_for_writing(whole).unwrap();
        assert_eq!(
            allocation.lock().copies.missing_on_stream(stream, whole),
            *whole
        );
    }
}

/// What a part is needed for moves the part, and nothing else.
#[test]
fn only_the_bytes_asked_for_are_moved() {
    let all = views();
    for (first, second) in all.iter().zip(all.iter().cycle().skip(1)) {
        let mut data = [1u8; 64];
        let allocation = Allocation::of_slice(HostMemory::exclusive(&mut data));
        let rows: Ranges = [0..4, 16..20, 32..36].into_iter().collect();
        let other: Ranges = [4..8, 60..64].into_iter().collect();
        run_on(&allocation, first, &rows, Some(2));
        run_on(&allocation, second, &other, Some(3));
        let (mut expected, mut of_rows) = ([1; 64], [1; 64]);
        for range in rows.iter() {
            expected[range.clone()].fill(2);
            of_rows[range].fill(2);
        }
        for range in other.iter() {
            expected[range].fill(3);
        }
        // What the host has not been asked for it does not have.
        allocation.to_host(&rows).unwrap();
        if let (Backend::Vulkan(_), Backend::Vulkan(_)) = (first.backend(), second.backend()) {
            assert_eq!(allocation.memory().unwrap().bytes(0..64), of_rows);
        }
        let mut out = [0; 64];
        allocation.read(allocation.whole(), &mut out).unwrap();
        assert_eq!(out, expected);
        let mut part = [0; 12];
        let three: Ranges = [2..6, 30..34, 60..64].into_iter().collect();
        allocation.read(&three, &mut part).unwrap();
        assert_eq!(part, [2, 2, 3, 3, 1, 1, 2, 2, 3, 3, 3, 3]);
        allocation.to_source(allocation.whole()).unwrap();
        assert_eq!(allocation.memory().unwrap().bytes(0..64), expected);
    }
}

/// A part that is written in one place leaves what is written elsewhere meanwhile.
#[test]
fn disjoint_parts_are_written_at_the_same_time() {
    let mut data = [0u8; 4096];
    let allocation = Allocation::of_slice(HostMemory::exclusive(&mut data));
    let all = views();
    let part = |i: usize| -> Ranges {
        (0..64)
            .map(|row| row * 64 + i * 16..row * 64 + (i + 1) * 16)
            .collect()
    };
    std::thread::scope(|scope| {
        for i in 0..4 {
            let (allocation, all, part) = (&allocation, &all, part(i));
            scope.spawn(move || {
                for round in 0..50 {
                    run_on(
                        allocation,
                        &all[(i + round) % all.len()],
                        &part,
                        Some(round as u8),
                    );
                    allocation.to_host(&part).unwrap();
                }
            });
        }
    });
    assert_eq!(
        allocation
            .to_host(allocation.whole())
            .unwrap()
            .bytes(0..4096),
        [49; 4096]
    );
}

#[test]
fn refreshed_data_is_read_anew_and_pending_writes_stay() {
    for view in views() {
        let Backend::Vulkan(stream) = view.backend() else {
            continue;
        };
        let mut data = [1u8; 64];
        let allocation = Allocation::of_slice(HostMemory::exclusive(&mut data));
        allocation.on_stream(stream, allocation.whole()).unwrap();
        run_on(&allocation, &view, &Ranges::of(0..8), Some(2));
        // Behind the allocation's back.
        allocation.memory().unwrap().refill(8..64).fill(9);
        allocation.refresh(&Ranges::of(0..32), false);
        allocation.on_stream(stream, allocation.whole()).unwrap();
        let held = held_by(&allocation, &view);
        assert!(held[..8] == [2; 8] && held[8..32] == [9; 24] && held[32..] == [1; 32]);
    }
}

#[test]
fn discarded_data_is_neither_moved_nor_lost_where_it_is() {
    for view in views() {
        let Backend::Vulkan(_) = view.backend() else {
            continue;
        };
        let mut data = [20u8; 256];
        let allocation = Allocation::of_slice(HostMemory::exclusive(&mut data));
        run_on(&allocation, &view, allocation.whole(), Some(5));
        let half = Ranges::of(0..128);
        allocation.discard(&half);
        // The host keeps what it had, and so does the device.
        assert_eq!(allocation.to_host(&half).unwrap().bytes(0..128), [20; 128]);
        run_on(&allocation, &view, &half, None);
        assert_eq!(held_by(&allocation, &view), [5; 256]);
        assert_eq!(
            allocation
                .to_host(allocation.whole())
                .unwrap()
                .bytes(0..256),
            [5; 256]
        );
        allocation.discard(&half);
        // A new copy needs nothing of the half.
        for other in views() {
            if let Backend::Vulkan(stream) = other.backend() {
                allocation.on_stream(stream, &Ranges::default()).unwrap();
                let missing = allocation
                    .lock()
                    .copies
                    .missing_on_stream(stream, allocation.whole());
                assert_eq!(missing, Ranges::of(128..256));
            }
        }
    }
}

#[test]
fn an_allocation_without_source_needs_no_first_copy() {
    for view in views() {
        let allocation = Allocation::nowhere(1024, 4);
        run_on(&allocation, &view, allocation.whole(), Some(3));
        let mut out = [0; 1024];
        allocation.read(allocation.whole(), &mut out).unwrap();
        assert_eq!(out, [3; 1024]);
    }
}

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
