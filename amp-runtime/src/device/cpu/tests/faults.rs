//! What faults do, what they say and which one is reported.

use std::sync::Mutex;

use super::*;
use crate::device::cpu::host_version;
use crate::types::index::{Index, TiledIndex};

#[test]
fn a_read_out_of_bounds_gives_zero_and_names_its_place() {
    let mut data = vec![7u32; 4];
    let mut out = vec![9u32; 6];
    let views = vec![view(&[4], &mut data), view(&[6], &mut out)];
    let line = line!() + 2;
    let kernel = |idx: Index<1>, views: Views<'_>| {
        let value = views.readable::<u32, 1>(0).place(idx).load();
        views.writable::<u32, 1>(1).place_mut(idx).store(value);
    };
    let fault = fault(launch(&[6], views, false, kernel));
    assert_eq!(out, [7, 7, 7, 7, 0, 0]);
    assert_eq!((fault.file.as_str(), fault.line), (file!(), line));
    assert_eq!(fault.kernel, "host_version");
    assert_eq!(fault.thread, [4]);
    assert_eq!(
        fault.message,
        "index out of bounds: the extent is 4 but the index is 4"
    );
}

#[test]
fn a_write_out_of_bounds_is_dropped() {
    let mut data = vec![1u32; 12];
    let views = vec![view(&[3, 4], &mut data)];
    let kernel = |idx: Index<2>, views: Views<'_>| {
        let mut data = views.writable::<u32, 2>(0);
        let place = data.place_mut(idx + [0, 2]);
        place.store(place.load() + 5);
    };
    let fault = fault(launch(&[3, 4], views, false, kernel));
    assert_eq!(data, [1, 1, 6, 6, 1, 1, 6, 6, 1, 1, 6, 6]);
    assert_eq!(fault.thread, [0, 2]);
    assert_eq!(
        fault.message,
        "index out of bounds: the extent is 4 but the index is 4"
    );
}

#[test]
fn the_first_dimension_out_of_bounds_is_reported() {
    let mut data = vec![1u32; 12];
    let views = vec![view(&[3, 4], &mut data)];
    let kernel = |_: Index<1>, views: Views<'_>| {
        views.readable::<u32, 2>(0).place([9, 8]).load();
    };
    let message = fault(launch(&[1], views, false, kernel)).message;
    assert_eq!(
        message,
        "index out of bounds: the extent is 3 but the index is 9"
    );
}

#[test]
fn the_first_thread_in_order_is_reported() {
    let mut data = vec![0u32; 1];
    let kernel = |idx: Index<2>, views: Views<'_>| {
        let view = views.readable::<u32, 1>(0);
        view.place(idx[0] * 1000 + idx[1]).load();
    };
    for _ in 0..20 {
        let views = vec![view(&[1], &mut data)];
        assert_eq!(
            fault(launch(&[300, 1000], views, false, kernel)).thread,
            [0, 1]
        );
    }
}

#[test]
fn threads_of_tiles_are_named_by_their_global_index() {
    let kernel = |t_idx: TiledIndex<2, 2, 4>, _: Views<'_>| {
        if t_idx.global == Index::new([3, 6]) {
            host_version::div(1u32, 0);
        }
    };
    assert_eq!(fault(launch(&[4, 8], vec![], false, kernel)).thread, [3, 6]);
    assert_eq!(fault(launch(&[4, 8], vec![], true, kernel)).thread, [3, 6]);
}

/// What `operation` gives in a launch of one thread, and the fault's message. (An
/// assertion in a kernel would be a fault too, and hidden behind the first.)
fn faulting<T: Send>(operation: impl Fn() -> T + Sync) -> (T, String) {
    let result = Mutex::new(None);
    let kernel = |_: Index<1>, _: Views<'_>| *result.lock().unwrap() = Some(operation());
    let fault = fault(launch(&[1], vec![], false, kernel));
    let result = result.into_inner().unwrap();
    (result.expect("the thread goes on"), fault.message)
}

#[test]
fn division_by_zero() {
    let expected = "attempt to divide by zero".to_owned();
    assert_eq!(
        faulting(|| host_version::div(5i32, 0)),
        (0, expected.clone())
    );
    assert_eq!(
        faulting(|| host_version::rem(5u32, 0)),
        (0, expected.clone())
    );
    assert_eq!(
        faulting(|| host_version::div_euclid(5i32, 0)),
        (0, expected.clone())
    );
    assert_eq!(
        faulting(|| host_version::rem_euclid(5usize, 0)),
        (0, expected.clone())
    );
    assert_eq!(
        faulting(|| host_version::div_ceil(5usize, 0)),
        (0, expected.clone())
    );
    assert_eq!(
        faulting(|| Index::new([6, 8]) / 0),
        (Index::new([0, 0]), expected.clone())
    );
    assert_eq!(
        faulting(|| 6 % Index::new([4, 0])),
        (Index::new([2, 0]), expected)
    );
}

