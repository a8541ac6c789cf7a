//! Recording launches into the batches of a stream.

use super::super::buffer::staging::Class;
use super::Stream;
use super::batch::{Recorder, Watched};
use super::fault::Watch;
use super::launch::{Launch, Push};
use crate::device::profiler::Place;
use crate::types::error::Result;

impl Stream {
    /// Records a launch and, by the rules of [`stream`](super::super::stream), sends it.
    pub(crate) fn launch(&self, mut launch: Launch<'_>) -> Result<()> {
        launch.check_block()?;
        let mut recorder = self.lock()?;
        let (watch, slot) = if launch.is_watched() {
            let (watch, slot) = self.watch(&mut recorder, &launch)?;
            (Some(watch), slot)
        } else {
            (None, recorder.faults.unwatched())
        };
        launch.set_slot(slot);
        let room = recorder.begin().and_then(|()| {
            let (spilled, length) = (launch.artifact.spilled, launch.block.len() as u64);
            let room = spilled.then(|| recorder.room(Class::Arguments, length));
            room.transpose()
        });
        let room = room.inspect_err(|_| {
            if let Some(watch) = &watch {
                recorder.forgo(watch);
            }
        })?;
        let room = room.as_ref().map(|(chunk, offset)| (&**chunk, *offset));
        // SAFETY: the room is new, so nothing else uses it.
        let push = unsafe { launch.push(room) };
        recorder.dispatch(&launch, &push, watch)?;
        self.submit_if_due(&mut recorder)
    }

    /// A fault slot, and a print buffer if the kernel prints; if all are in use, those of
    /// the oldest batch, once it is complete.
    fn watch(&self, recorder: &mut Recorder, launch: &Launch<'_>) -> Result<(Watch, u64)> {
        loop {
            if recorder.faults.has_free() {
                let prints = match launch.artifact.print_words {
                    0 => Some(None),
                    _ => recorder.prints.take(&self.device)?.map(Some),
                };
                if let Some(prints) = prints
                    && let Some(taken) = recorder.faults.take(launch, prints)
                {
                    return Ok(taken);
                }
            }
            recorder.submit()?;
            self.wait_for_oldest(recorder)?;
        }
    }
}

impl Recorder {
    /// Records a launch with what it has to tell with.
    fn dispatch(
        &mut self,
        launch: &Launch<'_>,
        push: &Push<'_>,
        watch: Option<Watch>,
    ) -> Result<()> {
        self.prepare(launch.uses())?;
        let what = |queue| (Place::Queue(queue), launch.activity());
        self.command(&launch.artifact.name, what, |device, batch| {
            // SAFETY: the command buffer is being recorded, by this thread alone; the batch
            // holds every buffer that the kernel uses.
            unsafe { batch.bound.dispatch(device, batch.commands, launch, push) };
            batch.launches += 1;
            batch.watches.extend(watch.map(Watched::Launch));
        })
    }
}
