//! What copies leave behind when they fail, or a device has gone.

use ash::vk;

use super::Fault;
use super::ends::{assert_removed, fail, on_doubles};
use super::tell::tell;
use crate::types::error::Error;
use crate::{Array, ArrayView, ArrayViewMut, QueuingMode, copy, copy_async};

/// Of the halves of the source, one is at hand on the host, and the other cannot be sent for.
#[test]
fn a_copy_that_fails_half_way_leaves_its_target_the_same_everywhere() {
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        view.set_print_hook(|_| ());
        for function in ["create_buffer", "queue_submit"] {
            let (ones, mut from, mut to) = ([1; 8], [7; 16], [5; 16]);
            let ones = ArrayView::new(8, &ones).unwrap();
            let mut source = ArrayViewMut::new(16, &mut from).unwrap();
            let mut target = ArrayViewMut::new(16, &mut to).unwrap();
            let mut upper = source.section(8, 8).unwrap();
            view.parallel_for_each(8, tell(&ones, &mut upper, 0))
                .unwrap();
            view.parallel_for_each(8, tell(&ones, &mut upper, 0))
                .unwrap();
            drop(upper);
            target.synchronize_to(&view).unwrap();
            fail(session, function, vk::Result::ERROR_OUT_OF_HOST_MEMORY);
            let result = copy_async(&source, &mut target).wait();
            session.relent();
            let seen = target.to_vec().unwrap();
            let expected = |at: usize| if at < 8 { 7 } else { 2 };
            let fits = |at: usize| seen[at] == expected(at) || result.is_err() && seen[at] == 5;
            assert!((0..16).all(fits), "{result:?}: {seen:?}");
            if view.flush().is_ok() {
                let mut array = Array::builder(16).on(&view).build().unwrap();
                copy(&target, &mut array).unwrap();
                assert_eq!(array.to_vec().unwrap(), seen);
            }
        }
    });
}

/// Where there is not enough memory for all bytes to arrive in, they come as in a copy that
/// does not go on beside the host.
#[test]
fn a_copy_later_for_which_memory_is_short_comes_at_once() {
    const LENGTH: usize = 10 << 20;
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let data: Vec<u32> = (0..LENGTH as u32).collect();
        let array = Array::builder(LENGTH)
            .on(&view)
            .data(&data)
            .build()
            .unwrap();
        view.wait().unwrap();
        view.trim().unwrap();
        assert_eq!(view.memory().pooled(), 0);
        // One chunk of three.
        session.expect(Fault {
            function: "create_buffer",
            call: 1,
            lasts: true,
            result: vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
        });
        let mut out = vec![0; LENGTH];
        copy_async(&array, &mut out).wait().unwrap();
        session.relent();
        assert!(out == data);
        assert!(view.memory().pooled() <= 32 << 20);
        view.trim().unwrap();
        assert_eq!(
            view.memory().pooled(),
            0,
            "those of the transfer stream, too"
        );
    });
}

/// A copy to another view that cannot be sent leaves both as they were.
#[test]
fn a_copy_between_views_that_cannot_be_sent_is_forgotten() {
    on_doubles(|session, accelerator| {
        let [view, other] =
            [(); 2].map(|()| accelerator.create_view(QueuingMode::Automatic).unwrap());
        for view in [&view, &other] {
            view.set_print_hook(|_| ());
        }
        let source = Array::builder(8).on(&view).data(&[1; 8]).build().unwrap();
        let mut there = Array::builder(8).on(&other).data(&[5; 8]).build().unwrap();
        for round in 0..3 {
            for view in [&view, &other] {
                view.wait().unwrap();
            }
            fail(
                session,
                "queue_submit",
                vk::Result::ERROR_OUT_OF_HOST_MEMORY,
            );
            let copied = copy(&source, &mut there);
            assert!(
                matches!(copied, Err(Error::OutOfMemory { .. })),
                "{copied:?}"
            );
            assert!(session.relent());
            // The next one goes on the batch that was to be the copy's.
            let mut more = Array::<u32, 1>::builder(8).on(&other).build().unwrap();
            other
                .parallel_for_each(8, tell(&there, &mut more, 0))
                .unwrap();
            assert_eq!(more.to_vec().unwrap(), [6; 8], "round {round}");
            other.wait().unwrap();
        }
        copy(&source, &mut there).unwrap();
        assert_eq!(there.to_vec().unwrap(), [1; 8]);
    });
}

/// Both ends of the copy have been on the view that was removed, and are current on the host.
#[test]
fn data_current_on_the_host_is_copied_after_a_view_was_removed() {
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        view.set_print_hook(|_| ());
        let (numbers, mut data) = ([3; 8], [7; 8]);
        let from = ArrayView::new(8, &numbers).unwrap();
        let mut to = ArrayViewMut::new(8, &mut data).unwrap();
        from.synchronize_to(&view).unwrap();
        to.synchronize_to(&view).unwrap();
        view.wait().unwrap();
        fail(session, "queue_submit", vk::Result::ERROR_DEVICE_LOST);
        assert_removed(view.elapsed(|| Ok(())));
        session.relent();
        copy(&from, &mut to).unwrap();
        assert_eq!(to.to_vec().unwrap(), [3; 8]);
        copy_async(&from, &mut to).wait().unwrap();
        to.synchronize().unwrap();
    });
}
