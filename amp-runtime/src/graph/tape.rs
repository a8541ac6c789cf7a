//! The launches of a graph on a device: compared with those of the call before, and queued
//! together.
//!
//! They are recorded in chunks. A chunk that is the same as before is queued when the closure has
//! made its last launch, so that the device begins while the rest is compared. The first chunk is
//! short for that, and each has about twice as many launches as the one before, until they are full.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::step::Step;
use crate::device::accelerator::view::AcceleratorView;
use crate::device::vulkan::{Recorded, Stream};
use crate::kernel::Parts;
use crate::launch::{self, Use};
use crate::residency::{Announced, Directory, Pending, Writers, announce};
use crate::types::error::{Error, Result};
use crate::types::ranges::Ranges;

/// What a graph has on a device.
pub(super) struct Tape {
    view: AcceleratorView,
    stream: Arc<Stream>,
    launches: Mutex<Launches>,
}

#[derive(Default)]
struct Launches {
    /// Those that the closure has made in this call, then those that it made behind them in the
    /// call before.
    steps: Vec<Step>,
    /// How many the closure has made in this call.
    made: usize,
    /// How many of these are queued, in chunks or, because their data was used before, one by one.
    queued: usize,
    /// The first steps, recorded.
    recorded: Vec<Chunk>,
    /// How many chunks are queued.
    sent: usize,
    /// What went wrong when they were queued for another use of their data.
    error: Option<Error>,
}

/// Steps that are recorded together.
struct Chunk {
    steps: Range<usize>,
    commands: Arc<Recorded>,
    used: Vec<Used>,
}

/// Steps of the first chunk.
const FIRST: usize = 16;
/// Steps of a full chunk.
const FULL: usize = 256;

/// A body of data that recorded launches use.
struct Used {
    directory: Arc<Directory>,
    written: Ranges,
    /// Whose faults those who look at it are told, when it has been written.
    sources: Writers,
}

/// A call of the closure whose launches run. Those that are left when it ends, by an error or a
/// panic, are queued then.
pub(super) struct Call<'t> {
    tape: &'t Tape,
    _announced: Announced,
}

impl Tape {
    pub(super) fn new(view: &AcceleratorView, stream: &Arc<Stream>) -> Arc<Self> {
        Arc::new(Self {
            view: view.clone(),
            stream: Arc::clone(stream),
            launches: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Launches> {
        self.launches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a call of the closure whose launches run.
    pub(super) fn call(self: &Arc<Self>) -> Call<'_> {
        Call {
            tape: self,
            _announced: announce(Arc::clone(self) as Arc<dyn Pending>),
        }
    }

    /// The closure makes a launch of a kernel, which `runs` when the call has ended at the latest.
    pub(super) fn add(&self, extent: &[usize], mut kernel: Parts<'_>, runs: bool) -> Result<()> {
        let own = runs.then_some(self as &dyn Pending);
        let mut launches = self.lock();
        let mut is_known = launches.next_is(|step| step.runs(&kernel.code, extent));
        if is_known {
            // Data may have to be moved, and others need the launches meanwhile.
            drop(launches);
            launch::locate(&self.stream, &mut kernel, own, |_, _| ())?;
            launches = self.lock();
            is_known = launches.next_is(|step| step.has_arguments(&kernel));
        }
        if !is_known {
            drop(launches);
            let prepared = launch::prepare(&self.stream, extent, &mut kernel, own)?;
            let step = Step::new(kernel, prepared);
            launches = self.lock();
            launches.forget_others();
            launches.steps.push(step);
        }
        launches.made += 1;
        if runs {
            // From here on the host has to ask before it looks, and asks for the launch.
            let step = &launches.steps[launches.made - 1];
            for part in step.uses().filter(|part| part.writes) {
                part.directory.claim(&self.stream, part.bytes);
            }
            if launches.has_chunk() {
                // If that fails, it is tried again when the closure has returned.
                let _ = launches.send(self);
            }
        }
        Ok(())
    }

    /// Records what the closure has made in a call whose launches do not run.
    pub(super) fn record(&self) -> Result<()> {
        let mut launches = self.lock();
        launches.check_written()?;
        if !launches.lost_data() {
            launches.record(self)?;
        }
        launches.begin();
        Ok(())
    }
}

impl Call<'_> {
    /// The closure has made all its launches: queues them.
    pub(super) fn finish(self) -> Result<()> {
        let mut launches = self.tape.lock();
        launches.forget_others();
        let written = launches.check_written();
        let queued = match launches.error.take() {
            Some(error) => Err(error),
            // What the closure makes anew each time is not worth recording.
            None if launches.queued > launches.in_chunks() || launches.lost_data() => {
                launches.queue(self.tape)
            }
            None => launches.replay(self.tape),
        };
        launches.begin();
        if launches.lost_data() {
            // It would be kept alive.
            (launches.steps, launches.recorded) = (Vec::new(), Vec::new());
        }
        drop(launches);
        queued.and(written)
    }
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let mut launches = self.tape.lock();
        // The error of the closure is the first.
        let _ = launches.queue(self.tape);
        launches.error = None;
        launches.begin();
    }
}

impl Pending for Tape {
    fn queue_users(&self, directory: &Directory, write: bool) {
        let mut launches = self.lock();
        let uses = |part: Use<'_>| {
            std::ptr::eq(Arc::as_ptr(part.directory), directory) && (write || part.writes)
        };
        let mut pending = launches.steps[launches.queued..launches.made].iter();
        if pending.any(|step| step.uses().any(uses)) {
            launches.queue_early(self);
        }
    }

    fn queue_on(&self, stream: &Arc<Stream>) {
        if Arc::ptr_eq(&self.stream, stream) {
            self.lock().queue_early(self);
        }
    }
}

