//! Barriers and tile_static memory.

use super::*;
use crate::device::cpu::host_version;
use crate::types::index::{Index, TiledIndex};

/// Sums each tile of 64 values by halving, the classic of tiled reductions.
fn tile_sums(tiles: usize) -> Vec<u32> {
    let mut values: Vec<u32> = (0..64 * tiles as u32).collect();
    let mut sums = vec![0u32; tiles];
    let views = vec![view(&[64 * tiles], &mut values), view(&[tiles], &mut sums)];
    let kernel = |t_idx: TiledIndex<1, 64>, views: Views<'_>| {
        let (values, mut sums) = (views.readable::<u32, 1>(0), views.writable::<u32, 1>(1));
        let mut shared = host_version::tile_static::<[u32; 64]>(0);
        let local = t_idx.local[0];
        *host_version::at_mut(&mut shared, local) = values.place(t_idx).load();
        t_idx.barrier.wait();
        let mut half = 32;
        while half > 0 {
            if local < half {
                let other = *host_version::at(&shared, local + half);
                *host_version::at_mut(&mut shared, local) += other;
            }
            t_idx.barrier.wait_with_tile_static_memory_fence();
            half /= 2;
        }
        if local == 0 {
            sums.place_mut(t_idx.tile)
                .store(*host_version::at(&shared, 0));
        }
    };
    assert_eq!(launch(&[64 * tiles], views, true, kernel), Ok(()));
    sums
}

#[test]
fn threads_of_a_tile_meet_at_barriers() {
    for (tile, sum) in tile_sums(500).into_iter().enumerate() {
        let first = 64 * tile as u32;
        assert_eq!(sum, (first..first + 64).sum::<u32>());
    }
}

#[test]
fn tiles_of_1024_threads() {
    let mut data = vec![0u32; 4096];
    let views = vec![view(&[64, 64], &mut data)];
    let kernel = |t_idx: TiledIndex<2, 32, 32>, views: Views<'_>| {
        let mut shared = host_version::tile_static::<[[u32; 32]; 32]>(0);
        let (row, column) = (t_idx.local[0], t_idx.local[1]);
        *host_version::at_mut(host_version::at_mut(&mut shared, row), column) =
            (32 * row + column) as u32;
        t_idx.barrier.wait();
        let value = *host_version::at(host_version::at(&shared, column), row);
        views.writable::<u32, 2>(0).place_mut(t_idx).store(value);
    };
    assert_eq!(launch(&[64, 64], views, true, kernel), Ok(()));
    for (position, &value) in data.iter().enumerate() {
        let (row, column) = (position / 64 % 32, position % 32);
        assert_eq!(value as usize, 32 * column + row);
    }
}

#[test]
fn a_thread_that_ends_early_is_a_divergent_barrier() {
    let line = line!() + 4;
    let kernel = |t_idx: TiledIndex<1, 8>, _: Views<'_>| {
        let shared = std::rc::Rc::new(t_idx.local[0]);
        if *shared != 5 {
            t_idx.barrier.wait();
        }
        drop(shared);
    };
    let fault = fault(launch(&[16], vec![], true, kernel));
    assert_eq!((fault.file.as_str(), fault.line), (file!(), line));
    assert_eq!(fault.thread, [0]);
    assert_eq!(
        fault.message,
        "divergent barrier: this thread waits here, but thread [5] of its tile has ended"
    );
}

#[test]
fn a_thread_that_waits_alone_is_named() {
    let kernel = |t_idx: TiledIndex<1, 8>, _: Views<'_>| {
        if t_idx.local[0] == 3 {
            t_idx.barrier.wait();
        }
    };
    let fault = fault(launch(&[8], vec![], true, kernel));
    assert_eq!(fault.thread, [3]);
    assert!(
        fault
            .message
            .ends_with("but thread [0] of its tile has ended")
    );
}

#[test]
fn waits_at_different_barriers_diverge() {
    let (first, second) = (line!() + 3, line!() + 5);
    let kernel = |t_idx: TiledIndex<2, 2, 2>, _: Views<'_>| {
        if t_idx.local[1] == 0 {
            t_idx.barrier.wait();
        } else {
            t_idx.barrier.wait_with_all_memory_fence();
        }
    };
    let fault = fault(launch(&[2, 2], vec![], true, kernel));
    assert_eq!(
        (fault.line, fault.thread.as_slice()),
        (first, [0, 0].as_slice())
    );
    let start = "divergent barrier: this thread waits here, but thread [0, 1] of its tile waits at";
    assert_eq!(fault.message, format!("{start} {}:{second}:27", file!()));
}

