//! The Vulkan loader and the process's one instance, and instances of the program.

use std::any::Any;
use std::ffi::CStr;
use std::sync::{Arc, Mutex, PoisonError};

use ash::{Entry, ext, khr, vk};

use super::enabled::strings;
use super::gate::{self, Within};
use super::{convert, debug, exit};
use crate::types::rejected::Rejected;

/// What is told of as lacking if there is no instance.
pub(super) const VULKAN: &str = "Vulkan";
const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// The instance, with the loader that it needs.
pub(super) struct Instance {
    functions: ash::Instance,
    /// Highest version that devices of this instance may be used with.
    pub(super) version: u32,
    /// Whether the validation layer is on.
    pub(super) validates: bool,
    /// Whether objects can have names.
    pub(super) names: bool,
    owner: Owner,
}

/// Who destroys an instance.
enum Owner {
    Us {
        messenger: Option<Messenger>,
        /// The library; unloaded after all else.
        _entry: Entry,
    },
    /// The program, not before this is dropped.
    Program { _keeper: Option<Keeper> },
}

/// What a program has dropped when nothing uses its Vulkan any more.
pub(super) type Keeper = Arc<dyn Any + Send + Sync>;

/// The instance, or why there is none. What the machine lacks it is not asked for again; what
/// has failed is tried again.
pub(super) fn instance() -> Result<Arc<Instance>, Box<Rejected>> {
    static INSTANCE: Mutex<Option<Result<Arc<Instance>, Box<Rejected>>>> = Mutex::new(None);
    let mut known = INSTANCE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = &*known {
        return known.clone();
    }
    if debug::is_wanted() {
        exit::register();
    }
    let _inside = gate::enter();
    // SAFETY: the system's Vulkan loader is trusted to initialise soundly.
    let entry = unsafe { Entry::load() };
    let made = entry
        .map_err(|error| Rejected::lacking(VULKAN, vec![format!("a Vulkan loader ({error})")]))
        .and_then(|entry| Instance::new(entry).map(Arc::new));
    if !matches!(&made, Err(rejected) if rejected.may_recover()) {
        *known = Some(made.clone());
    }
    made
}

impl Instance {
    /// A new instance of a loader.
    pub(super) fn new(entry: Entry) -> Result<Self, Box<Rejected>> {
        let failed = |result| match result {
            vk::Result::ERROR_INCOMPATIBLE_DRIVER => {
                Rejected::lacking(VULKAN, vec!["a Vulkan driver".into()])
            }
            _ => Rejected::failed(VULKAN, convert::error("setting up Vulkan", result, VULKAN)),
        };
        // SAFETY: no arguments.
        let version = unsafe { entry.try_enumerate_instance_version() }
            .map_err(failed)?
            .unwrap_or(vk::API_VERSION_1_0);
        if version < vk::API_VERSION_1_2 {
            return Err(Rejected::lacking(VULKAN, vec!["Vulkan 1.2".into()]));
        }
        let version = version.min(vk::API_VERSION_1_3);

        // SAFETY: no arguments that could be wrong.
        let layers = unsafe { entry.enumerate_instance_layer_properties() }.map_err(failed)?;
        let has_layer = layers
            .iter()
            .any(|layer| layer.layer_name_as_c_str() == Ok(LAYER));
        let validates = debug::is_wanted() && has_layer;
        if debug::is_wanted() && !has_layer {
            eprintln!("amp: AMP_VALIDATION=1 but VK_LAYER_KHRONOS_validation is not installed");
        }

        // SAFETY: as above.
        let offered =
            unsafe { entry.enumerate_instance_extension_properties(None) }.map_err(failed)?;
        let offers = |name: &CStr| {
            offered
                .iter()
                .any(|extension| extension.extension_name_as_c_str() == Ok(name))
        };
        let mut extensions = Vec::new();
        let mut flags = vk::InstanceCreateFlags::empty();
        if offers(khr::portability_enumeration::NAME) {
            extensions.push(khr::portability_enumeration::NAME.as_ptr());
            flags |= vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
        }
        let names = validates || offers(ext::debug_utils::NAME);
        if names {
            extensions.push(ext::debug_utils::NAME.as_ptr());
        }
        let mut layers = Vec::new();
        if validates {
            layers.push(LAYER.as_ptr());
            extensions.push(ext::validation_features::NAME.as_ptr());
        }

        let application = vk::ApplicationInfo::default()
            .engine_name(c"amp")
            .api_version(version);
        let mut messenger_info = debug::messenger_info();
        let enabled = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
        let mut features =
            vk::ValidationFeaturesEXT::default().enabled_validation_features(&enabled);
        let mut info = vk::InstanceCreateInfo::default()
            .flags(flags)
            .application_info(&application)
            .enabled_layer_names(&layers)
            .enabled_extension_names(&extensions);
        if validates {
            info = info.push_next(&mut messenger_info).push_next(&mut features);
        }
        let alone = validates.then(gate::alone);
        // SAFETY: everything that `info` points to lives until the call is over, and the
        // layer and extensions in it are offered.
        let raw = unsafe { entry.create_instance(&info, None) }.map_err(failed)?;
        let listens = validates.then(|| listen(&entry, &raw)).transpose();
        let messenger = listens.map_err(|result| {
            // SAFETY: nothing was made with it.
            unsafe { raw.destroy_instance(None) };
            failed(result)
        })?;
        drop(alone);
        Ok(Self {
            functions: raw,
            version,
            validates,
            names,
            owner: Owner::Us {
                messenger,
                _entry: entry,
            },
        })
    }

