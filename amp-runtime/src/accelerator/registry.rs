//! The accelerators of the machine, found once, and which of them is the default.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::device::accelerator::{Accelerator, Device};
use crate::device::vulkan;
use crate::types::error::{Error, Result};
use crate::types::properties::AcceleratorKind;
use crate::types::rejected::Rejected;

/// Name of the environment variable that overrides the default accelerator.
const VARIABLE: &str = "AMP_ACCELERATOR";

/// Name of the environment variable that has the CPU accelerator run in checked mode, and be the default.
const CHECKED: &str = "AMP_CHECK";

/// What was found on the machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// The fastest kinds of devices first, the CPU accelerator last.
    pub(crate) accelerators: Vec<Accelerator>,
    pub(crate) rejected: Vec<Rejected>,
}

/// What was found last, and whether that is for good: what has failed is tried again.
#[derive(Debug)]
pub(crate) struct Registry(Mutex<(Found, bool)>);

impl Registry {
    pub(crate) const fn new() -> Self {
        let nothing = Found {
            accelerators: Vec::new(),
            rejected: Vec::new(),
        };
        Self(Mutex::new((nothing, false)))
    }

    /// What there is: what was found, or is found now by a search.
    pub(crate) fn look(&self, search: impl FnOnce() -> vulkan::Found) -> Found {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (found, is_final) = &mut *known;
        if !*is_final {
            let vulkan::Found {
                mut adapters,
                rejected,
            } = search();
            adapters.sort_by_key(vulkan::Adapter::preference);
            // An accelerator that is known stays the same one.
            let known = std::mem::take(&mut found.accelerators);
            let the_same = |adapter: vulkan::Adapter| {
                let mut known = known.iter();
                let same = known.find(|it| it.device_path() == adapter.path());
                same.cloned()
                    .unwrap_or_else(|| Accelerator::new_vulkan(adapter))
            };
            let devices = adapters.into_iter().map(the_same);
            let mut all: Vec<_> = devices.collect();
            // One that could not be found again is there still.
            let gone = known.iter().filter(|it| it.adapter().is_some());
            let gone: Vec<_> = gone.filter(|it| !all.contains(it)).cloned().collect();
            all.extend(gone);
            all.push(cpu());
            found.accelerators = all;
            *is_final = !rejected.iter().any(Rejected::may_recover);
            found.rejected = rejected;
        }
        found.clone()
    }
}

/// What there is on the machine.
pub(crate) fn found() -> Found {
    static FOUND: Registry = Registry::new();
    FOUND.look(vulkan::search)
}

/// The fastest kinds of devices first, the CPU accelerator last.
pub(crate) fn all() -> Vec<Accelerator> {
    found().accelerators
}

/// The CPU accelerator; asking for it does not load Vulkan.
pub(crate) fn cpu() -> Accelerator {
    static CPU: OnceLock<Accelerator> = OnceLock::new();
    CPU.get_or_init(|| Accelerator::of(Device::Cpu)).clone()
}

/// The CPU accelerator in checked mode.
fn checked_cpu() -> Accelerator {
    static CPU: OnceLock<Accelerator> = OnceLock::new();
    CPU.get_or_init(|| Accelerator::of(Device::CheckedCpu))
        .clone()
}

/// Whether the environment asks for checked mode.
fn asks_for_checks() -> bool {
    static ASKS: OnceLock<bool> = OnceLock::new();
    *ASKS.get_or_init(|| std::env::var_os(CHECKED).is_some_and(|value| value == "1"))
}

/// Whether launches on an accelerator run in checked mode.
pub(crate) fn is_checked(accelerator: &Accelerator) -> bool {
    match accelerator.inner.device {
        Device::Cpu => asks_for_checks(),
        Device::CheckedCpu => true,
        Device::Vulkan(_) => false,
    }
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

/// Whether an accelerator is known to be the default one.
pub(crate) fn is_default(accelerator: &Accelerator) -> bool {
    let default = DEFAULT.lock().unwrap_or_else(PoisonError::into_inner);
    default.as_ref() == Some(accelerator)
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
        _ if asks_for_checks() => Ok(cpu()),
        _ => Ok(best()),
    }
}

/// The first device that is one; else the CPU accelerator, which is faster than a device in software and starts
/// at once.
fn best() -> Accelerator {
    let is_software = |it: &Accelerator| it.properties().kind == AcceleratorKind::Software;
    all()
        .into_iter()
        .find(|it| !is_software(it))
        .unwrap_or_else(cpu)
}

/// The first accelerator of which `part` is part; `cpu` does not load Vulkan.
pub(crate) fn find(part: &str) -> Result<Accelerator> {
    matching(part).ok_or_else(|| missing(part, ""))
}

fn matching(part: &str) -> Option<Accelerator> {
    for always in [cpu(), checked_cpu()] {
        if part.eq_ignore_ascii_case(always.device_path()) {
            return Some(always);
        }
    }
    let all = all();
    let names = |of: &Accelerator| [of.description(), of.device_path()].map(str::to_owned);
    // By its driver only what no description or path names: one driver may be that of several devices.
    position(part, all.iter().map(names))
        .or_else(|| position(part, all.iter().map(|of| [of.properties().driver])))
        .map(|index| all[index].clone())
}

pub(crate) fn by_path(path: &str) -> Result<Accelerator> {
    all()
        .into_iter()
        .chain([checked_cpu()])
        .find(|accelerator| accelerator.device_path() == path)
        .ok_or_else(|| missing(path, ""))
}

/// The first accelerator one of whose names contains what is wanted, in any case.
fn position<const N: usize>(
    wanted: &str,
    mut names: impl Iterator<Item = [String; N]>,
) -> Option<usize> {
    let wanted = wanted.trim().to_lowercase();
    if wanted.is_empty() {
        return None;
    }
    let contains = |name: &str| name.to_lowercase().contains(&wanted);
    names.position(|names| names.iter().any(|name| contains(name)))
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
        let names = [["NVIDIA H200", "vulkan:ab"], ["llvmpipe", "vulkan:cd"]];
        let names = || names.iter().map(|names| names.map(String::from));
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
