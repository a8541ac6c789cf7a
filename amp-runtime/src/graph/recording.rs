//! What a graph's closure makes its launches with, and what is known of them afterwards.

use std::fmt;
use std::sync::Arc;

use amp_spirv::artifact::Artifact;

use crate::accelerator::{AcceleratorView, Backend};
use crate::binding::Bound;
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::kernel::{Kernel, Parts};
use crate::launch;
use crate::message::Writer;
use crate::residency::{Held, Ledger, Ranges, Writers};
use crate::shape::Shape;
use crate::vulkan::{self, Access, Buffer, Pipeline, Stream};

/// Takes the launches of a [`Graph`](crate::Graph).
pub struct Recording<'r> {
    view: &'r AcceleratorView,
    /// Whether launches run at once.
    runs: bool,
    steps: Vec<Step>,
    used: Vec<Used>,
}

/// A dispatch to be recorded.
pub(super) struct Step {
    artifact: &'static Artifact,
    writers: &'static [Writer],
    pipeline: Pipeline,
    shape: Shape,
    extent: Vec<usize>,
    checked: bool,
    block: Vec<u8>,
    accesses: Vec<Access>,
}

/// A body of data that launches use.
pub(super) struct Used {
    ledger: Arc<Ledger>,
    /// Its copy on the device, if the view is one.
    buffer: Option<Arc<Buffer>>,
    /// What is read or written of it.
    bytes: Ranges,
    written: Ranges,
    /// A kernel that writes it.
    writer: Option<&'static Artifact>,
    /// Whose faults who looks at it is to be told, when it has been written.
    sources: Writers,
}

impl Recording<'_> {
    /// Records a launch of a kernel over a domain. As
    /// [`parallel_for_each`](crate::parallel_for_each), but it always runs on the graph's view.
    ///
    /// # Errors
    ///
    /// As [`parallel_for_each`](crate::parallel_for_each);
    /// [`Error::ViewMismatch`] if a captured array lives on another
    /// view.
    pub fn parallel_for_each<D: Domain>(
        &mut self,
        domain: D,
        kernel: Kernel<'_, D::Index>,
    ) -> Result<()> {
        let (extent, mut kernel) = (domain.to_components(), kernel.parts);
        launch::check(self.view, &extent, &mut kernel)?;
        if let Backend::Vulkan(stream) = self.view.backend()
            && !self.runs
        {
            return self.record(stream, extent, kernel);
        }
        for bound in &kernel.views {
            self.note(bound, None, kernel.code.artifact);
        }
        match self.view.backend() {
            _ if !self.runs => Ok(()),
            Backend::Vulkan(stream) => launch::on_device(self.view, stream, &extent, kernel),
            Backend::Cpu(_) => launch::on_cpu(self.view, extent, &kernel),
        }
    }

    /// The view that the graph runs on.
    pub fn accelerator_view(&self) -> AcceleratorView {
        self.view.clone()
    }

    fn record(
        &mut self,
        stream: &Arc<Stream>,
        extent: Vec<usize>,
        mut kernel: Parts<'_>,
    ) -> Result<()> {
        let prepared = launch::prepare(stream, &extent, &mut kernel)?;
        for (bound, access) in kernel.views.iter().zip(&prepared.accesses) {
            self.note(bound, Some(&access.buffer), kernel.code.artifact);
            if bound.writes {
                // From here on the host has to look before it has a reference.
                bound.home.ledger().hold().claim(stream, &bound.bytes);
            }
        }
        self.note_sources(&kernel.views);
        let mut shape = Some(prepared.shape);
        while let Some(now) = shape {
            let mut block = kernel.block.clone();
            launch::write_domain(&mut block, &now, &extent, kernel.code.artifact);
            self.steps.push(Step {
                artifact: kernel.code.artifact,
                writers: kernel.writers,
                pipeline: prepared.pipeline,
                shape: now,
                extent: extent.clone(),
                checked: kernel.code.switches.checked,
                block,
                accesses: prepared.accesses.clone(),
            });
            shape = now.next();
        }
        Ok(())
    }

    /// Notes of what it comes what a kernel writes.
    fn note_sources(&mut self, views: &[Bound<'_>]) {
        let uses = |used: &Used, pick: fn(&Bound<'_>) -> bool| {
            let same = |bound: &&Bound<'_>| Arc::ptr_eq(bound.home.ledger(), &used.ledger);
            views.iter().filter(same).any(pick)
        };
        let mut sources = Writers::default();
        for used in self
            .used
            .iter()
            .filter(|used| uses(used, |bound| bound.reads))
        {
            sources.insert(self.view, used.ledger.data());
            sources.add_all(&used.sources);
        }
        for used in &mut self.used {
            if uses(used, |bound| bound.writes) {
                used.sources.add_all(&sources);
                used.sources.stop_listening();
            }
        }
    }

    fn note(
        &mut self,
        bound: &Bound<'_>,
        buffer: Option<&Arc<Buffer>>,
        artifact: &'static Artifact,
    ) {
        let ledger = bound.home.ledger();
        let known = self
            .used
            .iter()
            .position(|used| Arc::ptr_eq(&used.ledger, ledger));
        let place = known.unwrap_or_else(|| {
            self.used.push(Used {
                ledger: Arc::clone(ledger),
                buffer: buffer.cloned(),
                bytes: Ranges::default(),
                written: Ranges::default(),
                writer: None,
                sources: Writers::default(),
            });
            self.used.len() - 1
        });
        let used = &mut self.used[place];
        used.bytes.insert(&bound.bytes);
        if bound.writes {
            used.written.insert(&bound.bytes);
            used.writer.get_or_insert(artifact);
        }
    }
}

