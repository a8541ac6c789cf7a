//! Where the launches of an algorithm go.

use crate::{AcceleratorView, Domain, Kernel, Recording, Result};

mod sealed {
    pub trait Sealed {}
}

/// What runs or records launches: an [`AcceleratorView`], or the [`Recording`] of a
/// [`Graph`](crate::Graph). Functions whose names end in `_on` take one.
///
/// ```
/// use amp::algorithms::random::{Philox, fill_uniform_on};
/// use amp::prelude::*;
///
/// # fn main() -> amp::Result<()> {
/// let view = Accelerator::default()?.default_view()?;
/// let array = Array::<f32, 1>::builder(100).on(&view).build()?;
/// let mut graph = view.record_with((array, 0), |recording, (array, step)| {
///     fill_uniform_on(recording, Philox::new(1).stream(*step), array)
/// })?;
/// graph.replay()?;
/// let first = graph.captures().0.to_vec()?;
/// graph.captures_mut().1 = 1;
/// graph.replay()?;
/// assert_ne!(graph.captures().0.to_vec()?, first);
/// # Ok(())
/// # }
/// ```
pub trait Launcher: sealed::Sealed {
    /// Launches a kernel over a domain.
    ///
    /// # Errors
    ///
    /// As [`parallel_for_each`](crate::parallel_for_each).
    fn launch<D: Domain>(&mut self, domain: D, kernel: Kernel<'_, D::Index>) -> Result<()>;
}

impl sealed::Sealed for AcceleratorView {}

impl Launcher for AcceleratorView {
    fn launch<D: Domain>(&mut self, domain: D, kernel: Kernel<'_, D::Index>) -> Result<()> {
        self.parallel_for_each(domain, kernel)
    }
}

impl sealed::Sealed for Recording<'_> {}

impl Launcher for Recording<'_> {
    fn launch<D: Domain>(&mut self, domain: D, kernel: Kernel<'_, D::Index>) -> Result<()> {
        self.parallel_for_each(domain, kernel)
    }
}

/// Launches run where their arrays live, else on the default accelerator.
pub(super) struct Anywhere;

impl sealed::Sealed for Anywhere {}

impl Launcher for Anywhere {
    fn launch<D: Domain>(&mut self, domain: D, kernel: Kernel<'_, D::Index>) -> Result<()> {
        crate::parallel_for_each(domain, kernel)
    }
}
