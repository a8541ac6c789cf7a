//! Launches that a replay has made, and has not queued yet.
//!
//! A replay queues its launches together, when the closure of its graph has returned. By then
//! the closure may have given back what it borrowed. So a caller that is about to use data first
//! has the launches queued that use the same data: these come first in the program's order. The
//! rules of borrowing ensure that no such launch is made in the meantime. A caller that waits for
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

/// Keeps the launches of a replay known. When it is dropped, no other thread holds them any more.
pub(crate) struct Announced(Arc<Announcement>);

/// What threads share while launches are known.
struct Announcement(Arc<dyn Pending>);

/// How many there are, so that others need no lock if there is nothing.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static ALL: Mutex<Vec<Arc<Announcement>>> = Mutex::new(Vec::new());

fn all() -> MutexGuard<'static, Vec<Arc<Announcement>>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets those who use data see these launches.
pub(crate) fn announce(pending: Arc<dyn Pending>) -> Announced {
    let announcement = Arc::new(Announcement(pending));
    all().push(Arc::clone(&announcement));
    COUNT.fetch_add(1, Ordering::Release);
    Announced(announcement)
}

/// Queues the launches that use the data of a directory, for a caller that uses it next, and may
/// `write` it. The launches of `own`, which are announced, come before in any case.
pub(super) fn queue_users(directory: &Directory, write: bool, own: Option<&dyn Pending>) {
    for other in others(own) {
        other.0.queue_users(directory, write);
    }
}

/// Queues the launches that run on a stream, for a caller that means all launches there.
pub(crate) fn queue_on(stream: &Arc<Stream>) {
    for other in others(None) {
        other.0.queue_on(stream);
    }
}

/// All but `own`, which is announced.
fn others(own: Option<&dyn Pending>) -> Vec<Arc<Announcement>> {
    if COUNT.load(Ordering::Acquire) == usize::from(own.is_some()) {
        return Vec::new();
    }
    let is_own =
        |it: &Announcement| own.is_some_and(|own| std::ptr::addr_eq(own, &raw const *it.0));
    let all = all();
    all.iter().filter(|it| !is_own(it)).cloned().collect()
}

impl Drop for Announced {
    fn drop(&mut self) {
        all().retain(|other| !Arc::ptr_eq(other, &self.0));
        COUNT.fetch_sub(1, Ordering::Release);
        // Another thread may be looking at them at this moment. It only queues launches, so the
        // wait is short, and the graph's owner stays the last to hold its memory and its stream.
        while Arc::strong_count(&self.0) > 1 {
            std::thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;

    struct Nothing;

    impl Pending for Nothing {
        fn queue_users(&self, _: &Directory, _: bool) {}
        fn queue_on(&self, _: &Arc<Stream>) {}
    }

    /// A thread that looked at the launches of all graphs was the last to hold those of a graph
    /// that had been dropped.
    #[test]
    fn no_thread_holds_launches_after_their_call() {
        let announced = announce(Arc::new(Nothing));
        let held = others(None);
        let is_released = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                is_released.store(true, Ordering::Relaxed);
                drop(held);
            });
            drop(announced);
            assert!(is_released.load(Ordering::Relaxed));
        });
    }
}
