//! The accelerators of the machine, found once, and which of them is the default.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::accelerator::Accelerator;
use crate::error::{Error, Result};
use crate::vulkan;

/// Name of the environment variable that overrides the default accelerator.
const VARIABLE: &str = "AMP_ACCELERATOR";

/// Default candidates first, the CPU accelerator last.
pub(crate) fn all() -> &'static [Accelerator] {
    static ALL: OnceLock<Vec<Accelerator>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut adapters = vulkan::adapters();
        adapters.sort_by_key(vulkan::Adapter::preference);
        let devices = adapters.into_iter().map(Accelerator::new_vulkan);
        devices.chain([cpu()]).collect()
    })
}

/// The CPU accelerator; asking for it does not load Vulkan.
pub(crate) fn cpu() -> Accelerator {
    static CPU: OnceLock<Accelerator> = OnceLock::new();
    CPU.get_or_init(Accelerator::new_cpu).clone()
}

/// What `set_default` or the first use decided.
static DEFAULT: Mutex<Option<Accelerator>> = Mutex::new(None);

pub(crate) fn default_accelerator() -> Result<Accelerator> {
    let default = DEFAULT.lock().unwrap_or_else(PoisonError::into_inner);
    match &*default {
        Some(accelerator) => Ok(accelerator.clone()),
        None => choose(),
    }
}

/// The default accelerator for an array or a launch; from then on it stays.
pub(crate) fn use_default() -> Result<Accelerator> {
    let mut default = DEFAULT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(accelerator) = &*default {
        return Ok(accelerator.clone());
    }
    Ok(default.insert(choose()?).clone())
}

pub(crate) fn set_default(accelerator: &Accelerator) -> bool {
    let mut default = DEFAULT.lock().unwrap_or_else(PoisonError::into_inner);
    if default.is_some() {
        return false;
    }
    *default = Some(accelerator.clone());
    true
}

fn choose() -> Result<Accelerator> {
    match std::env::var_os(VARIABLE) {
        Some(wanted) if !wanted.is_empty() => {
            let wanted = wanted.to_string_lossy();
            matching(&wanted).ok_or_else(|| missing(&wanted, " (from AMP_ACCELERATOR)"))
        }
        // The list is never empty.
        _ => Ok(all().first().cloned().unwrap_or_else(cpu)),
    }
}

/// The first accelerator of which `part` is part; `cpu` does not load Vulkan.
pub(crate) fn find(part: &str) -> Result<Accelerator> {
    matching(part).ok_or_else(|| missing(part, ""))
}

fn matching(part: &str) -> Option<Accelerator> {
    if part.eq_ignore_ascii_case("cpu") {
        return Some(cpu());
    }
    let names = all().iter().map(|a| (a.description(), a.device_path()));
    position(part, names).map(|index| all()[index].clone())
}

pub(crate) fn by_path(path: &str) -> Result<Accelerator> {
    all()
        .iter()
        .find(|accelerator| accelerator.device_path() == path)
        .cloned()
        .ok_or_else(|| missing(path, ""))
}

/// The first accelerator whose description or path contains what is wanted, in any case.
fn position<'a>(wanted: &str, names: impl Iterator<Item = (&'a str, &'a str)>) -> Option<usize> {
    let wanted = wanted.trim().to_lowercase();
    if wanted.is_empty() {
        return None;
    }
    let contains = |name: &str| name.to_lowercase().contains(&wanted);
    names
        .into_iter()
        .position(|(description, path)| contains(description) || contains(path))
}

fn missing(wanted: &str, origin: &str) -> Error {
    Error::NoSuchAccelerator {
        wanted: wanted.into(),
        origin: origin.into(),
        available: all().iter().map(Accelerator::label).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_matches_in_part_and_in_any_case() {
        let names = || [("NVIDIA H200", "vulkan:ab"), ("llvmpipe", "vulkan:cd")].into_iter();
        assert_eq!(position("nvidia", names()), Some(0));
        assert_eq!(position("LLVM", names()), Some(1));
        assert_eq!(position(":CD", names()), Some(1));
        assert_eq!(position("radeon", names()), None);
        assert_eq!(position(" ", names()), None);
    }

    #[test]
    fn an_unknown_path_lists_what_there_is() {
        let error = by_path("vulkan:nowhere").unwrap_err().to_string();
        assert!(
            error.contains("vulkan:nowhere") && error.contains("CPU accelerator [cpu]"),
            "{error}"
        );
    }
}
