//! Where the launches of an algorithm go.

use crate::{Accelerator, AcceleratorView, Domain, Kernel, Recording, Result};

pub(super) mod sealed {
    use crate::{AcceleratorView, Domain, Kernel, Result};

    pub trait Sealed {
        /// Launches a kernel over a domain that is not empty.
        fn send<D: Domain>(&mut self, domain: D, kernel: Kernel<'_, D::Index>) -> Result<()>;

        /// Where launches run, if it does not depend on their arrays.
        fn place(&self) -> Option<AcceleratorView>;
    }
}

/// What runs or records launches: an [`AcceleratorView`], the [`Recording`] of a
/// [`Graph`](crate::Graph), or a [`Queue`](super::Queue), which is one of these with temporary memory. Functions whose
/// names end in `_on` take one, or a queue if they need memory.
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
    /// Launches a kernel over a domain; nothing, if the domain is empty.
    ///
    /// ```
    /// # use amp::{algorithms::*, prelude::*};
    /// # fn main() -> amp::Result<()> {
    /// #[amp_kernel]
    /// fn double(idx: Index<1>, x: &mut ArrayViewMut<u32, 1>) {
    ///     x[idx] *= 2;
    /// }
    ///
    /// let mut x = Array::new(2, &[1, 2])?;
    /// x.accelerator_view().launch(x.extent(), double(&mut x))?;
    /// assert_eq!(x.to_vec()?, [2, 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`parallel_for_each`](crate::parallel_for_each).
    fn launch<D: Domain>(&mut self, domain: D, kernel: Kernel<'_, D::Index>) -> Result<()> {
        match domain.components().contains(&0) {
            true => Ok(()),
            false => self.send(domain, kernel),
        }
    }
}

/// Whether launches run on the CPU accelerator, if their arrays live on one of these views or nowhere.
pub(super) fn is_on_cpu<const N: usize>(
    on: &impl Launcher,
    homes: [Option<AcceleratorView>; N],
) -> Result<bool> {
    let view = match homes.into_iter().fold(on.place(), Option::or) {
        Some(view) => view,
        None => Accelerator::default()?.default_view()?,
    };
    Ok(view.accelerator().device_path() == "cpu")
}

impl sealed::Sealed for AcceleratorView {
    fn send<D: Domain>(&mut self, domain: D, kernel: Kernel<'_, D::Index>) -> Result<()> {
        self.parallel_for_each(domain, kernel)
    }

    fn place(&self) -> Option<AcceleratorView> {
        Some(self.clone())
    }
}

impl sealed::Sealed for Recording<'_> {
    fn send<D: Domain>(&mut self, domain: D, kernel: Kernel<'_, D::Index>) -> Result<()> {
        self.parallel_for_each(domain, kernel)
    }

    fn place(&self) -> Option<AcceleratorView> {
        Some(self.accelerator_view())
    }
}

/// Launches run where their arrays live, else on the default accelerator.
pub(super) struct Anywhere;

impl sealed::Sealed for Anywhere {
    fn send<D: Domain>(&mut self, domain: D, kernel: Kernel<'_, D::Index>) -> Result<()> {
        crate::parallel_for_each(domain, kernel)
    }

    fn place(&self) -> Option<AcceleratorView> {
        None
    }
}

impl Launcher for AcceleratorView {}
impl Launcher for Recording<'_> {}
impl Launcher for Anywhere {}
