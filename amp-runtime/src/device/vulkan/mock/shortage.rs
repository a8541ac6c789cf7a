//! What is tried when memory is short, and what is said when it is out.

use std::sync::Arc;

use ash::vk;

use super::super::buffer::Buffer;
use super::super::buffer::staging::Class;
use super::super::memory::Purpose;
use super::ends::{fail, on_doubles};
use super::tell::tell;
use super::{Fault, Session};
use crate::types::error::Error;
use crate::{AcceleratorView, Array, QueuingMode};

const MIB: usize = 1 << 20;

/// An array too large to share a block of memory with others.
fn large(view: &AcceleratorView, bytes: usize) -> crate::Result<Array<u8, 1>> {
    Array::builder(bytes).on(view).build()
}

#[test]
fn kept_memory_is_freed_before_memory_runs_out() {
    on_doubles(|session, accelerator| {
        let [view, other] =
            [(); 2].map(|()| accelerator.create_view(QueuingMode::Automatic).unwrap());
        for view in [&view, &other] {
            drop(large(view, 30 * MIB).unwrap());
            view.wait().unwrap();
            assert!(view.memory().pooled() >= 30 << 20);
        }
        fail(
            session,
            "allocate_memory",
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
        );
        let array = large(&view, 50 * MIB).unwrap();
        assert!(session.relent());
        assert_eq!((view.memory().pooled(), other.memory().pooled()), (0, 0));
        assert_eq!(array.to_vec().unwrap(), vec![0; 50 * MIB]);
    });
}

/// Some drivers allocate no more than 4096 times, however little. That is no lack of memory.
#[test]
fn kept_memory_is_freed_before_the_limit_of_allocations() {
    let too_many = vk::Result::ERROR_TOO_MANY_OBJECTS;
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        drop(large(&view, 30 * MIB).unwrap());
        view.wait().unwrap();
        fail(session, "allocate_memory", too_many);
        large(&view, 50 * MIB).unwrap();
        assert!(session.relent());
        session.expect(Fault {
            function: "allocate_memory",
            call: 0,
            lasts: true,
            result: too_many,
        });
        match large(&view, 70 * MIB) {
            Err(Error::Driver { reason, .. }) => assert_eq!(reason, "ERROR_TOO_MANY_OBJECTS"),
            other => panic!("{other:?}"),
        }
        assert!(session.relent());
    });
}

/// For objects of the driver, too, where there is something to give up.
#[test]
fn kept_memory_is_freed_when_other_objects_need_memory() {
    on_doubles(|session, accelerator| {
        for function in [
            "create_semaphore",
            "create_command_pool",
            "allocate_command_buffers",
            "create_query_pool",
            "create_shader_module",
            "create_compute_pipelines",
        ] {
            let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
            drop(large(&view, 30 * MIB).unwrap());
            view.wait().unwrap();
            assert!(view.memory().pooled() >= 30 << 20);
            fail(session, function, vk::Result::ERROR_OUT_OF_DEVICE_MEMORY);
            let other = accelerator.create_view(QueuingMode::Immediate).unwrap();
            other.set_print_hook(|_| ());
            let source = Array::builder(8).on(&other).data(&[1; 8]).build().unwrap();
            let mut target = Array::<u32, 1>::builder(8).on(&other).build().unwrap();
            other
                .profile(|| other.parallel_for_each(8, tell(&source, &mut target, 0)))
                .unwrap();
            assert!(session.relent(), "{function} was not called");
            assert_eq!(view.memory().pooled(), 0, "{function}");
            assert_eq!(target.to_vec().unwrap(), [2; 8]);
            // Pipelines are made anew for the next one.
            drop((view, other, source, target));
        }
    });
}

#[test]
fn when_nothing_helps_the_error_has_the_numbers() {
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let before = large(&view, 30 * MIB).unwrap();
        session.expect(Fault {
            function: "allocate_memory",
            call: 0,
            lasts: true,
            result: vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
        });
        match large(&view, 50 * MIB) {
            Err(Error::OutOfMemory {
                operation,
                bytes,
                accelerator: name,
                available,
            }) => {
                assert_eq!((operation, bytes), ("allocating a buffer", Some(50 << 20)));
                assert_eq!(name, accelerator.description());
                assert!(available.is_some());
            }
            other => panic!("{other:?}"),
        }
        assert!(session.relent());
        assert_eq!(before.to_vec().unwrap(), vec![0; 30 * MIB]);
        large(&view, 50 * MIB).unwrap();
    });
}

