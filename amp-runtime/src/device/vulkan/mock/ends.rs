//! What is left when a device is lost, or a view cannot send what was recorded.

use std::sync::{Arc, Mutex};

use ash::vk;

use super::super::pipeline_file::tests::Folder;
use super::super::search::doubled_adapter;
use super::super::validation_messages;
use super::tell::tell;
use super::{Fault, Session};
use crate::types::error::Error;
use crate::{
    Accelerator, Array, ArrayView, ArrayViewMut, KernelPrint, PrintStream, QueuingMode, Variant,
    copy, copy_async,
};

/// A test on an accelerator whose calls can be made to fail, in shared memory and not.
pub(super) fn on_doubles(test: impl Fn(&Session, &Accelerator)) {
    for unified in [true, false] {
        let session = Session::new();
        let folder = Folder::new("ends");
        let Some(adapter) = doubled_adapter(unified, &folder.0) else {
            return;
        };
        let accelerator = Accelerator::new_vulkan(adapter.unwrap());
        test(&session, &accelerator);
        // It and the accelerator hold each other.
        accelerator.forget_default_view();
        drop(accelerator);
        assert_eq!(session.alive(), [""; 0], "something is left");
    }
}

pub(super) fn fail(session: &Session, function: &'static str, result: vk::Result) {
    session.expect(Fault {
        function,
        call: 0,
        lasts: false,
        result,
    });
}

#[track_caller]
pub(super) fn assert_removed<T: std::fmt::Debug>(result: crate::Result<T>) {
    let is_removed = matches!(result, Err(Error::AcceleratorViewRemoved { .. }));
    assert!(is_removed, "{result:?}");
}

#[test]
fn a_lost_device_is_an_error_everywhere() {
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let second = accelerator.create_view(QueuingMode::Automatic).unwrap();
        for view in [&view, &second] {
            view.set_print_hook(|_| ());
        }
        let (ones, mut data, mut kept) = ([1; 8], [7; 8], [7; 8]);
        let from = ArrayView::new(8, &ones).unwrap();
        let mut to = ArrayViewMut::new(8, &mut data).unwrap();
        let mut synchronised = ArrayViewMut::new(8, &mut kept).unwrap();
        let mut array = Array::builder(8).on(&view).data(&ones).build().unwrap();
        let mut other = Array::builder(8).on(&second).data(&ones).build().unwrap();
        view.parallel_for_each(8, tell(&from, &mut synchronised, 0))
            .unwrap();
        synchronised.synchronize().unwrap();

        view.parallel_for_each(8, tell(&from, &mut to, 0)).unwrap();
        view.parallel_for_each(8, tell(&from, &mut to, 0)).unwrap();
        fail(session, "queue_submit", vk::Result::ERROR_DEVICE_LOST);
        assert_removed(view.wait());
        session.relent();
        for view in [&view, &second] {
            assert_removed(view.wait());
            assert_removed(view.flush());
            assert_removed(view.parallel_for_each(8, tell(&from, &mut to, 0)));
            assert_removed(view.prepare(&[Variant::new(8, tell(&from, &mut to, 0))]));
            assert_removed(view.elapsed(|| Ok(())));
            assert_removed(Array::<u32, 1>::builder(8).on(view).build());
            assert_removed(to.synchronize_to(view));
        }
        for array in [&mut array, &mut other] {
            assert_removed(array.to_vec());
            assert_removed(array.copy_to(&mut [0; 8]));
            assert_removed(array.copy_from(&[0; 8]));
        }
        let source = Array::builder(8).on(&view).data(&ones).build();
        assert_removed(source.map(|_| ()));
        assert_removed(to.synchronize());
        assert_removed(to.to_vec());
        // What was brought back before is there.
        synchronised.synchronize().unwrap();
        assert_eq!(synchronised.to_vec().unwrap(), [2; 8]);

        // A new view works, with the views of slices that were used on the old one.
        let new = accelerator.default_view().unwrap();
        new.set_print_hook(|_| ());
        assert_removed(new.parallel_for_each(8, tell(&to, &mut synchronised, 0)));
        to.refresh();
        assert_eq!(to.to_vec().unwrap(), [7; 8]);
        new.parallel_for_each(8, tell(&to, &mut synchronised, 0))
            .unwrap();
        new.parallel_for_each(8, tell(&from, &mut to, 0)).unwrap();
        assert_eq!(synchronised.to_vec().unwrap(), [8; 8]);
        to.synchronize().unwrap();
        drop(to);
        assert_eq!(data, [2; 8]);
        assert_ne!(new, view);
    });
}

