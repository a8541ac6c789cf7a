//! Arrays: what they are made of, where the host may look, and staging.

use std::panic::{AssertUnwindSafe, catch_unwind};

use amp::prelude::*;
use amp::{AcceleratorView, AccessType, Error, QueuingMode};
use testkit::{accelerators, everywhere, launch, new_views};

#[amp_kernel]
fn double(idx: Index<1>, a: &mut ArrayViewMut<u32, 1>) {
    a[idx] *= 2;
}

#[amp_kernel]
fn sum_up(idx: Index<1>, a: &ArrayView<u32, 2>, out: &mut ArrayViewMut<u32, 1>) {
    let mut sum = 0;
    for k in 0..a.extent()[1] {
        sum += a[[idx[0], k]];
    }
    out[idx] = sum;
}

const ALL: [AccessType; 5] = [
    AccessType::None,
    AccessType::Read,
    AccessType::Write,
    AccessType::ReadWrite,
    AccessType::Auto,
];

#[test]
fn an_iterator_fills_an_array_and_no_more() {
    everywhere(|view| {
        let mut taken = 0;
        let source = std::iter::repeat_with(|| {
            taken += 1;
            taken
        });
        let array = Array::builder([3, 4]).on(view).build_from(source).unwrap();
        assert_eq!(array.to_vec().unwrap(), (1..=12).collect::<Vec<i32>>());
        assert_eq!(taken, 12, "{view}");
        let short = Array::builder([3, 4]).on(view).build_from(0..11);
        assert_eq!(
            short.unwrap_err(),
            Error::SourceTooShort {
                extent: "3×4".into(),
                elements: 12,
                found: 11
            }
        );
        // More than what is gathered at a time.
        let large = Array::builder(1_000_003).on(view).build_from(0_u32..);
        let large = large.unwrap().to_vec().unwrap();
        assert!(large.iter().zip(0..).all(|(&a, b)| a == b), "{view}");
    });
}

/// Each access of the host is allowed or an error that says why, and kernels see what the
/// host wrote.
#[test]
fn the_host_does_what_the_access_says() {
    for view in new_views() {
        let accelerator = view.accelerator();
        for access in ALL {
            let builder = Array::builder(4).on(&view).cpu_access(access);
            let built = builder.data(&[1_u32, 2, 3, 4]).build();
            let mut array = match built {
                Ok(array) => array,
                Err(error) => {
                    assert!(!accelerator.supports_cpu_shared_memory(), "{error}");
                    assert!(matches!(error, Error::UnsupportedFeature(_)), "{error}");
                    assert!(error.to_string().contains(accelerator.description()));
                    continue;
                }
            };
            let has = array.cpu_access_type();
            match access {
                AccessType::Auto => assert_eq!(has, accelerator.default_cpu_access_type()),
                access => assert_eq!(has, access),
            }
            let reads = matches!(has, AccessType::Read | AccessType::ReadWrite);
            let writes = matches!(has, AccessType::Write | AccessType::ReadWrite);
            for round in 1..=3 {
                launch(&view, 4, double(&mut array)).unwrap();
                match array.data() {
                    Ok(data) => assert!(reads && data[0] == 1 << round, "{view}, {access}"),
                    Err(error) => refused(reads, &error, "read", &array),
                }
                match array.data_mut() {
                    Ok(data) => {
                        assert!(writes);
                        data[3] = 100 * round;
                    }
                    Err(error) => refused(writes, &error, "write", &array),
                }
            }
            launch(&view, 4, double(&mut array)).unwrap();
            let last = if writes { 600 } else { 64 };
            assert_eq!(
                array.to_vec().unwrap(),
                [16, 32, 48, last],
                "{view}, {access}"
            );
        }
    }
    testkit::assert_silent();
}

fn refused(allowed: bool, error: &Error, what: &str, array: &Array<u32, 1>) {
    assert!(!allowed);
    assert!(matches!(error, Error::NotAccessible { wanted, .. } if *wanted == what));
    let message = error.to_string();
    let accelerator = array.accelerator_view().accelerator();
    assert!(message.contains(accelerator.description()), "{message}");
    assert!(
        message.contains(&array.cpu_access_type().to_string()),
        "{message}"
    );
}

#[test]
fn indexing_reaches_elements_in_place() {
    everywhere(|view| {
        if !view.accelerator().supports_cpu_shared_memory() {
            return;
        }
        let data: Vec<u32> = (0..12).collect();
        let mut array = Array::builder([3, 4]).on(view).data(&data).build().unwrap();
        assert_eq!((array[[2, 1]], array[Index::new([0, 3])]), (9, 3));
        let mut sums = Array::<u32, 1>::builder(3).on(view).build().unwrap();
        for round in 0..5 {
            array[[1, 1]] = round;
            array[Index::new([1, 2])] += 1;
            launch(view, 3, sum_up(&array, &mut sums)).unwrap();
            // While the kernel may run, the host still reads what the kernel reads.
            assert_eq!(array[[1, 1]], round);
            assert_eq!(sums[1], 4 + round + 6 + round + 1 + 7, "{view}");
            sums[1] = 0;
        }
    });
}

