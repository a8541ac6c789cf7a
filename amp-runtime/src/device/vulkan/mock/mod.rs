//! A mock of the functions of the loader, of instances and of devices, for tests: it passes
//! calls on to the driver, counts them, makes one of them fail that was asked for, and knows
//! which objects are alive. Devices can be made to lack something.
//!
//! One [`Session`] at a time has it. Devices of a [`doubled_adapter`] go through it.
//!
//! [`doubled_adapter`]: super::search::doubled_adapter

mod call;
mod copies;
mod ends;
mod existing;
mod export;
mod found;
mod loader;
mod pipelines;
mod queuing;
mod scenario;
mod shortage;
mod tell;
mod tests;
mod unreported;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ash::vk;

pub(super) use loader::search;

/// A call that is to fail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    /// The name of the function, as in `ash`.
    pub(super) function: &'static str,
    /// The first call that fails, from 0.
    pub(super) call: usize,
    /// Whether all later ones fail too.
    pub(super) lasts: bool,
    /// What it returns.
    pub(super) result: vk::Result,
}

/// What the mock knows.
#[derive(Default)]
struct State {
    fault: Option<Fault>,
    /// Whether the fault has come about.
    has_failed: bool,
    /// The device that was opened last, if it is not closed.
    device: vk::Device,
    /// Whether that one is lost.
    is_lost: bool,
    /// Calls of each function since they were last counted.
    calls: BTreeMap<&'static str, usize>,
    /// What devices have not, by the names that are told.
    lacking: BTreeSet<&'static str>,
    /// What caches of pipelines were made with.
    caches: BTreeMap<u64, Vec<u8>>,
    /// The caches that pipelines were made with.
    used: Vec<u64>,
    /// Calls of `queue_submit` so far, and those under way.
    submissions: usize,
    submitting: usize,
    /// Pipelines that are alive and were made while a batch was sent.
    made_while_sending: BTreeSet<u64>,
    /// Objects that are alive, each with the function that made it.
    alive: BTreeSet<(&'static str, u64)>,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn state<R>(f: impl FnOnce(&mut State) -> R) -> R {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    f(state.get_or_insert_default())
}

/// The right to the mock.
pub(super) struct Session(#[expect(dead_code, reason = "held")] MutexGuard<'static, ()>);

impl Session {
    /// Waits until the mock is free.
    pub(super) fn new() -> Self {
        static ONE: Mutex<()> = Mutex::new(());
        let guard = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        state(|state| *state = State::default());
        Self(guard)
    }

    /// Lets a call fail, counting from now.
    pub(super) fn expect(&self, fault: Fault) {
        state(|state| {
            state.fault = Some(fault);
            state.has_failed = false;
            state.calls.clear();
        });
    }

    /// Lets no more calls fail; a lost device stays lost. Returns whether one has failed.
    pub(super) fn relent(&self) -> bool {
        state(|state| {
            state.fault = None;
            state.has_failed
        })
    }

    /// From now on devices are found to lack something.
    pub(super) fn lack(&self, what: &'static str) {
        state(|state| state.lacking.insert(what));
    }

    /// How often each function was called since the last time.
    pub(super) fn calls(&self) -> BTreeMap<&'static str, usize> {
        state(|state| std::mem::take(&mut state.calls))
    }

    /// What the cache was made with that each pipeline since the last time was made with.
    pub(super) fn caches_used(&self) -> Vec<Vec<u8>> {
        state(|state| {
            let used = std::mem::take(&mut state.used);
            used.iter()
                .map(|cache| state.caches[cache].clone())
                .collect()
        })
    }

    /// How many pipelines are alive that were made while a batch was sent.
    pub(super) fn made_while_sending(&self) -> usize {
        state(|state| state.made_while_sending.len())
    }

    /// The objects that are alive, by the functions that made them.
    pub(super) fn alive(&self) -> Vec<&'static str> {
        state(|state| state.alive.iter().map(|(maker, _)| *maker).collect())
    }
}

/// The functions that a lost device refuses.
const TELLING: [&str; 6] = [
    "queue_submit",
    "queue_wait_idle",
    "device_wait_idle",
    "wait_semaphores",
    "get_semaphore_counter_value",
    "get_query_pool_results",
];

/// What a call is to return in place of its result, if it is to fail.
fn refusal(function: &'static str) -> Option<vk::Result> {
    let (result, device) = state(|state| {
        let call = state.calls.entry(function).or_default();
        let number = *call;
        *call += 1;
        let fault = state.fault.filter(|fault| fault.function == function);
        let fault = fault.filter(|fault| match fault.lasts {
            true => number >= fault.call,
            false => number == fault.call,
        });
        state.has_failed |= fault.is_some();
        let is_lost = fault.is_some_and(|fault| fault.result == vk::Result::ERROR_DEVICE_LOST);
        state.is_lost |= is_lost;
        let refused = state.is_lost && TELLING.contains(&function);
        let lost = refused.then_some(vk::Result::ERROR_DEVICE_LOST);
        let device = (is_lost && state.device != vk::Device::null()).then_some(state.device);
        (fault.map(|fault| fault.result).or(lost), device)
    });
    if let Some(device) = device {
        // A device that is lost does nothing any more.
        call::settle(device);
    }
    result
}

/// Whether devices are to lack something.
fn lacks(what: &str) -> bool {
    state(|state| state.lacking.contains(what))
}

/// Notes that a device is closed.
fn closed(device: vk::Device) {
    state(|state| {
        if state.device == device {
            state.device = vk::Device::null();
        }
    });
}

fn made(maker: &'static str, object: u64) {
    let is_new = state(|state| state.alive.insert((maker, object)));
    assert!(is_new, "{maker} made the same object twice");
}

fn gone(maker: &'static str, object: u64) {
    let was_there = object == 0
        || state(|state| {
            if maker == "create_compute_pipelines" {
                state.made_while_sending.remove(&object);
            }
            state.alive.remove(&(maker, object))
        });
    assert!(
        was_there,
        "what {maker} made was destroyed twice, or never made"
    );
}

/// The device, with the mock in front of it.
pub(super) fn in_front_of(device: ash::Device) -> ash::Device {
    let raw = device.handle();
    state(|state| {
        state.device = raw;
        state.is_lost = false;
    });
    call::replace(device)
}
