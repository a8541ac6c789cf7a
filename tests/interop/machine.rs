//! Vulkan devices that a test opens by itself, with no more enabled than it wants, under the
//! validation layer if the environment says `AMP_VALIDATION=1`.

use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use amp::interop::{ExistingDevice, RawQueue, ash};
use amp::{AcceleratorView, QueuingMode};
use ash::{Device, Entry, Instance, ext, vk};

/// What to open a device with.
#[derive(Clone)]
pub struct Plan {
    pub version: u32,
    pub base: vk::PhysicalDeviceFeatures,
    pub vulkan12: vk::PhysicalDeviceVulkan12Features<'static>,
    pub extensions: Vec<&'static CStr>,
    /// Queues of the first family that computes.
    pub queues: u32,
    /// Whether a queue of a family that does nothing but transfers is wanted, too.
    pub transfers: bool,
}

impl Default for Plan {
    /// The least that kernels need.
    fn default() -> Self {
        Self {
            version: vk::API_VERSION_1_2,
            base: vk::PhysicalDeviceFeatures::default(),
            vulkan12: vk::PhysicalDeviceVulkan12Features::default()
                .buffer_device_address(true)
                .timeline_semaphore(true)
                .vulkan_memory_model(true)
                .scalar_block_layout(true),
            extensions: Vec::new(),
            queues: 1,
            transfers: false,
        }
    }
}

/// An open device with its instance. They are destroyed with it.
pub struct Machine {
    pub plan: Plan,
    pub physical_device: vk::PhysicalDevice,
    pub device: Device,
    pub instance: Instance,
    /// A family that computes, of which the queues are.
    pub family: u32,
    /// A family for transfers alone, of which there is a queue.
    pub copying: Option<u32>,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    _entry: Entry,
}

/// Every test of this program holds this while it runs. The validation layer keeps instances and
/// devices in a table without a lock, which every call of Vulkan reads: none may be created or
/// destroyed here while another test calls Vulkan.
pub fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Messages of the validation layer on devices of machines.
static MESSAGES: AtomicU64 = AtomicU64::new(0);

unsafe extern "system" fn receive(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    MESSAGES.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the layer passes a structure with a message.
    let text = unsafe { CStr::from_ptr((*data).p_message) };
    eprintln!("validation: {}", text.to_string_lossy());
    vk::FALSE
}

/// Requires that the validation layer has sent nothing to any messenger.
pub fn assert_silent() {
    assert_eq!(MESSAGES.load(Ordering::Relaxed), 0, "see above");
    testkit::assert_silent();
}

fn validates() -> bool {
    std::env::var_os("AMP_VALIDATION").is_some_and(|value| value == "1")
}

/// Every device of the system, opened by a plan.
pub fn machines(plan: &Plan) -> Vec<Arc<Machine>> {
    // SAFETY: the system's loader is trusted.
    let Ok(entry) = (unsafe { Entry::load() }) else {
        return Vec::new();
    };
    let count = {
        let (instance, messenger) = plan.open_instance(&entry);
        // SAFETY: the instance is alive, and goes with nothing made of it.
        unsafe {
            let count = instance.enumerate_physical_devices().unwrap().len();
            close(&instance, messenger);
            count
        }
    };
    (0..count)
        .map(|number| Arc::new(Machine::open(&entry, plan, number)))
        .collect()
}

type Messenger = Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>;

/// Destroys an instance.
///
/// # Safety
///
/// Nothing of it is left.
unsafe fn close(instance: &Instance, messenger: Messenger) {
    // SAFETY: by contract.
    unsafe {
        if let Some((functions, messenger)) = messenger {
            functions.destroy_debug_utils_messenger(messenger, None);
        }
        instance.destroy_instance(None);
    }
}