#[test]
fn division_with_overflow() {
    let expected = "attempt to divide with overflow".to_owned();
    assert_eq!(
        faulting(|| host_version::div(i32::MIN, -1)),
        (0, expected.clone())
    );
    assert_eq!(
        faulting(|| host_version::rem(i32::MIN, -1)),
        (0, expected.clone())
    );
    assert_eq!(
        faulting(|| host_version::div_euclid(i32::MIN, -1)),
        (0, expected.clone())
    );
    assert_eq!(
        faulting(|| host_version::rem_euclid(i32::MIN, -1)),
        (0, expected)
    );
}

#[test]
fn divisions_round_as_in_rust() {
    assert_eq!(
        (host_version::div(-7, 2), host_version::rem(-7, 2)),
        (-3, -1)
    );
    assert_eq!(
        (
            host_version::div_euclid(-7, 2),
            host_version::rem_euclid(-7, 2)
        ),
        (-4, 1)
    );
    assert_eq!(
        (
            host_version::div_ceil(7u32, 2),
            host_version::div_ceil(usize::MAX, 2)
        ),
        (4, usize::MAX / 2 + 1)
    );
}

#[test]
fn a_step_of_zero_runs_the_loop_once() {
    let run = || {
        (3..9)
            .step_by(host_version::step(0))
            .collect::<Vec<usize>>()
    };
    assert_eq!(
        faulting(run),
        (vec![3], "step_by with a step of zero".into())
    );
}

#[test]
fn clamps() {
    let expected = "clamp with min > max".to_owned();
    assert_eq!(
        faulting(|| host_version::clamp(5, 3, 1)),
        (5, expected.clone())
    );
    assert_eq!(
        faulting(|| host_version::clamp(5.0f32, f32::NAN, 1.0)),
        (5.0, expected)
    );
    assert_eq!([0, 2, 9].map(|x| host_version::clamp(x, 1, 3)), [1, 2, 3]);
    assert!(host_version::clamp(f32::NAN, 0.0, 1.0).is_nan());
}

#[test]
fn float_minima_know_nan() {
    assert_eq!(
        (
            host_version::min_float(1.0, f32::NAN),
            host_version::min_float(f32::NAN, 1.0)
        ),
        (1.0, 1.0)
    );
    assert_eq!(
        (
            host_version::max_float(1.0, f32::NAN),
            host_version::max_float(f32::NAN, 1.0)
        ),
        (1.0, 1.0)
    );
    assert_eq!(
        (
            host_version::min_float(1.0, 2.0),
            host_version::max_float(1.0, 2.0)
        ),
        (1.0, 2.0)
    );
}

#[test]
fn local_arrays_nest() {
    let mut grid = [[(1u32, true); 3]; 2];
    *host_version::at_mut(host_version::at_mut(&mut grid, 1), 2) = (5, false);
    assert_eq!(*host_version::at(host_version::at(&grid, 1), 2), (5, false));
    let mut idx = Index::new([1, 2]);
    *host_version::at_mut(&mut idx, 1) += 1;
    assert_eq!(*host_version::at(&idx, 1), 3);
}

#[test]
fn a_local_array_out_of_bounds() {
    let grid = [[(1u32, true); 3]; 2];
    let message = "index out of bounds: the length is 3 but the index is 3".to_owned();
    assert_eq!(
        faulting(|| *host_version::at(host_version::at(&grid, 1), 3)),
        ((0, false), message)
    );
    let message = "index out of bounds: the length is 2 but the index is 2".to_owned();
    assert_eq!(
        faulting(|| *host_version::at(host_version::at(&grid, 2), 1)),
        ((0, false), message.clone())
    );
    let write = || {
        let mut written = grid;
        *host_version::at_mut(host_version::at_mut(&mut written, 2), 0) = (9, false);
        written
    };
    assert_eq!(faulting(write), (grid, message.clone()));
    assert_eq!(
        faulting(|| *host_version::at(&Index::new([1, 2]), 2)),
        (0, message)
    );
}

#[test]
fn a_fault_has_the_column_of_the_expression() {
    let (line, grid) = (line!() + 2, [1u32, 2, 3]);
    let kernel = |_: Index<1>, _: Views<'_>| {
        let _sum = host_version::at(&grid, 0) + *host_version::at(&grid, 4);
    };
    let fault = fault(launch(&[1], vec![], false, kernel));
    assert_eq!((fault.line, fault.column), (line, 50));
}

#[test]
#[should_panic = "index out of bounds: the len is 2 but the index is 7"]
fn on_the_host_an_array_panics() {
    host_version::at(&[1, 2], 7);
}

#[test]
#[should_panic = "a tile_static variable outside of a launch"]
fn on_the_host_there_is_no_tile() {
    host_version::tile_static::<u32>(0);
}

#[test]
fn a_domain_far_larger_than_the_array() {
    let mut data = vec![0u32; 3];
    let views = vec![view(&[3], &mut data)];
    let kernel = |idx: Index<2>, views: Views<'_>| {
        let mut data = views.writable::<u32, 1>(0);
        data.place_mut(idx[1]).store(1);
    };
    let fault = fault(launch(&[1, 1 << 20], views, false, kernel));
    assert_eq!((fault.thread, data), (vec![0, 3], vec![1, 1, 1]));
}
