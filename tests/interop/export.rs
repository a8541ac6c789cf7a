//! Arrays whose memory is exported as a file descriptor, and imported by another device.

use std::os::fd::{AsRawFd, IntoRawFd};
use std::sync::Arc;

use amp::interop::ExportedMemory;
use amp::interop::ash::{khr, vk};
use amp::prelude::*;
use amp::{AccessType, Error};
use testkit::{launch, new_views};

use super::machine::{Machine, Plan, assert_silent, machines, turn};
use super::{N, affine, array, numbers};

fn exportable(view: &AcceleratorView) -> amp::Result<Array<u32, 1>> {
    Array::builder(N)
        .on(view)
        .data(&numbers())
        .exportable()
        .build()
}

/// The views on which arrays can be exported; of the others the reason is looked at.
fn exporting() -> Vec<AcceleratorView> {
    let mut views = new_views();
    views.retain(|view| match exportable(view) {
        Ok(_) => true,
        Err(Error::UnsupportedFeature(why)) => {
            let is_cpu = view.accelerator() == Accelerator::cpu();
            let reason = match is_cpu {
                true => "put it on a view of a Vulkan accelerator",
                false => "VK_KHR_external_memory_fd",
            };
            assert!(why.contains(reason), "{why}");
            false
        }
        Err(error) => panic!("{error:?}"),
    });
    views
}

/// The machines with the extension, if all have it.
fn importing() -> Vec<Arc<Machine>> {
    let name = khr::external_memory_fd::NAME;
    let has = |machine: &Arc<Machine>| {
        // SAFETY: the instance is alive.
        let offered = unsafe {
            (machine.instance).enumerate_device_extension_properties(machine.physical_device)
        };
        let mut offered = offered.unwrap().into_iter();
        offered.any(|it| it.extension_name_as_c_str() == Ok(name))
    };
    match machines(&Plan::default()).iter().all(has) {
        true => machines(&Plan {
            extensions: vec![name],
            ..Plan::default()
        }),
        false => Vec::new(),
    }
}

/// Exported memory on another device, with a buffer for it.
struct Imported {
    view: AcceleratorView,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
}

impl Imported {
    /// On the device of a view; nothing if it is of another device.
    fn new(view: &AcceleratorView, exported: ExportedMemory) -> Option<Self> {
        let raw = view.raw_device().unwrap();
        let mut ids = vk::PhysicalDeviceIDProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut ids);
        let kind = vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD;
        let device = raw.device;
        // SAFETY: all handles are alive; the memory is imported as its exporter wants it.
        unsafe {
            (raw.instance).get_physical_device_properties2(raw.physical_device, &mut properties);
            if (ids.device_uuid, ids.driver_uuid) != (exported.device_uuid, exported.driver_uuid) {
                return None;
            }
            let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(kind);
            let mut info = vk::BufferCreateInfo::default()
                .size(exported.buffer_size)
                .usage(exported.usage)
                .push_next(&mut external);
            if exported.queue_families.len() > 1 {
                info = info
                    .sharing_mode(vk::SharingMode::CONCURRENT)
                    .queue_family_indices(&exported.queue_families);
            }
            let buffer = device.create_buffer(&info, None).unwrap();
            let needs = device.get_buffer_memory_requirements(buffer);
            assert!(needs.size <= exported.allocation_size);
            assert_ne!(needs.memory_type_bits >> exported.memory_type & 1, 0);
            let mut flags = vk::MemoryAllocateFlagsInfo::default()
                .flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            let mut alone = vk::MemoryDedicatedAllocateInfo::default().buffer(buffer);
            let mut import = vk::ImportMemoryFdInfoKHR::default()
                .handle_type(kind)
                .fd(exported.fd.into_raw_fd());
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(exported.allocation_size)
                .memory_type_index(exported.memory_type)
                .push_next(&mut flags)
                .push_next(&mut alone)
                .push_next(&mut import);
            let memory = device.allocate_memory(&info, None).unwrap();
            device
                .bind_buffer_memory(buffer, memory, exported.offset)
                .unwrap();
            Some(Self {
                view: view.clone(),
                buffer,
                memory,
            })
        }
    }

    fn array(&self) -> Array<u32, 1> {
        // SAFETY: the buffer is of the view's device, and has what it must; it goes after the
        // array; the test does one thing after the other.
        unsafe { Array::from_raw_buffer(&self.view, N, self.buffer) }.unwrap()
    }
}

impl Drop for Imported {
    fn drop(&mut self) {
        self.view.wait().unwrap();
        let device = self.view.raw_device().unwrap().device;
        // SAFETY: nothing uses them any more.
        unsafe {
            device.destroy_buffer(self.buffer, None);
            device.free_memory(self.memory, None);
        }
    }
}

