//! Executing [recorded launches](super::recorded) in the batches of a stream.
//!
//! Several replays may be on their way at a time, unless a kernel prints: they share the
//! fault slots, where the first fault stays until a call waits for a replay and returns it.

use std::sync::Arc;

use super::Stream;
use super::batch::{Recorder, Watched};
use super::launch::Launch;
use super::recorded::Recorded;
use crate::device::profiler::Place;
use crate::types::error::Result;
use crate::types::event::Activity;

impl Stream {
    /// Records launches, in the order in which they would run.
    pub(crate) fn record(&self, launches: &mut [Launch<'_>]) -> Result<Arc<Recorded>> {
        let unwatched = self.lock()?.faults.unwatched();
        Recorded::new(&self.device, launches, unwatched).map(Arc::new)
    }

    /// Executes recorded launches and, by the rules of launches, sends them.
    pub(crate) fn replay(&self, recorded: &Arc<Recorded>) -> Result<()> {
        let mut recorder = self.lock()?;
        if recorded.prints() {
            // What a replay prints is told apart from what the next one does.
            let number = recorded.last_use();
            if number > recorder.submitted() {
                recorder.submit()?;
            }
            while recorder.oldest().is_some_and(|oldest| oldest <= number) {
                self.wait_for_oldest(&mut recorder)?;
            }
        }
        recorder.execute(recorded)?;
        self.submit_if_due(&mut recorder)
    }
}

impl Recorder {
    /// Records the execution of recorded launches.
    fn execute(&mut self, recorded: &Arc<Recorded>) -> Result<()> {
        let uses = recorded.buffers.iter();
        self.prepare(uses.map(|(buffer, mode)| (buffer, *mode)))?;
        let launches = recorded.launches;
        let what = |queue| (Place::Queue(queue), Activity::Replay { launches });
        self.command("replay", what, |device, batch| {
            // SAFETY: the command buffer is being recorded, by this thread alone; the secondary
            // one is complete, may be used several times at once, and is held by the batch.
            unsafe {
                device
                    .raw()
                    .cmd_execute_commands(batch.commands, &[recorded.commands])
            };
            // What it has bound is not defined behind it.
            batch.bound.forget();
            batch.launches += launches;
            if recorded.note_use(batch.number) {
                batch.watches.push(Watched::Replay(Arc::clone(recorded)));
            }
        })
    }
}
