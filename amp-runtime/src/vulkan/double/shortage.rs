//! What is tried when memory is short, and what is said when it is out.

use ash::vk;

use super::Fault;
use super::ends::{fail, on_doubles};
use crate::error::Error;
use crate::{AcceleratorView, Array, QueuingMode};

const MIB: usize = 1 << 20;

/// An array too large to share a block of memory with others.
fn large(view: &AcceleratorView, bytes: usize) -> crate::Result<Array<u8, 1>> {
    Array::builder(bytes).on(view).build()
}

#[test]
fn what_is_kept_is_given_up_before_memory_is_out() {
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
                bytes,
                accelerator: name,
                available,
            }) => {
                assert_eq!((bytes, &*name), (50 << 20, accelerator.description()));
                assert!(available.is_some());
            }
            other => panic!("{other:?}"),
        }
        assert!(session.relent());
        assert_eq!(before.to_vec().unwrap(), vec![0; 30 * MIB]);
        large(&view, 50 * MIB).unwrap();
    });
}
