//! Row 129: data that changes behind its views. Rust lends a slice to its view, so that nothing
//! can change it meanwhile; but memory that the program itself has allocated, and that an
//! array is over, the host can write when the array's work is at rest.

use amp::interop::RawDevice;
use amp::interop::ash::vk;
use amp::prelude::*;
use testkit::{assert_silent, everywhere, launch, new_views, views};

#[amp_kernel]
fn add(idx: Index<1>, a: &mut ArrayViewMut<i32, 1>, value: i32) {
    a[idx] += value;
}

#[amp_kernel]
fn read(idx: Index<1>, a: &ArrayView<i32, 1>, out: &mut ArrayViewMut<i32, 1>) {
    out[idx] = a[idx];
}

#[test]
fn row_129_what_is_pending_outlasts_a_refresh() {
    everywhere(|view| {
        let mut data = vec![1; 64];
        let mut av = ArrayViewMut::new(64, &mut data).unwrap();
        launch(view, 32, add(&mut av.section(0, 32).unwrap(), 4)).unwrap();
        // Nothing has changed behind the views; what is pending stays.
        av.as_view().section(16, 32).unwrap().refresh();
        launch(view, 64, add(&mut av, 1)).unwrap();
        av.refresh();
        let (one, other) = (av.as_view(), av.as_view());
        other.refresh();
        assert_eq!((one[0], other[31], one[32]), (6, 6, 2), "{view}");
    });
}

const COUNT: usize = 100;

/// A buffer of the program's own with `COUNT` numbers that the host writes in place.
struct Numbers {
    device: amp::interop::ash::Device,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    first: *mut i32,
}

impl Numbers {
    fn new(raw: &RawDevice<'_>) -> Self {
        use vk::BufferUsageFlags as Usage;
        use vk::MemoryPropertyFlags as Properties;
        let mut info = vk::BufferCreateInfo::default()
            .size((COUNT * size_of::<i32>()) as u64)
            .usage(
                Usage::STORAGE_BUFFER
                    | Usage::TRANSFER_SRC
                    | Usage::TRANSFER_DST
                    | Usage::SHADER_DEVICE_ADDRESS,
            );
        if raw.queue_families.len() > 1 {
            info = info
                .sharing_mode(vk::SharingMode::CONCURRENT)
                .queue_family_indices(&raw.queue_families);
        }
        let device = raw.device.clone();
        // SAFETY: plain calls with live handles; the memory fits what the buffer requires, and is
        // mapped once.
        unsafe {
            let buffer = device.create_buffer(&info, None).unwrap();
            let needs = device.get_buffer_memory_requirements(buffer);
            let memory = raw
                .instance
                .get_physical_device_memory_properties(raw.physical_device);
            let wanted = Properties::HOST_VISIBLE | Properties::HOST_COHERENT;
            let fits = |&kind: &u32| {
                let flags = memory.memory_types[kind as usize].property_flags;
                needs.memory_type_bits & 1 << kind != 0 && flags.contains(wanted)
            };
            let kind = (0..memory.memory_type_count).find(fits);
            let mut flags = vk::MemoryAllocateFlagsInfo::default()
                .flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(kind.expect("every device has such memory"))
                .push_next(&mut flags);
            let memory = device.allocate_memory(&info, None).unwrap();
            device.bind_buffer_memory(buffer, memory, 0).unwrap();
            let first = device
                .map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())
                .unwrap()
                .cast();
            Self {
                device,
                buffer,
                memory,
                first,
            }
        }
    }

    /// Writes a number, with no work under way that uses the buffer.
    fn write(&self, at: usize, value: i32) {
        assert!(at < COUNT);
        // SAFETY: the mapping has so many numbers, and nothing uses them meanwhile.
        unsafe { self.first.add(at).write(value) };
    }
}

impl Drop for Numbers {
    fn drop(&mut self) {
        // SAFETY: the array is gone and its work complete.
        unsafe {
            self.device.destroy_buffer(self.buffer, None);
            self.device.free_memory(self.memory, None);
        }
    }
}

/// The CPU accelerator's arrays are over no foreign memory; it reads what changed on devices.
#[test]
fn row_129_what_changed_behind_one_view_is_seen_through_both() {
    for view in new_views() {
        let Ok(raw) = view.raw_device() else {
            continue;
        };
        let v = Numbers::new(&raw);
        (0..COUNT).for_each(|at| v.write(at, 1));
        // SAFETY: the buffer is of the device, as the function wants it, and outlives the array
        // and its work.
        let array = unsafe { Array::<i32, 1>::from_raw_buffer(&view, COUNT, v.buffer) };
        let mut array = array.unwrap();
        let mut whole = array.view_mut();
        for by_part in [false, true] {
            // Host and accelerators know it as it is.
            assert_eq!(whole[17], 1, "{view}");
            for reader in views() {
                whole.synchronize_to(&reader).unwrap();
                reader.wait().unwrap();
            }
            view.wait().unwrap();
            v.write(17, 93);
            match by_part {
                false => whole.refresh(),
                true => whole.section(10, 20).unwrap().refresh(),
            }
            let (a, b) = (whole.as_view(), whole.as_view());
            assert_eq!((a[17], b[17], a[16], b[18]), (93, 93, 1, 1), "{view}");
            for reader in views() {
                let mut found = [0; COUNT];
                let mut out = ArrayViewMut::new(COUNT, &mut found).unwrap();
                launch(&reader, COUNT, read(&b, &mut out)).unwrap();
                drop(out);
                let expected: [i32; COUNT] = std::array::from_fn(|i| if i == 17 { 93 } else { 1 });
                assert_eq!(found, expected, "{view} by {reader}");
            }
            view.wait().unwrap();
            v.write(17, 1);
            whole.refresh();
        }
        drop(whole);
        drop(array);
        view.wait().unwrap();
    }
    assert_silent();
}