#[test]
fn indexing_what_the_host_may_not_see_panics_with_the_reason() {
    everywhere(|view| {
        let access = AccessType::None;
        let array: Array<u32, 1> = Array::builder(4)
            .on(view)
            .cpu_access(access)
            .build()
            .unwrap();
        let panic = catch_unwind(AssertUnwindSafe(|| array[1])).unwrap_err();
        let message = panic.downcast_ref::<String>().expect("a message");
        assert!(message.contains("AccessType::None"), "{message}");
        // Its views bring the elements to the host.
        assert_eq!(array.view()[1], 0);
    });
}

#[test]
fn a_default_access_is_set_before_it_is_used() {
    for accelerator in accelerators() {
        let shares = accelerator.supports_cpu_shared_memory();
        let default = accelerator.default_cpu_access_type();
        assert_eq!(default != AccessType::None, shares);
        // Using it fixes it.
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let array: Array<i32, 1> = Array::builder(1).on(&view).build().unwrap();
        assert_eq!(array.cpu_access_type(), default);
        assert!(!accelerator.set_default_cpu_access_type(AccessType::Read));
        assert_eq!(accelerator.default_cpu_access_type(), default);
    }
}

fn staging(view: &AcceleratorView, data: &[u32]) -> Array<u32, 1> {
    let builder = Array::builder(data.len()).associated(view);
    builder.data(data).build().unwrap()
}

/// What the host writes into a staging array arrives where its views are used, round for
/// round, and what kernels make of it comes back.
#[test]
fn a_staging_array_is_the_hosts() {
    everywhere(|view| {
        let cpu = Accelerator::cpu().default_view().unwrap();
        let zeroes: Array<u32, 1> = Array::builder(100).associated(view).build().unwrap();
        assert_eq!(zeroes.data().unwrap(), [0; 100]);
        let mut array = staging(view, &[5; 100]);
        assert_eq!(array.accelerator_view(), cpu);
        assert_eq!(array.associated_accelerator_view(), *view);
        for round in 0..4 {
            array.data_mut().unwrap()[7] = round;
            launch(view, 50, double(&mut array.view_mut())).unwrap();
            assert_eq!(array[7], 2 * round, "{view}");
            assert_eq!((array[8], array[99]), (5 << (round + 1), 5));
        }
        // One on a device is an array as others.
        let plain: Array<u32, 1> = Array::builder(9).on(view).associated(&cpu).build().unwrap();
        assert_eq!(plain.accelerator_view(), *view);
        if *view != cpu {
            assert_eq!(plain.associated_accelerator_view(), *view);
        }
    });
}

#[test]
fn no_kernel_takes_a_staging_array() {
    everywhere(|view| {
        let mut array = staging(view, &[5; 10]);
        for error in [
            launch(view, 10, double(&mut array)),
            parallel_for_each(10, double(&mut array)),
        ] {
            let error = error.unwrap_err();
            assert!(matches!(error, Error::InvalidArgument(_)), "{error}");
            let message = error.to_string();
            assert!(
                message.contains("`a` of kernel `double` was given a staging array"),
                "{message}"
            );
        }
        assert_eq!(array.to_vec().unwrap(), [5; 10]);
    });
}

/// A staging array on the way in and one on the way out, with the host at work on both
/// between copies that may still be under way.
#[test]
fn staging_arrays_take_data_in_and_out() {
    everywhere(|view| {
        let mut on_device: Array<u32, 1> = Array::builder(4096).on(view).build().unwrap();
        let other = view.accelerator().create_view(QueuingMode::Automatic);
        let mut elsewhere = Array::builder(4096).on(&other.unwrap()).build().unwrap();
        let mut into = staging(view, &[0; 4096]);
        let mut back = staging(view, &[0; 4096]);
        for round in 0..20 {
            into.data_mut().unwrap().fill(round);
            on_device.copy_from(&into).unwrap();
            into[5] = 1000;
            launch(view, 4096, double(&mut on_device)).unwrap();
            on_device.copy_to(&mut back).unwrap();
            launch(view, 4096, double(&mut on_device)).unwrap();
            assert_eq!(back.data().unwrap(), [2 * round; 4096], "{view}");
            on_device.copy_to(&mut elsewhere).unwrap();
            elsewhere.copy_to(&mut back).unwrap();
            assert_eq!(back[4095], 4 * round, "{view}");
            back[4095] = 3;
            elsewhere.copy_from(&back).unwrap();
            assert_eq!(elsewhere.to_vec().unwrap()[4094..], [4 * round, 3]);
        }
    });
}

/// It made the host read the elements anew, under who was looking at them.
#[test]
fn shared_views_of_an_array_refresh_nothing_under_a_reference() {
    everywhere(|view| {
        let array = Array::builder(4).on(view).cpu_access(AccessType::None);
        let mut array = array.data(&[1, 2, 3, 4]).build().unwrap();
        let mut whole = array.view_mut();
        whole.discard_data();
        let shared = whole.as_view();
        let first = &shared[0];
        let before: i32 = *first;
        shared.refresh();
        let _ = shared[1];
        assert_eq!(before, *first, "{view}");
    });
}