    /// An instance of the program.
    ///
    /// # Safety
    ///
    /// It was made with `info`, all pointers of which are valid, and is alive until `keeper` is
    /// dropped.
    pub(super) unsafe fn existing(
        raw: &ash::Instance,
        info: &vk::InstanceCreateInfo<'_>,
        keeper: Option<Keeper>,
    ) -> Self {
        // SAFETY: by contract.
        let (application, layers, extensions) = unsafe {
            (
                info.p_application_info.as_ref(),
                strings(info.pp_enabled_layer_names, info.enabled_layer_count),
                strings(
                    info.pp_enabled_extension_names,
                    info.enabled_extension_count,
                ),
            )
        };
        // None stands for the first version.
        let version = application.map_or(0, |application| application.api_version);
        Self {
            functions: raw.clone(),
            version: version.clamp(vk::API_VERSION_1_0, vk::API_VERSION_1_3),
            validates: layers.contains(&LAYER),
            names: extensions.contains(&ext::debug_utils::NAME),
            owner: Owner::Program { _keeper: keeper },
        }
    }
}

impl Instance {
    /// Its functions.
    pub(super) fn raw(&self) -> Within<&ash::Instance> {
        gate::within(|| &self.functions)
    }

    /// Keeps other threads outside while a device of it comes or goes, if it is validated.
    pub(super) fn alone(&self) -> Option<gate::Alone> {
        self.validates.then(gate::alone)
    }

    /// Its functions, for others to call.
    pub(super) fn functions(&self) -> &ash::Instance {
        &self.functions
    }
}

/// Who listens to what the validation layer says.
type Messenger = (ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT);

/// Listens from now on, at an instance with the extension for it.
fn listen(entry: &Entry, raw: &ash::Instance) -> Result<Messenger, vk::Result> {
    let functions = ext::debug_utils::Instance::new(entry, raw);
    // SAFETY: the extension is enabled.
    let messenger =
        unsafe { functions.create_debug_utils_messenger(&debug::messenger_info(), None) };
    Ok((functions, messenger?))
}

impl Drop for Instance {
    fn drop(&mut self) {
        let alone = self.alone();
        let Owner::Us { messenger, .. } = &mut self.owner else {
            return;
        };
        // SAFETY: devices hold the instance, so none is left.
        unsafe {
            if let Some((functions, messenger)) = messenger.take() {
                functions.destroy_debug_utils_messenger(messenger, None);
            }
            self.functions.destroy_instance(None);
        }
        drop(alone);
    }
}
