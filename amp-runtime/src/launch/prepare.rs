//! Kernels compiled before their first launch.
//!
//! A driver compiles a kernel for a size of workgroup and for its constants, which takes it
//! from one millisecond to seconds. [`prepare`] has it done for many kernels at a time, ahead
//! of the launches that would wait for it. Fifteen variants of a tiled matrix product take
//! lavapipe 220 ms one after the other, and 120 ms together on two cores.
//!
//! Drivers may put a part off to the first launch: lavapipe makes machine code only then.

use std::fmt;

use amp_spirv::artifact::{Artifact, Wide};
use amp_spirv::proof;

use crate::accelerator::registry;
use crate::device::accelerator::view::{AcceleratorView, Backend};
use crate::device::code::{Code, Switches};
use crate::device::cpu;
use crate::device::shape::{Shape, check_domain};
use crate::device::vulkan::{Pipeline, Stream};
use crate::kernel::source::Bound;
use crate::kernel::{Kernel, Parts};
use crate::launch;
use crate::types::domain::Domain;
use crate::types::error::{Error, Result, times};
use crate::types::report::{Report, Statistic};

/// Local arrays of so many bytes may be too large for a device. An NVIDIA H200 has about 15 KiB for
/// each of the threads that it can run at a time, which is 4 GiB in all.
const MANY_ARRAY_BYTES: u64 = 8 << 10;

impl Code {
    /// Refuses a domain that no accelerator runs it over.
    pub(crate) fn check(&self, extent: &[usize]) -> Result<()> {
        let Artifact { merged, index, .. } = self.artifact;
        check_domain(extent, self.tile, merged, *index)
    }

    /// Finds the checks that no thread of a launch can fail, so that its pipeline is made without
    /// them, and whether its threads may run several indices.
    pub(crate) fn prove(&mut self, extent: &[usize], block: &[u8], views: &[Bound<'_>]) {
        self.switches.proven = match self.switches.checked {
            true => self.artifact.proven(&proof::Launch {
                domain: extent,
                tile: self.tile.unwrap_or_default(),
                constants: self.constants,
                block,
            }),
            false => 0,
        };
        let Wide {
            lanes,
            views: accessed,
        } = &self.artifact.wide;
        let checked = self.artifact.proofs.groups() & !self.switches.proven;
        let mut accessed = accessed.iter().filter_map(|view| views.get(*view as usize));
        self.switches.wide = *lanes > 1
            && (checked == 0 || !self.switches.checked)
            && accessed.all(|view| view.is_cut_into(*lanes as usize));
    }

    /// The workgroups that a device cuts a domain into, and the pipeline for them.
    pub(crate) fn on(&self, stream: &Stream, extent: &[usize]) -> Result<(Shape, Pipeline)> {
        let shape = self.shape(stream, extent)?;
        let pipeline = stream
            .pipeline(self, &shape)
            .map_err(|error| self.blamed_on_arrays(error, stream.name()))?;
        Ok((shape, pipeline))
    }

    /// The error of a driver that did not compile a kernel, if it may be for its arrays: no limit
    /// of a device says how much memory a thread has, and what drivers return says nothing.
    fn blamed_on_arrays(&self, error: Error, device: &str) -> Error {
        match error {
            Error::Driver { reason, .. } if self.arrays >= MANY_ARRAY_BYTES => {
                Error::UnsupportedFeature(format!(
                    "kernel `{}` has up to {} bytes of local arrays in each thread, for which \
                     {device} seems to have no room: its driver does not compile the kernel \
                     ({reason}); use smaller arrays, tile_static memory or an `Array`",
                    self.artifact.name, self.arrays
                ))
            }
            error => error,
        }
    }

    /// What the driver says about that pipeline.
    fn statistics(&self, stream: &Stream, extent: &[usize]) -> Result<Vec<Statistic>> {
        let shape = self.shape(stream, extent)?;
        stream.statistics(self, &shape)
    }

    /// The workgroups that a device cuts a domain into, if it can run the kernel.
    fn shape(&self, stream: &Stream, extent: &[usize]) -> Result<Shape> {
        stream.check_features(self.artifact)?;
        let limits = stream.limits();
        let lanes = self.artifact.wide.lanes;
        let wide = self
            .switches
            .wide
            .then(|| Shape::wide(extent, lanes, limits));
        let shape = match wide.flatten() {
            Some(shape) => shape,
            None => Shape::new(extent, self.tile, &self.artifact.merged, limits)?,
        };
        if self.tile_static > u64::from(limits.tile_static) {
            return Err(Error::UnsupportedFeature(format!(
                "kernel `{}` has {} bytes of tile_static memory, where the device has {}; use \
                 smaller tiles",
                self.artifact.name, self.tile_static, limits.tile_static
            )));
        }
        Ok(shape)
    }
}

/// A kernel as it is compiled for launches over a domain: what [`prepare`] takes. It borrows
/// nothing, so variants of kernels that write the same array can stand in one list.
#[derive(Clone)]
pub struct Variant {
    code: Code,
    extent: Vec<usize>,
    /// The view that a launch goes to for what it captures.
    view: Option<AcceleratorView>,
    /// Those of the arrays that it captures.
    arrays: Vec<AcceleratorView>,
    /// What was wrong with an argument.
    error: Option<Error>,
}

impl Variant {
    /// What a launch of `kernel` over `domain` needs.
    ///
    /// Tiled kernels are compiled once for all domains. Others are compiled for the size of
    /// workgroup that suits the domain, of which there are few.
    pub fn new<D: Domain>(domain: D, mut kernel: Kernel<'_, D::Index>) -> Self {
        let extent = domain.components().to_vec();
        let Parts {
            code, block, views, ..
        } = &mut kernel.parts;
        code.prove(&extent, block, views);
        Self {
            view: launch::array_view(&kernel.parts).cloned(),
            arrays: launch::array_views(&kernel.parts).cloned().collect(),
            code: kernel.parts.code,
            extent,
            error: kernel.parts.error,
        }
    }

