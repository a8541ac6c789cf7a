//! Where errors go that no call can return any more.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::{DataId, Faults};
use crate::types::error::{Error, KernelFault};

type Hook = Arc<dyn Fn(&Error) + Send + Sync>;

static HOOK: Mutex<Option<Hook>> = Mutex::new(None);

/// Passes errors that no call can return any more to `hook`, instead of printing them on
/// standard error.
///
/// Launches do not wait for their kernels, so a fault is returned by a call that waits:
/// [`synchronize`](crate::ArrayViewMut::synchronize), `to_vec`, [`copy`](crate::copy()) to a
/// slice, [`AcceleratorView::wait`](crate::AcceleratorView::wait). If the last view or array that
/// could return it is dropped, or its accelerator view is, or the process ends, the fault is an
/// unreported error, and so is any error of a view that cannot bring its data back when it is
/// dropped. Each is shown once, and not by a thread that is panicking. A fault that has been
/// shown is still returned by the next wait for its accelerator view; each view keeps 1024.
///
/// The hook runs in the thread that drops the view or array, which may hold locks. If the hook
/// panics, the panic propagates in that thread, so that a test can turn any unreported error
/// into a failure.
///
/// ```
/// use amp_runtime::{reset_unreported_hook, set_unreported_hook};
///
/// set_unreported_hook(|error| panic!("{error}"));
/// reset_unreported_hook();
/// ```
pub fn set_unreported_hook(hook: impl Fn(&Error) + Send + Sync + 'static) {
    replace(Some(Arc::new(hook)));
}

/// Restores the printing of unreported errors on standard error.
pub fn reset_unreported_hook() {
    replace(None);
}

fn replace(hook: Option<Hook>) {
    let old = {
        let mut known = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *known, hook)
    };
    // Without the lock: what it has captured may set another one.
    drop(old);
}

/// Shows an error that no call returns. No lock may be held that a hook could want.
pub(crate) fn show(error: &Error) {
    tracing::error!(%error, "an error was not reported");
    if thread::panicking() {
        return;
    }
    let hook = HOOK.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match hook {
        Some(hook) => hook(error),
        None => eprintln!("amp: unreported error: {error}"),
    }
}

fn show_each(mut next: impl FnMut() -> Option<KernelFault>) {
    // A fault that is not shown now is shown later.
    while !thread::panicking()
        && let Some(fault) = next()
    {
        show(&Error::KernelFault(Box::new(fault)));
    }
}

/// Shows all faults of a view that have not been shown.
pub(crate) fn show_all(faults: &Faults) {
    show_each(|| faults.lock().first_to_show());
}

/// Shows the faults that no call can return any more: those of kernels that may have written
/// these data, or of all kernels if no data is given.
pub(crate) fn show_abandoned(faults: &Faults, data: Option<&DataId>) {
    show_each(|| faults.lock().first_abandoned(data));
}
