//! What is found of a machine whose drivers lack something, or fail while they are asked.

use ash::vk;

use super::super::convert::is_out_of_memory;
use super::super::search::adapters;
use super::super::validation_messages;
use super::{Fault, Session, search};
use crate::accelerator::registry::Registry;
use crate::types::error::Error;
use crate::{Accelerator, QueuingMode};

#[test]
fn a_device_that_lacks_something_is_rejected_by_its_name() {
    for what in [
        "Vulkan 1.2",
        "bufferDeviceAddress",
        "vulkanMemoryModel",
        "timelineSemaphore",
        "a queue that computes",
    ] {
        let session = Session::new();
        let devices = adapters().len();
        if devices == 0 {
            return;
        }
        session.lack(what);
        let found = search();
        assert!(found.adapters.is_empty(), "{what}");
        assert_eq!(found.rejected.len(), devices);
        for (rejected, adapter) in found.rejected.iter().zip(adapters()) {
            assert_eq!(rejected.description, adapter.name());
            assert_eq!(rejected.lacking, [what]);
            assert!(
                matches!(&rejected.error, Error::UnsupportedFeature(why) if why.contains(what))
            );
            assert_eq!(
                rejected.to_string(),
                format!("{} lacks {what}", adapter.name())
            );
        }
        drop(found);
        assert_eq!(session.alive(), [""; 0]);
    }
}

#[test]
fn all_that_is_lacking_is_told() {
    let session = Session::new();
    session.lack("vulkanMemoryModel");
    session.lack("timelineSemaphore");
    session.lack("a queue that computes");
    for rejected in search_if_there_are_devices() {
        let expected = [
            "vulkanMemoryModel",
            "timelineSemaphore",
            "a queue that computes",
        ];
        assert_eq!(rejected.lacking, expected);
    }
}

fn search_if_there_are_devices() -> Vec<crate::Rejected> {
    match adapters().is_empty() {
        true => Vec::new(),
        false => search().rejected,
    }
}

/// Each call that the search makes fails in turn: what is not found says why, and is found the
/// next time; what was found before stays what it is.
#[test]
fn devices_missed_by_a_failed_search_are_found_by_the_next() {
    if adapters().is_empty() {
        return;
    }
    let functions = [
        "enumerate_instance_version",
        "enumerate_instance_layer_properties",
        "enumerate_instance_extension_properties",
        "create_instance",
        "create_debug_utils_messenger",
        "enumerate_physical_devices",
        "enumerate_device_extension_properties",
    ];
    let mut failed = 0;
    for function in functions {
        for result in [
            vk::Result::ERROR_OUT_OF_HOST_MEMORY,
            vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
            vk::Result::ERROR_INITIALIZATION_FAILED,
        ] {
            let session = Session::new();
            let registry = Registry::new();
            session.expect(Fault {
                function,
                call: 0,
                lasts: true,
                result,
            });
            let found = registry.look(search);
            if !session.relent() {
                // Without validation there is no messenger.
                assert!(found.rejected.is_empty(), "{function}");
                continue;
            }
            failed += 1;
            assert_eq!(found.accelerators, [Accelerator::cpu()], "{function}");
            assert!(!found.rejected.is_empty());
            for rejected in &found.rejected {
                assert!(rejected.lacking.is_empty(), "{rejected}");
                match &rejected.error {
                    Error::OutOfMemory { .. } => assert!(is_out_of_memory(result)),
                    Error::Driver { reason, .. } => assert_eq!(*reason, format!("{result:?}")),
                    error => panic!("{error}"),
                }
            }
            drop(found);
            assert_eq!(session.alive(), [""; 0], "{function}: something is left");

            let found = registry.look(search);
            assert!(found.rejected.is_empty(), "{function}");
            assert_eq!(found.accelerators.len(), adapters().len() + 1);
            let again = registry.look(|| panic!("nothing is left to be found"));
            assert_eq!(again.accelerators, found.accelerators);
            let view = found.accelerators[0].create_view(QueuingMode::Automatic);
            view.unwrap().wait().unwrap();
            drop((registry, found, again));
            assert_eq!(session.alive(), [""; 0], "{function}: something is left");
        }
    }
    assert!(failed >= 15);
    assert_eq!(validation_messages(), 0);
}

#[test]
fn an_accelerator_that_is_known_stays_the_same() {
    if adapters().is_empty() {
        return;
    }
    let session = Session::new();
    let registry = Registry::new();
    let with_failure = || {
        let mut found = search();
        let error = Error::Driver {
            operation: "asking",
            reason: "ERROR_UNKNOWN".into(),
        };
        let failed = crate::Rejected::failed("another GPU", error);
        found.rejected.push(*failed);
        found
    };
    let first = registry.look(with_failure);
    let second = registry.look(search);
    assert_eq!(first.accelerators, second.accelerators);
    assert_eq!((first.rejected.len(), second.rejected.len()), (1, 0));

    let registry = Registry::new();
    let first = registry.look(with_failure);
    session.expect(Fault {
        function: "enumerate_physical_devices",
        call: 0,
        lasts: true,
        result: vk::Result::ERROR_INITIALIZATION_FAILED,
    });
    let second = registry.look(search);
    assert!(session.relent());
    assert_eq!(first.accelerators, second.accelerators);
}
