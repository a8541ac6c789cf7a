//! What has to be over before the process ends.
//!
//! First views show what no call has reported ([`at_exit`]).
//!
//! lavapipe compiles a kernel on a thread of its own, when it first runs there. `exit` takes
//! LLVM down without regard to that: a process that ends with a launch under way may crash, and so
//! may one whose end sends a launch. So the end of the process waits for what is under way on
//! lavapipe, for a while, and nothing is sent from then on. Before that, with any driver, all other
//! threads leave the driver and the validation layer, and stay outside ([`gate`]): NVIDIA's crashes
//! if one destroys something while the process ends.
//!
//! All this comes before the end of LLVM, part of which is registered only when LLVM compiles for
//! the first time: so that happens before ours is registered last ([`note`]), with a kernel that
//! cannot be in Mesa's cache of compiled kernels. While it happens, only threads with a
//! [`sentry`] may call `exit`.

use std::collections::BTreeSet;
use std::ffi::c_int;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::{gate, sentry};

/// How long the end of the process waits at most.
const MOST: Duration = Duration::from_secs(2);

static OPEN: Mutex<Vec<Weak<dyn Settle>>> = Mutex::new(Vec::new());
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

/// A device is about to be opened, or used if the program has opened it: from now on our end of
/// the process comes before what the drivers have registered so far.
pub(super) fn expect() {
    static EXPECTED: Once = Once::new();
    EXPECTED.call_once(register);
}

/// What the end of the process waits for.
pub(super) trait Settle: Send + Sync {
    /// Waits until it has nothing to do, not longer than until a deadline, and keeps it from
    /// getting anything to do.
    fn settle(&self, deadline: Instant);
}

/// A device of this name is open: from now on our end of the process comes before that of its
/// driver, also before that of what the driver registers when it first compiles, which
/// `rehearse` has it do.
pub(super) fn note(name: &str, rehearse: Option<impl FnOnce()>) {
    static NOTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut noted = NOTED.lock().unwrap_or_else(PoisonError::into_inner);
    // Opened again, a device has its driver register nothing more.
    if noted.insert(name.into()) {
        register();
        if let Some(rehearse) = rehearse {
            rehearse();
            register();
        }
    }
}

/// From now on the end of the process waits for this.
pub(super) fn settle_first(device: Weak<dyn Settle>) {
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    open.retain(|device| device.strong_count() > 0);
    open.push(device);
}

/// From now on our end of the process comes before whatever has been registered so far: the
/// handler that was registered last runs first. Threads that have been inside the gate begin it too.
pub(super) fn register() {
    sentry::begin_with(end);
    // SAFETY: the handler may be called at any time. If there is no room for it, the process
    // ends as it would without.
    unsafe { atexit(end) };
}

/// Our end of the process.
extern "C" fn end() {
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