impl Launches {
    /// Begins a call of the closure.
    fn begin(&mut self) {
        (self.made, self.queued, self.sent) = (0, 0, 0);
    }

    /// Whether the call before made a launch next that is like this.
    fn next_is(&self, like: impl FnOnce(&Step) -> bool) -> bool {
        self.steps.get(self.made).is_some_and(like)
    }

    /// Forgets launches that the closure made in the call before only.
    fn forget_others(&mut self) {
        if self.made < self.steps.len() {
            self.steps.truncate(self.made);
            let made = self.made;
            self.recorded.retain(|chunk| chunk.steps.end <= made);
        }
    }

    /// Refuses to write what ended with the closure: the result would be inaccessible.
    fn check_written(&self) -> Result<()> {
        let steps = self.steps.iter();
        let written = steps.flat_map(|step| {
            let parts = step.uses().filter(|part| part.writes);
            parts.map(|part| (part.directory, step.name()))
        });
        check_written(written)
    }

    /// Whether launches use what has ended.
    fn lost_data(&self) -> bool {
        let mut uses = self.steps.iter().flat_map(Step::uses);
        uses.any(|part| part.directory.is_orphaned())
    }

    /// Queues one by one what is not queued yet.
    fn queue(&mut self, tape: &Tape) -> Result<()> {
        while self.queued < self.made {
            let step = &self.steps[self.queued];
            self.queued += 1;
            step.queue(&tape.view, &tape.stream)?;
        }
        Ok(())
    }

    /// Queues one by one what is not queued yet, for others than the replay, which returns the
    /// error.
    fn queue_early(&mut self, tape: &Tape) {
        if let Err(error) = self.queue(tape) {
            self.error.get_or_insert(error);
        }
    }

    /// How many launches the chunks have that are queued.
    fn in_chunks(&self) -> usize {
        let last = self.recorded[..self.sent].last();
        last.map_or(0, |chunk| chunk.steps.end)
    }

    /// Whether all that is not queued yet is a chunk.
    fn has_chunk(&self) -> bool {
        let next = self.recorded.get(self.sent);
        next.is_some_and(|chunk| chunk.steps == (self.queued..self.made))
    }

    /// Queues what is not queued yet, recorded.
    fn replay(&mut self, tape: &Tape) -> Result<()> {
        self.record(tape)?;
        while self.sent < self.recorded.len() {
            self.send(tape)?;
        }
        Ok(())
    }

    /// Queues the next chunk.
    fn send(&mut self, tape: &Tape) -> Result<()> {
        let chunk = &self.recorded[self.sent];
        tape.stream.replay(&chunk.commands)?;
        let mut others = Writers::default();
        for used in &chunk.used {
            if used.written.is_empty() {
                others.add_all(&used.directory.writers());
            }
        }
        for used in &chunk.used {
            if !used.written.is_empty() {
                let sources = [&used.sources, &others];
                used.directory
                    .written_on(&tape.view, &used.written, sources);
            }
        }
        self.queued = chunk.steps.end;
        self.sent += 1;
        Ok(())
    }

    /// Records the steps that are not recorded.
    fn record(&mut self, tape: &Tape) -> Result<()> {
        loop {
            let start = self.recorded.last().map_or(0, |chunk| chunk.steps.end);
            let end = self.steps.len().min(start + (start + FIRST).min(FULL));
            if start == end {
                return Ok(());
            }
            let steps = &self.steps[start..end];
            let mut dispatches: Vec<_> = steps.iter().flat_map(Step::dispatches).collect();
            let mut launches: Vec<_> = dispatches.iter_mut().map(|it| it.launch()).collect();
            self.recorded.push(Chunk {
                steps: start..end,
                commands: tape.stream.record(&mut launches)?,
                used: used(steps, &tape.view),
            });
        }
    }
}

/// What launches use, each body of data once.
fn used(steps: &[Step], view: &AcceleratorView) -> Vec<Used> {
    let mut all: Vec<Used> = Vec::new();
    for step in steps {
        for part in step.uses() {
            let is_it = |used: &Used| Arc::ptr_eq(&used.directory, part.directory);
            let place = all.iter().position(is_it).unwrap_or_else(|| {
                all.push(Used {
                    directory: Arc::clone(part.directory),
                    written: Ranges::default(),
                    sources: Writers::default(),
                });
                all.len() - 1
            });
            if part.writes {
                all[place].written.insert(part.bytes);
            }
        }
        // What a kernel writes is computed from all that it reads.
        let uses = |used: &Used, pick: fn(&Use<'_>) -> bool| {
            let mut parts = step.uses();
            parts.any(|part| Arc::ptr_eq(part.directory, &used.directory) && pick(&part))
        };
        let mut sources = Writers::default();
        for used in all.iter().filter(|used| uses(used, |part| part.reads)) {
            sources.insert(view, used.directory.data());
            sources.add_all(&used.sources);
        }
        for used in &mut all {
            if uses(used, |part| part.writes) {
                used.sources.add_all(&sources);
                used.sources.stop_listening();
            }
        }
    }
    all
}

/// Refuses kernels that write what has ended.
pub(super) fn check_written<'w>(
    mut written: impl Iterator<Item = (&'w Arc<Directory>, &'w str)>,
) -> Result<()> {
    match written.find(|(directory, _)| directory.is_orphaned()) {
        None => Ok(()),
        Some((_, kernel)) => Err(Error::InvalidArgument(format!(
            "kernel `{kernel}` writes an array or view that is made while the launch is recorded, \
             and gone when it runs; make it before, and let the closure borrow it, or use \
             `record_with`"
        ))),
    }
}
