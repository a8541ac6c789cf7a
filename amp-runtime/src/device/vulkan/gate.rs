//! The gate before Vulkan, which the end of the process closes.
//!
//! Drivers and the validation layer destroy at the end of the process what their functions use,
//! while other threads of the program go on. So the end closes the gate first: threads that are
//! inside come out, and those that want in stay outside for ever.
//!
//! The validation layer also has tables without a lock: of its instances and devices, in which every
//! call looks, and of the labels in command buffers, which each recorded label changes. So a thread that
//! creates or destroys an instance or a device, or destroys a command pool, is [`alone`]. Threads that
//! wait for a device come out from time to time, so that no other thread waits for them.

use std::cell::Cell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::sentry;

static CLOSED: AtomicBool = AtomicBool::new(false);
/// The threads inside. Each is counted in one of these places, so that threads which come and go do
/// not wait for one another's caches.
static THREADS: [Count; 16] = [const { Count(AtomicUsize::new(0)) }; 16];
/// Whether a thread is alone inside, or waits for the others to come out.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// How long a thread waits for those inside before it goes on as if it were alone. Who stays longer
/// waits for a lock that this thread holds.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest wait for a device, after which a thread has to come out.
pub(super) const SLICE: Duration = Duration::from_millis(2);
/// Time between two looks at who is inside.
const NAP: Duration = Duration::from_micros(50);

/// A number in a line of the cache for itself.
#[repr(align(128))]
struct Count(AtomicUsize);

thread_local! {
    /// How often this thread has entered and not left.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Where this thread is counted.
    static COUNT: Cell<Option<&'static AtomicUsize>> = const { Cell::new(None) };
}

/// Where this thread is counted.
fn count() -> &'static AtomicUsize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let new = || {
        let count = &THREADS[NEXT.fetch_add(1, Ordering::Relaxed) % THREADS.len()].0;
        COUNT.set(Some(count));
        // It is the first time.
        sentry::post();
        count
    };
    COUNT.get().unwrap_or_else(new)
}

/// How many threads are inside. While the gate is closed or taken it only falls, but for threads
/// that turn back.
fn threads() -> usize {
    let counts = THREADS.iter().map(|count| count.0.load(Ordering::SeqCst));
    counts.sum()
}

/// The right of this thread to call Vulkan, until it is dropped.
pub(super) struct Inside {
    _of_this_thread: PhantomData<*const ()>,
}

/// Lets this thread in, or parks it for ever if the gate is closed. A thread that is inside already
/// is always let in. Locks that the end of the process needs are taken inside.
pub(super) fn enter() -> Inside {
    let depth = DEPTH.replace(DEPTH.get() + 1);
    if depth == 0 {
        let count = count();
        // In this order, so that either this thread sees the gate closed or `close` sees this
        // thread, and the same with `alone`.
        count.fetch_add(1, Ordering::SeqCst);
        if CLOSED.load(Ordering::SeqCst) || IS_TAKEN.load(Ordering::SeqCst) {
            wait_outside(count);
        }
    }
    Inside {
        _of_this_thread: PhantomData,
    }
}

/// Goes out again, and comes in when it may.
#[cold]
fn wait_outside(count: &AtomicUsize) {
    loop {
        count.fetch_sub(1, Ordering::SeqCst);
        while CLOSED.load(Ordering::SeqCst) {
            thread::park();
        }
        thread::sleep(NAP);
        count.fetch_add(1, Ordering::SeqCst);
        if !CLOSED.load(Ordering::SeqCst) && !IS_TAKEN.load(Ordering::SeqCst) {
            return;
        }
    }
}

/// The right of this thread to be the only one inside, until it is dropped.
pub(super) struct Alone {
    _inside: Inside,
    _turn: MutexGuard<'static, ()>,
}

/// Enters, and keeps other threads outside. A thread must not be alone already, and should not be
/// inside: others would wait for it in vain while it waits for its turn.
pub(super) fn alone() -> Alone {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let inside = enter();
    IS_TAKEN.store(true, Ordering::SeqCst);
    let deadline = Instant::now() + PATIENCE;
    // This thread is one of them.
    while threads() > 1 && Instant::now() < deadline {
        thread::sleep(NAP);
    }
    Alone {
        _inside: inside,
        _turn: turn,
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        IS_TAKEN.store(false, Ordering::SeqCst);
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if DEPTH.get() == 0 {
            count().fetch_sub(1, Ordering::Release);
        }
    }
}

/// What is used inside.
pub(super) struct Within<P> {
    // Let go of before this thread leaves.
    what: P,
    _inside: Inside,
}

/// Enters, and then takes hold of something.
pub(super) fn within<P>(take: impl FnOnce() -> P) -> Within<P> {
    let inside = enter();
    Within {
        what: take(),
        _inside: inside,
    }
}

impl<P: Deref> Deref for Within<P> {
    type Target = P::Target;

    fn deref(&self) -> &P::Target {
        &self.what
    }
}

impl<P: DerefMut> DerefMut for Within<P> {
    fn deref_mut(&mut self) -> &mut P::Target {
        &mut self.what
    }
}

/// Closes the gate to all other threads, and waits until they are outside, but not longer than
/// until a deadline.
pub(super) fn close(deadline: Instant) {
    // This thread stays inside.
    let depth = DEPTH.replace(DEPTH.get() + 1);
    let ours = usize::from(depth > 0);
    CLOSED.store(true, Ordering::SeqCst);
    while threads() > ours && Instant::now() < deadline {
        thread::sleep(Duration::from_micros(200));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::super::search::discrete_adapters;
    use super::super::validation_messages;

    /// The validation layer has no lock for its table of devices.
    #[test]
    fn devices_come_and_go_beside_others() {
        let open = || {
            let adapter = discrete_adapters().into_iter().next()?;
            Some(adapter.open().unwrap().stream(false).unwrap())
        };
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        drop(open());
                    }
                });
                scope.spawn(|| {
                    let Some(stream) = open() else { return };
                    let buffer = stream.allocate(4).unwrap();
                    for _ in 0..2000 {
                        stream.upload(&buffer, &[(0, &[1; 4])]).unwrap();
                        stream.wait().unwrap();
                    }
                });
            }
        });
        assert_eq!(validation_messages(), 0);
    }

    /// It has none for the labels of command buffers either.
    #[test]
    fn command_pools_go_beside_others() {
        let Some(adapter) = discrete_adapters().into_iter().next() else {
            return;
        };
        let device = adapter.open().unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let stream = device.stream(false).unwrap();
                        let buffer = stream.allocate(4).unwrap();
                        stream.upload(&buffer, &[(0, &[1; 4])]).unwrap();
                        stream.wait().unwrap();
                    }
                });
            }
        });
        assert_eq!(validation_messages(), 0);
    }
}
