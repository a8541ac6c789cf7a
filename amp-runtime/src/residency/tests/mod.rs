//! Allocations on every accelerator of the machine: what is moved, and what is not.

mod arrays;

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