/// The host's memory, too, that the driver needs to get the device's.
#[test]
fn whose_memory_is_out_is_told() {
    let lasting = |session: &Session, function, result| {
        session.expect(Fault {
            function,
            call: 0,
            lasts: true,
            result,
        });
    };
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        let host = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
        for function in ["allocate_memory", "map_memory", "create_buffer"] {
            lasting(session, function, host);
            match large(&view, 50 * MIB) {
                Err(Error::OutOfMemory {
                    bytes,
                    accelerator: name,
                    ..
                }) => assert_eq!((bytes, &*name), (None, "the host")),
                other => panic!("{function}: {other:?}"),
            }
            assert!(session.relent());
            large(&view, 50 * MIB).unwrap();
        }
        // What the driver needs for an object of its own.
        let device = vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
        for (function, what) in [
            ("create_semaphore", "creating a semaphore"),
            ("create_command_pool", "creating a command pool"),
        ] {
            lasting(session, function, device);
            match accelerator.create_view(QueuingMode::Automatic) {
                Err(Error::OutOfMemory {
                    operation,
                    bytes: None,
                    accelerator: name,
                    available: None,
                }) => assert_eq!((operation, &*name), (what, accelerator.description())),
                other => panic!("{function}: {other:?}"),
            }
            assert!(session.relent());
        }
    });
}

/// Nothing is left of blocks in which no part is used, be they of small parts or large ones.
#[test]
fn trimming_gives_blocks_back() {
    on_doubles(|_, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        view.wait().unwrap();
        view.trim().unwrap();
        let allocated = || accelerator.memory().allocated();
        let before = allocated();
        let kept = large(&view, 50 * MIB).unwrap();
        let small: Vec<_> = (0..40).map(|_| large(&view, MIB).unwrap()).collect();
        assert!(allocated() >= before + (90 << 20));
        drop(small);
        view.wait().unwrap();
        view.trim().unwrap();
        assert!(
            allocated() <= before + (51 << 20),
            "{}",
            accelerator.memory()
        );
        assert_eq!(kept.to_vec().unwrap(), vec![0; 50 * MIB]);
        drop(kept);
        view.wait().unwrap();
        view.trim().unwrap();
        assert!(allocated() <= before, "{}", accelerator.memory());
    });
}

/// The commands so far use the chunk that is full when there is no memory for another one.
#[test]
fn a_batch_keeps_its_chunks_when_there_is_no_memory_for_another_one() {
    on_doubles(|session, accelerator| {
        let device = accelerator.adapter().unwrap().open().unwrap();
        let stream = device.stream(false).unwrap();
        let mut recorder = stream.lock().unwrap();
        for class in [Class::Arguments, Class::Small] {
            let (id, chunk) = {
                let (chunk, _) = recorder.room(class, class.bytes()).unwrap();
                (chunk.id, Arc::downgrade(&chunk))
            };
            fail(
                session,
                "create_buffer",
                vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
            );
            let room = recorder.room(class, 4);
            assert!(matches!(room, Err(Error::OutOfMemory { .. })));
            assert!(session.relent());
            assert!(chunk.upgrade().is_some(), "{class:?}");
            assert_ne!(recorder.room(class, 4).unwrap().0.id, id);
            assert!(chunk.upgrade().is_some(), "{class:?}");
        }
    });
}

/// A batch may be complete before the call that sends it returns, and a cross-stream use be under
/// way still.
#[test]
fn a_buffer_is_not_done_with_when_a_batch_goes_out_that_does_not_wait_for_its_cross_stream_use() {
    on_doubles(|session, accelerator| {
        let device = accelerator.adapter().unwrap().open().unwrap();
        let [stream, other] = [(); 2].map(|()| device.stream(false).unwrap());
        let [shared, own] = [(); 2].map(|()| stream.allocate(64).unwrap());
        let mut recorder = stream.lock().unwrap();
        // That batch does not go out here.
        recorder.add_cross_stream_use(&shared, &other.timeline, 1);
        recorder.zero(&own).unwrap();
        assert_eq!(own.last_use(), 1);
        fail(
            session,
            "queue_submit",
            vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        );
        recorder.submit().unwrap_err();
        assert!(session.relent());
        assert_eq!(shared.last_use(), 2, "noted before the batch is sent");
        recorder.submit().unwrap();
        assert_eq!((recorder.submitted(), shared.last_use()), (1, 2));
        drop(recorder);
        stream.wait_for(&own).unwrap();
        assert!(stream.is_done_with(&own) && !stream.is_done_with(&shared));
    });
}

/// With no view left that has memory of its own, no block is.
#[test]
fn a_device_that_nobody_uses_has_no_memory() {
    on_doubles(|_, accelerator| {
        let adapter = accelerator.adapter().unwrap();
        let device = adapter.open().unwrap();
        for bytes in [100, 5 << 20, 40 << 20] {
            for purpose in [Purpose::Data, Purpose::Arguments, Purpose::Staging] {
                drop(Buffer::new(&device, bytes, purpose).unwrap());
            }
        }
        assert!(device.blocks().bytes().0 > 0, "empty blocks are kept");
        assert!(device.trim());
        assert_eq!(device.blocks().bytes(), (0, 0));
        assert!(!device.trim());
        Buffer::new(&device, 100, Purpose::Data).unwrap();
    });
}
