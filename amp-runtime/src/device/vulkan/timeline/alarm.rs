//! Alarms: tasks that are woken when a batch is complete.
//!
//! A view's batches are complete in their order, so one thread can wait for all of them.
//! It starts when a task is to be woken and ends when none is.
//!
//! The thread holds the timeline only while it waits for a batch, and not while it wakes a
//! task, which may drop the last view. A stream that goes [sends it away](Timeline::dismiss):
//! from then on the thread touches neither the timeline nor the device.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Waker;
use std::thread;

use super::Timeline;
use crate::types::error::Result;

/// What wakes a task. The task sets it before it looks whether it has to wait, so that it
/// does not miss that it need not.
#[derive(Debug, Default)]
pub(crate) struct Alarm(Mutex<Option<Waker>>);

impl Alarm {
    fn waker(&self) -> MutexGuard<'_, Option<Waker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says whom to wake.
    pub(crate) fn set(&self, waker: &Waker) {
        if !self
            .waker()
            .as_ref()
            .is_some_and(|known| known.will_wake(waker))
        {
            self.replace(Some(waker.clone()));
        }
    }

    /// No task is to be woken any more.
    pub(crate) fn clear(&self) {
        self.replace(None);
    }

    fn replace(&self, waker: Option<Waker>) {
        let old = std::mem::replace(&mut *self.waker(), waker);
        // Without the lock: it is the task's, which may go with it.
        drop(old);
    }

    fn ring(&self) {
        let waker = self.waker().take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// Alarms of a timeline, each with its batch.
#[derive(Default)]
pub(in crate::device::vulkan) struct Alarms {
    set: Vec<(u64, Arc<Alarm>)>,
    /// Whether the thread that rings them runs.
    attended: bool,
    /// Locked while a thread has the timeline; says whether none may have it any more.
    dismissed: Arc<Mutex<bool>>,
}

impl Timeline {
    fn alarms(&self) -> MutexGuard<'_, Alarms> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rings an alarm when a batch that went out is complete.
    pub(in crate::device::vulkan) fn ring_at(self: &Arc<Self>, number: u64, alarm: &Arc<Alarm>) {
        let mut alarms = self.alarms();
        let known = |(at, other): &(u64, Arc<Alarm>)| *at == number && Arc::ptr_eq(other, alarm);
        if !alarms.set.iter().any(known) {
            alarms.set.push((number, Arc::clone(alarm)));
        }
        if alarms.attended {
            drop(alarms);
            // The thread may wait for a later batch already, and have missed this one.
            if self.reached().is_ok_and(|reached| reached < number) {
                return;
            }
            return alarm.ring();
        }
        let (timeline, dismissed) = (Arc::downgrade(self), Arc::clone(&alarms.dismissed));
        let thread = thread::Builder::new().name("amp alarms".into());
        alarms.attended = thread.spawn(move || attend(&timeline, &dismissed)).is_ok();
        if !alarms.attended {
            // The task looks again, and again, instead of sleeping.
            alarms.set.clear();
            drop(alarms);
            alarm.ring();
        }
    }

    /// Takes out the alarms that are due, and says whether there are more.
    fn due(&self, reached: &Result<u64>) -> (Vec<(u64, Arc<Alarm>)>, bool) {
        let mut alarms = self.alarms();
        let due = match reached {
            Ok(reached) => alarms
                .set
                .extract_if(.., |(at, _)| *at <= *reached)
                .collect(),
            // The tasks see the error.
            Err(_) => std::mem::take(&mut alarms.set),
        };
        alarms.attended = !alarms.set.is_empty();
        (due, alarms.attended)
    }

    /// Waits until the thread that rings has let go of the timeline, which it does not take up
    /// again. All batches that went out are complete, so that it does not wait for one.
    pub(in crate::device::vulkan) fn dismiss(&self) {
        let dismissed = Arc::clone(&self.alarms().dismissed);
        *lock(&dismissed) = true;
    }
}

fn lock(dismissed: &Mutex<bool>) -> MutexGuard<'_, bool> {
    dismissed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Rings all alarms when they are due.
fn attend(timeline: &Weak<Timeline>, dismissed: &Mutex<bool>) {
    let mut known = None;
    loop {
        let (due, more) = {
            let dismissed = lock(dismissed);
            let timeline = timeline.upgrade().filter(|_| !*dismissed);
            let Some(timeline) = timeline else {
                return;
            };
            // Batch after batch, for an alarm may be set meanwhile for an earlier one than
            // those that are known.
            let waited = known.map_or(Ok(()), |number| timeline.block(number + 1));
            let reached = waited.and_then(|()| timeline.reached());
            known = reached.as_ref().ok().copied();
            let due = timeline.due(&reached);
            // Before the lock: who waits for that may let go of the device.
            drop(timeline);
            due
        };
        for (_, alarm) in due {
            // A waker that panics has reported so, and the others are rung.
            let _ = catch_unwind(AssertUnwindSafe(|| alarm.ring()));
        }
        if !more {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::Wake;

    use super::super::super::search::adapters;
    use super::*;

    #[derive(Default)]
    struct Count(AtomicU32);

    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What a waker holds may want the alarm when it goes.
    #[test]
    fn a_waker_that_goes_may_set_the_alarm() {
        struct Last(Arc<Alarm>);
        impl Wake for Last {
            fn wake(self: Arc<Self>) {}
        }
        impl Drop for Last {
            fn drop(&mut self) {
                self.0.set(Waker::noop());
            }
        }
        let alarm = Arc::<Alarm>::default();
        let last = || Waker::from(Arc::new(Last(Arc::clone(&alarm))));
        alarm.set(&last());
        alarm.set(Waker::noop());
        alarm.set(&last());
        alarm.clear();
        alarm.clear();
        assert_eq!(Arc::strong_count(&alarm), 1);
    }

    /// The thread that rings has looked before the alarm was set, and waits for more.
    #[test]
    fn an_alarm_that_is_set_late_rings() {
        for adapter in adapters() {
            let stream = adapter.open().unwrap().stream(false).unwrap();
            let buffer = stream.allocate(64).unwrap();
            stream.zero(&buffer).unwrap();
            stream.wait().unwrap();
            let number = stream.timeline.reached().unwrap();
            let (alarm, count) = (Arc::<Alarm>::default(), Arc::<Count>::default());
            stream.timeline.alarms().attended = true;
            for (rings, number) in [(0, number + 1), (1, number)] {
                alarm.set(&Arc::clone(&count).into());
                stream.timeline.ring_at(number, &alarm);
                assert_eq!(count.0.load(Ordering::Relaxed), rings);
            }
        }
    }
}
