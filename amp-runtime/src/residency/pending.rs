//! Launches that a replay has made, and has not queued yet.
//!
//! A replay queues its launches together, when the closure of its graph has returned. By then
//! the closure may have given back what it borrowed. So whoever is about to use data first
//! has the launches queued that use the same data: these come first in the program's order. The
//! rules of borrowing ensure that no such launch is made in the meantime. Whoever waits for
//! all that a stream has been given has the launches queued that belong there.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Directory;
use crate::device::vulkan::Stream;

/// Launches that are not queued yet.
pub(crate) trait Pending: Send + Sync {
    /// Queues them if one of them writes the data of a directory or, for those who `write` the
    /// data, reads it.
    fn queue_users(&self, directory: &Directory, write: bool);

    /// Queues them if they run on this stream.
    fn queue_on(&self, stream: &Arc<Stream>);
}

/// Keeps the launches of a replay known.
pub(crate) struct Announced(Arc<dyn Pending>);

/// How many there are, so that others need no lock if there is nothing.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static ALL: Mutex<Vec<Arc<dyn Pending>>> = Mutex::new(Vec::new());

fn all() -> MutexGuard<'static, Vec<Arc<dyn Pending>>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets those who use data see these launches.
pub(crate) fn announce(pending: Arc<dyn Pending>) -> Announced {
    all().push(Arc::clone(&pending));
    COUNT.fetch_add(1, Ordering::Release);
    Announced(pending)
}

/// Queues the launches that use the data of a directory, for a caller that uses it next, and may
/// `write` it. The launches of `own`, which are announced, come before in any case.
pub(super) fn queue_users(directory: &Directory, write: bool, own: Option<&dyn Pending>) {
    for other in others(own) {
        other.queue_users(directory, write);
    }
}

/// Queues the launches that run on a stream, for a caller that means all launches there.
pub(crate) fn queue_on(stream: &Arc<Stream>) {
    for pending in others(None) {
        pending.queue_on(stream);
    }
}

/// All but `own`, which is announced.
fn others(own: Option<&dyn Pending>) -> Vec<Arc<dyn Pending>> {
    if COUNT.load(Ordering::Acquire) == usize::from(own.is_some()) {
        return Vec::new();
    }
    let all = all();
    let others = all
        .iter()
        .filter(|it| !own.is_some_and(|own| is_same(own, it)));
    others.cloned().collect()
}

fn is_same(one: &dyn Pending, other: &Arc<dyn Pending>) -> bool {
    std::ptr::addr_eq(one, Arc::as_ptr(other))
}

impl Drop for Announced {
    fn drop(&mut self) {
        all().retain(|other| !is_same(&*self.0, other));
        COUNT.fetch_sub(1, Ordering::Release);
    }
}