/// What the file has goes to the driver when the device is opened the next time, and from there
/// pipelines are made.
#[test]
fn pipelines_are_made_from_what_the_file_has() {
    on_doubles(|session, accelerator| {
        let launch = || {
            let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
            view.set_print_hook(|_| ());
            let mut data = [7; 8];
            let ones = [1; 8];
            let from = ArrayView::new(8, &ones).unwrap();
            let mut to = ArrayViewMut::new(8, &mut data).unwrap();
            view.parallel_for_each(8, tell(&from, &mut to, 0)).unwrap();
            to.synchronize().unwrap();
        };
        launch();
        let first = session.caches_used();
        assert!(!first.is_empty());
        assert!(first.iter().all(Vec::is_empty), "there was no file");
        let file = accelerator.adapter().unwrap().pipeline_file().unwrap();
        let kept = file
            .read()
            .expect("the device is closed with its last view");
        assert!(!kept.is_empty());
        launch();
        let second = session.caches_used();
        assert_eq!(second.len(), first.len());
        assert!(second.iter().all(|data| *data == kept));
    });
}

#[test]
fn the_default_view_is_renewed() {
    on_doubles(|session, accelerator| {
        let first = accelerator.default_view().unwrap();
        assert_eq!(accelerator.default_view().unwrap(), first);
        first.elapsed(|| Ok(())).unwrap();
        fail(session, "queue_submit", vk::Result::ERROR_DEVICE_LOST);
        assert_removed(first.elapsed(|| Ok(())));
        session.relent();
        let second = accelerator.default_view().unwrap();
        assert_ne!(second, first);
        second.elapsed(|| Ok(())).unwrap();
        assert_eq!(accelerator.default_view().unwrap(), second);
    });
}

/// Its last prints are shown when it is replaced, to a hook that asks for the new one.
#[test]
fn a_default_view_that_goes_may_ask_for_the_next() {
    on_doubles(|session, accelerator| {
        let first = accelerator.default_view().unwrap();
        let found = Arc::new(Mutex::new(None));
        let (next, asked) = (Arc::clone(&found), accelerator.clone());
        first.set_print_hook(move |_| {
            *next.lock().unwrap() = Some(asked.default_view().unwrap());
        });
        fail(session, "queue_submit", vk::Result::ERROR_DEVICE_LOST);
        assert_removed(first.elapsed(|| Ok(())));
        session.relent();
        first.printer().add(vec![KernelPrint {
            kernel: "k".into(),
            thread: vec![0],
            stream: PrintStream::Stdout,
            text: "on purpose".into(),
        }]);
        drop(first);
        let second = accelerator.default_view().unwrap();
        assert_eq!(found.lock().unwrap().take(), Some(second));
    });
}

