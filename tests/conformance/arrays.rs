//! Rows 105, 107, 109 and 111: what arrays are made of, and where the host may look.

use std::panic::{AssertUnwindSafe, catch_unwind};

use amp::prelude::*;
use amp::{AcceleratorView, AccessType, Error};
use testkit::{everywhere, launch};

#[test]
fn row_105_an_array_takes_what_it_has_room_for() {
    everywhere(|view| {
        let data: Vec<i32> = (0..100).collect();
        let array = || Array::<i32, 2>::builder([3, 4]).on(view);
        let of_slice = array().data(&data).build().unwrap();
        let of_iterator = array().build_from(0..).unwrap();
        assert_eq!(of_slice.to_vec().unwrap(), data[..12], "{view}");
        assert_eq!(of_iterator.to_vec().unwrap(), data[..12], "{view}");
        for short in [array().data(&data[..11]).build(), array().build_from(0..11)] {
            assert!(matches!(short, Err(Error::SourceTooShort { .. })));
        }
    });
}

#[amp_kernel]
fn add_two(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>) {
    a[idx] += 2;
}

#[amp_kernel]
fn add_one(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>) {
    a[idx] += 1;
}

#[amp_kernel]
fn copy_of(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = a[idx];
}

#[test]
fn row_107_no_kernel_captures_a_staging_array() {
    everywhere(|view| {
        let mut staging = Array::builder(10).associated(view).build().unwrap();
        let mut out = Array::builder(10).on(view).build().unwrap();
        for result in [
            launch(view, 10, add_two(&mut staging)),
            launch(view, 10, copy_of(&staging, &mut out)),
            parallel_for_each(10, add_two(&mut staging)),
        ] {
            assert!(
                matches!(result, Err(Error::InvalidArgument(_))),
                "{result:?}"
            );
        }
        assert_eq!(staging.to_vec().unwrap(), [0; 10]);
    });
}

/// 100 elements of 100 on every accelerator that shares memory with the host.
fn shared(access: AccessType, test: impl Fn(&AcceleratorView, Array<i32, 1>)) {
    everywhere(|view| {
        if view.accelerator().supports_cpu_shared_memory() {
            let array = Array::builder(100).on(view).cpu_access(access);
            let array = array.data(&[100; 100]).build().unwrap();
            assert_eq!(array.cpu_access_type(), access, "{view}");
            test(view, array);
        }
    });
}

fn hundred_times(view: &AcceleratorView, array: &mut Array<i32, 1>) {
    for _ in 0..100 {
        launch(view, 100, add_two(array)).unwrap();
    }
}

#[test]
fn row_109_without_access_elements_are_copied() {
    shared(AccessType::None, |view, mut array| {
        hundred_times(view, &mut array);
        assert!(matches!(array.data(), Err(Error::NotAccessible { .. })));
        assert!(matches!(array.data_mut(), Err(Error::NotAccessible { .. })));
        assert_eq!(array.to_vec().unwrap(), [300; 100], "{view}");
    });
}

#[test]
fn row_109_the_host_reads_in_place() {
    shared(AccessType::Read, |view, mut array| {
        hundred_times(view, &mut array);
        assert_eq!(array.data().unwrap(), [300; 100], "{view}");
        assert!((0..100).all(|i| array[i] == 300));
    });
}

#[test]
fn row_109_the_host_and_kernels_take_turns() {
    shared(AccessType::ReadWrite, |view, mut array| {
        for _ in 0..100 {
            for i in 0..100 {
                array[i] += 1;
            }
            launch(view, 100, add_one(&mut array)).unwrap();
        }
        assert_eq!(array.data().unwrap(), [300; 100], "{view}");
    });
}

#[test]
fn row_109_the_host_writes_in_place() {
    shared(AccessType::Write, |view, mut array| {
        for _ in 0..100 {
            launch(view, 100, add_two(&mut array)).unwrap();
            array.data_mut().unwrap()[99] = 50;
        }
        assert!(matches!(array.data(), Err(Error::NotAccessible { .. })));
        let result = array.to_vec().unwrap();
        assert_eq!((&result[..99], result[99]), (&[300; 99][..], 50), "{view}");
    });
}

#[test]
fn row_109_the_default_access_is_that_of_the_accelerator() {
    everywhere(|view| {
        let accelerator = view.accelerator();
        let array: Array<i32, 1> = Array::builder(100).on(view).build().unwrap();
        let default = accelerator.default_cpu_access_type();
        assert_eq!(array.cpu_access_type(), default);
        let shares = accelerator.supports_cpu_shared_memory();
        assert_eq!(default != AccessType::None, shares, "{view}");
    });
}

#[test]
fn row_111_the_host_indexes_an_array_of_the_cpu_accelerator() {
    let view = Accelerator::cpu().default_view().unwrap();
    let mut array = Array::builder([5, 5]).on(&view).build_from(0..).unwrap();
    array[[2, 3]] += 100;
    assert_eq!((array[[2, 3]], array[Index::new([4, 4])]), (113, 24));
}

#[test]
fn row_111_the_host_has_no_elements_of_a_devices_array() {
    everywhere(|view| {
        let array = Array::builder([5, 5]).on(view).cpu_access(AccessType::None);
        let array = array.build_from(0..).unwrap();
        assert!(matches!(array.data(), Err(Error::NotAccessible { .. })));
        let indexed = catch_unwind(AssertUnwindSafe(|| array[[2, 3]]));
        assert!(indexed.is_err(), "{view}");
    });
}
