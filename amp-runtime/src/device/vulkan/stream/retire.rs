//! How batches that are complete are taken back, with what their launches have to tell.
//!
//! A launch is asked for its fault when its batch is taken back. A replay is asked when
//! a call waits: that takes the longer the more launches it has. A batch that replays
//! therefore only leaves it to be asked.

use std::sync::{Arc, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use super::super::buffer::staging::Class;
use super::Stream;
use super::batch::{Recorder, Watched};
use super::fault::Watch;
use super::recorded::Recorded;
use crate::device::print::KernelPrint;
use crate::device::unreported::Guilty;
use crate::types::error::Result;

/// How many recordings can wait to be asked for faults: they hold memory.
const UNTOLD: usize = 64;

impl Stream {
    /// What complete launches have printed and has not been shown.
    pub(crate) fn take_prints(&self) -> Vec<KernelPrint> {
        std::mem::take(&mut self.lock_anyway().printed)
    }

    /// Waits for launches that may have something to tell, so that all faults and prints are
    /// known; not longer than until a deadline.
    pub(crate) fn hear_all(&self, deadline: Option<Instant>) {
        let Some(mut recorder) = self.lock_until(deadline) else {
            return;
        };
        if !recorder.may_tell() {
            return;
        }
        let sent = recorder.send_all();
        drop(recorder);
        // What a stream that has ended had to say is lost.
        let _ = sent.and_then(|number| {
            if let Some(deadline) = deadline {
                self.timeline.block_until(number, deadline)?;
            }
            self.wait_until(number)
        });
    }

    /// The recorder, if it can be had until a deadline.
    fn lock_until(&self, deadline: Option<Instant>) -> Option<MutexGuard<'_, Recorder>> {
        let Some(deadline) = deadline else {
            return Some(self.lock_anyway());
        };
        loop {
            match self.recorder.try_lock() {
                Ok(recorder) => return Some(recorder),
                Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return None,
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

impl Recorder {
    /// Number of the last batch that is complete.
    pub(super) fn completed(&self) -> Result<u64> {
        self.timeline.reached()
    }

    /// Takes back what complete batches hold, and notes all faults and prints.
    pub(super) fn retire(&mut self) -> Result<()> {
        self.recycle()?;
        self.hear_replays()
    }

    /// [`retire`](Self::retire), but for faults of replays: to ask for them takes the longer
    /// the more launches they have, and is for who waits.
    pub(super) fn recycle(&mut self) -> Result<()> {
        if self.flying.is_empty() {
            return Ok(());
        }
        let completed = self.completed()?;
        while self
            .flying
            .front()
            .is_some_and(|batch| batch.number <= completed)
        {
            let Some(mut batch) = self.flying.pop_front() else {
                break;
            };
            self.unfinished -= u64::from(batch.recorded);
            for watched in batch.watches.drain(..) {
                match &watched {
                    Watched::Launch(watch) => {
                        // SAFETY: the batch is complete.
                        let told = unsafe { self.told_by(watch) };
                        self.note(told);
                    }
                    Watched::Replay(recorded) if recorded.prints() => {
                        // SAFETY: it is complete, and no later one executes it: they wait.
                        self.note(unsafe { recorded.tell() });
                    }
                    Watched::Replay(recorded) => self.defer(recorded),
                }
            }
            self.timing.settle(std::mem::take(&mut batch.timed));
            for (class, chunk) in batch.chunks.drain(..) {
                self.kept.chunks.give_back(class, chunk);
            }
            let bumps = [
                (Class::Arguments, batch.arguments.take()),
                (Class::Small, batch.staging.take()),
            ];
            for (class, bump) in bumps {
                if let Some(bump) = bump {
                    self.kept.chunks.give_back(class, bump.chunk);
                }
            }
            batch.empty();
            self.spare.push(batch);
        }
        Ok(())
    }

    /// Whether there are launches that may have something to tell and have not been asked.
    pub(super) fn may_tell(&self) -> bool {
        let mut batches = self.open.iter().chain(&self.flying);
        !self.untold.is_empty() || batches.any(|batch| !batch.watches.is_empty())
    }

    /// Notes what a launch or a replay has told.
    fn note(&mut self, (faults, prints): (Vec<Guilty>, Vec<KernelPrint>)) {
        if !faults.is_empty() {
            // What has been replayed before comes first, unless it cannot be asked now.
            let _ = self.hear_replays();
        }
        for fault in faults {
            self.unreported.lock().add(fault);
        }
        self.printed.extend(prints);
    }

    /// Notes that a replay is complete which has not been asked for faults.
    fn defer(&mut self, recorded: &Arc<Recorded>) {
        let known = |known: &Arc<Recorded>| Arc::ptr_eq(known, recorded);
        if !recorded.is_watched() || self.untold.iter().any(known) {
            return;
        }
        self.untold.push(Arc::clone(recorded));
        if self.untold.len() >= UNTOLD {
            // If they cannot be asked now, they are asked later.
            let _ = self.hear_replays();
        }
    }

    /// Notes the faults of complete replays.
    fn hear_replays(&mut self) -> Result<()> {
        while let Some(recorded) = self.untold.first() {
            if recorded.has_fault() {
                // It may be one of a later replay, which is still under way.
                self.timeline.wait(self.submitted)?;
                // SAFETY: what went out is complete, and nothing goes out meanwhile.
                let (faults, _) = unsafe { recorded.tell() };
                for fault in faults {
                    self.unreported.lock().add(fault);
                }
            }
            self.untold.remove(0);
        }
        Ok(())
    }

    /// Takes back what a launch has to tell with.
    ///
    /// # Safety
    ///
    /// The launch must be complete.
    unsafe fn told_by(&mut self, watch: &Watch) -> (Vec<Guilty>, Vec<KernelPrint>) {
        // SAFETY: by contract.
        let fault = unsafe { self.faults.give_back(watch) };
        let prints = watch.prints.as_ref().map(|buffer| {
            // SAFETY: by contract.
            unsafe { self.prints.give_back(buffer, watch) }
        });
        (Vec::from_iter(fault), prints.unwrap_or_default())
    }

    /// Takes back what a launch that was not recorded would have told with.
    pub(super) fn forgo(&mut self, watch: &Watch) {
        // SAFETY: no command uses them.
        unsafe { self.told_by(watch) };
    }
}
