//! Devices that the program has opened: calls fail on them as on ours, and what is the
//! program's stays.

use std::sync::Arc;

use ash::vk;

use super::super::existing::{ExistingDevice, RawQueue};
use super::ends::fail;
use super::scenario::scenario;
use super::{Session, in_front_of, loader};
use crate::types::error::{Error, Result};
use crate::{AcceleratorView, QueuingMode};

/// What a program has, with the mock in front of it, which counts instance and device as
/// objects that are alive.
struct Program {
    device: ash::Device,
    physical_device: vk::PhysicalDevice,
    instance: ash::Instance,
}

/// The functions that have made what a program has.
const OF_PROGRAM: [&str; 2] = ["create_device", "create_instance"];

fn with_instance_info<R>(show: impl FnOnce(&vk::InstanceCreateInfo<'_>) -> R) -> R {
    let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_2);
    show(&vk::InstanceCreateInfo::default().application_info(&application))
}

impl Program {
    /// On the first device of the system.
    fn open() -> Option<Self> {
        let entry = loader::entry()?;
        // SAFETY: what is pointed to lives until the calls are over.
        unsafe {
            let instance = with_instance_info(|info| entry.create_instance(info, None)).ok()?;
            let Some(&physical_device) = instance.enumerate_physical_devices().ok()?.first() else {
                instance.destroy_instance(None);
                return None;
            };
            let device = with_device_info(|info| {
                instance.create_device(physical_device, info, None).unwrap()
            });
            Some(Self {
                device: in_front_of(device),
                physical_device,
                instance,
            })
        }
    }

    fn view(&self, keeper: &Arc<()>) -> Result<AcceleratorView> {
        with_instance_info(|instance_info| {
            with_device_info(|device_info| {
                let existing = ExistingDevice {
                    instance: &self.instance,
                    instance_info,
                    physical_device: self.physical_device,
                    device: &self.device,
                    device_info,
                    queue: RawQueue {
                        family: 0,
                        index: 0,
                    },
                    transfers: None,
                    keeper: Some(Arc::clone(keeper) as _),
                };
                // SAFETY: this is how they were made; the view goes before.
                unsafe { AcceleratorView::from_raw(&existing, QueuingMode::Automatic) }
            })
        })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: nothing of them is left.
        unsafe {
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

fn with_device_info<R>(show: impl FnOnce(&vk::DeviceCreateInfo<'_>) -> R) -> R {
    let mut features = vk::PhysicalDeviceVulkan12Features::default()
        .buffer_device_address(true)
        .timeline_semaphore(true)
        .vulkan_memory_model(true)
        .scalar_block_layout(true);
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
    let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
    show(&info.push_next(&mut features))
}

/// Lets a call fail on a view of a program's device; gives the error that came of it.
fn try_with(function: &'static str, result: vk::Result) -> Option<Error> {
    let session = Session::new();
    let program = Program::open()?;
    let keeper = Arc::new(());
    fail(&session, function, result);
    let mut data = vec![7; 100];
    let made = program
        .view(&keeper)
        .inspect(|view| view.set_print_hook(|_| ()));
    let played = made.clone().and_then(|view| scenario(&view, &mut data));
    assert!(session.relent(), "{function} was not called");
    let again = made.as_ref().map(|view| {
        let accelerator = view.accelerator();
        let again = accelerator.create_view(QueuingMode::Automatic);
        again.inspect(|view| view.set_print_hook(|_| ()))
    });
    match again {
        // Only the program can open another one.
        Ok(Err(error)) if result == vk::Result::ERROR_DEVICE_LOST => {
            assert!(
                error.to_string().contains("the program has opened"),
                "{error}"
            );
        }
        Ok(again) => scenario(&again.expect("a new view"), &mut data).expect("it works"),
        Err(_) => assert_eq!(session.alive(), OF_PROGRAM),
    }
    drop(made);
    assert_eq!(session.alive(), OF_PROGRAM, "after {function}");
    assert_eq!(Arc::strong_count(&keeper), 1);
    drop(program);
    assert_eq!(session.alive(), [""; 0]);
    played.err()
}

#[test]
fn objects_of_the_program_survive_failed_calls() {
    for function in [
        "create_pipeline_layout",
        "create_pipeline_cache",
        "create_command_pool",
        "create_semaphore",
        "allocate_memory",
        "create_compute_pipelines",
        "queue_submit",
    ] {
        let result = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
        let Some(error) = try_with(function, result) else {
            continue;
        };
        let is_typed = matches!(
            error,
            Error::OutOfMemory { .. } | Error::Driver { .. } | Error::AcceleratorViewRemoved { .. }
        );
        assert!(is_typed, "{function}: {error:?}");
    }
}

#[test]
fn a_lost_device_of_the_program_stays_lost() {
    for function in ["queue_submit", "wait_semaphores"] {
        let error = try_with(function, vk::Result::ERROR_DEVICE_LOST);
        let is_removed = matches!(error, Some(Error::AcceleratorViewRemoved { .. }) | None);
        assert!(is_removed, "{function}: {error:?}");
    }
}
