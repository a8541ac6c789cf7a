//! Memory: what is reported of it, what is reused, and what happens when there is not enough.

use amp::prelude::*;
use amp::{AcceleratorView, Error, QueuingMode};
use testkit::{accelerators, everywhere, large_is_asked_for, launch};

#[amp_kernel]
fn add_one(idx: Index<1>, a: &mut ArrayViewMut<u64, 1>) {
    a[idx] += 1;
}

#[amp_kernel]
fn number_from(idx: Index<1>, a: &mut ArrayViewMut<u64, 1>, start: usize) {
    a[idx] = (start + idx[0]) as u64;
}

fn is_device(view: &AcceleratorView) -> bool {
    view.accelerator() != Accelerator::cpu()
}

/// A view that no other test uses.
fn fresh_views() -> Vec<AcceleratorView> {
    let view = |a: &Accelerator| a.create_view(QueuingMode::Automatic).unwrap();
    accelerators().iter().map(view).collect()
}

#[test]
fn freed_memory_is_reused_until_it_is_trimmed() {
    for view in fresh_views().iter().filter(|view| is_device(view)) {
        let run = |size: usize| {
            let mut data = vec![1; size];
            let mut a = ArrayViewMut::new(size, &mut data).unwrap();
            launch(view, size, add_one(&mut a)).unwrap();
            a.synchronize().unwrap();
            drop(a);
            assert_eq!(data, vec![2; size]);
        };
        run(100_000);
        let after_one = view.memory();
        assert_eq!(after_one.in_use(), 0, "{after_one}");
        assert!(after_one.pooled() >= 800_000, "{after_one}");
        assert_eq!(after_one.allocated(), after_one.pooled());
        for size in [100_000, 99_000, 90_000, 100_000] {
            run(size);
            assert_eq!(
                view.memory().pooled(),
                after_one.pooled(),
                "one buffer for all"
            );
        }
        let array: Array<u64, 1> = Array::builder(95_000).on(view).build().unwrap();
        assert_eq!(
            array.to_vec().unwrap(),
            [0; 95_000],
            "not what was there before"
        );
        // Staging memory stays in the pool, where there is some.
        let used = view.memory();
        assert_eq!(used.allocated(), after_one.pooled());
        assert!((760_000..1_600_000).contains(&used.in_use()), "{used}");
        assert_eq!(used.largest(), used.in_use());
        drop(array);
        assert!(view.trim().unwrap() >= 800_000);
        let trimmed = view.memory();
        assert_eq!((trimmed.allocated(), trimmed.pooled()), (0, 0), "{trimmed}");
        run(100_000);
    }
    testkit::assert_silent();
}

/// Arrays that come and go faster than the device fills them do not take all memory.
#[test]
fn memory_held_by_commands_only_is_bounded() {
    const BYTES: u64 = 8 << 20;
    for view in fresh_views().iter().filter(|view| is_device(view)) {
        let memory = view.memory();
        let heaps = memory.heaps().iter().filter(|heap| heap.is_local());
        let largest = heaps.map(|heap| heap.bytes()).max();
        let most = largest.expect("a device has memory") / 16;
        let mut peak = 0;
        for _ in 0..3 * most / BYTES {
            let array = Array::<u8, 1>::builder(BYTES as usize).on(view).build();
            array.unwrap();
            peak = peak.max(view.memory().in_use());
        }
        assert!(peak <= most + BYTES, "{peak} bytes at a time, not {most}");
        view.wait().unwrap();
    }
    testkit::assert_silent();
}

#[test]
fn an_accelerator_tells_what_it_has() {
    for accelerator in accelerators() {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let bytes = 24 << 20;
        let array: Array<u8, 1> = Array::builder(bytes).on(&view).build().unwrap();
        for report in [accelerator.memory(), view.memory()] {
            assert!(report.in_use() >= bytes as u64, "{report}");
            assert!(report.largest() >= bytes as u64, "{report}");
            assert!(report.allocated() >= report.in_use(), "{report}");
            let text = report.to_string();
            assert!(text.contains(accelerator.description()), "{text}");
            assert!(text.contains("iB in use"), "{text}");
            for heap in report.heaps() {
                assert!(heap.bytes() > 0, "{text}");
                assert!(heap.budget().is_none_or(|budget| budget > 0), "{text}");
            }
        }
        if is_device(&view) {
            let local = accelerator.memory();
            assert!(local.heaps().iter().any(|heap| heap.is_local()));
        }
        drop(array);
        view.trim().unwrap();
    }
}

