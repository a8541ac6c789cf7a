//! What a graph's closure makes its launches with.

use std::fmt;
use std::sync::Arc;

use super::tape::{Tape, check_written};
use crate::device::accelerator::view::AcceleratorView;
use crate::kernel::Kernel;
use crate::launch;
use crate::residency::Directory;
use crate::types::domain::Domain;
use crate::types::error::Result;

/// Takes the launches of a [`Graph`](crate::Graph).
pub struct Recording<'r> {
    view: &'r AcceleratorView,
    /// Nothing on the CPU accelerator, which runs launches at once.
    tape: Option<&'r Tape>,
    /// Whether launches run.
    runs: bool,
    /// What kernels write on the CPU accelerator, and their names.
    written: Vec<(Arc<Directory>, &'static str)>,
}

impl Recording<'_> {
    /// Records a launch of a kernel over a domain. As
    /// [`parallel_for_each`](crate::parallel_for_each), but it always runs on the graph's view.
    ///
    /// # Errors
    ///
    /// As [`parallel_for_each`](crate::parallel_for_each);
    /// [`Error::ViewMismatch`](crate::Error::ViewMismatch) if a captured array lives on another
    /// view.
    pub fn parallel_for_each<D: Domain>(
        &mut self,
        domain: D,
        kernel: Kernel<'_, D::Index>,
    ) -> Result<()> {
        let (extent, mut kernel) = (domain.components(), kernel.parts);
        launch::check(self.view, extent, &mut kernel)?;
        if let Some(tape) = self.tape {
            return tape.add(extent, kernel, self.runs);
        }
        for bound in kernel.views.iter().filter(|bound| bound.writes) {
            let (directory, name) = (bound.allocation.directory(), &*kernel.code.artifact.name);
            if !self
                .written
                .iter()
                .any(|(known, _)| Arc::ptr_eq(known, directory))
            {
                self.written.push((Arc::clone(directory), name));
            }
        }
        match self.runs {
            true => launch::on_cpu(self.view, extent, &kernel),
            false => Ok(()),
        }
    }

    /// The view that the graph runs on.
    pub fn accelerator_view(&self) -> AcceleratorView {
        self.view.clone()
    }
}

impl<'r> Recording<'r> {
    pub(super) fn new(view: &'r AcceleratorView, tape: Option<&'r Tape>, runs: bool) -> Self {
        Self {
            view,
            tape,
            runs,
            written: Vec::new(),
        }
    }

    /// Refuses kernels that have written what ended with the closure.
    pub(super) fn check_written(&self) -> Result<()> {
        check_written(
            self.written
                .iter()
                .map(|(directory, name)| (directory, *name)),
        )
    }
}

impl fmt::Debug for Recording<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recording")
            .field("accelerator_view", self.view)
            .finish_non_exhaustive()
    }
}