impl Plan {
    /// Shows what an instance is made with.
    pub fn with_instance_info<R>(&self, show: impl FnOnce(&vk::InstanceCreateInfo<'_>) -> R) -> R {
        let application = vk::ApplicationInfo::default().api_version(self.version);
        let layers = [c"VK_LAYER_KHRONOS_validation".as_ptr()];
        let extensions = [
            ext::debug_utils::NAME.as_ptr(),
            ext::validation_features::NAME.as_ptr(),
        ];
        let enabled = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
        let mut features =
            vk::ValidationFeaturesEXT::default().enabled_validation_features(&enabled);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        match validates() {
            true => show(
                &info
                    .enabled_layer_names(&layers)
                    .enabled_extension_names(&extensions)
                    .push_next(&mut features),
            ),
            false => show(&info),
        }
    }

    fn open_instance(&self, entry: &Entry) -> (Instance, Messenger) {
        // SAFETY: what the information points to is alive.
        let instance =
            self.with_instance_info(|info| unsafe { entry.create_instance(info, None) }.unwrap());
        let messenger = validates().then(|| {
            use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
            let functions = ext::debug_utils::Instance::new(entry, &instance);
            let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
                .message_severity(Severity::WARNING | Severity::ERROR)
                .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
                .pfn_user_callback(Some(receive));
            // SAFETY: the extension is enabled.
            let messenger = unsafe { functions.create_debug_utils_messenger(&info, None) };
            (functions, messenger.unwrap())
        });
        (instance, messenger)
    }

    /// Shows what a device is made with.
    fn with_device_info<R>(
        &self,
        (family, copying): (u32, Option<u32>),
        show: impl FnOnce(&vk::DeviceCreateInfo<'_>) -> R,
    ) -> R {
        let priorities = vec![1.0; self.queues as usize];
        let of = |family, priorities| {
            vk::DeviceQueueCreateInfo::default()
                .queue_family_index(family)
                .queue_priorities(priorities)
        };
        let mut queues = vec![of(family, &priorities)];
        queues.extend(copying.map(|copying| of(copying, &priorities[..1])));
        let mut vulkan12 = self.vulkan12;
        let extensions: Vec<*const c_char> =
            self.extensions.iter().map(|name| name.as_ptr()).collect();
        let info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_features(&self.base)
            .enabled_extension_names(&extensions);
        match self.version < vk::API_VERSION_1_2 {
            true => show(&info),
            false => show(&info.push_next(&mut vulkan12)),
        }
    }
}

impl Machine {
    fn open(entry: &Entry, plan: &Plan, number: usize) -> Self {
        let (instance, messenger) = plan.open_instance(entry);
        // SAFETY: the instance is alive, and what the information points to.
        unsafe {
            let physical_device = instance.enumerate_physical_devices().unwrap()[number];
            let families = instance.get_physical_device_queue_family_properties(physical_device);
            use vk::QueueFlags as Does;
            let computes = |it: &vk::QueueFamilyProperties| it.queue_flags.contains(Does::COMPUTE);
            let family = families.iter().position(computes).unwrap();
            let other = Does::GRAPHICS
                | Does::COMPUTE
                | Does::VIDEO_DECODE_KHR
                | Does::VIDEO_ENCODE_KHR
                | Does::OPTICAL_FLOW_NV;
            let copies = |it: &vk::QueueFamilyProperties| {
                it.queue_flags.contains(Does::TRANSFER) && !it.queue_flags.intersects(other)
            };
            let copying = families.iter().position(copies).map(|family| family as u32);
            let copying = copying.filter(|_| plan.transfers);
            let queues = plan.queues.min(families[family].queue_count);
            let plan = Plan {
                queues,
                ..plan.clone()
            };
            let device = plan.with_device_info((family as u32, copying), |info| {
                instance.create_device(physical_device, info, None).unwrap()
            });
            Self {
                plan,
                physical_device,
                device,
                instance,
                family: family as u32,
                copying,
                messenger,
                _entry: entry.clone(),
            }
        }
    }

    /// A queue of the device.
    pub fn queue(&self, index: u32) -> RawQueue {
        RawQueue {
            family: self.family,
            index,
        }
    }

    /// Shows the device as it is handed over, without a keeper.
    pub fn with_existing<R>(&self, show: impl FnOnce(ExistingDevice<'_>) -> R) -> R {
        self.plan.with_instance_info(|instance_info| {
            let families = (self.family, self.copying);
            self.plan.with_device_info(families, |device_info| {
                show(ExistingDevice {
                    instance: &self.instance,
                    instance_info,
                    physical_device: self.physical_device,
                    device: &self.device,
                    device_info,
                    queue: self.queue(0),
                    transfers: None,
                    keeper: None,
                })
            })
        })
    }

    /// An accelerator view on the first queue, which keeps the machine.
    pub fn view(self: &Arc<Self>) -> AcceleratorView {
        self.try_view(|existing| existing.keeper = Some(Arc::clone(self) as _))
            .unwrap()
    }

    /// An accelerator view on the device, changed. Without a keeper the machine outlives it.
    pub fn try_view(
        &self,
        change: impl FnOnce(&mut ExistingDevice<'_>),
    ) -> amp::Result<AcceleratorView> {
        self.with_existing(|mut existing| {
            change(&mut existing);
            // SAFETY: this is what they were made with, and the machine outlives the view, or
            // is kept by it. Tests use queues as they should.
            unsafe { AcceleratorView::from_raw(&existing, QueuingMode::Automatic) }
        })
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: nothing of the device is left, or the validation layer says so.
        unsafe {
            self.device.destroy_device(None);
            close(&self.instance, self.messenger.take());
        }
    }
}
