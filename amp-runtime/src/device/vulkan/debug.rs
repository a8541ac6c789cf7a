//! Validation messages (`AMP_VALIDATION=1`), and the names of objects and commands.

use std::ffi::{CStr, CString, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

use ash::{ext, vk};

use super::gate;

/// Warnings and errors received so far.
static MESSAGES: AtomicU64 = AtomicU64::new(0);

/// How many warnings and errors the validation layer has sent.
pub(crate) fn validation_messages() -> u64 {
    MESSAGES.load(Ordering::Relaxed)
}

/// Whether the environment asks for validation.
pub(super) fn is_wanted() -> bool {
    std::env::var_os("AMP_VALIDATION").is_some_and(|value| value == "1")
}

/// Whether the environment asks for names of objects and commands.
pub(super) fn labels_are_wanted() -> bool {
    std::env::var_os("AMP_DEBUG_LABELS").is_some_and(|value| value == "1")
}

/// What to be told: warnings and errors of the layer.
pub(super) fn messenger_info() -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    use vk::DebugUtilsMessageSeverityFlagsEXT as Severity;
    use vk::DebugUtilsMessageTypeFlagsEXT as Kind;
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(Severity::WARNING | Severity::ERROR)
        .message_type(Kind::VALIDATION | Kind::PERFORMANCE)
        .pfn_user_callback(Some(receive))
}

/// Counts a message and shows it.
unsafe extern "system" fn receive(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    MESSAGES.fetch_add(1, Ordering::Relaxed);
    // SAFETY: the layer passes a valid structure whose message is a C string.
    let text = unsafe {
        match data.as_ref() {
            Some(data) if !data.p_message.is_null() => {
                CStr::from_ptr(data.p_message).to_string_lossy()
            }
            _ => "(no text)".into(),
        }
    };
    eprintln!("amp: Vulkan validation: {text}");
    if severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR) {
        tracing::error!(target: "amp::validation", "{text}");
    } else {
        tracing::warn!(target: "amp::validation", "{text}");
    }
    vk::FALSE
}

/// Gives objects and commands of a device names that validation messages and debuggers
/// show.
pub(super) struct Names(Option<ext::debug_utils::Device>);

impl Names {
    pub(super) fn new(functions: Option<ext::debug_utils::Device>) -> Self {
        Self(functions)
    }

    /// Names the commands from here to [`end`](Self::end), if names are shown. The
    /// command buffer is one that is being recorded, by this thread alone.
    pub(super) fn begin(&self, commands: vk::CommandBuffer, name: &str) {
        let Some(functions) = &self.0 else { return };
        let name = CString::new(name).unwrap_or_default();
        let label = vk::DebugUtilsLabelEXT::default().label_name(&name);
        let _inside = gate::enter();
        // SAFETY: the command buffer is being recorded, by this thread alone.
        unsafe { functions.cmd_begin_debug_utils_label(commands, &label) };
    }

    /// Ends what [`begin`](Self::begin) began.
    pub(super) fn end(&self, commands: vk::CommandBuffer) {
        let Some(functions) = &self.0 else { return };
        let _inside = gate::enter();
        // SAFETY: as in `begin`, which was called.
        unsafe { functions.cmd_end_debug_utils_label(commands) };
    }

    /// Names an object, if names are shown.
    pub(super) fn set<T: vk::Handle>(&self, object: T, name: impl FnOnce() -> String) {
        let Some(functions) = &self.0 else { return };
        let Ok(name) = CString::new(name()) else {
            return;
        };
        let info = vk::DebugUtilsObjectNameInfoEXT::default()
            .object_handle(object)
            .object_name(&name);
        let _inside = gate::enter();
        // SAFETY: the object is alive and of this device; nothing else names it at the
        // same time because its maker has not handed it out yet.
        // A name that cannot be set changes nothing that matters.
        let _ = unsafe { functions.set_debug_utils_object_name(&info) };
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::c_char;
    use std::mem::transmute;
    use std::sync::{Arc, Mutex};

    use amp_spirv::artifact::FloatFaults;

    use super::super::search::discrete_adapters;
    use super::*;

    /// What the functions were called with.
    static CALLS: Mutex<Vec<String>> = Mutex::new(Vec::new());

    unsafe extern "system" fn begin(
        _: vk::CommandBuffer,
        label: *const vk::DebugUtilsLabelEXT<'_>,
    ) {
        // SAFETY: `Names::begin` passes a label with a name.
        let name = unsafe { CStr::from_ptr((*label).p_label_name) };
        CALLS.lock().unwrap().push(name.to_str().unwrap().into());
    }

    unsafe extern "system" fn end(_: vk::CommandBuffer) {
        CALLS.lock().unwrap().push("end".into());
    }

    unsafe extern "system" fn set_name(
        _: vk::Device,
        info: *const vk::DebugUtilsObjectNameInfoEXT<'_>,
    ) -> vk::Result {
        // SAFETY: `Names::set` passes an object with a name.
        let name = unsafe { CStr::from_ptr((*info).p_object_name) };
        let name = name.to_str().unwrap();
        // Buffers have sizes in their names.
        if !name.contains("bytes") {
            CALLS.lock().unwrap().push(name.into());
        }
        vk::Result::SUCCESS
    }

    /// Finds the functions above.
    unsafe extern "system" fn find(_: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
        // SAFETY: ash asks with a C string; the caller of what is found knows its type.
        unsafe {
            match CStr::from_ptr(name).to_bytes() {
                b"vkCmdBeginDebugUtilsLabelEXT" => Some(transmute::<
                    vk::PFN_vkCmdBeginDebugUtilsLabelEXT,
                    unsafe extern "system" fn(),
                >(begin)),
                b"vkCmdEndDebugUtilsLabelEXT" => Some(transmute::<
                    vk::PFN_vkCmdEndDebugUtilsLabelEXT,
                    unsafe extern "system" fn(),
                >(end)),
                b"vkSetDebugUtilsObjectNameEXT" => Some(transmute::<
                    vk::PFN_vkSetDebugUtilsObjectNameEXT,
                    unsafe extern "system" fn(),
                >(set_name)),
                _ => None,
            }
        }
    }

    #[test]
    fn commands_and_pipelines_are_named() {
        let functions = |name: &CStr| match name.to_bytes() {
            b"vkGetDeviceProcAddr" => find as *const c_void,
            _ => std::ptr::null(),
        };
        for adapter in discrete_adapters() {
            let device = adapter.open().unwrap();
            let mut device = Arc::into_inner(device).expect("nothing else has it open");
            // SAFETY: of the instance only what `functions` finds is called.
            let instance = unsafe { ash::Instance::load_with(functions, vk::Instance::null()) };
            device.names = Names::new(Some(ext::debug_utils::Device::new(
                &instance,
                device.functions(),
            )));
            // It sends operands to a kernel and fetches what that makes of them.
            let device = Arc::new(device);
            device.float_faults(FloatFaults::ARITHMETIC).unwrap();
            let calls = std::mem::take(&mut *CALLS.lock().unwrap());
            let expected = [
                "probe [256, 1, 1]",
                "upload",
                "end",
                "probe",
                "end",
                "download",
                "end",
            ];
            assert_eq!(calls, expected);
        }
    }
}