impl<'r> Recording<'r> {
    pub(super) fn new(view: &'r AcceleratorView, runs: bool) -> Self {
        Self {
            view,
            runs,
            steps: Vec::new(),
            used: Vec::new(),
        }
    }

    /// Refuses to write what ended with the closure: on one accelerator a replay would
    /// write what another one makes anew.
    pub(super) fn check_captured(&self) -> Result<()> {
        for used in &self.used {
            if let Some(writer) = used.writer
                && used.is_gone()
            {
                return Err(Error::InvalidArgument(format!(
                    "kernel `{}` writes an array or view that is made while the launch is \
                     recorded, and gone when it runs; make it before, and let the closure borrow \
                     it, or use `record_with`",
                    writer.name
                )));
            }
        }
        Ok(())
    }

    /// Whether launches use what has ended with the closure.
    pub(super) fn makes_data(&self) -> bool {
        self.used.iter().any(Used::is_gone)
    }

    /// The bodies of data are in the order in which they can be held.
    pub(super) fn into_parts(mut self) -> (Vec<Step>, Vec<Used>) {
        self.used.sort_by_key(|used| Arc::as_ptr(&used.ledger));
        (self.steps, self.used)
    }
}

impl Step {
    /// As the stream takes it.
    pub(super) fn launch(&mut self) -> vulkan::Launch<'_> {
        vulkan::Launch {
            artifact: self.artifact,
            writers: self.writers,
            pipeline: self.pipeline,
            shape: self.shape,
            extent: &self.extent,
            checked: self.checked,
            block: &mut self.block,
            accesses: &self.accesses,
            bytes: 0,
        }
    }

    /// The argument block, without the address of the fault slot.
    fn arguments(&self) -> &[u8] {
        self.block.get(8..).unwrap_or_default()
    }
}

/// Buffers are told apart by their addresses in the arguments: one that a step has is alive.
impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.artifact, other.artifact)
            && self.pipeline == other.pipeline
            && (self.shape, self.checked) == (other.shape, other.checked)
            && self.extent == other.extent
            && self.arguments() == other.arguments()
    }
}

impl Used {
    /// Keeps all others from it.
    pub(super) fn hold(&self) -> Held<'_> {
        self.ledger.hold()
    }

    /// Whether it is there no more.
    pub(super) fn is_gone(&self) -> bool {
        self.ledger.is_orphaned()
    }

    /// Whether what is recorded can run, with the closure not there.
    pub(super) fn allows_replay(&self, held: &Held<'_>, stream: &Arc<Stream>) -> bool {
        let buffer = self.buffer.as_ref();
        buffer.is_some_and(|buffer| held.allows(stream, buffer, &self.bytes, &self.written))
    }

    /// Whose faults who looks at it is to be told, when it has been written.
    pub(super) fn sources(&self) -> &Writers {
        &self.sources
    }

    /// What is written of it.
    pub(super) fn written(&self) -> &Ranges {
        &self.written
    }
}

impl fmt::Debug for Recording<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("accelerator_view", self.view)
            .finish_non_exhaustive()
    }
}
