//! A launch as a graph keeps it.

use std::sync::Arc;

use crate::device::accelerator::view::AcceleratorView;
use crate::device::code::Code;
use crate::device::shape::Shape;
use crate::device::vulkan::{self, Access, Plan, Stream};
use crate::kernel::Parts;
use crate::launch::{self, Prepared, Use};
use crate::residency::Directory;
use crate::types::block::Block;
use crate::types::error::Result;
use crate::types::message::Writer;
use crate::types::ranges::Ranges;

/// A launch, which borrows nothing.
pub(super) struct Step {
    plan: Arc<Plan>,
    writers: &'static [Writer],
    /// The argument block with the addresses of the views, but without the domain.
    block: Block,
    accesses: Vec<Access>,
    parts: Vec<Part>,
}

/// Data that a launch uses.
struct Part {
    directory: Arc<Directory>,
    bytes: Arc<Ranges>,
    reads: bool,
    writes: bool,
}

/// A dispatch of a launch with its argument block.
pub(super) struct Dispatch<'s> {
    step: &'s Step,
    shape: Shape,
    block: Block,
}

impl Step {
    pub(super) fn new(kernel: Parts<'_>, prepared: Prepared) -> Self {
        let parts = kernel.views.iter().map(|bound| Part {
            directory: Arc::clone(bound.allocation.directory()),
            bytes: Arc::clone(&bound.bytes),
            reads: bound.reads,
            writes: bound.writes,
        });
        Self {
            parts: parts.collect(),
            plan: prepared.plan,
            writers: kernel.writers,
            block: kernel.block,
            accesses: prepared.accesses,
        }
    }

    /// Whether it is a launch of this code over this domain. What else its pipeline is made for
    /// follows from the arguments.
    pub(super) fn runs(&self, code: &Code, extent: &[usize]) -> bool {
        self.plan.is_for(code, extent)
    }

    /// Whether it has the arguments of a kernel of the same code, whose views are located. Buffers
    /// are told apart by their addresses: those of a step are alive.
    pub(super) fn has_arguments(&self, kernel: &Parts<'_>) -> bool {
        let mut parts = self.parts.iter().zip(&kernel.views);
        *self.block == *kernel.block
            && parts.all(|(part, bound)| Arc::ptr_eq(&part.directory, bound.allocation.directory()))
    }

    pub(super) fn name(&self) -> &str {
        &self.plan.code.artifact.name
    }

    /// The data that it uses.
    pub(super) fn uses(&self) -> impl Iterator<Item = Use<'_>> + Clone {
        self.parts.iter().map(|part| Use {
            directory: &part.directory,
            bytes: &part.bytes,
            reads: part.reads,
            writes: part.writes,
        })
    }

    /// Its dispatches, in their order.
    pub(super) fn dispatches(&self) -> impl Iterator<Item = Dispatch<'_>> {
        std::iter::successors(Some(self.plan.shape), Shape::next).map(move |shape| {
            let mut block = self.block.clone();
            launch::write_domain(
                &mut block,
                &shape,
                &self.plan.extent,
                self.plan.code.artifact,
            );
            let step = self;
            Dispatch { step, shape, block }
        })
    }

    /// Queues it alone.
    pub(super) fn queue(&self, view: &AcceleratorView, stream: &Arc<Stream>) -> Result<()> {
        let bytes = match view.profiler().is_on() {
            true => launch::bytes_of(self.uses()),
            false => 0,
        };
        let queued = self.dispatches().try_for_each(|mut dispatch| {
            let launch = dispatch.launch();
            stream.launch(vulkan::Launch { bytes, ..launch })
        });
        launch::note_written(view, self.uses());
        queued
    }
}

impl Dispatch<'_> {
    /// As the stream takes it.
    pub(super) fn launch(&mut self) -> vulkan::Launch<'_> {
        let Plan {
            code,
            extent,
            pipeline,
            ..
        } = &*self.step.plan;
        vulkan::Launch {
            artifact: code.artifact,
            writers: self.step.writers,
            pipeline: *pipeline,
            shape: self.shape,
            extent,
            checked: code.switches.checked,
            block: &mut self.block,
            accesses: &self.step.accesses,
            bytes: 0,
        }
    }
}