    /// What the compiler did with the kernel, which indices the host proves to be in bounds for
    /// this launch, and what the driver says about its pipeline: registers, code size and so on, if
    /// it has `VK_KHR_pipeline_executable_properties`. It is made for the view that
    /// [`parallel_for_each`](crate::parallel_for_each) would use.
    ///
    /// ```
    /// # use amp_runtime as amp;
    /// # fn show<D: amp::Domain>(domain: D, kernel: amp::Kernel<'_, D::Index>) -> amp::Result<()> {
    /// println!("{}", amp::Variant::new(domain, kernel).report()?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`prepare`].
    pub fn report(&self) -> Result<Report> {
        let view = match &self.view {
            Some(view) => view.clone(),
            None => registry::use_default()?.default_view()?,
        };
        self.check(&view)?;
        let Switches {
            checked, proven, ..
        } = self.code.switches;
        let mut report = Report::of(self.code.artifact, checked.then_some(proven));
        report.indices_of_thread = self.code.artifact.merged.iter().product();
        if let Backend::Vulkan(stream) = view.backend() {
            report.indices_of_thread *= self.code.shape(stream, &self.extent)?.lanes;
            report.statistics = self.code.statistics(stream, &self.extent)?;
        }
        Ok(report)
    }

    /// Refuses what a launch would refuse.
    fn check(&self, view: &AcceleratorView) -> Result<()> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        self.code.check(&self.extent)?;
        launch::check_arrays(view, self.code.artifact, self.arrays.iter())
    }

    /// Compiles it for a view, if need be.
    fn make(&self, view: &AcceleratorView) -> Result<()> {
        self.check(view)?;
        match view.backend() {
            Backend::Vulkan(stream) => self.code.on(stream, &self.extent).map(|_| ()),
            Backend::Cpu(_) => Ok(()),
        }
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Variant")
            .field("kernel", &self.code.artifact.name)
            .field("domain", &times(&self.extent))
            .finish_non_exhaustive()
    }
}

/// Compiles kernels before their first launch, several at a time, each for the view that
/// [`parallel_for_each`](crate::parallel_for_each) would run it on. A later launch of the
/// same kernel over the same domain compiles nothing.
///
/// Compiled kernels are kept from one run of the program to the next: in a file for each
/// device and version of its driver, in the platform's cache folder, or in the one that the
/// environment variable `AMP_CACHE_DIR` names; with an empty value they are not kept. There
/// this call takes little time from the second run on. (Drivers may have such a cache of
/// their own as well.) On the CPU accelerator kernels are compiled with the program.
///
/// # Errors
///
/// What the launch would return: [`Error::InvalidComputeDomain`], [`Error::ViewMismatch`],
/// [`Error::UnsupportedFeature`], and so on; the first in the order of the list. The other
/// kernels are compiled all the same.
pub fn prepare(variants: &[Variant]) -> Result<()> {
    let default = match variants.iter().all(|variant| variant.view.is_some()) {
        true => None,
        false => Some(registry::use_default()?.default_view()?),
    };
    let view_of = |variant: &Variant| variant.view.clone().or_else(|| default.clone());
    let variants = variants.iter().map(|it| (it, view_of(it)));
    make(
        variants
            .filter_map(|(it, view)| Some((it, view?)))
            .collect(),
    )
}

impl AcceleratorView {
    /// Compiles kernels for this view before their first launch, several at a time: as
    /// [`prepare`], but for launches by [`AcceleratorView::parallel_for_each`]. [`Variant`] has
    /// an example.
    ///
    /// # Errors
    ///
    /// As [`prepare`].
    pub fn prepare(&self, variants: &[Variant]) -> Result<()> {
        make(variants.iter().map(|it| (it, self.clone())).collect())
    }
}

fn make(variants: Vec<(&Variant, AcceleratorView)>) -> Result<()> {
    let make = |(variant, view): &(&Variant, AcceleratorView)| variant.make(view);
    let mut made = vec![Ok(()); variants.len()];
    let each = variants.iter().zip(&mut made);
    match variants.len() {
        0 | 1 => each.for_each(|(variant, made)| *made = make(variant)),
        _ => cpu::apart(|| {
            rayon_core::scope(|scope| {
                each.for_each(|(variant, made)| scope.spawn(move |_| *made = make(variant)));
            });
        })?,
    }
    // A program that ends soon finds them the next time.
    for (_, view) in &variants {
        if let Backend::Vulkan(stream) = view.backend() {
            stream.keep_pipelines();
        }
    }
    made.into_iter().collect()
}
