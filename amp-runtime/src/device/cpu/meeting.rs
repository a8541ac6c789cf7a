//! [`Meeting`]: work that a thread begins, and that others join while it lasts.
//!
//! To wake a thread takes longer than many launches. So who holds the meeting waits only for those who have
//! joined: who comes when it is over goes away again.

use std::any::Any;
use std::hint;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};

/// The bit of [`Shared::state`] that says that no thread can join any more.
const OVER: usize = 1 << (usize::BITS - 1);

/// How often who holds the meeting looks whether the others have left before it sleeps.
const PATIENCE: usize = 2000;

/// See the module's documentation.
#[derive(Clone)]
pub(super) struct Meeting(Arc<Shared>);

struct Shared {
    work: Work,
    /// How many have joined and not left, and whether it is [`OVER`].
    state: AtomicUsize,
    holder: Thread,
    /// The first panic of those who joined.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

/// What each thread does, by its number.
struct Work(*const (dyn Fn(usize) + Sync));

// SAFETY: the function is `Sync`, and who calls it sees to it that it is still there.
unsafe impl Send for Work {}
// SAFETY: as above.
unsafe impl Sync for Work {}

impl Meeting {
    /// A meeting for this work, which the calling thread has to [hold](Self::hold) while the work is there.
    pub(super) fn new(work: &(dyn Fn(usize) + Sync)) -> Self {
        let work: *const (dyn Fn(usize) + Sync + '_) = work;
        // SAFETY: only the lifetime differs; `join` calls it only while `hold` has not returned.
        let work: *const (dyn Fn(usize) + Sync + 'static) = unsafe { std::mem::transmute(work) };
        Self(Arc::new(Shared {
            work: Work(work),
            state: AtomicUsize::new(0),
            holder: thread::current(),
            panic: Mutex::new(None),
        }))
    }

    /// Does the work as thread `number`, unless the meeting is over.
    pub(super) fn join(&self, number: usize) {
        let shared = &*self.0;
        let join = |state| (state & OVER == 0).then_some(state + 1);
        let joined = shared
            .state
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, join);
        if joined.is_err() {
            return;
        }
        // SAFETY: this thread has joined, so `hold` waits for it, and the work is there meanwhile.
        let work = unsafe { &*shared.work.0 };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| work(number))) {
            let mut panic = shared.panic.lock().unwrap_or_else(PoisonError::into_inner);
            panic.get_or_insert(payload);
        }
        if shared.state.fetch_sub(1, Ordering::Release) == OVER + 1 {
            shared.holder.unpark();
        }
    }

    /// Does the work as thread 0, ends the meeting, and waits until all who joined have left.
    pub(super) fn hold(&self) {
        let shared = &*self.0;
        // SAFETY: the caller of `new` has it still.
        let work = unsafe { &*shared.work.0 };
        let held = catch_unwind(AssertUnwindSafe(|| work(0)));
        shared.state.fetch_or(OVER, Ordering::Relaxed);
        let mut looks = 0;
        while shared.state.load(Ordering::Acquire) != OVER {
            looks += 1;
            match looks < PATIENCE {
                true => hint::spin_loop(),
                false => thread::park(),
            }
        }
        let joined = shared
            .panic
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(payload) = held.err().or(joined) {
            resume_unwind(payload);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;

    #[test]
    fn who_holds_it_waits_for_those_who_joined() {
        for _ in 0..100 {
            let (joined, left) = (AtomicBool::new(false), AtomicUsize::new(0));
            let work = |number| {
                match number {
                    0 => {
                        while !joined.load(Ordering::Relaxed) {
                            thread::yield_now();
                        }
                    }
                    _ => {
                        joined.store(true, Ordering::Relaxed);
                        thread::sleep(Duration::from_micros(100));
                    }
                }
                left.fetch_add(1, Ordering::Relaxed);
            };
            let meeting = Meeting::new(&work);
            let other = meeting.clone();
            let other = thread::spawn(move || other.join(1));
            meeting.hold();
            assert_eq!(left.load(Ordering::Relaxed), 2);
            other.join().expect("it does not panic");
        }
    }

    #[test]
    fn who_comes_late_does_nothing() {
        let count = AtomicUsize::new(0);
        let late = {
            let work = |_| {
                count.fetch_add(1, Ordering::Relaxed);
            };
            let meeting = Meeting::new(&work);
            meeting.hold();
            meeting
        };
        late.join(1);
        assert_eq!(count.into_inner(), 1);
    }

    #[test]
    fn a_panic_of_another_comes_to_who_holds_it() {
        let joined = AtomicBool::new(false);
        let work = |number| {
            if number == 1 {
                joined.store(true, Ordering::Relaxed);
                resume_unwind(Box::new("other"));
            }
            while !joined.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        };
        let meeting = Meeting::new(&work);
        let other = meeting.clone();
        let other = thread::spawn(move || other.join(1));
        let held = catch_unwind(AssertUnwindSafe(|| meeting.hold()));
        assert_eq!(held.expect_err("it panics").downcast_ref(), Some(&"other"));
        other.join().expect("the panic is passed on");
    }
}