fn assert_out_of_memory<T>(result: amp::Result<T>, bytes: u64, accelerator: &str) {
    match result {
        Err(Error::OutOfMemory {
            bytes: asked,
            accelerator: by,
            available,
            ..
        }) => {
            assert_eq!((asked, &*by), (Some(bytes), accelerator));
            assert!(available.is_none_or(|available| available < bytes));
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("{bytes} bytes on {accelerator}"),
    }
}

/// Far more than there is, of everything that takes memory; all goes on as before.
#[test]
fn too_much_is_refused_with_numbers_and_nothing_is_lost() {
    const ELEMENTS: usize = 1 << 47;
    const BYTES: u64 = 8 << 47;
    everywhere(|view| {
        let accelerator = view.accelerator();
        let name = match is_device(view) {
            true => accelerator.description(),
            false => "the host",
        };
        let mut before = Array::builder(64).on(view).data(&[7; 64]).build().unwrap();
        launch(view, 64, add_one(&mut before)).unwrap();

        let builder = || Array::<u64, 1>::builder(ELEMENTS).on(view);
        assert_out_of_memory(builder().build(), BYTES, name);
        assert_out_of_memory(builder().build_from(0..), BYTES, name);
        let staging = Array::<u64, 1>::builder(ELEMENTS).associated(view).build();
        assert_out_of_memory(staging, BYTES, name);
        let mut huge = ArrayViewMut::<u64, 1>::uninit(ELEMENTS).unwrap();
        assert_out_of_memory(huge.synchronize_to(view), BYTES, name);
        assert_out_of_memory(huge.data().map(|_| ()), BYTES, "the host");
        assert_out_of_memory(huge.data_mut().map(|_| ()), BYTES, "the host");
        assert_out_of_memory(huge.to_vec(), BYTES, "the host");

        let mut data = [1; 64];
        let mut a = ArrayViewMut::new(64, &mut data).unwrap();
        launch(view, 64, add_one(&mut a)).unwrap();
        launch(view, 64, add_one(&mut before)).unwrap();
        a.synchronize().unwrap();
        drop(a);
        assert_eq!(
            (data, before.to_vec().unwrap()),
            ([2; 64], vec![9; 64]),
            "{view}"
        );
    });
}

/// A driver wrote element 2²⁹ of such a view over the first one.
#[test]
fn narrow_kernels_on_devices_refuse_views_of_more_than_4_gib() {
    for view in fresh_views().into_iter().filter(is_device) {
        let mut large = ArrayViewMut::<u64, 1>::uninit((4 << 30) / 8 + 1).unwrap();
        let error = launch(&view, 16, add_one(&mut large)).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("address at most 4294967296"), "{text}");
        assert!(text.contains("`add_one`"), "{text}");
        assert!(text.contains("index = 64"), "{text}");
    }
}

#[test]
fn arrays_of_more_than_4_gib() {
    if !large_is_asked_for() {
        return;
    }
    everywhere(|view| {
        let elements = (5 << 30) / 8 + 1;
        let mut array: Array<u64, 1> = match Array::builder(elements).on(view).build() {
            // Some devices have no buffers of that size.
            Err(Error::OutOfMemory { available, .. }) => {
                assert!(available.is_some_and(|bytes| bytes < 5 << 30), "{view}");
                return;
            }
            array => array.unwrap(),
        };
        let beyond = (4 << 30) / 8;
        for start in [0, beyond - 8, elements - 16] {
            let mut part = array.section_mut([start], [16]).unwrap();
            launch(view, 16, number_from(&mut part, start)).unwrap();
        }
        fn part(array: &Array<u64, 1>, start: usize) -> Vec<u64> {
            array.section([start], [16]).unwrap().to_vec().unwrap()
        }
        for start in [0, beyond - 8, elements - 16] {
            let expected: Vec<u64> = (start..start + 16).map(|i| i as u64).collect();
            assert_eq!(part(&array, start), expected, "{view}, from {start}");
        }
        assert_eq!(part(&array, beyond + 8), [0; 16], "{view}");
        let mut target = Array::builder(16).on(view).build().unwrap();
        amp::copy(&array.section([beyond], [16]).unwrap(), &mut target).unwrap();
        assert_eq!(target.to_vec().unwrap()[..8], part(&array, beyond)[..8]);
        array.section_mut([beyond + 100], [1]).unwrap()[0] = 5;
        assert_eq!(part(&array, beyond + 100)[0], 5, "{view}");
    });
}

#[amp_kernel]
fn write_one(idx: Index<1>, a: &mut ArrayViewMut<u64, 1>) {
    a[idx] = 1;
}

/// Reused buffers and memory that a driver returns again must not show the data of an array that has been
/// dropped.
#[test]
fn unwritten_data_does_not_show_data_of_other_arrays() {
    const SECRET: u64 = 0x5ec2_e7ed;
    const LENGTH: usize = 4096;
    let leave_a_secret = |view: &AcceleratorView| {
        for _ in 0..3 {
            let array = Array::builder(LENGTH).on(view).data(&[SECRET; LENGTH]);
            array.build().unwrap().to_vec().unwrap();
        }
    };
    let expected = |before: u64| {
        let mut expected = vec![before; LENGTH];
        expected[0] = 1;
        expected
    };
    everywhere(|view| {
        leave_a_secret(view);
        let mut fresh = ArrayViewMut::uninit(LENGTH).unwrap();
        launch(view, 1, write_one(&mut fresh)).unwrap();
        assert_eq!(fresh.to_vec().unwrap(), expected(0), "{view}");

        leave_a_secret(view);
        let mut target = ArrayViewMut::uninit(LENGTH).unwrap();
        let source = Array::builder(1).on(view).data(&[1]).build().unwrap();
        copy(&source, &mut target.section(0, 1).unwrap()).unwrap();
        assert_eq!(target.to_vec().unwrap(), expected(0), "{view}");

        leave_a_secret(view);
        let mut data = vec![7; LENGTH];
        let mut discarded = ArrayViewMut::new(LENGTH, &mut data).unwrap();
        discarded.discard_data();
        launch(view, 1, write_one(&mut discarded)).unwrap();
        let found = discarded.to_vec().unwrap();
        assert!(found == expected(0) || found == expected(7), "{view}");
    });
}