#[test]
fn divergence_unwinds_what_is_on_the_stacks() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    struct Counted<'a>(&'a AtomicUsize);
    impl Drop for Counted<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let dropped = AtomicUsize::new(0);
    let kernel = |t_idx: TiledIndex<1, 8>, _: Views<'_>| {
        let _counted = Counted(&dropped);
        if t_idx.local[0] < 6 {
            t_idx.barrier.wait();
        }
    };
    fault(launch(&[8], vec![], true, kernel));
    // The seventh thread ended and so gave the divergence away; the eighth never ran.
    assert_eq!(dropped.into_inner(), 7);
}

#[test]
fn a_panic_becomes_a_fault() {
    let in_loop = |idx: Index<1>, _: Views<'_>| assert!(idx[0] != 70, "no {} please", 70);
    let fault_in_loop = fault(launch(&[100], vec![], false, in_loop));
    assert_eq!(fault_in_loop.message, "no 70 please");
    assert_eq!(fault_in_loop.thread, [70]);
    assert_eq!(
        (fault_in_loop.file.as_str(), fault_in_loop.line),
        ("host_version.rs", 0)
    );

    let in_turns = |t_idx: TiledIndex<1, 8>, _: Views<'_>| {
        t_idx.barrier.wait();
        assert!(t_idx.local[0] != 3, "not three");
        t_idx.barrier.wait();
    };
    let fault_in_turns = fault(launch(&[8], vec![], true, in_turns));
    assert_eq!(
        (fault_in_turns.message.as_str(), fault_in_turns.thread),
        ("not three", vec![3])
    );
}

#[test]
fn a_crew_goes_on_after_a_divergent_tile() {
    let mut done = vec![0u32; 32];
    let views = vec![view(&[32], &mut done)];
    let kernel = |t_idx: TiledIndex<1, 8>, views: Views<'_>| {
        if t_idx.tile[0] == 1 && t_idx.local[0] == 7 {
            return;
        }
        t_idx.barrier.wait();
        views.writable::<u32, 1>(0).place_mut(t_idx).store(1);
    };
    assert_eq!(fault(launch(&[32], views, true, kernel)).thread, [8]);
    let expected: Vec<u32> = (0..32).map(|i| u32::from(i / 8 != 1)).collect();
    assert_eq!(done, expected);
}

/// The article's matrix product, in the host version's words.
#[test]
fn tiled_matrix_product() {
    const TS: usize = 16;
    const SIZE: usize = 128;
    let mut a: Vec<f32> = (0..SIZE * SIZE).map(|i| (i % 7) as f32).collect();
    let mut b: Vec<f32> = (0..SIZE * SIZE).map(|i| (i % 5) as f32).collect();
    let mut c = vec![0.0f32; SIZE * SIZE];
    let shape = [SIZE, SIZE];
    let views = vec![
        view(&shape, &mut a),
        view(&shape, &mut b),
        view(&shape, &mut c),
    ];
    let kernel = |t_idx: TiledIndex<2, TS, TS>, views: Views<'_>| {
        let (a, b) = (views.readable::<f32, 2>(0), views.readable::<f32, 2>(1));
        let mut c = views.writable::<f32, 2>(2);
        let mut loc_a = host_version::tile_static::<[[f32; TS]; TS]>(0);
        let mut loc_b = host_version::tile_static::<[[f32; TS]; TS]>(1);
        let (row, col) = (t_idx.local[0], t_idx.local[1]);
        let mut sum = 0.0;
        for i in (0..a.extent()[1]).step_by(host_version::step(TS)) {
            *host_version::at_mut(host_version::at_mut(&mut loc_a, row), col) =
                a.place([t_idx.global[0], col + i]).load();
            *host_version::at_mut(host_version::at_mut(&mut loc_b, row), col) =
                b.place([row + i, t_idx.global[1]]).load();
            t_idx.barrier.wait();
            for k in 0..TS {
                sum += *host_version::at(host_version::at(&loc_a, row), k)
                    * *host_version::at(host_version::at(&loc_b, k), col);
            }
            t_idx.barrier.wait();
        }
        c.place_mut(t_idx.global).store(sum);
    };
    assert_eq!(launch(&shape, views, true, kernel), Ok(()));
    for (row, col) in [(0, 0), (3, 100), (127, 127)] {
        let exact: f32 = (0..SIZE)
            .map(|k| a[row * SIZE + k] * b[k * SIZE + col])
            .sum();
        assert_eq!(c[row * SIZE + col], exact);
    }
}
