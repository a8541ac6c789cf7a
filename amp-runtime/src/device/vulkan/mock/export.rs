//! Arrays that can be exported, when calls fail for them.

use ash::vk;

use super::Fault;
use super::ends::{fail, on_doubles};
use crate::types::error::Error;
use crate::{AcceleratorView, Array, QueuingMode};

const BYTES: usize = 30 << 20;

fn exportable(view: &AcceleratorView) -> crate::Result<Array<u8, 1>> {
    Array::builder(BYTES).on(view).exportable().build()
}

#[test]
fn a_failed_construction_of_an_array_leaks_nothing() {
    on_doubles(|session, accelerator| {
        let view = accelerator.create_view(QueuingMode::Automatic).unwrap();
        if let Err(Error::UnsupportedFeature(_)) = exportable(&view) {
            return;
        }
        view.wait().unwrap();
        let before = (view.memory().in_use(), session.alive());
        for (function, result) in [
            ("create_buffer", vk::Result::ERROR_OUT_OF_HOST_MEMORY),
            ("allocate_memory", vk::Result::ERROR_OUT_OF_HOST_MEMORY),
            ("allocate_memory", vk::Result::ERROR_TOO_MANY_OBJECTS),
            ("bind_buffer_memory", vk::Result::ERROR_UNKNOWN),
        ] {
            // What is out of memory is tried again.
            session.expect(Fault {
                function,
                call: 0,
                lasts: true,
                result,
            });
            let error = exportable(&view).unwrap_err();
            assert!(session.relent(), "{function} was not called");
            let is_typed = matches!(error, Error::OutOfMemory { .. } | Error::Driver { .. });
            assert!(is_typed, "{error:?}");
            assert_eq!(before, (view.memory().in_use(), session.alive()), "{error}");
        }
        // Where the device is short of memory, what is kept is given up for it.
        drop(Array::<u8, 1>::builder(BYTES).on(&view).build().unwrap());
        view.wait().unwrap();
        assert!(view.memory().pooled() >= BYTES as u64);
        let short = vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
        fail(session, "allocate_memory", short);
        let array = exportable(&view).unwrap();
        assert!(session.relent());
        assert_eq!(view.memory().pooled(), 0);
        assert_eq!(view.memory().in_use(), BYTES as u64);
        assert_eq!(array.to_vec().unwrap(), vec![0; BYTES]);
    });
}