#[test]
fn a_view_that_cannot_send_ends_alone() {
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let second = accelerator.create_view(QueuingMode::Immediate).unwrap();
        for view in [&view, &second] {
            view.set_print_hook(|_| ());
        }
        let (ones, mut data) = ([1; 8], [7; 8]);
        let from = ArrayView::new(8, &ones).unwrap();
        let mut to = ArrayViewMut::new(8, &mut data).unwrap();
        let mut array = Array::builder(8).on(&second).data(&ones).build().unwrap();
        let source = Array::builder(8).on(&second).data(&ones).build().unwrap();
        let lacking = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
        view.parallel_for_each(8, tell(&from, &mut to, 0)).unwrap();
        view.parallel_for_each(8, tell(&from, &mut to, 0)).unwrap();
        fail(session, "end_command_buffer", lacking);
        assert_removed(view.wait());
        session.relent();
        assert_removed(view.wait());
        // What was recorded does not pass for computed.
        assert_removed(to.synchronize());
        second
            .parallel_for_each(8, tell(&source, &mut array, 0))
            .unwrap();
        assert_eq!(array.to_vec().unwrap(), [2; 8]);
        to.discard_data();
        second
            .parallel_for_each(8, tell(&from, &mut to, 0))
            .unwrap();
        to.synchronize().unwrap();
        assert_eq!(to.to_vec().unwrap(), [2; 8]);
    });
}

/// Memory that earlier batches hold comes back when they are complete.
#[test]
fn sending_is_tried_again_after_earlier_batches() {
    // The first launch takes a while.
    const LENGTH: usize = 1 << 18;
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Immediate).unwrap();
        view.set_print_hook(|_| ());
        let ones = vec![1; LENGTH];
        let source = Array::builder(LENGTH).on(&view).data(&ones);
        let source = source.build().unwrap();
        let mut target = Array::<u32, 1>::builder(LENGTH).on(&view).build().unwrap();
        view.wait().unwrap();
        view.parallel_for_each(LENGTH, tell(&source, &mut target, 0))
            .unwrap();
        fail(
            session,
            "queue_submit",
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
        );
        view.parallel_for_each(LENGTH, tell(&source, &mut target, 0))
            .unwrap();
        assert!(session.relent());
        assert_eq!(target.to_vec().unwrap(), vec![2; LENGTH]);
    });
}

/// Large transfers go on another queue than kernels. Whatever fails there, they arrive.
#[test]
fn a_transfer_does_not_fail_because_of_its_stream() {
    // Two loads and a bit.
    const LENGTH: usize = 9 << 20;
    let data: Vec<u32> = (0..LENGTH as u32).collect();
    on_doubles(|session, accelerator| {
        let create_view = || accelerator.create_view(QueuingMode::Automatic).unwrap();
        let first = create_view();
        let mut tried = 0;
        for (function, result) in [
            ("create_semaphore", vk::Result::ERROR_OUT_OF_HOST_MEMORY),
            ("create_command_pool", vk::Result::ERROR_OUT_OF_HOST_MEMORY),
            (
                "allocate_command_buffers",
                vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
            ),
            ("begin_command_buffer", vk::Result::ERROR_OUT_OF_HOST_MEMORY),
            ("end_command_buffer", vk::Result::ERROR_OUT_OF_HOST_MEMORY),
            ("queue_submit", vk::Result::ERROR_OUT_OF_DEVICE_MEMORY),
            ("create_buffer", vk::Result::ERROR_OUT_OF_HOST_MEMORY),
        ] {
            for call in 0..3 {
                // Its transfer stream is new.
                let view = create_view();
                let array = Array::<u32, 1>::builder(LENGTH).on(&view);
                let mut array = array.build().unwrap();
                view.wait().unwrap();
                let fault = Fault {
                    function,
                    call,
                    lasts: false,
                    result,
                };
                session.expect(fault);
                array
                    .copy_from(&data)
                    .unwrap_or_else(|error| panic!("{fault:?}: {error}"));
                tried += usize::from(session.relent());
                let mut out = vec![0; LENGTH];
                session.expect(fault);
                array
                    .copy_to(&mut out[..])
                    .unwrap_or_else(|error| panic!("{fault:?}: {error}"));
                tried += usize::from(session.relent());
                assert!(out == data, "{fault:?}");
                out.fill(0);
                session.expect(fault);
                copy_async(&array, &mut out).wait().unwrap();
                tried += usize::from(session.relent());
                assert!(out == data, "{fault:?}");
                view.wait().unwrap();
                view.trim().unwrap();
                assert_eq!(view.memory().pooled(), 0);
            }
        }
        assert_eq!(validation_messages(), 0);
        assert!(
            first.accelerator().supports_cpu_shared_memory() || tried > 20,
            "{tried}"
        );
    });
}

