//! What has to be over before the process ends.
//!
//! First views show what no call has reported ([`at_exit`]).
//!
//! lavapipe compiles a kernel on a thread of its own, when it first runs there. `exit` takes
//! LLVM down without regard to that: a process that ends with a launch under way may crash, and so
//! may one whose end sends a launch. So the end of the process waits for what is under way on
//! lavapipe, for a while, and nothing is sent from then on. Before that, all other threads leave
//! the driver and the validation layer, and stay outside ([`gate`]). Other drivers need no such
//! thing.
//!
//! All this comes before the end of LLVM, part of which is registered only when LLVM compiles for
//! the first time: so that happens before ours is registered last ([`note`]), with a kernel that
//! cannot be in Mesa's cache of compiled kernels. While it happens, only threads with a
//! [`sentry`](super::sentry) may call `exit`.

use std::collections::BTreeSet;
use std::ffi::c_int;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use ash::vk;

use super::device::Device;
use super::gate;

/// How long the end of the process waits at most.
const MOST: Duration = Duration::from_secs(2);

static OPEN: Mutex<Vec<Weak<Device>>> = Mutex::new(Vec::new());
static FIRST: OnceLock<fn(Instant)> = OnceLock::new();

unsafe extern "C" {
    fn atexit(handler: extern "C" fn()) -> c_int;
}

/// Lets the end of the process begin with `first`, which is told when it has to be over.
pub(crate) fn at_exit(first: fn(Instant)) {
    static REGISTERED: Once = Once::new();
    FIRST.get_or_init(|| first);
    REGISTERED.call_once(register);
}

/// A device is about to be opened: from now on our end of the process comes before what the
/// drivers have registered so far.
pub(super) fn expect() {
    static EXPECTED: Once = Once::new();
    EXPECTED.call_once(register);
}

/// A device is open: from now on our end of the process comes before that of its driver, and
/// waits for lavapipe.
pub(super) fn note(device: &Arc<Device>) {
    static NOTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let facts = &device.facts;
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    // Opened again, a device has its driver register nothing more.
    if noted.insert(facts.name.clone()) {
        register();
        if facts.is_lavapipe {
            // LLVM registers handlers when it first compiles, which destroy what every later
            // compilation uses.
            if let Err(error) = Device::rehearse(facts) {
                tracing::info!(%error, "could not rehearse the device's compiler");
            }
            register();
        }
    }
    drop(noted);
    if !facts.is_lavapipe {
        return;
    }
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|device| device.strong_count() > 0);
    open.push(Arc::downgrade(device));
}

/// From now on our end of the process comes before whatever has been registered so far: the
/// handler that was registered last runs first.
pub(super) fn register() {
    // SAFETY: the handler may be called at any time. If there is no room for it, the process
    // ends as it would without.
    unsafe { atexit(end) };
}

/// Our end of the process.
pub(super) extern "C" fn end() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if DONE.swap(true, Ordering::Relaxed) {
        return;
    }
    let deadline = Instant::now() + MOST;
    if let Some(first) = FIRST.get() {
        // A hook that panics has said so.
        let _ = catch_unwind(|| first(deadline));
    }
    gate::close(deadline);
    settle(deadline);
}

fn settle(deadline: Instant) {
    let Ok(open) = OPEN.try_lock() else { return };
    for device in open.iter().filter_map(Weak::upgrade) {
        device.settle(deadline);
        // The process ends; nothing is closed by its last handlers.
        std::mem::forget(device);
    }
}

impl Device {
    /// Waits until its queues have nothing to do, and keeps them locked.
    fn settle(&self, deadline: Instant) {
        for queue in self.all_queues() {
            let queue = loop {
                match queue.try_lock() {
                    Ok(queue) => break queue,
                    Err(_) if Instant::now() >= deadline => return,
                    Err(_) => std::thread::sleep(Duration::from_millis(1)),
                }
            };
            let left = deadline.saturating_duration_since(Instant::now());
            // SAFETY: the device is open, and the queue locked. The fence is not destroyed: it
            // may be in use still.
            unsafe {
                let fence = self
                    .raw()
                    .create_fence(&vk::FenceCreateInfo::default(), None);
                if let Ok(fence) = fence
                    && self.raw().queue_submit(*queue, &[], fence).is_ok()
                {
                    let _ = self
                        .raw()
                        .wait_for_fences(&[fence], true, left.as_nanos() as u64);
                }
            }
            // It stays locked.
            std::mem::forget(queue);
        }
    }
}