/// Kernels on views of two devices, opened apart, work on the memory of one in turns, if that is
/// the same device.
fn share(view: &AcceleratorView, there: &AcceleratorView) -> bool {
    let mut ours = exportable(view).unwrap();
    let exported = ours.export_fd().unwrap();
    assert_eq!((exported.offset, exported.bytes), (0, 4 * N as u64));
    let Some(imported) = Imported::new(there, exported) else {
        return false;
    };
    let mut theirs = imported.array();
    let mut expected = numbers();
    assert_eq!(theirs.to_vec().unwrap(), expected);
    for round in 0..5 {
        launch(there, N, affine(&mut theirs, 3, round)).unwrap();
        there.wait().unwrap();
        ours.view_mut().refresh();
        launch(view, N, affine(&mut ours, 1, 1)).unwrap();
        for value in &mut expected {
            *value = value.wrapping_mul(3) + round + 1;
        }
        assert_eq!(ours.to_vec().unwrap(), expected, "{view}");
        view.wait().unwrap();
        theirs.view_mut().refresh();
        assert_eq!(theirs.to_vec().unwrap(), expected, "{there}");
    }
    true
}

/// The program's device works in memory of ours, and ours in memory of the program's.
#[test]
fn two_devices_share_the_memory_of_one() {
    let _turn = turn();
    let mut shared = 0;
    for view in exporting() {
        for machine in importing() {
            let there = machine.view();
            let both = [share(&view, &there), share(&there, &view)];
            assert_eq!(both[0], both[1]);
            shared += usize::from(both[0]);
        }
    }
    println!("{shared} devices shared their memory with themselves");
    assert_silent();
}

/// Memory stays while anything refers to it, and is no other array's.
#[test]
fn exported_memory_outlives_the_array() {
    let _turn = turn();
    for view in exporting() {
        for machine in importing() {
            let mut ours = exportable(&view).unwrap();
            launch(&view, N, affine(&mut ours, 2, 5)).unwrap();
            let exported = ours.export_fd().unwrap();
            let again = ours.export_fd().unwrap();
            assert_ne!(exported.fd.as_raw_fd(), again.fd.as_raw_fd());
            drop((ours, again));
            view.wait().unwrap();
            // Others of the size get other memory.
            let other = exportable(&view).unwrap();
            let plain = array(&view);
            let Some(imported) = Imported::new(&machine.view(), exported) else {
                continue;
            };
            let theirs = imported.array().to_vec().unwrap();
            assert!(
                theirs
                    .into_iter()
                    .zip(0..)
                    .all(|(found, i)| found == 2 * i + 5)
            );
            assert_eq!(other.to_vec().unwrap(), plain.to_vec().unwrap());
        }
    }
    assert_silent();
}

#[test]
fn an_exportable_array_is_an_array_as_others() {
    let _turn = turn();
    for view in exporting() {
        view.wait().unwrap();
        let before = view.memory();
        let mut x = exportable(&view).unwrap();
        assert_eq!(x.cpu_access_type(), AccessType::None);
        assert!(matches!(x.data(), Err(Error::NotAccessible { .. })));
        assert_eq!(view.memory().in_use(), before.in_use() + 4 * N as u64);
        assert!(view.accelerator().memory().in_use() >= 4 * N as u64);
        launch(&view, N, affine(&mut x, 2, 1)).unwrap();
        let mut y = array(&view);
        x.copy_to(&mut y).unwrap();
        assert_eq!(y.to_vec().unwrap()[10], 21);
        assert_eq!(x.view()[10], 21);
        let zeroed = Array::<u8, 1>::builder(5)
            .on(&view)
            .exportable()
            .build()
            .unwrap();
        assert_eq!(zeroed.to_vec().unwrap(), [0; 5]);
        assert_eq!(zeroed.export_fd().unwrap().bytes, 5);
        drop((x, y, zeroed));
        view.wait().unwrap();
        assert_eq!(view.memory().in_use(), before.in_use());
    }
    assert_silent();
}

#[test]
fn a_refused_export_states_the_reason() {
    let _turn = turn();
    for view in new_views() {
        let error = array(&view).export_fd().unwrap_err();
        assert!(matches!(error, Error::UnsupportedFeature(_)), "{error}");
    }
    for view in exporting() {
        let text = array(&view).export_fd().unwrap_err().to_string();
        assert!(
            text.contains("say `exportable()` when it is built"),
            "{text}"
        );
        let seen = Array::<u32, 1>::builder(N).on(&view).exportable();
        let error = seen.cpu_access(AccessType::Read).build().unwrap_err();
        assert!(error.to_string().contains("AccessType::Read"), "{error}");
    }
    // The device could, but was not opened with it.
    for machine in machines(&Plan::default()) {
        let error = exportable(&machine.view()).unwrap_err();
        assert!(matches!(error, Error::UnsupportedFeature(_)), "{error}");
        let text = error.to_string();
        assert!(
            text.contains("opened without VK_KHR_external_memory_fd"),
            "{text}"
        );
    }
    for machine in importing() {
        let view = machine.view();
        assert_eq!(
            exportable(&view).unwrap().export_fd().unwrap().bytes,
            4 * N as u64
        );
    }
    assert_silent();
}