/// What there is no memory for yet goes out later, and the view goes on.
#[test]
fn a_view_that_cannot_send_yet_sends_later() {
    on_doubles(|session, accelerator| {
        for mode in [QueuingMode::Automatic, QueuingMode::Immediate] {
            let view = accelerator.create_view(mode).unwrap();
            view.set_print_hook(|_| ());
            let other = accelerator.create_view(mode).unwrap();
            let source = Array::builder(8).on(&view).data(&[1; 8]).build().unwrap();
            let mut target = Array::<u32, 1>::builder(8).on(&view).build().unwrap();
            let mut there = Array::<u32, 1>::builder(8).on(&other).build().unwrap();
            let mut data = [7; 8];
            let mut to = ArrayViewMut::new(8, &mut data).unwrap();
            view.prepare(&[Variant::new(8, tell(&source, &mut target, 0))])
                .unwrap();
            for view in [&view, &other] {
                view.wait().unwrap();
            }
            session.expect(Fault {
                function: "queue_submit",
                call: 0,
                lasts: true,
                result: vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
            });
            let lacks = |result: crate::Result<()>| match result {
                Err(Error::OutOfMemory {
                    operation: "submitting a batch",
                    bytes: None,
                    accelerator: name,
                    ..
                }) => assert_eq!(name, accelerator.description()),
                other => panic!("{other:?}"),
            };
            view.parallel_for_each(8, tell(&source, &mut target, 0))
                .unwrap();
            lacks(view.wait());
            lacks(view.flush());
            // It could not be sent behind what could not be sent.
            lacks(view.parallel_for_each(8, tell(&source, &mut to, 0)));
            lacks(target.to_vec().map(|_| ()));
            lacks(copy(&target, &mut there));
            lacks(view.create_marker().wait());
            assert!(session.relent());

            view.parallel_for_each(8, tell(&target, &mut to, 0))
                .unwrap();
            assert_eq!(target.to_vec().unwrap(), [2; 8]);
            assert_eq!(there.to_vec().unwrap(), [0; 8], "the copy was refused");
            copy(&target, &mut there).unwrap();
            assert_eq!(there.to_vec().unwrap(), [2; 8]);
            to.synchronize().unwrap();
            drop(to);
            assert_eq!(data, [3; 8]);
        }
    });
}

#[test]
fn a_later_synchronize_does_not_use_removed_views() {
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let second = accelerator.create_view(QueuingMode::Automatic).unwrap();
        for view in [&view, &second] {
            view.set_print_hook(|_| ());
        }
        let (ones, mut data, mut other) = ([1; 8], [7; 8], [7; 8]);
        let from = ArrayView::new(8, &ones).unwrap();
        let mut to = ArrayViewMut::new(8, &mut data).unwrap();
        let mut lost = ArrayViewMut::new(8, &mut other).unwrap();
        to.synchronize_to(&view).unwrap();
        view.parallel_for_each(8, tell(&from, &mut lost, 0))
            .unwrap();
        view.parallel_for_each(8, tell(&from, &mut lost, 0))
            .unwrap();
        let lacking = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
        fail(session, "end_command_buffer", lacking);
        assert_removed(view.wait());
        session.relent();
        second
            .parallel_for_each(8, tell(&from, &mut to, 0))
            .unwrap();
        to.synchronize_async().wait().unwrap();
        to.synchronize_to_async(&second).wait().unwrap();
        assert_eq!(to.to_vec().unwrap(), [2; 8]);
        assert_removed(to.synchronize_to_async(&view).wait());
    });
}
